/** Judges a few sessions recorded from Claude Code, each under a heading that says what to look at. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { isatty } from "node:tty"
import { fileURLToPath } from "node:url"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
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

// As the command line itself decides it. `process.stdout` would make a pipe one that does not block, and a write to it fail
// while it is full.
const { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal } = process.env
const colour = forced === undefined ? isatty(1) && !none && terminal !== "dumb" : !["0", "false"].includes(forced)
const heading = (text) => (colour ? `\u001B[1m${text}\u001B[0m` : text)

// A reader that has seen enough (`| head`) closes the pipe; that is no fault.
const print = (text) => {
  try {
    fs.writeSync(1, text)
  } catch (error) {
    if (error.code === "EPIPE") process.exit(0)
    throw error
  }
}

for (const [position, [name, look, ...options]] of sessions.entries()) {
  const file = path.join(recordings, `${name}.jsonl`)
  print(`${position === 0 ? "" : "\n"}${heading(`${position + 1}. ${look}`)}\n`)
  print(`$ reflexion judge ${[file, ...options].join(" ")}\n\n`)
  const { status, signal } = spawnSync(process.execPath, [bin, "judge", file, ...options], {
    cwd: root,
    stdio: "inherit"
  })
  // 1 and 3 are verdicts (not complete, abstained); only a session that could not be judged fails the demo.
  if (status === null || ![0, 1, 3].includes(status)) {
    process.stderr.write(`demo: ${name} could not be judged (${status ?? signal})\n`)
    process.exitCode = 2
  }
}

const own = `node ${path.join(root, bin)}`
print(`
${heading("Your own sessions")}
In a folder in which Claude Code, Codex or OpenCode has worked, \`${own} judge\` judges the newest session there.
\`${own} install claude-code\` (or codex, or opencode) has every stop reviewed from then on.
README.md goes on from here.
`)
