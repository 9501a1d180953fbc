/**
 * The most bytes that each published program may have. A hook and its main part, which every stop loads, have 468,000 together:
 * that is held in the tests of `@reflexion/hooks`. A budget is raised only with the reason in the commit.
 */
const hook = {
  "hook.cjs": 4_500,
  "hook-main.cjs": 463_500,
  "hook-arithmetic.cjs": 7_500,
  "hook-command.cjs": 53_500,
  "hook-compaction.cjs": 455_000,
  "hook-consulted.cjs": 1_178_000,
  "hook-findings.cjs": 55_300,
  "hook-known.cjs": 3_000,
  "hook-learned.cjs": 141_600,
  "hook-notice.cjs": 34_000,
  "hook-outcome.cjs": 48_700,
  "hook-progress.cjs": 4_000,
  "hook-prune.cjs": 2_000,
  "hook-settings.cjs": 261_200,
  "hook-toml.cjs": 12_000,
  "hook-tool.cjs": 51_300
}

const openCode = { "server.js": 1_337_500 }

/** By package and by the file's name, wherever the package has it. */
export const budgets = {
  "@reflexion/claude-code": hook,
  "@reflexion/codex": hook,
  "@reflexion/opencode": openCode,
  "@reflexion/cli": { "dist/bin.js": 4_700_000, "dist/page/page.js": 320_000, ...hook, ...openCode }
}
