import { Command, FileSystem, type Path } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { bundle } from "../../../../scripts/bundler.mjs"
import * as Output from "../../src/checks/output.ts"
import * as FileLock from "../../src/base/system/FileLock.ts"
import { safeName } from "../../src/base/system/FileNames.ts"
import { Verification } from "../../src/checks/Verification.ts"
import {
  counted,
  git,
  gone,
  live,
  pidsIn,
  Place,
  real,
  repository,
  textOf,
  verify,
  whileTimeGoesBy,
  write
} from "../support/checkProjects.ts"
import { worksWith } from "../support/works.ts"

type Needs = FileSystem.FileSystem | Path.Path

const fs = <A, E>(use: (self: FileSystem.FileSystem) => Effect.Effect<A, E>) =>
  Effect.flatMap(FileSystem.FileSystem, use)

const suite = `
import assert from "node:assert"
import { test } from "node:test"
test("adds", () => assert.strictEqual(1 + 1, 3))
test("subtracts", () => assert.strictEqual(2 - 1, 1))
`

/** A process that ignores the request to end, like its child. Both write their ids to a file. */
const stubborn = (pids: string): string => `trap '' TERM
(echo $(exec sh -c 'echo $PPID') >> ${pids}; while :; do sleep 1; done) &
echo begun
echo $$ >> ${pids}
while :; do sleep 1; done`

const worker = `
import * as NodeContext from "@effect/platform-node/NodeContext"
import { ConfigProvider, Effect, Layer } from "effect"
import { worksWith } from "../support/works.ts"
import { Verification } from "${new URL("../../src/checks/Verification.ts", import.meta.url).pathname}"
const [directory, state, command] = process.argv.slice(2)
const noVariables = Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))
const live = Layer.provide(Verification.Live({ directory: state }), Layer.merge(noVariables, NodeContext.layer))
const run = Effect.flatMap(Verification, ({ run }) => run({ directory, checks: [{ name: "tests", command }] }))
const [{ cached, result }] = await Effect.runPromise(Effect.provide(run, live))
console.log(result, cached ? "cached" : "ran")
`

