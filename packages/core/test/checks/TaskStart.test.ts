import { assert, describe, it } from "@effect/vitest"
import { Command, FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { git, live, Place, textOf, write } from "../support/checkProjects.ts"
import type { Check } from "../../src/checks/CheckResult.ts"
import * as CheckPrint from "../../src/checks/CheckPrint.ts"
import * as EarlierText from "../../src/checks/EarlierText.ts"
import { call } from "../support/events.ts"
import * as TaskStart from "../../src/checks/TaskStart.ts"
import { Verification } from "../../src/checks/Verification.ts"

const test = (name: string, expected: number, more = ":") =>
  write(
    `${name}.test.sh`,
    `. ./src/sum.sh\n${more} && [ $(sum 1 1) = ${expected} ] || { echo "$(sum 1 1) !== ${expected}"; false; }\n`
  )

const sum = (text: string) => write("src/sum.sh", `sum() { echo ${text}; }\n`)

/** A test runner in a few lines, which takes a tenth of the time of Node's. */
const runner = `at=0 failed=0
for file in *.test.sh; do
  [ -e "$file" ] || { echo "No test files found, exiting with code 1"; exit 1; }
  at=$((at + 1))
  said=$(. "./$file" 2>&1) && echo "ok $at - \${file%.test.sh}" && continue
  failed=1
  echo "not ok $at - \${file%.test.sh}"
  echo "$said"
done
echo "1..$at"
exit $failed
`

const commit = Effect.zipRight(git("add", "."), git("commit", "--quiet", "-m", "More"))

/** A commit of the task, which can't be taken for an earlier one: git's times are of whole seconds. */
const commitLater = Effect.gen(function* () {
  yield* git("add", ".")
  const words = ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "Later"]
  const at = new Date(Date.now() + 3_600_000).toISOString()
  yield* Command.string(
    Command.make("git", ...words).pipe(
      Command.workingDirectory(yield* Place.project),
      Command.env({ GIT_COMMITTER_DATE: at })
    )
  )
})

/** Waits, so that every file of the task is newer than the task: file times lag by some milliseconds. */
const begin = Effect.zipLeft(
  Effect.sync(() => new Date().toISOString()),
  Effect.sleep("30 millis")
)

const project = (tests: Readonly<Record<string, number>>) =>
  Effect.gen(function* () {
    yield* git("init", "--quiet")
    yield* write(".gitignore", "ignored\nnode_modules\n.venv\n")
    yield* sum("$(($1 + $2))")
    yield* write("run.sh", runner)
    for (const [name, expected] of Object.entries(tests)) yield* test(name, expected)
    yield* commit
  })

type Undo = (file: string, text: string) => string | null

/** The record of a session that edited these files. Before the edits, they were as committed. */
const committed = Effect.fnUntraced(function* (since: string, edited: ReadonlyArray<string>) {
  const { project } = yield* Place
  const commit = (yield* git("rev-list", "-1", `--before=${since}`, "HEAD")).trim()
  const texts = yield* Effect.forEach(edited, (name) => git("show", `${commit}:${name}`))
  const known = new Map(edited.map((name, at) => [`${project}/${name}`, texts[at]]))
  return (file: string) => known.get(file) || null
})

const task = (since: string, edited: ReadonlyArray<string>, undone: Undo) =>
  Effect.map(Place.project, (project) => ({ since, edited: edited.map((name) => `${project}/${name}`), undone }))

const run = Effect.fnUntraced(function* (
  since: string,
  edited: ReadonlyArray<string>,
  check: string | Check = "sh run.sh",
  given?: Undo
) {
  const { run } = yield* Verification
  const [result] = yield* run({
    directory: yield* Place.project,
    checks: [typeof check === "string" ? { name: "tests", command: check } : check],
    task: yield* task(since, edited, given ?? (yield* committed(since, edited)))
  })
  return result ?? (yield* Effect.dieMessage("one check has one result"))
})

const names = (failing: ReadonlyArray<{ readonly name: string }> = []) => failing.map(({ name }) => name).toSorted()

const seen = Effect.forEach(
  [["worktree", "list", "--porcelain"], ["status", "--porcelain=v2", "--branch"], ["stash", "list"], ["for-each-ref"]],
  (words) => git(...words)
)

