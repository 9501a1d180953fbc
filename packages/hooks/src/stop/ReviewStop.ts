/**
 * The review of one stop, from the host's word that the agent stopped to the answer: read what is new, judge, ask the
 * state machine, save, and only then speak. What evidence leaves open is looked into by `ConsultedStop`, if the user wants
 * that.
 */
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import type { Judged } from "@reflexion/core/JudgeService"
import * as Judgment from "@reflexion/core/Judgment"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import * as ConsultedStop from "./ConsultedStop.ts"
import type { Hook, Rest } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import { type Answered, type HookAnswer, type HookEvent, nothing } from "../input/HookEvent.ts"
import * as Checksum from "../places/Checksum.ts"
import { conclude, type Stopped } from "./concluding.ts"
import { arrive, optionsOf, review } from "./StopDeciding.ts"
import { atStop, type Found, read } from "./StopReading.ts"
import * as SessionFile from "../session/SessionFile.ts"
import type { Settled } from "../config/Settings.ts"

/** Why a stop is not even looked at, null if it is. */
const refusal = (event: HookEvent): string | null => {
  if (event.subagent) return "it is a subagent's stop"
  if (event.plan) return "the agent is in plan mode"
  if (event.background > 0) return "work goes on in the background"
  return event.transcript === null ? "the host keeps no record of this session" : null
}

/** Two hooks at one stop, such as a plugin's and an installed one, see the same; at the next one the record may lag. */
const stopKey = (event: HookEvent, judgment: Judgment.JudgmentState): string =>
  Checksum.ofText(
    JSON.stringify([
      event.turnId,
      event.continued,
      judgment.task.userMessageAt,
      judgment.evidence.calls,
      judgment.stop.messages,
      judgment.pushes.count,
      event.message?.length ?? -1,
      judgment.stop.text
    ])
  )

/** A clock that was set back is not believed for longer. */
const siblingMs = 60_000

/** A host runs the hooks of a stop side by side, and what the quicker one decided may be in its record already. */
const isSibling = <S>({ begun }: Hook<S>, { stoppedAt }: SessionFile.Session): boolean =>
  begun < stoppedAt && stoppedAt - begun < siblingMs

/** Identifies a problem in the configuration, under which nothing is pushed; null where there is none. */
const problemKey = ({ problem }: Settled): string | null => (problem === null ? null : Checksum.ofText(problem))

/** Hosts pack what nobody goes on with, and a hook has no use for the program that unpacks it. */
const packed = /\.(?:gz|zst)$/u

/** Why what was read does not tell how the stop is to be taken, null if it does. */
const unreadable = <S>(
  hook: Hook<S>,
  { transcript }: HookEvent,
  { complete, decoder }: Found<S>["reading"]
): string | null => {
  if (!complete) return "the record was too long to read in time"
  if (hook.decoder.isPrompted(decoder)) return null
  return packed.test(transcript ?? "")
    ? "the session's record is compressed, which a hook does not read; `reflexion judge` does"
    : "no message of the user began this turn"
}

const tooLong = "a part of the running turn was not read: it is longer than 2 MB"

const judgeStop = <S>(hook: Hook<S>, event: HookEvent, loaded: SessionFile.Loaded, since: number): Answered => {
  const found = read(hook, event, loaded.session)
  if (found === null) return Hooks.abstain(hook, event, "the session's record does not exist", since)
  const why = unreadable(hook, event, found.reading)
  if (why !== null) return Hooks.abstain(hook, event, why, since)
  if (found.reading.cut) Hooks.log(hook, event, { decision: "none", reason: tooLong }, since)
  return decide(hook, event, loaded, found, since)
}

