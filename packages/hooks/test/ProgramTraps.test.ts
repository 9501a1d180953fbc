import { assert, describe, it } from "@effect/vitest"
import * as ProgramTraps from "@reflexion/testing/sandbox/ProgramTraps"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect } from "effect"
import { execFile, execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { place } from "./support/bundled.ts"
import { scratch, type Scratch, session } from "./support/session.ts"

const git = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()

const rest = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((entry) => !entry.includes("node_modules"))
  .join(":")

/** What stands in each lesson that a session is told. */
const lesson = "What went wrong"

const recordings = new URL("../../testing/recordings/codex/", import.meta.url)

/** What Codex recorded of a session whose tests failed before its last edit, as if it had been in this project. */
const recordIn = ({ home, root }: Scratch): string => {
  const file = join(home, "rollout.jsonl")
  const text = readFileSync(new URL("claim-contradicted.jsonl", recordings), "utf8")
  writeFileSync(file, text.replaceAll("/home/dev/shop", root))
  return file
}

/**
 * A repository with programs of its own and a memory with a lesson that was learned in it, and a host's hook as it is
 * installed.
 */
const world = Effect.fnUntraced(function* (host: "claude-code" | "codex") {
  const scratched = yield* scratch
  const { home, hook, put, root } = scratched
  rmSync(join(root, ".git"), { recursive: true })
  execFileSync(git, ["init", "--quiet"], { cwd: root })
  put("package.json", '{"scripts":{"test":"vitest run"}}')
  mkdirSync(join(root, "src"))
  const agent = session(scratched, "s1").user(SampleFailure.task).edits("src/total.ts")
  const words = "I changed how the total is rounded."
  agent.runs("npm test", SampleFailure.output("rounds half up", "45", "44.9"), true).says(words)
  assert.strictEqual(agent.stop(words)._tag, "nudge")
  const outside = join(home, "outside")
  mkdirSync(outside)
  const traps = ProgramTraps.make({ root, outside })
  const folder = join(home, "hook")
  mkdirSync(folder)
  place(host, folder)
  const run = (id: string, event: string, path: string, more: object = {}) => {
    const common = { session_id: id, cwd: root, hook_event_name: event, permission_mode: "default", turn_id: "t" }
    const input = JSON.stringify({ ...common, prompt_id: "p", model: "m", transcript_path: agent.file, ...more })
    return Effect.async<string>((resume) => {
      const options = { cwd: root, env: { HOME: home, PATH: path } }
      const words = [join(folder, "hook.cjs"), event]
      const child = execFile(process.execPath, words, options, (_error, stdout, stderr) => {
        assert.deepStrictEqual({ status: child.exitCode, stderr }, { status: 0, stderr: "" })
        resume(Effect.succeed(stdout))
      })
      child.stdin?.end(input)
    })
  }
  const log = join(hook.directories.state, "log.jsonl")
  const failures = (): ReadonlyArray<string> =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line.includes('"failure"'))
      : []
  const track = () => execFileSync(git, ["add", "--force", ".reflection/reflections.jsonl"], { cwd: root })
  return { agent, failures, home, record: recordIn(scratched), root, run, track, traps }
})

/** A second stop of the session whose tests still fail, on its record; and of Codex one that it recorded. */
const stopOf = (host: string, { agent, record }: Effect.Effect.Success<ReturnType<typeof world>>, index: number) => {
  if (host === "codex") return { transcript_path: record, last_assistant_message: "Done." }
  agent
    .edits("src/total.ts")
    .runs("npm test", SampleFailure.output(`keeps ${index}`, "1", "2"), true)
    .says("Not yet.")
  return { last_assistant_message: "Not yet.", background_tasks: [], session_crons: [], stop_hook_active: false }
}

const isNight = process.env["REFLEXION_TESTS"] === "night"

for (const host of isNight ? (["claude-code", "codex"] as const) : (["claude-code"] as const))
  describe(`the built hook of ${host} in a project with programs under the system's names`, () => {
    it.scoped("asks the system's git, whatever PATH puts before it", () =>
      Effect.gen(function* () {
        const made = yield* world(host)
        const { failures, root, run, track, traps } = made
        const forms = Object.entries(traps.paths(rest))
        for (const [index, [form, path]] of forms.entries()) {
          assert.include(yield* run(`begun ${form}`, "SessionStart", path, { source: "startup" }), lesson, form)
          yield* run("s1", "UserPromptSubmit", path, { prompt: "Go on." })
          yield* run(host === "codex" ? form : "s1", "Stop", path, stopOf(host, made, index))
        }
        track()
        for (const [form, path] of forms.slice(0, 1))
          assert.notInclude(yield* run(`again ${form}`, "SessionStart", path, { source: "startup" }), lesson, form)
        assert.deepStrictEqual(traps.ran(), [])
        assert.deepStrictEqual(failures(), [])
        assert.include(readFileSync(join(root, ".reflection", "reflections.jsonl"), "utf8"), "rounds half up")
      })
    )
  })

