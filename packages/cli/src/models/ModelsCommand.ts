/** `reflexion models`. */
import { make, type CommandSpec } from "../command/CommandSpec.ts"
import { options } from "./model.ts"

export const spec: CommandSpec = {
  name: "models",
  usage: "reflexion models [--format text|json]",
  summary:
    "Shows which models can be asked in this project, which cannot, and why. Every provider that has a key, or that the configuration names, is asked once what it offers, which costs nothing; no key is shown.",
  operands: [],
  options: Object.values(options),
  notes: [
    [
      "Configuration",
      [
        ["model", '"off" (default), "auto" or "provider/model"; REFLEXION_MODEL in the environment'],
        ["models", "providers, fallback, fast, weak, timeout and the budgets of tokens"],
        ["", "docs/configuration.md has all of it."]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "a model can be asked, or models are off"],
        ["1", "a model is configured, and none can be asked"],
        ["2", "could not tell: a wrong option or configuration; the reason is on standard error"]
      ]
    ]
  ]
}

export const command = make(spec, options, () => import("./ModelSurvey.ts"))
