/**
 * A coding agent's own model, asked once through its program: no key of ours, in a process group of its own, and marked so
 * that no hook of ours runs within and what is asked asks no other.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { isSecretName } from "../../base/redaction/SecretNames.ts"
import * as HostProcess from "./HostProcess.ts"
import { asJson, type Answer as Said, Model, type Question as Asked, type Service } from "./Model.ts"
import {
  brokenOff,
  cutOff,
  declined,
  failure as failed,
  type ModelFailure,
  ofOthers,
  ofStatus
} from "./ModelFailures.ts"

/**
 * Stands in the environment of every program that is asked. Where it does, no model is asked, and no hook of ours runs.
 *
 * @category constants
 */
export const marker = "REFLEXION_ASKING"

/**
 * What a host's command line is made for. `directory` is the question's own, for files that it needs; `system` is the
 * file with what stands before the question.
 *
 * @category models
 */
export interface Question {
  readonly directory: string
  readonly system: string
  readonly maxOutputTokens: number | null
}

export interface Invocation {
  readonly words: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

/**
 * What a program that ended has printed; `code` is null where a signal ended it.
 *
 * @category models
 */
export type Printed = Pick<HostProcess.Ran, "code" | "out" | "err">

/**
 * `model` is null where the program does not say which one it was.
 *
 * @category models
 */
export interface Answer extends Said {
  readonly type: "answer"
  readonly finish: "stop" | "length" | "content-filter"
}

/**
 * Why there is no answer. `provider`: it answered with an error, whose status is known or null. `unreachable`,
 * `broken_off`: the connection to it. `unreadable`: there is an answer, but no use in it. `unusable`: the program cannot
 * be asked as it is set up.
 *
 * @category models
 */
export interface Failure {
  readonly type: "failure"
  readonly reason: "provider" | "unreachable" | "broken_off" | "unreadable" | "unusable"
  readonly status: number | null
  readonly detail: string
}

export const failure = (reason: Failure["reason"], detail: string, status: number | null = null): Failure => ({
  type: "failure",
  reason,
  status,
  detail
})

/**
 * What only the host's adapter knows. `id` begins the names of its models; `install` says what to do where the program
 * is not found; `model` is the one that was chosen, null for the user's own.
 *
 * @category models
 */
export interface Host {
  readonly name: string
  readonly id: string
  readonly install: string
  readonly program: string
  readonly model: string | null
  readonly timeout: Duration.DurationInput
  readonly env: Readonly<Record<string, string>>
  readonly invoke: (question: Question) => Effect.Effect<Invocation, never, FileSystem.FileSystem | Path.Path>
  readonly read: (printed: Printed) => Answer | Failure
}

/**
 * How long an answer may take where nothing else is said.
 *
 * @category constants
 */
export const defaultTimeout = Duration.minutes(2)

type Needs = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/** A secret that was set for the program is none of what it says. */
const without = ({ env }: Host, detail: string): string =>
  Object.entries(env)
    .filter(([name, value]) => isSecretName(name) && value.length >= 6)
    .reduce((text, [, value]) => text.replaceAll(value, "[redacted:secret]"), detail)

const failureOf = (host: Host, { detail, reason, status }: Failure): ModelFailure => {
  const said = without(host, detail)
  if (reason === "broken_off") return brokenOff()
  if (reason === "unreadable") return failed("malformed", ofOthers(said))
  if (reason === "unreachable")
    return failed("unavailable", `its provider cannot be reached: ${ofOthers(said)}`, { again: 0 })
  return status === null ? failed("unavailable", ofOthers(said)) : ofStatus(status, said)
}

const answerOf = (host: Host, given: Answer): Effect.Effect<Said, ModelFailure> => {
  const { finish, text, usage } = given
  const model = `${host.id}/${given.model ?? host.model ?? "default"}`
  if (finish === "stop") return Effect.succeed({ text, model, usage })
  return finish === "length" ? cutOff({ model, usage }) : declined(text, { model, usage })
}

const missing = ({ install, name, program }: Host, passedOver = "") =>
  failure("unusable", `${name} was not found as "${program}"${passedOver}: ${install}, or say where its program is`)

const readingOf = (host: Host, { how, ...printed }: HostProcess.Ran): Answer | Failure => {
  switch (how) {
    case "timed_out":
      return failure(
        "provider",
        `${host.name} did not answer within ${Duration.format(host.timeout)}: allow it more time, or name a faster model`
      )
    case "printed_too_much":
      return failure("unreadable", `${host.name} printed more than any answer has`)
    case "exited":
      return printed.code === 126 || printed.code === 127 ? missing(host) : host.read(printed)
  }
}

/** Gone in any case: a watcher may have been there first. */
const scratch = Effect.flatMap(FileSystem.FileSystem, (fs) =>
  Effect.acquireRelease(fs.makeTempDirectory({ prefix: "reflexion-asking-" }), (directory) =>
    Effect.ignore(fs.remove(directory, { recursive: true, force: true }))
  )
)

const plainly = "Answer what you are asked, from what you are told alone. You have no tools."

/** What it printed, or why it could not be run. */
const run = Effect.fnUntraced(function* (host: Host, { maxOutputTokens, prompt, schema, system }: Asked) {
  const located = yield* HostProcess.locate(host.program, { directory: ".", env: host.env })
  if (typeof located === "string") return missing(host, located)
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = yield* scratch
  const file = path.join(directory, "system.md")
  yield* fs.writeFileString(file, system === "" ? plainly : system, { mode: 0o600 })
  const { env, words } = yield* host.invoke({ directory, system: file, maxOutputTokens })
  const ran = yield* HostProcess.run({
    ...located,
    directory,
    words,
    env: { ...env, ...host.env, [marker]: "1" },
    input: `${prompt}\n\n${asJson(schema)}`,
    timeout: host.timeout
  })
  return readingOf(host, ran)
}, Effect.scoped)

/** A system without room or a shell, or on Windows without the program. */
const notStarted = (host: Host, error: PlatformError): Failure => {
  const reason = error._tag === "SystemError" ? error.reason : "bad argument"
  return reason === "NotFound" ? missing(host) : failure("unusable", `${host.name} could not be started: ${reason}`)
}

const asksAlready = Effect.orElseSucceed(
  Effect.map(Config.withDefault(Config.string(marker), ""), (value) => value !== ""),
  () => false
)

const ask = Effect.fnUntraced(function* (host: Host, question: Asked) {
  if (yield* asksAlready) return yield* failed("unavailable", "A model is asked already: what is asked asks no other")
  const reading = yield* Effect.catchAll(run(host, question), (error) => Effect.succeed(notStarted(host, error)))
  return yield* reading.type === "answer" ? answerOf(host, reading) : failureOf(host, reading)
})

/**
 * The host's model, which runs its program once for each question.
 *
 * @category constructors
 */
export const make = (host: Host): Effect.Effect<Service, never, Needs> =>
  Effect.map(Effect.context<Needs>(), (context) => ({
    ask: (question) => Effect.provide(ask(host, question), context)
  }))

export const layer = (host: Host): Layer.Layer<Model, never, Needs> => Layer.effect(Model, make(host))
