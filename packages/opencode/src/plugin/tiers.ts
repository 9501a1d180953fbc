/** Reviews with checks and models. Loaded only if the configuration needs this. */
import { AskLog } from "@reflexion/core/AskLog"
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import { Verification } from "@reflexion/core/internal/checks/Verification"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import { JudgeGuidance } from "@reflexion/core/internal/review/tiers/JudgeGuidance"
import type { JudgeService, Seen } from "@reflexion/core/JudgeService"
import * as ModelBudget from "@reflexion/core/ModelBudget"
import { type HostModels as ModelsOfHost, Models } from "@reflexion/core/Models"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import * as ReviewTiers from "@reflexion/core/ReviewTiers"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import type { SessionInfo } from "@reflexion/core/Transcript"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Guidance from "../host/Guidance.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { SessionWords } from "../host/SessionWords.ts"
import { AskingModel, judge } from "../models/AskingModel.ts"
import * as HostModels from "../models/HostModels.ts"
import { JudgeSession } from "../models/JudgeSession.ts"
import * as OpenCodeModel from "../models/OpenCodeModel.ts"
import type { Platform } from "./memory.ts"

export type { Platform } from "./memory.ts"

export interface Options {
  readonly state: string
  readonly root: string
  /** The host's directory, which can be below the root. */
  readonly directory: string
  /** The project's advice files. Null if the user does not trust the project. */
  readonly guidance: (directory: string) => ReadonlyArray<string> | null
  readonly allowed: (root: string) => Effect.Effect<TakenChecks.TakenChecks | null>
  /** The models of other hosts, by the part before the slash in a model's name. */
  readonly programs: (
    config: ReflexionConfig,
    cwd: string
  ) => Effect.Effect<Readonly<Record<string, ModelsOfHost>>, never, Platform>
  readonly ownSmall: HostModels.OwnSmallModels
}

type Needs = CurrentConfig | OpenCodeClient | Platform

const maxShown = 80

const shown = (command: string): string => {
  const text = safeText(command).replace(/\s+/gu, " ").trim()
  return text.length > maxShown ? `${text.slice(0, maxShown - 1)}…` : text
}

/** Tells the user about checks and about a model that is asked. Each reason why no check runs is shown once. */
const telling = Effect.map(OpenCodeClient, ({ toast }) => {
  const told = new Set<string>()
  const say = (message: string): Effect.Effect<void> => Effect.ignore(toast({ message, variant: "info" }))
  return {
    started: ({ command }: { readonly command: string }, _: string, seconds: number) =>
      say(`reflexion runs \`${shown(command)}\` …${seconds === 0 ? "" : ` ${seconds} s`}`),
    ended: (ran: string) => say(`${ran}.`),
    unrun: (why: string) =>
      Effect.suspend(() =>
        told.has(why)
          ? Effect.void
          : Effect.zipRight(
              Effect.sync(() => told.add(why)),
              say(`reflexion: ${why}`)
            )
      ),
    asking: (model: string) => say(`reflexion asks ${model} whether the turn is done …`)
  }
})

/** Asks the question in a child of the judged session. */
const about = ({ sessionId }: Pick<SessionInfo, "sessionId">) =>
  sessionId === null ? <A, E, R>(asking: Effect.Effect<A, E, R>) => asking : OpenCodeModel.inSession(sessionId)

/** Checks run like commands in the host's own shell: OpenCode has no sandbox. */
const consultOf = Effect.fnUntraced(function* ({ allowed, root, state }: Options) {
  const directoryOf = () => Effect.succeed(root)
  const heard = yield* telling
  // If only the small model is configured, the user did not ask for checks, so no check runs.
  const config = yield* CurrentConfig
  const checks = config.model !== HostModels.small || config.checks.length > 0
  const words = yield* SessionWords
  const consult = yield* ReviewTiers.make({ state: `${state}/checks`, within: [], directoryOf, checks, ...heard })
  // Leaves out checks that the user revoked or turned off while the host runs.
  const renewed = Effect.fnUntraced(function* ({ options, ...seen }: Seen) {
    const { sessionId } = seen.transcript
    const isOff = sessionId !== null && (yield* words.unchecked(sessionId))
    const { config } = options.context
    const checks = isOff ? [] : TakenChecks.renewed(config.checks, yield* allowed(root))
    return { ...seen, options: { ...options, context: { ...options.context, config: { ...config, checks } } } }
  })
  return (seen: Seen) => about(seen.transcript)(Effect.flatMap(renewed(seen), consult))
})

