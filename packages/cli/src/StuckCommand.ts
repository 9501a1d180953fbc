/**
 * `reflexion stuck`.
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
  cwd: SessionOptions.cwd,
  task: {
    ...SessionOptions.task,
    description: "What was asked, where the record has no prompt, as the output of codex exec --json has none."
  },
  profile: SessionOptions.profile,
  format: SessionOptions.format("assessment"),
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
    SessionOptions.files,
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
    cwd: option(options.cwd),
    task: option(options.task),
    profile: option(options.profile),
    format: option(options.format),
    now: option(options.now)
  },
  ({ cwd, files, format, host, now, profile, task }) =>
    Effect.flatMap(
      Effect.promise(() => import("./Stuck.ts")),
      (Stuck) =>
        Stuck.run({
          files,
          host: given(host),
          cwd: given(cwd),
          task: given(task),
          profile: given(profile),
          format: given(format),
          now: given(now)
        })
    )
).pipe(Command.withDescription(spec.summary))
