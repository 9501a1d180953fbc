/**
 * A coding agent's own program as `LanguageModel` of `@effect/ai`: what the user has set up there answers, with no key of
 * ours. Every question is a process of its own, in an empty folder of its own, that is gone with all it started.
 */
import * as AiError from "@effect/ai/AiError"
import type * as LanguageModel from "@effect/ai/LanguageModel"
import type * as Response from "@effect/ai/Response"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HostProcess from "./HostProcess.ts"
import { LanguageModelTag } from "./LanguageModelTag.ts"
import { brokenOff, detailOf } from "./ModelFailures.ts"
import * as OneShotModel from "./oneShotModel.ts"
import { isSecretName } from "../../base/redaction/SecretNames.ts"
import { MaxOutputTokens } from "./ModelCall.ts"
import * as ModelPrompt from "./ModelPrompt.ts"

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
export interface Printed {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/**
 * `model` is null where the program does not say which one it was.
 *
 * @category models
 */
export interface Answer {
  readonly type: "answer"
  readonly text: string
  readonly model: string | null
  readonly finish: Response.FinishReason
  readonly usage: Pick<
    Response.FinishPartEncoded["usage"],
    "inputTokens" | "outputTokens" | "reasoningTokens" | "cachedInputTokens"
  >
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
  readonly module: string
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

const nameOf = ({ id, model }: Host, answered: string | null): string => `${id}/${answered ?? model ?? "default"}`

/** A secret that was set for the program is none of what it says. */
const without = ({ env }: Host, detail: string): string =>
  Object.entries(env)
    .filter(([name, value]) => isSecretName(name) && value.length >= 6)
    .reduce((text, [, value]) => text.replaceAll(value, "[redacted:secret]"), detail)

/** No header, no environment and no argument is in it: what the program said goes through redaction. */
const errorOf = (host: Host, method: string, { detail, reason, status }: Failure): AiError.AiError => {
  const { module } = host
  const description = detailOf(without(host, detail))
  const request = {
    method: "POST" as const,
    url: `${host.id}:${host.model ?? "default"}`,
    urlParams: [],
    hash: Option.none(),
    headers: {}
  }
  switch (reason) {
    case "unreachable":
      return new AiError.HttpRequestError({ module, method, reason: "Transport", request, description })
    case "broken_off":
      return new AiError.HttpRequestError({ module, method, reason: "Transport", request, description: brokenOff })
    case "unreadable":
      return new AiError.MalformedOutput({ module, method, description })
    case "provider":
    case "unusable":
      return status === null
        ? new AiError.UnknownError({ module, method, description })
        : new AiError.HttpResponseError({
            module,
            method,
            reason: "StatusCode",
            description,
            request,
            response: { status, headers: {} }
          })
  }
}

const partsOf = (host: Host, { finish, model, text, usage }: Answer): OneShotModel.Parts => [
  { type: "text", text },
  { type: "response-metadata", modelId: nameOf(host, model) },
  {
    type: "finish",
    reason: finish,
    usage: { ...usage, totalTokens: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0) }
  }
]

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
const scratch = Effect.acquireRelease(
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectory({ prefix: "reflexion-asking-" })),
  (directory) =>
    Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.ignore(fs.remove(directory, { recursive: true, force: true })))
)

const plainly = "Answer what you are asked, from what you are told alone. You have no tools."

/** What it printed, or why it could not be run. */
const run = Effect.fnUntraced(function* (host: Host, { system, text }: ModelPrompt.ModelPrompt) {
  const located = yield* HostProcess.locate(host.program, { directory: ".", env: host.env })
  if (typeof located === "string") return missing(host, located)
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = yield* scratch
  const file = path.join(directory, "system.md")
  yield* fs.writeFileString(file, system === "" ? plainly : system, { mode: 0o600 })
  const maxOutputTokens = yield* MaxOutputTokens
  const { env, words } = yield* host.invoke({ directory, system: file, maxOutputTokens })
  const ran = yield* HostProcess.run({
    ...located,
    directory,
    words,
    env: { ...env, ...host.env, [marker]: "1" },
    input: text,
    timeout: host.timeout
  })
  return readingOf(host, ran)
}, Effect.scoped)

/** A system without room or a shell, or on Windows without the program. */
const notStarted = (host: Host, error: PlatformError) =>
  error._tag === "SystemError" && error.reason === "NotFound"
    ? missing(host)
    : failure(
        "unusable",
        `${host.name} could not be started: ${error._tag === "SystemError" ? error.reason : "bad argument"}`
      )

const asksAlready = Effect.orElseSucceed(
  Effect.map(Config.withDefault(Config.string(marker), ""), (value) => value !== ""),
  () => false
)

const within = "A model is asked already: what is asked asks no other"

const ask = Effect.fnUntraced(function* (host: Host, method: string, options: LanguageModel.ProviderOptions) {
  if (yield* asksAlready) {
    return yield* new AiError.MalformedInput({ module: host.module, method, description: within })
  }
  const prompt = yield* ModelPrompt.make({ ...options, module: host.module, method })
  const ran = yield* Effect.either(run(host, prompt))
  const reading = ran._tag === "Right" ? ran.right : notStarted(host, ran.left)
  return reading.type === "answer" ? partsOf(host, reading) : yield* errorOf(host, method, reading)
})

/**
 * The host's model for texts and objects, asked once for each. A stream's answer comes in one piece.
 *
 * @category constructors
 */
export const make: (host: Host) => Effect.Effect<LanguageModel.Service, never, Needs> = Effect.fnUntraced(
  function* (host) {
    const context = yield* Effect.context<Needs>()
    return yield* OneShotModel.make({
      module: host.module,
      answer: (method, options) => Effect.provide(ask(host, method, options), context)
    })
  }
)

export const layer = (host: Host): Layer.Layer<LanguageModel.LanguageModel, never, Needs> =>
  Layer.effect(LanguageModelTag, make(host))
