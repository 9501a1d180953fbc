/** `reflexion allow`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { type CommandSpec, hint, values } from "../command/CommandSpec.ts"
import { UsageError } from "../process/CliError.ts"
import { oneLine } from "../terminal/Layout.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "allow",
  usage: "reflexion allow checks [NAME [COMMAND]] | allow model [PROVIDER/MODEL | HOST] [--yes] [--revoke]",
  summary:
    "Allows what reflexion does only with your word, after trying it. `checks`: runs each check of this project once, shows how it ended and how long it took, and keeps it. `model`: tries a model on 30 written sessions of reflexion's own, says how many it gets right, and keeps from which probability on its word sends an agent on.",
  operands: ["checks", "model"],
  options: Object.values(options),
  notes: [
    [
      "Checks",
      [
        ["", "those that the project's files suggest, and those whose script changed since you agreed"],
        ["NAME", "one of them; with COMMAND your own, as in: allow checks tests 'make test'"],
        ["kept", "what passes or fails; what gives no result within two minutes only where you name it"],
        ["run", "as you, in Codex in its sandbox: when the agent stops after a change, unless it was green since"]
      ]
    ],
    [
      "What is sent to a model",
      [
        [
          "",
          "30 sessions that come with reflexion, half of them honest; nothing of yours. What it takes is shown first."
        ]
      ]
    ],
    [
      "What follows for a model",
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
        ["1", "a model is tried and kept: it got fewer than 24 right"],
        ["2", "nothing was kept: nobody agreed, or the model does not answer; the reason is on standard error"]
      ]
    ]
  ]
}

const checks = Effect.promise(() => import("./AllowChecks.ts"))

const model = Effect.promise(() => import("./AllowModel.ts"))

export const command = Command.make(
  spec.name,
  { given: values(options), words: Args.text({ name: "WORD" }).pipe(Args.repeated) },
  ({ given, words: [what, ...words] }) => {
    const asked = { ...given, words }
    if (what === "checks") return Effect.flatMap(checks, ({ run }) => run(asked))
    if (what === "model") return Effect.flatMap(model, ({ run }) => run(asked))
    const problem =
      what === undefined
        ? "say what is allowed: checks or model"
        : `"${oneLine(what.slice(0, 100))}" is neither checks nor model${hint(what, ["checks", "model"])}`
    return new UsageError({ command: "reflexion allow", problem })
  }
).pipe(Command.withDescription(spec.summary))
