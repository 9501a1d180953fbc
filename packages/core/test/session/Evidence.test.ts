import { assert, describe, it } from "@effect/vitest"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as Evidence from "../../src/session/evidence/Evidence.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import { agent, run, user, call } from "../support/events.ts"
import { list, pairs } from "../support/rows.ts"
import { session, table } from "../support/sessions.ts"
import { Schema, FastCheck as fc } from "effect"
import * as TodosDone from "../../src/session/evidence/TodosDone.ts"
import { isOf } from "../../src/session/evidence/Parts.ts"
import { showsNone } from "../../src/session/evidence/deliveries.ts"
import { callOf, editsOf } from "../../src/session/evidence/Edits.ts"
import { fileEdits, shellCommand, toolKind } from "../../src/session/transcript/ToolKinds.ts"

const words = {
  ok: "$ npm test => Tests:  5 passed, 5 total",
  red: String.raw`$1 npm test => FAIL test/total.test.ts\n  ● total › rounds\n\nTests:  1 failed, 4 passed, 5 total`,
  S: "edit /repo/src/a.ts",
  commit: String.raw`$ git commit -am "Round totals" => [main 1a2b3c4] Round totals\n 2 files changed`,
  push: "$ git push origin totals => totals -> totals",
  docs: "edit /repo/docs/rounding.md",
  readme: "edit /repo/README.md",
  spec: "edit /repo/test/total.test.ts",
  source: "edit /repo/src/total.ts"
}

const gathered = (line: string, scripts?: Record<string, string>): Evidence.Evidence => {
  const files = scripts === undefined ? {} : { "package.json": JSON.stringify({ scripts }) }
  const context = { repo: RepoSignals.fromFiles(files), gates: [], cwd: "/repo" }
  const begun = Evidence.beginTurn(Evidence.initial, 0)
  return session(line, words).reduce((state, event) => Evidence.step(state, event, context), begun)
}

const results = (self: Evidence.Evidence): ReadonlyArray<string> =>
  self.runs.map((each) => `${each.gate} ${each.result}`)

