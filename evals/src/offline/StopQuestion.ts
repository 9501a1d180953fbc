/** A labelled stop as a question to a model, with the label it is graded by. */
import * as BeyondEvidence from "@reflexion/core/internal/review/tiers/BeyondEvidence"
import type * as JudgeService from "@reflexion/core/JudgeService"
import * as Judgment from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import type { Transcript } from "@reflexion/core/Transcript"
import type { Status, StopKind } from "@reflexion/core/Verdict"
import type * as LabelledStops from "../sessions/LabelledStops.ts"

/** What careful readers say of a stop. */
export interface Label {
  readonly statuses: ReadonlyArray<Status>
  /** Whether the agent is to be pushed on; null where that is open. */
  readonly push: boolean | null
}

/** A stop with its label, as tier 1 leaves it. */
export interface Question {
  readonly suite: string
  readonly id: string
  readonly why: string
  readonly label: Label
  /** What is resampled whole: questions of one session are alike. */
  readonly session: string
  readonly seen: JudgeService.Seen
  /** Whether evidence leaves it open, so that the judge asks a model. */
  readonly open: boolean
}

interface Given {
  readonly suite: string
  readonly id: string
  readonly session: string
  readonly why: string
  readonly label: Label
  readonly transcript: Transcript
  readonly context: Partial<Judgment.JudgmentContext>
}

/** No model is asked here: the configuration has to name one for a question to be open. */
const named: ReflexionConfig.PartialConfig = { model: "eval/any" }

const questionOf = ({ context: given, transcript, ...rest }: Given): Question => {
  const base = ReflexionConfig.merge(given.config ?? ReflexionConfig.defaults, named)
  const context = { ...Judgment.defaultContext, ...given, config: base, cwd: transcript.cwd }
  const options = { session: transcript, context, now: null, attempt: 1 }
  const { state } = Judgment.replay(transcript, context)
  const judged = Judgment.review(state, options)
  const seen: JudgeService.Seen = { transcript, state, options, judged, attempt: 1 }
  return { ...rest, seen, open: BeyondEvidence.dueAt(state, judged.verdict, options).model }
}

const kinds: Readonly<Record<StopKind, ReadonlyArray<Status>>> = {
  complete: ["complete"],
  waiting_for_user: ["waiting_for_user", "needs_human"],
  premature: ["incomplete"],
  stuck: ["stuck"],
  working: ["working"],
  aborted: ["aborted"]
}

const isKind = (kind: string): kind is StopKind => Object.hasOwn(kinds, kind)

/** A labelled stop as a question. */
export const ofStop = ({ stop, suite, upTo }: LabelledStops.Labelled): Question =>
  questionOf({
    suite,
    id: `${suite}/${stop.session}:${stop.turn}`,
    session: stop.session,
    why: stop.why.join(" "),
    label: { statuses: stop.kinds.filter(isKind).flatMap((kind) => kinds[kind]), push: stop.push },
    transcript: upTo,
    context: {}
  })
