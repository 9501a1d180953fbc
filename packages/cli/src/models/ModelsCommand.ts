/** `reflexion models`. */
import * as Hosts from "../host/Hosts.ts"
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { type CommandSpec, values } from "../command/CommandSpec.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "models",
  usage: `reflexion models [--format text|json] | models on|off ${Hosts.names.join("|")}`,
  summary:
    "Shows which models can be asked in this project, which cannot, and why; nobody is asked for it, and no key is shown. `on` and `off` say whether a host's own small model is asked at stops.",
  operands: ["on", "off", ...Hosts.names],
  options: Object.values(options),
  notes: [
    [
      "Your own small model",
      [
        [
          "on HOST",
          "says what it takes, and has your own small model asked at this host's stops of work: typing it is your consent"
        ],
        ["off HOST", "takes that back; in a session /reflection model off does, for that session"],
        [
          "",
          "Claude Code and Codex: not where each answer would be billed by an API key or a cloud; name a model in the configuration for that. OpenCode: as the session is paid."
        ]
      ]
    ],
    [
      "Configuration",
      [
        ["model", '"off", "auto" or "provider/model"; REFLEXION_MODEL in the environment. It holds before on and off.'],
        ["models", "providers, fallback, fast, weak, timeout and the budgets of tokens and questions"],
        ["", "docs/configuration.md has all of it."]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "a model can be asked, or models are off; on or off is kept"],
        ["1", "a model is configured, and none can be asked; or what you said of a host's own cannot be read"],
        [
          "2",
          "could not tell, or nothing was changed: a wrong option or configuration, or metered billing; the reason is on standard error"
        ]
      ]
    ]
  ]
}

const load = Effect.promise(() => import("./ModelSurvey.ts"))

export const command = Command.make(
  spec.name,
  { given: values(options), words: Args.text({ name: "WORD" }).pipe(Args.repeated) },
  ({ given, words }) => Effect.flatMap(load, ({ run }) => run({ ...given, words }))
).pipe(Command.withDescription(spec.summary))
