/** `reflexion stuck`. */
import type { CommandSpec } from "../command/CommandSpec.ts"
import * as SessionCommand from "../session/SessionCommand.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "stuck",
  usage: "reflexion stuck [FILE...] [--now ISO] [--format text|json|jsonl] [options]",
  summary:
    "Tells from evidence whether a session is stuck, waits for its user, works or is done, and names the loops it is in. No model, no key, no network.",
  operands: "files",
  options: Object.values(options),
  notes: [
    SessionCommand.files,
    [
      "Exit status",
      [
        ["0", "nothing to do: it works, waits for its user or is done"],
        ["1", "stuck, or in a loop"],
        ["2", "could not tell: the reason is on standard error"],
        ["", "What the evidence does not decide counts as work: 0. Of several files 2 over 1 over 0."]
      ]
    ]
  ]
}

export const command = SessionCommand.make(spec, options, () => import("./Stuck.ts"))
