/** Formats the parts of a verdict that come from checks and reviewers, and the progress since the last nudge. */
import * as CheckResult from "@reflexion/core/internal/checks/CheckResult"
import type { Consensus } from "@reflexion/core/internal/model/crossreview/CrossReview"
import type { AcceptanceResult } from "@reflexion/core/Verdict"
import * as Progress from "@reflexion/core/internal/review/tiers/Progress"
import { counted, wrap } from "../terminal/Layout.ts"
import { body, section } from "../terminal/Sheet.ts"
import type { TerminalStyle } from "../terminal/TerminalStyle.ts"
import { aside, asideLine, type Mark, marked } from "./marked.ts"
import type { FullVerdict } from "./SessionFold.ts"

const passed: Mark = ["passed", "green"]
const failed: Mark = ["failed", "red"]
const warning: Mark = ["warning", "yellow"]
const bullet: Mark = ["bullet", "dim"]

const shownTests = 5

/** Below the result, lists the first failing tests that its text does not name. */
const check = (style: TerminalStyle, result: CheckResult.CheckResult): ReadonlyArray<string> => {
  const mark = result.result === "passed" ? passed : result.result === "failed" ? failed : warning
  const tests = result.failing.filter(({ name }) => !result.detail.includes(name))
  const more = tests.length - shownTests
  return [
    ...marked(style, mark, `${result.gate}: ${CheckResult.describe(result)}`),
    ...tests.slice(0, shownTests).flatMap(({ file, line, name }) => {
      const place = file === null ? "" : ` (${file}${line === null ? "" : `:${line}`})`
      return aside(style, `${name}${place}`)
    }),
    ...(more > 0 ? aside(style, `and ${more} more`) : [])
  ]
}

const acceptanceMarks: Readonly<Record<AcceptanceResult["result"], Mark>> = {
  passed,
  met: passed,
  failed,
  open: failed,
  not_run: warning,
  unknown: ["unknown", "yellow"]
}

const condition = (style: TerminalStyle, { evidence, id, result, text }: AcceptanceResult): ReadonlyArray<string> => [
  ...marked(style, acceptanceMarks[result], `${id} ${result.replace("_", " ")}: ${text}`),
  ...evidence.flatMap((one) => aside(style, one))
]

type Comment = Consensus["dissent"][number]

const comment = (style: TerminalStyle, mark: Mark, said: Comment, why = ""): ReadonlyArray<string> => [
  ...marked(style, mark, `${said.file}: ${said.comment}`),
  asideLine(style, "", `> ${said.quote}`),
  ...aside(style, `${said.severity}, says the ${said.role} ${said.modelId ?? ""}${why}`)
]

const isGrave = ({ severity }: Comment): boolean => severity !== "NONE" && severity !== "LOW"

const nameOf = ({ modelId, role }: Pick<Consensus["sessions"][number], "modelId" | "role">): string =>
  `the ${role} ${modelId ?? ""}`

/** The reviewers that do not block the change: they do not object, or the objection quotes no changed line. */
const others = (style: TerminalStyle, { dissent, leftOut, remarks, sessions }: Consensus): ReadonlyArray<string> => {
  const silent = new Set([...leftOut, ...dissent].map(nameOf))
  const objecting = new Set(remarks.filter(isGrave).map(nameOf))
  return sessions.flatMap((one) => {
    const name = nameOf(one)
    if (one.role === "author" || one.verdict === undefined || silent.has(name)) return []
    return objecting.has(name) || !one.verdict.complete
      ? marked(style, warning, `${name} objects, but shows nothing in the change that blocks it`)
      : marked(style, passed, `${name} finds nothing that blocks the change`)
  })
}

const notCounted = "; the objection quotes nothing from the change, so it does not count"

const review = (style: TerminalStyle, given: Consensus): ReadonlyArray<string> => [
  ...(given.part === undefined ? [] : marked(style, warning, `reviewed ${given.part} of the diff`)),
  ...given.dissent.flatMap((said) => comment(style, failed, said)),
  ...others(style, given),
  ...given.remarks.flatMap((said) => comment(style, bullet, said, isGrave(said) ? notCounted : "")),
  ...given.leftOut.flatMap((one) => marked(style, warning, `${nameOf(one)} was left out: ${one.reason}`))
]

const followed: Readonly<Record<Progress.Progress["followed"], string>> = {
  all: "followed",
  some: "followed in part",
  none: "no check was run, and no relevant file was edited"
}

const progress = (style: TerminalStyle, given: Progress.Progress): ReadonlyArray<string> => [
  ...wrap(`since nudge ${given.attempt}: ${followed[given.followed]}`, body(style)),
  ...given.gates.flatMap((move) => marked(style, ["arrow", "dim"], Progress.describe(move))),
  ...given.done.flatMap((item) => marked(style, passed, `no longer missing: ${item}`)),
  ...(given.stuck.length === 0
    ? []
    : marked(
        style,
        failed,
        `${counted(given.stuck.length, "thing")} that the nudge named ${given.stuck.length === 1 ? "is" : "are"} still missing`
      )),
  ...given.fresh.flatMap((item) => marked(style, bullet, `newly missing: ${item}`))
]

export const sections = (style: TerminalStyle, verdict: FullVerdict): ReadonlyArray<ReadonlyArray<string>> => {
  const { acceptance = [], checks = [], crossReview, progress: since } = verdict
  const consensus = crossReview?.consensus ?? null
  return [
    section(
      style,
      "Done when",
      acceptance.flatMap((one) => condition(style, one))
    ),
    section(
      style,
      "Checks",
      checks.flatMap((one) => check(style, one))
    ),
    consensus === null ? [] : section(style, "Review", review(style, consensus)),
    since === undefined ? [] : section(style, "Progress", progress(style, since))
  ]
}
