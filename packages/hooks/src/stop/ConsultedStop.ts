/**
 * A stop that is looked at by more than evidence, which may take minutes. Nothing is held meanwhile: the user may write,
 * stop the agent or turn reviews off, and then nothing is said and nothing counts.
 */
import * as AskedLine from "@reflexion/core/internal/review/tiers/AskedLine"
import * as CheckResult from "@reflexion/core/internal/checks/CheckResult"
import * as Judgment from "@reflexion/core/Judgment"
import type { Judged, Seen } from "@reflexion/core/JudgeService"
import { redact } from "@reflexion/core/Redaction"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Consulting from "./Consulting.ts"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import * as HeldEvents from "./HeldEvents.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import { conclude, type Stopped } from "./concluding.ts"
import { arrive, review, told } from "./StopDeciding.ts"
import { atStop, superseded, whole } from "./StopReading.ts"
import * as SessionFile from "../session/SessionFile.ts"

/**
 * Asks about a stop, for the tests a double of `Consulting.run`.
 *
 * @category models
 */
export type Ask = (seen: Seen) => Effect.Effect<Consulting.Consulted>

/** Under the 10 minutes that the installed hooks are given, with time to end what runs and to save. */
const longest = Duration.minutes(9)

const pulse = Duration.seconds(1)

const lockPatience = 5000

/** Why what comes of it is of no use any more, null while it is. */
const overtaken = <S>(
  hook: Hook<S>,
  { event, found, judgment, rest, stop }: Stopped<S>,
  session: SessionFile.Session
): string | null => {
  const over = rest?.over() ?? null
  if (over !== null) return over
  if (!session.review.enabled) return "the user stopped reflexion in this session"
  if (session.stop !== stop) return "another stop was decided while this one was looked into"
  if (event.turnId !== null && event.turnId === session.interrupted) return "the user interrupted the agent"
  return superseded(hook, event, found, judgment)
}

/** Ends as soon as the stop is overtaken; one that cannot be looked at is overtaken when it is to be saved. */
const watch = <S>(hook: Hook<S>, stopped: Stopped<S>): Effect.Effect<string> => {
  const key = Hooks.keyOf(hook, stopped.event)
  const look = Effect.sync(() => overtaken(hook, stopped, SessionFile.load(key).session))
  const again: Effect.Effect<string> = Effect.suspend(() =>
    Effect.flatMap(look, (why) => (why === null ? Effect.delay(again, pulse) : Effect.succeed(why)))
  )
  return Effect.catchAllDefect(again, () => Effect.never)
}

/** All of the session as it stood at the stop, by which a model can be asked; null where that is too much. */
const allOf = <S>(hook: Hook<S>, event: HookEvent): (Pick<Seen, "state"> & Held) | null => {
  const { held, push } = HeldEvents.make()
  const found = whole(hook, event, push)
  if (found === null || !found.reading.complete) return null
  const state = atStop(hook, event, found.reading, (before, one, context) => {
    push(one)
    return Judgment.step(before, one, context)
  })
  const events = held()?.() ?? null
  return events === null ? null : { events, state }
}

interface Held {
  readonly events: ReadonlyArray<TranscriptEvent>
}

const tooLong = "the record of its task is too long to ask a model about it"

/** What is asked about, judged by all of the record; where that is too long no model is, which the log says. */
const seenOf = <S>(hook: Hook<S>, stopped: Stopped<S>, judged: Judged): readonly [Seen, ReadonlyArray<string>] => {
  const { event, found, judgment } = stopped
  const given = stopped.given()
  const { config } = given.context
  const all = allOf(hook, event)
  const asked = all === null ? { ...config, model: "off" } : config
  const seen: Seen = {
    transcript: { ...found.session, version: 1, cwd: found.session.cwd ?? event.cwd, events: all?.events ?? [] },
    state: all?.state ?? judgment,
    options: { ...given, context: { ...given.context, config: asked } },
    judged: all === null ? judged : Judgment.review(all.state, given),
    attempt: given.attempt ?? 1
  }
  return [seen, all === null && config.model !== "off" ? [tooLong] : []]
}

/** What was consulted, or why nothing of it is wanted any more. */
type Outcome = Consulting.Consulted | { readonly why: string }

