/**
 * `reflexion log`.
 *
 * @since 0.1.0
 */
import { type CommandSpec, make, type OptionSpec, type Values } from "../command/CommandSpec.ts"

const options = {
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
 * @since 0.1.0
 * @category models
 */
export const spec: CommandSpec = {
  name: "log",
  usage: "reflexion log [--session ID] [--format text|json] [--limit N]",
  summary:
    "Prints what the hooks decided and why, the newest last. The hosts show little of what happens behind them; this is where to look.",
  operands: [],
  options: Object.values(options),
  notes: [
    [
      "Decisions",
      [
        ["push", "the agent was told to go on: 1/3 is the first time of three"],
        ["reminder", "the agent was told something beside its work, which sends it on to nothing"],
        ["notice", "you were told something"],
        ["none", "nothing was said, for the reason given"],
        ["abstain", "it could not, or must not, be judged"],
        ["stop, start", "by your command"],
        ["rearm", "a new task"],
        ["failure", "something of reflexion's own went wrong, and it did nothing"]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "printed, or nothing is logged yet"],
        ["2", "no such session, or a log that cannot be read"]
      ]
    ]
  ]
}

/**
 * The arguments as they were given; null where an option was not.
 *
 * @since 0.1.0
 * @category models
 */
export type Given = Values<keyof typeof options>

/**
 * @since 0.1.0
 * @category commands
 */
export const command = make(spec, options, () => import("./Log.ts"))
