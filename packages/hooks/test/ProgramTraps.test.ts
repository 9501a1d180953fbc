/** The built hook in a project that has programs of its own under the system's names: it runs none of them. */
import { assert, describe } from "@effect/vitest"
import * as ProgramTraps from "@reflexion/testing/sandbox/ProgramTraps"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect } from "effect"
import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { place } from "./support/bundled.ts"
import { configure, failures, scratch, session } from "./support/session.ts"
import { works } from "../../core/test/support/works.ts"

const git = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()

const rest = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((entry) => !entry.includes("node_modules"))
  .join(":")

const isNight = process.env["REFLEXION_TESTS"] === "night"

/** A PATH with all traps in it. Only at night also each form alone, because every form takes some processes. */
const pathsOf = (traps: ReturnType<typeof ProgramTraps.make>, path: string) =>
  Object.entries(traps.paths(path)).filter(([form]) => isNight || form === "all of them")

/** A text in each lesson that a session is told. */
const lesson = "What went wrong"

const rollout = new URL("../../testing/recordings/codex/claim-contradicted.jsonl", import.meta.url)

const red = (name: string): string => SampleFailure.output(name, "45", "44.9")

/**
 * A repository with programs of its own, a memory with a lesson that was learned in it, and a host's installed hook.
 * For Codex, there is also a recorded session, as if it had been in this project.
 */
const world = Effect.fnUntraced(function* (host: "claude-code" | "codex") {
  const scratched = yield* scratch
  const { home, put, root } = scratched
  rmSync(join(root, ".git"), { recursive: true })
  execFileSync(git, ["init", "--quiet"], { cwd: root })
  put("package.json", '{"scripts":{"test":"vitest run"}}')
  mkdirSync(join(root, "src"))
  const words = "I changed how the total is rounded."
  const agent = session(scratched, "s1").user(SampleFailure.task).edits("src/total.ts")
  assert.strictEqual(agent.runs("npm test", red("rounds half up"), true).says(words).stop(words)._tag, "nudge")
  for (const name of ["outside", "hook", "bin"]) mkdirSync(join(home, name))
  const traps = ProgramTraps.make({ root, outside: join(home, "outside") })
  place(host, join(home, "hook"))
  const record = join(home, "rollout.jsonl")
  writeFileSync(record, readFileSync(rollout, "utf8").replaceAll("/home/dev/shop", root))
  const run = (id: string, event: string, path: string, more: object = {}) => {
    const common = { session_id: id, cwd: root, hook_event_name: event, permission_mode: "default", turn_id: "t" }
    const input = JSON.stringify({ ...common, prompt_id: "p", model: "m", transcript_path: agent.file, ...more })
    return Effect.async<string>((resume) => {
      const options = { cwd: root, env: { HOME: home, PATH: path } }
      const child = execFile(process.execPath, [join(home, "hook/hook.cjs"), event], options, (_, stdout, stderr) => {
        assert.deepStrictEqual({ status: child.exitCode, stderr }, { status: 0, stderr: "" })
        resume(Effect.succeed(stdout))
      })
      child.stdin?.end(input)
    })
  }
  const starts = (id: string, path: string) => run(id, "SessionStart", path, { source: "startup" })
  /** A stop of the session whose tests still fail; for Codex, the stop of the recorded session. */
  const stops = (path: string, index: number) => {
    if (host === "codex")
      return run(`c${index}`, "Stop", path, { transcript_path: record, last_assistant_message: "Done." })
    agent.edits("src/total.ts").runs("npm test", red(`keeps ${index}`), true)
    agent.says("Not yet.")
    return run("s1", "Stop", path, { last_assistant_message: "Not yet.", background_tasks: [], session_crons: [] })
  }
  /**
   * A host's program as npm installs it: `env` looks for Node, and the program notes its words and then runs this text.
   */
  const install = (name: string, text: string) => {
    const noted = `require("node:fs").appendFileSync(${JSON.stringify(join(home, "asked"))}, process.argv.join(" ") + "\\n")`
    writeFileSync(join(home, "bin", name), `#!/usr/bin/env node\n${noted}\n${text}\n`, { mode: 0o755 })
    return join(home, "bin")
  }
  return { agent, scratched, home, root, run, starts, stops, traps, install, asked: join(home, "asked") }
})

