/** Judges the labelled stops by evidence, attended and unattended, and makes the question to a model about each. */
import * as Prompts from "@reflexion/core/internal/model/assessment/Prompt"
import * as TurnRecord from "@reflexion/core/internal/model/assessment/TurnRecord"
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import * as Judgment from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Crypto from "node:crypto"
import type { Stop } from "../sessions/Corpus.ts"
import * as LabelledStops from "../sessions/LabelledStops.ts"

/** `there` is the verdict with a user present, `alone` without a user. `isAsked`: a configured model would be asked. */
export interface JudgedStop extends Stop {
  readonly suite: string
  /** Identifies the question to a model. It does not reveal the label. */
  readonly id: string
  readonly there: Judgment.JudgedTurn["verdict"]
  readonly alone: Judgment.JudgedTurn["verdict"]
  readonly isAsked: boolean
  readonly record: TurnRecord.Turn
}

export const attempt = { attempt: 1, maxAttempts: 3 }

/** A question is due only if the configuration names a model. This module does not ask it. */
const config = ReflexionConfig.merge(ReflexionConfig.defaults, { model: "eval/any" })

const idOf = ({ session, stoppedAt = "", turn }: Stop, suite: string): string =>
  Crypto.createHash("sha256").update([suite, session, turn, stoppedAt].join("\n")).digest("hex").slice(0, 12)

const judged = ({ found }: ReturnType<typeof LabelledStops.ofSession>): ReadonlyArray<JudgedStop> => {
  const context = { ...Judgment.defaultContext, config, cwd: found[0]?.upTo.cwd ?? null }
  let before: Judgment.Replay | undefined
  return found.map(({ stop, suite, upTo }) => {
    before = Judgment.replay(upTo, context, before)
    const { state } = before
    const as = (attended: boolean) => ({ session: { ...upTo, attended }, context, now: null, attempt: 1 })
    const [there, alone] = [as(true), as(false)].map((options) => Judgment.review(state, options))
    if (there === undefined || alone === undefined) throw new Error("a stop is judged twice")
    return {
      ...stop,
      suite,
      id: idOf(stop, suite),
      there: there.verdict,
      alone: alone.verdict,
      isAsked: BeyondEvidence.dueAt(state, there.verdict, as(true)).model,
      record: TurnRecord.turnOf(state, { ...as(true), transcript: upTo, judged: there })
    }
  })
}

export interface JudgedFolder {
  readonly stops: ReadonlyArray<JudgedStop>
  /** Labels whose stop is not in the record. */
  readonly lost: ReadonlyArray<Stop>
}

/** The stops are sorted by id, because this order does not reveal the labels. */
export const ofFolder = (folder: string): JudgedFolder => {
  const sessions = [...LabelledStops.inFolder(folder)].map((session) => ({
    stops: judged(session),
    lost: session.lost
  }))
  return {
    stops: sessions.flatMap(({ stops }) => stops).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    lost: sessions.flatMap(({ lost }) => lost)
  }
}

export const promptOf = ({ id, record }: JudgedStop): Prompts.Prompt =>
  Prompts.selfAssessment(record, { ...attempt, nonce: `record-${id}`, guidance: null, instructions: null })
