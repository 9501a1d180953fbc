/** The options of `reflexion log` and its arguments as they were given. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  session: {
    name: "session",
    value: "ID",
    description: "Of this session alone: its id, or as much of the beginning as no other session has."
  },
  format: {
    name: "format",
    value: "FORMAT",
    choices: ["text", "json"],
    description: "text to read (default), or a JSON array."
  },
  limit: {
    name: "limit",
    value: "N",
    description: "The newest N alone: by default 50 in a text, all in JSON."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * The arguments as they were given; null where an option was not.
 *
 * @category models
 */
export type Given = Values<keyof typeof options>
