/** What is to be learned from each cause: what went wrong, what to do instead, step by step. */
import type { FailureContext } from "../FailureContext.ts"
import type { Cause, FailingTest, FailureOutput } from "../FailureOutput.ts"
import type { Category } from "../Reflection.ts"
import type { FailingItem, RunSummary } from "../RunnerOutput.ts"
import { isNodeVersion } from "./failureNode.ts"
import type { Thrown } from "./failurePlaces.ts"
import type { CauseKind } from "./failureSigns.ts"
import { isFile } from "./failureTests.ts"
import { oneLine } from "./text.ts"

type Advise = (failure: FailureContext, output: FailureOutput) => Lesson | null

export interface Lesson {
  readonly category: Category
  readonly analysis: string
  readonly suggestion: string
  readonly items: ReadonlyArray<string>
  readonly confidence: number
  /** What two failures of one cause have in common, empty where the cause is not known. */
  readonly sign: string
}

/** It stands within a sentence of ours, which has its own end. */
const short = (text: string, limit = 120): string => oneLine(text, limit).replace(/\.$/, "")

/** The end of a sentence, where what is quoted has not its own. */
const ended = (text: string): string => (/[?!]$/.test(text) ? text : `${text.replace(/[:;,]$/, "")}.`)

const quoted = (name: string): string => `"${short(name, 100).replaceAll('"', "'")}"`

export const placeOf = ({ file, line }: Pick<FailingItem, "file" | "line">): string =>
  file === null ? "" : line === null ? file : `${file}:${line}`

const at = (item: Pick<FailingItem, "file" | "line">): string => {
  const place = placeOf(item)
  return place === "" ? "" : ` (${place})`
}

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`

const edited = ({ filesModified }: FailureContext): string => {
  const shown = filesModified.slice(0, 3).map((file) => short(file, 80))
  return filesModified.length > 3 ? `${shown.join(", ")} and ${filesModified.length - 3} more` : shown.join(", ")
}

/** Whose name says that it is about the edge of what is allowed. */
const edge =
  /\b(?:empty|null|undefined|none|nil|zero|negative|missing|boundar|edge|overflow|unicode|max(?:imum)?|min(?:imum)?|single|duplicate)/i

const others = (count: number): string => (count < 2 ? "" : ` ${plural(count - 1, "other test")} failed as well.`)

const where = (failure: FailureContext): string =>
  failure.filesModified.length === 0 ? "the code under test" : edited(failure)

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
  if (difference !== null && difference.expected !== "")
    return `Follow how ${short(difference.received)} comes about in ${where(failure)} and mend that; ${rest}`
  return `Find out ${from === "" ? `in ${where(failure)}` : `at ${from}`} why ${quoted(name)} fails and mend that; ${rest}`
}

/** The one that says most comes first. */
const telling = (failing: ReadonlyArray<FailingTest>): FailingTest | undefined =>
  failing.find(({ difference }) => difference !== null) ?? failing.find(({ thrown }) => thrown !== null) ?? failing[0]

/** A hook has no name of its own: Mocha says whose it is. */
const isHook = (name: string): boolean => /^"(?:before|after) (?:each|all)" hook/.test(name)

const titled = (name: string): string => (isHook(name) ? `The ${short(name, 100)}` : `The test ${quoted(name)}`)

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

export const ofLint = (_: FailureContext, run: RunSummary | null): Lesson | null => {
  const [first] = run?.failing ?? []
  if (run === null || first === undefined) return null
  return {
    category: "verification",
    analysis: `${run.runner} found what the project does not allow${at(first)}: ${ended(short(first.name, 240))}`,
    suggestion: "Mend each finding in the code; a rule is not to be switched off for it.",
    items: [
      ...run.failing.slice(0, 3).map((item) => `${placeOf(item)}: ${short(item.name, 150)}`),
      `Run ${run.runner} again.`
    ],
    confidence: 0.6,
    sign: `lint ${placeOf(first)} ${first.name}`
  }
}

interface Said {
  readonly category: Category
  readonly analysis: (cause: Cause) => string
  readonly suggestion: (cause: Cause, failure: FailureContext) => string
  readonly items: (cause: Cause) => ReadonlyArray<string>
}

const about = ({ subject }: Cause, otherwise: string): string =>
  subject === null ? otherwise : `\`${short(subject, 100)}\``

