/** Plays sessions of a test host under the test clock: what a user and an agent do, and what the program makes of it. */
import { FileSystem, Path } from "@effect/platform"
import { type Context, Effect, Fiber, Layer, TestClock } from "effect"
import { AgentHost, type Capabilities, TestHost } from "../../src/review/program/AgentHost.ts"
import { Artifacts } from "../../src/review/records/Artifacts.ts"
import { DecisionLog, DecisionRecord } from "../../src/review/records/DecisionLog.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import { CurrentConfig, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import type { ReviewEvent } from "../../src/review/machine/ReviewState.ts"
import { ReviewStates } from "../../src/review/machine/ReviewStates.ts"
import { StuckDetector } from "../../src/model/detector/StuckDetector.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import * as TurnReview from "../../src/review/program/TurnReview.ts"
import { transcript, user } from "./events.ts"
import { utmost } from "./utmost.ts"

export interface Setting {
  readonly config?: PartialConfig
  readonly capabilities?: Partial<Capabilities>
  readonly judge?: Layer.Layer<JudgeService, never, CurrentConfig>
  readonly artifacts?: Layer.Layer<Artifacts>
  readonly states?: Layer.Layer<ReviewStates>
  readonly host?: (host: Context.Tag.Service<AgentHost>) => Partial<Context.Tag.Service<AgentHost>>
}

const evidence = JudgeService.Evidence.pipe(Layer.provide(Layer.merge(FileSystem.layerNoop({}), Path.layer)))

const detector = StuckDetector.Heuristic.pipe(Layer.provide(Layer.merge(FileSystem.layerNoop({}), Path.layer)))

const hostLayer = ({ capabilities, host }: Setting) => {
  const test = AgentHost.Test(capabilities)
  if (host === undefined) return test
  const over = Effect.map(AgentHost, (given) => ({ ...given, ...host(given) }))
  return Layer.provideMerge(Layer.effect(AgentHost, over), test)
}

/** The whole program's services in memory, with the real judge of tier 1 unless another is given. */
export const services = (setting: Setting = {}) =>
  Layer.mergeAll(
    hostLayer(setting),
    setting.artifacts === undefined ? Artifacts.Test : Layer.merge(Artifacts.Test, setting.artifacts),
    setting.states === undefined ? ReviewStates.Test : Layer.merge(ReviewStates.Test, setting.states),
    DecisionLog.Memory,
    setting.judge ?? evidence,
    detector
  ).pipe(Layer.provideMerge(CurrentConfig.layer({ rules: utmost.rules, ...setting.config })))

/** A session that the test plays; its transcript also gets the feedback, as in a host. */
export const play = Effect.fnUntraced(function* (sessionId: string, rest: Parameters<typeof transcript>[1] = {}) {
  const host = yield* TestHost
  let events: ReadonlyArray<TranscriptEvent> = []
  let messages = 0
  let heard = 0
  const add = (...more: ReadonlyArray<TranscriptEvent>) => {
    events = [...events, ...more]
    return host.put(sessionId, transcript(events, { ...rest, sessionId }))
  }
  const emit = Effect.fnUntraced(function* (event: ReviewEvent) {
    const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    yield* host.emit({ sessionId, event: { ...event, at } })
  })
  const asks = Effect.fnUntraced(function* (text: string) {
    messages += 1
    const id = `${sessionId}-u${messages}`
    yield* add(user(text, { id }))
    yield* emit({ _tag: "UserMessage", id, genuine: true, at: 0 })
  })
  const does = Effect.fnUntraced(function* (...work: ReadonlyArray<TranscriptEvent>) {
    yield* add(...work)
    yield* emit({ _tag: "AssistantMessage", at: 0 })
  })
  /** New feedback comes back as the harness's message. */
  const hears = Effect.gen(function* () {
    const sent = (yield* host.injections).filter((injection) => injection.sessionId === sessionId)
    for (const { text } of sent.slice(heard)) {
      yield* add(user(text, { synthetic: true }))
      yield* emit({ _tag: "UserMessage", id: "feedback", genuine: false, at: 0 })
    }
    heard = sent.length
  })
  const stops = Effect.gen(function* () {
    yield* emit({ _tag: "Idle", at: 0 })
    yield* TestClock.adjust("1500 millis")
    yield* hears
  })
  /** The host's record loses everything but the task, even earlier feedback. */
  const compacted = Effect.fnUntraced(function* (summary: string) {
    events = events.slice(0, 1)
    yield* add(user(summary, { synthetic: true }))
    yield* emit({ _tag: "Compaction", running: false, at: 0 })
    yield* emit({ _tag: "UserMessage", id: "summary", genuine: false, at: 0 })
  })
  yield* add()
  return { add, asks, compacted, does, emit, hears, stops }
})

/** Lets the program run during the test; `restart` is a new process on the same stores. */
export const started = Effect.gen(function* () {
  let fiber = yield* Effect.forkScoped(TurnReview.run())
  const restart = Effect.gen(function* () {
    yield* TestClock.adjust(0)
    yield* Fiber.interrupt(fiber)
    fiber = yield* Effect.forkScoped(TurnReview.run())
    yield* TestClock.adjust(0)
  })
  return { restart, await: Effect.suspend(() => Fiber.join(fiber)) }
})

export const injections = (sessionId: string) =>
  Effect.flatMap(TestHost, (host) =>
    Effect.map(host.injections, (all) => all.filter((injection) => injection.sessionId === sessionId))
  )

export const nudges = (sessionId: string) =>
  Effect.map(injections(sessionId), (all) => all.map(({ attempt }) => attempt))

export const notices = (sessionId: string) =>
  Effect.flatMap(TestHost, (host) =>
    Effect.map(host.notices, (all) => all.filter((notice) => notice.sessionId === sessionId).map(({ kind }) => kind))
  )

export const log = (sessionId: string) =>
  Effect.flatMap(DecisionRecord, (record) =>
    Effect.map(record.decisions, (all) =>
      all.filter((line) => line.sessionId === sessionId).map(({ decision, reason }) => `${decision}: ${reason}`)
    )
  )
