/**
 * A session folded event by event, and a verdict taken wherever one is wanted: memory does not grow with the session.
 *
 * @since 0.1.0
 */
import * as Judgment from "@reflexion/core/Judgment"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import type { Turn } from "./JudgeRequest.ts"
import { promptOf } from "./PromptedFold.ts"
import type { Fold } from "./SessionReading.ts"

/**
 * The verdicts that were asked for, in the order of their turns. `turns` counts those of the whole session, `last` is
 * the number of the last: numbers have gaps where a prompt was merged into the turn before it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Folded {
  readonly verdicts: ReadonlyArray<Verdict>
  readonly turns: number
  readonly last: number
}

/**
 * @since 0.1.0
 * @category models
 */
export type SessionFold = Fold<Folded>

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** With what the disk says of the working copy: that holds for the session's last turn only. */
  readonly context: Judgment.JudgmentContext
  readonly turn: Turn
  readonly task: string | null
  /** The time to judge at; null is the last event's. */
  readonly now: string | null
  /** A clock in milliseconds, for what a verdict cost. */
  readonly millis: () => number
}

/** The fold for turns before the last: the working copy as it is now says nothing about them. */
const earlier = (context: Judgment.JudgmentContext): Judgment.JudgmentContext => ({
  ...context,
  repo: RepoSignals.empty
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ context, millis, now, task, turn }: Options): SessionFold => {
  const past = earlier(context)
  const isSplit = turn !== "last" && context.repo !== RepoSignals.empty
  const verdicts: Array<Verdict> = []
  let state = Judgment.initial
  let pastState = Judgment.initial
  let turns = 1
  let since = millis()
  // Some hosts' records leave the prompt out: then all of the session is the task that was given.
  let promptless = task === null ? null : Judgment.step(Judgment.initial, promptOf(task), context)

  const wants = (index: number): boolean => turn === "all" || turn === index

  const judge = (from: Judgment.JudgmentState, by: Judgment.JudgmentContext, session: SessionInfo): void => {
    const time = now ?? from.stop.lastAt
    const verdict = Judgment.verdict(from, { session, context: by, now: time, ...(task !== null && { task }) })
    const durationMs = Math.max(0, millis() - since)
    since += durationMs
    verdicts.push({ ...verdict, cost: { ...verdict.cost, durationMs } })
  }

  const take = (event: TranscriptEvent, session: SessionInfo): void => {
    const index = Judgment.turnIndex(state)
    if (promptless !== null) {
      promptless = Judgment.startsTurn(state, event) ? null : Judgment.step(promptless, event, context)
    }
    if (index >= 0 && Judgment.startsTurn(state, event)) {
      turns += 1
      if (wants(index)) judge(isSplit ? pastState : state, past, session)
    }
    state = Judgment.step(state, event, context)
    if (isSplit) pastState = Judgment.step(pastState, event, past)
  }

  return {
    push: (events, session) => {
      for (const event of events) take(event, session)
    },
    end: (session) => {
      const index = Math.max(0, Judgment.turnIndex(state))
      if (turn === "last" || wants(index)) judge(promptless ?? state, context, session)
      return { verdicts, turns, last: index }
    }
  }
}
