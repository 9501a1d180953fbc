/** What the plugin's programs are made of, in one directory of the host. */
import type { OpencodeClient } from "@opencode-ai/sdk"
import { Artifacts } from "@reflexion/core/Artifacts"
import { AskLog } from "@reflexion/core/AskLog"
import * as BeyondEvidence from "@reflexion/core/internal/ask/tiers/BeyondEvidence"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import type * as TurnReview from "@reflexion/core/TurnReview"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Verifying from "./verifying.ts"
import { Guidance } from "../host/Guidance.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as OpenCodeHost from "../host/OpenCodeHost.ts"
import { JudgeSession } from "../models/JudgeSession.ts"
import { areAsked, chosen, isSmallAlone } from "../models/HostModelNames.ts"
import * as OwnSessions from "../models/OwnSessions.ts"
import { AskingModel, type Consent } from "../models/AskingModel.ts"
import * as Memory from "./memory.ts"
import * as Outcomes from "./outcomes.ts"
import { CurrentProblem } from "./problem.ts"
import type * as Remembering from "./remembering.ts"
import { SessionWords } from "../host/SessionWords.ts"
import { Reviewing } from "../models/Reviewing.ts"
import * as StopJudge from "../models/StopJudge.ts"
import type * as Tiers from "./tiers.ts"
import * as WrongPush from "./wrongPush.ts"

export type Services =
  | OpenCodeHost.EventInbox
  | Guidance
  | OpenCodeClient
  | TurnReview.Services
  | StuckDetector
  | ReviewStates
  | Reviewing
  | Tiers.Platform

/**
 * `state`: the folder of the user's own. `host`: where the records of reviews go, and how long a stop waits. `directory`,
 * where the host has its sessions, `guidance` and `programs` are for what is beyond evidence.
 */
export interface Options {
  readonly state: string
  readonly client: OpencodeClient
  readonly directory: string
  readonly host: OpenCodeHost.Options
  readonly config: ReflexionConfig
  readonly problem: string | null
  readonly platform: Layer.Layer<Tiers.Platform>
  readonly guidance: Tiers.Options["guidance"]
  readonly programs: Tiers.Options["programs"]
  readonly ownSmall: Tiers.Options["ownSmall"]
  /** Null where a configuration names the model. */
  readonly consent: Consent | null
  /** Whether the host lives long enough for a model to reflect. */
  readonly reflects: boolean
  /** Whether the host's command line says that somebody is there. */
  readonly attended: boolean | null
  readonly mark: WrongPush.Mark
  readonly memory: Pick<Remembering.Options, "belief" | "exists" | "isWorkspace" | "at" | "store"> &
    Pick<Outcomes.Options, "keep" | "look">
}

const levels: Readonly<Record<string, "debug" | "info" | "warn" | "error">> = {
  FATAL: "error",
  ERROR: "error",
  WARN: "warn",
  INFO: "info"
}

/** To the host's own log, and nowhere else. */
const logger = Layer.unwrapEffect(
  Effect.map(OpenCodeClient, ({ log }) =>
    Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ cause, logLevel, message }) => {
        const reason = Cause.isEmpty(cause) ? "" : ` ${Cause.pretty(cause)}`
        const text = `${(Array.isArray(message) ? message : [message]).map(String).join(" ")}${reason}`
        Effect.runFork(log(levels[logLevel.label] ?? "debug", text))
      })
    )
  )
)

/** With `REFLECTION_DEBUG=1` that has every decision as well. */
const verbose = Layer.unwrapEffect(
  Config.string("REFLECTION_DEBUG").pipe(
    Effect.map((said) => (said === "1" ? Logger.minimumLogLevel(LogLevel.Debug) : Layer.empty)),
    Effect.orElseSucceed(() => Layer.empty)
  )
)

/** No model, no check, and nothing of what either needs. */
const evidence = Layer.mergeAll(
  JudgeService.Evidence,
  StuckDetector.Heuristic,
  Layer.succeed(Reviewing, { asking: null, reflect: null })
)

const tiers = Effect.promise(() => import("./tiers.ts"))

/** Sessions can be begun for it at any time; all else that it needs is loaded when it is asked for the first time. */
const smallAlone = (options: Tiers.Options) =>
  Layer.mergeAll(
    StopJudge.layer(StopJudge.lazily(Effect.flatMap(tiers, ({ consult }) => consult(options)))),
    StuckDetector.Heuristic,
    Layer.effect(
      Reviewing,
      Effect.map(JudgeSession, (asking) => ({ asking, reflect: null }))
    )
  ).pipe(Layer.provide(OwnSessions.layer(options.directory)))

/** What is never used is never loaded. */
const judging = (config: ReflexionConfig, options: Tiers.Options) => {
  if (!BeyondEvidence.isConfigured(config)) return evidence
  return isSmallAlone(config)
    ? smallAlone(options)
    : Layer.unwrapEffect(Effect.map(tiers, ({ layer }) => layer(options)))
}

export const layer = (options: Options): Layer.Layer<Services> => {
  const { attended, client, consent, directory, guidance, host, mark, memory, ownSmall, platform, problem, programs } =
    options
  const { reflects, state } = options
  const verifying = Verifying.make({ run: Verifying.runIn({ root: host.root, state }), waits: !reflects })
  const limits: WrongPush.Shared = { ...options.config.ruleLimits }
  const config = { ...chosen(options.config), ruleLimits: limits }
  const isOn = config.memory.enabled && problem === null
  const remembered = Memory.layer({ ...memory, isOn, reflects, root: host.root })
  const outcomes = Outcomes.layer({ ...memory, isOn: config.cycle.enabled && problem === null, root: host.root })
  return Layer.mergeAll(
    judging(config, { state, directory, guidance, programs, ownSmall, root: host.root }),
    areAsked(config) ? Layer.empty : OwnSessions.leftBehind(directory),
    Artifacts.Live,
    ReviewStates.Live({ directory: `${state}/sessions/opencode` }),
    DecisionLog.Live({ file: `${state}/log.jsonl` })
  ).pipe(
    (rest) => Layer.provideMerge(Layer.merge(remembered, outcomes), rest),
    Layer.provideMerge(Guidance.Live({ directory: `${state}/guidance/opencode` })),
    Layer.provideMerge(OpenCodeHost.layer(host)),
    Layer.provideMerge(AskingModel.Live({ own: ownSmall, consent })),
    Layer.provideMerge(AskLog.Files({ directory: `${state}/models` })),
    Layer.provideMerge(SessionWords.Live({ directory: `${state}/sessions/opencode`, otherwise: attended })),
    Layer.provideMerge(Layer.succeed(CurrentConfig, config)),
    Layer.provideMerge(Layer.succeed(WrongPush.WrongPush, WrongPush.make(mark, { limits, root: host.root }))),
    Layer.provideMerge(Layer.succeed(CurrentProblem, problem)),
    Layer.provideMerge(Layer.succeed(Verifying.Verifying, verifying)),
    Layer.provideMerge(platform),
    Layer.provideMerge(Layer.merge(logger, verbose)),
    Layer.provideMerge(OpenCodeClient.layer(client))
  )
}
