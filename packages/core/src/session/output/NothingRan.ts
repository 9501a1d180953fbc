/** Outputs of runs that exit with 0 and in which nothing was done: nobody had the script, or all was up to date. */
import type { Kind } from "./runners/row.ts"
import { outputLines } from "../../ground/text/OutputLines.ts"

/** One such line is enough. */
const says: ReadonlyArray<RegExp> = [
  /^None of the selected packages has an? ".{1,100}" script$/,
  /^No projects (?:matched the filters|found in)\b/,
  /^\s{0,4}Lerna \(powered by Nx\)\s{1,6}No projects with matching scripts were found/,
  /^lerna (?:info|success|notice|WARN) .{0,40}\bNo (?:packages|projects) (?:found|remain|with)\b/i,
  /^\s{0,4}NX {1,4}No projects with\b/,
  /^(?:\[(?:INFO|WARNING)\] )?Tests are skipped\.$/,
  /^(?:error: |warning: )?(?:there are )?no tests?(?: yet| specified| defined| configured| available| implemented| written| here| to run| found){0,2}[.!]?$/i
]

/** Nothing else is said by a run that had nothing to do. */
const upToDate: ReadonlyArray<RegExp> = [
  /^g?make(?:\[\d{1,3}\])?: (?:Nothing to be done for ['`].{1,200}'|['`].{1,200}' is up to date)\.$/,
  /^ninja: no work to do\.$/,
  /^task: Task "\S{1,100}" is up to date$/
]

/** What runners say around the work. */
const chatter: ReadonlyArray<RegExp> = [
  /^(?:➤ YN0000: (?:[·└┌] ?)?)?Done (?:with warnings )?in \d/,
  /^g?make(?:\[\d{1,3}\])?: (?:Entering|Leaving) directory\b/,
  /^ninja: Entering directory\b/,
  /^(?:Scope: (?:all )?\d|No tasks to run)/
]

const isOne = (line: string, patterns: ReadonlyArray<RegExp>): boolean => patterns.some((pattern) => pattern.test(line))

/** A task of Gradle's that runs tests, and what came of it. */
const gradleTask =
  /^> Task (?::[\w.-]{1,80}){0,8}:((?:test|[a-z]\w{0,80}Tests?|test\w{1,80}Tests?|allTests|connectedCheck))(?: ([A-Z-]{4,20}))?$/

/** Tasks of such names that prepare the tests. */
const prepares =
  /^(?:compile|process|generate|merge|package|assemble|bundle|prepare|pre|copy|ksp|kapt|java|lint|strip)(?=[A-Z])/

const gradleIdle = (lines: ReadonlyArray<string>): string | null => {
  const tasks = lines
    .map((line) => gradleTask.exec(line))
    .filter((match) => match !== null && !prepares.test(match[1] ?? ""))
  if (tasks.length > 0)
    return tasks.every((match) => /^(?:NO-SOURCE|SKIPPED|UP-TO-DATE)$/.test(match?.[2] ?? ""))
      ? (tasks[0]?.[0] ?? null)
      : null
  if (!lines.some((line) => line.startsWith("BUILD SUCCESSFUL"))) return null
  return lines.find((line) => /^\d{1,6} actionable tasks?: \d{1,6} up-to-date$/.test(line)) ?? null
}

/** Files in which a runner finds no test of its own: they are another runner's, or hold none. */
const foreignSuite = /^Error: No test suite found in file \S|^\s{0,8}Your test suite must contain at least one test\.$/
const ranNone = /^\s{0,12}Tests {2,6}no tests$|^Tests:\s{1,12}0 total$/

const wrongRunner = (lines: ReadonlyArray<string>): string | null => {
  if (!lines.some((line) => ranNone.test(line))) return null
  const alien = lines.filter((line) => foreignSuite.test(line)).length
  const broken = lines.find((line) => /^\s{0,12}Test (?:Files {2,6}|Suites:\s{1,12})\d{1,9} failed/.test(line))
  return alien > 0 && Number(/\d{1,9}/.exec(broken ?? "")?.[0] ?? alien) <= alien
    ? "no test of this runner was found"
    : null
}

/**
 * Why the output shows that nothing ran, null where it does not. `counted`: a runner's own account of work is in it.
 *
 * @category reading
 */
export const nothingRan = (output: string, kind: Kind, counted: boolean): string | null => {
  const lines = outputLines(output)
    .lines.map(({ bare }) => bare)
    .filter((line) => line.trim() !== "")
  const decided = kind === "tests" ? (gradleIdle(lines) ?? wrongRunner(lines)) : null
  if (decided !== null || counted) return decided
  const said = lines.find((line) => isOne(line, says))
  if (said !== undefined) return said.trim()
  const rest = lines.filter((line) => !isOne(line, chatter))
  if (rest.length === 0) return lines.length > 0 ? "it ran nothing" : null
  return rest.every((line) => isOne(line, upToDate)) ? (rest[0] ?? null) : null
}
