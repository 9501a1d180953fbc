/** The most bytes that each published program may have. A budget is raised only with the reason in the commit. */
const hook = {
  "hook.cjs": 5_300,
  "hook-main.cjs": 622_000,
  "hook-consult.cjs": 1_016_000
}

const openCode = { "server.js": 1_157_000 }

/** By package and by the file's name, wherever the package has it. */
export const budgets = {
  "@reflexion/core": { "dist/pure.bundle.js": 324_000 },
  "@reflexion/claude-code": hook,
  "@reflexion/codex": hook,
  "@reflexion/opencode": openCode,
  "@reflexion/cli": { "dist/bin.js": 4_000, "dist/*.js": 2_880_000, ...hook, ...openCode }
}
