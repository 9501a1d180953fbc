/** What the plugin's programs are made of, in one directory of the host. */
import type { OpencodeClient } from "@opencode-ai/sdk"
import type { AgentHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import * as BeyondEvidence from "@reflexion/core/internal/ask/tiers/BeyondEvidence"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import type * as TurnReview from "@reflexion/core/TurnReview"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Verifying from "../checks/Verifying.ts"
import { Guidance } from "../guidance/Guidance.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as OpenCodeHost from "../host/OpenCodeHost.ts"
import * as JudgeSession from "../models/JudgeSession.ts"
import { areAsked, chosen } from "../models/HostModelNames.ts"
import * as Decided from "./decided.ts"
import * as Memory from "./memory.ts"
import * as Outcomes from "./outcomes.ts"
import { CurrentProblem } from "./problem.ts"
import type * as Remembering from "./remembering.ts"
import { Conditions } from "../host/Conditions.ts"
import { Presence } from "../host/Presence.ts"
import { Reviewing } from "./reviewing.ts"
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
  /** Whether the host lives long enough for a model to reflect. */
  readonly reflects: boolean
  /** Whether the host's command line says that somebody is there. */
  readonly attended: boolean | null
  readonly mark: WrongPush.Mark
  readonly memory: Pick<Remembering.Options, "belief" | "exists" | "isWorkspace" | "recent" | "store"> &
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

/** What is never used is never loaded. */
const judging = (config: ReflexionConfig, options: Tiers.Options) =>
  BeyondEvidence.isConfigured(config)
    ? Layer.unwrapEffect(
        Effect.map(
          Effect.promise(() => import("./tiers.ts")),
          (tiers) => tiers.layer(options)
        )
      )
    : evidence

/** What runs checks for the user is loaded when they ask. */
const verifying = ({
  problem,
  root,
  state,
  waits
}: Pick<Tiers.Options, "root" | "state"> & Pick<Parameters<typeof Verifying.make>[0], "problem" | "waits">) =>
  Layer.effect(
    Verifying.Verifying,
    Effect.map(
      Effect.context<AgentHost | CurrentConfig | DecisionLog | OpenCodeClient | Tiers.Platform>(),
      (context) => {
        const run: Verifying.Run = (checks) =>
          Effect.flatMap(
            Effect.promise(() => import("../checks/AskedChecks.ts")),
            (asked) => Effect.provide(asked.run({ root, state }, checks), context)
          )
        const log = (sessionId: string, reason: string) =>
          Effect.provide(Decided.write(sessionId, { event: "command", decision: "none", reason }), context)
        return Verifying.make({
          run,
          log: (sessionId, reason) => Effect.ignore(log(sessionId, reason)),
          problem,
          waits
        })
      }
    )
  )

/** A process that was killed while it asked a model may have left a session, be it that this one asks none. */
const leftBehind = (config: ReflexionConfig, directory: string) =>
  areAsked(config)
    ? Layer.empty
    : Layer.unwrapEffect(
        Effect.map(RecordFiles.namesOf(directory), (otherNames) => JudgeSession.leftBehind({ directory, otherNames }))
      )

export const layer = (options: Options): Layer.Layer<Services> => {
  const { attended, client, directory, guidance, host, mark, memory, platform, problem, programs, reflects, state } =
    options
  const asked = verifying({ root: host.root, state, problem, waits: !reflects })
  const limits: WrongPush.Shared = { ...options.config.ruleLimits }
  const config = { ...chosen(options.config), ruleLimits: limits }
  const isOn = config.reflexion.enabled && problem === null
  const remembered = Memory.layer({ ...memory, isOn, reflects, root: host.root })
  const outcomes = Outcomes.layer({ ...memory, isOn: config.reflection.enabled && problem === null, root: host.root })
  return Layer.mergeAll(
    judging(config, { state, directory, guidance, programs, root: host.root }),
    leftBehind(config, directory),
    Artifacts.Live,
    ReviewStates.Live({ directory: `${state}/sessions/opencode` }),
    DecisionLog.Live({ file: `${state}/log.jsonl` })
  ).pipe(
    (rest) => Layer.provideMerge(Layer.mergeAll(remembered, outcomes, asked), rest),
    Layer.provideMerge(Guidance.Live({ directory: `${state}/guidance/opencode` })),
    Layer.provideMerge(OpenCodeHost.layer(host)),
    Layer.provideMerge(Presence.Live({ directory: `${state}/sessions/opencode`, otherwise: attended })),
    Layer.provideMerge(Conditions.Live({ directory: `${state}/sessions/opencode` })),
    Layer.provideMerge(Layer.succeed(CurrentConfig, config)),
    Layer.provideMerge(Layer.succeed(WrongPush.WrongPush, WrongPush.make(mark, { limits, root: host.root }))),
    Layer.provideMerge(Layer.succeed(CurrentProblem, problem)),
    Layer.provideMerge(platform),
    Layer.provideMerge(Layer.merge(logger, verbose)),
    Layer.provideMerge(OpenCodeClient.layer(client))
  )
}
