import { Command, FileSystem, type Path } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { fileURLToPath } from "node:url"
import { bundle } from "../../../../scripts/bundler.mjs"
import type * as CheckResult from "../../src/checks/CheckResult.ts"
import * as Output from "../../src/checks/output.ts"
import { safeName } from "../../src/base/system/FileNames.ts"
import { Verification, VerificationRecord } from "../../src/checks/Verification.ts"
import {
  counted,
  git,
  gone,
  pidsIn,
  Place,
  real,
  repository,
  script,
  verify,
  whileTimeGoesBy,
  write,
  textOf
} from "../support/checkProjects.ts"

type Needs = FileSystem.FileSystem | Path.Path

const fs = <A, E>(use: (self: FileSystem.FileSystem) => Effect.Effect<A, E>) =>
  Effect.flatMap(FileSystem.FileSystem, use)

const file = (name: string) => Effect.map(Place.project, (project) => `${project}/${name}`)

const scripted: CheckResult.CheckResult = {
  gate: "tests",
  command: "npm test",
  result: "passed",
  exitCode: 0,
  failing: [],
  detail: "2 passed",
  output: "",
  at: null,
  durationMs: 1,
  cached: false
}

const suite = (expected: number): string => `
import assert from "node:assert"
import { test } from "node:test"
test("adds", () => assert.strictEqual(1 + 1, ${expected}))
test("subtracts", () => assert.strictEqual(2 - 1, 1))
`

/** Ignores the request to end, and has two children that do so too; each says who it is. */
const stubborn = (pids: string): string => `
import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
const one = \`process.on("SIGTERM", () => {}); require("node:fs").appendFileSync(${JSON.stringify(pids)}, process.pid + "\\\\n"); setInterval(() => {}, 1000)\`
process.on("SIGTERM", () => {})
spawn(process.execPath, ["-e", one], { stdio: "inherit" })
spawn(process.execPath, ["-e", one], { stdio: "inherit" })
appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n")
console.log("begun")
setInterval(() => {}, 1000)
`

