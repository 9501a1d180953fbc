/** What a stop is judged by: the session's record as far as it goes, the working copy, and the final message. */
import * as Judgment from "@reflexion/core/Judgment"
import { withMore } from "@reflexion/core/internal/session/config/DoneWhenGates"
import { redact } from "@reflexion/core/Redaction"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import type { SessionInfo } from "@reflexion/core/Transcript"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import type { HookEvent } from "../input/HookEvent.ts"
import * as OwnModel from "../models/OwnModel.ts"
import * as SessionFile from "../session/SessionFile.ts"
import type { Settled } from "../config/Settings.ts"
import * as TranscriptFold from "../session/TranscriptFold.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import { answer } from "../places/RepoDisk.ts"

export interface Found<S> {
  readonly folded: TranscriptFold.Folded<S>
  readonly session: SessionInfo
  readonly root: string
  readonly settled: Settled
}

const lateMs = 120
const nap = new Int32Array(new SharedArrayBuffer(4))

/** A host may write the last result a moment after it tells of the stop: an open call is given that moment. */
export const read = <S>(hook: Hook<S>, event: HookEvent, saved: SessionFile.Session<S>): Found<S> | null => {
  const found = readNow(hook, event, saved)
  if (found === null || found.folded.fold.judgment.stop.pending.length === 0) return found
  Atomics.wait(nap, 0, 0, lateMs)
  return readNow(hook, event, { ...saved, fold: found.folded.fold })
}

/** Folds the record as far as it goes; null where it does not exist. */
const readNow = <S>(
  hook: Hook<S>,
  event: HookEvent,
  saved: Pick<SessionFile.Session<S>, "fold">,
  observe?: TranscriptFold.Options<S>["observe"]
): Found<S> | null => {
  const known: { root: string; settled: Settled | null } = { root: event.cwd ?? "/", settled: null }
  const context = (session: SessionInfo): Judgment.JudgmentContext => {
    const cwd = session.cwd ?? event.cwd
    known.root = cwd === null ? known.root : ProjectRoot.of(cwd)
    known.settled = conditioned(hook, event, settledAt(hook, event, known.root))
    const repo = cwd === null ? RepoSignals.empty : RepoSignals.loadSync(cwd, answer)
    return { config: known.settled.config, repo, cwd }
  }
  const folded = TranscriptFold.resume({
    file: event.transcript ?? "",
    decoder: hook.decoder,
    saved: saved.fold,
    context,
    hasTime: () => hook.now() < hook.deadline,
    ...(observe !== undefined && { observe })
  })
  if (folded === null || known.settled === null) return null
  const recorded = hook.decoder.session(folded.fold.decoder)
  const session = { ...recorded, sessionId: event.sessionId, attended: attendedIn(hook, event, recorded) }
  return { folded, session, root: known.root, settled: known.settled }
}

/** With the host's own model where it may be asked, and without any where the user said so in the session. */
const settledAt = <S>(hook: Hook<S>, event: HookEvent, root: string): Settled => {
  const said = SessionFile.modelWordOf(Hooks.keyOf(hook, event))
  const { directories, env, host } = hook
  const settled = Hooks.settingsOf(hook, root, OwnModel.inForce({ directories, env, host, said }))
  return said === "off" ? { ...settled, config: { ...settled.config, model: "off", crossReview: {} } } : settled
}

/** With the conditions for being done that the user gave in the session. */
const conditioned = <S>(hook: Hook<S>, event: HookEvent, settled: Settled): Settled => {
  const said = SessionFile.doneWhenOf(Hooks.keyOf(hook, event))
  return said.length === 0 ? settled : { ...settled, config: withMore(settled.config, said) }
}

/** Set by the services that run a change's checks, where nobody watches. */
const isCi = ({ CI }: Readonly<Record<string, string | undefined>>): boolean =>
  !["", "0", "false", undefined].includes(CI)

/** Whether somebody is there: what the user said of the session, else what its record does, else where the hook runs. */
const attendedIn = <S>(hook: Hook<S>, event: HookEvent, { attended = null }: SessionInfo): boolean | null =>
  SessionFile.isAttended(Hooks.keyOf(hook, event)) ?? attended ?? (isCi(hook.env) ? false : null)

/** The record from its beginning, each event shown as it is folded; null where there is none. */
export const whole = <S>(
  hook: Hook<S>,
  event: HookEvent,
  observe: NonNullable<TranscriptFold.Options<S>["observe"]>
): Found<S> | null => readNow(hook, event, { fold: null }, observe)

/** What the record tells now, without waiting for what it may tell in a moment; null where it cannot be read in time. */
export const latest = <S>(hook: Hook<S>, event: HookEvent): Judgment.JudgmentState | null => {
  try {
    const found =
      event.transcript === null ? null : readNow(hook, event, SessionFile.load<S>(Hooks.keyOf(hook, event)).session)
    return found?.folded.complete === true ? found.folded.fold.judgment : null
  } catch {
    return null
  }
}

/** Many times what the judge keeps of a message's end: a host may send megabytes, and to redact them takes seconds. */
const mostRead = 100_000

/** Begun at white space where there is some: the end of a token is no longer known as one. */
const endOf = (message: string): string => {
  if (message.length <= mostRead) return message
  const end = message.slice(-mostRead)
  return end.slice(Math.max(0, end.search(/\s/)))
}

/** Without secrets, for the text that is kept has none. */
const tailOf = (text: string): string => redact(text).trim().slice(-400)

/** The record may lack the final message, for the host writes it a moment later; its payload has it. */
const withMessage = (
  judgment: Judgment.JudgmentState,
  said: string | null,
  context: Judgment.JudgmentContext,
  step: typeof Judgment.step
): Judgment.JudgmentState => {
  const message = endOf(said?.trim() ?? "")
  if (message === "") return judgment
  if (judgment.stop.spokeLast && redact(judgment.stop.text).trim().endsWith(tailOf(message))) return judgment
  const event = { type: "assistant_message", id: null, at: null, text: message, completed: true } as const
  return step(judgment, { ...event, outputTokens: null, model: null }, context)
}

/** The judgement at this stop: the record, its end, and the final message. */
export const atStop = <S>(
  hook: Hook<S>,
  event: HookEvent,
  { folded }: Pick<Found<S>, "folded">,
  step = Judgment.step
): Judgment.JudgmentState => {
  const ended = hook.decoder
    .finish(folded.fold.decoder)
    .reduce((state, one) => step(state, one, folded.context), folded.fold.judgment)
  return withMessage(ended, event.message, folded.context, step)
}

/** Why what follows from a stop must not be said now: the user has spoken or gone meanwhile, or it is too late. */
export const superseded = <S>(
  hook: Hook<S>,
  event: HookEvent,
  found: Found<S>,
  judgment: Judgment.JudgmentState
): string | null => {
  if (SessionFile.isStopped(Hooks.keyOf(hook, event))) return "the user stopped reflexion in this session"
  const folded = TranscriptFold.resume({
    file: found.folded.fold.file,
    decoder: hook.decoder,
    saved: found.folded.fold,
    context: () => found.folded.context,
    hasTime: () => hook.now() < hook.deadline
  })
  if (folded === null) return "the session's record is gone"
  if (!folded.complete) return "the time was up before the record was read again"
  const now = atStop(hook, event, { folded })
  const isSaid = now.stop.queued || now.task.message !== found.folded.fold.judgment.task.message
  if (isSaid) return "the user wrote on while the stop was judged"
  return now.interrupted && !judgment.interrupted ? "the user interrupted the agent" : null
}