/** A call, its evidence (`no pass`: nothing passed, `no tests`: nothing is surely a test), the scripts. */
const rows = String.raw`
  ok :: tests passed ¦ @a1 ok :: tests passed ¦ $ npm test :: tests passed
  $ npm test --if-present => \n> shop@2.1.0 test\n> vitest run\n\n\n      Tests  4 passed (4)\n :: tests passed
  $ npm test --if-present => \n> shop@2.1.0 test\n> node checks.js\n\nfine\n :: tests passed
  $ npm test => \n> shop@2.1.0 test\n> node checks.js\n\n :: tests passed
  $ npm test => \n> shop@2.1.0 test\n> eslint . && node --test\n\n# pass 3\n# fail 0\n# tests 3 :: tests passed
  $ make test => make[1]: Nothing to be done for 'all'.\n./run-checks\nchecked 12 files :: tests passed
  $ make test => make: 'deps' is up to date.\n===== 3 passed in 0.12s ===== :: tests passed
  $ ./gradlew test => > Task :processTestResources NO-SOURCE\n> Task :test\n\nBUILD SUCCESSFUL in 9s :: tests passed
  $ ./gradlew test => > Task :a:test NO-SOURCE\n> Task :b:test\n\nBUILD SUCCESSFUL in 9s :: tests passed
  $ ./gradlew test => > Task :test FROM-CACHE\n\nBUILD SUCCESSFUL in 1s :: tests passed
  $ pnpm -r test => packages/a test$ vitest run\npackages/a test:       Tests  4 passed (4) :: tests passed
  $ yarn workspaces foreach -A run test => [a]: Tests: 4 passed, 4 total\nDone in 3s 40ms :: tests passed
  $ npm run build; echo "build: $?"; npm test; echo "test: $?" => build: 1\ntest: 0 :: tests passed ¦ $ PATH=$PATH:./tools npm test :: tests passed
  $ PATH="$HOME/.cargo/bin:$PATH" cargo test :: tests passed ¦ $ PATH=./node_modules/.bin:$PATH vitest run :: tests passed
  $ export PATH=/usr/local/go/bin:$PATH; go test ./... :: tests passed ¦ $ PATH+=:./tools npm test :: tests passed
  $ /tmp/venv/bin/python -m pytest :: tests passed ¦ $ ./node_modules/.bin/vitest run :: tests passed ¦ $ bin/rails test :: tests passed ¦ red :: tests failed
  $ npm test | tail -n 3 => FAIL test/total.test.ts\n  ● total › rounds\n\nTests:  1 failed, 4 passed, 5 total :: tests failed
  $ npm test; echo $? => …\n1\n :: tests failed
  $1 python -m pytest => E   ModuleNotFoundError: No module named 'shop'\n=== 1 error in 0.2s === :: tests failed
  $1 npm test => Error: Cannot find module './cart'\nRequire stack:\n- /repo/test/cart.test.js :: tests failed
  $1 npx vitest run => sh: 1: ffmpeg: not found\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4) :: tests failed
  $2 make test => make: *** No rule to make target 'lib.o', needed by 'test'.  Stop. :: tests failed
  $1 npx vitest run => Error: No test suite found in file /repo/test/a.test.js\n Test Files  2 failed (2)\n      Tests  1 failed | 2 passed (3) :: tests failed
  $ cd api && npm test; echo "exit: $?" => exit: 1 :: tests failed ¦ $ npm test; echo $? => 1 :: tests failed ¦ $ npm test | tail -n 3 :: tests unknown
  $ npm test || true :: tests unknown ¦ $? npm test :: tests unknown ¦ $ npm test --if-present :: tests unknown
  $ pnpm --if-present run test :: tests unknown ¦ $ pnpm -r test => None of the selected packages has a "test" script :: tests unknown
  $ pnpm --filter web test => No projects matched the filters in "/repo" :: tests unknown
  $ yarn workspaces foreach --all run test => ➤ YN0000: Done in 0s 31ms :: tests unknown
  $ npx nx run-many -t test => \n NX   No tasks were run\n :: tests unknown ¦ $ make test => make: Nothing to be done for 'test'. :: tests unknown
  $ make test => make[1]: Entering directory '/repo/lib'\nmake[1]: 'test' is up to date.\nmake[1]: Leaving directory '/repo/lib' :: tests unknown
  $ task test => task: Task "test" is up to date :: tests unknown ¦ $ ninja test => ninja: no work to do. :: tests unknown
  $ ./gradlew test => > Task :compileTestJava\n> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 2s :: tests unknown
  $ gradle :app:testDebugUnitTest => > Task :app:testDebugUnitTest NO-SOURCE\n\nBUILD SUCCESSFUL in 2s :: tests unknown
  $ ./gradlew check => > Task :a:test SKIPPED\n> Task :b:integrationTest NO-SOURCE\nBUILD SUCCESSFUL in 2s :: tests unknown
  $ ./gradlew test => BUILD SUCCESSFUL in 812ms\n3 actionable tasks: 3 up-to-date :: tests unknown
  $ mvn test => [INFO] Tests are skipped.\n[INFO] BUILD SUCCESS :: tests unknown ¦ $ composer test => No tests defined. :: tests unknown
  $ make test => echo "no tests yet"\nno tests yet :: tests unknown ¦ $1 python -m pytest -q => /usr/local/bin/python: No module named pytest :: tests unknown
  $ pytest 2>&1 | tail -5 => bash: line 1: pytest: command not found :: tests unknown
  $1 npm test => \n> shop@2.1.0 test\n> jest\n\nsh: 1: jest: not found\nnpm ERR! code ELIFECYCLE :: tests unknown
  $1 npm test => npm error Missing script: "test"\nnpm error\nnpm error To see a list of scripts, run: :: tests unknown
  $1 yarn test => Usage Error: Couldn't find a script named "test". :: tests unknown ¦ $1 bun run test => error: Script not found "test" :: tests unknown
  $2 make test => make: *** No rule to make target 'test'.  Stop. :: tests unknown
  $1 just test => error: Justfile does not contain recipe \`test\` :: tests unknown
  $2 uv run pytest => error: Failed to spawn: \`pytest\`\n  Caused by: No such file or directory (os error 2) :: tests unknown
  $1 node --test spec => Could not find '/repo/spec' :: tests unknown
  $1 ./gradlew test => Error: Could not find or load main class org.gradle.wrapper.GradleWrapperMain :: tests unknown
  $1 docker compose run app rspec => Cannot connect to the Docker daemon at unix:///var/run/docker.sock. :: tests unknown
  $5 python -m pytest => collected 0 items\n\n===== no tests ran in 0.01s ===== :: tests unknown
  $1 npx jest => No tests found, exiting with code 1 :: tests unknown
  $1 npx vitest run =>  FAIL  test/a.test.js [ test/a.test.js ]\nError: No test suite found in file /repo/test/a.test.js\n\n Test Files  1 failed (1)\n      Tests  no tests :: tests unknown
  $1 npx jest => FAIL test/a.test.js\n  ● Test suite failed to run\n\n    Your test suite must contain at least one test.\n\nTest Suites: 1 failed, 1 total\nTests:       0 total :: tests unknown
  $ npm test | tee log :: tests unknown ¦ $ npm run build && npm run lint && npm test :: build passed, lint passed, tests passed
  $1 npm run build && npm test => error TS2322: no :: no pass ¦ $ echo 'npm test' :: no pass ¦ $ # npm test :: no pass ¦ $ git push --dry-run :: no pass
  call mcp__github__create_pull_request :: pr passed
  $1 gh pr create --fill => a pull request for branch "fix" into branch "main" already exists:\nhttps://github.com/o/r/pull/7 :: pr passed
  call! mcp__github__create_pull_request :: pr failed ¦ $1 git push =>  ! [rejected] main -> main\nerror: failed to push some refs :: push failed
  $ git push origin main 2>&1 | tail -n 2 => hint: Updates were rejected because the remote contains work :: push failed
  $1 git commit -am Fix => On branch main\nnothing to commit, working tree clean :: commit unknown
  $1 git commit -m Fix => no changes added to commit :: commit failed ¦ $128 git push => fatal: No configured push destination. :: push unknown
  $ git push => Everything up-to-date :: push passed ¦ $ gh pr checks 12 => build\tpass\t1m\thttps://x\nlint\tpass\t5s\thttps://x :: ci passed
  $ gh pr checks 12 => All checks were successful :: ci passed ¦ $1 gh pr checks 12 => build\tfail\t1m\thttps://x\nlint\tpass\t5s\thttps://x :: ci failed
  $1 gh pr checks 12 => build\tpending\t0\thttps://x\nlint\tfail\t5s\thttps://x :: ci failed
  $8 gh pr checks 12 => build\tpending\t0\thttps://x\nlint\tpass\t5s\thttps://x :: ci unknown ¦ $ gh pr checks 12 :: ci unknown
  $ go build ./... && ./server --check; echo "exit: $?" => listening\nexit: 1 :: build unknown
  $ cargo build && ./target/debug/app; echo "Exit code: $?" => Exit code: 101 :: build unknown
  $1 go build ./... && ./server => panic: no port :: build unknown ¦ $ npm run build; echo "build: $?"; npm test; echo "test: $?" => test: 0 :: build unknown
  $ go build ./... && ./server --check; echo "exit: $?" => ok\nexit: 0 :: build passed
  $ npm run build; echo "build: $?"; npm test; echo "test: $?" => build: 1\ntest: 0 :: build failed
  $ PATH=./tools:$PATH npm test => Tests:  5 passed, 5 total :: no tests ¦ $ PATH="$PWD/stubs:$PATH" make test => Tests:  5 passed, 5 total :: no tests
  $ ./stubs/npm test => Tests:  5 passed, 5 total :: no tests ¦ $ /tmp/x/yarn test => Tests:  5 passed, 5 total :: no tests
  $ npm test :: tests unknown :: {"test":"echo \"No tests for now\""} ¦ $ npm test :: tests unknown :: {"test":"exit 0"}
  $ npm test :: tests unknown :: {"test":"oxlint"} ¦ $ npm test :: tests unknown :: {"test":"npm run style","style":"stylelint css"}
  $ yarn test :: tests unknown :: {"test":"tsc -p ."} ¦ $ npm run test --if-present :: tests unknown :: {"build":"tsc"}
`

