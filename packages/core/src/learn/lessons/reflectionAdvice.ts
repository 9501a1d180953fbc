/** What is to be learned from tests that failed, from code that a tool rejects, and from an output that tells nothing. */
import type { FailureContext } from "./FailureContext.ts"
import type { FailingTest, FailureOutput } from "../../session/output/FailureOutput.ts"
import type { Category } from "./Reflection.ts"
import type { RunSummary } from "../../session/output/RunnerOutput.ts"
import { isNodeVersion } from "../../session/output/failures/NodeFailures.ts"
import type { Thrown } from "../../session/output/failures/FailurePlaces.ts"
import { isFile } from "../../session/output/failures/FailedTests.ts"
import { at, ended, type Lesson, placeOf, quoted, short, where } from "./reflectionWords.ts"
import { plural } from "../../ground/text/Text.ts"

export type { Lesson } from "./reflectionWords.ts"
export { ofCause } from "./reflectionCauses.ts"

type Advise = (failure: FailureContext, output: FailureOutput) => Lesson | null

/** Whose name says that it is about the edge of what is allowed. */
const edge =
  /\b(?:empty|null|undefined|none|nil|zero|negative|missing|boundar|edge|overflow|unicode|max(?:imum)?|min(?:imum)?|single|duplicate)/i

const others = (count: number): string => (count < 2 ? "" : ` ${plural(count - 1, "other test")} failed as well.`)

const saidBy = ({ message, type }: Thrown): string =>
  short(type === "" || message === "" ? `${type}${message}` : `${type}: ${message}`, 200)

/** Null where the output names the test and nothing of why. */
const wrongOf = ({ difference, thrown }: FailingTest): string | null => {
  if (difference !== null && difference.expected !== "")
    return `expected ${short(difference.expected)}, received ${short(difference.received)}`
  return thrown === null || saidBy(thrown) === "" ? null : saidBy(thrown)
}

const adviceOf = (failure: FailureContext, { difference, name, thrown }: FailingTest): string => {
  const rest = "the test says what is wanted, so leave it as it is."
  const from = thrown === null ? "" : placeOf(thrown)
  if (isHook(name))
    return `Mend what the hook needs${from === "" ? "" : ` at ${from}`}: the tests behind it did not run, so they say nothing of the work yet.`
  if (difference !== null && difference.expected !== "" && difference.received !== "nothing")
    return `Follow how ${short(difference.received)} comes about in ${where(failure)} and mend that; ${rest}`
  return `Find out ${from === "" ? `in ${where(failure)}` : `at ${from}`} why ${quoted(name)} fails and mend that; ${rest}`
}

/** The one that says most comes first. */
const telling = (failing: ReadonlyArray<FailingTest>): FailingTest | undefined =>
  failing.find(({ difference }) => difference !== null) ?? failing.find(({ thrown }) => thrown !== null) ?? failing[0]

/** A hook has no name of its own: Mocha says whose it is. */
const isHook = (name: string): boolean =>
  /^(?:"(?:before|after) (?:each|all)" hook\b|(?:setUp|tearDown)(?:Class|Module)$)/.test(name)

const titled = (name: string): string => {
  if (name.startsWith('"') && isHook(name)) return `The ${short(name, 100)}`
  return `The ${isHook(name) ? "hook" : "test"} ${quoted(name)}`
}

const ofFailing = (
  failure: FailureContext,
  { tests }: FailureOutput,
  failing: ReadonlyArray<FailingTest>
): Lesson | null => {
  const first = telling(failing)
  if (first === undefined) return null
  const name = quoted(first.name)
  const wrong = wrongOf(first)
  const more = failing.filter((one) => one !== first).slice(0, 3)
  return {
    category: edge.test(first.name) ? "edge_case" : "root_cause",
    analysis: `${titled(first.name)}${at(first)} failed: ${ended(wrong ?? "the output does not say why")}${others(tests?.failed ?? failing.length)}`,
    suggestion: adviceOf(failure, first),
    items: [
      `Read ${placeOf(first) === "" ? `the test ${name}` : placeOf(first)} and say what it requires.`,
      `Run ${name} alone until it passes.`,
      ...(more.length === 0
        ? []
        : [`Then see whether the others still fail: ${more.map((one) => quoted(one.name)).join(", ")}.`]),
      "Run the whole suite once before saying that it is done."
    ],
    confidence: wrong === null ? 0.5 : first.difference === null ? 0.6 : 0.7,
    sign: wrong === null ? "" : `test ${first.file ?? ""} ${first.name} ${wrong}`
  }
}

/** Of tests that ran, and of which the output says why they failed. */
export const ofTests: Advise = (failure, output) => {
  const ran = output.failing.filter((test) => !isFile(test))
  return ran.some((test) => wrongOf(test) !== null) ? ofFailing(failure, output, ran) : null
}

/** Of tests of which only the names are told. */
export const ofMute: Advise = (failure, output) =>
  ofFailing(
    failure,
    output,
    output.failing.filter((test) => !isFile(test))
  )

/** Of files of tests that could not be loaded. */
export const ofFiles: Advise = (_, { failing }) => {
  const files = failing.filter(isFile)
  const first = files.find((file) => wrongOf(file) !== null) ?? files[0]
  if (first === undefined || failing.length > files.length) return null
  const wrong = wrongOf(first)
  const origin = first.thrown === null ? "" : placeOf(first.thrown)
  return {
    category: "root_cause",
    analysis: `The tests of ${short(first.name, 100)} could not be run: ${ended(wrong ?? "the output does not say why")}`,
    suggestion: `Mend what keeps the file from being loaded${origin === "" ? "" : ` at ${origin}`}: none of its tests ran, so they say nothing of the work yet.`,
    items: [`Run ${short(first.name, 100)} alone and read the first error.`, "Run the whole suite once it is loaded."],
    confidence: wrong === null ? 0.4 : 0.6,
    sign: wrong === null ? "" : `file ${first.name} ${wrong}`
  }
}

