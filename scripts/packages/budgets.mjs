/**
 * The most bytes that each published program may have. A hook and its main part have 845,000 together:
 * that is held in the tests of `@reflexion/hooks`. A budget is raised only with the reason in the commit.
 */
const hook = {
  "hook.cjs": 7_800,
  "hook-asking.cjs": 10_000,
  "hook-main.cjs": 507_500,
  "hook-compaction.cjs": 430_000,
  "hook-consulted.cjs": 880_000,
  "hook-findings.cjs": 55_000,
  "hook-learned.cjs": 146_000,
  "hook-outcome.cjs": 50_000,
  "hook-settings.cjs": 260_000,
  "hook-toml.cjs": 12_000
}

const openCode = { "server.js": 1_150_000 }

/** By package and by the file's name, wherever the package has it. */
export const budgets = {
  "@reflexion/core": { "dist/pure.bundle.js": 312_000 },
  "@reflexion/claude-code": hook,
  "@reflexion/codex": hook,
  "@reflexion/opencode": openCode,
  "@reflexion/cli": { "dist/bin.js": 3_490_000, "dist/page/page.js": 297_000, ...hook, ...openCode }
}
