/**
 * A question to a model of the host's, asked in a session of ours: a child of the session that it is about, which is
 * there for one answer, can do nothing, is never reviewed, and is gone afterwards, whatever happens meanwhile.
 */
import type { AgentHostError } from "@reflexion/core/AgentHost"
import type { Answer } from "@reflexion/core/Model"
import type { ModelFailure } from "@reflexion/core/ModelCall"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { askedIn, take, type Asked, type AskedSessions } from "./askedSession.ts"
import * as JudgeAgent from "./JudgeAgent.ts"
import { answerOf, failed, ofHost } from "./judgeAnswer.ts"
import * as OpenCodeRecord from "../host/OpenCodeRecord.ts"
import * as Mark from "../decoder/Mark.ts"
import { OpenCodeClient, type Prompt } from "../host/OpenCodeClient.ts"

/**
 * `parentId`: the session that the question is about. With a null `model` that session's own is asked.
 *
 * @category models
 */
export interface Question {
  readonly parentId: string
  readonly text: string
  readonly system?: string
  readonly model: Prompt["model"]
  readonly timeout: Duration.DurationInput
}

/**
 * For the host's `config` hook: adds the hidden agent that answers, without which nothing can be asked.
 *
 * @category configuration
 */
export const configure: (config: Record<string, unknown>) => void = JudgeAgent.configure

/** With a title of its own the host makes none, and those that were left behind are found by it. */
const title = "reflexion asks a model"

/** How long anybody waits for a session to be gone; it is deleted later if the host takes longer. */
const patience = Duration.seconds(2)

const slack = Duration.seconds(10)

/** A call that may hang, in a place where nothing else may be interrupted. */
const briefly = (call: Effect.Effect<void, AgentHostError>) =>
  Effect.ignore(Effect.timeoutOption(Effect.interruptible(call), patience))

const again = Schedule.intersect(Schedule.spaced("200 millis"), Schedule.recurs(2))

const stays = "a session in which a model was asked is still there; it is deleted when the plugin starts again"

/** Deleted or never there, it is gone. */
const remove = Effect.fnUntraced(function* (id: string) {
  const client = yield* OpenCodeClient
  const removed = Effect.catchIf(
    client.remove(id),
    ({ reason }) => reason === "session_gone",
    () => Effect.void
  )
  yield* Effect.catchAllCause(Effect.retry(removed, again), (cause) => Effect.logWarning(stays, cause))
})

const create = Effect.fnUntraced(
  function* (sessions: AskedSessions, question: Question) {
    const client = yield* OpenCodeClient
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const until = now + Duration.toMillis(question.timeout) + Duration.toMillis(slack)
    const made = yield* client.create({ parentId: question.parentId, title, metadata: Mark.judge(until) })
    const id = Json.string(made["id"])
    if (id === null) return yield* failed("unavailable", "a session without an id")
    const asked = askedIn(id, question.system ?? "")
    sessions.set(id, asked)
    return asked
  },
  Effect.catchTag("AgentHostError", ofHost)
)

type Creating = Fiber.Fiber<Asked, ModelFailure>

/** The host's event says more than its answer, and comes a little before or after it. */
const reasonOf = ({ broken }: Asked, error: AgentHostError) =>
  Effect.timeoutFail(Deferred.await(broken), { duration: "200 millis", onTimeout: () => ofHost(error) })

const converse = Effect.fnUntraced(function* (creating: Creating, { model, parentId, text }: Question) {
  const client = yield* OpenCodeClient
  const asked = yield* Fiber.join(creating)
  const own = Effect.mapError(OpenCodeRecord.modelOf(parentId), ofHost)
  const question = {
    text,
    system: asked.system,
    agent: JudgeAgent.name,
    model: model ?? (yield* own)
  }
  const answer = Effect.catchAll(client.ask(asked.id, question), (error) => reasonOf(asked, error))
  const said = yield* Effect.raceFirst(answer, Deferred.await(asked.broken))
  asked.answered = true
  return yield* answerOf(said)
})

/** Busy, it would never end: a session that is deleted goes on until it is aborted. */
const leave = Effect.fnUntraced(function* (sessions: AskedSessions, creating: Creating) {
  const client = yield* OpenCodeClient
  const made = yield* Fiber.await(creating)
  if (made._tag === "Failure") return
  const { answered, deleted, id } = made.value
  if (!answered) yield* briefly(client.abort(id))
  if (!deleted) yield* remove(id)
  sessions.delete(id)
})

