/**
 * `reflexion compaction`.
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
  task: SessionOptions.task,
  profile: SessionOptions.profile,
  format: SessionOptions.format("assessment")
} as const satisfies Record<string, OptionSpec>

/**
 * @since 0.1.0
 * @category models
 */
export const spec: CommandSpec = {
  name: "compaction",
  usage: "reflexion compaction [FILE...] [--format text|json|jsonl] [options]",
  summary:
    "Says what to tell an agent after its context was compacted, so that its task and an open pull request or issue are not lost. No model, no key, no network.",
  operands: "files",
  options: Object.values(options),
  notes: [
    SessionOptions.files,
    [
      "Exit status",
      [
        ["0", "an assessment of every session, whatever it says"],
        ["2", "could not tell: the reason is on standard error"]
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
    format: option(options.format)
  },
  ({ cwd, files, format, host, profile, task }) =>
    Effect.flatMap(
      Effect.promise(() => import("./Compaction.ts")),
      (Compaction) =>
        Compaction.run({
          files,
          host: given(host),
          cwd: given(cwd),
          task: given(task),
          profile: given(profile),
          format: given(format)
        })
    )
).pipe(Command.withDescription(spec.summary))
