/** The standard gates that every task may have, one row for each. */

export const classOf = { tests: "test", build: "build", typecheck: "typecheck", lint: "lint" } as const

export type CheckGate = keyof typeof classOf

export const gateOfCheck = { test: "tests", build: "build", typecheck: "typecheck", lint: "lint" } as const satisfies {
  readonly [Gate in CheckGate as (typeof classOf)[Gate]]: Gate
}

export const checkClasses: ReadonlySet<string> = new Set(Object.keys(gateOfCheck))

type Result = "passed" | "failed" | "stale" | "missing" | "unknown"

interface Row {
  readonly words: RegExp
  /** Gates whose runs prove as much as a run of this gate, or almost as much. */
  readonly close: ReadonlyArray<string>
  readonly name: string
  readonly said: Readonly<Record<Result, string>>
  /** What the agent is told to do. Only for a delivery. */
  readonly order?: string
  readonly orderIn?: Partial<Record<Result, string>>
  /** What to say if the record has nothing about the gate. Only for a delivery. */
  readonly absence?: string
}

const runnable = (name: string, verb = "passes", was = "was"): Row["said"] => ({
  passed: `${name} ${verb}`,
  failed: `${name} ${verb === "pass" ? "fail" : "fails"}`,
  stale: `${name} ${was} not run after the last edit`,
  missing: `${name} ${was} not run`,
  unknown: `it is unknown whether ${name} ${verb}`
})

const rows = {
  tests: {
    words: /\b(?:tests?|suite|specs?)\b/i,
    close: ["ci"],
    name: "the tests",
    said: runnable("the tests", "pass", "were")
  },
  // A compiler that checks types also builds, and most builds check types.
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
      unknown: "it is unknown whether the pull request is open"
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
      unknown: "it is unknown whether CI is green"
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
      unknown: "it is unknown whether the branch was pushed"
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
      unknown: "it is unknown whether the change was committed"
    },
    order: "Commit the change, as asked.",
    absence: "no commit was made in this task"
  }
} as const satisfies Record<string, Row>

export type GateName = keyof typeof rows

/** True for a standard gate. A project's gate may be called `constructor`, so inherited properties do not count. */
export const isGate = (gate: string): gate is GateName => Object.hasOwn(rows, gate)

const rowOf = (gate: string): Row | null => (isGate(gate) ? rows[gate] : null)

/** The names of all standard gates. A report lists the gates in this order. */
export const names: ReadonlyArray<GateName> = Object.keys(rows).filter(isGate)

/** True if a command runs the gate. False for deliveries and for a project's own gates. */
export const isCheck = (gate: string): gate is CheckGate => Object.hasOwn(classOf, gate)

/** True if the gate is a delivery. If a delivery fails, the tool or the service itself says so. */
export const isDelivered = (gate: string): boolean => isGate(gate) && !isCheck(gate)

export const closeTo = (gate: string): ReadonlyArray<string> => rowOf(gate)?.close ?? []

export const speaksOf = (text: string, gate: string): boolean => rowOf(gate)?.words.test(text) === true

export const nameOf = (gate: string): string | null => rowOf(gate)?.name ?? null

export const absence = (gate: string): string =>
  rowOf(gate)?.absence ?? `no run of ${nameOf(gate) ?? `\`${gate}\``} is on record in this task`

export const orderOf = (gate: string, result: Result | "not_required"): string | null => {
  const row = rowOf(gate)
  return (result === "not_required" ? undefined : row?.orderIn?.[result]) ?? row?.order ?? null
}

export const said = ({ gate, result }: { readonly gate: string; readonly result: Result | "not_required" }): string =>
  result === "not_required" ? "" : (rowOf(gate)?.said ?? runnable(gate))[result]