describe("what a call proves", () => {
  it.each(table(rows))("%s: %s %s", (line = "", expected = "", scripts = "") => {
    const self = gathered(line, scripts === "" ? undefined : JSON.parse(scripts))
    const found = results(self)
    if (expected === "no pass") assert.notInclude(found.join(), "passed")
    else if (expected === "no tests") {
      assert.notMatch(found.join(), /^tests|,tests/)
      assert.isAbove(Evidence.lastPossible(self, "tests"), 0, "it may have been the tests")
    } else assert.includeMembers([...found], expected.split(", "))
  })

  it.each(list`denied ¦ interrupted ¦ pending ¦ running ¦ background`)(
    "a call proves nothing while it is %s",
    (status) => {
      const self = gathered(`#a $${status} npm test`)
      assert.deepStrictEqual(self.runs, [])
      if (status === "background") assert.strictEqual(self.issued[0]?.gate, "tests")
      if (status === "denied") assert.deepStrictEqual(self.denied, [{ callId: "a", gates: ["tests"] }])
    }
  )

  it("failing tests have names, and an error with exit code 0 proves nothing", () => {
    assert.strictEqual(gathered("red").runs[0]?.failing[0]?.name, "total › rounds")
    const odd = run("npm test", 0, "Exit code 0", { status: "error" })
    const context = { repo: RepoSignals.empty, gates: [], cwd: "/repo" }
    const after = Evidence.step(Evidence.beginTurn(Evidence.initial, 0), odd, context)
    assert.deepStrictEqual(results(after), ["tests unknown"])
  })

  it("a call counts once when it is settled, and its last report decides", () => {
    const settled = gathered("#a $pending npm test / #a $ npm test => Tests:  5 passed, 5 total")
    assert.deepStrictEqual([settled.calls, results(settled)], [1, ["tests passed"]])
    assert.deepStrictEqual(results(gathered("#a ok / #a red")), ["tests failed"])
  })
})

