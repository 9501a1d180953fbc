/** Judges a stop also by checks and models, which can take minutes. There is no answer if the user continues first. */
import * as AskedLine from "@reflexion/core/internal/review/tiers/AskedLine"
import * as CheckResult from "@reflexion/core/internal/checks/CheckResult"
import * as Judgment from "@reflexion/core/Judgment"
import type { Judged, Seen } from "@reflexion/core/JudgeService"
import { redact } from "@reflexion/core/Redaction"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Consulting from "./Consulting.ts"
import * as Hooks from "../session/Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import { arrive, conclude, review, type StopInput, told } from "./Deciding.ts"
import { ended, superseded, whole } from "./StopReading.ts"
import * as SessionFile from "../session/SessionFile.ts"

export type Ask = (seen: Seen) => Effect.Effect<Consulting.ConsultedStop>

/** The installed hooks may take 660 seconds. The rest is for ending running work and for saving. */
const longest = Duration.seconds(640)

const lockPatience = 5000

/** Why the result is no longer useful. */
const overtaken = <S>(
  hook: Hooks.Hook<S>,
  { event, found, judgment, rest, stop }: StopInput<S>,
  session: SessionFile.Session
): string | null => {
  const over = rest?.over() ?? null
  if (over !== null) return over
  if (!session.review.enabled) return "the user stopped reflexion in this session"
  if (session.stop !== stop) return "another stop was decided while this one was examined"
  if (event.turnId !== null && event.turnId === session.interrupted) return "the user interrupted the agent"
  return superseded(hook, event, found, judgment)
}

/** Completes when the result is no longer useful. After an error it never completes, but `finish` checks again. */
const watch = <S>(hook: Hooks.Hook<S>, stopped: StopInput<S>): Effect.Effect<string> => {
  const key = Hooks.keyOf(hook, stopped.event)
  const look = Effect.sync(() => overtaken(hook, stopped, SessionFile.load(key).session))
  const again: Effect.Effect<string> = Effect.suspend(() =>
    Effect.flatMap(look, (why) => (why === null ? Effect.delay(again, "1 second") : Effect.succeed(why)))
  )
  return Effect.catchAllDefect(again, () => Effect.never)
}

/** In bytes. Longer sessions are rare. */
const longestRecord = 20_000_000

/** Null if the session is too long. */
const allOf = <S>(hook: Hooks.Hook<S>, event: HookEvent): ReturnType<typeof ended> | null => {
  const found = whole(hook, event)
  return found?.reading.complete === true && found.reading.read < longestRecord
    ? ended(hook, event, found.reading)
    : null
}

/** If the record is too long, no model is asked, and the log says so. */
const seenOf = <S>(
  hook: Hooks.Hook<S>,
  stopped: StopInput<S>,
  judged: Judged
): readonly [Seen, ReadonlyArray<string>] => {
  const { event, found, judgment } = stopped
  const given = stopped.given()
  const { config } = given.context
  const transcript = { ...found.session, version: 1, cwd: found.session.cwd ?? event.cwd } as const
  const attempt = given.attempt ?? 1
  const all = allOf(hook, event)
  if (all !== null) {
    const { events, judgment: state } = all
    const seen = { transcript: { ...transcript, events }, state, options: given, attempt }
    return [{ ...seen, judged: Judgment.review(state, given) }, []]
  }
  const options = { ...given, context: { ...given.context, config: { ...config, model: "off" } } }
  const why = config.model === "off" ? [] : ["the record of the task is too long to ask a model about the stop"]
  return [{ transcript: { ...transcript, events: [] }, state: judgment, options, judged, attempt }, why]
}

type Outcome = Consulting.ConsultedStop | { readonly why: string }