const decide = <S>(
  hook: Hook<S>,
  event: HookEvent,
  { seen, session }: SessionFile.Loaded,
  found: Found<S>,
  since: number
): Answered => {
  const judgment = atStop(hook, event, found.reading)
  const stop = stopKey(event, judgment)
  if (stop === session.stop || isSibling(hook, session)) return nothing
  const at = hook.now()
  const { left: _, ...before } = session
  const saved = { ...before, known: found.reading.known, stop, stoppedAt: at, told: problemKey(found.settled) }
  const { problem } = found.settled
  // A problem takes the place of the review, whose notice would count as given and be seen by nobody.
  if (problem !== null && saved.told !== session.told) {
    SessionFile.save(Hooks.keyOf(hook, event), saved, seen)
    Hooks.log(hook, event, { decision: "failure", reason: problem, directory: found.root }, since)
    return { _tag: "notice", text: Notice.problem(problem) }
  }
  const known = situation(hook, event, saved, { found, judgment, since, stop })
  const { judged } = known.reviewed
  if (judged === null || !known.isDue) return conclude(hook, known.stopped, { seen, session: saved }, known.reviewed)
  if (hook.part === "now" && isReachable(hook, event))
    return leave(hook, known.stopped, { seen, session: saved }, judged)
  const claimed = { seen, session: saved }
  return lookBeyond(hook, known.stopped, claimed, judged) ?? conclude(hook, known.stopped, claimed, known.reviewed)
}

/** What the stop is judged in, and what evidence says of it. */
const situation = <S>(
  hook: Hook<S>,
  event: HookEvent,
  session: SessionFile.Session,
  { found, judgment, since, stop }: Pick<Stopped<S>, "found" | "judgment" | "since" | "stop">
) => {
  const at = hook.now()
  const options = optionsOf(found.settled)
  const running = event.background + hook.decoder.background(found.reading.decoder, judgment.task.userMessageAt)
  const interrupted = event.turnId !== null && event.turnId === session.interrupted
  const arrived = arrive(session.review, { interrupted, running }, judgment, options, at)
  const given = (): Judgment.VerdictOptions => ({
    session: found.session,
    context: found.reading.context,
    now: new Date(at).toISOString(),
    attempt: Math.max(arrived[0].attempts, judgment.pushes.count) + 1
  })
  const reviewed = review(arrived, session.reminded, () => Judgment.review(judgment, given()), options, at)
  const stopped: Stopped<S> = { event, found, given, judgment, options, running, since, stop }
  const { judged } = reviewed
  const isDue = judged !== null && BeyondEvidence.isDue(judgment, judged.verdict, given())
  return { reviewed, stopped, isDue }
}

/** Whether what is looked at after the turn reaches the person: then nobody has to wait for it. */
const isReachable = <S>(hook: Hook<S>, { sessionId }: HookEvent): boolean => (hook.rest?.(sessionId) ?? null) !== null

/** What the user is told at the next prompt, should nothing come after the turn; null where nothing is missing. */
const unlooked = ({ verdict }: Judged): string | null =>
  verdict.status === "incomplete" || verdict.status === "stuck"
    ? `reflexion did not look at the last stop after its turn. By the record alone: ${verdict.reason}`
    : null

const leave = <S>(
  hook: Hook<S>,
  { event, since, stop }: Stopped<S>,
  { seen, session }: Pick<SessionFile.Loaded, "seen" | "session">,
  judged: Judged
): HookAnswer => {
  const owed = unlooked(judged)
  SessionFile.save(Hooks.keyOf(hook, event), { ...session, left: stop, ...(owed !== null && { owed }) }, seen)
  Hooks.log(hook, event, { decision: "none", reason: "what takes longer is looked at after the turn" }, since)
  return nothing
}

/** Null where there is nothing to do it with. */
const lookBeyond = <S>(
  hook: Hook<S>,
  stopped: Stopped<S>,
  claimed: Pick<SessionFile.Loaded, "seen" | "session">,
  judged: Judged
): Promise<HookAnswer> | null => {
  const { event, since } = stopped
  try {
    return ConsultedStop.run(hook, stopped, claimed, judged)
  } catch (cause) {
    const reason = `nothing but evidence was looked at: ${Hooks.messageOf(cause)}`
    Hooks.log(hook, event, { decision: "failure", reason }, since)
    return null
  }
}

const nap = new Int32Array(new SharedArrayBuffer(4))
const napMs = 50

/** Hooks of the user's own may take as long at the same stop. */
const endingMs = 9 * 60_000

