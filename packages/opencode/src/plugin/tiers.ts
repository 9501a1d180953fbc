/**
 * What reviews have beyond evidence where the configuration says so: checks that are run, the host's models and those of
 * providers, and what these need. Loaded only then.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { JudgeGuidance } from "@reflexion/core/internal/review/tiers/JudgeGuidance"
import type { JudgeService, Seen } from "@reflexion/core/JudgeService"
import { AskLog } from "@reflexion/core/AskLog"
import * as ModelBudget from "@reflexion/core/ModelBudget"
import { type HostModels as ModelsOfHost, Models } from "@reflexion/core/Models"
import { ReflectionService } from "@reflexion/core/ReflectionService"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as ReviewTiers from "@reflexion/core/ReviewTiers"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import type { SessionInfo } from "@reflexion/core/Transcript"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Telling from "./telling.ts"
import { Guidance } from "../host/Guidance.ts"
import { AskingModel } from "../models/AskingModel.ts"
import { JudgeSession } from "../models/JudgeSession.ts"
import * as OwnSessions from "../models/OwnSessions.ts"
import type { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as OpenCodeModel from "../models/OpenCodeModel.ts"
import { areAsked, small } from "../models/HostModelNames.ts"
import * as HostModels from "../models/HostModels.ts"
import type * as Small from "../models/SmallOfSession.ts"
import { type Reflect, Reviewing } from "../models/Reviewing.ts"
import * as StopJudge from "../models/StopJudge.ts"

export type Platform = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path

/**
 * `root`: the project, in which checks are run. `directory`: the folder that the host works in, where its sessions are; it
 * may lie below the root. `guidance`: the texts of the guidance files of a folder's project, null where the user does not
 * trust it.
 * `programs`: other hosts whose models can be asked in a project, by the names that stand before the slash. `ownSmall`: what
 * the user's own files of the host call small.
 */
export interface Options {
  readonly state: string
  readonly root: string
  readonly directory: string
  readonly guidance: (directory: string) => ReadonlyArray<string> | null
  readonly programs: (
    config: ReflexionConfig,
    cwd: string
  ) => Effect.Effect<Readonly<Record<string, ModelsOfHost>>, never, Platform>
  readonly ownSmall: Small.Own
}

type Needs = CurrentConfig | OpenCodeClient | Guidance | Platform

/** What is asked about a session is asked below it. */
const about = ({ sessionId }: Pick<SessionInfo, "sessionId">) =>
  sessionId === null ? <A, E, R>(asking: Effect.Effect<A, E, R>) => asking : OpenCodeModel.inSession(sessionId)

/** As the host's own shell runs what the agent says: the plugin is in the user's process, and no sandbox is around that. */
const within: ReadonlyArray<string> = []

/** What is consulted about a stop, in its own session. */
const consultOf = Effect.fnUntraced(function* ({ root, state }: Options, { checks = true } = {}) {
  const heard = { started: yield* Telling.started, ended: yield* Telling.ended, asking: yield* Telling.asking }
  const directoryOf = () => Effect.succeed(root)
  const consult = yield* ReviewTiers.make({ state: `${state}/checks`, within, directoryOf, checks, ...heard })
  return (seen: Seen) => about(seen.transcript)(consult(seen))
})

const judge = (options: Options) => StopJudge.layer(Effect.flatMap(consultOf(options), StopJudge.gated))

type Detector = Context.Tag.Service<StuckDetector>

/** Which model is small and what a provider offers is looked up when a session is silent, and not before. */
const withModel = Effect.gen(function* () {
  const context = yield* Effect.context<CurrentConfig | Models | Platform>()
  const budget = yield* ModelBudget.ModelBudget
  const scope = yield* Effect.scope
  const live = Layer.provide(StuckDetector.Live, Layer.provideMerge(Models.Fast, Layer.succeedContext(context)))
  const build = Effect.map(Layer.buildWithScope(live, scope), Context.get(StuckDetector))
  let built: Detector | null = null
  const detector = Effect.tap(
    Effect.suspend(() => (built === null ? build : Effect.succeed(built))),
    (found) => Effect.sync(() => void (built = found))
  )
  const asking = (transcript: Pick<SessionInfo, "sessionId">) => (assessing: ReturnType<Detector["assess"]>) =>
    about(transcript)(HostModels.ofAny(Effect.provideService(assessing, ModelBudget.ModelBudget, budget)))
  return { detector, asking }
})

