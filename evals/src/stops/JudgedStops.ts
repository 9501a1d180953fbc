/** The labelled stops, judged by evidence with somebody there and with nobody, and what a model is asked about each. */
import * as Prompts from "@reflexion/core/internal/model/assessment/Prompt"
import * as TurnRecord from "@reflexion/core/internal/model/assessment/TurnRecord"
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import * as Judgment from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as Crypto from "node:crypto"
import type { Stop } from "../sessions/Corpus.ts"
import * as LabelledStops from "../sessions/LabelledStops.ts"

/** `there` and `alone`: what evidence says. `isAsked`: a model is asked there, if one is configured. */
export interface JudgedStop extends Stop {
  readonly suite: string
  /** Names the question to a model, and tells nothing of the label. */
  readonly id: string
  readonly there: Judgment.JudgedTurn["verdict"]
  readonly alone: Judgment.JudgedTurn["verdict"]
  readonly isAsked: boolean
  readonly record: TurnRecord.Turn
}

export const attempt = { attempt: 1, maxAttempts: 3 }

/** No model is asked here: the configuration has to name one, or none is due. */
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
  /** Labels that are of no stop on record. */
  readonly lost: ReadonlyArray<Stop>
}

/** Every labelled stop of a folder, by its id: an order that tells nothing. */
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

/** What a model is asked about a stop, as in use. */
export const promptOf = ({ id, record }: JudgedStop): Prompts.Prompt =>
  Prompts.selfAssessment(record, { ...attempt, nonce: `record-${id}`, guidance: null, instructions: null })