describe("edits", () => {
  it("edits keep order and kind, and only the last edit of each file", () => {
    const self = gathered("S / ok / edit /repo/README.md / S")
    const edits = self.edits.map(({ kind, order, path }) => `${path} ${kind} ${order}`)
    assert.deepStrictEqual(edits, ["/repo/README.md docs 3", "/repo/src/a.ts source 4"])
    assert.deepStrictEqual([Evidence.lastEdit(self, ["source"]), Evidence.lastEdit(self, ["test"])], [4, 0])
  })

  it.each(pairs`
    sed -i s/a/b/ src/a.ts :: source ¦ rm src/a.ts :: source ¦ tee src/a.test.ts < x :: test ¦ echo x >> README.md :: docs
  `)("%s edits %s", (command, kind) => {
    assert.strictEqual(
      gathered(`$ ${command}`)
        .edits.map((one) => one.kind)
        .join(),
      kind
    )
  })

  it.each(list`git checkout -- src/a.ts ¦ git restore . ¦ git reset --hard ¦ git checkout src/a.ts ¦ git restore src`)(
    "are taken back by %s",
    (command) => assert.deepStrictEqual(gathered(`S / red / $ ${command}`).edits, [])
  )

  it("stashed edits come back with `git stash pop`", () => {
    const stashed = gathered("S / $ git stash && npm test; git stash pop")
    assert.deepStrictEqual([stashed.edits.map((one) => one.path), stashed.away], [["/repo/src/a.ts"], undefined])
    assert.strictEqual(gathered("S / $ git stash").away?.kind, "stash")
  })

  it("a new turn forgets earlier edits, but not earlier runs", () => {
    const later = Evidence.beginTurn(gathered("S / ok"), 1)
    assert.deepStrictEqual([later.edits, later.calls, later.turn, results(later)], [[], 0, 1, ["tests passed"]])
  })
})

