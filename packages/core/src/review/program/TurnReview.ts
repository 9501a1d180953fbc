/** The review program. When an agent stops, the program judges its work and does what `ReviewState` decides. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { AgentHost, type AgentHostError, type HostEvent } from "./AgentHost.ts"
import type { Artifacts } from "../records/Artifacts.ts"
import * as BeyondEvidence from "../tiers/BeyondEvidence.ts"
import type { DecisionLog } from "../records/DecisionLog.ts"
import * as Driver from "./driver.ts"
import type { JudgeService } from "../tiers/JudgeService.ts"
import { levelOf, ruleOf } from "../../judge/rules/Rules.ts"
import { CurrentConfig, type ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { ReviewOptions } from "../machine/ReviewState.ts"
import type { ReviewStates } from "../machine/ReviewStates.ts"
import { StuckDetector } from "../../model/detector/StuckDetector.ts"

/**
 * The services that the program needs.
 *
 * @category models
 */
export type Services = AgentHost | JudgeService | Artifacts | ReviewStates | DecisionLog | CurrentConfig

/**
 * The options of the program.
 *
 * @category models
 */
export interface Options {
  /** The limit for a review or an injection. The default is 2 minutes, or more if checks or models may take longer. */
  readonly timeout?: Duration.DurationInput
}

/**
 * The options of `onIdle`.
 *
 * @category models
 */
export interface TurnOptions extends Options {
  /** The end of the usage limit that stopped the agent, in ms since the epoch. `continueAfterLimit` waits for it. */
  readonly limitEnd?: number | undefined
}

const isWoken = (config: ReflexionConfig): boolean => {
  const rule = ruleOf("host/limit")
  return rule !== null && levelOf(rule, config, false) === "nudge"
}

const reviewOptions = Effect.fnUntraced(function* ({ timeout }: Options) {
  const config = yield* CurrentConfig
  const { capabilities } = yield* AgentHost
  // Long enough for everything that the configuration lets a review do.
  const patience = Duration.max("2 minutes", Duration.seconds(BeyondEvidence.longest(config)))
  const chosen: ReviewOptions = {
    maxAttempts: config.maxAttempts,
    nudges: capabilities.nudge && config.profile !== "advisory",
    continuesAfterLimit: config.continueAfterLimit && isWoken(config),
    raceWindow: Duration.toMillis(capabilities.raceWindow),
    cooldown: Duration.toMillis(capabilities.cooldown),
    timeout: Duration.toMillis(timeout ?? patience)
  }
  return chosen
})

type Session = Effect.Effect.Success<ReturnType<typeof Driver.make>>

/** Beyond this number, the idle sessions with the oldest events are closed. Their state stays on disk. */
const maxOpen = 512

/** A session handles its events one at a time. The sessions run in parallel. */
const openSessions = Effect.fnUntraced(function* (options: Driver.Options) {
  const open = new Map<string, { readonly session: Session; readonly fiber: Fiber.Fiber<void> }>()
  const close = (id: string, session: Session): void => {
    if (open.get(id)?.session === session) open.delete(id)
  }
  const letGo = Effect.gen(function* () {
    for (const [id, { session }] of open) {
      if (open.size <= maxOpen) return
      if (!(yield* session.rests)) continue
      close(id, session)
      yield* session.end
    }
  })
  const begin = Effect.fnUntraced(function* (id: string) {
    const session = yield* Driver.make(id, options)
    const over = Effect.sync(() => close(id, session))
    return { session, fiber: yield* Effect.forkScoped(Effect.ensuring(session.work, over)) }
  })
  const deliver = Effect.fnUntraced(function* (event: HostEvent) {
    const { sessionId } = event
    const known = open.get(sessionId)
    const one = known ?? (yield* begin(sessionId))
    open.delete(sessionId)
    open.set(sessionId, one)
    yield* one.session.offer(event)
    if (known === undefined) yield* letGo
  })
  const finish = Effect.gen(function* () {
    const all = [...open.values()]
    yield* Effect.forEach(all, ({ session }) => session.end, { discard: true })
    yield* Fiber.awaitAll(all.map(({ fiber }) => fiber))
  })
  return { deliver, finish }
})

