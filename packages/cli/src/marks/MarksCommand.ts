/** `reflexion marks`. */
import { make, type CommandSpec } from "../command/CommandSpec.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "marks",
  usage: "reflexion marks [--clear RULE] [--format text|jsonl]",
  summary:
    "Shows which pushes you marked as wrong in this project, with /reflection wrong in a session, and what follows: a rule with two marked pushes only tells here.",
  operands: [],
  options: Object.values(options),
  notes: [
    [
      "A line of JSON",
      [
        ["rule", "the rule that pushed"],
        ["at", "when you marked it"],
        ["host", "in which host"],
        ["stop", "a hash by which the same stop is known again, and nothing else"]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "shown or taken back, or there is nothing"],
        ["2", "the marks cannot be read or written: the reason is on standard error"]
      ]
    ]
  ]
}

export const command = make(spec, options, () => import("./ShowMarks.ts"))
