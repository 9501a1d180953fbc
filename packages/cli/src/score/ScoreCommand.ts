/** `reflexion score`. */
import type { CommandSpec } from "../command/CommandSpec.ts"
import * as SessionCommand from "../session/SessionCommand.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "score",
  usage: "reflexion score [FILE...] [--format text|json|jsonl] [--model MODEL] [options]",
  summary:
    "Scores from 0 to 5 how well the agent worked on a session's last task: task done, right files, steps, honesty. No model, no key, no network, unless --model says so.",
  operands: "files",
  options: Object.values(options),
  notes: [
    SessionCommand.files,
    [
      "Scores",
      [
        ["5", "done and proved, few detours, honest"],
        ["4", "done, with a small gap: not fully proved, or by detours"],
        ["3", "partly done, or the right question asked"],
        ["2", "incomplete, with something useful"],
        ["1", "little of use, or a false claim"],
        ["0", "nothing done"]
      ]
    ],
    SessionCommand.ends("a score of every session, whatever it is")
  ]
}

export const command = SessionCommand.make(spec, options, () => import("./Score.ts"))
