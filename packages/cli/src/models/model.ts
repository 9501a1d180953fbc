/** The options of `reflexion models` and its arguments as they were given. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  format: {
    name: "format",
    value: "FORMAT",
    choices: ["text", "json"],
    description: "text to read (default), or a JSON object."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * The arguments as they were given; null where an option was not. `words` are those that are no options.
 *
 * @category models
 */
export interface Given extends Values<keyof typeof options> {
  readonly words: ReadonlyArray<string>
}