const consult = <S>(hook: Hook<S>, stopped: Stopped<S>, judged: Judged, ask: Ask): Effect.Effect<Outcome> =>
  Effect.suspend(() => {
    const evidenceOnly = (why: string): Consulting.Consulted => ({
      judged,
      told: [`nothing but evidence counts: ${why}`],
      unrun: null
    })
    const [seen, problems] = seenOf(hook, stopped, judged)
    const asked = ask(seen).pipe(
      Effect.map((one) => ({ ...one, told: [...one.told, ...problems] })),
      Effect.timeoutTo({
        duration: longest,
        onSuccess: (one) => one,
        onTimeout: () => evidenceOnly(`no result after ${Duration.toMinutes(longest)} minutes`)
      }),
      Effect.catchAllCause((cause) => Effect.succeed(evidenceOnly(Hooks.messageOf(Cause.squash(cause)))))
    )
    const overtaking = Effect.map(watch(hook, stopped), (why): Outcome => ({ why }))
    return Effect.raceFirst(
      asked,
      Effect.catchAllCause(overtaking, () => Effect.never)
    )
  })

/** After the turn nothing that is for the user reaches them: it waits for the next prompt. */
const owe = (key: SessionFile.Key, answer: HookAnswer): void => {
  const owed = answer._tag === "push" ? answer.notice : answer._tag === "notice" ? answer.text : null
  if (owed === null) return
  const { seen, session } = SessionFile.load(key)
  SessionFile.save(key, { ...session, owed }, seen)
}

/** The stop as it stands now, decided by what was consulted. */
const finish = <S>(
  hook: Hook<S>,
  stopped: Stopped<S>,
  { judged, told: problems, unrun: why }: Consulting.Consulted
): HookAnswer => {
  const { event, judgment, options, running, since } = stopped
  const key = Hooks.keyOf(hook, event)
  const release = SessionFile.lockWithin(key, lockPatience, hook.now)
  if (release === null) return Hooks.abstain(hook, event, "another review of this session is under way", since)
  try {
    const { seen, session } = SessionFile.load(key)
    const over = overtaken(hook, stopped, session)
    if (over !== null) return Hooks.abstain(hook, event, over, since)
    for (const reason of problems) Hooks.log(hook, event, { decision: "failure", reason }, since)
    const at = hook.now()
    const arrived = arrive(session.review, { interrupted: false, running }, judgment, options, at)
    const reviewed = review(arrived, session.reminded, () => judged, options, at)
    const unrun = why === null ? null : redact(why)
    const isNew = unrun !== null && unrun !== session.unrun
    const kept = isNew ? { ...session, unrun } : session
    const answer = conclude(hook, stopped, { seen, session: kept }, reviewed)
    const ran = CheckResult.ran(judged.checks)
    const asked = AskedLine.describe(judged.asked)
    const full = [
      // Who was asked and what it took is said where anything is said at all.
      ...(asked === null || answer._tag === "nothing" ? [] : [`reflexion ${asked}.`]),
      ...(ran === null ? [] : [`${ran}.`]),
      ...(isNew ? [`reflexion: ${unrun}`] : []),
      ...(judged.asked?.told == null ? [] : [`${judged.asked.told} \`${hook.command} model on\` asks again.`])
    ].reduce(told, answer)
    if (stopped.rest !== undefined) owe(key, full)
    return full
  } finally {
    release()
  }
}

/**
 * Takes the stop for its own, so that no other hook asks about it, then asks, and
 * answers if the stop still stands. Throws where the stop cannot be taken: evidence then has to do. What cannot be
 * saved is logged, and not said.
 *
 * @category handlers
 */
export const run = <S>(
  hook: Hook<S>,
  stopped: Stopped<S>,
  { seen, session }: Pick<SessionFile.Loaded, "seen" | "session">,
  judged: Judged,
  ask?: Ask
): Promise<HookAnswer> => {
  const { event, found, since } = stopped
  SessionFile.save(Hooks.keyOf(hook, event), session, seen)
  const patient = { ...hook, deadline: since + Duration.toMillis(longest) + 2 * lockPatience }
  const { config } = found.settled
  const cwd = found.session.cwd ?? event.cwd ?? found.root
  const asking = ask ?? ((what: Seen) => Consulting.run(hook, { config, cwd, record: event.transcript }, what))
  const answering = Effect.map(consult(patient, stopped, judged, asking), (outcome) =>
    "why" in outcome ? Hooks.abstain(hook, event, outcome.why, since) : finish(patient, stopped, outcome)
  )
  return Effect.runPromise(
    Effect.catchAllCause(answering, (cause) => {
      Hooks.log(hook, event, { decision: "failure", reason: Hooks.messageOf(Cause.squash(cause)) }, since)
      return Effect.succeed(nothing)
    })
  )
}