describe("pushes", () => {
  it.each(pairs`
    git push :: null ¦ git push origin HEAD:main :: main ¦ git push -u origin fix/a :: fix/a ¦ cd x && git push origin main --force :: main
  `)("%s goes to %s", (command, branch) => {
    assert.strictEqual(
      gathered(`$ ${command}`)
        .pushes.map((push) => String(push.branch))
        .join(),
      branch
    )
  })

  it("refused, deleting and dry-run pushes do not count, and the current branch is followed", () => {
    const refused = "$1 git push => error: failed to push some refs / $ git push origin --delete a / $ git push -n"
    assert.deepStrictEqual(gathered(refused).pushes, [])
    const branches = ["git switch -c fix/a", "git checkout main", "git checkout -- src/a.ts"]
    const followed = branches.map((command) => gathered(`$ ${command}`).branch)
    assert.deepStrictEqual(followed, ["fix/a", "main", null])
  })
})

it("repeats count the same failing call until something is edited or passes", () => {
  assert.strictEqual(gathered("3x red").repeats.count, 3)
  for (const line of ["2x red / S / red", "red / ok / red"]) assert.isBelow(gathered(line).repeats.count, 2)
})

it("a failed run is kept through 100 other calls, and messages change nothing", () => {
  assert.include(results(gathered("red / 100x $ npm run lint")), "tests failed")
  const before = gathered("ok")
  const context = { repo: RepoSignals.empty, gates: [], cwd: "/repo" }
  for (const said of [agent("All tests pass."), user("Run the tests.")])
    assert.strictEqual(Evidence.step(before, said, context), before)
})

const nudge = (attempt: number) =>
  user(Feedback.render({ facts: ["no tests"], actions: [], human: [], attempt, maxAttempts: 3 }), { synthetic: true })

const order = "> Fix it and make sure that \\`npm test\\` passes. / S"

const folded = (...events: ReadonlyArray<Parameters<typeof Judgment.step>[1]>): Judgment.JudgmentState =>
  events.reduce((state, event) => Judgment.step(state, event, Judgment.defaultContext), Judgment.initial)

const mark = (line: string): string =>
  Judgment.mark(folded(...session(line === "" ? order : `${order} / ${line}`, words)), Judgment.defaultContext)

const of = (line: string) => session(line, words)

describe("the evidence's mark", () => {
  it.each(list`
    $ npx eslint . ¦ $ git push ¦ edit /repo/README.md ¦ $ git status => clean ¦ All done. ¦ >> [reflexion 1/3] No tests.
  `)("stays the same after %s", (line) => assert.strictEqual(mark(`red / ${line}`), mark("red")))

  it("changes with an edit, a run of a required check, and a new result", () => {
    const marks = ["", "S", "red", "red / ok", "2x red"].map(mark)
    assert.strictEqual(new Set(marks).size, marks.length)
  })

  it("each nudge keeps the mark until the next user message; quoted nudges do not count", () => {
    const state = folded(...of(order), nudge(1), ...of("S / red"), nudge(2), ...of("S"))
    assert.deepStrictEqual(state.nudges, { count: 2, mark: mark("S / red") })
    const quoted = Feedback.render({ facts: [], actions: [], human: [], attempt: 2, maxAttempts: 3 })
    assert.strictEqual(folded(user("Fix it."), user(quoted)).nudges.count, 0)
    const next = folded(...of("> Fix it. / S"), nudge(2), user("Now the docs."))
    assert.deepStrictEqual(next.nudges, Judgment.initial.nudges)
  })
})

