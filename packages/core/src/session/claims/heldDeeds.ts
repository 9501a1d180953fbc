/** What was handed over, measured, looked at, searched or written, held against the record. */
import { deed, type Evidence, figuresIn, nothingSent, type Run } from "../evidence/Evidence.ts"
import { clip } from "../../ground/text/Text.ts"
import { inFull, platformsIn } from "../shell/CommandSigns.ts"
import { heldSearch } from "./heldSearch.ts"
import type { Claim, ClaimKind, Held, Standing } from "./model.ts"
import { codeEdit, isNamed, mayHave, mayHaveChanged, mayHaveSent, mayHaveShown, type Seen, sourceEdit } from "./seen.ts"

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
  pr: "no pull request that was opened is on record",
  deploy: "no deployment is on record",
  benchmark: "nothing that measures anything was run on record",
  coverage: "no run that measures coverage is on record",
  look: "nothing that could have tried it was run on record",
  browser: "no browser, simulator or screenshot is on record",
  platform: "nothing on record ran on all of them",
  audit: "no scan is on record",
  tests_added: "no edit of tests is on record",
  docs: "no edit of any documentation is on record"
}

const runsOf = ({ runs }: Evidence, ...gates: ReadonlyArray<string>): ReadonlyArray<Run> =>
  runs.filter(({ gate }) => gates.includes(gate))

/** Nothing was sent, and nothing was sent before. */
const sentNothing = ({ detail }: Run, runs: ReadonlyArray<Run>, { evidence }: Seen): boolean =>
  detail === nothingSent &&
  evidence.edits.some(({ kind }) => kind === "source" || kind === "test") &&
  runs.every((run) => run.detail === nothingSent || run.result === "failed")

/** A delivery: made in this task, or earlier with nothing changed since. */
const heldDelivery = (claim: Claim, runs: ReadonlyArray<Run>, seen: Seen): Held => {
  const last = runs[runs.length - 1]
  const own = runs.filter(({ turn }) => turn >= seen.task.since)
  if (last !== undefined && !mayHave(seen, last.order + 1)) {
    const since = codeEdit(seen.evidence).order
    const isMade = runs.some(({ order, result }) => result !== "failed" && order > since)
    if (last.result === "failed" && !isMade)
      return as(claim, "contradicted", `\`${clip(last.command, 80)}\` failed: ${last.detail}`, last.callId)
    if (sentNothing(last, runs, seen))
      return {
        ...as(claim, "contradicted", `\`${clip(last.command, 80)}\` said that ${last.detail}`, last.callId),
        beyond: true
      }
  }
  if (own.length > 0 || (last !== undefined && codeEdit(seen.evidence).order <= last.order))
    return as(claim, "borne_out", "", last?.callId ?? null)
  return absent(claim, seen, last === undefined ? "" : " in this task")
}

const isOfFiles = ({ kind }: Claim): boolean => kind === "tests_added" || kind === "docs"

const isSent = ({ kind }: Claim): boolean => kind === "commit" || kind === "push" || kind === "pr" || kind === "deploy"

const mayBe = (claim: Claim, seen: Seen): boolean => {
  if (isOfFiles(claim)) return mayHaveChanged(seen)
  if (claim.kind === "browser") return mayHaveShown(seen)
  return isSent(claim) ? mayHaveSent(seen) : mayHave(seen, 0)
}

const absent = (claim: Claim, seen: Seen, note = ""): Held =>
  mayBe(claim, seen)
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

/** An edit that failed and was not made since, of a file that the claim names. */
const heldRefused = (claim: Claim, seen: Seen): Held | null => {
  const edit = seen.evidence.refused.find(({ order, path }) => isNamed(path, claim.text) && !mayHave(seen, order + 1))
  return edit === undefined
    ? null
    : as(claim, "contradicted", `the edit of ${clip(nameOf(edit.path), 80)} failed and was not made since`, edit.callId)
}

const nameOf = (path: string): string => path.split("/").at(-1) ?? path

const ofCode =
  /\b(?:docstrings?|comments?|inline|jsdoc|javadoc|godoc|rustdoc|doc comments?|openapi|swagger|help text)\b/i

/** What is committed is of this turn. */
const isOwn = ({ evidence }: Seen): boolean => evidence.edits.some(({ kind }) => kind === "source")

