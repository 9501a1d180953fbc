/**
 * The gates that a task may have beside those of its project: a row each, from which everything is derived that is known of
 * one. How a user asks for a gate, a project demands it and an agent claims it are sentences around these words, read in
 * `task/Orders.ts`, `project/instructionRows.ts` and `claims/Claims.ts`.
 */
/** What a required gate may have come to: the results of `GateResult`. */
type Result = "passed" | "failed" | "stale" | "missing" | "unknown"

/** The class of the commands that run a check. */
type CheckClass = "test" | "build" | "typecheck" | "lint"

/**
 * What is known of a gate. `words`: by which a text speaks of it; `is`: the class of the commands that are runs of it, null
 * for what is handed over rather than run: no edit makes that stale, and a tool or a service says itself that it failed.
 * `close`: gates whose run does as much, or nearly so. `onlyAsked`: it is reported only where it was asked for. `name`: how a sentence names it; `said`: what a result means, for the user; `order`: what the
 * agent is told to do, where that is not to run it.
 *
 * @category models
 */
export interface Row {
  readonly words: RegExp
  readonly is: CheckClass | null
  readonly close: ReadonlyArray<string>
  readonly onlyAsked?: boolean
  readonly name: string
  readonly said: Readonly<Record<Result, string>>
  readonly order: { readonly missing: string; readonly failed: string } | null
}

/** What is said of something that is run. */
const runnable = (name: string, plural = false): Row["said"] => ({
  passed: `${name} ${plural ? "pass" : "passes"}`,
  failed: `${name} ${plural ? "fail" : "fails"}`,
  stale: `${name} ${plural ? "were" : "was"} not run after the last edit`,
  missing: `${name} ${plural ? "were" : "was"} not run`,
  unknown: `whether ${name} ${plural ? "pass" : "passes"} cannot be seen`
})

const rows = {
  tests: {
    words: /\b(?:tests?|suite|specs?)\b/i,
    is: "test",
    close: ["ci"],
    name: "the tests",
    said: runnable("the tests", true),
    order: null
  },
  build: {
    words: /\b(?:build|compile)\b/i,
    is: "build",
    // A compiler that checks types builds, and most builds check types.
    close: ["typecheck", "ci"],
    name: "the build",
    said: runnable("the build"),
    order: null
  },
  typecheck: {
    words: /\btype ?-?check|\btypes?\b/i,
    is: "typecheck",
    close: ["build", "ci"],
    name: "the type check",
    said: runnable("the type check"),
    order: null
  },
  lint: {
    words: /\blint/i,
    is: "lint",
    close: ["ci"],
    name: "the linter",
    said: runnable("the linter"),
    order: null
  },
  pr: {
    words: /\b(?:pr|pull request|merge request)\b/i,
    is: null,
    close: [],
    name: "a pull request",
    said: {
      passed: "the pull request is open",
      failed: "the pull request could not be opened",
      stale: "the pull request lacks the last edit",
      missing: "no pull request was opened",
      unknown: "whether the pull request is open cannot be seen"
    },
    order: {
      missing: "Open the pull request that was asked for and give its URL.",
      failed: "Open the pull request that was asked for and give its URL."
    }
  },
  ci: {
    words: /\b(?:ci|checks|pipeline)\b/i,
    is: null,
    close: [],
    name: "CI",
    said: {
      passed: "CI is green",
      failed: "CI is red",
      stale: "CI was not checked after the last push",
      missing: "CI was not checked",
      unknown: "whether CI is green cannot be seen"
    },
    order: {
      missing: "Check CI until it has finished, and fix what fails.",
      failed: "Read the failed checks, fix their cause and push again."
    }
  },
  push: {
    words: /\bpush/i,
    is: null,
    close: [],
    name: "the push",
    said: {
      passed: "the branch is pushed",
      failed: "the push failed",
      stale: "the last change was not pushed",
      missing: "the branch was not pushed",
      unknown: "whether the branch was pushed cannot be seen"
    },
    order: { missing: "Push the branch, as asked.", failed: "Push the branch, as asked." }
  },
  commit: {
    words: /\bcommit/i,
    is: null,
    close: [],
    onlyAsked: true,
    name: "the commit",
    said: {
      passed: "the change is committed",
      failed: "the commit failed",
      stale: "the last change was not committed",
      missing: "nothing was committed",
      unknown: "whether the change was committed cannot be seen"
    },
    order: { missing: "Commit the change, as asked.", failed: "Commit the change, as asked." }
  }
} as const satisfies Record<string, Row>

/**
 * A gate that every project may have.
 *
 * @category models
 */
export type GateName = keyof typeof rows

/**
 * Their rows, in the order in which they are reported.
 *
 * @category constants
 */
export const gates: Readonly<Record<GateName, Row>> = rows

/** A gate that a project declares may be called `constructor`: only what has a row is one of these. */
export const isGate = (gate: string): gate is GateName => Object.hasOwn(rows, gate)

const rowOf = (gate: string): Row | null => (isGate(gate) ? gates[gate] : null)

/** The names of all. */
export const names: ReadonlyArray<GateName> = Object.keys(rows).filter(isGate)

/** A gate that is run by a command. */
export type CheckGate = "tests" | "build" | "typecheck" | "lint"

/** Whether a gate is run by a command, rather than handed over or a project's own. */
export const isCheck = (gate: string): gate is CheckGate => rowOf(gate)?.is != null

/** The class of the commands that run a check. */
export const classOf: Readonly<Record<CheckGate, CheckClass>> = {
  tests: rows.tests.is,
  build: rows.build.is,
  typecheck: rows.typecheck.is,
  lint: rows.lint.is
}

/** The gate of a command that checks, by the command's class. */
export const gateOfCheck = { test: "tests", build: "build", typecheck: "typecheck", lint: "lint" } as const satisfies {
  readonly [Class in CheckClass]: CheckGate
}

/** The classes of the commands that check. */
export const checkClasses: ReadonlySet<string> = new Set(Object.keys(gateOfCheck))

/** Whether a gate is handed over rather than run. */
export const isDelivered = (gate: string): boolean => rowOf(gate)?.is === null

/** The gates whose run does as much as one of this, or nearly so. */
export const closeTo = (gate: string): ReadonlyArray<string> => rowOf(gate)?.close ?? []

/** Whether a text speaks of a gate. */
export const speaksOf = (text: string, gate: string): boolean => rowOf(gate)?.words.test(text) === true

/** How a sentence names a gate; null for a project's own. */
export const nameOf = (gate: string): string | null => rowOf(gate)?.name ?? null

const undone: Readonly<Record<string, string>> = {
  pr: "no pull request was opened in this task",
  push: "nothing was pushed in this task",
  commit: "no commit was made in this task",
  ci: "nobody looked at CI in this task"
}

/** What the record says of a gate of which it has nothing. */
export const absence = (gate: string): string =>
  undone[gate] ?? `no run of ${nameOf(gate) ?? `\`${gate}\``} is on record in this task`

/** What the agent is told to do about a gate that is handed over. */
export const orderOf = (gate: string, result: Result | "not_required"): string | null => {
  const order = rowOf(gate)?.order ?? null
  return order === null ? null : result === "failed" ? order.failed : order.missing
}

/** What a gate's result means, in a few words for the user; nothing where it is not required. */
export const said = ({ gate, result }: { readonly gate: string; readonly result: Result | "not_required" }): string =>
  result === "not_required" ? "" : (rowOf(gate)?.said ?? runnable(gate))[result]
