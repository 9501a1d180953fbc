/** Reviews one stop: reads the new lines, judges, runs the state machine, saves, and only then answers. */
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import type { Judged } from "@reflexion/core/JudgeService"
import * as Judgment from "@reflexion/core/Judgment"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import * as ConsultedStop from "./ConsultedStop.ts"
import * as Hooks from "../session/Hook.ts"
import { type PendingAnswer, type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as Checksum from "../places/Checksum.ts"
import { arrive, conclude, optionsOf, review, type StopInput } from "./Deciding.ts"
import { ended, type ReadStop, read } from "./StopReading.ts"
import * as SessionFile from "../session/SessionFile.ts"
import type { EffectiveConfig } from "../config/Settings.ts"

const refusal = (event: HookEvent): string | null => {
  if (event.subagent) return "it is a subagent's stop"
  if (event.plan) return "the agent is in plan mode"
  if (event.background > 0) return "work goes on in the background"
  return event.transcript === null ? "the host keeps no record of this session" : null
}

/**
 * Identifies a stop. Two hooks at one stop compute the same key, for example the hook of a plugin and an installed
 * hook. The key has several parts, because at the next stop the record may not have the newest lines yet.
 */
const stopKey = (event: HookEvent, judgment: Judgment.JudgmentState): string =>
  Checksum.ofText(
    JSON.stringify([
      event.turnId,
      event.continued,
      judgment.task.userMessageAt,
      judgment.evidence.calls,
      judgment.stop.messages,
      judgment.nudges.count,
      event.message?.length ?? -1,
      judgment.stop.text
    ])
  )

/** In ms. A larger difference means that the clock was set back. */
const siblingMs = 60_000

/** A host runs hooks in parallel. True if another hook has decided this stop since this hook began. */
const isConcurrentHook = <S>({ begun }: Hooks.Hook<S>, { stoppedAt }: SessionFile.Session): boolean =>
  begun < stoppedAt && stoppedAt - begun < siblingMs

const problemKey = ({ problem }: EffectiveConfig): string | null => (problem === null ? null : Checksum.ofText(problem))

/** Why the stop cannot be judged from the record. Null if it can. */
const unreadable = <S>(hook: Hooks.Hook<S>, { complete, decoder }: ReadStop<S>["reading"]): string | null => {
  if (!complete) return "the record was too long to read in time"
  return hook.decoder.isPrompted(decoder) ? null : "no message of the user began this turn"
}

const gone = "the session's record does not exist"

const tooLong = "a part of the running turn was not read: it is longer than 2 MB"

const judgeStop = <S>(
  hook: Hooks.Hook<S>,
  event: HookEvent,
  session: SessionFile.Session,
  since: number
): PendingAnswer => {
  const found = read(hook, event, session)
  const why = found === null ? gone : unreadable(hook, found.reading)
  if (found === null || why !== null) return Hooks.abstain(hook, event, why ?? gone, since)
  if (found.reading.cut) Hooks.log(hook, event, { decision: "none", reason: tooLong }, since)
  const { judgment } = ended(hook, event, found.reading)
  const stop = stopKey(event, judgment)
  if (stop === session.stop || isConcurrentHook(hook, session)) return nothing
  const { left: _, ...before } = session
  const told = problemKey(found.settled)
  const saved = { ...before, known: found.reading.known, stop, stoppedAt: hook.now(), told }
  const { problem } = found.settled
  // There is no review. Otherwise the review's notice would count as shown, although nobody saw it.
  if (problem !== null && told !== session.told) {
    SessionFile.save(Hooks.keyOf(hook, event), saved)
    Hooks.log(hook, event, { decision: "failure", reason: problem, directory: found.root }, since)
    return { _tag: "notice", text: Notice.problem(problem) }
  }
  const { isDue, reviewed, stopped } = situation(hook, event, saved, { found, judgment, since, stop })
  const { judged } = reviewed
  if (judged !== null && isDue) {
    // If a person would see a message after the turn, the slow part runs after the turn, so that nobody waits for it.
    if (hook.part === "now" && restOf(hook, event) !== null) return leave(hook, stopped, saved, judged)
    const beyond = lookBeyond(hook, stopped, saved, judged)
    if (beyond !== null) return beyond
  }
  return conclude(hook, stopped, saved, reviewed)
}

const situation = <S>(
  hook: Hooks.Hook<S>,
  event: HookEvent,
  session: SessionFile.Session,
  { found, judgment, since, stop }: Pick<StopInput<S>, "found" | "judgment" | "since" | "stop">
) => {
  const at = hook.now()
  const own = optionsOf(found.settled)
  const options = hook.tellsOnly ? { ...own, nudges: false } : own
  const running = event.background + hook.decoder.background(found.reading.decoder, judgment.task.userMessageAt)
  const interrupted = event.turnId !== null && event.turnId === session.interrupted
  const arrived = arrive(session.review, { interrupted, running }, judgment, options, at)
  const given = (): Judgment.VerdictOptions => ({
    session: found.session,
    context: found.reading.context,
    now: new Date(at).toISOString(),
    attempt: Math.max(arrived[0].attempts, judgment.nudges.count) + 1
  })
  const reviewed = review(arrived, session.reminded, () => Judgment.review(judgment, given()), options, at)
  const stopped: StopInput<S> = { event, found, given, judgment, options, running, since, stop }
  const { judged } = reviewed
  const isDue = judged !== null && BeyondEvidence.isDue(judgment, judged.verdict, given())
  return { reviewed, stopped, isDue }
}

const restOf = <S>(hook: Hooks.Hook<S>, { sessionId }: HookEvent): Hooks.Rest | null => hook.rest?.(sessionId) ?? null

/** If the task seems open, saves a message for the next prompt. It is shown if the later hook never runs. */
const leave = <S>(
  hook: Hooks.Hook<S>,
  { event, since, stop }: StopInput<S>,
  session: SessionFile.Session,
  { verdict: { reason, status } }: Judged
): HookAnswer => {
  const owed = `reflexion did not finish its review of the last stop. The record alone shows: ${reason}`
  const isOpen = status === "incomplete" || status === "stuck"
  SessionFile.save(Hooks.keyOf(hook, event), { ...session, left: stop, ...(isOpen && { owed }) })
  Hooks.log(hook, event, { decision: "none", reason: "slower checks and questions follow after the turn" }, since)
  return nothing
}

const lookBeyond = <S>(
  hook: Hooks.Hook<S>,
  stopped: StopInput<S>,
  session: SessionFile.Session,
  judged: Judged
): Promise<HookAnswer> | null => {
  const what = "only the evidence was examined"
  return Hooks.orLogged(hook, stopped.event, { what }, () => ConsultedStop.run(hook, stopped, session, judged), null)
}

const napMs = 50

const pause = (): Promise<void> => new Promise((go) => setTimeout(go, napMs))

/** Waits for the other hook of the same stop. True if that hook left the stop for later. */
const isLeft = async <S>(hook: Hooks.Hook<S>, key: SessionFile.Key, rest: Hooks.Rest): Promise<boolean> => {
  while (hook.now() < hook.deadline) {
    const hasEnded = rest.hasBegun()
    const { left, stop } = SessionFile.load(key).session
    if (left !== undefined && left === stop) return true
    // When the turn is over, the other hook has decided.
    if (hasEnded || rest.over() !== null) return false
    await pause()
  }
  return false
}

/** In ms. The user's own hooks may take this long at the same stop. */
const endingMs = 9 * 60_000

/** Waits for the start of the idle time, because its end cannot be seen before. False if the user continued first. */
const begins = async <S>(hook: Hooks.Hook<S>, key: SessionFile.Key, rest: Hooks.Rest): Promise<boolean> => {
  const { left } = SessionFile.load(key).session
  const until = hook.now() + endingMs
  while (rest.over() === null && !rest.hasBegun() && hook.now() < until) {
    if (SessionFile.load(key).session.left !== left) return false
    await pause()
  }
  return rest.hasBegun()
}

const readingMs = 12_000

/** Runs after the turn, if the first hook left the stop for later. The user can type in the meantime. */
const later = async <S>(hook: Hooks.Hook<S>, event: HookEvent): Promise<HookAnswer> => {
  const rest = refusal(event) === null ? restOf(hook, event) : null
  const since = hook.now()
  const key = Hooks.keyOf(hook, event)
  if (rest === null || !(await isLeft(hook, key, rest))) return nothing
  if (!(await begins(hook, key, rest)))
    return Hooks.abstain(hook, event, "the user wrote again before the turn had ended", since)
  const patient = { ...hook, deadline: hook.now() + readingMs }
  const taken = SessionFile.locked(key, 2000, () => takeUp(patient, event, rest, since))
  return taken ?? Hooks.abstain(hook, event, Hooks.busy, since)
}

const takeUp = <S>(hook: Hooks.Hook<S>, event: HookEvent, rest: Hooks.Rest, since: number): PendingAnswer => {
  const { left, owed: _, ...saved } = SessionFile.load(Hooks.keyOf(hook, event)).session
  // A hook of another installation has already taken the stop.
  if (left === undefined || left !== saved.stop) return nothing
  const found = read(hook, event, saved)
  const why = found === null ? gone : unreadable(hook, found.reading)
  if (found === null || why !== null) return Hooks.abstain(hook, event, why ?? gone, since)
  const { judgment } = ended(hook, event, found.reading)
  const { reviewed, stopped } = situation(hook, event, saved, { found, judgment, since, stop: left })
  const { judged } = reviewed
  return judged === null ? nothing : (lookBeyond(hook, { ...stopped, rest }, saved, judged) ?? nothing)
}

/** Throws if the session's state can neither be read nor saved, because a nudge is allowed only if it is counted. */
export const run = <S>(hook: Hooks.Hook<S>, event: HookEvent): PendingAnswer => {
  if (hook.part === "later") return later(hook, event)
  const since = hook.now()
  const why = refusal(event)
  if (why !== null) return Hooks.abstain(hook, event, why, since)
  const key = Hooks.keyOf(hook, event)
  const answered = SessionFile.locked(key, 0, () => {
    const { problem, session } = SessionFile.load(key)
    if (problem !== null) Hooks.log(hook, event, { decision: "failure", reason: problem }, since)
    return session.review.enabled
      ? judgeStop(hook, event, session, since)
      : Hooks.abstain(hook, event, "the user stopped reflexion in this session", since)
  })
  return answered ?? Hooks.abstain(hook, event, Hooks.busy, since)
}
