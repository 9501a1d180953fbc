/** Reads everything that a stop is judged by: the session's record, the working copy and the final message. */
import * as Judgment from "@reflexion/core/Judgment"
import { withMore } from "@reflexion/core/internal/session/config/DoneWhenGates"
import { redact } from "@reflexion/core/Redaction"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Hooks from "../session/Hook.ts"
import type { HookEvent } from "../input/HookEvent.ts"
import * as Billing from "../models/Billing.ts"
import * as SessionFile from "../session/SessionFile.ts"
import type { EffectiveConfig } from "../config/Settings.ts"
import * as RecordTail from "../session/RecordTail.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import { answer } from "../places/RepoDisk.ts"

interface Place {
  readonly root: string
  readonly settled: EffectiveConfig
}

export interface ReadStop<S> extends Place {
  readonly reading: RecordTail.Reading<S>
  readonly session: SessionInfo
}

const lateMs = 120

/** If a call is open, reads again after a moment. A host may write the last tool result just after the stop. */
export const read = <S>(hook: Hooks.Hook<S>, event: HookEvent, { known }: SessionFile.Session): ReadStop<S> | null => {
  const found = readNow(hook, event, { known })
  if (found === null || found.reading.judgment.stop.pending.length === 0) return found
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lateMs)
  const reading = RecordTail.readOn(found.reading, hook.decoder)
  return reading === null ? null : { ...found, reading }
}

/** If a user is present, reading must be fast, and the user knows the earlier turns. */
const here: RecordTail.Reach = { turns: 2, bytes: 300_000 }
const away: RecordTail.Reach = { turns: 5, bytes: 1_000_000 }

interface How {
  readonly known?: RecordTail.LastStop | undefined
  readonly isWhole?: boolean
}

const readNow = <S>(hook: Hooks.Hook<S>, event: HookEvent, { isWhole = false, known }: How): ReadStop<S> | null => {
  let place: Place | null = null
  const placeOf = ({ cwd }: SessionInfo): Place => (place ??= placeAt(hook, event, cwd ?? event.cwd))
  const isHere = (session: SessionInfo): boolean => {
    const { attended } = placeOf(session).settled.config
    return attended === "auto" ? attendedIn(hook, event, session) === true : attended
  }
  const reading = RecordTail.read({
    file: event.transcript ?? "",
    decoder: hook.decoder,
    reach: isWhole ? null : (session) => (isHere(session) ? here : away),
    known,
    context: (session) => {
      const { config } = placeOf(session).settled
      const cwd = session.cwd ?? event.cwd
      return { config, repo: cwd === null ? RepoSignals.empty : RepoSignals.loadSync(cwd, answer), cwd }
    },
    hasTime: () => hook.now() < hook.deadline
  })
  if (reading === null) return null
  const recorded = hook.decoder.session(reading.decoder)
  const session = { ...recorded, sessionId: event.sessionId, attended: attendedIn(hook, event, recorded) }
  return { reading, session, ...placeOf(recorded) }
}

/** Loads the settings, with the host's own model if it may be asked, and with the user's commands in the session. */
const placeAt = <S>(hook: Hooks.Hook<S>, event: HookEvent, cwd: string | null): Place => {
  const key = Hooks.keyOf(hook, event)
  const root = cwd === null ? "/" : ProjectRoot.of(cwd)
  const said = SessionFile.modelWordOf(key)
  const settled = Hooks.settingsOf(hook, root, Billing.mayAsk({ ...hook, said }))
  const config = withMore(settled.config, SessionFile.doneWhenOf(key))
  const without = {
    ...(said === "off" && { model: said, crossReview: {} }),
    ...(SessionFile.isUnchecked(key) && {
      checks: config.checks.map((check) => ({ ...check, when: "ask" as const }))
    })
  }
  return { root, settled: { ...settled, config: { ...config, ...without } } }
}

/** Build services (CI) set this variable. No user is present there. */
const isCi = ({ CI }: Readonly<Record<string, string | undefined>>): boolean =>
  !["", "0", "false", undefined].includes(CI)

/** The user's command decides first, then the record, then the environment. Null if unknown. */
const attendedIn = <S>(hook: Hooks.Hook<S>, event: HookEvent, { attended = null }: SessionInfo): boolean | null =>
  SessionFile.isAttended(Hooks.keyOf(hook, event)) ?? attended ?? (isCi(hook.env) ? false : null)

export const whole = <S>(hook: Hooks.Hook<S>, event: HookEvent): ReadStop<S> | null =>
  readNow(hook, event, { isWhole: true })

/** In characters. A host may send megabytes, and removing secrets from them takes seconds. */
const mostRead = 100_000

/** Cuts at white space if possible, because redaction does not recognize a part of a secret. */
const tailOf = (message: string): string => {
  if (message.length <= mostRead) return message
  const end = message.slice(-mostRead)
  return end.slice(Math.max(0, end.search(/\s/)))
}

/** The host's final message, if the record lacks it. A host may record this message a moment later. */
const lastMessage = ({ stop }: Judgment.JudgmentState, said: string | null): ReadonlyArray<TranscriptEvent> => {
  const text = tailOf(said?.trim() ?? "")
  // Compares texts without secrets, because the saved text has no secrets.
  const isKnown = stop.spokeLast && redact(stop.text).trim().endsWith(redact(text).trim().slice(-400))
  if (text === "" || isKnown) return []
  return [{ type: "assistant_message", id: null, at: null, text, completed: true, outputTokens: null, model: null }]
}

/** Adds the events from the end of the record and from the final message. */
export const ended = <S>(
  hook: Hooks.Hook<S>,
  event: HookEvent,
  { context, decoder, events, judgment }: RecordTail.Reading<S>
): { readonly judgment: Judgment.JudgmentState; readonly events: ReadonlyArray<TranscriptEvent> } => {
  const fold = (state: Judgment.JudgmentState, more: ReadonlyArray<TranscriptEvent>) =>
    more.reduce((before, one) => Judgment.step(before, one, context), state)
  const end = hook.decoder.finish(decoder)
  const before = fold(judgment, end)
  const last = lastMessage(before, event.message)
  return { judgment: fold(before, last), events: [...events, ...end, ...last] }
}

/**
 * Why the stop is over: the user wrote, interrupted or stopped reflexion, the time is up, or the record is gone. Null if
 * the answer may be given.
 */
export const superseded = <S>(
  hook: Hooks.Hook<S>,
  event: HookEvent,
  { reading }: ReadStop<S>,
  judgment: Judgment.JudgmentState
): string | null => {
  if (SessionFile.isStopped(Hooks.keyOf(hook, event))) return "the user stopped reflexion in this session"
  if (hook.now() >= hook.deadline) return "the time was up before the record was read again"
  const grown = RecordTail.readOn(reading, hook.decoder)
  if (grown === null) return "the session's record is gone"
  const { judgment: now } = ended(hook, event, grown)
  const isSaid = now.stop.queued || now.task.message !== reading.judgment.task.message
  if (isSaid) return "the user wrote again while the stop was judged"
  return now.interrupted && !judgment.interrupted ? "the user interrupted the agent" : null
}
