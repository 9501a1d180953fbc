/** `reflexion checks`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import type { CommandSpec } from "../command/CommandSpec.ts"

export const spec: CommandSpec = {
  name: "checks",
  usage: "reflexion checks [add [GATE [COMMAND]] | remove [GATE]]",
  summary:
    "Shows the checks of this project that reflexion may run itself, and those that the project's own files suggest. `add` shows which it would take and asks you; `remove` takes them back.",
  operands: ["add", "remove"],
  options: [],
  notes: [
    [
      "Words",
      [
        ["add", "what is proposed; with GATE only its check, with COMMAND your own, as in: add tests 'make test'"],
        ["", "Only y or yes, typed on a terminal, takes anything, and only for this project."],
        ["remove", "all that was taken in this project, or the check of GATE; asks nothing"]
      ]
    ],
    [
      "When they run",
      [
        ["at a stop", "after the agent changed code, unless the check was green since; what is red is run twice"],
        ["asked", "when you type /reflection checks"]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "shown, taken or taken back, or you said no"],
        ["2", "nothing was changed: the reason is on standard error"]
      ]
    ]
  ]
}

export const command = Command.make(spec.name, { words: Args.text({ name: "WORD" }).pipe(Args.repeated) }, (given) =>
  Effect.flatMap(
    Effect.promise(() => import("./Checks.ts")),
    ({ run }) => run(given)
  )
).pipe(Command.withDescription(spec.summary))
