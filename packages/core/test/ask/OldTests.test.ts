import { Command, FileSystem, Path } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import type { Check } from "../../src/ask/checks/CheckResult.ts"
import * as OldTests from "../../src/ask/oldtests/OldTests.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { eventually, Place, real, write } from "../support/checkProjects.ts"
import { call, run } from "../support/events.ts"

const long = 90_000

/** The commits of before the task, its first edit, and what is committed in it. */
const [then, since, later] = ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z"]

const git = Effect.fnUntraced(function* (at: string, ...words: ReadonlyArray<string>) {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
  const command = Command.make("git", ...who, ...words).pipe(
    Command.workingDirectory(yield* Place.project),
    Command.env({ GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at })
  )
  return yield* Command.string(command)
})

const commit = Effect.fnUntraced(function* (at: string) {
  yield* git(at, "add", "-A")
  yield* git(at, "commit", "--quiet", "-m", "Work")
})

const begin = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  yield* git(then, "init", "--quiet")
  for (const [name, text] of Object.entries(files)) yield* write(name, text)
  yield* commit(then)
})

const there = Effect.fnUntraced(function* (name: string) {
  return `${yield* Place.project}/${name}`
})

const text = Effect.fnUntraced(function* (name: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(yield* there(name))
})

/** The agent's edit, made and on record. */
const edited = Effect.fnUntraced(function* (name: string, before: string, after: string) {
  const now = yield* text(name)
  assert.include(now, before)
  yield* write(
    name,
    now.replace(before, () => after)
  )
  const input = { file_path: yield* there(name), old_string: before, new_string: after }
  return call("Edit", input, { at: since })
})

const wrote = Effect.fnUntraced(function* (name: string, content: string) {
  yield* write(name, content)
  return call("Write", { file_path: yield* there(name), content }, { at: since, output: "updated" })
})

const sh = Effect.fnUntraced(function* (command: string) {
  const project = yield* Place.project
  yield* Command.exitCode(Command.make("sh", "-c", command).pipe(Command.workingDirectory(project)))
  return run(command, 0, "", { at: since })
})

const node: Check = { gate: "tests", command: "node --test", timeout: 60 }

const ask = Effect.fnUntraced(function* (events: ReadonlyArray<TranscriptEvent>, over: Partial<OldTests.Request> = {}) {
  const { project } = yield* Place
  const service = yield* OldTests.OldTests
  return yield* service.run({
    directory: project,
    check: node,
    events,
    context: { repo: RepoSignals.empty, gates: [], cwd: project },
    isFirst: true,
    commits: false,
    told: null,
    ...over
  })
})

const live = () =>
  Layer.unwrapEffect(Effect.map(Place, ({ state }) => OldTests.OldTests.Live({ directory: state }))).pipe(
    Layer.provideMerge(real())
  )

const copies = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const state = yield* Place.state
  const notes = yield* Effect.orElseSucceed(fs.readDirectory(path.join(state, "copies")), () => [])
  return notes.filter((name) => name.endsWith(".folder"))
})

const sum = "export const sum = (a, b) => a - b\n"
const right = "export const sum = (a, b) => a + b\n"

const suite = (expected: number, name = "adds"): string => `import assert from "node:assert"
import { test } from "node:test"
import { sum } from "./sum.mjs"
test("${name}", () => assert.strictEqual(sum(1, 2), ${expected}))
test("is a number", () => assert.strictEqual(typeof sum(1, 2), "number"))
`

const manifest = (script: string) => JSON.stringify({ type: "module", scripts: { test: script } }, null, 2)

const failing = (result: OldTests.Result | null) => result?.failing.map(({ name }) => name)

const files = { "sum.mjs": sum, "sum.test.mjs": suite(3) }

const it_ = <E>(name: string, test: () => Effect.Effect<void, E, Layer.Layer.Success<ReturnType<typeof live>>>) =>
  it.live(name, () => Effect.provide(test(), live()), long)

