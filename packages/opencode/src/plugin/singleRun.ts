/**
 * Reviews stops of `opencode run`, whose process ends at the first idle event. The host waits for hooks when a text is
 * complete, so each complete text is reviewed as if it were the last. The effects wait until the message ends. If the
 * agent calls a tool instead, the review is undone.
 */
import { AgentHost, type Injection } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as StopSignal from "@reflexion/core/internal/session/stop/StopSignal"
import * as TaskContext from "@reflexion/core/internal/session/task/TaskContext"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import type { Transcript } from "@reflexion/core/Transcript"
import * as TurnReview from "@reflexion/core/TurnReview"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberId from "effect/FiberId"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { promptOf, routed } from "../host/OpenCodeHost.ts"
import { isRelevant } from "../host/OpenCodeEvents.ts"
import * as OpenCodeRecord from "../host/OpenCodeRecord.ts"
import * as Decided from "./decided.ts"
import { Memory, type PreparedLessons } from "./memory.ts"

const interactive = new Set(["-i", "--interactive", "--interactive=true"])

/** After one of these words, `run` is a value or a part of another command. */
const isOther = new Set(["--prompt", "--agent", "github"])

/** True for `run` without the interactive option: such a run answers one prompt and ends. */
export const isSingleRun = (argv: ReadonlyArray<string>): boolean => {
  const words = argv.slice(2, argv.includes("--") ? argv.indexOf("--") : undefined)
  const at = words.indexOf("run")
  return at !== -1 && !isOther.has(words[at - 1] ?? "") && !words.some((word) => interactive.has(word))
}

const looking = new Set(["read", "grep", "glob", "list", "ls", "webfetch", "websearch", "codesearch", "lsp", "skill"])

/** True if a text may be the agent's last. Before any real work, only a text that claims to be done may be the last. */
export const mayBeLast = (transcript: Transcript): boolean => {
  const signal = NeutralTranscript.events(transcript).reduce(StopSignal.step, StopSignal.initial)
  if (StopSignal.read(signal).claims.length > 0) return true
  const since = transcript.events.findLastIndex(
    (event) => event.type === "user_message" && TaskContext.isGenuine(event)
  )
  return transcript.events.slice(since + 1).some((event) => event.type === "tool_call" && !looking.has(event.tool))
}

export interface LastMessage {
  readonly sessionID: string
  readonly messageID: string
  readonly text: string
}

/** The effects of a review. They are applied only when the stop is certain. */
interface Pending {
  readonly spoken: LastMessage
  readonly before: ReviewState.ReviewState | null
  readonly last: OpenCodeRecord.Last
  readonly injection: Injection | null
  readonly rest: ReadonlyArray<Effect.Effect<void>>
}

const isUnended = (part: Json.Json): boolean =>
  part["type"] === "text" && typeof Json.object(part["time"])["end"] !== "number"

const finished = (spoken: LastMessage, at: number) => (message: unknown) => {
  const fields = Json.object(message)
  const info = Json.object(fields["info"])
  const parts = Json.list(fields["parts"]).filter((part) => !isUnended(Json.object(part)))
  const time = { ...Json.object(info["time"]), completed: at }
  const text = { id: `${spoken.messageID}-text`, type: "text", text: spoken.text, time: { start: at, end: at } }
  return { info: { ...info, time, finish: "stop" }, parts: [...parts, text] }
}

/** A compaction's summary ends like an answer, but the work continues after it. */
const isSummary = (message: unknown): boolean => Json.object(Json.object(message)["info"])["summary"] === true

/** How many texts of a run checks or models may review. An agent may claim more often that it is done. */
const mostLooks = 12

/** Null if this cannot be a stop. `looks` counts up to `mostLooks`. */
const tentative = Effect.fnUntraced(function* (spoken: LastMessage, looks: { count: number }) {
  const { messageID, sessionID } = spoken
  const [memory, host, judge, artifacts, log, states, client] = yield* Effect.all([
    Memory,
    AgentHost,
    JudgeService,
    Artifacts,
    DecisionLog,
    ReviewStates,
    OpenCodeClient
  ])
  const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  const { last, stored, transcript } = yield* OpenCodeRecord.foretold(sessionID, messageID, finished(spoken, at))
  if (isSummary(stored)) return null
  const before = yield* states.load(sessionID)
  const rest: Array<Effect.Effect<void>> = []
  let injection: Injection | null = null
  let lessons: PreparedLessons["lessons"] = []
  const later = (effect: Effect.Effect<void, unknown>) => Effect.sync(() => void rest.push(Effect.ignore(effect)))
  const noting: Context.Tag.Service<AgentHost> = {
    ...host,
    transcript: () => Effect.succeed(transcript),
    inject: (_, given) =>
      routed({ ...given, text: ReviewLesson.withLessons(given.text, lessons) }).pipe(
        Effect.map((sent) => void (injection = sent)),
        Effect.provideService(OpenCodeClient, client)
      ),
    notify: (id, notice) => later(host.notify(id, notice))
  }
  const write: typeof artifacts.write = (root, review) =>
    Effect.gen(function* () {
      yield* later(artifacts.write(root, review))
      const prepared = yield* memory.prepare({ root, review, transcript: Effect.succeed(transcript) })
      if (prepared === null) return
      lessons = prepared.lessons
      yield* later(prepared.save)
    })
  const looksOn = looks.count < mostLooks && mayBeLast(transcript)
  if (looksOn) looks.count++
  const review: typeof judge.review = (one, options) => judge.review(one, { ...options, evidence: !looksOn })
  yield* TurnReview.onIdle(sessionID).pipe(
    Effect.provideService(JudgeService, { ...judge, review }),
    Effect.provideService(AgentHost, noting),
    Effect.provideService(Artifacts, { write }),
    Effect.provideService(DecisionLog, { append: (decision) => later(log.append(decision)) })
  )
  const pending: Pending = { spoken, before, last, injection, rest }
  return pending
})

