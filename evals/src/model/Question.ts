/** What a model is asked about: the hand-written cases and the labelled stops, each with the label it is graded by. */
import * as BeyondEvidence from "@reflexion/core/internal/ask/tiers/BeyondEvidence"
import type * as JudgeService from "@reflexion/core/JudgeService"
import * as Judgment from "@reflexion/core/Judgment"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import type { Transcript } from "@reflexion/core/Transcript"
import type { Status, StopKind } from "@reflexion/core/Verdict"
import { type Case, transcript } from "../case/Case.ts"
import * as Corpus from "../sessions/Corpus.ts"
import * as ModelSuite from "./ModelSuite.ts"
import { repoSignals } from "../case/Repo.ts"
import { suites } from "../case/Suites.ts"
import type { ModelOptions } from "./ModelOptions.ts"

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

const ofCase = (self: Case): Question =>
  questionOf({
    suite: "cases",
    id: self.id,
    session: self.id,
    why: self.why,
    label: { statuses: [self.expect.status].flat(), push: self.expect.push ?? null },
    transcript: transcript(self),
    context: {
      config: ReflexionConfig.merge(ReflexionConfig.defaults, {
        ...(self.profile && { profile: self.profile }),
        ...(self.gates && { gates: self.gates })
      }),
      ...(self.repo && { repo: repoSignals(self.repo) })
    }
  })

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
export const ofStop = ({ stop, suite, upTo }: ModelSuite.Labelled): Question =>
  questionOf({
    suite,
    id: `${suite}/${stop.session}:${stop.turn}`,
    session: stop.session,
    why: stop.why.join(" "),
    label: { statuses: stop.kinds.filter(isKind).flatMap((kind) => kinds[kind]), push: stop.push },
    transcript: upTo,
    context: {}
  })

/** So many of them, spread evenly over all. */
const spread = <A>(all: ReadonlyArray<A>, limit: number | null): ReadonlyArray<A> =>
  limit === null || limit >= all.length
    ? all
    : Array.from({ length: limit }, (_, index) => Math.floor((index * all.length) / limit)).flatMap(
        (at) => all[at] ?? []
      )

const isAbout = (suite: string, { suites: wanted }: ModelOptions): boolean =>
  wanted.length === 0 || wanted.includes(suite)

const isNamed = (id: string, { cases }: ModelOptions): boolean =>
  cases.length === 0 || cases.some((name) => id.startsWith(name))

const written = (options: ModelOptions): ReadonlyArray<Question> =>
  isAbout("cases", options)
    ? Object.values(suites)
        .flat()
        .filter(({ id }) => isNamed(id, options))
        .map(ofCase)
    : []

const labelled = (options: ModelOptions, root: string | null): ReadonlyArray<Question> =>
  root === null || !Corpus.names.some((suite) => isAbout(suite, options))
    ? []
    : ModelSuite.labelled(root)
        .filter(({ suite }) => isAbout(suite, options))
        .map(ofStop)
        .filter(({ id }) => isNamed(id, options))

/** The questions of a run, in the order of their suites. `root` is the corpus's directory, null where there is none. */
export const questions = (options: ModelOptions, root: string | null): ReadonlyArray<Question> => {
  const all = [...written(options), ...labelled(options, root)].filter(({ open }) => open || options.ask === "all")
  return [...new Set(all.map(({ suite }) => suite))].flatMap((suite) =>
    spread(
      all.filter((question) => question.suite === suite),
      options.limit
    )
  )
}