describe.sequential("the tests as they were", () => {
  it_("fail where an assertion was weakened", () =>
    Effect.gen(function* () {
      yield* begin(files)
      const event = yield* edited("sum.test.mjs", "sum(1, 2), 3", "sum(1, 2), -1")
      const before = yield* git(later, "status", "--porcelain=v2")
      const result = yield* ask([event])
      assert.strictEqual(result?.result, "failed")
      assert.deepStrictEqual(failing(result), ["adds"])
      assert.deepStrictEqual(result?.files, [{ path: "sum.test.mjs", from: "record" }])
      assert.strictEqual(yield* git(later, "status", "--porcelain=v2"), before)
      assert.include(yield* text("sum.test.mjs"), "-1")
      assert.deepStrictEqual(yield* copies, [])
    })
  )

  it_("fail where the test was deleted", () =>
    Effect.gen(function* () {
      yield* begin({ ...files, "other.test.mjs": suite(-1, "other") })
      const result = yield* ask([yield* sh("rm sum.test.mjs")])
      assert.strictEqual(result?.result, "failed")
      assert.deepStrictEqual(failing(result), ["adds"])
      assert.deepStrictEqual(result?.files, [{ path: "sum.test.mjs", from: "commit" }])
      assert.match(result?.base ?? "", /^[0-9a-f]{12}$/)
    })
  )

  it_("fail where a folder of tests was deleted", () =>
    Effect.gen(function* () {
      yield* begin({
        "sum.mjs": sum,
        "tests/sum.test.mjs": suite(3).replace("./sum", "../sum"),
        "b.test.mjs": suite(-1)
      })
      const result = yield* ask([yield* sh("rm -rf tests")])
      assert.strictEqual(result?.result, "failed")
      assert.deepStrictEqual(result?.files, [{ path: "tests/sum.test.mjs", from: "commit" }])
    })
  )

  it_("fail where the test was skipped by a new text of the file, also once that is committed", () =>
    Effect.gen(function* () {
      yield* begin(files)
      const event = yield* wrote("sum.test.mjs", suite(3).replace('test("adds"', 'test.skip("adds"'))
      yield* commit(later)
      const result = yield* ask([event], { commits: true })
      assert.strictEqual(result?.result, "failed")
      assert.deepStrictEqual(failing(result), ["adds"])
    })
  )

  it_("fail where the commit of before was amended", () =>
    Effect.gen(function* () {
      yield* begin({ "sum.mjs": sum })
      yield* write("sum.test.mjs", suite(3))
      yield* commit(then)
      const event = yield* sh("sed -i 's/3))/-1))/' sum.test.mjs")
      yield* git(later, "commit", "--quiet", "-a", "--amend", "-m", "Work")
      assert.strictEqual((yield* ask([event], { commits: true }))?.result, "failed")
    })
  )

  it_("fail where the manifest runs fewer", () =>
    Effect.gen(function* () {
      yield* begin({ ...files, "ok.test.mjs": suite(-1, "ok"), "package.json": manifest("node --test") })
      const event = yield* edited("package.json", '"node --test"', '"node --test ok.test.mjs"')
      const result = yield* ask([event], { check: { ...node, command: "npm test" } })
      assert.strictEqual(result?.result, "failed")
      assert.deepStrictEqual(failing(result), ["adds"])
    })
  )

  it_("pass where the source was mended and a test added", () =>
    Effect.gen(function* () {
      yield* begin(files)
      const source = yield* edited("sum.mjs", "a - b", "a + b")
      const more = 'test("is a number"'
      const test = yield* edited(
        "sum.test.mjs",
        more,
        `test("adds none", () => assert.strictEqual(sum(0, 0), 0))\n${more}`
      )
      assert.strictEqual((yield* ask([source, test]))?.result, "passed")
    })
  )

  it_("are those that the user had not committed", () =>
    Effect.gen(function* () {
      yield* begin({ "sum.mjs": right, "sum.test.mjs": suite(-1) })
      yield* write("sum.test.mjs", suite(3))
      const event = yield* edited("sum.test.mjs", '"is a number"', '"is some number"')
      const result = yield* ask([event])
      assert.strictEqual(result?.result, "passed")
    })
  )

  it_("are those that were read before the file was written anew", () =>
    Effect.gen(function* () {
      yield* begin({ "sum.mjs": right, "sum.test.mjs": suite(-1) })
      yield* write("sum.test.mjs", suite(3))
      const lines = suite(3).trimEnd().split("\n")
      const output = lines.map((line, at) => `${String(at + 1).padStart(6)}→${line}`).join("\n")
      const read = call("Read", { file_path: yield* there("sum.test.mjs") }, { output, at: since })
      const event = yield* wrote("sum.test.mjs", suite(3, "adds up"))
      const result = yield* ask([read, event])
      assert.strictEqual(result?.result, "passed")
      assert.deepStrictEqual(result?.files, [{ path: "sum.test.mjs", from: "record" }])
    })
  )

  it_("are not known where earlier work of the session may have changed them", () =>
    Effect.gen(function* () {
      yield* begin(files)
      assert.isNull(yield* ask([yield* sh("sed -i 's/3))/-1))/' sum.test.mjs")], { isFirst: false }))
    })
  )

  it_("are not known where work of others was brought in", () =>
    Effect.gen(function* () {
      yield* begin(files)
      const event = yield* edited("sum.test.mjs", "sum(1, 2), 3", "sum(1, 2), -1")
      assert.isNull(yield* ask([event, run("git pull --rebase origin main", 0)]))
    })
  )

  it_("say nothing where they need what is no longer there", () =>
    Effect.gen(function* () {
      yield* begin({ "sum.mjs": right, "sum.test.mjs": suite(3) })
      const source = yield* edited("sum.mjs", "const sum", "const total")
      const test = yield* wrote("sum.test.mjs", suite(3).replaceAll("sum(", "total(").replace("{ sum }", "{ total }"))
      assert.strictEqual((yield* ask([source, test]))?.result, "unknown")
    })
  )

  it_("say nothing where the copy is not as good as the project", () =>
    Effect.gen(function* () {
      const project = yield* Place.project
      const here = `test("is here", () => assert.strictEqual(process.cwd(), ${JSON.stringify(project)}))\n`
      yield* begin({ "sum.mjs": sum, "sum.test.mjs": suite(3) + here })
      const result = yield* ask([yield* edited("sum.test.mjs", "sum(1, 2), 3", "sum(1, 2), -1")])
      assert.strictEqual(result?.result, "unknown")
      assert.include(result?.detail, "the present tests do not pass either")
    })
  )

  it_("say nothing where they fail once", () =>
    Effect.gen(function* () {
      const seen = `${yield* Place.folder}/seen`
      const flaky = `import { existsSync, writeFileSync } from "node:fs"
import { test } from "node:test"
test("flaky", () => { if (!existsSync(${JSON.stringify(seen)})) { writeFileSync(${JSON.stringify(seen)}, ""); throw new Error("once") } })
`
      yield* begin({
        "flaky.test.mjs": flaky,
        "ok.test.mjs": 'import { test } from "node:test"\ntest("ok", () => {})\n'
      })
      const result = yield* ask([yield* sh("rm flaky.test.mjs")])
      assert.strictEqual(result?.result, "unknown")
      assert.include(result?.detail, "do not fail again")
    })
  )

  it_("find what is installed, and leave it alone", () =>
    Effect.gen(function* () {
      const source = 'import { one } from "one"\nexport const sum = (a, b) => a - b * one\n'
      yield* begin({ ...files, "sum.mjs": source, ".gitignore": "node_modules\n" })
      yield* write("node_modules/one/package.json", '{"name":"one","type":"module","exports":"./index.js"}')
      yield* write("node_modules/one/index.js", "export const one = 1\n")
      const result = yield* ask([yield* edited("sum.test.mjs", "sum(1, 2), 3", "sum(1, 2), -1")])
      assert.strictEqual(result?.result, "failed")
      assert.include(yield* text("node_modules/one/index.js"), "one = 1")
    })
  )

  it_("are not run where no test was changed, and not again on the same files", () =>
    Effect.gen(function* () {
      yield* begin(files)
      assert.isNull(yield* ask([yield* edited("sum.mjs", "a - b", "a + b")]))
      const count = `${yield* Place.folder}/count`
      const check = { ...node, command: `echo ran >> '${count}'; node --test` }
      const event = yield* edited("sum.test.mjs", '"is a number"', '"is some number"')
      const first = yield* ask([event], { check })
      assert.strictEqual(first?.result, "passed")
      assert.deepStrictEqual(yield* ask([event], { check }), first)
      const fs = yield* FileSystem.FileSystem
      assert.strictEqual(yield* fs.readFileString(count), "ran\n")
    })
  )

  it_("are given up when the time is over", () =>
    Effect.gen(function* () {
      yield* begin(files)
      const event = yield* edited("sum.test.mjs", "sum(1, 2), 3", "sum(1, 2), -1")
      const result = yield* ask([event], { check: { ...node, command: "sleep 30", timeout: 3 } })
      assert.strictEqual(result?.result, "unknown")
    })
  )

  it_("leave nothing behind when they are interrupted, and take away what a killed run left", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const state = yield* Place.state
      yield* begin(files)
      const event = yield* edited("sum.test.mjs", "sum(1, 2), 3", "sum(1, 2), -1")
      const place = `${yield* Place.folder}/place`
      const check = { ...node, command: `pwd > '${place}'; sleep 60` }
      const running = yield* Effect.fork(ask([event], { check }))
      yield* eventually(fs.exists(place))
      yield* eventually(Effect.map(fs.readFileString(place), (where) => where.endsWith("\n")))
      const folder = (yield* fs.readFileString(place)).trim()
      yield* Fiber.interrupt(running)
      assert.isFalse(yield* fs.exists(folder))
      assert.deepStrictEqual(yield* copies, [])

      const left = yield* fs.makeTempDirectory({ prefix: "reflexion-copy-" })
      yield* fs.writeFileString(`${state}/copies/1.folder`, left)
      yield* ask([event])
      assert.isFalse(yield* fs.exists(left))
    }).pipe(Effect.scoped)
  )

  it_("are run in Python, too", () =>
    Effect.gen(function* () {
      const test =
        "import unittest\nfrom cart import total\n\nclass T(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n\n    def test_none(self):\n        self.assertEqual(total([]), 0)\n"
      yield* begin({ "cart.py": "def total(items):\n    return 2 * sum(items)\n", "test_cart.py": test })
      const event = yield* edited("test_cart.py", "total([1, 2]), 3", "total([1, 2]), 6")
      const result = yield* ask([event], { check: { ...node, command: "python3 -m unittest -v" } })
      assert.strictEqual(result?.result, "failed")
      assert.match(failing(result)?.[0] ?? "", /test_total/)
    })
  )
})
