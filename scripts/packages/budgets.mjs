/**
 * The most bytes that each published program may have. A hook and its main part, which every stop loads, have 455,000 together:
 * that is held in the tests of `@reflexion/hooks`. A budget is raised only with the reason in the commit.
 */
const hook = {
  "hook.cjs": 7_600,
  "hook-main.cjs": 446_000,
  "hook-arithmetic.cjs": 7_500,
  "hook-command.cjs": 40_000,
  "hook-compaction.cjs": 445_000,
  "hook-consulted.cjs": 1_175_000,
  "hook-findings.cjs": 43_600,
  "hook-known.cjs": 4_700,
  "hook-learned.cjs": 131_400,
  "hook-notice.cjs": 20_000,
  "hook-outcome.cjs": 33_700,
  "hook-progress.cjs": 3_500,
  "hook-prune.cjs": 2_000,
  "hook-settings.cjs": 252_000,
  "hook-toml.cjs": 12_000,
  "hook-tool.cjs": 38_000
}

const openCode = { "server.js": 1_322_000 }

/** By package and by the file's name, wherever the package has it. */
export const budgets = {
  "@reflexion/claude-code": hook,
  "@reflexion/codex": hook,
  "@reflexion/opencode": openCode,
  "@reflexion/cli": { "dist/bin.js": 4_700_000, "dist/page/page.js": 320_000, ...hook, ...openCode }
}
