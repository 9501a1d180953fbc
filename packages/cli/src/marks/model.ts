/** The options of `reflexion marks` and its arguments as they were given. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  clear: {
    name: "clear",
    value: "RULE",
    description: "Takes the marks on this rule back in this project: it goes as far again as it would without."
  },
  format: {
    name: "format",
    value: "FORMAT",
    choices: ["text", "jsonl"],
    description:
      "text to read (default), or a line of JSON for each rule and mark, to hand on: nothing of a session is in it."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * The arguments as they were given; null where an option was not.
 *
 * @category models
 */
export type Given = Values<keyof typeof options>
