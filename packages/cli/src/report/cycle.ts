/** What the reflection cycle said and left in a report: a model's analyses, and changes that wait for a person. Pure. */
import type { Branch } from "@reflexion/core/internal/learn/changes/LeftChanges"
import type { RecommendedAction } from "@reflexion/core/RecommendedAction"
import { clean } from "@reflexion/core/internal/base/text/PlainText"
import { redactedHead } from "@reflexion/core/internal/base/redaction/RedactedHead"
import type { ReflectionFinding } from "@reflexion/core/internal/learn/rules/ReflectionFinding"
import { type Analysis, type Change, type Cycle, limits } from "./model.ts"

/**
 * A proposal as it stands in its file; `reference` is its place in the project, `at` epoch ms.
 *
 * @category models
 */
export interface Proposal {
  readonly reference: string
  readonly at: number
  readonly action: RecommendedAction
}

/**
 * What mutators left in the project.
 *
 * @category models
 */
export interface Left {
  readonly proposals: ReadonlyArray<Proposal>
  readonly branches: ReadonlyArray<Branch>
}

export const nothing: Left = { proposals: [], branches: [] }

const shown = (given: string, most: number = limits.text): string => redactedHead(clean(given), most)

const ofProposal = ({ action, at, reference }: Proposal): Change => ({
  state: "proposal",
  reference: shown(reference),
  at,
  target: action.target === null ? null : shown(action.target),
  change: shown(action.change),
  reason: shown(action.reason),
  changed: "",
  diff: ""
})

const ofBranch = ({ action, at, changed, diff, isMerged, name, subject }: Branch): Change => ({
  state: isMerged ? "merged" : "branch",
  reference: shown(name),
  at,
  target: action?.target == null ? null : shown(action.target),
  change: shown(action?.change ?? subject),
  reason: shown(action?.reason ?? ""),
  changed: shown(changed),
  diff: shown(diff, limits.diff)
})

const order = ["branch", "proposal", "merged"] as const

/** What waits for a person first, and of it the newest. */
const byNeed = (one: Change, other: Change): number =>
  order.indexOf(one.state) - order.indexOf(other.state) || (other.at ?? 0) - (one.at ?? 0)

const analysedBy = "analysed: "

/**
 * The analysis in which a finding was, null where its line names none.
 *
 * @category accessors
 */
export const analysisOf = ({ actionTaken }: Pick<ReflectionFinding, "actionTaken">): string | null =>
  actionTaken?.startsWith(analysedBy) === true ? actionTaken.slice(analysedBy.length) : null

/** What an analysis led to, as its line says it: `left proposal PLACE, branch NAME`. */
const references = (actionTaken: string | null): ReadonlyArray<string> =>
  (actionTaken ?? "")
    .replace(/^left /u, "")
    .split(/, (?=(?:proposal|branch) )/u)
    .flatMap((one) => /^(?:proposal|branch) (.{1,4096})$/u.exec(one)?.[1] ?? [])

const recommended = "\n\nRecommended:\n"

const analysed = (finding: ReflectionFinding, all: ReadonlyArray<ReflectionFinding>): Analysis => {
  const [observations = "", list = ""] = finding.detail.split(recommended)
  return {
    id: shown(finding.id),
    at: finding.at,
    observations: shown(observations),
    recommended: list.split("\n").flatMap((line) => (line.startsWith("- ") ? [shown(line.slice(2))] : [])),
    left: references(finding.actionTaken).map((reference) => shown(reference)),
    of: all
      .filter((one) => analysisOf(one) === finding.id)
      .map(({ rule, subjectId, subjectType }) => ({ rule, subjectType, subjectId: shown(subjectId) }))
  }
}

export const isAnalysis = ({ action }: ReflectionFinding): boolean => action === "reflection_analysis"

/**
 * `findings` are all of the log; `within` says which of the analyses belong to the report's time. Changes wait however old
 * they are.
 *
 * @category constructors
 */
export const make = (
  findings: ReadonlyArray<ReflectionFinding>,
  { branches, proposals }: Left,
  within: (at: number) => boolean
): Cycle => {
  const changes = [...proposals.map(ofProposal), ...branches.map(ofBranch)].toSorted(byNeed)
  const analyses = findings
    .filter((one) => isAnalysis(one) && within(Date.parse(one.at)))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  return {
    changes: changes.slice(0, limits.changes),
    changesLeftOut: Math.max(0, changes.length - limits.changes),
    analyses: analyses.slice(0, limits.analyses).map((one) => analysed(one, findings)),
    analysesLeftOut: Math.max(0, analyses.length - limits.analyses)
  }
}
