/**
 * What the output of a failed command says about the cause: which test, where, what was expected and what came instead.
 * Rules, no model; they claim no more than the text says.
 */
import { differencesIn, type Found as FoundDifference, telling } from "./failures/assertions.ts"
import { namedTestsIn } from "./failures/namedTests.ts"
import { exceptionsIn } from "./failures/exceptions.ts"
import { findingsIn } from "./failures/lint.ts"
import { type Found, maxTrace, thrownAt } from "./failures/FailurePlaces.ts"
import { type CauseKind, signs } from "./failures/FailureSigns.ts"
import { tapFailuresIn } from "./failures/tap.ts"
import { withoutTodos } from "./failures/todos.ts"
import {
  examplesIn,
  type FailingTest,
  isFile,
  ofTap,
  type Told,
  withDetails,
  withoutRepeats
} from "./failures/FailedTests.ts"
import { type OutputText, outputLines } from "../../ground/text/OutputLines.ts"
import * as RunnerOutput from "./RunnerOutput.ts"

export type {
  /**
   * A test that failed.
   *
   * @category models
   */
  FailingTest
} from "./failures/FailedTests.ts"
export type {
  /**
   * What made it fail.
   *
   * @category models
   */
  CauseKind
} from "./failures/FailureSigns.ts"

/**
 * `subject` is what it is about: a module, a command, an address, the type or code of an error. `message` is the tool's
 * own, in one line. What the output does not say is null.
 *
 * @category models
 */
export interface Cause {
  readonly kind: CauseKind
  readonly subject: string | null
  readonly message: string | null
  readonly file: string | null
  readonly line: number | null
}

/**
 * What each kind of tool says of its own failure, null where none of that kind does: of a compiler or a type checker in
 * `compile`. `failing` are the tests that failed, each with its place, what it expected and received and what it threw, as far
 * as the output tells. `findings` are what a linter points at, errors first; where no linter says that it failed, its
 * warnings may have been no reason. `causes` come in the order of the output, each once. `passed` is what the tests' runner says where
 * all of them passed: then what failed is not among them.
 *
 * @category models
 */
export interface FailureOutput {
  readonly tests: RunnerOutput.RunSummary | null
  readonly compile: RunnerOutput.RunSummary | null
  readonly lint: RunnerOutput.RunSummary | null
  readonly passed: RunnerOutput.RunSummary | null
  readonly findings: ReadonlyArray<RunnerOutput.FailingItem>
  readonly failing: ReadonlyArray<FailingTest>
  readonly causes: ReadonlyArray<Cause>
}

const maxCauses = 20

const signIn = (line: string): Cause | null => {
  for (const { kind, needles, on } of signs) {
    const match = needles.some((needle) => line.includes(needle)) ? on.exec(line) : null
    if (match === null) continue
    const { file = null, line: at, message = null, subject = null } = match.groups ?? {}
    return { kind, subject, message, file, line: at === undefined ? null : Number(at) }
  }
  return null
}

/** Data, a pattern or a module's names are no code that cannot be parsed: such an error comes as the program runs. */
const isOfData = (message: string): boolean =>
  /\bJSON\b|[Ii]nvalid (?:regular expression|regexp)|does not provide an export|outside a module/.test(message)

const kindOf = ({ message, type }: Found): CauseKind => {
  if (type.startsWith("Assertion")) return "assertion"
  return /^(?:SyntaxError|IndentationError|TabError)$/.test(type) && !isOfData(message) ? "syntax" : "exception"
}

type Placed = Cause & { readonly at: number }

/** An assertion's sentence with its values, unless it has them; one that only introduces them is left out. */
const messageOf = ({ at, message, type }: Found, next: Found | undefined, all: ReadonlyArray<FoundDifference>) => {
  const end = Math.min(next?.at ?? Infinity, at + maxTrace)
  const isAssertion = type.startsWith("Assertion") || message.startsWith("assertion ")
  const values = isAssertion ? telling(all.filter((one) => one.at >= at && one.at < end)) : null
  if (values === null || message.includes(" falsy value: ")) return message
  const { expected, received } = values
  const both = `expected ${expected}, received ${received}`
  if (/^$|:$/.test(message) || message === `${received} == ${expected}`) return both
  return message.includes(expected) && message.includes(received) ? message : `${message}: ${both}`
}

const ofThrown = (thrown: Found, message: string): Placed => ({
  kind: kindOf(thrown),
  subject: thrown.type,
  message: message === "" ? null : message,
  file: thrown.file,
  line: thrown.line,
  at: thrown.at
})

const keyOf = ({ file, kind, line, message, subject }: Cause): string =>
  JSON.stringify([kind, subject, message, file, line])

/** The error that says which module is missing, or who does not answer, is that cause already. */
const signOf = ({ message, subject }: Placed): Cause | null => signIn(`${subject}: ${message}`) ?? signIn(message ?? "")

const isMissing = (cause: Cause | null, { kind, subject }: Cause): boolean =>
  kind === "missing_module" && cause?.kind === kind && cause.subject === subject

/** Where the module is imported, the error that says so knows best. */
const withPlace = (said: Placed, thrown: ReadonlyArray<Placed>): Placed => {
  const error = thrown.find((one) => one.file !== null && isMissing(signOf(one), said))
  return error === undefined ? said : { ...said, file: error.file, line: error.line }
}

