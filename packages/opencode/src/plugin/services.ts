/** Builds the services of the plugin for one directory of the host. */
import type { OpencodeClient } from "@opencode-ai/sdk"
import { Artifacts } from "@reflexion/core/Artifacts"
import { AskLog } from "@reflexion/core/AskLog"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import { abortWindow } from "@reflexion/core/internal/review/machine/ReviewState"
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import type * as TurnReview from "@reflexion/core/TurnReview"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { CurrentProgram, openCode, type Program } from "../decoder/Program.ts"
import { Guidance } from "../host/Guidance.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as OpenCodeHost from "../host/OpenCodeHost.ts"
import { SessionWords } from "../host/SessionWords.ts"
import { AskingModel, type Consent } from "../models/AskingModel.ts"
import { chosen } from "../models/HostModels.ts"
import * as Commands from "./commands.ts"
import { CurrentProblem } from "./decided.ts"
import * as Memory from "./memory.ts"
import * as Outcomes from "./outcomes.ts"
import type * as Tiers from "./tiers.ts"
import type * as TodoReminders from "./todoReminders.ts"

export type Services =
  | OpenCodeHost.EventInbox
  | OpenCodeClient
  | TurnReview.Services
  | StuckDetector
  | ReviewStates
  | Tiers.Platform

export interface Surroundings extends Pick<Tiers.Options, "allowed" | "guidance" | "ownSmall" | "programs" | "state"> {
  readonly program?: Program
  readonly argv: ReadonlyArray<string>
  readonly rootOf: (directory: string) => string
  readonly settings: (root: string, options: unknown) => Settings
  readonly consent: Consent
  readonly platform: Layer.Layer<Tiers.Platform>
  readonly memory: Memory.Disk & Pick<Outcomes.Options, "keep" | "look">
  readonly todos: TodoReminders.Change
  readonly mark: Commands.MarkWrong
  /** Errors of this function are ignored. */
  readonly tidy: () => void
}

export interface Settings {
  readonly config: ReflexionConfig
  /** The problem of the configuration. If there is one, no nudge is sent. */
  readonly problem: string | null
  /** True if no configuration names the model. Then a model is asked only if the user agreed. */
  readonly byConsent: boolean
}

/** With a program whose stops we do not know well enough, reflexion only informs the user. */
export const toldOnly = (settled: Settings, program = openCode): Settings =>
  program.tellsOnly ? { ...settled, config: { ...settled.config, profile: "advisory" } } : settled

export interface Options extends Surroundings {
  readonly client: OpencodeClient
  /** Where the host keeps its sessions. */
  readonly directory: string
  readonly root: string
  readonly settled: Settings
  /** True if the process answers one prompt and then ends. */
  readonly isSingle: boolean
}

const levels: Readonly<Record<string, "error" | "warn" | "info">> = {
  FATAL: "error",
  ERROR: "error",
  WARN: "warn",
  INFO: "info"
}

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

/** `REFLECTION_DEBUG=1` also logs every decision. */
const verbose = Layer.unwrapEffect(
  Config.string("REFLECTION_DEBUG").pipe(
    Effect.map((said) => (said === "1" ? Logger.minimumLogLevel(LogLevel.Debug) : Layer.empty)),
    Effect.orElseSucceed(() => Layer.empty)
  )
)

const tiers = Effect.promise(() => import("./tiers.ts"))

/** The code for asking models is loaded only if it is needed. */
const judging = (config: ReflexionConfig, options: Tiers.Options) =>
  BeyondEvidence.isConfigured(config)
    ? Layer.unwrapEffect(Effect.map(tiers, ({ layer }) => layer(options)))
    : Layer.merge(JudgeService.Evidence, StuckDetector.Heuristic)

export const layer = (options: Options): Layer.Layer<Services> => {
  const { isSingle, mark, memory, ownSmall: own, program = openCode, root, state } = options
  const { byConsent, config: given, problem } = options.settled
  // If the process answers one prompt and ends, no user sees an offer.
  const consent = isSingle ? { ...options.consent, mayOffer: () => false } : options.consent
  const limits: Commands.Limits = { ...given.ruleLimits }
  const config = { ...chosen(given), ruleLimits: limits }
  const isOn = problem === null
  const words = { directory: `${state}/sessions/${program.name}`, otherwise: isSingle ? false : null }
  const commands: Context.Tag.Service<Commands.Commanding> = {
    verify: (checks) =>
      Effect.flatMap(tiers, ({ verify }) => verify({ allowed: options.allowed, root, state }, { ...given, checks })),
    waits: isSingle,
    mark: (sessionId) => Commands.lowering(mark(sessionId, root), limits)
  }
  return Layer.mergeAll(
    judging(config, options),
    Artifacts.Live,
    ReviewStates.Live({ directory: `${state}/sessions/${program.name}` }),
    DecisionLog.Live({ file: `${state}/log.jsonl` })
  ).pipe(
    (rest) =>
      Layer.provideMerge(
        Layer.merge(
          Memory.layer({ ...memory, isOn: isOn && config.memory.enabled, root }),
          Outcomes.layer({ ...memory, isOn: isOn && config.cycle.enabled, root })
        ),
        rest
      ),
    Layer.provideMerge(
      Layer.mergeAll(
        Guidance.Live({ directory: `${state}/guidance/${program.name}` }),
        AskingModel.Live({ own, consent: byConsent ? consent : null }),
        // On a screen, a user may still interrupt just after a stop. On the command line, no user can.
        OpenCodeHost.layer({ root, raceWindow: isSingle ? 0 : abortWindow.raceWindow })
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        AskLog.Files({ directory: `${state}/models` }),
        SessionWords.Live(words),
        Layer.succeed(CurrentProgram, program),
        Layer.succeed(CurrentConfig, config),
        Layer.succeed(CurrentProblem, problem),
        Layer.succeed(Commands.Commanding, commands),
        options.platform,
        logger,
        verbose
      )
    ),
    Layer.provideMerge(OpenCodeClient.layer(options.client))
  )
}