const isOwnModule = ({ subject }: Cause): boolean => subject !== null && /^[./]|^(?:crate|self|super)::/.test(subject)

const thrownAt = (cause: Cause): string => {
  const what = `${cause.subject ?? "an error"}${at(cause)}`
  return cause.message === null ? what : `${what}: ${short(cause.message, 240)}`
}

const ofException = (cause: Cause, failure: FailureContext): string => {
  const message = cause.message ?? ""
  if (/\bJSON(?:\b|Decode)/.test(`${cause.subject} ${message}`))
    return `Look at the text that is parsed${at(cause)}, and where it comes from: it is no JSON. Mend what writes or sends it, or decide there what is to happen then.`
  return /undefined|null|None|nil/.test(message)
    ? `A value is missing${at(cause)} that the code takes for granted: find out which call gives none, in ${where(failure)}, and decide there what is to happen then.`
    : `Start at ${placeOf(cause) || "the first frame of the project's own code"} and follow the value that causes it; do not catch the error to hide it.`
}

const said: Readonly<Record<CauseKind, Said>> = {
  assertion: {
    category: "root_cause",
    analysis: (cause) => `An assertion failed: ${thrownAt(cause)}.`,
    suggestion: (cause) => `Find out which value breaks the assertion${at(cause)} and where it comes from.`,
    items: (cause) => [`Print the values that are compared${at(cause)}.`]
  },
  exception: {
    category: "root_cause",
    analysis: (cause) => `It threw ${ended(thrownAt(cause))}`,
    suggestion: ofException,
    items: (cause) => [
      `Read ${placeOf(cause) || "the place that threw"} and the caller.`,
      "Reproduce it with the smallest input.",
      "Write a test that fails the same way."
    ]
  },
  syntax: {
    category: "root_cause",
    analysis: (cause) =>
      cause.subject === null
        ? `The code cannot be parsed${at(cause)}: ${short(cause.message ?? "", 240)}.`
        : `The code cannot be parsed: ${thrownAt(cause)}.`,
    suggestion: (cause) =>
      `Read ${placeOf(cause) || "the file that was edited last"} around that line: an edit may have left it incomplete.`,
    items: () => ["Check brackets and quotes of the last edit.", "Run it again before any other change."]
  },
  missing_module: {
    category: "missing_context",
    analysis: (cause) => `${about(cause, "A module")} is imported and cannot be found.`,
    suggestion: (cause) =>
      isOwnModule(cause)
        ? `It is a file of the project: check the path, its ending and whether the file was created.`
        : `Check whether the project declares it; if it does, install its dependencies; if it does not, use what the project has instead of adding one unasked.`,
    items: (cause) =>
      isOwnModule(cause)
        ? [`List the folder that ${about(cause, "the import")} points to.`]
        : [
            "Look at the manifest of the project (package.json, pyproject.toml, Cargo.toml …).",
            "Install what it declares, then run again."
          ]
  },
  missing_command: {
    category: "environment",
    analysis: (cause) => `The command ${about(cause, "that was run")} does not exist here.`,
    suggestion: (cause) =>
      `Find out how the project runs ${about(cause, "it")}: a script of its manifest, its own folder of programs, or another tool that is installed.`,
    items: (cause) => [
      "List the project's scripts.",
      `Look for ${about(cause, "the command")} in its dependencies' programs before installing anything.`
    ]
  },
  missing_script: {
    category: "tool_misuse",
    analysis: (cause) => `The project has no script ${about(cause, "of that name")}.`,
    suggestion: () => "Use the scripts that the manifest has.",
    items: () => ["Read the `scripts` of package.json."]
  },
  missing_file: {
    category: "missing_context",
    analysis: (cause) => `The file ${about(cause, "that was read")} does not exist.`,
    suggestion: () => "Check the path, and from which folder it is run; create the file only if the task says so.",
    items: (cause) => [`List the folder of ${about(cause, "the file")}.`]
  },
  permission: {
    category: "environment",
    analysis: (cause) => `${about(cause, "A file")} may not be used: permission denied.`,
    suggestion: () =>
      "Work in a folder that may be written, or ask the user; do not change the rights of what is not the task's.",
    items: (cause) => [`Look at the owner and the rights of ${about(cause, "the file")}.`]
  },
  connection: {
    category: "environment",
    analysis: (cause) => `Nothing answers at ${about(cause, "the address that is connected to")}.`,
    suggestion: () =>
      "A service that the code needs is not running: start it as the project says, or use the tests' own stand-in. The code need not be at fault.",
    items: (cause) => [
      `Find out what should listen at ${about(cause, "that address")} (compose file, README, test set-up).`,
      "Start it, then run the same command again."
    ]
  },
  port: {
    category: "environment",
    analysis: (cause) => `${about(cause, "The port")} is in use already.`,
    suggestion: () => "An earlier run is still there: end the process that this task started, or use another port.",
    items: () => ["Find the process that holds the port.", "End it only if it is of this task."]
  },
  memory: {
    category: "environment",
    analysis: () => "The process ran out of memory or was killed.",
    suggestion: () => "Run a smaller part, and look for what grows without bound before giving it more memory.",
    items: () => ["Run one file or one test alone.", "Look for a loop or a cache that never ends."]
  },
  disk: {
    category: "environment",
    analysis: () => "There is no space left on the disk.",
    suggestion: () => "Remove what this task has made, or tell the user; nothing else is to be deleted.",
    items: () => ["Look at what was written in this task."]
  },
  timeout: {
    category: "approach_flaw",
    analysis: ({ message, subject }) =>
      `${subject === null ? "It" : short(subject, 60)} was not done in time${message === null ? "" : ` (${short(message, 60)})`}.`,
    suggestion: () =>
      "Find what it waits for: a promise that nobody settles, a server that never ends, a question on standard input. A longer time limit only hides it.",
    items: () => [
      "Run the slow part alone and see where it stands.",
      "Check that what is started is awaited and closed."
    ]
  }
}