const undone = (todos: ReadonlyArray<string>, line: string) => TodosDone.undone(todos, gathered(line))

const todoRows = String.raw`
  Commit the rounding :: commit :: done ¦ Update the changelog and commit :: edit /repo/CHANGELOG.md / commit :: done ¦ git push :: push :: done
  Commit and push :: commit / push :: done ¦ Describe it in docs/rounding.md :: docs :: done ¦ rounding.md :: docs :: done
  Document the rounding :: docs :: done ¦ Update the README :: readme :: done ¦ Explain rounding in the docs :: readme :: done
  Write tests for negative totals :: spec :: done ¦ Extend the specs :: spec :: done ¦ Change src/total.ts :: source :: done
  Move the limit into \`settings.toml\` :: edit /repo/settings.toml :: done ¦ Clean up src/ :: source :: done ¦ Run the tests :: ok :: done
  Verify with the test suite :: red / ok :: done ¦ Commit the rounding :: docs :: open ¦ Commit and push :: commit :: open
  Update the changelog and commit :: commit :: open ¦ Describe it in docs/rounding.md :: readme :: open ¦ Update the README :: source :: open
  Write tests for negative totals :: source / ok :: open ¦ Run the tests :: red :: open ¦ Run the tests :: red / edit /repo/docs/a.md :: open
  Change src/total.ts :: edit /repo/src/subtotal.ts :: open ¦ Round half to even :: source / spec / docs / commit :: open ¦ Add the push API :: push :: open
  Explain the commit hook :: commit :: open ¦ Deploy :: commit / push :: open
`

describe("a todo", () => {
  it.each(table(todoRows))("%s, after %s, is %s", (todo = "", line, state) => {
    const text = todo.replaceAll("\\`", "`")
    assert.deepStrictEqual(undone([text], `todo [ ] ${todo} / ${line}`), state === "done" ? [] : [text])
  })

  it("work before a new list does not close a todo, unless the list is unchanged", () => {
    const both = ["Update the README", "Commit"]
    const line = "todo [ ] Update the README / readme / commit / todo [ ] Update the README; [ ] Commit"
    assert.deepStrictEqual(undone(both, line), both)
    const found = undone(["Update the README"], "todo [ ] Update the README / readme / todo [ ] Update the README")
    assert.deepStrictEqual(found, [])
  })
})

it("an old state without `list` decodes", () => {
  const { list: _list, ...old } = Schema.encodeSync(Evidence.Evidence)(Evidence.initial)
  assert.deepStrictEqual(Schema.decodeUnknownSync(Evidence.Evidence)(old), Evidence.initial)
})

const { edits } = gathered("edit /repo/packages/cart/src/total.ts / edit /repo/lib/main.ts / edit /repo/docs/cart.md")

describe("a task of a build tool, for edits in packages/cart and lib", () => {
  it.each(list`
    cart:test ¦ //packages/cart:total_test ¦ packages/cart
  `)("%s covers them", (task) => assert.isTrue(isOf(task, edits, "/repo")))

  // A folder such as `lib` may be in any package, so its name alone does not say which part a task covers.
  it.each(list`
    pay:test ¦ lib:test ¦ :test ¦ //packages/pay:cart_test
  `)("%s does not cover them", (task) => assert.isFalse(isOf(task, edits, "/repo")))
})

