/** The options of `reflexion report` and its arguments as they were given. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  since: {
    name: "since",
    value: "AGE",
    description: "Only what happened since then, such as 24h, 7d or 4w; by default all that is kept."
  },
  out: {
    name: "out",
    value: "PATH",
    description: "Where the page goes; by default .reflection/report.html of the project."
  },
  open: { name: "open", value: null, description: "Show the page in the browser." },
  sessions: {
    name: "sessions",
    value: null,
    description:
      "Also judge past sessions of this directory: the newest ones of each host, 10 at most. No model is asked."
  },
  format: {
    name: "format",
    value: "FORMAT",
    choices: ["html", "text"],
    description: "a page (default), or text to read here."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * The arguments as they were given; null where an option was not, and empty where one that has no value was.
 *
 * @category models
 */
export type Given = Values<keyof typeof options>
