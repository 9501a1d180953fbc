/**
 * `reflexion judge`.
 *
 * @since 0.1.0
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type CommandSpec, option, type OptionSpec } from "./CommandSpec.ts"
import * as SessionOptions from "./SessionOptions.ts"

const options = {
  host: SessionOptions.host,
  turn: {
    name: "turn",
    value: "TURN",
    description: "Which turns to judge: last (default), all, or the number of one, counted from 0."
  },
  cwd: SessionOptions.cwd,
  task: SessionOptions.task,
  profile: SessionOptions.profile,
  format: SessionOptions.format("verdict"),
  now: {
    name: "now",
    value: "ISO",
    description: "The time to judge at, such as 2026-01-31T12:00:00Z; by default the session's last event."
  }
} as const satisfies Record<string, OptionSpec>

/**
 * @since 0.1.0
 * @category models
 */
export const spec: CommandSpec = {
  name: "judge",
  usage: "reflexion judge [FILE...] [--turn last|all|N] [--format text|json|jsonl] [options]",
  summary:
    "Decides from evidence whether the task of a coding agent's session is done, what is missing and what to tell the agent. No model, no key, no network.",
  operands: "files",
  options: Object.values(options),
  notes: [
    SessionOptions.files,
    [
      "Exit status",
      [
        ["0", "complete"],
        ["1", "not complete"],
        ["2", "could not judge: the reason is on standard error"],
        ["3", "abstained: the evidence does not decide it"],
        ["", "Of several files 2 over 1 over 3 over 0, by their last turns."]
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
export interface Given extends Readonly<Record<keyof typeof options, string | null>> {
  readonly files: ReadonlyArray<string>
}

const given = (value: Option.Option<string>): string | null => Option.getOrNull(value)

/**
 * @since 0.1.0
 * @category commands
 */
export const command = Command.make(
  spec.name,
  {
    files: Args.text({ name: "FILE" }).pipe(Args.repeated),
    host: option(options.host),
    turn: option(options.turn),
    cwd: option(options.cwd),
    task: option(options.task),
    profile: option(options.profile),
    format: option(options.format),
    now: option(options.now)
  },
  ({ cwd, files, format, host, now, profile, task, turn }) =>
    Effect.flatMap(
      Effect.promise(() => import("./Judge.ts")),
      (Judge) =>
        Judge.run({
          files,
          host: given(host),
          turn: given(turn),
          cwd: given(cwd),
          task: given(task),
          profile: given(profile),
          format: given(format),
          now: given(now)
        })
    )
).pipe(Command.withDescription(spec.summary))
