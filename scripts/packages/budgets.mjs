/**
 * The most bytes that each published program may have. A hook and its main part have 845,000 together:
 * that is held in the tests of `@reflexion/hooks`. A budget is raised only with the reason in the commit.
 */
const hook = {
  "hook.cjs": 7_600,
  "hook-asking.cjs": 10_000,
  "hook-main.cjs": 837_000,
  "hook-compaction.cjs": 788_000,
  "hook-consulted.cjs": 1_564_000,
  "hook-findings.cjs": 71_000,
  "hook-known.cjs": 5_800,
  "hook-learned.cjs": 175_000,
  "hook-outcome.cjs": 60_500,
  "hook-settings.cjs": 272_000,
  "hook-toml.cjs": 12_000
}

const openCode = { "server.js": 1_760_000 }

/** By package and by the file's name, wherever the package has it. */
export const budgets = {
  "@reflexion/claude-code": hook,
  "@reflexion/codex": hook,
  "@reflexion/opencode": openCode,
  "@reflexion/cli": { "dist/bin.js": 5_425_000, "dist/page/page.js": 320_000, ...hook, ...openCode }
}
