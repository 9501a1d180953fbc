/**
 * How the house is built: which package may import which, and inside core which wing. Everything else that holds is in
 * `check-house.mjs`. An import goes up this list or stays in its place, never down; what only a type needs counts as well.
 */

/** The packages, each with those that it may import. Adapters do not know each other. */
export const packages = {
  core: [],
  node: ["core"],
  retry: ["core"],
  "claude-code": ["core"],
  codex: ["core"],
  opencode: ["core", "node"],
  hooks: ["core", "node", "claude-code", "codex", "opencode"],
  cli: ["core", "node", "claude-code", "codex", "opencode", "hooks"],
  testing: ["core", "node", "claude-code", "codex", "opencode"],
  evals: ["core", "node", "retry", "claude-code", "codex", "opencode", "testing"]
}

/** The wings of core, each of which knows only those before it. */
export const wings = ["ground", "session", "judge", "ask", "turn", "learn"]

/** A folder has this many modules at most, tests apart. */
export const most = 26

/** Folders of one kind of file, which may be longer: a newcomer looks for a name there, not for a place. */
export const ofOneKind = ["evals/src/cases"]

/** From a package's `src`, a folder lies this deep at most. */
export const deepest = 3
