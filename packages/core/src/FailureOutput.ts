/**
 * What the output of a failed command says about the cause: which test, where, what was expected and what came instead.
 * Rules, no model; they claim no more than the text says.
 *
 * @since 0.1.0
 */
import { differencesIn } from "./internal/failureAssertions.ts"
import { exceptionsIn, type Thrown } from "./internal/failureExceptions.ts"
import { type CauseKind, signs } from "./internal/failureSigns.ts"
import { tapFailuresIn } from "./internal/failureTap.ts"
import { type FailingTest, ofTap, withDetails } from "./internal/failureTests.ts"
import { type OutputText, outputLines } from "./internal/outputLines.ts"
import * as RunnerOutput from "./RunnerOutput.ts"

export type {
  /**
   * A test that failed.
   *
   * @since 0.1.0
   * @category models
   */
  FailingTest
} from "./internal/failureTests.ts"
export type {
  /**
   * What made it fail.
   *
   * @since 0.1.0
   * @category models
   */
  CauseKind
} from "./internal/failureSigns.ts"

/**
 * `subject` is what it is about: a module, a command, an address, the type or code of an error. `message` is the tool's
 * own, in one line. What the output does not say is null.
 *
 * @since 0.1.0
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
 * as the output tells. `causes` come in the order of the output, each once.
 *
 * @since 0.1.0
 * @category models
 */
export interface FailureOutput {
  readonly tests: RunnerOutput.RunSummary | null
  readonly compile: RunnerOutput.RunSummary | null
  readonly lint: RunnerOutput.RunSummary | null
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

const kindOf = (type: string): CauseKind =>
  type.startsWith("Assertion")
    ? "assertion"
    : /^(?:SyntaxError|IndentationError|TabError)$/.test(type)
      ? "syntax"
      : "exception"

const ofThrown = ({ file, line, message, type }: Thrown): Cause => ({
  kind: kindOf(type),
  subject: type,
  message,
  file,
  line
})

const keyOf = ({ file, kind, line, message, subject }: Cause): string =>
  JSON.stringify([kind, subject, message, file, line])

const causesIn = (lines: ReadonlyArray<string>, errors: ReadonlyArray<Thrown>): ReadonlyArray<Cause> => {
  const found = new Map<string, Cause>()
  const said = lines.flatMap((line) => signIn(line) ?? [])
  const missing = said.some(({ kind }) => kind === "missing_module")
  const thrown = errors
    .map(ofThrown)
    // The error that says which module is missing is that cause already.
    .filter(
      ({ message, subject }) => !missing || !/^(?:Module|Import)NotFound|Cannot find/.test(`${subject}${message}`)
    )
  for (const cause of [...said, ...thrown]) {
    if (found.size < maxCauses) found.set(keyOf(cause), cause)
  }
  return [...found.values()]
}

const plainLines = ({ lines }: OutputText): ReadonlyArray<string> => lines.map(({ bare }) => bare)

type Runs = Pick<FailureOutput, "tests" | "compile" | "lint">

/** A tool that speaks for two kinds of run speaks once; a shell that found no command speaks for none. */
const runsIn = (output: string): Runs => {
  const failed = (kind: "tests" | "typecheck" | "build" | "lint") => {
    const run = RunnerOutput.summarize(output, { kind, runner: null })
    return run?.outcome === "failed" && run.failing.length > 0 ? run : null
  }
  const compile = failed("typecheck") ?? failed("build")
  const others = [failed("tests"), failed("lint")].map((run) => (run?.runner === compile?.runner ? null : run))
  const [tests = null, lint = null] = others
  return { tests, compile, lint: lint?.runner === tests?.runner ? null : lint }
}

/**
 * Reads the first and the last 64 KB of an output.
 *
 * @since 0.1.0
 * @category reading
 */
export const read = (output: string): FailureOutput => {
  const lines = plainLines(outputLines(output))
  const runs = runsIn(output)
  const tap = tapFailuresIn(lines)
  const thrown = exceptionsIn(lines)
  const told = { differences: differencesIn(lines), thrown }
  const failing = tap.length > 0 ? tap.map(ofTap) : withDetails(lines, runs.tests?.failing ?? [], told)
  const errors = [...thrown, ...tap.map((failure) => failure.thrown)]
  return { ...runs, failing: failing.slice(0, 10), causes: causesIn(lines, errors) }
}