describe.sequential("a check", () => {
  it.live("that fails names the tests that failed", () =>
    Effect.gen(function* () {
      yield* write("sum.test.mjs", suite(3))
      const result = yield* verify({ name: "tests", command: "node --test" })
      assert.strictEqual(result.result, "failed")
      assert.strictEqual(result.exitCode, 1)
      assert.deepStrictEqual(
        result.failing.map(({ name }) => name),
        ["adds"]
      )
      assert.include(result.detail, "adds")
      assert.match(result.output, /^(?:#|ℹ) fail 1$/m)
      assert.isFalse(result.cached)
      assert.isNotNull(result.at)
    }).pipe(Effect.provide(real()))
  )

  it.live("is run in the project, once for each check of a gate", () =>
    Effect.gen(function* () {
      const { project } = yield* Place
      const { run } = yield* Verification
      const checks = [0, 1].map((index) => ({ name: "tests", command: `pwd; echo ${index}` }))
      const results = yield* run({ directory: project, checks })
      assert.deepStrictEqual(
        results.map(({ output }) => output),
        [`${project}\n0\n`, `${project}\n1\n`]
      )
      assert.deepStrictEqual(yield* run({ directory: project, checks: [] }), [])
    }).pipe(Effect.provide(real()))
  )

  it.live("knows that nobody looks on, and sees no secret of ours", () =>
    Effect.gen(function* () {
      const { run } = yield* Verification
      const directory = yield* Place.project
      const checks = [{ name: "build", command: 'echo "$CI, $HOME"' }]
      const [result] = yield* run({ directory, checks, secrets: ["HOME"] })
      assert.strictEqual(result?.output, "1, \n")
    }).pipe(Effect.provide(real()))
  )

  const endings = [
    ["does not exist", "no-such-program --version", "unavailable"],
    ["is not installed in the script that runs it", "echo 'sh: 1: vitest: not found'; exit 1", "unavailable"],
    ["was killed from outside", "kill -KILL $$", "unavailable"],
    ["is masked by a pipe and prints nothing", "npm test 2>/dev/null | true", "unavailable"],
    ["reads its input, of which there is none", "cat", "passed"],
    ["is a script that does nothing", "printf '\\n> w@1.0.0 test\\n> true\\n\\n'", "unavailable"],
    ["is a script that prints nothing of its own", "printf '\\n> test\\n> sh check.sh\\n\\n'", "passed"],
    ["runs no test", "echo 'No test files found, exiting with code 1'; exit 1", "unavailable"],
    ["exits with another status", "exit 3", "failed"],
    ["is of several lines", "set -e\ncd src 2>/dev/null || true\n[ $# = 0 ]\nfalse | true", "passed"],
    ["hides a runner's failure behind a bare wait", "npm test >/dev/null 2>&1 & wait", "unavailable"],
    ["waits for nothing that it begins", "(npm test >/dev/null 2>&1) &", "unavailable"],
    ["hands on the status of what it waits for", "sh -c 'exit 3' & wait $!", "failed"],
    ["leaves something running in the background", "sleep 1000 & echo begun", "passed"]
  ] as const

  for (const [what, command, expected] of endings)
    it.live(`whose command ${what} has ${expected}`, () =>
      Effect.gen(function* () {
        yield* write("plain.txt", "")
        assert.strictEqual((yield* verify({ name: "tests", command })).result, expected)
      }).pipe(Effect.provide(real()))
    )

  it.live("shows no secret that it prints", () =>
    Effect.gen(function* () {
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      const result = yield* verify({
        name: "tests",
        command: `echo 'token: ${token}'; printf '\\033[31mred\\033[0m'`
      })
      assert.notInclude(JSON.stringify(result), token)
      assert.include(result.output, "red")
      assert.notInclude(result.output, "\u001b")
    }).pipe(Effect.provide(real()))
  )

  it.live("is run by the program that was named, and knows that it is a check", () =>
    Effect.gen(function* () {
      const { output } = yield* verify({ name: "tests", command: 'echo "$SANDBOX ${REFLEXION_VERIFYING:+check}"' })
      assert.strictEqual(output, "yes check\n")
    }).pipe(Effect.provide(real({ within: ["env", "SANDBOX=yes"] })))
  )

  it.live("is never run within another", () =>
    Effect.gen(function* () {
      const { check, count } = yield* counted()
      assert.strictEqual((yield* verify(check)).result, "unavailable")
      assert.strictEqual(yield* count, 0)
    }).pipe(Effect.provide(real({}, new Map([["REFLEXION_VERIFYING", "1"]]))))
  )
})

const heard: Array<number> = []

describe.sequential("a check's limits", () => {
  it.effect("are waited for in sight: how long it takes is told every ten seconds", () =>
    Effect.gen(function* () {
      const { folder } = yield* Place
      const command = `echo $$ > ${folder}/pids; until test -e ${folder}/go; do sleep 0.05; done`
      const running = yield* Effect.fork(verify({ name: "tests", command }))
      yield* pidsIn(`${folder}/pids`, 1)
      yield* TestClock.adjust("10 seconds")
      yield* TestClock.adjust("10 seconds")
      yield* write("../go", "")
      assert.strictEqual((yield* whileTimeGoesBy(running)).result, "passed")
      assert.deepStrictEqual(heard, [0, 10, 20])
    }).pipe(Effect.provide(real({ started: (_, __, seconds) => Effect.sync(() => void heard.push(seconds)) })))
  )

  it.effect("end it with its children, even those that will not end", () =>
    Effect.gen(function* () {
      const { folder } = yield* Place
      const command = yield* script("stubborn.mjs", stubborn(`${folder}/pids`))
      const running = yield* Effect.fork(verify({ name: "tests", command, timeout: 60 }))
      const pids = yield* pidsIn(`${folder}/pids`, 3)
      yield* TestClock.adjust("60 seconds")
      const result = yield* whileTimeGoesBy(running)
      assert.strictEqual(result.result, "timed_out")
      assert.strictEqual(result.exitCode, null)
      assert.strictEqual(result.output, "begun\n")
      yield* gone(pids)
    }).pipe(Effect.provide(real()))
  )

  it.live("end it when it prints without end", () =>
    Effect.gen(function* () {
      const result = yield* verify({ name: "tests", command: "yes" })
      assert.strictEqual(result.result, "unavailable")
      assert.include(result.detail, "printed too much")
    }).pipe(Effect.provide(real({ maxOutput: 1024 * 1024 })))
  )
})

describe.sequential("a result", () => {
  it.live(
    "is kept of no check whose time was too short, and it is not waited for again as long; a faster one is named once",
    () =>
      Effect.gen(function* () {
        yield* repository()
        const check = { name: "tests", command: "test -e ../go || exec sleep 1000" }
        const slow = yield* verify({ ...check, timeout: 0.5, faster: "npm run test:unit" })
        assert.deepStrictEqual(
          [slow.result, slow.detail],
          ["timed_out", "not finished within 0.5 s; `npm run test:unit` may be fast enough"]
        )
        yield* write("src/sum.mjs", "export const sum = () => 0\n")
        const unrun = yield* verify({ ...check, timeout: 0.5, faster: "npm run test:unit" })
        assert.deepStrictEqual(
          [unrun.result, unrun.cached, unrun.detail],
          ["timed_out", true, "not finished within 0.5 s before, so it was not run again"]
        )
        assert.strictEqual((yield* verify({ ...check, timeout: 0.6, faster: "a" })).detail, "not finished within 0.6 s")
        yield* write("../go", "")
        const again = yield* verify({ ...check, timeout: 60 })
        assert.deepStrictEqual([again.result, again.cached], ["passed", false])
      }).pipe(Effect.provide(real()))
  )

  it.live("is known by the files alone, whatever filters the repository has for them", () =>
    Effect.gen(function* () {
      yield* repository()
      const { folder } = yield* Place
      yield* git("config", "filter.evil.clean", `echo ran >> '${folder}/filtered'; cat`)
      yield* git("config", "filter.multi.process", `echo ran >> '${folder}/filtered'; cat`)
      yield* git("config", "filter.evil.required", "true")
      yield* write(".gitattributes", "*.mjs filter=evil\n*.txt filter=multi\n")
      yield* write("src/sum.mjs", "export const sum = () => 0\n")
      yield* write("new.txt", "1")
      const { check, count } = yield* counted()
      yield* verify(check)
      assert.isTrue((yield* verify(check)).cached)
      assert.strictEqual(yield* count, 1)
      assert.strictEqual(yield* textOf(`${folder}/filtered`), "")
      yield* git("add", ".")
      assert.notStrictEqual(yield* textOf(`${folder}/filtered`), "", "git itself runs them")
    }).pipe(Effect.provide(real()))
  )

  const changes: ReadonlyArray<readonly [what: string, change: Effect.Effect<unknown, unknown, Place | Needs>]> = [
    ["an edit", write("src/sum.mjs", "export const sum = () => 0\n")],
    ["an edit of the same length", write("src/sum.mjs", "export const sum = (a, b) => a - b\n")],
    ["a new file", write("src/new.mjs", "")],
    ["another mode", Effect.flatMap(file("src/sum.mjs"), (path) => fs((self) => self.chmod(path, 0o755)))],
    ["another name", Effect.flatMap(file("src/sum.mjs"), (path) => fs((self) => self.rename(path, `${path}.mjs`)))]
  ]

  it.live("is known again on the same files of a repository, unless it is to run again", () =>
    Effect.gen(function* () {
      yield* repository()
      yield* write("src/untracked.mjs", "1")
      const { check, count } = yield* counted()
      const first = yield* verify(check)
      const second = yield* verify(check)
      assert.strictEqual(yield* count, 1)
      assert.deepStrictEqual(second, { ...first, cached: true })
      assert.strictEqual(first.result, "passed")
      const { run } = yield* Verification
      const [third] = yield* run({ directory: yield* Place.project, checks: [check], again: true })
      assert.deepStrictEqual([third?.cached, yield* count], [false, 2])
    }).pipe(Effect.provide(real()))
  )

  it.live("is not known after any change of the files in a repository", () =>
    Effect.gen(function* () {
      yield* repository()
      const { check, count } = yield* counted()
      yield* verify(check)
      for (const [at, [what, change]] of changes.entries()) {
        yield* change
        assert.isFalse((yield* verify(check)).cached, what)
        assert.strictEqual(yield* count, at + 2)
      }
    }).pipe(Effect.provide(real()))
  )

  it.live("is known after what git does not keep has changed, and after the same files were committed", () =>
    Effect.gen(function* () {
      yield* repository()
      yield* write("src/new.mjs", "1")
      const { check, count } = yield* counted()
      yield* verify(check)
      yield* write("ignored", "2")
      yield* write(".reflection/verdict_s1.json", "{}")
      assert.isTrue((yield* verify(check)).cached)
      yield* git("add", ".")
      assert.isTrue((yield* verify(check)).cached)
      yield* git("commit", "--quiet", "-m", "Go on")
      assert.isTrue((yield* verify(check)).cached)
      assert.strictEqual(yield* count, 1)
    }).pipe(Effect.provide(real()))
  )

  it.live("leaves the repository as it was", () =>
    Effect.gen(function* () {
      yield* repository()
      yield* write("src/new.mjs", "1")
      yield* write("src/sum.mjs", "2")
      const { project } = yield* Place
      const files = fs((self) => self.readDirectory(`${project}/.git`, { recursive: true }))
      const state = Effect.zip(
        files,
        fs((self) => self.readFile(`${project}/.git/index`))
      )
      const before = yield* state
      const { check } = yield* counted()
      yield* verify(check)
      assert.deepStrictEqual(yield* state, before)
    }).pipe(Effect.provide(real()))
  )

  it.live(
    "is of the files as they are: where these change during the run it is run once more, and only the check itself may change some",
    () =>
      Effect.gen(function* () {
        yield* repository()
        const { check, count } = yield* counted()
        const changing = (name: string, command: string) => ({ name, command: `${command}; ${check.command}` })
        const leaving = changing("tests", "echo 1 > left.txt")
        assert.strictEqual((yield* verify(leaving)).result, "passed")
        assert.isTrue((yield* verify(leaving)).cached, "it leaves the same file")
        assert.strictEqual(yield* count, 2)
        const stamping = changing("build", "date +%N > src/sum.mjs")
        assert.strictEqual((yield* verify(stamping)).result, "passed")
        assert.isFalse((yield* verify(stamping)).cached)
        const others = yield* verify(changing("lint", 'touch "$(date +%N)"'))
        assert.deepStrictEqual([others.result, others.detail], ["unavailable", "files changed while it ran"])
      }).pipe(Effect.provide(real()))
  )
})

/** Fails where another holds the folder, and holds it for a while. */
const exclusive = (folder: string): string => `mkdir '${folder}/held' && sleep 0.5 && rmdir '${folder}/held'`

describe.sequential("one workspace", () => {
  it.effect("is waited for no longer than asked, and taken over from a process that is gone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(new Date("2030-01-01T00:00:00Z"))
      yield* repository()
      const { project, state } = yield* Place
      const check = { name: "tests", command: "true" }
      yield* verify(check)
      const [name = ""] = yield* fs((self) => self.readDirectory(state))
      const lock = `${state}/${safeName(`${project}/.git`)}.lock`
      const touchedAt = (time: string) => fs((self) => self.utimes(lock, new Date(time), new Date(time)))
      yield* fs((self) => self.writeFileString(lock, "another"))
      yield* touchedAt("2030-01-01T00:00:00Z")
      const waiting = yield* Effect.flatMap(Effect.fork(verify(check)), whileTimeGoesBy)
      assert.strictEqual(waiting.result, "unavailable")
      assert.include(waiting.detail, "another check")
      yield* touchedAt("2029-12-31T23:59:00Z")
      assert.strictEqual((yield* verify(check)).result, "passed")
      assert.deepStrictEqual(yield* fs((self) => self.readDirectory(state)), [name])
    }).pipe(Effect.provide(real({ wait: "2 seconds" })))
  )

  /** The service in a process of its own, which prints the results. */
  const worker = Effect.gen(function* () {
    const { folder, project, state } = yield* Place
    const outfile = `${folder}/worker.mjs`
    const entry = fileURLToPath(new URL("../support/verificationWorker.ts", import.meta.url))
    yield* Effect.promise(() => bundle({ entry, outfile }))
    return (command: string) =>
      Command.make("node", outfile, JSON.stringify({ state, project, command })).pipe(
        Command.env({ REFLEXION_VERIFYING: "" })
      )
  })

  it.live("has one check at a time, whichever process asks, and one run serves them all", () =>
    Effect.gen(function* () {
      yield* repository()
      const { folder } = yield* Place
      const { count } = yield* counted()
      const ask = yield* worker
      const command = `${exclusive(folder)} && echo ran >> '${folder}/runs'`
      const results = yield* Effect.all([Command.string(ask(command)), Command.string(ask(command))], {
        concurrency: 2
      })
      assert.deepStrictEqual(results.toSorted(), ["passed cached\n", "passed ran\n"])
      assert.strictEqual(yield* count, 1)
    }).pipe(Effect.provide(real()))
  )
})

describe("what a check prints", () => {
  it("is kept at both ends, and its characters are whole", () => {
    const kept = Output.make()
    const bytes = new TextEncoder().encode("é".repeat(32_768))
    for (let at = 0; at < 64; at++) {
      kept.push("out", bytes.slice(0, 1001))
      kept.push("err", new TextEncoder().encode("-"))
      kept.push("out", bytes.slice(1001))
    }
    const text = kept.text()
    assert.isAtMost(text.length, 131_100)
    assert.match(text, /^[é-]+\n\[…\]\n[é-]+$/)
  })
})

describe("the test layer", () => {
  it.effect("gives what was scripted of the checks asked for, and records what it was asked", () =>
    Effect.gen(function* () {
      const { run } = yield* Verification
      const request = { directory: "/p", checks: [{ name: "tests", command: "x" }] }
      assert.deepStrictEqual(yield* run(request), [scripted])
      assert.deepStrictEqual(yield* run({ ...request, checks: [{ name: "lint", command: "x" }] }), [])
      assert.lengthOf(yield* (yield* VerificationRecord).asked, 2)
    }).pipe(Effect.provide(Verification.Test([scripted])))
  )
})
