import { assert, describe } from "@effect/vitest"
import * as ProgramTraps from "@reflexion/testing/sandbox/ProgramTraps"
import { Effect } from "effect"
import { execFile, execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { hooksHome } from "./hooksHome.ts"
import { works } from "../../core/test/support/works.ts"

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url))

const git = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()

const rest = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((entry) => !entry.includes("node_modules"))
  .join(":")

const claim = fileURLToPath(new URL("../../testing/recordings/claude-code/claim-contradicted.jsonl", import.meta.url))

/** A repository with programs under the system's names. The published command line runs in it. */
const world = Effect.map(hooksHome, ({ home, project, put }) => {
  rmSync(join(project, ".git"), { recursive: true })
  execFileSync(git, ["init", "--quiet"], { cwd: project })
  const outside = dirname(put("outside/.keep", ""))
  const traps = ProgramTraps.make({ root: project, outside })
  const run = (words: string, path: string) =>
    Effect.async<{ readonly status: number | null; readonly text: string }>((resume) => {
      const options = { cwd: project, env: { HOME: home, PATH: path } }
      const child = execFile(process.execPath, [bin, ...words.split(" ")], options, (_error, stdout, stderr) =>
        resume(Effect.succeed({ status: child.exitCode, text: `${stdout}${stderr}`.replaceAll(/\s+/g, " ") }))
      )
      child.stdin?.end()
    })
  return { outside, project, put, run, traps }
})

/** Every command that starts another program, except those that start an agent. */
const commands = [
  "install claude-code --project",
  "doctor",
  "doctor --show models",
  "judge",
  "memory recall --subtask shop/cart",
  "report",
  "cycle",
  "allow workspace --yes",
  "allow checks --yes",
  "uninstall"
]

const lesson = `${JSON.stringify({ id: "a", sessionId: "s", taskId: "shop", subtaskId: "shop/cart", attemptNumber: 1, category: "root_cause", analysis: "Why.", suggestion: "Round first.", actionItems: [], confidence: 0.8, createdAt: "2026-01-01T10:00:00.000Z", source: "human", model: null, tags: [] })}\n`

describe("the command line in a project with programs under the system's names", () => {
  works("runs none of them, and names what it skipped if there is no other", function* () {
    const { put, run, traps } = yield* world
    // There is something to ask OpenCode for.
    put(".local/share/opencode/opencode.db", "")
    put("project/.reflection/reflections.jsonl", lesson)
    const path = traps.paths(rest)["all of them"] ?? ""
    for (const words of commands) {
      const { status, text } = yield* run(words, path)
      assert.deepStrictEqual(traps.ran(), [], `${words}: ${text}`)
      assert.isNotNull(status, words)
    }
    const passedOver = "/node_modules/.bin/git was not run, because it is in the project"
    const installed = (yield* run("install claude-code --project", traps.bin)).text
    for (const said of ["It is unknown whether git ignores the written files", passedOver])
      assert.include(installed, said)
    assert.include((yield* run("doctor", traps.bin)).text, `~/project${passedOver}`)
    assert.deepStrictEqual(traps.ran(), [])
  })

  works("runs the system's git, and the user's own agent with the system's Node", function* () {
    const { outside, put, run, traps } = yield* world
    put("project/.gitignore", ".claude/settings.json\n")
    execFileSync("chmod", ["755", put("outside/bin/claude", "#!/usr/bin/env node\nconsole.log('2.1.0')\n")])
    const path = `${join(outside, "bin")}:${dirname(process.execPath)}:${rest}`
    for (const [form, one] of Object.entries(traps.paths(path))) {
      const { text } = yield* run("install claude-code --project", one)
      assert.include(text, "git does not ignore ~/project/.claude/", form)
      assert.include((yield* run("doctor claude-code", one)).text, "2.1.0, ~/outside/bin/claude", form)
      yield* run("uninstall claude-code --project", one)
    }
    assert.deepStrictEqual(traps.ran(), [])
  })

  works("runs the user's checks with the user's PATH", function* () {
    const { project, put, run, traps } = yield* world
    put(".config/reflexion/config.json", JSON.stringify({ checks: [{ name: "tests", command: "npm test" }] }))
    yield* run(`judge ${claim} --checks --cwd ${project}`, `${traps.bin}:${rest}`)
    assert.deepStrictEqual(traps.ran(), ["npm"])
  })
})
