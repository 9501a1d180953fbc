/** Keeps what the cycle knows across restarts. Neither part fails: without it the cycle begins with what the logs say. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { LogDisk, LogDiskError } from "../log/LogDisk.ts"
import { Saved } from "./state.ts"

export interface Checkpoint {
  readonly load: Effect.Effect<Saved | null>
  readonly save: (saved: Saved) => Effect.Effect<void>
}

/** Of a cycle that is to know nothing of the one before. */
export const none: Checkpoint = { load: Effect.succeed(null), save: () => Effect.void }

const decode = Schema.decode(Schema.parseJson(Saved))

/** The schema changes nothing on the way out, and takes fifteen times as long to do it. */
const textOf = (saved: typeof Saved.Encoded): string => JSON.stringify(saved)

const mostBytes = 64 * 1024 * 1024

const attemptAt =
  (path: string) =>
  <A>(operation: string, work: () => A): Effect.Effect<A, LogDiskError> =>
    Effect.try({
      try: work,
      catch: (cause) =>
        cause instanceof LogDiskError
          ? cause
          : new LogDiskError({
              path,
              operation,
              code: null,
              detail: cause instanceof Error ? cause.message : "unknown"
            })
    })

export const onDisk = ({ path }: { readonly path: string }): Effect.Effect<Checkpoint, never, LogDisk> =>
  Effect.map(LogDisk, (disk) => {
    const attempt = attemptAt(path)

    const read = attempt("read", () => {
      const file = disk.open(path, { create: false })
      if (file === null) return null
      try {
        const size = file.size()
        if (size > mostBytes) throw new Error("it is larger than any that was written")
        return new TextDecoder().decode(file.read(0, size))
      } finally {
        file.close()
      }
    })

    const load = Effect.flatMap(read, (text) => (text === null ? Effect.succeed(null) : decode(text))).pipe(
      Effect.catchAll((error) =>
        Effect.as(
          Effect.logWarning(
            `${path} is left out, and the cycle begins with what the logs say: ${error.message.slice(0, 300)}`
          ),
          null
        )
      )
    )

    const write = (text: string): Effect.Effect<void, LogDiskError> =>
      Effect.scoped(
        Effect.zipRight(
          disk.lock(path),
          attempt("write", () => {
            const next = disk.replace(path)
            try {
              next.write(new TextEncoder().encode(text))
              next.commit()
            } catch (cause) {
              next.abandon()
              throw cause
            }
          })
        )
      )

    const save = (saved: Saved) =>
      Effect.catchAll(
        Effect.flatMap(
          attempt("write", () => textOf(saved)),
          write
        ),
        (error) => Effect.logWarning(`how far the cycle is was not kept: ${error.message.slice(0, 300)}`)
      )

    return { load, save }
  })
