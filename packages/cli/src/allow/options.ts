/** The options of `reflexion allow`, and its arguments as they were given. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  yes: { name: "yes", value: null, description: "Agrees without being asked, as where there is no terminal." },
  revoke: { name: "revoke", value: null, description: "Takes it back." }
} as const satisfies Record<string, OptionSpec>

/** The arguments as they were given. An option that was not is null. */
export interface Given extends Values<keyof typeof options> {
  readonly words: ReadonlyArray<string>
}
