/**
 * The most bytes that each published program may have. A hook and its main part, which every stop loads, have 802,000 together:
 * that is held in the tests of `@reflexion/hooks`. A budget is raised only with the reason in the commit.
 */
const hook = {
  "hook.cjs": 7_600,
  "hook-asking.cjs": 10_000,
  "hook-main.cjs": 794_000,
  "hook-compaction.cjs": 743_000,
  "hook-consulted.cjs": 1_571_000,
  "hook-findings.cjs": 66_000,
  "hook-known.cjs": 5_800,
  "hook-learned.cjs": 165_000,
  "hook-outcome.cjs": 55_500,
  "hook-settings.cjs": 267_500,
  "hook-toml.cjs": 12_000
}

const openCode = { "server.js": 1_735_000 }

/** By package and by the file's name, wherever the package has it. */
export const budgets = {
  "@reflexion/claude-code": hook,
  "@reflexion/codex": hook,
  "@reflexion/opencode": openCode,
  "@reflexion/cli": { "dist/bin.js": 5_400_000, "dist/page/page.js": 320_000, ...hook, ...openCode }
}
