/** Returns every stop of a list of sessions, with the rules that fire at the stop. */
import * as Rules from "@reflexion/core/internal/judge/rules/Rules"
import * as Judgment from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import type { Transcript } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import * as Crypto from "node:crypto"
import * as Path from "node:path"
import * as Corpus from "../sessions/Corpus.ts"
import * as Sessions from "../sessions/Sessions.ts"
import type { Listed } from "./SessionList.ts"

/**
 * `fired`: the rules that would nudge if every rule had the level `nudge`. `told`: the rules in the user's line at the
 * present levels.
 *
 * @category models
 */
export interface FiredStop {
  readonly stop: string
  readonly listed: Listed
  readonly transcript: Transcript
  readonly index: number
  readonly verdict: Verdict
  readonly fired: ReadonlyArray<string>
  readonly told: ReadonlyArray<string>
  readonly pushed: boolean
  readonly attended: boolean
}

const levelsOf = (rules: ReadonlyArray<Rules.Rule>) => Object.fromEntries(rules.map(({ id }) => [id, "nudge"] as const))

const everyRule = { config: { ...ReflexionConfig.defaults, rules: levelsOf(Rules.rules) } }

const standing = (verdict: Verdict, level: (one: string) => boolean): ReadonlyArray<string> => [
  ...new Set(verdict.findings.filter((finding) => level(finding.level)).map(({ rule }) => rule))
]

/** The rules in the user's line about a stop without a nudge. A nudge names its rules itself. */
const toldAt = (verdict: Verdict): ReadonlyArray<string> =>
  !verdict.shouldContinue && (verdict.status === "incomplete" || verdict.status === "stuck")
    ? standing(verdict, (level) => level === "tell")
    : []

const hashOf = (session: string, turn: number): string =>
  Crypto.createHash("sha256").update(`${session}:${turn}`).digest("hex").slice(0, 16)

/** Leaves out interrupted stops. A subagent's session has no stops. */
export const ofSession = (listed: Listed): ReadonlyArray<FiredStop> => {
  const transcript = Sessions.decode(Corpus.bytes(listed.file))
  if (transcript.parentSessionId !== null) return []
  const widest = Judgment.judgeTurns(transcript, { context: everyRule })
  return Judgment.judgeTurns(transcript).flatMap((verdict, index): ReadonlyArray<FiredStop> => {
    const wide = widest[index]
    if (verdict.status === "aborted" || verdict.turn.index < 0 || wide === undefined) return []
    return [
      {
        stop: hashOf(transcript.sessionId ?? Path.basename(listed.file), verdict.turn.index),
        listed,
        transcript,
        index,
        verdict,
        fired: wide.shouldContinue ? standing(wide, (level) => level === "nudge") : [],
        told: toldAt(verdict),
        pushed: verdict.shouldContinue,
        attended: transcript.attended !== false
      }
    ]
  })
}

export const turnOf = ({ index, transcript, verdict }: FiredStop) => {
  const verdicts = Judgment.judgeTurns(transcript)
  const eventsAt = (at: number) => {
    const one = verdicts[at]
    return one === undefined ? [] : Sessions.turnEvents(transcript, one, verdicts[at + 1])
  }
  return {
    before: [index - 2, index - 1].filter((at) => at >= 0).map(eventsAt),
    events: eventsAt(index),
    next: Sessions.nextPrompt(
      transcript,
      verdicts[verdicts.findIndex(({ turn }) => turn.index === verdict.turn.index) + 1]
    ),
    isLast: index === verdicts.length - 1,
    turns: verdicts.length
  }
}
