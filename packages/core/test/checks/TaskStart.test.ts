import { assert, describe, it } from "@effect/vitest"
import { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { git, Place, real, repository, textOf, write } from "../support/checkProjects.ts"
import type { Check } from "../../src/checks/CheckResult.ts"
import * as CheckPrint from "../../src/checks/CheckPrint.ts"
import * as EarlierText from "../../src/checks/EarlierText.ts"
import { call } from "../support/events.ts"
import * as TaskStart from "../../src/checks/TaskStart.ts"
import { Verification } from "../../src/checks/Verification.ts"

const test = (name: string, expected: number, more = "") =>
  write(
    `${name}.test.mjs`,
    `import assert from "node:assert"\nimport { sum } from "./src/sum.mjs"\n${more}\nexport const test = () => assert.strictEqual(sum(1, 1), ${expected})\n`
  )

/** A test runner in a few lines, which takes a tenth of the time of Node's own. */
const runner = `
import { readdirSync } from "node:fs"
let [at, failed] = [0, 0]
for (const file of readdirSync(".").filter((one) => one.endsWith(".test.mjs"))) {
  const name = file.replace(".test.mjs", "")
  try {
    await (await import("./" + file)).test()
    console.log("ok " + ++at + " - " + name)
  } catch (cause) {
    failed += 1
    console.log("not ok " + ++at + " - " + name + "\\n" + cause)
  }
}
console.log(at === 0 ? "No test files found, exiting with code 1" : "1.." + at)
process.exit(failed > 0 || at === 0 ? 1 : 0)
`

const commit = write("run.mjs", runner).pipe(
  Effect.zipRight(git("add", ".")),
  Effect.zipRight(git("commit", "--quiet", "-m", "More"))
)

/** The commits of a task are never as old as it is: git's times are of whole seconds. */
const begin = Effect.zipLeft(
  Effect.sync(() => new Date().toISOString()),
  Effect.sleep("1100 millis")
)

type Undo = (file: string, text: string) => string | null

/** The record tells of edits of files that were as committed. */
const committed = Effect.fnUntraced(function* (since: string, edited: ReadonlyArray<string>) {
  const { project } = yield* Place
  const commit = (yield* git("rev-list", "-1", `--before=${since}`, "HEAD")).trim()
  const texts = yield* Effect.forEach(edited, (name) => git("show", `${commit}:${name}`))
  const known = new Map(edited.map((name, at) => [`${project}/${name}`, texts[at]]))
  return (file: string) => known.get(file) || null
})

const run = Effect.fnUntraced(function* (
  since: string,
  edited: ReadonlyArray<string>,
  check: string | Check = "node run.mjs",
  given?: Undo
) {
  const { project } = yield* Place
  const { run } = yield* Verification
  const undo: Undo = given ?? (yield* committed(since, edited))
  const [result] = yield* run({
    directory: project,
    checks: [typeof check === "string" ? { name: "tests", command: check } : check],
    task: { since, edited: edited.map((name) => `${project}/${name}`), undone: (file, text) => undo(file, text) }
  })
  return result ?? (yield* Effect.dieMessage("one check has one result"))
})

const names = (failing: ReadonlyArray<{ readonly name: string }> = []) => failing.map(({ name }) => name)

/** What git sees of the repository. */
const seen = Effect.gen(function* () {
  const trees = yield* git("worktree", "list", "--porcelain")
  const status = yield* git("status", "--porcelain=v2", "--branch")
  return { trees, status, stash: yield* git("stash", "list"), refs: yield* git("for-each-ref") }
})

const project = Effect.gen(function* () {
  yield* repository()
  yield* test("old", 3)
  yield* test("good", 2)
  yield* commit
})

describe.sequential("a check that fails", () => {
  it.live("failed before the task where the last commit before it fails in the same way", () =>
    Effect.gen(function* () {
      yield* project
      const since = yield* begin
      yield* write("src/other.mjs", "export const other = 1\n")
      const before = yield* seen
      const result = yield* run(since, ["src/other.mjs"])
      assert.deepStrictEqual([result.result, names(result.old)], ["failed_before", ["old"]])
      assert.deepStrictEqual(yield* seen, before)
      const { state } = yield* Place
      const fs = yield* FileSystem.FileSystem
      assert.isFalse((yield* fs.readDirectory(state)).some((name) => name.endsWith(".before")))
    }).pipe(Effect.provide(real()))
  )

  it.live("is run on the files of before once for a task, and only once on those of now where it is as old", () =>
    Effect.gen(function* () {
      yield* project
      const { folder } = yield* Place
      const since = yield* begin
      const stop = Effect.fnUntraced(function* (edited: string, text: string) {
        yield* write(edited, text)
        const result = yield* run(since, [edited], `echo ran >> ${folder}/runs; node run.mjs`)
        const runs = (yield* textOf(`${folder}/runs`)).split("\n").length - 1
        return [result.result, result.again ?? false, runs]
      })
      assert.deepStrictEqual(yield* stop("src/other.mjs", "export const other = 1\n"), ["failed_before", false, 3])
      assert.deepStrictEqual(yield* stop("src/other.mjs", "export const other = 2\n"), ["failed_before", true, 4])
      assert.deepStrictEqual(
        yield* stop("good.test.mjs", "throw new Error()\n"),
        ["failed", false, 7],
        "with the control"
      )
    }).pipe(Effect.provide(real()))
  )

  it.live("ran before the task only what the user agreed to now, and as they agreed to it", () =>
    Effect.gen(function* () {
      yield* project
      const { project: directory } = yield* Place
      const since = yield* begin
      yield* write("src/other.mjs", "export const other = 1\n")
      const command = "node run.mjs"
      const agreed = yield* CheckPrint.of(directory, command)
      const same = yield* run(since, ["src/other.mjs"], { name: "tests", command, print: agreed })
      assert.strictEqual(same.result, "failed_before")
      yield* write("run.mjs", `${runner}// New\n`)
      const changed = yield* run(since, ["run.mjs"], { name: "tests", command, print: agreed })
      assert.deepStrictEqual([changed.result, changed.changed], ["unavailable", true])
      const print = yield* CheckPrint.of(directory, command)
      const again = yield* run(since, ["run.mjs"], { name: "tests", command, print })
      assert.deepStrictEqual([again.result, again.before], ["failed", "unknown"])
    }).pipe(Effect.provide(real()))
  )

  it.live("names what failed only since, committed or not", () =>
    Effect.gen(function* () {
      yield* project
      const since = yield* begin
      yield* test("good", 4)
      yield* commit
      const result = yield* run(since, ["good.test.mjs"])
      assert.deepStrictEqual(
        [result.result, result.before, names(result.failing), names(result.old)],
        ["failed", "failed", ["good"], ["old"]]
      )
      const told = result.telling?.join("\n") ?? ""
      assert.include(told, "not ok 1 - good")
      assert.notInclude(told, "not ok 2 - old")
      assert.match(told, /2 !== 4/)
      assert.notMatch(told, /2 !== 3/)
    }).pipe(Effect.provide(real()))
  )

  it.live("is the user's where they broke it in a file that the agent edits as well", () =>
    Effect.gen(function* () {
      yield* project
      yield* write("src/sum.mjs", "export const sum = () => 0\n")
      const since = yield* begin
      yield* write("src/sum.mjs", "// Adds.\nexport const sum = () => 0\n")
      const edits = [call("Edit", { file_path: "src/sum.mjs", old_string: "export", new_string: "// Adds.\nexport" })]
      const undo = (file: string, text: string) => EarlierText.of(edits, (path) => file.endsWith(path), text)
      const result = yield* run(since, ["src/sum.mjs"], "node run.mjs", undo)
      assert.deepStrictEqual([result.result, names(result.old).toSorted()], ["failed_before", ["good", "old"]])
    }).pipe(Effect.provide(real()))
  )

  it.live("is of unknown origin where a changed file may have been the user's, or they changed it meanwhile", () =>
    Effect.gen(function* () {
      yield* repository()
      yield* test("good", 2)
      yield* commit
      yield* write("src/sum.mjs", "export const sum = () => 0\n")
      const since = yield* begin
      yield* write("src/sum.mjs", "export const sum = () => 0 // By sed.\n")
      for (const edited of [["src/sum.mjs"], []])
        assert.strictEqual((yield* run(since, edited, "node run.mjs", () => null)).before, "unknown")
    }).pipe(Effect.provide(real()))
  )

  it.live("is of unknown origin where packages were installed for the task, or lead to the code of now", () =>
    Effect.gen(function* () {
      const { folder, project } = yield* Place
      yield* repository()
      yield* write(".gitignore", "node_modules\n.venv\n")
      yield* test("good", 2)
      yield* commit
      const finder = yield* write(".venv/lib/python3.11/site-packages/__editable__.own.pth", "/elsewhere\n")
      yield* write("node_modules/.package-lock.json", "{}")
      const since = yield* begin
      yield* write("src/sum.mjs", "export const sum = () => 0\n")
      const before = (command = "node run.mjs") =>
        Effect.map(run(since, ["src/sum.mjs"], { name: "tests", command }), (result) => result.before)
      assert.strictEqual(yield* before(), "passed")
      assert.strictEqual(yield* before(`NODE_PATH=${project}/src node run.mjs`), "unknown")
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(finder, `${project}/src\n`)
      yield* fs.remove(`${folder}/state`, { recursive: true })
      assert.strictEqual(yield* before(), "unknown")
      yield* fs.writeFileString(finder, "/elsewhere\n")
      yield* write("node_modules/.package-lock.json", '{"new":1}')
      yield* fs.remove(`${folder}/state`, { recursive: true })
      assert.strictEqual(yield* before(), "unknown")
    }).pipe(Effect.provide(real()))
  )
})

const remove = Effect.fnUntraced(function* (name: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.remove(`${yield* Place.project}/${name}`)
})

describe.sequential("green tests that the task changed", () => {
  const green = Effect.gen(function* () {
    yield* repository()
    yield* test("good", 2)
    yield* test("other", 2)
    yield* commit
    return yield* begin
  })
  const wrong = Effect.zipRight(write("src/sum.mjs", "export const sum = () => 3\n"), test("other", 3))

  it.live("name the tests of before that fail on the code of now, committed or not", () =>
    Effect.gen(function* () {
      const since = yield* green
      yield* wrong
      yield* test("good", 3)
      yield* commit
      yield* test("new", 3)
      const before = yield* seen
      const result = yield* run(since, ["src/sum.mjs", "good.test.mjs", "other.test.mjs", "new.test.mjs"])
      assert.deepStrictEqual([result.result, names(result.broken).toSorted()], ["passed", ["good", "other"]])
      assert.deepStrictEqual(yield* seen, before)
      assert.isTrue((yield* run(since, ["good.test.mjs", "other.test.mjs"])).cached)
    }).pipe(Effect.provide(real()))
  )

  it.live("name nothing where the tests of before pass, were only added to, or lack what a work tree has not", () =>
    Effect.gen(function* () {
      const since = yield* green
      yield* test("good", 2, "// The same.")
      assert.isUndefined((yield* run(since, ["good.test.mjs"])).broken)
      const loaded = "node run.mjs && ! grep -q old good.test.mjs || { echo 'not ok 1 - good.test.mjs'; exit 1; }"
      yield* test("good", 2, "// old")
      yield* commit
      const later = yield* begin
      yield* test("good", 2, "// Another name.")
      assert.isUndefined((yield* run(later, ["good.test.mjs"], loaded)).broken)
      yield* wrong
      yield* test("good", 3)
      assert.isUndefined((yield* run(since, ["src/sum.mjs"])).broken)
      yield* write("ignored/a.txt", "built")
      yield* test("more", 3, 'import { existsSync } from "node:fs"\nassert.ok(existsSync("ignored/a.txt"))')
      assert.isUndefined((yield* run(since, ["good.test.mjs", "other.test.mjs"])).broken)
    }).pipe(Effect.provide(real()))
  )
})

describe.sequential("tests that are not there any more", () => {
  it.live("fail where the files of before have some, and say nothing where these have none", () =>
    Effect.gen(function* () {
      yield* project
      const since = yield* begin
      yield* remove("good.test.mjs")
      yield* remove("old.test.mjs")
      const result = yield* run(since, ["good.test.mjs"])
      assert.deepStrictEqual([result.result, result.before], ["failed", "passed"])
      assert.strictEqual(result.detail, "no tests ran; on the files of before the task tests ran")
      yield* commit
      assert.strictEqual((yield* run(yield* begin, ["src/other.mjs"])).result, "unavailable")
    }).pipe(Effect.provide(real()))
  )

  it.live("leave the rest no proof where an earlier run and the files of before have more", () =>
    Effect.gen(function* () {
      yield* repository()
      yield* test("good", 2)
      yield* test("other", 2)
      yield* commit
      const since = yield* begin
      assert.isUndefined((yield* run(since, [])).altered)
      yield* remove("other.test.mjs")
      const found = yield* run(since, ["other.test.mjs"])
      assert.deepStrictEqual([found.result, found.tests], ["passed", 1])
      assert.strictEqual(found.altered, "2 tests ran on the files of before the task, and now 1")
      yield* commit
      assert.isUndefined((yield* run(yield* begin, [])).altered)
    }).pipe(Effect.provide(real()))
  )
})

describe.sequential("a check that fails once", () => {
  it.live("is flaky where it passes when it is run again", () =>
    Effect.gen(function* () {
      yield* repository()
      const { folder } = yield* Place
      const result = yield* run(yield* begin, [], `test -e ${folder}/ran || { touch ${folder}/ran; exit 1; }`)
      assert.strictEqual(result.result, "flaky")
    }).pipe(Effect.provide(real()))
  )
})

describe("TaskStart.changed", () => {
  it.live(
    "names what was merged, written, made executable or removed since, and nothing that the user left behind",
    () =>
      Effect.gen(function* () {
        yield* project
        const fs = yield* FileSystem.FileSystem
        const { project: directory } = yield* Place
        yield* git("switch", "--quiet", "-c", "other")
        yield* write("merged.mjs", "")
        yield* commit
        yield* git("switch", "--quiet", "-")
        yield* write("old.test.mjs", "")
        yield* write("mine.mjs", "")
        const since = yield* begin
        const task = { since, edited: [], undone: () => null }
        const changed = Effect.map(TaskStart.changed({ project: directory, task }), (all) =>
          all?.map((file) => file.slice(directory.length + 1)).toSorted()
        )
        assert.deepStrictEqual(yield* changed, [])
        yield* git("merge", "--quiet", "--ff-only", "other")
        yield* write("new.mjs", "")
        yield* fs.chmod(`${directory}/run.mjs`, 0o755)
        yield* fs.remove(`${directory}/good.test.mjs`)
        assert.deepStrictEqual(yield* changed, ["good.test.mjs", "merged.mjs", "new.mjs", "run.mjs"])
      }).pipe(Effect.provide(real()))
  )
})

const edit = (old_string: string, new_string: string) => call("Edit", { file_path: "a", old_string, new_string })

const back = (text: string, ...calls: ReadonlyArray<ReturnType<typeof edit>>) => EarlierText.of(calls, () => true, text)

describe("EarlierText.of", () => {
  it("takes edits back in turn", () => {
    assert.strictEqual(back("a 3 c", edit("b", "2"), edit("2", "3")), "a b c")
    assert.strictEqual(back("a b", edit(" c", "")), null)
    assert.strictEqual(back("2 2", edit("1", "2")), null)
    assert.strictEqual(back("x", edit("1", "2")), null)
    assert.strictEqual(back("x"), null)
    const twice = { ...edit("1", "2"), id: "one" }
    assert.strictEqual(back("2", { ...twice, status: "running" }, twice), "1")
    assert.strictEqual(
      EarlierText.of([call("Write", { file_path: "a", content: "x" })], () => true, "x"),
      null
    )
  })
})