describe.sequential("a check", () => {
  live("a failing check names the tests that failed", function* () {
    yield* write("sum.test.mjs", suite)
    const { at, detail, failing, output, ...result } = yield* verify({ name: "tests", command: "node --test" })
    assert.deepInclude(result, { result: "failed", exitCode: 1, cached: false })
    assert.strictEqual(failing.map(({ name }) => name).join(), "adds")
    assert.include(detail, "adds")
    assert.match(output, /^(?:#|ℹ) fail 1$/m)
    assert.isNotNull(at)
  })

  worksWith(real({ within: ["env", "SANDBOX=yes"] }), it.scopedLive)(
    "runs in the project inside the given program, with CI set and without secrets",
    function* () {
      const { project } = yield* Place
      const { run } = yield* Verification
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      const commands = [
        "pwd",
        'echo "$CI, $HOME, $SANDBOX ${REFLEXION_VERIFYING:+check}"',
        `echo 'token: ${token}'; printf '\\033[31mred\\033[0m'`
      ]
      const checks = commands.map((command) => ({ name: "tests", command }))
      const results = yield* run({ directory: project, checks, secrets: ["HOME"] })
      const [where, what, printed] = results.map(({ output }) => output)
      assert.deepStrictEqual([where, what], [`${project}\n`, "1, , yes check\n"])
      assert.match(printed ?? "", /^token: .*\nred$/)
      assert.notInclude(JSON.stringify(results), token)
    }
  )

  it.live.each([
    ["does not exist", "no-such-program --version", "unavailable"],
    ["is not installed in the script that runs it", "echo 'sh: 1: vitest: not found'; exit 1", "unavailable"],
    ["was killed from outside", "kill -KILL $$", "unavailable"],
    ["is masked by a pipe and prints nothing", "npm test 2>/dev/null | true", "unavailable"],
    ["reads its input, which is empty", "cat", "passed"],
    ["is a script that does nothing", "printf '\\n> w@1.0.0 test\\n> true\\n\\n'", "unavailable"],
    ["is a script that prints nothing of its own", "printf '\\n> test\\n> sh check.sh\\n\\n'", "passed"],
    ["runs no test", "echo 'No test files found, exiting with code 1'; exit 1", "unavailable"],
    ["exits with another status", "exit 3", "failed"],
    ["is of several lines", "set -e\ncd src 2>/dev/null || true\n[ $# = 0 ]\nfalse | true", "passed"],
    ["hides a runner's failure behind a bare wait", "npm test >/dev/null 2>&1 & wait", "unavailable"],
    ["waits for nothing that it begins", "(npm test >/dev/null 2>&1) &", "unavailable"],
    ["hands on the status of what it waits for", "sh -c 'exit 3' & wait $!", "failed"],
    ["leaves something running in the background", "sleep 1000 & echo begun", "passed"]
  ] as const)("a check whose command %s", ([, command, expected]) =>
    Effect.gen(function* () {
      yield* write("plain.txt", "")
      assert.strictEqual((yield* verify({ name: "tests", command })).result, expected)
    }).pipe(Effect.provide(real()))
  )

  worksWith(real({}, new Map([["REFLEXION_VERIFYING", "1"]])), it.scopedLive)(
    "a check never runs inside another check",
    function* () {
      const { check, count } = yield* counted()
      assert.strictEqual((yield* verify(check)).result, "unavailable")
      assert.strictEqual(yield* count, 0)
    }
  )
})

const heard: Array<number> = []

describe.sequential("a check's limits", () => {
  worksWith(real({ started: (_, __, seconds) => Effect.sync(() => void heard.push(seconds)) }))(
    "the elapsed time of a running check is reported every ten seconds",
    function* () {
      const { folder } = yield* Place
      const command = `echo $$ > ${folder}/pids; until test -e ${folder}/go; do sleep 0.05; done`
      const running = yield* Effect.fork(verify({ name: "tests", command }))
      yield* pidsIn(`${folder}/pids`, 1)
      yield* TestClock.adjust("10 seconds")
      yield* TestClock.adjust("10 seconds")
      yield* write("../go", "")
      assert.strictEqual((yield* whileTimeGoesBy(running)).result, "passed")
      assert.deepStrictEqual(heard, [0, 10, 20])
    }
  )

  worksWith(real())("the time limit ends a check and its child process, even if both ignore SIGTERM", function* () {
    const { folder } = yield* Place
    const command = stubborn(`${folder}/pids`)
    const running = yield* Effect.fork(verify({ name: "tests", command, timeout: 60 }))
    const pids = yield* pidsIn(`${folder}/pids`, 2)
    yield* TestClock.adjust("60 seconds")
    const ended = { result: "timed_out", exitCode: null, output: "begun\n" } as const
    assert.deepInclude(yield* whileTimeGoesBy(running), ended)
    yield* gone(pids)
  })

  worksWith(real({ maxOutput: 1024 * 1024 }), it.scopedLive)(
    "a check that prints too much is ended; both ends of its output are kept",
    function* () {
      const { detail, result } = yield* verify({ name: "tests", command: "yes" })
      assert.strictEqual(result, "unavailable")
      assert.include(detail, "printed too much")
      const kept = Output.make()
      const bytes = new TextEncoder().encode("é".repeat(32_768))
      for (let at = 0; at < 64; at++) {
        kept.push("out", bytes.slice(0, 1001))
        kept.push("err", new TextEncoder().encode("-"))
        kept.push("out", bytes.slice(1001))
      }
      assert.isAtMost(kept.text().length, 131_100)
      assert.match(kept.text(), /^[é-]+\n\[…\]\n[é-]+$/)
    }
  )
})

describe.sequential("a check's result", () => {
  live("after a timeout, a check runs again only with a longer limit", function* () {
    yield* repository()
    const check = { name: "tests", command: "test -e ../go || exec sleep 1000" }
    const slow = yield* verify({ ...check, timeout: 0.5 })
    assert.deepInclude(slow, { result: "timed_out", detail: "not finished within 0.5 s" })
    yield* write("src/sum.mjs", "export const sum = () => 0\n")
    const known = "not run again, because it did not finish within 0.5 s before"
    const unrun = yield* verify({ ...check, timeout: 0.5 })
    assert.deepInclude(unrun, { result: "timed_out", cached: true, detail: known })
    assert.strictEqual((yield* verify({ ...check, timeout: 0.6 })).detail, "not finished within 0.6 s")
    yield* write("../go", "")
    assert.deepInclude(yield* verify({ ...check, timeout: 60 }), { result: "passed", cached: false })
  })

  const sum = Effect.map(Place.project, (project) => `${project}/src/sum.mjs`)

  const changes: ReadonlyArray<readonly [what: string, change: Effect.Effect<unknown, unknown, Place | Needs>]> = [
    ["an edit of the same length", write("src/sum.mjs", "export const sum = (a, b) => a - b\n")],
    ["a new file", write("src/new.mjs", "")],
    ["another mode", Effect.flatMap(sum, (path) => fs((self) => self.chmod(path, 0o755)))],
    ["another name", Effect.flatMap(sum, (path) => fs((self) => self.rename(path, `${path}.mjs`)))]
  ]

  live("a result is reused on the same files, committed or not, until a change", function* () {
    yield* repository()
    yield* write("src/untracked.mjs", "1")
    const { check, count } = yield* counted()
    const first = yield* verify(check)
    assert.strictEqual(first.result, "passed")
    yield* write("ignored", "2")
    yield* write(".reflection/verdict_s1.json", "{}")
    assert.deepStrictEqual(yield* verify(check), { ...first, cached: true })
    yield* git("add", ".")
    yield* git("commit", "--quiet", "-m", "Go on")
    assert.isTrue((yield* verify(check)).cached)
    assert.strictEqual(yield* count, 1)
    const { run } = yield* Verification
    const [again] = yield* run({ directory: yield* Place.project, checks: [check], again: true })
    assert.deepStrictEqual([again?.cached, yield* count], [false, 2])
    for (const [at, [what, change]] of changes.entries()) {
      yield* change
      assert.isFalse((yield* verify(check)).cached, what)
      assert.strictEqual(yield* count, at + 3)
    }
  })

  live("no git filter of the repository runs, and the repository stays unchanged", function* () {
    yield* repository()
    const { folder, project } = yield* Place
    yield* git("config", "filter.evil.clean", `echo ran >> '${folder}/filtered'; cat`)
    yield* git("config", "filter.multi.process", `echo ran >> '${folder}/filtered'; cat`)
    yield* git("config", "filter.evil.required", "true")
    yield* write(".gitattributes", "*.mjs filter=evil\n*.txt filter=multi\n")
    yield* write("src/sum.mjs", "export const sum = () => 0\n")
    yield* write("new.txt", "1")
    const files = fs((self) => self.readDirectory(`${project}/.git`, { recursive: true }))
    const index = fs((self) => self.readFile(`${project}/.git/index`))
    const before = [yield* files, yield* index]
    const { check } = yield* counted()
    yield* verify(check)
    assert.isTrue((yield* verify(check)).cached)
    assert.deepStrictEqual([yield* files, yield* index], before)
    assert.strictEqual(yield* textOf(`${folder}/filtered`), "")
    yield* git("add", ".")
    assert.notStrictEqual(yield* textOf(`${folder}/filtered`), "", "git itself runs them")
  })

  live("changes files → runs twice; other files changed the second time → unavailable", function* () {
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
    assert.deepInclude(others, { result: "unavailable", detail: "files changed while it ran" })
  })
})

describe.sequential("one workspace", () => {
  worksWith(real({ wait: "2 seconds" }))(
    "a busy workspace is waited for; one of a dead process is taken over",
    function* () {
      yield* repository()
      const { project, state } = yield* Place
      const check = { name: "tests", command: "true" }
      yield* verify(check)
      const [name = ""] = yield* fs((self) => self.readDirectory(state))
      const lock = `${state}/${safeName(`${project}/.git`)}.lock`
      const held = FileLock.take(lock)
      const waiting = yield* Effect.flatMap(Effect.fork(verify(check)), whileTimeGoesBy)
      assert.strictEqual(waiting.result, "unavailable")
      assert.include(waiting.detail, "another check")
      held?.release()
      yield* fs((self) => self.symlink("99999999", lock))
      assert.strictEqual((yield* verify(check)).result, "passed")
      assert.deepStrictEqual(yield* fs((self) => self.readDirectory(state)), [name])
    }
  )

  live("runs one check at a time over all processes, and they share its result", function* () {
    yield* repository()
    const { folder, project, state } = yield* Place
    const { check, count } = yield* counted()
    const command = `mkdir '${folder}/held' && sleep 0.3 && rmdir '${folder}/held' && ${check.command}`
    const outfile = `${folder}/worker.mjs`
    yield* Effect.promise(() => bundle({ stdin: { contents: worker, resolveDir: import.meta.dirname }, outfile }))
    const ask = Command.make("node", outfile, project, state, command)
    const results = yield* Effect.all([Command.string(ask), Command.string(ask)], { concurrency: 2 })
    assert.deepStrictEqual(results.toSorted(), ["passed cached\n", "passed ran\n"])
    assert.strictEqual(yield* count, 1)
  })
})
