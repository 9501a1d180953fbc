/** The command `reflexion doctor`. */
import * as Effect from "effect/Effect"
import { choice, flag, program, words } from "../command/Parts.ts"
import type { DoctorArguments } from "./options.ts"

const options = {
  global: flag("global", "Only what is installed for everything that you do with an agent."),
  project: flag("project", "Only what is installed for the project of the current directory."),
  show: choice("show", ["rules", "configuration", "models"], "Print the whole list, with what holds in this project."),
  format: choice("format", ["text", "json"], "With --show: text to read (default), or a JSON object."),
  hosts: words("HOST")
}

export const alone = program(
  {
    name: "reflexion doctor",
    usage: "reflexion doctor [HOST...] [--global|--project] | doctor --show rules|configuration|models",
    summary:
      "Looks whether reflexion is installed and works: runs what is installed with a sample of what the agent sends, says what is trusted, allowed and asked here, and what needs you. Changes nothing.",
    notes: [
      [
        "Levels of rules",
        [
          ["off", "nothing is named; what it would find is still not called done"],
          ["tell", "you read a line, once in a task; the agent is left alone"],
          ["nudge", "the agent is told to continue, but under the profile advisory"]
        ]
      ],
      [
        "Exit status",
        [
          ["0", "all is well"],
          ["1", "something needs you; with --show models, none of the configured models can be asked"],
          ["2", "it could not look: the reason is in its place"]
        ]
      ]
    ]
  },
  options,
  (given: DoctorArguments) =>
    Effect.flatMap(
      Effect.promise(() => import("./Doctor.ts")),
      ({ run }) => run(given)
    )
)

export const verbs = {}
