/**
 * The words by which a text names a check. The patterns around them are where they are read: `task/RequestPatterns.ts` for
 * what the user asks, `project/instructionRows.ts` for what a project says, `stop/claims.ts` for what the agent claims.
 */
/** The words by which a text speaks of a gate. */
export const gateWords: Readonly<Record<string, RegExp>> = {
  tests: /\b(?:tests?|suite|specs?)\b/i,
  build: /\b(?:build|compile)\b/i,
  typecheck: /\btype ?-?check|\btypes?\b/i,
  lint: /\blint/i,
  pr: /\b(?:pr|pull request|merge request)\b/i,
  ci: /\b(?:ci|checks|pipeline)\b/i,
  push: /\bpush/i,
  commit: /\bcommit/i
}

/** Whether a text speaks of a gate; one that is called `constructor` means no property of every object. */
export const speaksOf = (text: string, gate: string): boolean =>
  Object.hasOwn(gateWords, gate) && gateWords[gate]?.test(text) === true

/** The gate of a command that checks, by the command's class. */
export const gateOfCheck = { test: "tests", build: "build", typecheck: "typecheck", lint: "lint" } as const

/** What is handed over rather than run: no edit makes it stale, and a tool or a service says itself that it failed. */
export const delivered: ReadonlySet<string> = new Set(["ci", "pr", "push", "commit"])
