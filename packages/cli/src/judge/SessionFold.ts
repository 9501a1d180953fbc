/** Folds a session and judges each requested turn. Events are kept in memory only if a model may be asked. */
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import type { Judged } from "@reflexion/core/JudgeService"
import * as Judgment from "@reflexion/core/Judgment"
import * as Progress from "@reflexion/core/internal/review/tiers/Progress"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import * as ToolKinds from "@reflexion/core/internal/session/transcript/ToolKinds"
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import * as Effect from "effect/Effect"
import type { Fold } from "../session/SessionReading.ts"

/** A number counts turns from 0. */
export type Turn = "last" | "all" | number

export type FullVerdict = Verdict & Pick<Judged, "checks" | "crossReview" | "progress">

export interface TurnEnd<S> {
  readonly state: S
  readonly options: Judgment.VerdictOptions
  readonly verdict: FullVerdict
  /** True if checks or models also decided the verdict. */
  readonly consulted: boolean
}

/** A view's state contains the judge's state. */
export interface TurnView<S, A> {
  readonly initial: S
  readonly step: (state: S, event: TranscriptEvent, context: Judgment.JudgmentContext) => S
  readonly judgment: (state: S) => Judgment.JudgmentState
  /** Null if the session has no task. */
  readonly show: (end: TurnEnd<S>) => A | null
}

export interface FoldedSession<A> {
  readonly shown: ReadonlyArray<A>
  /** The time of the last judged event. */
  readonly lastAt: string | null
  readonly turns: number
  /** The last turn's number. A prompt that joined the turn before leaves a gap in the numbers. */
  readonly last: number
}

/** `judged` is the judgement by evidence. */
export interface Consultation {
  readonly state: Judgment.JudgmentState
  readonly options: Judgment.VerdictOptions
  readonly judged: Judgment.JudgedTurn
  /** Null if the session is too long to keep its events. */
  readonly events: (() => ReadonlyArray<TranscriptEvent>) | null
  /** True if no turn follows, so the working copy may still be as this turn left it. */
  readonly last: boolean
}

export type Consult = (about: Consultation) => Effect.Effect<FullVerdict>

export interface Options {
  /** Its signals of the working copy apply only to the session's last turn. */
  readonly context: Judgment.JudgmentContext
  readonly turn: Turn
  /** Null uses the session's own prompt. */
  readonly task: string | null
  /** Called when a turn is judged. Null means the time of the last event. */
  readonly now: () => string | null
  readonly millis: () => number
  /** If null, evidence alone decides. */
  readonly consult: Consult | null
}

/** In characters. A longer session's events are not kept: missing events would look like missing work. */
const mostHeld = 20_000_000

const holding = () => {
  const events: Array<TranscriptEvent> = []
  let size = 0
  return {
    push: (event: TranscriptEvent): void => {
      size += size > mostHeld ? 0 : JSON.stringify(event).length
      if (size <= mostHeld) events.push(event)
      else events.length = 0
    },
    held: (): Consultation["events"] => {
      const end = events.length
      return size > mostHeld ? null : () => events.slice(0, end)
    }
  }
}

const done: TranscriptEvent = {
  type: "assistant_message",
  id: null,
  at: null,
  text: "Done.",
  completed: true,
  outputTokens: null,
  model: null
}

/** One of our nudges in the record, with the judge's state before it. */
interface Nudge {
  readonly text: string
  readonly state: Judgment.JudgmentState
}

const progressOf = (
  nudge: Nudge | null,
  verdict: Verdict,
  { options, state }: Pick<Consultation, "options" | "state">
): Pick<FullVerdict, "progress"> => {
  const { count: attempt, mark } = state.nudges
  if (nudge === null || attempt === 0) return {}
  const before = Judgment.verdict(nudge.state, { ...options, attempt })
  const last = { attempt, mark, text: nudge.text, verdict: before }
  return { progress: Progress.since(last, { verdict, mark: Judgment.mark(state, options.context) }) }
}

export const make = <S, A>(view: TurnView<S, A>, given: Options): Fold<FoldedSession<A | null>> => {
  const { consult, context, millis, now, task, turn } = given
  const { initial, judgment, show, step } = view
  // The present working copy says nothing about earlier turns.
  const past = { ...context, repo: RepoSignals.empty }
  const isSplit = turn !== "last" && context.repo !== RepoSignals.empty
  const shown: Array<A | null> = []
  let lastAt: string | null = null
  const record = consult === null ? null : holding()
  const waiting: Array<Effect.Effect<void>> = []
  let state = initial
  let pastState = initial
  let turns = 1
  let since = millis()
  let nudge: Nudge | null = null
  let asks = false
  // Some hosts' records lack the prompt. Then the whole session belongs to the given task.
  const prompt = { type: "user_message", id: null, at: null, text: task ?? "", synthetic: false } as const
  let promptless = task === null ? null : step(initial, prompt, context)

  const judge = (from: S, by: Judgment.JudgmentContext, about: { session: SessionInfo; last: boolean }): void => {
    const own = judgment(from)
    const options = {
      session: about.session,
      context: by,
      now: now() ?? own.stop.lastAt,
      ...(task !== null && { task })
    }
    const judged = Judgment.review(own, options)
    const at = shown.length
    lastAt = own.stop.lastAt
    const before = nudge
    const put = (verdict: FullVerdict, consulted: boolean, ms: number): void => {
      const cost = { ...verdict.cost, durationMs: Math.max(0, ms) }
      const progress = progressOf(before, verdict, { options, state: own })
      shown[at] = show({ state: from, options, verdict: { ...verdict, cost, ...progress }, consulted })
    }
    const took = Math.max(0, millis() - since)
    since += took
    put(judged.verdict, false, took)
    if (consult === null || record === null) return
    const events = record.held()
    waiting.push(
      Effect.suspend(() => {
        const started = millis()
        const asking = consult({ state: own, options, judged, events, last: about.last })
        return Effect.map(asking, (verdict) => put(verdict, true, took + millis() - started))
      })
    )
  }

  const take = (event: TranscriptEvent, session: SessionInfo): void => {
    const own = judgment(state)
    const starts = Judgment.startsTurn(own, event)
    if (promptless !== null) promptless = starts ? null : step(promptless, event, context)
    if (starts && own.task.turn >= 0) {
      turns += 1
      if (turn === "all" || turn === own.task.turn) judge(isSplit ? pastState : state, past, { session, last: false })
    }
    if (event.type === "user_message" && event.synthetic && Feedback.attemptOf(event.text) !== null)
      nudge = { text: event.text, state: own }
    if (starts) asks = false
    if (event.type === "tool_call" && ToolKinds.asksVerdict(event)) {
      asks = event.status === "pending" || event.status === "running"
      if (asks) return
    }
    state = step(state, event, context)
    record?.push(event)
    if (isSplit) pastState = step(pastState, event, past)
  }

  return {
    ...(consult !== null && {
      settle: Effect.suspend(() =>
        Effect.map(Effect.all(waiting.splice(0), { discard: true }), () => void (since = millis()))
      )
    }),
    push: (events, session) => {
      for (const event of events) take(event, session)
    },
    end: (session) => {
      // The agent itself asks for a verdict. We judge as if it stopped here and said that it is done.
      if (asks) take(done, session)
      const last = Math.max(0, judgment(state).task.turn)
      if (typeof turn === "string" || turn === last) judge(promptless ?? state, context, { session, last: true })
      return { shown, lastAt, turns, last }
    }
  }
}