export const ofCompile = (_: FailureContext, run: RunSummary | null): Lesson | null => {
  const [first] = run?.failing ?? []
  if (run === null || first === undefined) return null
  const count = run.failed ?? run.failing.length
  return {
    category: "misconception",
    analysis: `${run.runner} rejects the code${at(first)}: ${ended(short(first.name, 240))}${count > 1 ? ` There are ${count} errors.` : ""}`,
    suggestion: `Look up the declaration that ${placeOf(first) || "the error"} relies on before changing it: what was assumed of it is not so. Do not silence the error with a cast or a comment.`,
    items: [
      ...run.failing.slice(0, 3).map((item) => `${placeOf(item) || "Mend"}: ${short(item.name, 150)}`),
      `Run ${run.runner} again before anything else.`
    ],
    confidence: 0.7,
    sign: `compile ${placeOf(first)} ${first.name}`
  }
}

/** Where the output does not say which linter ran, `runner` is null. */
export const ofLint = (
  run: (Pick<RunSummary, "failing"> & { readonly runner: string | null }) | null
): Lesson | null => {
  const [first] = run?.failing ?? []
  if (run === null || first === undefined) return null
  return {
    category: "verification",
    analysis: `${run.runner ?? "The linter"} found what the project does not allow${at(first)}: ${ended(short(first.name, 240))}`,
    suggestion: "Mend each finding in the code; a rule is not to be switched off for it.",
    items: [
      ...run.failing.slice(0, 3).map((item) => `${placeOf(item)}: ${short(item.name, 150)}`),
      `Run ${run.runner ?? "it"} again.`
    ],
    confidence: 0.6,
    sign: `lint ${placeOf(first)} ${first.name}`
  }
}

/** What stands at the end of every failure, whatever it was. */
const closing =
  /^(?:npm (?:ERR!|error|notice)|error Command failed|info Visit|\s{0,4}ELIFECYCLE|make(?:\[\d{1,3}\])?: \*\*\*|\(Use `node|(?:#|ℹ)(?! Error: ))/u

const mostWhole = 3

/** Of a short output all that says something, of a longer one the last of it. */
const endOf = (output: string): string => {
  const lines = output
    .slice(-20_000)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== "")
  const telling = lines.filter((line) => !isNodeVersion(line) && !closing.test(line))
  const shown = telling.length <= mostWhole ? telling : telling.slice(-1)
  return short((shown.length > 0 ? shown : lines.slice(-1)).map((line) => line.trim()).join(" / "), 240)
}

const words: Readonly<Record<FailureContext["failureType"], readonly [what: string, Category, suggestion: string]>> = {
  test_failure: [
    "The tests failed",
    "root_cause",
    "Run the tests again with the most detail that the runner gives, and begin with the first failure."
  ],
  typecheck_failure: ["The type check failed", "misconception", "Run the type checker alone and mend its first error."],
  build_failure: [
    "The build failed",
    "root_cause",
    "Run the build alone and mend its first error; later ones often follow from it."
  ],
  runtime_error: [
    "The program failed while it ran",
    "root_cause",
    "Run it again so that it shows where it fails, and begin there."
  ],
  timeout: [
    "The attempt was not done in time",
    "approach_flaw",
    "Do the smallest part that can be shown to work first, and run nothing that does not end by itself."
  ],
  verification_failed: [
    "What was claimed to be done was not shown",
    "verification",
    "Do what is still missing and show it by what the commands print before saying that it is done."
  ]
}

const sentence = (text: string): string => ended(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`)

/** What a verdict says is not done, and to be done, where it tells more than what was printed. */
export const ofMissing: Advise = ({ failureType, missing = [], nextActions = [] }) => {
  const [first, ...more] = missing
  if (first === undefined) return null
  const [action = words[failureType][2], ...others] = nextActions
  return {
    category: words[failureType][1],
    analysis: [
      `The agent stopped, and this was not done: ${ended(short(first, 240))}`,
      ...more.slice(0, 2).map((one) => sentence(short(one, 120)))
    ].join(" "),
    suggestion: action,
    items: others.slice(0, 3),
    confidence: 0.6,
    sign: `missing ${first}`
  }
}

const ofPassed = ({ detail }: RunSummary): Lesson => ({
  category: "verification",
  analysis: `No test failed: the output says ${short(detail, 120)}. If the attempt failed, it was at something else.`,
  suggestion: "Find out what failed besides the tests before changing anything for them.",
  items: [],
  confidence: 0.3,
  sign: ""
})

/** What is left to say where the output tells nothing. */
export const ofType = (
  { errorOutput, failureType, nextActions = [] }: FailureContext,
  { passed }: FailureOutput
): Lesson => {
  if (failureType === "test_failure" && passed !== null) return ofPassed(passed)
  const [what, category, advice] = words[failureType]
  const [suggestion = advice, ...items] = nextActions.slice(0, 4)
  const last = endOf(errorOutput)
  // What is missing is told in words, and is no output.
  const between = failureType === "verification_failed" ? ": " : "; the output ends with: "
  return {
    category,
    analysis: last === "" ? `${what}, and the output says nothing of why.` : `${what}${between}${ended(last)}`,
    suggestion,
    items,
    confidence: 0.3,
    sign: ""
  }
}
