/** What the plugin's programs are made of, in one directory of the host. */
import type { OpencodeClient } from "@opencode-ai/sdk"
import { Artifacts } from "@reflexion/core/Artifacts"
import { AskLog } from "@reflexion/core/AskLog"
import { abortWindow } from "@reflexion/core/internal/review/machine/ReviewState"
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
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
import type * as TodoReminders from "./todoReminders.ts"
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
 * What the plugin finds where it runs. `state`: the folder of the user's own in which everything is kept that outlasts a
 * session. `settings`: the configuration in force in a project, the plugin's own options included. `guidance`: the texts of
 * the guidance files of a folder's project, null where the user does not trust it. `programs`: other hosts on this machine
 * whose models can be asked, by the names that stand before the slash. `memory`: where what was learned of a project lies.
 * `todos`: keeps what agents were told of their lists.
 */
export interface Surroundings {
  readonly state: string
  readonly argv: ReadonlyArray<string>
  readonly rootOf: (directory: string) => string
  readonly settings: (root: string, options: unknown) => Settings
  readonly guidance: Tiers.Options["guidance"]
  readonly programs: Tiers.Options["programs"]
  /** What the user's own files of the host call its `small_model`, the weightiest last. */
  readonly ownSmall: Tiers.Options["ownSmall"]
  /** What the user said of the host's own small model. */
  readonly consent: Consent
  readonly platform: Layer.Layer<Tiers.Platform>
  readonly memory: Pick<Remembering.Options, "belief" | "exists" | "isWorkspace" | "at" | "store"> &
    Pick<Outcomes.Options, "keep" | "look">
  readonly todos: TodoReminders.Change
  /** Keeps the user's word that the last push of a session was wrong. */
  readonly mark: WrongPush.Mark
  /** Removes what is kept of sessions that nobody has touched for long. May fail, which costs nothing. */
  readonly tidy: () => void
}

/** With a problem nothing is pushed, and the user is told of it. */
export interface Settings {
  readonly config: ReflexionConfig
  readonly problem: string | null
  /** Whether no configuration names the model, so that it is asked only where the user agreed. */
  readonly byConsent: boolean
}

/** `directory`: where the host has its sessions; `root`: the project's; `isSingle`: the process answers one prompt and ends. */
export interface Options extends Surroundings {
  readonly client: OpencodeClient
  readonly directory: string
  readonly root: string
  readonly settled: Settings
  readonly isSingle: boolean
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
  const { directory, isSingle, memory, ownSmall: own, root, state } = options
  const { byConsent, config: given, problem } = options.settled
  // Where nobody sees it nothing is offered.
  const consent = isSingle ? { ...options.consent, mayOffer: () => false } : options.consent
  const limits: WrongPush.Shared = { ...given.ruleLimits }
  const config = { ...chosen(given), ruleLimits: limits }
  const isOn = problem === null
  return Layer.mergeAll(
    judging(config, options),
    areAsked(config) ? Layer.empty : OwnSessions.leftBehind(directory),
    Artifacts.Live,
    ReviewStates.Live({ directory: `${state}/sessions/opencode` }),
    DecisionLog.Live({ file: `${state}/log.jsonl` })
  ).pipe(
    (rest) =>
      Layer.provideMerge(
        Layer.merge(
          Memory.layer({ ...memory, isOn: isOn && config.memory.enabled, reflects: !isSingle, root }),
          Outcomes.layer({ ...memory, isOn: isOn && config.cycle.enabled, root })
        ),
        rest
      ),
    Layer.provideMerge(Guidance.Live({ directory: `${state}/guidance/opencode` })),
    // A person may still interrupt what has just stopped; on the command line nobody can.
    Layer.provideMerge(OpenCodeHost.layer({ root, raceWindow: isSingle ? 0 : abortWindow.raceWindow })),
    Layer.provideMerge(AskingModel.Live({ own, consent: byConsent ? consent : null })),
    Layer.provideMerge(AskLog.Files({ directory: `${state}/models` })),
    Layer.provideMerge(
      SessionWords.Live({ directory: `${state}/sessions/opencode`, otherwise: isSingle ? false : null })
    ),
    Layer.provideMerge(Layer.succeed(CurrentConfig, config)),
    Layer.provideMerge(Layer.succeed(WrongPush.WrongPush, WrongPush.make(options.mark, { limits, root }))),
    Layer.provideMerge(Layer.succeed(CurrentProblem, problem)),
    Layer.provideMerge(
      Layer.succeed(Verifying.Verifying, Verifying.make({ run: Verifying.runIn({ root, state }), waits: isSingle }))
    ),
    Layer.provideMerge(options.platform),
    Layer.provideMerge(Layer.merge(logger, verbose)),
    Layer.provideMerge(OpenCodeClient.layer(options.client))
  )
}
