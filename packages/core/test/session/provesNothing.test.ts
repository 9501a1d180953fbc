import { assert, describe, it } from "@effect/vitest"
import * as Evidence from "../../src/session/evidence/Evidence.ts"
import * as RepoSignals from "../../src/session/project/RepoSignals.ts"
import type { ToolCall } from "../../src/session/transcript/Transcript.ts"
import { run } from "../support/events.ts"
import { list, pairs } from "../support/rows.ts"

const gathered = (made: ToolCall, scripts: Record<string, string> | null = null): Evidence.Evidence => {
  const repo =
    scripts === null ? RepoSignals.empty : RepoSignals.fromFiles({ "package.json": JSON.stringify({ scripts }) })
  const context = { repo, gates: [], cwd: "/repo" }
  return Evidence.step(Evidence.beginTurn(Evidence.initial, 0), made, context)
}

/** What a call proves of a gate: its result, "none" where no run of it is on record. */
const result = (gate: string, made: ToolCall, scripts: Record<string, string> | null = null): string =>
  gathered(made, scripts).runs.find((each) => each.gate === gate)?.result ?? "none"

const npm = (name: string, body: string, output = ""): string => `\n> shop@2.1.0 ${name}\n> ${body}\n\n${output}`

describe("a run in which nothing ran is unknown", () => {
  it.each(pairs`
    npm test --if-present ::  ¦ npm run test:unit --if-present ::  ¦ pnpm --if-present run test :: 
    pnpm -r test :: None of the selected packages has a "test" script
    pnpm --filter web test :: No projects matched the filters in "/repo"
    yarn workspaces foreach --all run test :: ➤ YN0000: Done in 0s 31ms
    npx lerna run test :: lerna success No packages found with the lifecycle script 'test'
    npx nx run-many -t test :: \n NX   No tasks were run\n
    turbo run test :: No tasks were executed as part of this run.\n\n Tasks:    0 successful, 0 total
    make test :: make: Nothing to be done for 'test'.
    make test :: make[1]: Entering directory '/repo/lib'\nmake[1]: 'test' is up to date.\nmake[1]: Leaving directory '/repo/lib'
    gmake check :: gmake: \`check' is up to date. ¦ task test :: task: Task "test" is up to date
    ninja test :: ninja: no work to do.
    ./gradlew test :: > Task :compileTestJava\n> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 2s
    gradle :app:testDebugUnitTest :: > Task :app:testDebugUnitTest NO-SOURCE\n\nBUILD SUCCESSFUL in 2s
    ./gradlew check :: > Task :a:test SKIPPED\n> Task :b:integrationTest NO-SOURCE\nBUILD SUCCESSFUL in 2s
    ./gradlew test :: BUILD SUCCESSFUL in 812ms\n3 actionable tasks: 3 up-to-date
    mvn test :: [INFO] Tests are skipped.\n[INFO] BUILD SUCCESS ¦ composer test :: No tests defined.
    make test :: echo "no tests yet"\nno tests yet
  `)("%s: %j", (command, output) => {
    assert.strictEqual(result("tests", run(command, 0, output)), "unknown")
  })

  it.each([
    ["npm test", { test: 'echo "No tests for now"' }],
    ["npm test", { test: "exit 0" }],
    ["npm test", { test: "oxlint" }],
    ["npm test", { test: "npm run style", style: "stylelint css" }],
    ["yarn test", { test: "tsc -p ." }],
    ["npm run test --if-present", { build: "tsc" }]
  ])("%s with the scripts %j", (command, scripts) => {
    assert.strictEqual(result("tests", run(command, 0), scripts), "unknown")
  })

  it("whatever the gate is", () => {
    assert.strictEqual(result("lint", run("npm run lint", 0), { lint: "echo later" }), "unknown")
    assert.strictEqual(result("build", run("npm run build --if-present", 0)), "unknown")
    assert.strictEqual(result("build", run("make build", 0, "make: 'build' is up to date.")), "unknown")
  })

  it("and still shows what else ran", () => {
    const made = run("npm test", 0, npm("test", "eslint ."))
    assert.strictEqual(result("lint", made, { test: "eslint ." }), "passed")
  })

  it.each([
    ["npm test", ""],
    ["npm test --if-present", npm("test", "vitest run", "\n      Tests  4 passed (4)\n")],
    ["npm test --if-present", npm("test", "node checks.js", "fine\n")],
    ["npm test", npm("test", "npm run verify-all", "fine\n")],
    ["npm test", npm("test", "node checks.js")],
    ["npm test", npm("test", "eslint . && node --test", "# pass 3\n# fail 0\n# tests 3")],
    ["make test", "make[1]: Nothing to be done for 'all'.\n./run-checks\nchecked 12 files"],
    ["make test", "make: 'deps' is up to date.\n===== 3 passed in 0.12s ====="],
    ["./gradlew test", "> Task :processTestResources NO-SOURCE\n> Task :test\n\nBUILD SUCCESSFUL in 9s"],
    ["./gradlew test", "> Task :a:test NO-SOURCE\n> Task :b:test\n\nBUILD SUCCESSFUL in 9s"],
    ["./gradlew test", "> Task :test FROM-CACHE\n\nBUILD SUCCESSFUL in 1s"],
    ["pnpm -r test", "packages/a test$ vitest run\npackages/a test:       Tests  4 passed (4)"],
    ["yarn workspaces foreach -A run test", "[a]: Tests: 4 passed, 4 total\nDone in 3s 40ms"]
  ])("but not one that did its work: %s: %j", (command, output) => {
    assert.strictEqual(result("tests", run(command, 0, output)), "passed")
  })
})