describe("the built hook", () => {
  for (const host of isNight ? (["claude-code", "codex"] as const) : (["claude-code"] as const))
    works(`of ${host} runs the system's git, whatever PATH puts before it`, function* () {
      const { root, run, scratched, starts, stops, traps } = yield* world(host)
      const forms = pathsOf(traps, rest)
      for (const [index, [form, path]] of forms.entries()) {
        assert.include(yield* starts(`begun ${form}`, path), lesson, form)
        yield* run("s1", "UserPromptSubmit", path, { prompt: "Go on." })
        yield* stops(path, index)
      }
      execFileSync(git, ["add", "--force", ".reflection/reflections.jsonl"], { cwd: root })
      assert.notInclude(yield* starts("again", forms[0]?.[1] ?? ""), lesson)
      assert.deepStrictEqual([traps.ran(), failures(scratched)], [[], []])
      assert.include(readFileSync(join(root, ".reflection/reflections.jsonl"), "utf8"), "rounds half up")
    })

  works("only the project has git → runs none, tells no lesson, and logs why", function* () {
    const { scratched, starts, stops, traps } = yield* world("claude-code")
    for (const [index, [form, path]] of pathsOf(traps, "/nowhere").entries()) {
      const before = failures(scratched).length
      assert.notInclude(yield* starts(`begun ${form}`, path), lesson, form)
      const said = failures(scratched).slice(before).join("\n")
      assert.match(said, /it is unknown whether git tracks .*: .*git was not run, because it is in the project/, form)
      yield* stops(path, index)
    }
    assert.deepStrictEqual(traps.ran(), [])
  })

  works("reviews a change with the system's git and the user's own host program", function* () {
    const { agent, asked, install, root, run, scratched, traps } = yield* world("claude-code")
    const bin = install("claude", "process.stdin.resume()")
    configure(scratched, { crossReview: { reviewer: "claude-code/opus" } })
    execFileSync(git, ["add", "package.json"], { cwd: root })
    const done = "All tests pass."
    for (const [form, path] of pathsOf(traps, `${bin}:${rest}`)) {
      writeFileSync(join(root, "src", "total.ts"), `export const total = ${JSON.stringify(form)}\n`)
      agent.user(SampleFailure.task).edits("src/total.ts").runs("npm test", "Tests  3 passed (3)\n").says(done)
      yield* run("s1", "Stop", path, { last_assistant_message: done, background_tasks: [], session_crons: [] })
      assert.deepStrictEqual(traps.ran(), [], form)
      assert.isTrue(existsSync(asked), form)
      rmSync(asked)
    }
  })

  works("runs a check in the sandbox of the user's own host, with the user's PATH", function* () {
    const { asked, home, install, root, scratched, stops, traps } = yield* world("codex")
    // It confines nothing.
    const bin = install(
      "codex",
      `const words = process.argv.slice(process.argv.indexOf("--") + 1)
const { status } = require("node:child_process").spawnSync(words[0], words.slice(1), { stdio: "inherit" })
process.exit(status ?? 1)`
    )
    const vitest = join(root, "node_modules/.bin/vitest")
    writeFileSync(vitest, `#!/bin/sh\necho "$PATH" > ${join(home, "checked")}\n`, { mode: 0o755 })
    configure(scratched, { checks: [{ name: "tests", command: "vitest" }] })
    const path = `${traps.bin}:${bin}:${rest}`
    yield* stops(path, 1)
    assert.isTrue(existsSync(asked), "no sandbox was started")
    assert.deepStrictEqual(traps.ran(), [])
    assert.strictEqual(readFileSync(join(home, "checked"), "utf8").trim(), path)
  })
})
