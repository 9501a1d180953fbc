/** `reflexion rules`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import { rules } from "@reflexion/core/internal/judge/rules/Rules"
import * as Effect from "effect/Effect"
import { values, type CommandSpec } from "../command/CommandSpec.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "rules",
  usage: "reflexion rules [RULE] [--format text|json]",
  summary:
    "Shows the rules by which a stop is judged, and how far each goes in this project; of one rule what it finds, why that matters, and why it goes as far as it does here.",
  operands: rules.map(({ id }) => id),
  options: Object.values(options),
  notes: [
    [
      "Levels",
      [
        ["off", "nothing is named; what it would find is still not called done"],
        ["tell", "you read a line, once in a task; the verdict is not complete, and the agent is left alone"],
        ["push", "the agent is sent on, but under the profile advisory"]
      ]
    ],
    [
      "Configuration",
      [
        ["rules", '{ "loops/planning": "off" }: how far a rule goes. A project\'s file can only lower it.'],
        ["", "docs/rules.md has all of them."]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "shown"],
        ["2", "there is no such rule, or the configuration cannot be read: the reason is on standard error"]
      ]
    ]
  ]
}

const format = values(options)

export const command = Command.make(
  spec.name,
  { names: Args.text({ name: "RULE" }).pipe(Args.repeated), given: format },
  ({ given, names }) =>
    Effect.flatMap(
      Effect.promise(() => import("./ShowRules.ts")),
      ({ run }) => run({ ...given, names })
    )
).pipe(Command.withDescription(spec.summary))