/** Takes no longer than anybody waits, and goes on after that. */
const end = Effect.fnUntraced(function* (sessions: AskedSessions, creating: Creating) {
  const leaving = yield* Effect.forkDaemon(leave(sessions, creating))
  const gone = yield* Effect.timeoutOption(Effect.interruptible(Fiber.await(leaving)), patience)
  if (Option.isNone(gone)) yield* Effect.logWarning("the host takes its time to delete a session")
})

const late = (creating: Creating) =>
  Effect.flatMap(Fiber.poll(creating), (exit) =>
    failed("timed_out", Option.isSome(exit) && exit.value._tag === "Success" ? exit.value.value.retries : "")
  )

const lifetime = (sessions: AskedSessions, question: Question): Effect.Effect<Answer, ModelFailure, OpenCodeClient> =>
  Effect.acquireUseRelease(
    // Nothing interrupts it: what the host was asked to create has an id that has to be known.
    Effect.forkDaemon(create(sessions, question)),
    (creating) =>
      Effect.timeoutOption(converse(creating, question), question.timeout).pipe(
        Effect.flatMap(Option.match({ onNone: () => late(creating), onSome: Effect.succeed }))
      ),
    (creating) => end(sessions, creating)
  )

/** Of a process that is no more; another that still runs may have some in use. */
const sweep = Effect.fnUntraced(function* (directories: ReadonlyArray<string>) {
  const client = yield* OpenCodeClient
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  const found = (yield* client.titled(title)).map(Json.object)
  const ours = found.filter(
    (info) => Mark.isJudge(info["metadata"]) && directories.includes(Json.text(info["directory"]))
  )
  yield* Effect.forEach(
    ours.filter((info) => Json.string(info["parentID"]) !== null),
    (info) => Effect.delay(remove(Json.text(info["id"])), Math.max(0, Mark.judgesUntil(info["metadata"]) - now)),
    { concurrency: "unbounded", discard: true }
  )
})

/**
 * `otherNames`: those that a link gives the directory.
 *
 * @category models
 */
export interface Place {
  readonly directory: string
  readonly otherNames?: ReadonlyArray<string>
}

const namesOf = ({ directory, otherNames = [] }: Place): ReadonlyArray<string> => [directory, ...otherNames]

const sweeping = (place: Place) =>
  Effect.forkScoped(Effect.catchAllCause(sweep(namesOf(place)), (cause) => Effect.logWarning(stays, cause)))

/**
 * Deletes what an earlier process left behind, where this one asks no model.
 *
 * @category layers
 */
export const leftBehind = (place: Place): Layer.Layer<never, never, OpenCodeClient> =>
  Layer.scopedDiscard(sweeping(place))

const make = Effect.fnUntraced(function* (place: Place) {
  const client = yield* OpenCodeClient
  const sessions: AskedSessions = new Map()
  const fibers = yield* FiberSet.make<Answer, ModelFailure>()
  yield* sweeping(place)
  const ask = Effect.fn("JudgeSession.ask")((question: Question) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.provideService(lifetime(sessions, question), OpenCodeClient, client).pipe(
        Effect.interruptible,
        (asking) => FiberSet.run(fibers, asking),
        Effect.flatMap((asking) => Effect.onInterrupt(restore(Fiber.join(asking)), () => Fiber.interrupt(asking)))
      )
    )
  )
  const instruct = (sessionId: string, system: Array<string>): void => {
    const asked = sessions.get(sessionId)
    if (asked !== undefined) system.splice(0, system.length, JudgeAgent.instructions(asked.system))
  }
  return { ask, take: (event: unknown) => take(sessions, event), instruct }
})

/**
 * Questions to the host's models.
 *
 * @category services
 */
export class JudgeSession extends Context.Tag("@reflexion/opencode/JudgeSession")<
  JudgeSession,
  {
    readonly ask: (question: Question) => Effect.Effect<Answer, ModelFailure>
    /** Takes an event as the host gives it, of which nothing is read later. Never throws. */
    readonly take: (event: unknown) => void
    /** For the host's hook that completes a system prompt: in one of ours nothing stays of what the project instructs. */
    readonly instruct: (sessionId: string, system: Array<string>) => void
  }
>() {
  /**
   * Deletes what an earlier process left behind in the directory, and when it ends what it has begun itself. The directory is
   * the host's, which may lie below the project's root.
   */
  static readonly layer = (place: Place): Layer.Layer<JudgeSession, never, OpenCodeClient> =>
    Layer.scoped(JudgeSession, make(place))
}
