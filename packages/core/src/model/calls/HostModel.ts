/** Asks a coding agent's own model through the agent's program. This needs no key. */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import { isSecretName } from "../../base/redaction/SecretNames.ts"
import * as HostProcess from "./HostProcess.ts"
import { type Answer, asJson, type Question as Asked, type Service } from "./Model.ts"
import { failure, ModelFailure, ofOthers } from "./ModelFailures.ts"

export type { ProgramOutput as Printed } from "./HostProcess.ts"

export interface Options {
  readonly model?: string
  /** "low", "medium" or "high". */
  readonly effort?: string
  /** Needed if the program cannot be found by its name. */
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
  /** The default is 2 minutes. */
  readonly timeout?: Duration.DurationInput
}

export interface Question extends Pick<Asked, "maxOutputTokens"> {
  readonly system: string
}

export type Reading = Either.Either<Answer, ModelFailure>

export interface Host extends Pick<HostProcess.Program, "install" | "name" | "program"> {
  /** The text before the slash in the names of the host's models. */
  readonly id: string
  readonly invoke: (
    question: Question
  ) => Effect.Effect<HostProcess.Invocation, never, FileSystem.FileSystem | Path.Path>
  readonly read: (printed: HostProcess.ProgramOutput) => Reading
}

/** Leaves out the warnings that the program prints at every start. */
export const complaint = ({ code, err }: HostProcess.ProgramOutput): string => {
  const lines = err.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("WARNING:"))
  const ended = code === null ? "a signal ended it" : `it ended with ${code}`
  return ofOthers(lines.slice(0, 4).join(" ")) || ended
}

const without =
  ({ env = {} }: Options) =>
  (text: string): string =>
    Object.entries(env)
      .filter(([name, value]) => isSecretName(name) && value.length >= 6)
      .reduce((rest, [, value]) => rest.replaceAll(value, "[redacted:secret]"), text)

const plainly = "Answer what you are asked, from what you are told alone. You have no tools."

const ask = Effect.fnUntraced(function* (
  host: Host,
  options: Options,
  { maxOutputTokens, prompt, schema, system }: Asked
) {
  if (yield* HostProcess.asksAlready)
    return yield* failure("unavailable", "This process is already answering a question, so it must not ask a model")
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const invoke = Effect.fnUntraced(function* (directory: string) {
    const file = path.join(directory, "system.md")
    yield* fs.writeFileString(file, system === "" ? plainly : system, { mode: 0o600 })
    return yield* host.invoke({ system: file, maxOutputTokens })
  })
  const { env = {}, program = host.program, timeout = Duration.minutes(2) } = options
  const printed = yield* Effect.mapError(
    HostProcess.run({ ...host, env, program, timeout }, { invoke, input: `${prompt}\n\n${asJson(schema)}` }),
    ({ detail, reason }) => failure(reason === "printed_too_much" ? "malformed" : "unavailable", detail)
  )
  const scrubbed = without(options)
  return yield* host.read({ ...printed, out: scrubbed(printed.out), err: scrubbed(printed.err) })
})

export type HostModelServices = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

export const make = (host: Host, options: Options): Effect.Effect<Service, never, HostModelServices> => {
  const named = (said: string | null): string => `${host.id}/${said ?? options.model ?? "default"}`
  return Effect.map(Effect.context<HostModelServices>(), (context) => ({
    ask: (question) =>
      ask(host, options, question).pipe(
        Effect.mapBoth({
          onFailure: (failed) => new ModelFailure({ ...failed, model: named(failed.model) }),
          onSuccess: (answer) => ({ ...answer, model: named(answer.model) })
        }),
        Effect.provide(context)
      )
  }))
}

export interface HostAccount {
  readonly program: string
  readonly small: string
  readonly ask: (
    options: Options,
    of: { readonly env: Readonly<Record<string, string | undefined>>; readonly isSmall: boolean }
  ) => Effect.Effect<Service, never, HostModelServices>
}
