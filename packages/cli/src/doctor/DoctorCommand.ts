/** `reflexion doctor`. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { type CommandSpec, values } from "../command/CommandSpec.ts"
import { options } from "./options.ts"
import { names } from "../host/Hosts.ts"

export const spec: CommandSpec = {
  name: "doctor",
  usage: "reflexion doctor [HOST...] [--global|--project] | doctor --show rules|configuration|models",
  summary:
    "Looks whether reflexion is installed and works: runs what is installed with a sample of what the agent sends, says what is trusted, allowed and asked here, and what needs you. Changes nothing.",
  operands: names,
  options: Object.values(options),
  notes: [
    [
      "Levels of rules",
      [
        ["off", "nothing is named; what it would find is still not called done"],
        ["tell", "you read a line, once in a task; the agent is left alone"],
        ["push", "the agent is sent on, but under the profile advisory"]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "all is well"],
        ["1", "something needs you; with --show models, none can be asked"],
        ["2", "it could not look: the reason is in its place"]
      ]
    ]
  ]
}

export const command = Command.make(
  spec.name,
  { hosts: Args.text({ name: "HOST" }).pipe(Args.repeated), given: values(options) },
  ({ given, hosts }) =>
    Effect.flatMap(
      Effect.promise(() => import("./Doctor.ts")),
      ({ run }) => run({ ...given, hosts })
    )
).pipe(Command.withDescription(spec.summary))
