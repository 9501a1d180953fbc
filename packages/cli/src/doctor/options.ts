/** The options of `reflexion doctor`, and its arguments as they were given. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  global: {
    name: "global",
    value: null,
    description: "Only what is installed for everything that you do with an agent."
  },
  project: {
    name: "project",
    value: null,
    description: "Only what is installed for the project of the current directory."
  },
  show: {
    name: "show",
    value: "WHAT",
    choices: ["rules", "configuration", "models"],
    description: "Print the whole list, with what holds in this project."
  },
  format: {
    name: "format",
    value: "FORMAT",
    choices: ["text", "json"],
    description: "With --show: text to read (default), or a JSON object."
  }
} as const satisfies Record<string, OptionSpec>

/** The arguments as they were given. An option that was not is null; with neither scope, both are looked at. */
export interface Given extends Values<keyof typeof options> {
  readonly hosts: ReadonlyArray<string>
}