/** What looks like a log's prefix may be a place: a sign is looked for in the whole line first. */
const signsIn = ({ lines }: OutputText): ReadonlyArray<Placed> => {
  const said = lines.flatMap(({ bare, raw }, at) => {
    const sign = signIn(raw) ?? (raw === bare ? null : signIn(bare))
    return sign === null ? [] : { ...sign, at }
  })
  // An error's code, below its message, says less than the message did.
  return said.filter(
    ({ kind, message, subject }) =>
      subject !== null || message !== null || !said.some((other) => other.kind === kind && other.subject !== null)
  )
}

const causesIn = (
  text: OutputText,
  errors: ReadonlyArray<Found>,
  differences: ReadonlyArray<FoundDifference>
): ReadonlyArray<Cause> => {
  const all = errors.map((one, index) => ofThrown(one, messageOf(one, errors[index + 1], differences)))
  const said = signsIn(text).map((one) => withPlace(one, all))
  const thrown = all.filter((one) => {
    const sign = signOf(one)
    return sign === null || said.every(({ kind }) => kind !== sign.kind)
  })
  const found = new Map<string, Cause>()
  for (const { at: _, ...cause } of [...said, ...thrown].toSorted((left, right) => left.at - right.at))
    if (found.size < maxCauses) found.set(keyOf(cause), cause)
  return [...found.values()]
}

const place = /^(?:[A-Za-z]:)?[^\s:]{1,300}\.\w{1,8}:\d{1,7}:/

const plainLines = ({ lines }: OutputText): ReadonlyArray<string> =>
  lines.map(({ bare, raw }) => (place.test(raw) ? raw : bare))

type Runs = Pick<FailureOutput, "tests" | "compile" | "lint" | "passed" | "findings">
type Kind = "tests" | "typecheck" | "build" | "lint"

/** What a tool that speaks for tests and builds alike names so is a test: of Gradle, its class and method. */
const namesTests = ({ failing }: RunnerOutput.RunSummary): boolean =>
  failing.some(({ name }) => /^[\w.$]{1,200} > /.test(name))

/** A tool that speaks for two kinds of run speaks once; a shell that found no command speaks for none. */
const runsIn = (output: string, findings: FailureOutput["findings"]): Runs => {
  const said = (kind: Kind) => RunnerOutput.summarize(output, { kind, runner: null })
  const failed = (kind: Kind) => {
    const run = said(kind)
    if (run?.outcome !== "failed") return null
    // What speaks for builds as well is no linter.
    const isMute = kind === "lint" && run.failing.length === 0 && run.runner !== said("build")?.runner
    const failing = isMute ? findings : run.failing
    return failing.length > 0 ? { ...run, failing } : null
  }
  const built = failed("typecheck") ?? failed("build")
  const compile = built === null || namesTests(built) ? null : built
  const others = [failed("tests"), failed("lint")].map((run) => (run?.runner === compile?.runner ? null : run))
  const [tests = null, lint = null] = others
  const all = said("tests")
  const passed = all?.outcome === "passed" ? all : null
  return { tests, compile, lint: lint?.runner === tests?.runner ? null : lint, passed, findings }
}

/** Each cause in its order; what TAP says stands at the end, for no line of it is a trace. */
const ofTapAt = (at: number, tap: ReturnType<typeof tapFailuresIn>): ReadonlyArray<Found> =>
  tap.map(({ thrown }) => ({ ...thrown, at }))

/** An example of doctest is told better by itself than by the runner that runs all of a docstring's as one test. */
const testsIn = (lines: ReadonlyArray<string>, run: RunnerOutput.RunSummary | null, told: Told) => {
  const examples = examplesIn(lines, told)
  const named = withoutRepeats(run?.failing ?? []).filter(
    ({ name }) => !examples.some((one) => `.${one.name}`.endsWith(`.${name}`))
  )
  return [...examples, ...withDetails(lines, named, told)]
}

/** Where the runner's own account names no test, the marks before and behind names do. */
const markedIn = (lines: ReadonlyArray<string>, told: Told): ReadonlyArray<FailingTest> => {
  const named = namedTestsIn(lines)
  const detailed = withDetails(
    lines,
    named.map(({ item }) => item),
    told
  )
  return detailed.map((test, index) => {
    const said = test.difference === null && test.thrown === null ? (named[index]?.said ?? null) : null
    return said === null ? test : { ...test, thrown: thrownAt("", said, null) }
  })
}

const failingIn = (
  lines: ReadonlyArray<string>,
  run: RunnerOutput.RunSummary | null,
  { isOfTests, told }: { readonly isOfTests: boolean; readonly told: Told }
): ReadonlyArray<FailingTest> => {
  const failing = testsIn(lines, run, told)
  const marked = isOfTests && failing.every(isFile) ? markedIn(lines, told) : []
  return marked.length > 0 ? marked : failing
}

/**
 * Reads the first and the last 64 KB of an output. `isOfTests` says that a run of tests printed it: then a test is also told
 * by its mark alone, where nothing else of the runner's account is left.
 *
 * @category reading
 */
export const read = (output: string, isOfTests = false): FailureOutput => {
  const text = withoutTodos(outputLines(output))
  const lines = plainLines(text)
  const runs = runsIn(output, findingsIn(lines))
  const tap = tapFailuresIn(lines)
  const thrown = exceptionsIn(lines)
  const told = { differences: differencesIn(lines), thrown }
  const failing = tap.length > 0 ? tap.map(ofTap) : failingIn(lines, runs.tests, { isOfTests, told })
  const errors = [...thrown, ...ofTapAt(lines.length, tap)]
  return { ...runs, failing: failing.slice(0, 10), causes: causesIn(text, errors, told.differences) }
}
