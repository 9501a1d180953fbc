/**
 * What was done for a verdict beyond reading the record, as a person would want to read it: the checks that were run,
 * what reviewers say, and what came of the last reminder.
 */
import * as CheckResult from "@reflexion/core/internal/checks/CheckResult"
import type { Consensus, Reviewed } from "@reflexion/core/internal/model/crossreview/CrossReview"
import type { AcceptanceResult } from "@reflexion/core/Verdict"
import * as Progress from "@reflexion/core/internal/review/tiers/Progress"
import { clip, oneLine, wrap } from "../terminal/Layout.ts"
import type { Told } from "./SessionFold.ts"
import { body, section } from "../terminal/Sheet.ts"
import { type Paint, paint, type Symbols, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"

type Mark = readonly [symbol: keyof Symbols, paint: Paint]

const marks: Readonly<Record<CheckResult.CheckResult["result"], Mark>> = {
  passed: ["passed", "green"],
  failed: ["failed", "red"],
  failed_before: ["warning", "yellow"],
  flaky: ["warning", "yellow"],
  timed_out: ["warning", "yellow"],
  unavailable: ["warning", "yellow"]
}

/** A text behind a mark, its further lines below it. */
const marked = (style: TerminalStyle, [symbol, colour]: Mark, text: string): ReadonlyArray<string> =>
  wrap(oneLine(text), body(style) - 2).map((line, index) =>
    index === 0 ? `${paint(style, [colour, "bold"], symbols(style)[symbol])} ${line}` : `  ${line}`
  )

const aside = (style: TerminalStyle, text: string): ReadonlyArray<string> =>
  wrap(oneLine(text), body(style) - 4).map((line) => `    ${paint(style, ["dim"], line)}`)

const shownTests = 5

/** The first of the tests that failed and that the result's own words do not name. */
const failing = (style: TerminalStyle, result: CheckResult.CheckResult): ReadonlyArray<string> => {
  const tests = result.failing.filter(({ name }) => !result.detail.includes(name))
  const names = tests.slice(0, shownTests).flatMap(({ file, line, name }) => {
    const place = file === null ? "" : ` (${file}${line === null ? "" : `:${line}`})`
    return aside(style, `${name}${place}`)
  })
  const more = tests.length - shownTests
  return more > 0 ? [...names, ...aside(style, `and ${more} more`)] : names
}

const checks = (style: TerminalStyle, results: ReadonlyArray<CheckResult.CheckResult>): ReadonlyArray<string> =>
  section(
    style,
    "Checks",
    results.flatMap((result) => [
      ...marked(style, marks[result.result], `${result.gate}: ${CheckResult.describe(result)}`),
      ...failing(style, result)
    ])
  )

const acceptanceMarks: Readonly<Record<AcceptanceResult["result"], Mark>> = {
  passed: ["passed", "green"],
  met: ["passed", "green"],
  failed: ["failed", "red"],
  open: ["failed", "red"],
  not_run: ["warning", "yellow"],
  unknown: ["unknown", "yellow"]
}

/** Each of the user's conditions, and below it what shows how it stands. */
const acceptance = (style: TerminalStyle, all: ReadonlyArray<AcceptanceResult>): ReadonlyArray<string> =>
  section(
    style,
    "Done when",
    all.flatMap(({ evidence, id, result, text }) => [
      ...marked(style, acceptanceMarks[result], `${id} ${result.replace("_", " ")}: ${text}`),
      ...evidence.flatMap((one) => aside(style, one))
    ])
  )

type Said = Consensus["dissent"][number]

const comment = (style: TerminalStyle, mark: Mark, { said, why = "" }: { said: Said; why?: string }) => [
  ...marked(style, mark, `${said.file}: ${said.comment}`),
  `    ${paint(style, ["dim"], clip(`> ${oneLine(said.quote)}`, body(style) - 4, symbols(style).ellipsis))}`,
  ...aside(style, `${said.severity}, says the ${said.role} ${said.modelId ?? ""}${why}`)
]

/** It would block, if it rested on the change. */
const isGrave = ({ severity }: Said): boolean => severity !== "NONE" && severity !== "LOW"

const remark = (style: TerminalStyle, said: Said): ReadonlyArray<string> => {
  const why = isGrave(said) ? "; it quotes nothing that the change did, so it does not count" : ""
  return comment(style, ["bullet", "dim"], { said, why })
}

/** Whoever reviews by the library may name several for a role. */
const seat = ({ modelId, role }: Pick<Consensus["sessions"][number], "modelId" | "role">): string =>
  `${role} ${modelId ?? ""}`

/** Of those who were heard and block nothing, who has nothing to say against it, and who shows nothing for what they say. */
const others = (style: TerminalStyle, { dissent, leftOut, remarks, sessions }: Consensus): ReadonlyArray<string> => {
  const silent = new Set([...leftOut, ...dissent].map(seat))
  const objecting = new Set(remarks.filter(isGrave).map(seat))
  const heard = sessions.filter(
    ({ modelId, role, verdict }) => role !== "author" && verdict !== undefined && !silent.has(seat({ role, modelId }))
  )
  return heard.flatMap(({ modelId, role, verdict }) => {
    const who = `the ${role} ${modelId ?? ""}`
    return objecting.has(seat({ role, modelId })) || verdict?.complete === false
      ? marked(style, ["warning", "yellow"], `${who} objects, and shows nothing in the change that blocks it`)
      : marked(style, ["passed", "green"], `${who} finds nothing that blocks it`)
  })
}

const consensus = (style: TerminalStyle, given: Consensus): ReadonlyArray<string> => [
  ...(given.part === undefined ? [] : marked(style, ["warning", "yellow"], `reviewed ${given.part} of the diff`)),
  ...given.dissent.flatMap((said) => comment(style, ["failed", "red"], { said })),
  ...others(style, given),
  ...given.remarks.flatMap((said) => remark(style, said)),
  ...given.leftOut.flatMap(({ modelId, reason, role }) =>
    marked(style, ["warning", "yellow"], `the ${role} ${modelId ?? ""} was left out: ${reason}`)
  )
]

const review = (style: TerminalStyle, { consensus: given }: Reviewed): ReadonlyArray<string> =>
  given === null ? [] : section(style, "Review", consensus(style, given))

const followed: Readonly<Record<Progress.Progress["followed"], string>> = {
  all: "followed",
  some: "followed in part",
  none: "no check was run, and nothing was edited that counts"
}

/** What it is stands below, among all that is missing. */
const still = (count: number): string =>
  `${count} ${count === 1 ? "thing" : "things"} that it named ${count === 1 ? "is" : "are"} still missing`

const progress = (style: TerminalStyle, given: Progress.Progress): ReadonlyArray<string> =>
  section(style, "Progress", [
    ...wrap(`since reminder ${given.attempt}: ${followed[given.followed]}`, body(style)),
    ...given.gates.flatMap((move) => marked(style, ["arrow", "dim"], Progress.describe(move))),
    ...given.done.flatMap((item) => marked(style, ["passed", "green"], `no longer missing: ${item}`)),
    ...(given.stuck.length > 0 ? marked(style, ["failed", "red"], still(given.stuck.length)) : []),
    ...given.fresh.flatMap((item) => marked(style, ["bullet", "dim"], `missing only now: ${item}`))
  ])

/**
 * The sections that there is something for.
 *
 * @category rendering
 */
export const sections = (style: TerminalStyle, told: Told): ReadonlyArray<ReadonlyArray<string>> => [
  told.acceptance === undefined ? [] : acceptance(style, told.acceptance),
  told.checks === undefined ? [] : checks(style, told.checks),
  told.crossReview === undefined ? [] : review(style, told.crossReview),
  told.progress === undefined ? [] : progress(style, told.progress)
]
