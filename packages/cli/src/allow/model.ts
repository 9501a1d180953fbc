/** The options of `reflexion allow`, and its arguments as they were given. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  yes: { name: "yes", value: null, description: "agrees without being asked, as where there is no terminal." },
  revoke: { name: "revoke", value: null, description: "forgets what the model earned, and asks a host's own no more." }
} as const satisfies Record<string, OptionSpec>

/**
 * The arguments as they were given; an option that was not is null.
 *
 * @category models
 */
export interface Given extends Values<keyof typeof options> {
  readonly words: ReadonlyArray<string>
}