const takeBack = Effect.fnUntraced(function* ({ before, spoken }: Pending) {
  const states = yield* ReviewStates
  yield* states.save(spoken.sessionID, before ?? ReviewState.initial)
})

/** Sends the nudge first, because the host soon looks for new messages. A nudge that cannot be sent does not count. */
const settle = Effect.fnUntraced(function* (pending: Pending) {
  const { injection, last, rest, spoken } = pending
  const client = yield* OpenCodeClient
  const { sessionID } = spoken
  if (injection !== null) {
    const said = yield* Effect.either(client.prompt(sessionID, { ...promptOf(injection, last), noReply: true }))
    if (Either.isLeft(said)) {
      yield* takeBack(pending)
      const reason = `the nudge could not be sent: ${said.left.message}`
      return yield* Decided.write(sessionID, { event: "text.complete", decision: "failure", reason })
    }
  }
  yield* Effect.all(rest, { discard: true })
})

type Services = TurnReview.Services | OpenCodeClient

const quietly = <R>(effect: Effect.Effect<void, unknown, R>): Effect.Effect<void, never, R> =>
  Effect.catchAllCause(effect, (cause) => Effect.logWarning("a review on the command line failed", cause))

/** After an answer with one of these finish values, the host asks the model again. */
const goesOn = new Set<unknown>(["tool-calls", "unknown"])

const endsTurn = (info: Json.Json): boolean => typeof info["finish"] === "string" && !goesOn.has(info["finish"])

const isNoStop = (info: Json.Json): boolean => info["error"] !== undefined || info["summary"] === true

/** A tool that the provider runs does not end the answer. */
const isByProvider = (part: Json.Json): boolean => Json.object(part["metadata"])["providerExecuted"] === true

/** `rest` waits for started work and undoes a review that was not confirmed as a stop. */
export const make = () => {
  const children = new Set<string>()
  /** The calls that the host runs itself, by message. */
  const calling = new Map<string, Set<string>>()
  const looks = { count: 0 }
  let pending: Pending | null = null
  let settling: Effect.Effect<void> = Effect.void
  const taken = (): Pending | null => {
    const due = pending
    pending = null
    return due
  }
  /** The process waits for this work before it ends. */
  const awaited = (effect: Effect.Effect<void, unknown, Services>) => {
    const done = Deferred.unsafeMake<void>(FiberId.none)
    settling = Effect.zipRight(settling, Deferred.await(done))
    return Effect.ensuring(quietly(effect), Deferred.succeed(done, undefined))
  }
  const drop = () => {
    const dropped = taken()
    return dropped === null ? null : awaited(takeBack(dropped))
  }
  const spoke = (spoken: LastMessage) => {
    if (children.has(spoken.sessionID) || (calling.get(spoken.messageID)?.size ?? 0) > 0) return Effect.void
    const review = Effect.map(tentative(spoken, looks), (found) => {
      pending = found
    })
    return Effect.zipRight(
      Effect.suspend(() => drop() ?? Effect.void),
      quietly(review)
    )
  }
  const called = (part: Json.Json) => {
    const messageId = Json.text(part["messageID"])
    const calls = calling.get(messageId) ?? new Set()
    calling.set(messageId, calls)
    if (isByProvider(part)) {
      calls.delete(Json.text(part["callID"]))
      return null
    }
    calls.add(Json.text(part["callID"]))
    return pending?.spoken.messageID === messageId ? drop() : null
  }
  const ended = () => {
    const due = taken()
    return due === null ? null : awaited(settle(due))
  }
  const happened = (event: unknown) => {
    if (!isRelevant(event)) return null
    const { properties, type } = Json.object(event)
    const { info: about, part: given } = Json.object(properties)
    const [info, part] = [Json.object(about), Json.object(given)]
    if (type === "session.created" && typeof info["parentID"] === "string") children.add(Json.text(info["id"]))
    if (type === "message.part.updated" && part["type"] === "tool") return called(part)
    if (type !== "message.updated" || pending?.spoken.messageID !== info["id"]) return null
    if (isNoStop(info)) return drop()
    return endsTurn(info) ? ended() : null
  }
  const rest = Effect.suspend(() => Effect.zipRight(drop() ?? Effect.void, settling))
  return { spoke, happened, rest }
}
