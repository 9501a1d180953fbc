/** The user's word that the last push was wrong: kept by the process around the plugin, and in force at once. */
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Context from "effect/Context"

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