describe("a runner that is not there, or another's tests, fail nothing", () => {
  it.each([
    ["python -m pytest -q", 1, "/usr/local/bin/python: No module named pytest"],
    ["python3 -m nose2", 1, "/usr/bin/python3.12: No module named nose2"],
    ["pytest", 127, "bash: pytest: command not found"],
    ["pytest 2>&1 | tail -5", 0, "bash: line 1: pytest: command not found"],
    ["rspec; true", 0, "zsh: command not found: rspec"],
    ["npm test", 1, npm("test", "jest", "sh: 1: jest: not found\nnpm ERR! code ELIFECYCLE")],
    ["npm test", 1, 'npm error Missing script: "test"\nnpm error\nnpm error To see a list of scripts, run:'],
    ["yarn test", 1, 'Usage Error: Couldn\'t find a script named "test".'],
    ["bun run test", 1, 'error: Script not found "test"'],
    ["pnpm test", 1, " ERR_PNPM_NO_SCRIPT  Missing script: test"],
    ["make test", 2, "make: *** No rule to make target 'test'.  Stop."],
    ["just test", 1, "error: Justfile does not contain recipe `test`"],
    ["uv run pytest", 2, "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)"],
    ["cargo nextest run", 101, "error: no such command: `nextest`"],
    ["bundle exec rspec", 127, "bundler: command not found: rspec"],
    ["npx vitest run", 1, "Error: Cannot find module '/repo/node_modules/vitest/vitest.mjs'"],
    ["node --test spec", 1, "Could not find '/repo/spec'"],
    ["./gradlew test", 1, "Error: Could not find or load main class org.gradle.wrapper.GradleWrapperMain"],
    ["docker compose run app rspec", 1, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock."],
    ["python -m pytest", 5, "collected 0 items\n\n===== no tests ran in 0.01s ====="],
    ["npx jest", 1, "No tests found, exiting with code 1"],
    [
      "npx vitest run",
      1,
      " FAIL  test/a.test.js [ test/a.test.js ]\nError: No test suite found in file /repo/test/a.test.js\n\n Test Files  1 failed (1)\n      Tests  no tests"
    ],
    [
      "npx jest",
      1,
      "FAIL test/a.test.js\n  ● Test suite failed to run\n\n    Your test suite must contain at least one test.\n\nTest Suites: 1 failed, 1 total\nTests:       0 total"
    ]
  ])("%s with %i: %j", (command, exitCode, output) => {
    assert.strictEqual(result("tests", run(command, exitCode, output)), "unknown")
  })

  it.each([
    ["python -m pytest", 1, "E   ModuleNotFoundError: No module named 'shop'\n=== 1 error in 0.2s ==="],
    ["npm test", 1, "Error: Cannot find module './cart'\nRequire stack:\n- /repo/test/cart.test.js"],
    ["npx vitest run", 1, "sh: 1: ffmpeg: not found\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)"],
    ["make test", 2, "make: *** No rule to make target 'lib.o', needed by 'test'.  Stop."],
    [
      "npx vitest run",
      1,
      "Error: No test suite found in file /repo/test/a.test.js\n Test Files  2 failed (2)\n      Tests  1 failed | 2 passed (3)"
    ]
  ])("but what failed by itself does: %s with %i: %j", (command, exitCode, output) => {
    assert.strictEqual(result("tests", run(command, exitCode, output)), "failed")
  })
})

describe("an exit status belongs to the command that made it", () => {
  it.each([
    ["build", 'go build ./... && ./server --check; echo "exit: $?"', 0, "listening\nexit: 1", "unknown"],
    ["build", 'cargo build && ./target/debug/app; echo "Exit code: $?"', 0, "Exit code: 101", "unknown"],
    ["build", 'go build ./... && ./server --check; echo "exit: $?"', 0, "ok\nexit: 0", "passed"],
    ["build", "go build ./... && ./server", 1, "panic: no port", "unknown"],
    ["tests", 'cd api && npm test; echo "exit: $?"', 0, "exit: 1", "failed"],
    ["tests", "npm test; echo $?", 0, "1", "failed"],
    ["tests", 'npm run build; echo "build: $?"; npm test; echo "test: $?"', 0, "build: 1\ntest: 0", "passed"],
    ["build", 'npm run build; echo "build: $?"; npm test; echo "test: $?"', 0, "build: 1\ntest: 0", "failed"],
    ["build", 'npm run build; echo "build: $?"; npm test; echo "test: $?"', 0, "test: 0", "unknown"],
    ["tests", "npm test || true", 0, "", "unknown"],
    ["tests", "npm test; true", 0, "", "unknown"],
    ["tests", "npm test | tee log", 0, "", "unknown"],
    ["tests", "npm test || echo failed", 0, "", "unknown"]
  ])("%s of %s with %i and %j: %s", (gate, command, exitCode, output, wanted) => {
    assert.strictEqual(result(gate, run(command, exitCode, output)), wanted)
  })

  it("and an error that says that it exited with 0 proves nothing", () => {
    assert.strictEqual(result("tests", run("npm test", 0, "Exit code 0", { status: "error" })), "unknown")
  })
})

describe("a program that only bears the runner's name is not the runner", () => {
  it.each(list`
    PATH=./tools:$PATH npm test ¦ PATH=/tmp/x:$PATH pytest ¦ PATH="$PWD/stubs:$PATH" make test
    export PATH=stubs:$PATH && npm test ¦ env PATH=./stubs:$PATH go test ./... ¦ ./stubs/npm test
    ../elsewhere/npx vitest run ¦ /tmp/x/yarn test
  `)("%s", (command) => {
    const self = gathered(run(command, 0, "Tests:  5 passed, 5 total"))
    assert.deepStrictEqual(
      self.runs.filter(({ gate }) => gate === "tests"),
      []
    )
    assert.isAbove(Evidence.lastPossible(self, "tests"), 0)
  })

  it.each(list`
    PATH=$PATH:./tools npm test ¦ PATH="$HOME/.cargo/bin:$PATH" cargo test ¦ PATH=./node_modules/.bin:$PATH vitest run
    PATH=/opt/node22/bin:$PATH npm test ¦ export PATH=/usr/local/go/bin:$PATH; go test ./... ¦ PATH+=:./tools npm test
    /tmp/venv/bin/python -m pytest ¦ .venv/bin/pytest ¦ ./node_modules/.bin/vitest run ¦ /usr/local/bin/npm test
    ./gradlew test ¦ ./nx test shop ¦ ./mvnw test ¦ bin/rails test
  `)("but %s is", (command) => {
    assert.strictEqual(result("tests", run(command, 0)), "passed")
  })
})
