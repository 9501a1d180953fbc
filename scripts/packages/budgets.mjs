/** The maximum size of each published program in bytes. The commit that raises a limit gives the reason. */
const hook = {
  "hook.cjs": 5_300,
  "hook-main.cjs": 622_000,
  "hook-consult.cjs": 1_016_000
}

const openCode = { "server.js": 1_157_000 }

/** By package and file name, in any folder of the package. */
export const budgets = {
  "@reflexion/core": { "dist/pure.bundle.js": 324_000 },
  "@reflexion/claude-code": hook,
  "@reflexion/codex": hook,
  "@reflexion/copilot": hook,
  "@reflexion/gemini": hook,
  "@reflexion/opencode": openCode,
  "@reflexion/cli": { "dist/bin.js": 4_000, "dist/*.js": 3_910_000, ...hook, ...openCode }
}
