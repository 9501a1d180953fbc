/** The gates that a task may have besides those of its project: one row each. */

/** The class of the commands that run a check. */
export const classOf = { tests: "test", build: "build", typecheck: "typecheck", lint: "lint" } as const

/** A gate that is run by a command. */
export type CheckGate = keyof typeof classOf

/** The gate of a command that checks, by the command's class. */
export const gateOfCheck = { test: "tests", build: "build", typecheck: "typecheck", lint: "lint" } as const satisfies {
  readonly [Gate in CheckGate as (typeof classOf)[Gate]]: Gate
}

/** The classes of the commands that check. */
export const checkClasses: ReadonlySet<string> = new Set(Object.keys(gateOfCheck))

/** What a required gate may have come to: the results of `GateResult`. */
type Result = "passed" | "failed" | "stale" | "missing" | "unknown"

/**
 * What is known of a gate. `words`: how a text speaks of it; `close`: gates whose run does as much, or nearly so;
 * `name`: how a sentence names it; `said`: what a result means, for the user. Of what is handed over rather than run, `order` is
 * what the agent is told to do, `orderIn` what in a result of its own, and `absence` what the record says where it has nothing.
 */
interface Row {
  readonly words: RegExp
  readonly close: ReadonlyArray<string>
  readonly name: string
  readonly said: Readonly<Record<Result, string>>
  readonly order?: string
  readonly orderIn?: Partial<Record<Result, string>>
  readonly absence?: string
}

/** What is said of something that is run. */
const runnable = (name: string, verb = "passes", was = "was"): Row["said"] => ({
  passed: `${name} ${verb}`,
  failed: `${name} ${verb === "pass" ? "fail" : "fails"}`,
  stale: `${name} ${was} not run after the last edit`,
  missing: `${name} ${was} not run`,
  unknown: `whether ${name} ${verb} cannot be seen`
})

const rows = {
  tests: {
    words: /\b(?:tests?|suite|specs?)\b/i,
    close: ["ci"],
    name: "the tests",
    said: runnable("the tests", "pass", "were")
  },
  // A compiler that checks types builds, and most builds check types.
  build: {
    words: /\b(?:build|compile)\b/i,
    close: ["typecheck", "ci"],
    name: "the build",
    said: runnable("the build")
  },
  typecheck: {
    words: /\btype ?-?check|\btypes?\b/i,
    close: ["build", "ci"],
    name: "the type check",
    said: runnable("the type check")
  },
  lint: { words: /\blint/i, close: ["ci"], name: "the linter", said: runnable("the linter") },
  pr: {
    words: /\b(?:pr|pull request|merge request)\b/i,
    close: [],
    name: "a pull request",
    said: {
      passed: "the pull request is open",
      failed: "the pull request could not be opened",
      stale: "the pull request lacks the last edit",
      missing: "no pull request was opened",
      unknown: "whether the pull request is open cannot be seen"
    },
    order: "Open the pull request that was asked for and give its URL.",
    orderIn: { stale: "Commit the last change and push it, so that the pull request has it." },
    absence: "no pull request was opened in this task"
  },
  ci: {
    words: /\b(?:ci|checks|pipeline)\b/i,
    close: [],
    name: "CI",
    said: {
      passed: "CI is green",
      failed: "CI is red",
      stale: "CI was not checked after the last push",
      missing: "CI was not checked",
      unknown: "whether CI is green cannot be seen"
    },
    order: "Check CI until it has finished, and fix what fails.",
    orderIn: { failed: "Read the failed checks, fix their cause and push again." },
    absence: "nobody looked at CI in this task"
  },
  push: {
    words: /\bpush/i,
    close: [],
    name: "the push",
    said: {
      passed: "the branch is pushed",
      failed: "the push failed",
      stale: "the last change was not pushed",
      missing: "the branch was not pushed",
      unknown: "whether the branch was pushed cannot be seen"
    },
    order: "Push the branch, as asked.",
    absence: "nothing was pushed in this task"
  },
  commit: {
    words: /\bcommit/i,
    close: [],
    name: "the commit",
    said: {
      passed: "the change is committed",
      failed: "the commit failed",
      stale: "the last change was not committed",
      missing: "nothing was committed",
      unknown: "whether the change was committed cannot be seen"
    },
    order: "Commit the change, as asked.",
    absence: "no commit was made in this task"
  }
} as const satisfies Record<string, Row>

/** A gate that every project may have. */
export type GateName = keyof typeof rows

/** A gate that a project declares may be called `constructor`: only what has a row is one of these. */
export const isGate = (gate: string): gate is GateName => Object.hasOwn(rows, gate)

const rowOf = (gate: string): Row | null => (isGate(gate) ? rows[gate] : null)

/** The names of all, in the order in which they are reported. */
export const names: ReadonlyArray<GateName> = Object.keys(rows).filter(isGate)

/** Whether a gate is run by a command, rather than handed over or a project's own. */
export const isCheck = (gate: string): gate is CheckGate => Object.hasOwn(classOf, gate)

/** Whether a gate is handed over rather than run: a tool or a service says itself that it failed. */
export const isDelivered = (gate: string): boolean => isGate(gate) && !isCheck(gate)

/** The gates whose run does as much as one of this, or nearly so. */
export const closeTo = (gate: string): ReadonlyArray<string> => rowOf(gate)?.close ?? []

/** Whether a text speaks of a gate. */
export const speaksOf = (text: string, gate: string): boolean => rowOf(gate)?.words.test(text) === true

/** How a sentence names a gate; null for a project's own. */
export const nameOf = (gate: string): string | null => rowOf(gate)?.name ?? null

/** What the record says of a gate that it has nothing about. */
export const absence = (gate: string): string =>
  rowOf(gate)?.absence ?? `no run of ${nameOf(gate) ?? `\`${gate}\``} is on record in this task`

/** What the agent is told to do about a gate that is handed over. */
export const orderOf = (gate: string, result: Result | "not_required"): string | null => {
  const row = rowOf(gate)
  return (result === "not_required" ? undefined : row?.orderIn?.[result]) ?? row?.order ?? null
}

/** What a gate's result means, in a few words for the user; nothing where it is not required. */
export const said = ({ gate, result }: { readonly gate: string; readonly result: Result | "not_required" }): string =>
  result === "not_required" ? "" : (rowOf(gate)?.said ?? runnable(gate))[result]