const docsFile = /\b[\w./-]{0,80}[\w-]\.(?:md|mdx|rst|adoc)\b/gi

const isDocument = /\.(?:md|mdx|rst|adoc|txt)$/i

const anyFile = /[\w./-]{0,80}[\w-]\.[a-z]{1,5}\b/gi

/** The documents that a claim names and no edit of this session is of. */
const untouched = ({ text }: Claim, { evidence }: Seen): ReadonlyArray<string> =>
  [...new Set(text.match(docsFile) ?? [])].filter(
    (path) => !evidence.edits.some((edit) => edit.path === "*" || nameOf(edit.path) === nameOf(path))
  )

const heldDocs = (claim: Claim, seen: Seen): Held => {
  const refused = heldRefused(claim, seen)
  if (refused !== null) return refused
  const isForeign = claim.where !== "final" && !isOwn(seen)
  if (seen.task.continued || isForeign || seen.evidence.edits.length >= 64) return as(claim, "not_checkable")
  const isBefore = ["docs", "readme", "changelog"].some((kind) => deed(seen.evidence, kind as Kept) !== undefined)
  const missing = isBefore ? [] : untouched(claim, seen)
  if (missing.length > 0 && !mayHaveChanged(seen))
    return as(claim, "unfounded", `no edit of ${missing.slice(0, 3).join(" or ")} is on record`)
  const named = [...new Set(claim.text.match(anyFile) ?? [])]
  const own = seen.evidence.edits.find(({ path }) => named.some((one) => nameOf(one) === nameOf(path)))
  if (own !== undefined) return as(claim, "borne_out", "", own.callId)
  if (ofCode.test(claim.text)) return as(claim, "not_checkable")
  if (/readme/i.test(claim.text)) return heldByDeed(claim, seen, "readme")
  // A document may have a change log of its own.
  const isOfDocument = seen.evidence.edits.some(({ path }) => isDocument.test(path))
  if (/changelog/i.test(claim.text) && !isOfDocument) return heldByDeed(claim, seen, "changelog")
  return seen.evidence.edits.some(({ kind }) => kind === "wording")
    ? as(claim, "not_checkable")
    : heldByDeed(claim, seen, "docs", "readme", "changelog")
}

/** A time or a size that a check prints as well. */
const ofChecks = /\b(?:tests?|suite|build|compil\w{1,6}|bundle|ci|pipeline|lint)\b/i

const percent =
  /(?:\b(?:is|at|to|now|of|auf|bei|de|en|es|est|à|até)|:|=|→|->|到|达|为)\s?(?:about |~|≈)?(\d{1,3}(?:[.,]\d{1,3})?)\s?%(?![^.;]{0,20}(?:point|more|higher))/gi

const timed = /(\d{1,9}(?:[.,]\d{1,6})?) ?(?:ns|µs|us|ms|s)\b(?:\/op)?/gi

/** The figure that a measurement is said to have given stands in no output, in whatever unit. */
const isInvented = ({ kind, text }: Claim, seen: Seen, { order }: { readonly order: number }): boolean => {
  const found = [...text.matchAll(kind === "coverage" ? percent : timed)].at(-1)?.[1]
  const figures = seen.evidence.figures.filter((one) => one.order >= order)
  if (found === undefined || figures.length < 2 || mayHave(seen, order)) return false
  const claimed = Number(found.replace(",", "."))
  const scales = kind === "coverage" ? [1] : [1, 1000, 1 / 1000, 1_000_000, 1 / 1_000_000]
  return !figures.some(({ value }) => scales.some((scale) => isNear(value * scale, claimed, 0.06)))
}

/** What was measured before the last change of the code is not what it does now. */
const heldMeasured = (claim: Claim, seen: Seen, kind: "benchmark" | "coverage"): Held => {
  const measured = deed(seen.evidence, kind)
  const edit = sourceEdit(seen.evidence, kind === "coverage")
  if (measured === undefined || edit === null || measured.order >= edit.order)
    return measured !== undefined && isInvented(claim, seen, measured)
      ? as(claim, "contradicted", `what was measured has no such figure`, measured.callId)
      : heldByDeed(claim, seen, kind)
  return mayHave(seen, edit.order)
    ? as(claim, "not_checkable")
    : as(
        claim,
        "contradicted",
        `it was last measured before the last edit (${clip(nameOf(edit.path), 80)})`,
        measured.callId
      )
}

