/**
 * `opencode run`: the process ends at the first idle, so a stop has to be reviewed before it comes. When a text is
 * complete, the host waits for its hooks: it is reviewed as if it were the last word, and what follows from that is kept
 * back until the message ends; where a tool is called instead, all of it is taken back.
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

/** Behind these `run` is no command of its own. */
const isOther = new Set(["--prompt", "--agent", "github"])

/** Whether a process of that command line answers one prompt and ends: `run` does, but where it asks for the next one. */
export const isSingleRun = (argv: ReadonlyArray<string>): boolean => {
  const words = argv.slice(2, argv.includes("--") ? argv.indexOf("--") : undefined)
  const at = words.indexOf("run")
  return at !== -1 && !isOther.has(words[at - 1] ?? "") && !words.some((word) => interactive.has(word))
}

/** What an agent looks with before it does anything. */
const looking = new Set(["read", "grep", "glob", "list", "ls", "webfetch", "websearch", "codesearch", "lsp", "skill"])

/** Whether a complete text may be the last word: one before anything was done is not, unless it claims that it was. */
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

/** What a review came to, kept back until it is sure that it was a stop. */
interface Pending {
  readonly spoken: LastMessage
  readonly before: ReviewState.ReviewState | null
  readonly last: OpenCodeRecord.Last
  readonly injection: Injection | null
  readonly rest: ReadonlyArray<Effect.Effect<void>>
}

/** A text that is complete says when it ended. */
const isUnended = (part: Json.Json): boolean =>
  part["type"] === "text" && typeof Json.object(part["time"])["end"] !== "number"

/** The message as it is about to be: with the text, and at its end. */
const finished = (spoken: LastMessage, at: number) => (message: unknown) => {
  const fields = Json.object(message)
  const info = Json.object(fields["info"])
  const parts = Json.list(fields["parts"]).filter((part) => !isUnended(Json.object(part)))
  const time = { ...Json.object(info["time"]), completed: at }
  const text = { id: `${spoken.messageID}-text`, type: "text", text: spoken.text, time: { start: at, end: at } }
  return { info: { ...info, time, finish: "stop" }, parts: [...parts, text] }
}

/** What a compaction leaves ends as an answer does, and the work goes on after it. */
const isSummary = (message: unknown): boolean => Json.object(Json.object(message)["info"])["summary"] === true

/** So many texts of a run are looked at by more than evidence, however often the agent sounds as if it had done. */
const mostLooks = 12

/** A review of that stop whose effects on the world are only noted; null where it can be none. `looks`: as in `mostLooks`. */
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

/** The message first: the host looks for one in a moment, and nothing may come between. One that is not sent is no nudge. */
const settle = Effect.fnUntraced(function* (pending: Pending) {
  const { injection, last, rest, spoken } = pending
  const client = yield* OpenCodeClient
  const { sessionID } = spoken
  if (injection !== null) {
    const said = yield* Effect.either(client.prompt(sessionID, { ...promptOf(injection, last), noReply: true }))
    if (Either.isLeft(said)) {
      yield* takeBack(pending)
      const reason = `the reminder could not be sent: ${said.left.message}`
      return yield* Decided.write(sessionID, { event: "text.complete", decision: "failure", reason })
    }
  }
  yield* Effect.all(rest, { discard: true })
})

type Services = TurnReview.Services | OpenCodeClient

const quietly = <R>(effect: Effect.Effect<void, unknown, R>): Effect.Effect<void, never, R> =>
  Effect.catchAllCause(effect, (cause) => Effect.logWarning("a review on the command line failed", cause))

/** After these the host asks the model once more. */
const goesOn = new Set<unknown>(["tool-calls", "unknown"])

const endsTurn = (info: Json.Json): boolean => typeof info["finish"] === "string" && !goesOn.has(info["finish"])

const isNoStop = (info: Json.Json): boolean => info["error"] !== undefined || info["summary"] === true

/** Whether it ends the answer that it is a part of: what a provider runs does not. */
const isByProvider = (part: Json.Json): boolean => Json.object(part["metadata"])["providerExecuted"] === true

/** `rest` waits for what was begun, and takes back what is not known to be a stop. */
export const make = () => {
  const children = new Set<string>()
  /** The calls of each message that the host runs itself. */
  const calling = new Map<string, Set<string>>()
  const looks = { count: 0 }
  let pending: Pending | null = null
  let settling: Effect.Effect<void> = Effect.void
  const taken = (): Pending | null => {
    const due = pending
    pending = null
    return due
  }
  /** The process is not to end before it. */
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
