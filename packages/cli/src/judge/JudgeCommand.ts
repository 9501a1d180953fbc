/** `reflexion judge`. */
import type { CommandSpec } from "../command/CommandSpec.ts"
import * as SessionCommand from "../session/SessionCommand.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "judge",
  usage:
    "reflexion judge [FILE...] [--turn last|all|N] [--format text|json|jsonl] [--model MODEL] [--checks] [--done-when FILE] [--cross-review] [options]",
  summary:
    "Decides from evidence whether the task of a coding agent's session is done, what is missing and what to tell the agent. No model, no key, no network and nothing run, unless --model, --checks or --cross-review says so.",
  operands: "files",
  options: Object.values(options),
  notes: [
    SessionCommand.files,
    [
      "Exit status",
      [
        ["0", "complete"],
        ["1", "not complete"],
        ["2", "could not judge: the reason is on standard error"],
        ["3", "abstained: neither the evidence nor a model that was asked decides it"],
        ["", "Of several files 2 over 1 over 3 over 0, by their last turns."]
      ]
    ]
  ]
}

export const command = SessionCommand.make(spec, options, () => import("./Judge.ts"))
