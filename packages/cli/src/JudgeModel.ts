/**
 * The model of a run of `reflexion judge`, asked about the turns that evidence leaves undecided.
 *
 * @since 0.1.0
 */
import { JudgeGuidance } from "@reflexion/core/JudgeGuidance"
import * as JudgeService from "@reflexion/core/JudgeService"
import type { ModelFailure } from "@reflexion/core/ModelCall"
import { Models } from "@reflexion/core/Models"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Trust from "@reflexion/hooks/Trust"
import * as UserDirectories from "@reflexion/hooks/UserDirectories"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { resolve } from "node:path"
import { ConfigurationError } from "./CliError.ts"
import { CliProcess } from "./CliProcess.ts"
import * as ConfiguredModels from "./ConfiguredModels.ts"
import type { JudgeRequest } from "./JudgeRequest.ts"
import { oneLine } from "./Layout.ts"
import type * as SessionFold from "./SessionFold.ts"
import * as Settings from "./Settings.ts"

/**
 * What is asked about a session's turns, the session being called `file`.
 *
 * @since 0.1.0
 * @category models
 */
export type ConsultOf = (file: string) => SessionFold.Consult

/** The model that was named and no other; under `auto` what the configuration says, and without that the keys. */
const chosen = (config: ReflexionConfig, model: string): ReflexionConfig => {
  if (model === "auto") return config.model === "off" ? { ...config, model } : config
  return { ...config, model, models: { ...config.models, fallback: [] } }
}

const refused = ({ detail }: ModelFailure): ConfigurationError =>
  new ConfigurationError({ problem: `--model: ${detail}\n'reflexion models' shows which models can be asked.` })

const guidance = Layer.unwrapEffect(
  Effect.map(CliProcess, ({ env }) =>
    JudgeGuidance.layer({
      trustedRoot: (cwd) =>
        Effect.sync(() => {
          const root = Trust.rootOf(cwd)
          return Trust.status(UserDirectories.make(env), root) === "trusted" ? root : null
        })
    })
  )
)

/** An answer, and what was logged while it was waited for: it belongs on standard error, and nowhere else. */
const heard = <A, E, R>(asking: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const told: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (LogLevel.greaterThanEqual(logLevel, LogLevel.Warning)) told.push([message].flat().map(String).join(" "))
    })
    return asking.pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Effect.map((value) => ({ value, told }))
    )
  })

const tooLong = "the record of its task is too long to ask a model about it"

const makeConsultOf = Effect.fnUntraced(function* (directory: string | null) {
  const consult = yield* JudgeService.makeConsult
  const ask = Effect.fnUntraced(function* (file: string, { events, judged, options, state }: SessionFold.Seen) {
    const tell = (problem: string) =>
      Console.error(
        `reflexion: ${oneLine(file)}: turn ${judged.verdict.turn.index}: ${oneLine(problem.replace(/^a turn /u, ""))}`
      )
    if (events === null) {
      if (judged.verdict.status === "abstained") yield* tell(tooLong)
      return judged.verdict
    }
    const cwd = directory ?? options.session.cwd
    const transcript = { ...options.session, version: 1 as const, cwd, events: events() }
    const { told, value } = yield* heard(consult({ transcript, state, options, judged, attempt: 1 }))
    const problem = value.asked?.problem ?? null
    yield* Effect.forEach(told.length > 0 || problem === null ? told : [problem], tell, { discard: true })
    return value.verdict
  })
  const consultOf: ConsultOf = (file) => (seen) => ask(file === "-" ? "standard input" : file, seen)
  return consultOf
})

/**
 * Runs a program with the model that was asked for. Fails before the program is run where there is none to ask: models
 * and their providers are the user's, or those of the current directory's project if it is trusted.
 *
 * @since 0.1.0
 * @category programs
 */
export const run = Effect.fn("JudgeModel.run")(function* <A, E, R>(
  request: Pick<JudgeRequest, "cwd" | "model">,
  use: (consultOf: ConsultOf) => Effect.Effect<A, E, R>
) {
  const { cwd } = yield* CliProcess
  const directory = request.cwd === null ? null : resolve(cwd, request.cwd)
  const config = chosen(yield* Settings.workspace(yield* Settings.user, directory ?? cwd), request.model)
  const model = Models.Judge.pipe(
    Layer.mapError(refused),
    Layer.provideMerge(ConfiguredModels.layer(config)),
    Layer.merge(guidance)
  )
  return yield* Effect.provide(Effect.flatMap(makeConsultOf(directory), use), model)
})
