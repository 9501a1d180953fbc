/**
 * A session folded event by event, and a verdict taken wherever one is wanted: memory grows with the session only where a
 * model may be asked about it.
 */
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import type { Judged } from "@reflexion/core/JudgeService"
import * as Judgment from "@reflexion/core/Judgment"
import * as Progress from "@reflexion/core/internal/review/tiers/Progress"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import * as Effect from "effect/Effect"
import type { Fold } from "../session/SessionReading.ts"

/** A number counts turns from 0. */
export type Turn = "last" | "all" | number

/** A verdict, with what was done for it beyond reading the record. */
export type FullVerdict = Verdict & Pick<Judged, "checks" | "crossReview" | "progress">

/** A turn at its end. `consulted`: somebody other than the evidence was asked about the verdict. */
export interface TurnEnd<S> {
  readonly state: S
  readonly options: Judgment.VerdictOptions
  readonly verdict: FullVerdict
  readonly consulted: boolean
}

/** What a view folds a session into, which has the judge's state in it, and what it makes of a turn's end. */
export interface TurnView<S, A> {
  readonly initial: S
  readonly step: (state: S, event: TranscriptEvent, context: Judgment.JudgmentContext) => S
  readonly judgment: (state: S) => Judgment.JudgmentState
  /** Null where the session has no task. */
  readonly show: (end: TurnEnd<S>) => A | null
}

/**
 * What the turns came to that were asked for, in their order; `lastAt` is the time of the last event judged. `turns` counts those of the whole session, `last` is the number of the
 * last: numbers have gaps where a prompt was merged into the turn before it.
 */
export interface FoldedSession<A> {
  readonly shown: ReadonlyArray<A>
  readonly lastAt: string | null
  readonly turns: number
  readonly last: number
}

/**
 * A turn as evidence judges it, and the session's events, for a question to a model; null where they are too many. `last`: no turn comes after it, so that the working copy may be what it left.
 */
export interface Consultation {
  readonly state: Judgment.JudgmentState
  readonly options: Judgment.VerdictOptions
  readonly judged: Judgment.JudgedTurn
  readonly events: (() => ReadonlyArray<TranscriptEvent>) | null
  readonly last: boolean
}

export type Consult = (about: Consultation) => Effect.Effect<FullVerdict>

export interface Options {
  /** With what the disk says of the working copy: that holds for the session's last turn only. */
  readonly context: Judgment.JudgmentContext
  readonly turn: Turn
  /** What was asked, instead of the session's own prompt. */
  readonly task: string | null
  /** The time to judge at, asked for when a turn is judged; null is the last event's. */
  readonly now: () => string | null
  /** A clock in milliseconds, for what a verdict cost. */
  readonly millis: () => number
  /** Has the last word on each verdict; null leaves it to evidence. */
  readonly consult: Consult | null
}

/** In characters. Of a longer session nothing is held: what is not there must not look as if it had not been done. */
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

/** A nudge of ours in the record, and how things stood when it was given. */
interface Nudge {
  readonly text: string
  readonly state: Judgment.JudgmentState
}

/** What came of the turn's last nudge, where there was one. */
const progressOf = (
  nudge: Nudge | null,
  verdict: Verdict,
  { options, state }: Pick<Consultation, "options" | "state">
): Pick<FullVerdict, "progress"> => {
  const { count: attempt, mark } = state.nudges
  if (nudge === null || attempt === 0) return {}
  const before = Judgment.verdict(nudge.state, { ...options, attempt })
  const reminder = { attempt, mark, text: nudge.text, verdict: before }
  return { progress: Progress.since(reminder, { verdict, mark: Judgment.mark(state, options.context) }) }
}

export const make = <S, A>(view: TurnView<S, A>, given: Options): Fold<FoldedSession<A | null>> => {
  const { consult, context, millis, now, task, turn } = given
  const { initial, judgment, show, step } = view
  // The working copy as it is now says nothing about the turns before the last.
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
  // Some hosts' records leave the prompt out: then all of the session is the task that was given.
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
      const last = Math.max(0, judgment(state).task.turn)
      if (typeof turn === "string" || turn === last) judge(promptless ?? state, context, { session, last: true })
      return { shown, lastAt, turns, last }
    }
  }
}