/** A host's program as npm installs it, which has `env` look for Node; it answers nothing of use. */
const installed = (home: string, name: string, text: string): string => {
  const bin = join(home, "own-bin")
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), `#!/usr/bin/env node\n${text}\n`, { mode: 0o755 })
  return bin
}

const asked = (file: string) =>
  `require("node:fs").appendFileSync(${JSON.stringify(file)}, process.argv.slice(2).join(" ") + "\\n")`

/** A sandbox that confines nothing. */
const passing = (file: string) => `${asked(file)}
const words = process.argv.slice(process.argv.indexOf("--") + 1)
const { status } = require("node:child_process").spawnSync(words[0], words.slice(1), { stdio: "inherit" })
process.exit(status === null ? 1 : status)`

const configured = (home: string, config: object): void => {
  mkdirSync(join(home, ".config", "reflexion"), { recursive: true })
  writeFileSync(join(home, ".config", "reflexion", "config.json"), JSON.stringify(config))
}

describe("the built hook beyond evidence", () => {
  it.scoped("asks no git where there is no other, tells no lesson, and says why in the log", () =>
    Effect.gen(function* () {
      const made = yield* world("claude-code")
      const { failures, run, traps } = made
      for (const [index, [form, path]] of Object.entries(traps.paths("/nowhere")).entries()) {
        const before = failures().length
        assert.notInclude(yield* run(`begun ${form}`, "SessionStart", path, { source: "startup" }), lesson, form)
        const said = failures().slice(before).join("\n")
        assert.match(said, /whether git tracks .* is not known: .*git was not run, for it lies in the project/, form)
        yield* run("s1", "UserPromptSubmit", path, { prompt: "Go on." })
        yield* run("s1", "Stop", path, stopOf("claude-code", made, index))
      }
      assert.deepStrictEqual(traps.ran(), [])
    })
  )

  it.scoped("reviews a change by the system's git and the user's own host", () =>
    Effect.gen(function* () {
      const { agent, home, root, run, traps } = yield* world("claude-code")
      const file = join(home, "asked")
      const bin = installed(home, "claude", `${asked(file)}; process.stdin.resume()`)
      configured(home, { crossReview: { reviewer: "claude-code/opus" } })
      execFileSync(git, ["add", "package.json"], { cwd: root })
      for (const [form, path] of Object.entries(traps.paths(`${bin}:${rest}`))) {
        writeFileSync(join(root, "src", "total.ts"), `export const total = ${JSON.stringify(form)}\n`)
        agent
          .user(SampleFailure.task)
          .edits("src/total.ts")
          .runs("npm test", "Tests  3 passed (3)\n")
          .says("All tests pass.")
        yield* run("s1", "UserPromptSubmit", path, { prompt: SampleFailure.task })
        yield* run("s1", "Stop", path, {
          last_assistant_message: "All tests pass.",
          background_tasks: [],
          session_crons: [],
          stop_hook_active: false
        })
        assert.deepStrictEqual(traps.ran(), [], form)
        assert.isTrue(existsSync(file), form)
        rmSync(file)
      }
    })
  )

  it.scoped("runs a check in the sandbox of the user's own host, and the check itself with the user's PATH", () =>
    Effect.gen(function* () {
      const { home, record, root, run, traps } = yield* world("codex")
      const file = join(home, "asked")
      const bin = installed(home, "codex", passing(file))
      appendFileSync(
        join(root, "node_modules", ".bin", "vitest"),
        `#!/bin/sh\necho "$PATH" > ${join(home, "checked")}\n`,
        {
          mode: 0o755
        }
      )
      configured(home, { checks: [{ name: "tests", command: "vitest" }] })
      const path = `${traps.bin}:${bin}:${rest}`
      yield* run("c1", "Stop", path, {
        transcript_path: record,
        last_assistant_message: "Done.",
        stop_hook_active: false
      })
      assert.isTrue(existsSync(file), "no sandbox was started")
      assert.deepStrictEqual(traps.ran(), [])
      assert.strictEqual(readFileSync(join(home, "checked"), "utf8").trim(), path)
    })
  )
})
