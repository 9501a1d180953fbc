/**
 * A session folded event by event, and a verdict taken wherever one is wanted: memory grows with the session only where a
 * model may be asked about it.
 */
import * as Feedback from "@reflexion/core/internal/judge/verdict/Feedback"
import type { Judged } from "@reflexion/core/JudgeService"
import * as Judgment from "@reflexion/core/Judgment"
import * as Progress from "@reflexion/core/internal/review/tiers/Progress"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import type { SessionInfo, TranscriptEvent, UserMessage } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import * as Effect from "effect/Effect"
import type { Turn } from "./request.ts"
import { promptOf } from "../session/PromptedFold.ts"
import type { Fold } from "../session/SessionReading.ts"
import * as HeldEvents from "../session/HeldEvents.ts"

/**
 * A verdict, with what was done for it beyond reading the record.
 *
 * @category models
 */
export type Told = Verdict & Pick<Judged, "checks" | "crossReview" | "progress">

/**
 * The verdicts that were asked for, in the order of their turns. `turns` counts those of the whole session, `last` is
 * the number of the last: numbers have gaps where a prompt was merged into the turn before it.
 *
 * @category models
 */
export interface Folded {
  readonly verdicts: ReadonlyArray<Told>
  readonly turns: number
  readonly last: number
}

export type SessionFold = Fold<Folded>

/**
 * A turn as evidence judges it, and the session's events, by which a model can be asked about it; null where they are
 * too many. `last`: no turn comes after it, so that the working copy may be what it left.
 *
 * @category models
 */
export interface Seen {
  readonly state: Judgment.JudgmentState
  readonly options: Judgment.VerdictOptions
  readonly judged: Judgment.Judged
  readonly events: HeldEvents.Held | null
  readonly last: boolean
}

export type Consult = (seen: Seen) => Effect.Effect<Told>

export interface Options {
  /** With what the disk says of the working copy: that holds for the session's last turn only. */
  readonly context: Judgment.JudgmentContext
  readonly turn: Turn
  readonly task: string | null
  /** The time to judge at; null is the last event's. */
  readonly now: string | null
  /** A clock in milliseconds, for what a verdict cost. */
  readonly millis: () => number
  /** Has the last word on each verdict; null leaves it to evidence. */
  readonly consult?: Consult | null
}

/** A reminder of ours, and how things stood when it was given. */
interface Reminded {
  readonly text: string
  readonly state: Judgment.JudgmentState
}

const isReminder = (event: TranscriptEvent): event is UserMessage =>
  event.type === "user_message" && event.synthetic && Feedback.attemptOf(event.text) !== null

/** What came of the turn's last reminder, where there was one. */
const progressOf = (
  reminded: Reminded | null,
  verdict: Verdict,
  { options, state }: Pick<Seen, "options" | "state">
): Pick<Told, "progress"> => {
  const { count: attempt, mark } = state.pushes
  if (reminded === null || attempt === 0) return {}
  const before = Judgment.verdict(reminded.state, { ...options, attempt })
  const reminder = { attempt, mark, text: reminded.text, verdict: before }
  return { progress: Progress.since(reminder, { verdict, mark: Judgment.mark(state, options.context) }) }
}

/** The fold for turns before the last: the working copy as it is now says nothing about them. */
const earlier = (context: Judgment.JudgmentContext): Judgment.JudgmentContext => ({
  ...context,
  repo: RepoSignals.empty
})

export const make = ({ consult = null, context, millis, now, task, turn }: Options): SessionFold => {
  const past = earlier(context)
  const isSplit = turn !== "last" && context.repo !== RepoSignals.empty
  const verdicts: Array<Told> = []
  const record = consult === null ? null : HeldEvents.make()
  const waiting: Array<{
    readonly at: number
    readonly seen: Seen
    readonly compared: (told: Told) => Told
  }> = []
  let state = Judgment.initial
  let pastState = Judgment.initial
  let turns = 1
  let since = millis()
  let reminded: Reminded | null = null
  // Some hosts' records leave the prompt out: then all of the session is the task that was given.
  let promptless = task === null ? null : Judgment.step(Judgment.initial, promptOf(task), context)

  const wants = (index: number): boolean => turn === "all" || turn === index

  const judge = (
    from: Judgment.JudgmentState,
    by: Judgment.JudgmentContext,
    { last, session }: { readonly session: SessionInfo; readonly last: boolean }
  ): void => {
    const time = now ?? from.stop.lastAt
    const options = { session, context: by, now: time, ...(task !== null && { task }) }
    const judged = record === null ? null : Judgment.review(from, options)
    const verdict = judged?.verdict ?? Judgment.verdict(from, options)
    const durationMs = Math.max(0, millis() - since)
    since += durationMs
    const reminder = reminded
    const compared = (told: Told): Told => ({ ...told, ...progressOf(reminder, told, { state: from, options }) })
    verdicts.push(compared({ ...verdict, cost: { ...verdict.cost, durationMs } }))
    if (record === null || judged === null) return
    waiting.push({
      at: verdicts.length - 1,
      compared,
      seen: { state: from, options, judged, events: record.held(), last }
    })
  }

  const take = (event: TranscriptEvent, session: SessionInfo): void => {
    const index = Judgment.turnIndex(state)
    if (promptless !== null) {
      promptless = Judgment.startsTurn(state, event) ? null : Judgment.step(promptless, event, context)
    }
    if (index >= 0 && Judgment.startsTurn(state, event)) {
      turns += 1
      if (wants(index)) judge(isSplit ? pastState : state, past, { session, last: false })
    }
    if (isReminder(event)) reminded = { text: event.text, state }
    state = Judgment.step(state, event, context)
    record?.push(event)
    if (isSplit) pastState = Judgment.step(pastState, event, past)
  }

  const settle = Effect.fnUntraced(function* (by: Consult) {
    for (const { at, compared, seen } of waiting.splice(0)) {
      const started = millis()
      const verdict = yield* by(seen)
      const durationMs = (verdicts[at]?.cost.durationMs ?? 0) + Math.max(0, millis() - started)
      verdicts[at] = compared({ ...verdict, cost: { ...verdict.cost, durationMs } })
    }
    since = millis()
  })

  return {
    ...(consult !== null && { settle: Effect.suspend(() => settle(consult)) }),
    push: (events, session) => {
      for (const event of events) take(event, session)
    },
    end: (session) => {
      const index = Math.max(0, Judgment.turnIndex(state))
      if (turn === "last" || wants(index)) judge(promptless ?? state, context, { session, last: true })
      return { verdicts, turns, last: index }
    }
  }
}
