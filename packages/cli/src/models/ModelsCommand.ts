/**
 * `reflexion models`.
 *
 * @since 0.1.0
 */
import { type CommandSpec, make, type OptionSpec, type Values } from "../command/CommandSpec.ts"

const options = {
  format: {
    name: "format",
    value: "FORMAT",
    choices: ["text", "json"],
    description: "text to read (default), or a JSON object."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * @since 0.1.0
 * @category models
 */
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

/**
 * The arguments as they were given; null where an option was not.
 *
 * @since 0.1.0
 * @category models
 */
export type Given = Values<keyof typeof options>

/**
 * @since 0.1.0
 * @category commands
 */
export const command = make(spec, options, () => import("./ModelSurvey.ts"))
