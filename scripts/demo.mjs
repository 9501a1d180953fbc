/** Judges a few recorded sessions of Claude Code, each below a heading that says what to look at. */
import { spawnSync } from "node:child_process"
import * as path from "node:path"

const root = path.dirname(import.meta.dirname)
const bin = path.join("packages", "cli", "dist", "bin.js")
const recordings = path.join("packages", "testing", "recordings", "claude-code")

const sessions = [
  ["fixed-and-tested", "A bug was fixed. The whole suite ran green after the last edit, so the claim is proven."],
  ["claim-contradicted", '"All tests pass", says the agent. The last run failed, and the code changed after it.'],
  [
    "nothing-run",
    "Forty-two tests, a build, a pull request and CI, says the agent. It edited one line and ran nothing."
  ],
  ["test-loosened", "The tests pass: the one that failed was made to demand what the broken code gives."],
  ["stopped-with-todos", "Asked for tests and a pull request, the agent stops and announces both."],
  ["asks-a-question", "The agent asks a question where nobody is there to answer (`claude -p`): it is told to decide."],
  ["asks-a-question", "The same stop with somebody there: waiting is right, no nudge.", "--attended", "true"]
]

const colour = process.stdout.hasColors?.() ?? false
const heading = (text) => (colour ? `\u001B[1m${text}\u001B[0m` : text)

// A reader such as `head` closes the pipe early. That is not an error.
process.stdout.on("error", ({ code }) => process.exit(code === "EPIPE" ? 0 : 2))
const print = (text) => void process.stdout.write(text)

for (const [position, [name, look, ...options]] of sessions.entries()) {
  const file = path.join(recordings, `${name}.jsonl`)
  print(`${position === 0 ? "" : "\n"}${heading(`${position + 1}. ${look}`)}\n`)
  const words = [bin, "judge", file, ...options]
  const run = spawnSync(process.execPath, words, {
    cwd: root,
    env: { ...process.env, ...(colour && { FORCE_COLOR: "1", COLUMNS: String(process.stdout.columns) }) },
    encoding: "utf8"
  })
  print(`$ reflexion judge ${[file, ...options].join(" ")}\n\n${run.stdout}${run.stderr}`)
  // 1 and 3 are verdicts (not complete, abstained). The demo fails only if a session could not be judged.
  if (run.status === null || ![0, 1, 3].includes(run.status)) {
    print(`demo: ${name} could not be judged (${run.status ?? run.signal})\n`)
    process.exitCode = 2
  }
}

const own = `node ${path.join(root, bin)}`
print(`
${heading("Your own sessions")}
In a folder in which an agent has worked, \`${own} judge\` judges the newest session there.
\`${own} install\` finds the agents on this machine and asks; then every stop is reviewed.
README.md goes on from here.
`)