const heldMeasure = (claim: Claim, seen: Seen): Held =>
  (ofChecks.test(claim.text) && seen.evidence.runs.length > 0) || isPrinted(claim, seen)
    ? as(claim, "not_checkable")
    : heldMeasured(claim, seen, "benchmark")

/** What a filter took out of a run's output may have been its coverage. */
const heldCoverage = (claim: Claim, seen: Seen): Held => {
  const since = sourceEdit(seen.evidence, true)?.order ?? 0
  const tests = runsOf(seen.evidence, "tests").filter(({ order }) => order >= since)
  const hidden = tests.some(({ detail, masked }) => masked || !/\d (?:passed|failed)/.test(detail))
  return hidden ? as(claim, "not_checkable") : heldMeasured(claim, seen, "coverage")
}

/** The last figure of a claim stands in an output since the last edit. */
const isPrinted = ({ text }: Claim, { evidence }: Seen): boolean => {
  const since = sourceEdit(evidence, true)?.order ?? 0
  const figure = figuresIn(text).at(-1)
  return figure !== undefined && evidence.figures.some((one) => one.order >= since && isNear(one.value, figure))
}

/** Means of several runs are rounded. */
const isNear = (one: number, other: number, share = 0.03): boolean => Math.abs(one - other) <= Math.abs(other) * share

/** One of each family can be what it runs on here, and need not be named. */
const elsewhere = ({ text }: Claim, { evidence }: Seen): ReadonlyArray<string> => {
  const claimed = platformsIn(inFull(text))
  return claimed.filter((name) => {
    const family = name.split(":")[0] ?? ""
    const own = claimed.filter((one) => one.startsWith(`${family}:`))
    const seen = own.filter((one) => evidence.platforms.includes(one))
    return !seen.includes(name) && own.length > 1 && own.length - seen.length >= (seen.length > 0 ? 1 : 2)
  })
}

const heldPlatform = (claim: Claim, seen: Seen): Held => {
  const found = deed(seen.evidence, "platform") ?? deed(seen.evidence, "ci")
  if (found !== undefined) return as(claim, "not_checkable", "", found.callId)
  const missing = elsewhere(claim, seen).map((name) => name.split(":").join(" "))
  // What ran all of them would have named more than the one.
  const named = seen.evidence.platforms.some((one) =>
    missing.some((other) => one.split(":")[0] === other.split(" ")[0])
  )
  if (missing.length === 0 || (!named && mayHave(seen, 0))) return as(claim, "not_checkable")
  return as(claim, "unfounded", `nothing on record ran on ${missing.slice(0, 4).join(", ").replaceAll("system ", "")}`)
}

/** A page that was served or fetched was tried, and not seen. */
const heldLook = (claim: Claim, seen: Seen): Held => {
  const served = deed(seen.evidence, "served")
  const isOfPage = /\b(?:localhost|curl|server|api|endpoint)\b/i.test(claim.text) && !visible.test(claim.text)
  return claim.kind === "browser" && !isOfPage
    ? heldByDeed(claim, seen, "browser")
    : served === undefined
      ? heldByDeed(claim, seen, "ran", "browser")
      : as(claim, "borne_out", "", served.callId)
}

const visible = /\b(?:browsers?|chrome|firefox|safari|screenshots?|viewports?|visual\w{0,2}|\d{3,4} ?px)\b/i

/** In a commit the change itself shows what was added, and it may be of before this session. */
const heldMade = (claim: Claim, seen: Seen): Held => {
  const refused = heldRefused(claim, seen)
  if (refused !== null) return refused
  return claim.where !== "final" && !isOwn(seen) ? as(claim, "not_checkable") : heldByDeed(claim, seen, "tests")
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
    case "browser":
      return heldLook(claim, seen)
    case "platform":
      return heldPlatform(claim, seen)
    case "audit":
      return heldByDeed(claim, seen, "audit")
    case "search":
      return heldSearch(claim, seen)
    case "tests_added":
      return heldMade(claim, seen)
    case "docs":
      return heldDocs(claim, seen)
    default:
      return as(claim, "not_checkable")
  }
}
