/** Outputs of runs that exit with 0 and in which nothing was done: nobody had the script, or all was up to date. */
import type { OutputText } from "../../ground/text/OutputLines.ts"
import type { Kind } from "./reading.ts"

/** One such line is enough. */
const says: ReadonlyArray<RegExp> = [
  /^None of the selected packages has an? ".+" script$|^No projects (?:matched the filters|found in)\b/,
  /^\s{0,4}(?:Lerna \(powered by Nx\)|NX) +No projects with\b/,
  /^lerna (?:info|success|notice|WARN) .{0,40}\bNo (?:packages|projects) (?:found|remain|with)\b/i,
  /^(?:\[(?:INFO|WARNING)\] )?Tests are skipped\.$/,
  /^(?:error: |warning: )?(?:there are )?no tests?(?: (?:yet|specified|defined|configured|available|implemented|written|here|to run|found)){0,2}[.!]?$/i
]

/** Nothing else is said by a run that had nothing to do. */
const upToDate = [
  /^g?make(?:\[\d+\])?: (?:Nothing to be done for ['`].+'|['`].+' is up to date)\.$/,
  /^ninja: no work to do\.$|^task: Task "\S+" is up to date$/
]

/** What runners say around the work. */
const chatter = [
  /^(?:➤ YN0000: (?:[·└┌] ?)?)?Done (?:with warnings )?in \d/,
  /^(?:g?make(?:\[\d+\])?: (?:Entering|Leaving)|ninja: Entering) directory\b|^(?:Scope: (?:all )?\d|No tasks to run)/
]

const isOne = (line: string, patterns: ReadonlyArray<RegExp>): boolean => patterns.some((pattern) => pattern.test(line))

/** A task of Gradle's that runs tests, and what came of it. */
const gradleTask = /^> Task (?::[\w.-]+)*:(?<name>test|allTests|connectedCheck|\w+Tests?)(?: (?<result>[A-Z-]+))?$/

/** Tasks of such names only prepare the tests. */
const prepares =
  /^(?:compile|process|generate|merge|package|assemble|bundle|prepare|pre|copy|ksp|kapt|java|lint|strip)(?=[A-Z])/

const gradleIdle = (lines: ReadonlyArray<string>): string | null => {
  const tasks = lines.flatMap((line) => {
    const { name = "", result = "" } = gradleTask.exec(line)?.groups ?? {}
    return name === "" || prepares.test(name)
      ? []
      : [{ line, isIdle: /^(?:NO-SOURCE|SKIPPED|UP-TO-DATE)$/.test(result) }]
  })
  if (tasks.length > 0) return tasks.every(({ isIdle }) => isIdle) ? (tasks[0]?.line ?? null) : null
  if (!lines.some((line) => line.startsWith("BUILD SUCCESSFUL"))) return null
  return lines.find((line) => /^\d+ actionable tasks?: \d+ up-to-date$/.test(line)) ?? null
}

/** Files in which Jest or Vitest finds no test of its own: they are another runner's, or hold none. */
const foreignSuite = /^Error: No test suite found in file \S|^\s*Your test suite must contain at least one test\.$/

const isOfOthers = (lines: ReadonlyArray<string>): boolean => {
  const foreign = lines.filter((line) => foreignSuite.test(line)).length
  const failed = lines.map((line) => /^\s*Test (?:Files|Suites:) +(\d+) failed/.exec(line)?.[1]).find(Boolean)
  const isNone = lines.some((line) => /^\s*Tests {2,6}no tests$|^Tests: +0 total$/.test(line))
  return isNone && foreign > 0 && Number(failed ?? 0) <= foreign
}

/** Why the output shows that nothing ran, null where it does not. `isCounted`: a runner's own account of work is in it. */
export const nothingRan = (text: OutputText, kind: Kind, isCounted: boolean): string | null => {
  const lines = text.lines.flatMap(({ bare }) => (bare.trim() === "" ? [] : [bare]))
  const idle = kind === "tests" ? gradleIdle(lines) : null
  if (idle !== null) return idle
  if (kind === "tests" && isOfOthers(lines)) return "no test of this runner was found"
  if (isCounted || lines.length === 0) return null
  const said = lines.find((line) => isOne(line, says))
  if (said !== undefined) return said.trim()
  const [first = "it ran nothing", ...rest] = lines.filter((line) => !isOne(line, chatter))
  return first === "it ran nothing" || [first, ...rest].every((line) => isOne(line, upToDate)) ? first : null
}
