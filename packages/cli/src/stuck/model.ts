/** The options of `reflexion stuck` and its arguments as they were given. */
import type { OptionSpec } from "../command/CommandSpec.ts"
import * as SessionCommand from "../session/SessionCommand.ts"

export const options = {
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
 * The command's arguments as they were given; null where an option was not.
 *
 * @category models
 */
export type Given = SessionCommand.Given<keyof typeof options>