const consult = <S>(hook: Hooks.Hook<S>, stopped: StopInput<S>, judged: Judged, ask: Ask): Effect.Effect<Outcome> =>
  Effect.suspend(() => {
    const evidenceOnly = (why: string): Consulting.ConsultedStop => ({
      judged,
      told: [`only the evidence counts: ${why}`],
      unrun: null
    })
    const [seen, problems] = seenOf(hook, stopped, judged)
    const asked = ask(seen).pipe(
      Effect.map((one) => ({ ...one, told: [...one.told, ...problems] })),
      Effect.timeoutTo({
        duration: longest,
        onSuccess: (one) => one,
        onTimeout: () => evidenceOnly(`no result after ${Duration.toSeconds(longest)} seconds`)
      }),
      Effect.catchAllCause((cause) => Effect.succeed(evidenceOnly(Hooks.messageOf(Cause.squash(cause)))))
    )
    const overtaking = Effect.map(watch(hook, stopped), (why): Outcome => ({ why }))
    return Effect.raceFirst(asked, overtaking)
  })

/** Saves a message for the next prompt, because after the turn no message can reach the user earlier. */
const owe = (key: SessionFile.Key, answer: HookAnswer): void => {
  const owed = answer._tag === "nudge" ? answer.notice : answer._tag === "notice" ? answer.text : null
  if (owed !== null) SessionFile.save(key, { ...SessionFile.load(key).session, owed })
}

const finish = <S>(
  hook: Hooks.Hook<S>,
  stopped: StopInput<S>,
  { judged, told: problems, unrun: why }: Consulting.ConsultedStop
): HookAnswer => {
  const { event, judgment, options, running, since } = stopped
  const key = Hooks.keyOf(hook, event)
  const { session } = SessionFile.load(key)
  const over = overtaken(hook, stopped, session)
  if (over !== null) return Hooks.abstain(hook, event, over, since)
  for (const reason of problems) Hooks.log(hook, event, { decision: "failure", reason }, since)
  const at = hook.now()
  const arrived = arrive(session.review, { interrupted: false, running }, judgment, options, at)
  const reviewed = review(arrived, session.reminded, () => judged, options, at)
  const unrun = why === null ? null : redact(why)
  const isNew = unrun !== null && unrun !== session.unrun
  const answer = conclude(hook, stopped, isNew ? { ...session, unrun } : session, reviewed)
  const ran = CheckResult.ran(judged.checks)
  const asked = AskedLine.describe(judged.asked)
  const full = [
    // An answer also says which model was asked and what that cost.
    ...(asked === null || answer._tag === "nothing" ? [] : [`reflexion ${asked}.`]),
    ...(ran === null ? [] : [`${ran}.`]),
    ...(isNew ? [`reflexion: ${unrun}`] : []),
    ...(judged.asked?.told == null ? [] : [`${judged.asked.told} \`${hook.command} model on\` asks again.`])
  ].reduce(told, answer)
  if (stopped.rest !== undefined) owe(key, full)
  return full
}

/** The state is saved first, so that no other hook asks about the stop. If that fails, only evidence decides. */
export const run = <S>(
  hook: Hooks.Hook<S>,
  stopped: StopInput<S>,
  session: SessionFile.Session,
  judged: Judged,
  ask?: Ask
): Promise<HookAnswer> => {
  const { event, found, since } = stopped
  const key = Hooks.keyOf(hook, event)
  SessionFile.save(key, session)
  const patient = { ...hook, deadline: since + Duration.toMillis(longest) + 2 * lockPatience }
  const { config } = found.settled
  const cwd = found.session.cwd ?? event.cwd ?? found.root
  const asking = ask ?? ((what: Seen) => Consulting.run(hook, { config, cwd, record: event.transcript }, what))
  const answering = Effect.map(consult(patient, stopped, judged, asking), (outcome) => {
    if ("why" in outcome) return Hooks.abstain(hook, event, outcome.why, since)
    const answer = SessionFile.locked(key, lockPatience, () => finish(patient, stopped, outcome))
    return answer ?? Hooks.abstain(hook, event, Hooks.busy, since)
  })
  return Effect.runPromise(
    Effect.catchAllCause(answering, (cause) => {
      Hooks.log(hook, event, { decision: "failure", reason: Hooks.messageOf(Cause.squash(cause)) }, since)
      return Effect.succeed(nothing)
    })
  )
}
