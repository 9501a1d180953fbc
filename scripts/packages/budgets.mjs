/**
 * The most bytes that each published program may have. A hook and its main part have 845,000 together:
 * that is held in the tests of `@reflexion/hooks`. A budget is raised only with the reason in the commit.
 */
const hook = {
  "hook.cjs": 7_600,
  "hook-asking.cjs": 10_000,
  "hook-main.cjs": 500_000,
  "hook-compaction.cjs": 425_000,
  "hook-consulted.cjs": 900_000,
  "hook-findings.cjs": 71_000,
  "hook-known.cjs": 5_800,
  "hook-learned.cjs": 175_000,
  "hook-outcome.cjs": 60_500,
  "hook-settings.cjs": 272_000,
  "hook-toml.cjs": 12_000
}

const openCode = { "server.js": 1_240_000 }

/** By package and by the file's name, wherever the package has it. */
export const budgets = {
  "@reflexion/core": { "dist/pure.bundle.js": 310_000 },
  "@reflexion/claude-code": hook,
  "@reflexion/codex": hook,
  "@reflexion/opencode": openCode,
  "@reflexion/cli": { "dist/bin.js": 3_720_000, "dist/page/page.js": 320_000, ...hook, ...openCode }
}