export const ofCause = (failure: FailureContext, cause: Cause | undefined): Lesson | null => {
  if (cause === undefined) return null
  const { analysis, category, items, suggestion } = said[cause.kind]
  return {
    category,
    analysis: analysis(cause),
    suggestion: suggestion(cause, failure),
    items: items(cause),
    confidence: 0.6,
    sign: `${cause.kind} ${cause.subject ?? ""} ${placeOf(cause)} ${cause.message ?? ""}`
  }
}

/** What stands at the end of every failure, whatever it was. */
const closing =
  /^(?:npm (?:ERR!|error|notice)|error Command failed|info Visit|\s{0,4}ELIFECYCLE|make(?:\[\d{1,3}\])?: \*\*\*|\(Use `node|#|ℹ)/u

/** The last that says something, or else the last. */
const lastLine = (output: string): string => {
  const lines = output
    .slice(-20_000)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== "")
  const last = lines.findLast((line) => !isNodeVersion(line) && !closing.test(line)) ?? lines.at(-1)
  return short(last ?? "", 240)
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
    "Run the checks that the task asks for and report what they print before saying that it is done."
  ]
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
export const ofType = ({ errorOutput, failureType }: FailureContext, { passed }: FailureOutput): Lesson => {
  if (failureType === "test_failure" && passed !== null) return ofPassed(passed)
  const [what, category, suggestion] = words[failureType]
  const last = lastLine(errorOutput)
  return {
    category,
    analysis:
      last === "" ? `${what}, and the output says nothing of why.` : `${what}; the output ends with: ${ended(last)}`,
    suggestion,
    items: [],
    confidence: 0.3,
    sign: ""
  }
}
