/** Lines about a script that failed, a program that could not start, or a run that had nothing to do. */
import type { OutputText } from "../../base/text/OutputLines.ts"
import { matchesAny } from "../../base/text/Text.ts"
import { type Kind, type Row, rowOf } from "./reading.ts"

const checkers =
  "vitest|jest|mocha|ava|karma|cypress|@?playwright(?:/test)?|typescript|tsx|ts-node|eslint|prettier|webpack|vite|esbuild|rollup|pytest\\w*|nose2?|tox|nox|coverage|mypy|ruff|flake8|pylint|behave"

const checker = new RegExp(`(?:^|[\\s'"\`/])(?:${checkers})(?:$|[\\s'"\`:,])`)

export const namesChecker = (line: string): boolean => checker.test(line)

export const absences: ReadonlyArray<Row> = [
  // These lines do not say which command of the script failed. For npm, pnpm, make, Yarn, Bun, just, Task and others.
  rowOf("script", ["script"], {
    failed: [
      /^npm (?:ERR!|error) (?:[Mm]issing script: |Test failed\.|Lifecycle script |errno \d|command failed|could not determine executable)/,
      /^npm (?:ERR!|error) code (?:ELIFECYCLE|\d|E[A-Z])/,
      /^(?:\S{1,80} ?)?\s{0,4}(?:ELIFECYCLE\b.{0,20} (?:Test|Command) failed|ERR_PNPM_[A-Z_]{3,60}\b)/,
      /^g?make(?:\[\d+\])?: \*\*\* (?:No rule to make target |\[.+\] (?:Error \d+|Segmentation fault|Killed)(?! \(ignored\)))/,
      /^error (?:Command (?:failed with (?:exit code \d|signal )|"\S+" not found))|^Usage Error: Couldn't find a script named /,
      /^error: (?:script "\S+" exited with code [1-9]|Script not found |[Rr]ecipe `\S+` failed |Justfile does not contain recipe)/,
      /^task: (?:Failed to run task "\S+": |Task "\S+" does not exist)|^Script .+ returned with error code [1-9]/,
      /^error: process didn't exit successfully: |^lerna ERR! |^(?:rake|bin\/rails) aborted!$/
    ]
  }),
  rowOf("code", ["broken"], {
    failed: [
      /^(?:Error: Cannot find module '|Could not find '\S+'$|(?:Type)?Error \[ERR_\w+\]: )/,
      /^\S*python[\d.]*(?:\.exe)?: (?:No module named |can't open file |Error while finding module specification)/,
      /^(?:ModuleNotFoundError: No module named |ImportError: cannot import name |(?:Syntax|Indentation|Tab)Error: )/
    ]
  }),
  rowOf("shell", ["broken", "absent"], {
    failed: [
      /^(?:\/\S+\/)?(?:ba|z|da|k|fi)?sh: (?:line )?(?:\d+: )?[^\s:]+: (?:command not found|not found|No such file or directory|Permission denied)$/,
      /^(?:\S+: )?line \d+: [^\s:]+: command not found$|^\S+?(?::\d+)?: command not found: \S+$/,
      /^(?:\/\S+\/)?env: \S+: No such file or directory$/
    ]
  }),
  rowOf("environment", ["broken", "absent"], {
    failed: [
      /^(?:Error: )?Could not find or load main class |^Unable to locate a Java Runtime/,
      /^(?:.{0,40}: )?(?:Cannot connect to the Docker daemon|no configuration file provided: not found)/
    ]
  }),
  rowOf("shell", ["absent"], {
    failed: [
      /^(?:\S{1,60}: )?(?:The term )?['"‘]?[^'"‘’]{1,200}['"’]? is not recognized as (?:an internal or external command|(?:a|the) name of a cmdlet)\b/,
      /^(?:.{1,300}: )?exec: "\S+": (?:executable file not found in \$PATH|stat .+: no such file)/,
      /^(?:fish: )?Unknown command: \S|^\S+?(?::\d+)?: no such file or directory: \S+$/
    ]
  }),
  rowOf("runner", ["absent"], {
    failed: [
      /^\S*python[\d.]*(?:\.exe)?: (?:No module named |can't open file )/,
      new RegExp(`^No module named '?(?:${checkers})'?$`),
      /^(?:error: )?Failed to spawn: ['"`]|^Command not found: \S/,
      new RegExp(`^(?:.{0,80}Error.{0,40}: )?(?:Cannot find (?:module|package)|No module named) '(?:${checkers})'`),
      /^Error: Cannot find module '.*\bnode_modules\b.*'$|^Could not find '\S+'$/
    ]
  }),
  rowOf("script", ["absent"], {
    failed: [
      /^npm (?:ERR!|error) (?:enoent )?(?:Could not read package\.json\b|npx canceled\b|[Mm]issing script: |could not determine executable)/,
      /^(?:\S{1,80} ?)?\s{0,4}ERR_PNPM_(?:(?:RECURSIVE_RUN_)?NO_SCRIPT|NO_IMPORTER_MANIFEST_FOUND|\w+\b.{0,20}Command "\S+" not found)/,
      /^error (?:Command|Couldn't find.{0,20}) "\S+" not found|^Usage Error: Couldn't find a script named /,
      /^error: (?:Script not found |Justfile does not contain recipe|no such command: )|^task: Task "\S+" does not exist/,
      /^g?make(?:\[\d+\])?: \*\*\* No rule to make target [^,]+\. {1,2}Stop\.$|^Don't know how to build task /
    ]
  })
]

/** Messages about a missing browser or display, from the tools that drive browsers. */
const noBrowser = [
  /\bbrowserType\.\w+: Executable doesn't exist\b|\bHost system is missing dependencies to run browsers\b|\bMissing X server or \$DISPLAY\b/i,
  /^Your system is missing the dependency: \S+|\bCypress binary is missing\b|^.{0,80}No binary for \w+ browser on your platform/im,
  /\bCould not find (?:Chrome|Firefox|Chromium)\b|\bcannot find (?:Chrome|Firefox|Chromium|msedge) binary\b/i
]

/** Messages of clients whose service does not answer. */
const noService =
  /\bECONNREFUSED\b|\bConnectionRefusedError\b|\bConnection refused\b|\b(?:could not|can't|cannot) connect to (?:the )?(?:\w+ ){0,3}(?:server|daemon|database)\b/i

const tested = [
  /\b[1-9]\d* (?:(?:tests? )?(?:passed|passing|failed|failing)|examples?|runs?|scenarios?)\b/m,
  /\b(?:Ran|Tests:|Tests run:|Failed:) +[1-9]|^\s*(?:not )?ok \d|^\s*--- (?:PASS|FAIL): |^[#ℹ] (?:pass|fail) +[1-9]/m
]
const testPassed =
  /\b[1-9]\d* (?:tests? )?(?:passed|passing)\b|^\s*ok \d|^\s*--- PASS: |^[#ℹ] pass +[1-9]|\bPassed: +[1-9]/m

/** Returns the message if a missing browser or service kept the tests from starting. Otherwise null. */
export const notStarted = ({ text }: OutputText): string | null => {
  const browser = testPassed.test(text) ? undefined : noBrowser.map((one) => one.exec(text)).find((one) => one !== null)
  const [found] = browser ?? (matchesAny(tested, text) ? null : noService.exec(text)) ?? []
  return found === undefined ? null : found.trim()
}

/** A single line of this kind proves that nothing ran: no package has the script, or everything was skipped. */
const idle: ReadonlyArray<RegExp> = [
  /^None of the selected packages has an? ".+" script$|^No projects (?:matched the filters|found in)\b/,
  /^\s{0,4}(?:Lerna \(powered by Nx\)|NX) +No projects with\b/,
  /^lerna (?:info|success|notice|WARN) .{0,40}\bNo (?:packages|projects) (?:found|remain|with)\b/i,
  /^(?:\[(?:INFO|WARNING)\] )?Tests are skipped\.$/,
  /^(?:error: |warning: )?(?:there are )?no tests?(?: (?:yet|specified|defined|configured|available|implemented|written|here|to run|found)){0,2}[.!]?$/i
]

/** If a run prints only these lines and lines of `chatter`, it had nothing to do. */
const upToDate =
  /^g?make(?:\[\d+\])?: (?:Nothing to be done for ['`].+'|['`].+' is up to date)\.$|^ninja: no work to do\.$|^task: Task "\S+" is up to date$/
const chatter =
  /^(?:➤ YN0000: (?:[·└┌] ?)?)?Done (?:with warnings )?in \d|^(?:g?make(?:\[\d+\])?: (?:Entering|Leaving)|ninja: Entering) directory\b|^(?:Scope: (?:all )?\d|No tasks to run)/

/** A task that only prepares tests does not match. */
const gradleTask =
  /^> Task (?::[\w.-]+)*:(?:test|allTests|connectedCheck|(?!(?:compile|process|generate|package|lint)[A-Z])\w+Tests?)(?: [A-Z-]+)?$|^\d+ actionable tasks?: \d+ up-to-date$/
const gradleIdle = / (?:NO-SOURCE|SKIPPED|UP-TO-DATE|up-to-date)$/

/** True if the failed files have no tests for Jest or Vitest. They are empty or belong to another runner. */
const isOfOthers = (lines: ReadonlyArray<string>): boolean => {
  const foreign = /^Error: No test suite found in file \S|^\s*Your test suite must contain at least one test\.$/
  const failed = lines.map((line) => /^\s*Test (?:Files|Suites:) +(\d+) failed/.exec(line)?.[1]).find(Boolean)
  const count = lines.filter((line) => foreign.test(line)).length
  return (
    count > 0 &&
    Number(failed ?? 0) <= count &&
    lines.some((line) => /^\s*Tests {2,6}no tests$|^Tests: +0 total$/.test(line))
  )
}

/** Null if something may have run. `isCounted`: the output has a runner's own report about work. */
export const nothingRan = (text: OutputText, kind: Kind, isCounted: boolean): string | null => {
  const lines = text.lines.flatMap(({ bare }) => (bare.trim() === "" ? [] : [bare]))
  const tasks = kind === "tests" ? lines.filter((line) => gradleTask.test(line)) : []
  if (tasks[0] !== undefined && tasks.every((line) => gradleIdle.test(line))) return tasks[0]
  if (kind === "tests" && isOfOthers(lines)) return "no test of this runner was found"
  if (isCounted || lines.length === 0) return null
  const said = lines.find((line) => idle.some((one) => one.test(line)))
  if (said !== undefined) return said.trim()
  const rest = lines.filter((line) => !chatter.test(line))
  return rest.every((line) => upToDate.test(line)) ? (rest[0] ?? "it ran nothing") : null
}
