/** The options of `reflexion allow`, and its arguments as they were given. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  yes: { name: "yes", value: null, description: "agrees without being asked, as where there is no terminal." },
  revoke: {
    name: "revoke",
    value: null,
    description: "takes it back: what the model earned, or the checks that are allowed in this project."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * The arguments as they were given; an option that was not is null.
 *
 * @category models
 */
export interface Given extends Values<keyof typeof options> {
  readonly words: ReadonlyArray<string>
}
