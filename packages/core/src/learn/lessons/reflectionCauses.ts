/** What is to be learned from each cause: what went wrong, what to do instead, step by step. */
import type { FailureContext } from "./FailureContext.ts"
import type { Cause } from "../../session/output/FailureOutput.ts"
import type { Category } from "./Reflection.ts"
import type { CauseKind } from "../../session/output/failures/FailureSigns.ts"
import { at, ended, type Lesson, placeOf, short, where } from "./reflectionWords.ts"

interface Said {
  readonly category: Category
  readonly analysis: (cause: Cause) => string
  readonly suggestion: (cause: Cause, failure: FailureContext) => string
  readonly items: (cause: Cause) => ReadonlyArray<string>
}

const about = ({ subject }: Cause, otherwise: string): string =>
  subject === null ? otherwise : `\`${short(subject, 100)}\``

const isOwnModule = ({ subject }: Cause): boolean =>
  subject !== null && /^(?:[./](?!.*\bnode_modules\b)|(?:crate|self|super)::)/.test(subject)

const missingName =
  "The module is there and has no such name: see what it does export. The name may be misspelt, moved or not written yet, two modules may import each other, or another version of a package is installed."

const thrownAt = (cause: Cause): string => {
  const what = `${cause.subject ?? "an error"}${at(cause)}`
  return cause.message === null ? what : `${what}: ${short(cause.message, 240)}`
}

const ofException = (cause: Cause, failure: FailureContext): string => {
  const message = cause.message ?? ""
  if (/\bJSON(?:\b|Decode)/.test(`${cause.subject} ${message}`))
    return `Look at the text that is parsed${at(cause)}, and where it comes from: it is no JSON. Mend what writes or sends it, or decide there what is to happen then.`
  if (message.includes("provide an export named")) return missingName
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
    analysis: (cause) =>
      cause.message === null
        ? `${about(cause, "A module")} is imported${at(cause)} and cannot be found.`
        : `An import fails${at(cause)}: ${ended(short(cause.message, 240))}`,
    suggestion: (cause) =>
      cause.message !== null
        ? missingName
        : isOwnModule(cause)
          ? `It is a file of the project: check the path, its ending and whether the file was created.`
          : `Check whether the project declares it; if it does, install its dependencies; if it does not, use what the project has instead of adding one unasked.`,
    items: (cause) =>
      cause.message !== null
        ? [`Look for ${about(cause, "the name")} in the module that should have it, and in those that import it.`]
        : isOwnModule(cause)
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

/** That something took too long, was killed or had no answer is not enough: what it was has to be known. */
const signOf = ({ file, kind, line, message, subject }: Cause): string => {
  const isKnown = file !== null || (kind !== "timeout" && (subject !== null || message !== null))
  // What is missing is the same wherever it is imported.
  const place = kind === "missing_module" ? "" : placeOf({ file, line })
  return isKnown ? `${kind} ${subject ?? ""} ${place} ${message ?? ""}` : ""
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
    sign: signOf(cause)
  }
}
