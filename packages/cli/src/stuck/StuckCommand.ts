/**
 * `reflexion stuck`.
 *
 * @since 0.1.0
 */
import type { CommandSpec, OptionSpec } from "../command/CommandSpec.ts"
import * as SessionCommand from "../session/SessionCommand.ts"

const options = {
  host: SessionCommand.host,
  cwd: SessionCommand.cwd,
  task: {
    ...SessionCommand.task,
    description: "What was asked, where the record has no prompt, as the output of codex exec --json has none."
  },
  profile: {
    ...SessionCommand.profile,
    description: "Which gates a task must pass; under advisory nobody is nudged."
  },
  format: SessionCommand.format("assessment"),
  now: {
    name: "now",
    value: "ISO",
    description:
      "The time to assess at, such as 2026-01-31T12:00:00Z: the silence lasts until then. By default the present."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * @since 0.1.0
 * @category models
 */
export const spec: CommandSpec = {
  name: "stuck",
  usage: "reflexion stuck [FILE...] [--now ISO] [--format text|json|jsonl] [options]",
  summary:
    "Tells from evidence whether a session is stuck, waits for its user, works or is done, and names the loops it is in. No model, no key, no network.",
  operands: "files",
  options: Object.values(options),
  notes: [
    SessionCommand.files,
    [
      "Exit status",
      [
        ["0", "nothing to do: it works, waits for its user or is done"],
        ["1", "stuck, or in a loop"],
        ["2", "could not tell: the reason is on standard error"],
        ["", "What the evidence does not decide counts as work: 0. Of several files 2 over 1 over 0."]
      ]
    ]
  ]
}

/**
 * The command's arguments as they were given; null where an option was not.
 *
 * @since 0.1.0
 * @category models
 */
export type Given = SessionCommand.Given<keyof typeof options>

/**
 * @since 0.1.0
 * @category commands
 */
export const command = SessionCommand.make(spec, options, () => import("./Stuck.ts"))