describe.sequential("a check that fails", () => {
  live("the last commit before the task fails alike → failed_before, and it runs once per task", function* () {
    yield* project({ old: 3, good: 2 })
    const { folder, state } = yield* Place
    const since = yield* begin
    const stop = Effect.fnUntraced(function* (edited: string, text: string) {
      yield* write(edited, text)
      const { again, old, result } = yield* run(since, [edited], `echo ran >> ${folder}/runs; sh run.sh`)
      return [result, names(old), again ?? false, (yield* textOf(`${folder}/runs`)).split("\n").length - 1]
    })
    yield* write("src/other", "1")
    const before = yield* seen
    assert.deepStrictEqual(yield* stop("src/other", "1"), ["failed_before", ["old"], false, 3])
    assert.deepStrictEqual(yield* seen, before)
    assert.deepStrictEqual(yield* stop("src/other", "2"), ["failed_before", ["old"], true, 4])
    assert.deepStrictEqual(yield* stop("good.test.sh", "false"), ["failed", ["old"], false, 7], "with the control")
    const fs = yield* FileSystem.FileSystem
    assert.isFalse((yield* fs.readDirectory(state)).some((name) => name.endsWith(".before")))
  })

  live("the files from before the task run only scripts that the user agreed to", function* () {
    yield* project({ old: 3 })
    const directory = yield* Place.project
    const since = yield* begin
    yield* write("src/other", "1")
    const command = "sh run.sh"
    const agreed = yield* CheckPrint.of(directory, command)
    const asked = (edited: string, print: string) => run(since, [edited], { name: "tests", command, print })
    assert.strictEqual((yield* asked("src/other", agreed)).result, "failed_before")
    yield* write("run.sh", `${runner}# New\n`)
    const changed = yield* asked("run.sh", agreed)
    assert.deepStrictEqual([changed.result, changed.changed], ["unavailable", true])
    const again = yield* asked("run.sh", yield* CheckPrint.of(directory, command))
    assert.deepStrictEqual([again.result, again.before], ["failed", "unknown"])
  })

  live("names only the tests that fail since the task began, committed or not", function* () {
    yield* project({ old: 3, good: 2 })
    const since = yield* begin
    yield* test("good", 4)
    yield* commitLater
    const { before, failing, old, result, telling = [] } = yield* run(since, ["good.test.sh"])
    assert.deepStrictEqual([result, before, names(failing), names(old)], ["failed", "failed", ["good"], ["old"]])
    const told = telling.join("\n")
    for (const part of ["not ok 1 - good", "2 !== 4"]) assert.include(told, part)
    for (const part of ["not ok 2 - old", "2 !== 3"]) assert.notInclude(told, part)
  })

  live("a failure that the user caused in a file the agent also edited is failed_before", function* () {
    yield* project({ old: 3, good: 2 })
    yield* sum("0")
    const since = yield* begin
    yield* write("src/sum.sh", "# Adds.\nsum() { echo 0; }\n")
    const edits = [call("Edit", { file_path: "src/sum.sh", old_string: "sum()", new_string: "# Adds.\nsum()" })]
    const undo = (file: string, text: string) => EarlierText.of(edits, (path) => file.endsWith(path), text)
    const { old, result } = yield* run(since, ["src/sum.sh"], "sh run.sh", undo)
    assert.deepStrictEqual([result, names(old)], ["failed_before", ["good", "old"]])
  })

  live("the origin of a failure is unknown if the user may have changed a file", function* () {
    yield* project({ good: 2 })
    yield* sum("0")
    const since = yield* begin
    yield* sum("0 # By sed.")
    const directory = yield* Place.project
    const known = yield* task(since, [], () => null)
    assert.isFalse(yield* TaskStart.isSure({ project: directory, task: known }))
    assert.strictEqual((yield* run(since, ["src/sum.sh"], "sh run.sh", () => null)).before, "unknown")
  })

  live("a failure's origin is unknown if packages changed or point to the current code", function* () {
    const directory = yield* Place.project
    yield* project({ good: 2 })
    const finder = yield* write(".venv/lib/python3.11/site-packages/__editable__.own.pth", "/elsewhere\n")
    yield* write("node_modules/.package-lock.json", "{}")
    const since = yield* begin
    yield* sum("0")
    const known = yield* task(since, ["src/sum.sh"], () => null)
    const isApart = TaskStart.isApart("sh run.sh", { project: directory, task: known })
    assert.isTrue(yield* isApart)
    assert.strictEqual((yield* run(since, ["src/sum.sh"], `NODE_PATH=${directory}/src sh run.sh`)).before, "unknown")
    const fs = yield* FileSystem.FileSystem
    yield* fs.writeFileString(finder, `${directory}/src\n`)
    assert.isFalse(yield* isApart)
    yield* fs.writeFileString(finder, "/elsewhere\n")
    assert.isTrue(yield* isApart)
    yield* write("node_modules/.package-lock.json", '{"new":1}')
    assert.isFalse(yield* isApart)
  })

  live("a check that fails and passes when run again is flaky", function* () {
    yield* project({})
    const { folder } = yield* Place
    const { result } = yield* run(yield* begin, [], `test -e ${folder}/ran || { touch ${folder}/ran; exit 1; }`)
    assert.strictEqual(result, "flaky")
  })
})

