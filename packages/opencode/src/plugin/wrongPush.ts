/** The user's word that the last push was wrong: kept by the process around the plugin, and in force at once. */
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"

type Limits = ReflexionConfig["ruleLimits"]

/** What the user is told, and which rules go no further than to tell from now on. */
export interface Marked {
  readonly text: string
  readonly lowered: ReadonlyArray<keyof Limits>
}

/** Marks the last push of a session in the project with this root. May throw. */
export type Mark = (sessionId: string, root: string) => Marked

/** Without a layer nothing is kept. */
export class WrongPush extends Context.Reference<WrongPush>()("@reflexion/opencode/WrongPush", {
  defaultValue: (): { readonly mark: (sessionId: string) => Marked } => ({
    mark: () => ({ text: "reflexion keeps no marks here.", lowered: [] })
  })
}) {}

/** Levels that the services of a plugin have in common for as long as it runs. */
export type Shared = { -readonly [Rule in keyof Limits]: Limits[Rule] }

/** Lowers what is marked in the limits by which the plugin judges, which are read again for each message of the user's. */
export const make = (mark: Mark, { limits, root }: { readonly limits: Shared; readonly root: string }) => ({
  mark: (sessionId: string): Marked => {
    const marked = mark(sessionId, root)
    for (const rule of marked.lowered) if (limits[rule] !== "off") limits[rule] = "tell"
    return marked
  }
})

const failed = (cause: unknown): string =>
  `reflexion could not mark the push: ${cause instanceof Error ? cause.message : String(cause)}`

/** Marks it and shows what follows. */
export const perform = Effect.fnUntraced(function* (sessionId: string) {
  const client = yield* OpenCodeClient
  const marks = yield* WrongPush
  const toast = yield* Effect.try({ try: () => marks.mark(sessionId), catch: failed }).pipe(
    Effect.map(({ text }) => ({ message: text, variant: "info" as const })),
    Effect.catchAll((message) => Effect.succeed({ message, variant: "warning" as const }))
  )
  yield* client.toast(toast)
})