const pause = (): Promise<void> => new Promise((go) => setTimeout(go, napMs))

/** Waits for the rest to begin, so that whatever ends it is seen; false where it does not, for the user was quicker. */
const begins = async <S>(hook: Hook<S>, key: SessionFile.Key, rest: Rest): Promise<boolean> => {
  const { left } = SessionFile.load(key).session
  const until = hook.now() + endingMs
  while (rest.over() === null && !rest.hasBegun() && hook.now() < until) {
    if (SessionFile.load(key).session.left !== left) return false
    await pause()
  }
  return rest.hasBegun()
}

/** Waits for the hook that runs at the same stop: the session as that left it, null where it left nothing. */
const leftOf = <S>(hook: Hook<S>, key: SessionFile.Key, rest: Rest): SessionFile.Session | null => {
  while (hook.now() < hook.deadline) {
    const ended = rest.hasBegun()
    const { session } = SessionFile.load(key)
    if (session.left !== undefined && session.left === session.stop) return session
    // Once the turn is over, the other hook has decided.
    if (ended || rest.over() !== null) return null
    Atomics.wait(nap, 0, 0, napMs)
  }
  return null
}

/**
 * Looks at a stop after its turn, where the hook at the stop left it: the person types on meanwhile. Nothing is said once
 * they have gone on.
 */
const later = <S>(hook: Hook<S>, event: HookEvent): Answered => {
  const rest = refusal(event) === null ? (hook.rest?.(event.sessionId) ?? null) : null
  const since = hook.now()
  const key = Hooks.keyOf(hook, event)
  if (rest === null || leftOf(hook, key, rest) === null) return nothing
  return begins(hook, key, rest).then((has) =>
    has
      ? takeUp({ ...hook, deadline: hook.now() + readingMs }, event, rest, since)
      : Hooks.abstain(hook, event, "the user went on before the turn had ended", since)
  )
}

const readingMs = 12_000

/** Takes a stop that was left, so that no other hook does. */
const takeUp = <S>(hook: Hook<S>, event: HookEvent, rest: Rest, since: number): Answered => {
  const key = Hooks.keyOf(hook, event)
  const release = SessionFile.lockWithin(key, 2000, hook.now)
  if (release === null) return Hooks.abstain(hook, event, "another review of this session is under way", since)
  try {
    const { seen, session } = SessionFile.load(key)
    const { left, owed: _, ...saved } = session
    // The hook of another installation was quicker.
    if (left === undefined || left !== session.stop) return nothing
    const found = read(hook, event, saved)
    const why = found === null ? "the session's record does not exist" : unreadable(hook, event, found.reading)
    if (found === null || why !== null) return Hooks.abstain(hook, event, why ?? "", since)
    const judgment = atStop(hook, event, found.reading)
    const { reviewed, stopped } = situation(hook, event, saved, { found, judgment, since, stop: left })
    const { judged } = reviewed
    if (judged === null) return nothing
    return lookBeyond(hook, { ...stopped, rest }, { seen, session: saved }, judged) ?? nothing
  } finally {
    release()
  }
}

/**
 * Answers a stop, at once unless more than evidence is to be looked at. Throws what the file system throws where the
 * session's state can be neither read nor saved: whoever cannot count its pushes makes none.
 *
 * @category handlers
 */
export const run = <S>(hook: Hook<S>, event: HookEvent): Answered => {
  if (hook.part === "later") return later(hook, event)
  const since = hook.now()
  const why = refusal(event)
  if (why !== null) return Hooks.abstain(hook, event, why, since)
  const key = Hooks.keyOf(hook, event)
  const release = SessionFile.lock(key, since)
  if (release === null) return Hooks.abstain(hook, event, "another review of this session is under way", since)
  try {
    const loaded = SessionFile.load(key)
    if (loaded.problem !== null) Hooks.log(hook, event, { decision: "failure", reason: loaded.problem }, since)
    return loaded.session.review.enabled
      ? judgeStop(hook, event, loaded, since)
      : Hooks.abstain(hook, event, "the user stopped reflexion in this session", since)
  } finally {
    release()
  }
}