it.each(pairs`
    Bash :: shell ¦ bash :: shell ¦ shell :: shell ¦ exec_command :: shell ¦ local_shell :: shell ¦ run_shell_command :: shell ¦ run_terminal_cmd :: shell
    execute_bash :: shell ¦ container.exec :: shell ¦ functions.shell :: shell ¦ PowerShell :: shell ¦ Edit :: edit ¦ MultiEdit :: edit ¦ NotebookEdit :: edit
    apply_patch :: edit ¦ functions.apply_patch :: edit ¦ str_replace_based_edit_tool :: edit ¦ write_file :: edit ¦ Read :: read ¦ Grep :: search
    WebFetch :: fetch ¦ Task :: agent ¦ TodoWrite :: todo ¦ update_plan :: todo ¦ AskUserQuestion :: question ¦ ExitPlanMode :: plan
    mcp__github__create_pull_request :: pull_request ¦ mcp__evil__bash :: other ¦ mcp__evil__edit :: other ¦ BashOutput :: other ¦ KillShell :: other
    mcp__reflexion__judge :: read ¦ reflexion_recall :: read ¦ reflexion-judge :: read ¦ mcp_reflexion_judge :: read ¦ mcp__reflexion__bash :: other ¦ mcp__evil_reflexion__judge :: other
    constructor :: other ¦ __proto__ :: other
  `)("toolKind: %j: %s", (tool, kind) => {
  assert.strictEqual(toolKind(tool), kind)
})

it.each(
  table(String.raw`
    {"command":"npm test"} :: npm test ¦ {"cmd":"npm test"} :: npm test ¦ {"script":"npm test"} :: npm test ¦ "npm test" :: npm test
    {"command":["npm","test"]} :: npm test ¦ {"command":["bash","-lc","npm test && echo ok"]} :: npm test && echo ok
    {"command":["/bin/zsh","-c","npm test"]} :: npm test ¦ {"command":["echo","a b","it's"]} :: echo 'a b' 'it'\''s'
    {"argv":["go","test","./..."]} :: go test ./... ¦ {"path":"a"} :: null ¦ null :: null ¦ 42 :: null ¦ [] :: null
  `)
)("shellCommand: %s: %s", (input = "", command) => {
  assert.strictEqual(String(shellCommand(call("bash", JSON.parse(input)))), command)
})

const patch = `*** Begin Patch
*** Update File: src/a.ts
@@
-const a = 1
+const a = 2
*** Add File: src/new.ts
+export {}
*** Update File: src/old.ts
*** Move to: src/moved.ts
*** Delete File: src/gone.ts
*** End Patch`

const unified = `--- a/src/a.ts
+++ b/src/a.ts
@@ -1 +1 @@
-// one
+// two
--- a/src/gone.ts
+++ /dev/null`

const texts = (tool: string, input: unknown) => fileEdits(call(tool, input)).map(({ after, before }) => [before, after])

describe("fileEdits", () => {
  it.each([
    ["Edit", { file_path: "a.ts", old_string: "x", new_string: "y" }, ["a.ts"]],
    ["edit", { filePath: "a.ts", oldString: "x", newString: "y" }, ["a.ts"]],
    ["str_replace_based_edit_tool", { command: "str_replace", path: "a.ts", old_str: "x", new_str: "y" }, ["a.ts"]],
    ["Write", { file_path: "a.ts", content: "x" }, ["a.ts"]],
    ["NotebookEdit", { notebook_path: "a.ipynb", new_source: "x" }, ["a.ipynb"]],
    ["edit_file", { target_file: "a.ts", code_edit: "x" }, ["a.ts"]],
    ["apply_patch", { input: patch }, ["src/a.ts", "src/new.ts", "src/old.ts", "src/moved.ts", "src/gone.ts"]],
    ["apply_patch", patch, ["src/a.ts", "src/new.ts", "src/old.ts", "src/moved.ts", "src/gone.ts"]],
    ["apply_patch", { patchText: unified }, ["src/a.ts"]],
    ["file_change", { changes: { "a.ts": {}, "b.ts": {} } }, ["a.ts", "b.ts"]],
    ["str_replace_editor", { command: "view", path: "a.ts" }, []],
    ["str_replace_editor", { command: "create", path: "a.ts" }, ["a.ts"]],
    ["edit", {}, []],
    ["edit", null, []],
    ["edit", { file_path: 3 }, []]
  ])("%s %j", (tool, input, paths) => {
    const found = fileEdits(call(tool, input)).map((edit) => edit.path)
    assert.deepStrictEqual(found, paths)
  })

  it("gives the texts before and after, if the host has them", () => {
    const one = { file_path: "a.ts", old_string: "x", new_string: "y" }
    assert.deepStrictEqual(texts("Edit", one), [["x", "y"]])
    assert.deepStrictEqual(texts("Write", { file_path: "a.ts", content: "y" }), [[null, null]])
    const two = { file_path: "a.ts", edits: [one, { old_string: "c", new_string: "d" }] }
    assert.deepStrictEqual(texts("MultiEdit", two), [["x\nc", "y\nd"]])
    assert.deepStrictEqual(texts("apply_patch", { patchText: unified })[0], ["// one", "// two"])
    assert.deepStrictEqual(texts("apply_patch", patch)[1], [null, null])
  })
})

