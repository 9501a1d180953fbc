/** `reflexion doctor`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { flag, type CommandSpec, type OptionSpec } from "../command/CommandSpec.ts"
import { names } from "../host/Hosts.ts"

const options = {
  global: {
    name: "global",
    value: null,
    description: "Only what is installed for everything that you do with a host."
  },
  project: {
    name: "project",
    value: null,
    description: "Only what is installed for the project of the current directory."
  }
} as const satisfies Record<string, OptionSpec>

export const spec: CommandSpec = {
  name: "doctor",
  usage: `reflexion doctor [${names.join("|")}] [--global|--project]`,
  summary:
    "Looks whether the hooks are installed and work, and OpenCode's plugin: runs what is installed with a sample of what the host sends, and says what needs you. Changes nothing.",
  operands: names,
  options: Object.values(options),
  notes: [
    [
      "Exit status",
      [
        ["0", "all is well"],
        ["1", "something needs you"],
        ["2", "it could not look: the reason is in its place"]
      ]
    ]
  ]
}

export const command = Command.make(
  spec.name,
  {
    hosts: Args.text({ name: "HOST" }).pipe(Args.repeated),
    global: flag(options.global),
    project: flag(options.project)
  },
  (given) =>
    Effect.flatMap(
      Effect.promise(() => import("./Doctor.ts")),
      (Doctor) => Doctor.run(given)
    )
).pipe(Command.withDescription(spec.summary))
