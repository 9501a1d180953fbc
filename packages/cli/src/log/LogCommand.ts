/** `reflexion log`. */
import { make, type CommandSpec } from "../command/CommandSpec.ts"
import { options } from "./model.ts"

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
        ["reminder", "the agent was told something besides its work, which sends it on to nothing"],
        ["notice", "you were told something"],
        ["none", "nothing was said, for the reason given"],
        ["abstain", "it could not, or must not, be judged"],
        ["stop, start", "by your command"],
        ["wrong", "you marked a push as wrong: the rules, and what follows"],
        ["rearm", "a new message of the user"],
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

export const command = make(spec, options, () => import("./Log.ts"))
