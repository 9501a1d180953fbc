/**
 * `reflexion report`.
 *
 * @since 0.1.0
 */
import { type CommandSpec, make, type OptionSpec, type Values } from "../command/CommandSpec.ts"

const options = {
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
      "Also judge past sessions of this directory: the newest 10 of Claude Code and of Codex, 5 of OpenCode. No model is asked."
  },
  format: {
    name: "format",
    value: "FORMAT",
    choices: ["html", "text"],
    description: "a page (default), or text to read here."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * @since 0.1.0
 * @category models
 */
export const spec: CommandSpec = {
  name: "report",
  usage: "reflexion report [--since AGE] [--out PATH] [--open] [--sessions] [--format html|text]",
  summary:
    "Makes one page of what happened in this project: how stops were judged, what pushes achieved and which may have been wrong, what it took, and what was learned. The page loads nothing from anywhere.",
  operands: [],
  options: Object.values(options),
  notes: [
    [
      "Files",
      [
        [".reflection/", "records of reviews, the memory, outcomes and findings: they are only read"],
        [".reflection/report.html", "the page; a file of that name that is no report is never replaced"]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "made, also where nothing is recorded yet"],
        ["2", "not made: the reason is on standard error"]
      ]
    ]
  ]
}

/**
 * The arguments as they were given; null where an option was not, and empty where one that has no value was.
 *
 * @since 0.1.0
 * @category models
 */
export type Given = Values<keyof typeof options>

/**
 * @since 0.1.0
 * @category commands
 */
export const command = make(spec, options, () => import("./ReportProgram.ts"))