/** Returns the lines for the user. */
export const verify = Effect.fnUntraced(function* (
  { allowed, root, state }: Pick<Options, "allowed" | "root" | "state">,
  config: Pick<ReflexionConfig, "checks" | "models">
) {
  const checks = TakenChecks.renewed(config.checks, yield* allowed(root))
  if (checks.length === 0) return Answers.noCheck
  const { started } = yield* telling
  const live = Verification.Live({ directory: `${state}/checks`, wait: "1 minute", started })
  const { scripts } = yield* RepoSignals.load(root)
  const secrets = ModelRouting.keyVariables(config)
  const request = { directory: root, checks, scripts, secrets, again: true } as const
  const running = Effect.flatMap(Verification, ({ run }) => run(request))
  return Answers.checked(yield* Effect.provide(running, live))
})

type Detector = Context.Tag.Service<StuckDetector>

/** Looks for the small model only when a session becomes silent. */
const detector = Layer.scoped(
  StuckDetector,
  Effect.gen(function* () {
    const heuristic = Context.get(yield* Layer.build(StuckDetector.Heuristic), StuckDetector)
    const context = yield* Effect.context<CurrentConfig | Models | Platform>()
    const budget = yield* ModelBudget.ModelBudget
    const scope = yield* Effect.scope
    const { isOff } = yield* AskingModel
    const live = Layer.provide(StuckDetector.Live, Layer.provideMerge(Models.Fast, Layer.succeedContext(context)))
    const building = Effect.map(Layer.buildWithScope(live, scope), Context.get(StuckDetector))
    const [built, forget] = yield* Effect.cachedInvalidateWithTTL(building, Duration.infinity)
    const assess: Detector["assess"] = Effect.fnUntraced(function* (transcript, moment) {
      const { sessionId } = transcript
      if (sessionId !== null && (yield* isOff(sessionId))) return yield* heuristic.assess(transcript, moment)
      const found = yield* Effect.either(Effect.tapError(built, () => forget))
      if (Either.isRight(found))
        return yield* found.right
          .assess(transcript, moment)
          .pipe(Effect.provideService(ModelBudget.ModelBudget, budget), HostModels.ofAny, about(transcript))
      yield* Effect.logWarning(`no model can say what a quiet session is doing: ${found.left.message}`)
      return yield* heuristic.assess(transcript, moment)
    })
    return { ...heuristic, assess }
  })
)

const guidance = (options: Options) =>
  Layer.unwrapEffect(
    Effect.map(Guidance.Guidance, (kept) =>
      JudgeGuidance.layer({
        texts: (directory) => Effect.sync(() => options.guidance(directory)),
        said: ({ sessionId }) =>
          sessionId === null
            ? Effect.succeed(null)
            : Effect.provideService(Guidance.get(sessionId), Guidance.Guidance, kept)
      })
    )
  )

const models = (options: Options) => {
  const { ownSmall, programs, root, state } = options
  const hosts = Layer.unwrapEffect(
    Effect.gen(function* () {
      const config = yield* CurrentConfig
      const own = yield* HostModels.make(config, ownSmall)
      return Models.layer({ hosts: { ...(yield* programs(config, root)), ...own } })
    })
  )
  const budget = Layer.unwrapEffect(
    Effect.map(CurrentConfig, ({ models: { tokensPerDay: tokens } }) => ModelBudget.daily({ tokens }))
  )
  return Layer.mergeAll(hosts, Layer.provide(budget, AskLog.Files({ directory: `${state}/models` })), guidance(options))
}

/** The small model is asked only at stops. */
const asking = (options: Options, config: ReflexionConfig) =>
  Layer.mergeAll(
    judge(consultOf(options)),
    config.model === HostModels.small ? StuckDetector.Heuristic : detector
  ).pipe(Layer.provide(models(options)), Layer.provideMerge(JudgeSession.layer({ directory: options.directory })))

const checking = (options: Options) =>
  Layer.merge(Layer.provide(judge(consultOf(options)), Models.Live), StuckDetector.Heuristic)

export const layer = (options: Options): Layer.Layer<JudgeService | StuckDetector, never, Needs> =>
  Layer.unwrapEffect(
    Effect.map(CurrentConfig, (config) => (HostModels.areAsked(config) ? asking(options, config) : checking(options)))
  )