describe.sequential("green tests that the task changed", () => {
  live("names earlier versions of tests that fail on the current code, committed or not", function* () {
    yield* project({ good: 2, other: 2 })
    const since = yield* begin
    yield* sum("3")
    yield* test("other", 3)
    yield* test("good", 3)
    yield* commitLater
    yield* test("new", 3)
    const before = yield* seen
    const result = yield* run(since, ["src/sum.sh", "good.test.sh", "other.test.sh", "new.test.sh"])
    assert.deepStrictEqual([result.result, names(result.broken)], ["passed", ["good", "other"]])
    assert.deepStrictEqual(yield* seen, before)
    assert.isTrue((yield* run(since, ["good.test.sh", "other.test.sh"])).cached)
  })

  live("names no test if the earlier tests pass, cannot be loaded or need ignored files", function* () {
    yield* project({ good: 2, other: 2 })
    yield* test("named", 2, "echo old")
    yield* commit
    const since = yield* begin
    const broken = (edited: string, command?: string) =>
      Effect.map(run(since, edited.split(" "), command), (result) => result.broken)
    yield* test("good", 2, "echo same")
    assert.isUndefined(yield* broken("good.test.sh"))
    yield* test("named", 2)
    const loaded = "sh run.sh && ! grep -q old named.test.sh || { echo 'not ok 1 - named.test.sh'; exit 1; }"
    assert.isUndefined(yield* broken("named.test.sh", loaded))
    yield* sum("3")
    for (const name of ["good", "other", "named"]) yield* test(name, 3)
    yield* write("ignored/a.txt", "built")
    yield* test("more", 3, "[ -e ignored/a.txt ]")
    assert.isUndefined(yield* broken("good.test.sh other.test.sh"))
  })
})

describe.sequential("removed tests", () => {
  const remove = Effect.fnUntraced(function* (name: string) {
    const fs = yield* FileSystem.FileSystem
    yield* fs.remove(`${yield* Place.project}/${name}`)
  })

  live("no tests ran, but the files from before the task have some → failed", function* () {
    yield* project({ good: 2 })
    const since = yield* begin
    yield* remove("good.test.sh")
    const { before, detail, result } = yield* run(since, ["good.test.sh"])
    assert.deepStrictEqual([result, before], ["failed", "passed"])
    assert.strictEqual(detail, "no tests ran; on the files from before the task tests ran")
  })

  live("fewer tests than before the task → passed, but marked as altered", function* () {
    yield* project({ good: 2, other: 2 })
    const since = yield* begin
    assert.isUndefined((yield* run(since, [])).altered)
    yield* remove("other.test.sh")
    const { altered, result, tests } = yield* run(since, ["other.test.sh"])
    assert.deepStrictEqual([result, tests], ["passed", 1])
    assert.strictEqual(altered, "2 tests ran on the files from before the task, and now 1")
  })
})

live(
  "TaskStart.changed names merged, written, removed and newly executable files, but none of the user's",
  function* () {
    yield* project({ old: 3, good: 2 })
    const fs = yield* FileSystem.FileSystem
    const directory = yield* Place.project
    yield* git("switch", "--quiet", "-c", "other")
    yield* write("merged", "")
    yield* commitLater
    yield* git("switch", "--quiet", "-")
    yield* write("old.test.sh", "")
    yield* write("mine", "")
    const known = yield* task(yield* begin, [], () => null)
    const changed = Effect.map(TaskStart.changed({ project: directory, task: known }), (all) =>
      all?.map((file) => file.slice(directory.length + 1)).toSorted()
    )
    assert.deepStrictEqual(yield* changed, [])
    yield* git("merge", "--quiet", "--ff-only", "other")
    yield* write("new", "")
    yield* fs.chmod(`${directory}/run.sh`, 0o755)
    yield* fs.remove(`${directory}/good.test.sh`)
    assert.deepStrictEqual(yield* changed, ["good.test.sh", "merged", "new", "run.sh"])
  }
)

const edit = (old_string: string, new_string: string) => call("Edit", { file_path: "a", old_string, new_string })

describe("EarlierText.of", () => {
  const twice = { ...edit("1", "2"), id: "one" }

  it.each<readonly [string, string, ReadonlyArray<ReturnType<typeof edit>>, string | null]>([
    ["edits in turn", "a 3 c", [edit("b", "2"), edit("2", "3")], "a b c"],
    ["a call told of twice", "2", [{ ...twice, status: "running" }, twice], "1"],
    ["nothing: a removal", "a b", [edit(" c", "")], null],
    ["nothing: a text that stands there twice", "2 2", [edit("1", "2")], null],
    ["nothing: a text that does not exist", "x", [edit("1", "2")], null],
    ["nothing: no call", "x", [], null],
    ["nothing: a whole file", "x", [call("Write", { file_path: "a", content: "x" })], null]
  ])("undoes %s", (_, text, calls, expected) =>
    assert.strictEqual(
      EarlierText.of(calls, () => true, text),
      expected
    )
  )
})
