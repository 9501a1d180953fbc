/** What the reflection cycle said and left in a report: a model's analyses, and changes that wait for a person. Pure. */
import { clean } from "@reflexion/core/internal/base/text/PlainText"
import { redactedHead } from "@reflexion/core/internal/base/redaction/RedactedHead"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { type Analysis, type Change, type Cycle, limits } from "./model.ts"

/**
 * A proposal as it stands in its file; `reference` is its place in the project, `at` epoch ms.
 *
 * @category models
 */
export interface Proposal {
  readonly reference: string
  readonly at: number
  readonly text: string
}

const shown = (given: string, most: number = limits.text): string => redactedHead(clean(given), most)

const changeOf = ({ at, reference, text }: Proposal): Change => {
  const [title = "", ...rest] = shown(text).trim().split("\n")
  return { reference: shown(reference), at, title: title.replace(/^#{1,6} /u, ""), text: rest.join("\n").trim() }
}

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
  proposals: ReadonlyArray<Proposal>,
  within: (at: number) => boolean
): Cycle => {
  const changes = proposals.toSorted((one, other) => other.at - one.at)
  const analyses = findings
    .filter((one) => isAnalysis(one) && within(Date.parse(one.at)))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  return {
    changes: changes.slice(0, limits.changes).map(changeOf),
    changesLeftOut: Math.max(0, changes.length - limits.changes),
    analyses: analyses.slice(0, limits.analyses).map((one) => analysed(one, findings)),
    analysesLeftOut: Math.max(0, analyses.length - limits.analyses)
  }
}
