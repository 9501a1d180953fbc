/**
 * What the commands that read sessions have in common: options, what they read, and how their arguments are handed on.
 */
import * as Hosts from "../host/Hosts.ts"
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { type CommandSpec, type OptionSpec, type Values, values } from "../command/CommandSpec.ts"

export const host = {
  name: "host",
  value: "HOST",
  choices: ["auto", ...Hosts.decoders.map(({ host }) => host)],
  description: "The format of the session's record; auto tells it by the content (default)."
} as const satisfies OptionSpec

export const cwd = {
  name: "cwd",
  value: "DIR",
  description: "The working copy to look at, in place of the session's own directory."
} as const satisfies OptionSpec

export const task = {
  name: "task",
  value: "TEXT",
  description: "What was asked, in place of the session's own prompt."
} as const satisfies OptionSpec

export const profile = {
  name: "profile",
  value: "PROFILE",
  choices: ["balanced", "strict", "advisory"],
  description: "Which gates a task must pass."
} as const satisfies OptionSpec

export const attended = {
  name: "attended",
  value: "ATTENDED",
  choices: ["auto", "true", "false"],
  description: "Whether a person is there to answer the agent; auto goes by the session's record."
} as const satisfies OptionSpec

/**
 * `record` is what JSON has one of for a session.
 *
 * @category options
 */
export const format = (record: string) =>
  ({
    name: "format",
    value: "FORMAT",
    choices: ["text", "json", "jsonl"],
    description: `text to read (default), one JSON document, or one ${record} a line.`
  }) as const satisfies OptionSpec

export const model = {
  name: "model",
  value: "MODEL",
  suggestions: ["off", "auto"],
  description:
    "The model to ask about what the evidence leaves undecided: off (default), auto for the one that the configuration or a key in the environment gives, or PROVIDER/MODEL."
} as const satisfies OptionSpec

/**
 * What a command takes that says one thing of every session; `record` is what JSON has one of for each.
 *
 * @category options
 */
export const whole = (record: string) => ({ host, cwd, task, profile, format: format(record) })

/**
 * How such a command ends; `told` is what there is of every session if all went well.
 *
 * @category options
 */
export const ends = (told: string): CommandSpec["notes"][number] => [
  "Exit status",
  [
    ["0", told],
    ["2", "could not tell: the reason is on standard error"]
  ]
]

export const files: CommandSpec["notes"][number] = [
  "Files",
  [
    [
      "FILE",
      "The record of a session, packed (gzip, zstd) or not. Claude Code's subagents are read with their session."
    ],
    ["-", "Standard input."],
    ["(none)", "The newest session of the current directory."]
  ]
]

/**
 * A command's arguments as they were given; null where an option was not, and empty where one that has no value was.
 *
 * @category models
 */
export type Given<Name extends string> = Values<Name> & {
  readonly files: ReadonlyArray<string>
}

/**
 * The command that hands its arguments to a program, which is loaded only then.
 *
 * @category constructors
 */
export const make = <Name extends string, E, R>(
  { name, summary }: CommandSpec,
  options: Readonly<Record<Name, OptionSpec>>,
  load: () => Promise<{ readonly run: (given: Given<Name>) => Effect.Effect<void, E, R> }>
) =>
  Command.make(
    name,
    {
      files: Args.text({ name: "FILE" }).pipe(Args.repeated),
      given: values(options)
    },
    ({ files, given }) => Effect.flatMap(Effect.promise(load), ({ run }) => run({ ...given, files }))
  ).pipe(Command.withDescription(summary))
