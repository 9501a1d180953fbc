/** Keeps what the cycle knows across restarts. Neither part fails: without it the cycle begins with what the logs say. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FS from "node:fs"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import * as JsonlFile from "../log/JsonlFile.ts"
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

const attempt = <A>(work: () => A) =>
  Effect.try({ try: work, catch: (cause) => ({ message: cause instanceof Error ? cause.message : "unknown" }) })

const textAt = (path: string): string | null =>
  FS.existsSync(path)
    ? PlainFiles.within(path, FS.constants.O_RDONLY, (descriptor, { size }) => {
        if (size > mostBytes) throw new Error("it is larger than any that was written")
        return PlainFiles.readBetween(descriptor, 0, size).toString("utf8")
      })
    : null

export const onDisk = ({ path }: { readonly path: string }): Checkpoint => ({
  load: attempt(() => textAt(path)).pipe(
    Effect.flatMap((text) => (text === null ? Effect.succeed(null) : decode(text))),
    Effect.catchAll(({ message }) =>
      Effect.as(
        Effect.logWarning(`${path} is left out, and the cycle begins with what the logs say: ${message.slice(0, 300)}`),
        null
      )
    )
  ),
  save: (saved) =>
    Effect.catchAll(
      attempt(() => JsonlFile.put(path, textOf(saved))),
      ({ message }) => Effect.logWarning(`how far the cycle is was not kept: ${message.slice(0, 300)}`)
    )
})
