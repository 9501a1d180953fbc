/**
 * What was done for a verdict beyond reading the record, as a person would want to read it: the checks that were run,
 * what reviewers say, and what came of the last reminder.
 *
 * @since 0.1.0
 */
import * as CheckResult from "@reflexion/core/CheckResult"
import type { Consensus, Reviewed } from "@reflexion/core/CrossReview"
import * as Progress from "@reflexion/core/Progress"
import { clip, oneLine, wrap } from "./Layout.ts"
import type { Told } from "./SessionFold.ts"
import { body, section } from "./Sheet.ts"
import { type Paint, paint, type Symbols, symbols, type TerminalStyle } from "./TerminalStyle.ts"

type Mark = readonly [symbol: keyof Symbols, paint: Paint]

const marks: Readonly<Record<CheckResult.CheckResult["result"], Mark>> = {
  passed: ["passed", "green"],
  failed: ["failed", "red"],
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

type Said = Consensus["dissent"][number]

const comment = (style: TerminalStyle, mark: Mark, said: Said): ReadonlyArray<string> => [
  ...marked(style, mark, `${said.file}: ${said.comment}`),
  `    ${paint(style, ["dim"], clip(`> ${oneLine(said.quote)}`, body(style) - 4, symbols(style).ellipsis))}`,
  ...aside(style, `${said.severity}, says the ${said.role} ${said.modelId ?? ""}`)
]

const agreed = ({ dissent, leftOut, sessions }: Consensus): ReadonlyArray<string> => {
  const absent = new Set(leftOut.map(({ role }) => role))
  const objected = new Set(dissent.map(({ role }) => role))
  return sessions
    .filter(
      ({ role, verdict }) => role !== "author" && verdict !== undefined && !absent.has(role) && !objected.has(role)
    )
    .map(({ modelId, role }) => `the ${role} ${modelId ?? ""} finds nothing that blocks it`)
}

const consensus = (style: TerminalStyle, given: Consensus): ReadonlyArray<string> => [
  ...given.dissent.flatMap((said) => comment(style, ["failed", "red"], said)),
  ...agreed(given).flatMap((text) => marked(style, ["passed", "green"], text)),
  ...given.remarks.flatMap((said) => comment(style, ["bullet", "dim"], said)),
  ...given.leftOut.flatMap(({ modelId, reason, role }) =>
    marked(style, ["warning", "yellow"], `the ${role} ${modelId ?? ""} was left out: ${reason}`)
  )
]

const review = (style: TerminalStyle, { consensus: given }: Reviewed): ReadonlyArray<string> =>
  given === null ? [] : section(style, "Review", consensus(style, given))

const followed: Readonly<Record<Progress.Progress["followed"], string>> = {
  all: "followed",
  some: "followed in part",
  none: "nothing moved"
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
 * @since 0.1.0
 * @category rendering
 */
export const sections = (style: TerminalStyle, told: Told): ReadonlyArray<ReadonlyArray<string>> => [
  told.checks === undefined ? [] : checks(style, told.checks),
  told.crossReview === undefined ? [] : review(style, told.crossReview),
  told.progress === undefined ? [] : progress(style, told.progress)
]