/**
 * Reviews the sessions of a host until its events end, and then finishes what is in progress. A failure in one session
 * does not affect another. Fails only if the event stream fails.
 *
 * If the host reports activity, silent agents are reviewed too. They are reviewed after `stuck.stall` seconds of
 * silence, or `stuck.silence` seconds after feedback.
 *
 * @category programs
 */
export const run: (
  options?: Options
) => Effect.Effect<
  void,
  AgentHostError,
  AgentHost | JudgeService | Artifacts | ReviewStates | DecisionLog | CurrentConfig | StuckDetector
> = Effect.fn("TurnReview.run")(function* (options: Options = {}) {
  const host = yield* AgentHost
  const { stuck } = yield* CurrentConfig
  const { assess } = yield* StuckDetector
  const silence = { stall: stuck.stall * 1000, answer: stuck.silence * 1000, assess }
  const sessions = yield* openSessions({ review: yield* reviewOptions(options), silence })
  const events = yield* Effect.exit(Stream.runForEach(host.events, sessions.deliver))
  yield* sessions.finish
  yield* events
}, Effect.scoped)

/**
 * Runs the program for the end of one turn, in a process that ends afterwards. Earlier events come from the transcript.
 *
 * @example
 * ```ts
 * import { AgentHost, TestHost } from "@reflexion/core/AgentHost"
 * import { Artifacts } from "@reflexion/core/Artifacts"
 * import { DecisionLog } from "@reflexion/core/DecisionLog"
 * import { JudgeService } from "@reflexion/core/JudgeService"
 * import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
 * import { ReviewStates } from "@reflexion/core/ReviewStates"
 * import * as Transcript from "@reflexion/core/Transcript"
 * import * as TurnReview from "@reflexion/core/TurnReview"
 * import { NodeContext } from "@effect/platform-node"
 * import { Effect, Layer } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const host = yield* TestHost
 *   const transcript = Transcript.make({
 *     sessionId: "s1",
 *     mode: "build",
 *     events: [
 *       { type: "user_message", id: "u1", text: "Fix the total and run npm test." },
 *       { type: "tool_call", id: "c1", tool: "edit", status: "completed", input: { filePath: "/repo/total.ts" } },
 *       { type: "assistant_message", text: "I fixed the total. Now I will run the tests.", completed: true }
 *     ]
 *   })
 *   yield* host.put("s1", transcript)
 *   yield* TurnReview.onIdle("s1")
 *   const [injection] = yield* host.injections
 *   console.log(injection?.attempt, injection?.maxAttempts) // => 1 3
 * })
 *
 * // Instead of `AgentHost.Test`: the layer of your host.
 * const MainLive = Layer.mergeAll(
 *   AgentHost.Test({ raceWindow: 0 }),
 *   JudgeService.Evidence,
 *   Artifacts.Test,
 *   ReviewStates.Test,
 *   DecisionLog.Memory
 * ).pipe(Layer.provideMerge(CurrentConfig.layer()), Layer.provide(NodeContext.layer))
 *
 * await Effect.runPromise(Effect.provide(program, MainLive))
 * ```
 *
 * @category programs
 */
export const onIdle: (
  sessionId: string,
  options?: TurnOptions
) => Effect.Effect<void, never, AgentHost | JudgeService | Artifacts | ReviewStates | DecisionLog | CurrentConfig> =
  Effect.fn("TurnReview.onIdle")(function* (sessionId: string, options: TurnOptions = {}) {
    const review = yield* reviewOptions(options)
    const session = yield* Driver.make(sessionId, { review, silence: null })
    const at = yield* Driver.now
    const { limitEnd } = options
    yield* session.offer({
      sessionId,
      event: limitEnd === undefined ? { _tag: "Idle", at } : { _tag: "Error", limitEnd, at }
    })
    yield* session.end
    yield* session.work
  })
