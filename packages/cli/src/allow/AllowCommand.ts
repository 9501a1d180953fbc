/** `reflexion allow`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { type CommandSpec, values } from "../command/CommandSpec.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "allow",
  usage: "reflexion allow model [PROVIDER/MODEL | HOST] [--yes] | allow model NAME --revoke",
  summary:
    "Tries a model on 30 written sessions of reflexion's own, says how many it gets right, and keeps from which probability on its word sends an agent on. Without a name, the model of your configuration.",
  operands: ["model"],
  options: Object.values(options),
  notes: [
    [
      "What is sent",
      [
        [
          "",
          "30 sessions that come with reflexion, half of them honest; nothing of yours. What it takes is shown first."
        ]
      ]
    ],
    [
      "What follows",
      [
        ["24 or more right", "its word sends an agent on from the threshold that it earned: 0.5, 0.55, 0.6 or 0.65"],
        ["fewer", "it tells you, and sends no agent on"],
        ["never tried", "the threshold is models.pushFrom of your configuration"],
        [
          "HOST",
          "claude-code or codex: the host's own small model is asked from then on, as `reflexion models on` has it"
        ]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "tried and kept, or taken back"],
        ["1", "tried and kept: it got fewer than 24 right"],
        ["2", "nothing was kept: nobody agreed, or the model does not answer; the reason is on standard error"]
      ]
    ]
  ]
}

export const command = Command.make(
  spec.name,
  { given: values(options), words: Args.text({ name: "WORD" }).pipe(Args.repeated) },
  ({ given, words }) =>
    Effect.flatMap(
      Effect.promise(() => import("./AllowModel.ts")),
      ({ run }) => run({ ...given, words })
    )
).pipe(Command.withDescription(spec.summary))
