/** What was handed over, measured, looked at, searched or written, held against the record. */
import { deed, type Evidence, type Run } from "../evidence/Evidence.ts"
import type { Claim, ClaimKind, Held, Standing } from "./model.ts"
import { codeEdit, mayHave, type Seen } from "./seen.ts"

type Kept = Evidence["deeds"][number]["kind"]

const as = (claim: Claim, standing: Standing, fact = "", call: string | null = null): Held => ({
  claim,
  standing,
  fact,
  calls: call === null ? [] : [call],
  failing: false
})

/** What is missing on record, as a sentence. */
const lacks: Readonly<Partial<Record<ClaimKind, string>>> = {
  commit: "no commit is on record",
  push: "no push is on record",
  pr: "no pull request was opened on record",
  deploy: "no deployment is on record",
  benchmark: "nothing that measures anything was run on record",
  coverage: "no run that measures coverage is on record",
  look: "nothing that could have tried it was run on record",
  browser: "nothing on record opened, rendered or called it",
  platform: "nothing on record ran on more than one of them",
  audit: "no scan is on record",
  search: "no search is on record",
  tests_added: "no edit of tests is on record",
  docs: "no edit of it is on record"
}

const runsOf = ({ runs }: Evidence, ...gates: ReadonlyArray<string>): ReadonlyArray<Run> =>
  runs.filter(({ gate }) => gates.includes(gate))

/** A delivery: made in this task, or earlier with nothing changed since. */
const heldDelivery = (claim: Claim, runs: ReadonlyArray<Run>, seen: Seen): Held => {
  const last = runs[runs.length - 1]
  const own = runs.filter(({ turn }) => turn >= seen.task.since)
  if (last?.result === "failed" && last.exitCode !== null && !mayHave(seen, last.order + 1))
    return as(claim, "contradicted", `\`${last.command.slice(0, 80)}\` failed: ${last.detail}`, last.callId)
  if (own.length > 0 || (last !== undefined && codeEdit(seen.evidence).order <= last.order))
    return as(claim, "borne_out", "", last?.callId ?? null)
  return absent(claim, seen, last === undefined ? "" : " in this task")
}

const absent = (claim: Claim, seen: Seen, note = ""): Held =>
  mayHave(seen, 0)
    ? as(claim, "not_checkable")
    : as(claim, "unfounded", `${lacks[claim.kind] ?? "nothing of it is on record"}${note}`)

const heldByDeed = (claim: Claim, seen: Seen, ...kinds: ReadonlyArray<Kept>): Held => {
  const found = kinds.map((kind) => deed(seen.evidence, kind)).find((one) => one !== undefined)
  return found === undefined ? absent(claim, seen) : as(claim, "borne_out", "", found.callId)
}

/** A deployment that was only shown, and not made. A service may deploy what is pushed. */
const heldDeployment = (claim: Claim, seen: Seen): Held => {
  const { evidence } = seen
  const made = deed(evidence, "deploy")
  if (made !== undefined) return as(claim, "borne_out", "", made.callId)
  if (runsOf(evidence, "push", "pr").length > 0 || evidence.pushes.length > 0) return as(claim, "not_checkable")
  const shown = deed(evidence, "rehearsal")
  if (shown === undefined) return absent(claim, seen)
  return mayHave(seen, shown.order + 1)
    ? as(claim, "not_checkable")
    : as(claim, "contradicted", `\`${shown.what.slice(0, 80)}\` only showed what it would do`, shown.callId)
}

const ofCode =
  /\b(?:docstrings?|comments?|inline|jsdoc|javadoc|godoc|rustdoc|doc comments?|openapi|swagger|help text)\b/i

const heldDocs = (claim: Claim, seen: Seen): Held => {
  if (ofCode.test(claim.text) || seen.task.continued || seen.evidence.edits.length >= 64)
    return as(claim, "not_checkable")
  if (/readme/i.test(claim.text)) return heldByDeed(claim, seen, "readme")
  if (/changelog/i.test(claim.text)) return heldByDeed(claim, seen, "changelog")
  return seen.evidence.edits.some(({ kind }) => kind === "wording")
    ? as(claim, "not_checkable")
    : heldByDeed(claim, seen, "docs", "readme", "changelog")
}

/** A time or a size that a check prints as well. */
const ofChecks = /\b(?:tests?|suite|build|compil\w{1,6}|bundle|ci|pipeline|lint)\b/i

const heldMeasure = (claim: Claim, seen: Seen): Held =>
  ofChecks.test(claim.text) && seen.evidence.runs.length > 0
    ? as(claim, "not_checkable")
    : heldByDeed(claim, seen, "benchmark")

/** What a filter took out of a run's output may have been its coverage. */
const heldCoverage = (claim: Claim, seen: Seen): Held => {
  const tests = runsOf(seen.evidence, "tests")
  const hidden = tests.some(({ detail, masked }) => masked || !/\d (?:passed|failed)/.test(detail))
  return hidden ? as(claim, "not_checkable") : heldByDeed(claim, seen, "coverage")
}

/** Whether a claim about something else than a check is borne out. */
export const heldDeed = (claim: Claim, seen: Seen): Held => {
  const { evidence } = seen
  switch (claim.kind) {
    case "commit":
      return deed(evidence, "commit") === undefined
        ? heldDelivery(claim, runsOf(evidence, "commit"), seen)
        : as(claim, "not_checkable")
    case "push":
      return heldDelivery(claim, runsOf(evidence, "push", "pr"), seen)
    case "pr":
      return heldDelivery(claim, runsOf(evidence, "pr"), seen)
    case "deploy":
      return heldDeployment(claim, seen)
    case "benchmark":
      return heldMeasure(claim, seen)
    case "coverage":
      return heldCoverage(claim, seen)
    case "look":
      return heldByDeed(claim, seen, "ran", "browser")
    case "browser":
      return heldByDeed(claim, seen, "browser")
    case "platform":
      return heldByDeed(claim, seen, "platform", "ci")
    case "audit":
      return heldByDeed(claim, seen, "audit")
    case "search":
      return heldByDeed(claim, seen, "search")
    case "tests_added":
      return heldByDeed(claim, seen, "tests")
    case "docs":
      return heldDocs(claim, seen)
    default:
      return as(claim, "not_checkable")
  }
}