describe("editsOf", () => {
  const context = { repo: RepoSignals.empty, gates: [], cwd: "/repo" }

  it.each(
    table(String.raw`
    edit /repo/src/a.ts: x = 1 ==> x = 2 :: /repo/src/a.ts source
    edit /repo/src/a.ts: // x ==> // y :: /repo/src/a.ts wording
    edit /repo/src/a.ts: <<<<<<< a\nx ==> x :: /repo/src/a.ts conflict
    call apply_patch {"patchText":"--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-// one\n+// two"} :: src/a.ts wording
    edit! /repo/src/a.ts ::
    call Read {"file_path":"/repo/src/a.ts"} ::
    $ sed -i s/a/b/ src/a.ts :: src/a.ts source
    $1 echo x > src/a.ts :: src/a.ts source
    $ cat > /tmp/a.ts <<EOF\nx\nEOF :: /tmp/a.ts outside
    $ cat src/a.ts ::
    $ exit 0; sed -i s/a/b/ src/a.ts ::
    $ echo 'sed -i s/a/b/ src/a.ts' ::
  `)
  )("%s: %s", (line = "", expected) => {
    const edits = session(line).flatMap((made) => (made.type === "tool_call" ? editsOf(made, 1, context) : []))
    assert.strictEqual(edits.map(({ kind, path }) => `${path} ${kind}`).join(), expected)
  })

  it("never fails, whatever input a host sends", () => {
    const tool = fc.constantFrom("Bash", "Edit", "apply_patch", "MultiEdit", "shell")
    const key = fc.constantFrom("command", "file_path", "edits", "changes", "patch", "input", "old_string")
    const input = fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue()))
    fc.assert(
      fc.property(tool, input, (name, value) => {
        const edits = editsOf(call(name, value), 7, context)
        // If a call has several commands, an earlier one has an order just below the call's.
        assert.isTrue(edits.every((edit) => callOf(edit.order) === 7 && edit.path.length <= 400))
      }),
      { examples: [["Bash", "`>$"]] }
    )
  })
})

it.each<readonly ["commit" | "push", string, string, boolean]>([
  ["push", "git log @{u}..", "", true],
  ["push", "git log --oneline origin/main..HEAD --stat", "", true],
  ["push", "git log @{u}..", "1a2b3c4 Round totals", false],
  ["push", "git status", "Your branch is up to date with 'origin/main'.", true],
  ["commit", "git status --porcelain", "", true],
  ["commit", "git status --porcelain", " M src/total.ts", false]
])("showsNone: a look that shows nothing to %s: %s", (gate, command, output, expected) => {
  assert.strictEqual(showsNone(gate, command, output), expected)
})

it("showsNone: ends also for a command with very many options", () => {
  assert.isFalse(showsNone("push", `git log @{u}.. ${"--x ".repeat(2000)}x`, ""))
})
