/** The options of `reflexion judge` and its arguments as they were given. */
import type { OptionSpec } from "../command/CommandSpec.ts"
import * as SessionCommand from "../session/SessionCommand.ts"

export const options = {
  host: SessionCommand.host,
  turn: {
    name: "turn",
    value: "TURN",
    description: "Which turns to judge: last (default), all, or the number of one, counted from 0."
  },
  cwd: SessionCommand.cwd,
  task: SessionCommand.task,
  profile: SessionCommand.profile,
  attended: SessionCommand.attended,
  format: SessionCommand.format("verdict"),
  now: {
    name: "now",
    value: "ISO",
    description: "The time to judge at, such as 2026-01-31T12:00:00Z; by default the session's last event."
  },
  model: SessionCommand.model,
  checks: {
    name: "checks",
    value: null,
    description:
      "Run the checks that your configuration names under checks, for required gates of the last turn that have no result. They run in the session's directory, as you."
  },
  "done-when": {
    name: "done-when",
    value: "FILE",
    description:
      "When the task is done, in your words, one condition in a line of that file. A line that names a command, as `npm test` passes or $ npm test, must have passed; --checks runs it."
  },
  "cross-review": {
    name: "cross-review",
    value: null,
    description:
      "Have what the last turn changed reviewed, if it is judged complete, by the models of crossReview in your configuration; without one, by the --model."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * The command's arguments as they were given; null where an option was not.
 *
 * @category models
 */
export type Given = SessionCommand.Given<keyof typeof options>