const detector = Layer.scoped(
  StuckDetector,
  Effect.gen(function* () {
    const heuristic = Context.get(yield* Layer.build(StuckDetector.Heuristic), StuckDetector)
    const model = yield* withModel
    const { isOff } = yield* AskingModel
    const assess: Detector["assess"] = Effect.fnUntraced(function* (transcript, moment) {
      const { sessionId } = transcript
      if (sessionId !== null && (yield* isOff(sessionId))) return yield* heuristic.assess(transcript, moment)
      const found = yield* Effect.either(model.detector)
      if (Either.isRight(found)) return yield* model.asking(transcript)(found.right.assess(transcript, moment))
      yield* Effect.logWarning(`no model can say what a quiet session is doing: ${found.left.message}`)
      return yield* heuristic.assess(transcript, moment)
    })
    return { ...heuristic, assess }
  })
)

const guidance = (options: Options) =>
  Layer.unwrapEffect(
    Effect.map(Guidance, ({ get }) =>
      JudgeGuidance.layer({
        texts: (directory) => Effect.sync(() => options.guidance(directory)),
        said: ({ sessionId }) =>
          sessionId === null ? Effect.succeed(null) : Effect.map(get(sessionId), Option.getOrNull)
      })
    )
  )

const budget = ({ state }: Options) =>
  Layer.unwrapEffect(
    Effect.map(CurrentConfig, ({ models }) => ModelBudget.daily({ tokens: models.tokensPerDay }))
  ).pipe(Layer.provide(AskLog.Files({ directory: `${state}/models` })))

const hosts = ({ ownSmall, programs, root }: Options) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const config = yield* CurrentConfig
      return Models.layer({
        hosts: { ...(yield* programs(config, root)), ...(yield* HostModels.make(config, ownSmall)) }
      })
    })
  )

/** Which models judge is looked up when there is something to reflect on. What they may be told of earlier is given. */
const reflecting = Effect.gen(function* () {
  const context = yield* Effect.context<CurrentConfig | Models>()
  const { memory, model } = yield* CurrentConfig
  const budget = yield* ModelBudget.ModelBudget
  const timeout = Duration.millis(memory.generationTimeoutMs)
  const live = ReflectionService.Live({ timeout, fallback: "none" }).pipe(
    Layer.provide(Models.Judge),
    Layer.provideMerge(ReflexionStore.Memory),
    Layer.provide(Layer.succeedContext(context))
  )
  const reflect: Reflect = (failure, previous) =>
    Effect.zipRight(
      Effect.flatMap(ReflexionStore, ({ append }) => append(previous)),
      Effect.flatMap(ReflectionService, ({ generate }) => generate(failure))
    ).pipe(Effect.provide(live), Effect.provideService(ModelBudget.ModelBudget, budget), about(failure))
  return model === "off" || model === small ? null : reflect
})

const reviewing = Layer.effect(
  Reviewing,
  Effect.gen(function* () {
    const session = yield* Effect.serviceOption(JudgeSession)
    return { asking: Option.getOrNull(session), reflect: yield* reflecting }
  })
)

/** What models are asked with. */
const models = (options: Options) => Layer.mergeAll(hosts(options), budget(options), guidance(options))

/** The small model is asked at stops alone. */
const silences = Layer.unwrapEffect(
  Effect.map(CurrentConfig, ({ model }) => (model === small ? StuckDetector.Heuristic : detector))
)

/** With models, which are the host's and those of providers. */
const asking = (options: Options) =>
  Layer.mergeAll(judge(options), silences, reviewing).pipe(
    Layer.provide(models(options)),
    Layer.provide(OwnSessions.layer(options.directory))
  )

/** With checks alone. */
const checking = (options: Options) =>
  Layer.mergeAll(judge(options), StuckDetector.Heuristic, reviewing).pipe(Layer.provide(Models.Live))

/** For a configuration that asks for anything beyond evidence. */
export const layer = (options: Options): Layer.Layer<JudgeService | StuckDetector | Reviewing, never, Needs> =>
  Layer.unwrapEffect(Effect.map(CurrentConfig, (config) => (areAsked(config) ? asking(options) : checking(options))))

/** The small model alone, where nothing else is configured: nobody asked for anything to be run. */
export const consult = Effect.fnUntraced(function* (options: Options) {
  const context = yield* Layer.build(models(options))
  return yield* Effect.provide(consultOf(options, { checks: false }), context)
})
