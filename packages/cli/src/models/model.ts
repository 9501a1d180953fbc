/** The options of `reflexion models`, its arguments as they were given, and how a host's own small model stands. */
import type { OptionSpec, Values } from "../command/CommandSpec.ts"

export const options = {
  format: {
    name: "format",
    value: "FORMAT",
    choices: ["text", "json"],
    description: "text to read (default), or a JSON object."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * The arguments as they were given; null where an option was not. `words` are those that are no options.
 *
 * @category models
 */
export interface Given extends Values<keyof typeof options> {
  readonly words: ReadonlyArray<string>
}

/**
 * `named`: the configuration names a model, or none. `metered`: no login pays for an answer, whether the user
 * agreed or not. `said`: the user said so at that time. `unasked`: nobody did. `unread`: what the user said cannot be read.
 *
 * @category models
 */
export type Standing =
  | { readonly state: "named"; readonly model: string; readonly by: string }
  | { readonly state: "metered"; readonly why: string; readonly agreed: boolean }
  | { readonly state: "said"; readonly asked: boolean; readonly at: string }
  | { readonly state: "unasked" }
  | { readonly state: "unread"; readonly why: string }
