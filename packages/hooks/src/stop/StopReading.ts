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
import * as RecordTail from "../session/RecordTail.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import { answer } from "../places/RepoDisk.ts"

export interface Found<S> {
  readonly reading: RecordTail.Reading<S>
  readonly session: SessionInfo
  readonly root: string
  readonly settled: Settled
}

const lateMs = 120
const nap = new Int32Array(new SharedArrayBuffer(4))

/** A host may write the last result a moment after it tells of the stop: an open call is given that moment. */
export const read = <S>(hook: Hook<S>, event: HookEvent, saved: SessionFile.Session): Found<S> | null => {
  const found = readNow(hook, event, { known: saved.known })
  if (found === null || found.reading.judgment.stop.pending.length === 0) return found
  Atomics.wait(nap, 0, 0, lateMs)
  const reading = RecordTail.readOn(found.reading, hook.decoder)
  return reading === null ? null : { ...found, reading }
}

/** Somebody waits for the answer, and sees what the agent says of earlier turns; where nobody does, more is looked at. */
const [here, away] = [
  { turns: 2, bytes: 300_000 },
  { turns: 5, bytes: 1_000_000 }
]

interface How {
  readonly known?: RecordTail.Known | undefined
  /** Sees every event of the whole record. */
  readonly observe?: NonNullable<RecordTail.Options<never>["observe"]>
}

/** The record's end, or all of it; null where it does not exist. */
const readNow = <S>(hook: Hook<S>, event: HookEvent, { known, observe }: How): Found<S> | null => {
  let place: { readonly root: string; readonly settled: Settled; readonly cwd: string | null } | null = null
  const placeOf = (session: SessionInfo) => {
    const cwd = session.cwd ?? event.cwd
    const root = cwd === null ? (event.cwd ?? "/") : ProjectRoot.of(cwd)
    place ??= { root, cwd, settled: conditioned(hook, event, settledAt(hook, event, root)) }
    return place
  }
  const isHere = (session: SessionInfo): boolean => {
    const { attended } = placeOf(session).settled.config
    return attended === "auto" ? attendedIn(hook, event, session) === true : attended
  }
  const reading = RecordTail.read({
    file: event.transcript ?? "",
    decoder: hook.decoder,
    reach: observe === undefined ? (session) => (isHere(session) ? here : away) : null,
    known,
    context: (session) => {
      const { cwd, settled } = placeOf(session)
      return { config: settled.config, repo: cwd === null ? RepoSignals.empty : RepoSignals.loadSync(cwd, answer), cwd }
    },
    hasTime: () => hook.now() < hook.deadline,
    ...(observe !== undefined && { observe })
  })
  if (reading === null) return null
  const recorded = hook.decoder.session(reading.decoder)
  const session = { ...recorded, sessionId: event.sessionId, attended: attendedIn(hook, event, recorded) }
  const { root, settled } = placeOf(recorded)
  return { reading, session, root, settled }
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
export const whole = <S>(hook: Hook<S>, event: HookEvent, observe: NonNullable<How["observe"]>): Found<S> | null =>
  readNow(hook, event, { observe })

/** What the record tells now, without waiting for what it may tell in a moment; null where it cannot be read in time. */
export const latest = <S>(hook: Hook<S>, event: HookEvent): Judgment.JudgmentState | null => {
  try {
    const { known } = SessionFile.load(Hooks.keyOf(hook, event)).session
    const found = event.transcript === null ? null : readNow(hook, event, { known })
    return found?.reading.complete === true ? found.reading.judgment : null
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
  { context, decoder, judgment }: Pick<RecordTail.Reading<S>, "context" | "decoder" | "judgment">,
  step = Judgment.step
): Judgment.JudgmentState => {
  const ended = hook.decoder.finish(decoder).reduce((state, one) => step(state, one, context), judgment)
  return withMessage(ended, event.message, context, step)
}

/** Why what follows from a stop must not be said now: the user has spoken or gone meanwhile, or it is too late. */
export const superseded = <S>(
  hook: Hook<S>,
  event: HookEvent,
  { reading }: Found<S>,
  judgment: Judgment.JudgmentState
): string | null => {
  if (SessionFile.isStopped(Hooks.keyOf(hook, event))) return "the user stopped reflexion in this session"
  if (hook.now() >= hook.deadline) return "the time was up before the record was read again"
  const grown = RecordTail.readOn(reading, hook.decoder)
  if (grown === null) return "the session's record is gone"
  const now = atStop(hook, event, grown)
  const isSaid = now.stop.queued || now.task.message !== reading.judgment.task.message
  if (isSaid) return "the user wrote on while the stop was judged"
  return now.interrupted && !judgment.interrupted ? "the user interrupted the agent" : null
}
