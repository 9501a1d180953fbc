import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as FailureOutput from "../../src/session/output/FailureOutput.ts"
import { printed } from "../support/failures.ts"
import { nodeTests } from "../support/nodeTests.ts"

type Printed = keyof typeof printed

const failing = (name: Printed) =>
  FailureOutput.read(printed[name]).failing.map(({ difference, file, line, name: test, thrown }) => [
    test,
    file === null ? null : `${file}:${line}`,
    difference === null
      ? thrown === null
        ? null
        : `${thrown.type}: ${thrown.message}`
      : `${difference.received} for ${difference.expected}`
  ])

const causes = (output: string) =>
  FailureOutput.read(output).causes.map(({ file, kind, line, message, subject }) => ({
    kind,
    subject,
    message,
    file,
    line
  }))

describe("FailureOutput.read", () => {
  it("gives every failing test its own place, values and error", () => {
    assert.deepStrictEqual(failing("nodeTest"), [
      ["takes ten percent off", "/shop/t/a.test.mjs:4", "40 for 45"],
      ["keeps an empty cart", "/shop/t/a.test.mjs:5", "null for { total: 0 }"],
      ["reads a name", "/shop/t/a.test.mjs:6", "TypeError: Cannot read properties of undefined (reading 'name')"]
    ])
    assert.deepStrictEqual(failing("unittest"), [
      ["test_key", "/shop/t_unit.py:6", "KeyError: 'a'"],
      ["test_ten", "/shop/t_unit.py:4", "40 for 45"]
    ])
    assert.deepStrictEqual(failing("pytest"), [
      ["T.test_key", "test_p.py:6", "KeyError: 'a'"],
      ["T.test_ten", "test_p.py:4", "AssertionError: 40 != 45"],
      ["test_b", "test_p.py:9", "(50 - 10) for 45"]
    ])
    assert.deepStrictEqual(failing("cargo"), [
      ["tests::ten_percent", "src/lib.rs:6", "40 for 45"],
      ["tests::panics", "src/lib.rs:8", "panic: index out of bounds: the len is 0 but the index is 1"]
    ])
  })

  for (const { output, reporter } of nodeTests) {
    it(`gives what failed of what node --test prints, and nothing of what is yet to pass: ${reporter}`, () => {
      const read = FailureOutput.read(output)
      assert.deepStrictEqual(
        read.failing.map(({ difference, file, line, name }) => [name, file?.split("/").at(-1), line, difference]),
        [["takes ten percent off", "cart.test.mjs", 5, { expected: "45", received: "40" }]]
      )
      assert.deepStrictEqual(
        read.causes.map(({ kind, line }) => [kind, line]),
        [["assertion", 5]]
      )
    })
  }

  it("calls a test that was to fail and did not by its name", () => {
    const { failing: tests } = FailureOutput.read(`not ok 2 - was to fail # EXPECTED FAILURE a reason
  ---
  location: '/shop/cart.test.mjs:4:1'
  failureType: 'expectedFailure'
  error: 'test was expected to fail but passed'
  ...
# pass 1
# fail 1`)
    assert.deepStrictEqual(
      tests.map(({ name, thrown }) => [name, thrown?.message]),
      [["was to fail", "test was expected to fail but passed"]]
    )
  })

  it("keeps what a compiler says apart from tests", () => {
    const { compile, failing: tests, tests: run } = FailureOutput.read(printed.tsc)
    assert.deepStrictEqual([run, tests], [null, []])
    assert.deepStrictEqual(
      compile?.failing.map(({ file, line }) => `${file}:${line}`),
      ["a.ts:1", "a.ts:2"]
    )
    assert.strictEqual(FailureOutput.read(printed.javac).compile?.failing[0]?.file, "A.java")
  })

  it.each<[Printed, object]>([
    ["node", { kind: "exception", subject: "TypeError", file: "/shop/e.mjs", line: 2 }],
    ["python", { kind: "exception", subject: "TypeError", file: "/shop/e.py", line: 2 }],
    ["java", { kind: "exception", subject: "NullPointerException", file: "B.java", line: 1 }],
    ["nodeBare", { kind: "exception", subject: "TypeError", file: "/shop/f.mjs", line: 1 }],
    ["nodeModule", { kind: "missing_module", subject: "nothere" }],
    ["pythonModule", { kind: "missing_module", subject: "nothere" }],
    ["command", { kind: "missing_command", subject: "frobnicate" }]
  ])("says what stopped %s", (name, expected) => {
    const [first, ...rest] = causes(printed[name])
    assert.deepInclude(first, expected)
    assert.deepStrictEqual(rest, [])
  })

  it.each([
    ["sh: 1: vitest: not found", "missing_command", "vitest"],
    ["zsh: command not found: pnpm", "missing_command", "pnpm"],
    ["Error: spawn docker ENOENT", "missing_command", "docker"],
    ['npm error Missing script: "test:unit"', "missing_script", "test:unit"],
    ["Error: ENOENT: no such file or directory, open 'data/seed.json'", "missing_file", "data/seed.json"],
    ["Error: connect ECONNREFUSED 127.0.0.1:5432", "connection", "127.0.0.1:5432"],
    [
      'psql: error: connection to server at "127.0.0.1", port 5432 failed: Connection refused',
      "connection",
      "127.0.0.1"
    ],
    ["curl: (7) Failed to connect to localhost port 80 after 0 ms: Connection refused", "connection", "localhost"],
    ["dial tcp [::1]:6379: connect: connection refused", "connection", "[::1]:6379"],
    ["Error: listen EADDRINUSE: address already in use :::3000", "port", ":::3000"],
    ["Error: EACCES: permission denied, mkdir '/opt/app'", "permission", "/opt/app"],
    ["bash: ./run.sh: Permission denied", "permission", "./run.sh"],
    ["FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "memory", null],
    ["Killed", "memory", null],
    ["Error: ENOSPC: no space left on device, write", "disk", null],
    ["Error: Test timed out in 5000ms.", "timeout", "Test"],
    ["Error: Timeout of 2000ms exceeded. For async tests, call done().", "timeout", null],
    ["panic: test timed out after 30s", "timeout", null],
    ["ImportError: cannot import name 'total' from 'shop.cart' (/shop/cart.py)", "missing_module", "total"],
    ["error[E0432]: unresolved import `crate::cart`", "missing_module", "crate::cart"]
  ])("reads %s", (line, kind, subject) => {
    const found = causes(line).filter((cause) => cause.kind === kind)
    assert.deepStrictEqual(
      found.map((cause) => cause.subject),
      [subject]
    )
  })

  it.each([
    "An important notice: import your data before the module starts.",
    "No errors were found. Permissions were not changed.",
    "The test takes the killed process into account.",
    "expected: nothing",
    "12 passed, 0 failed"
  ])("sees no cause in %s", (line) => {
    const { compile, failing: tests, lint, tests: run } = FailureOutput.read(line)
    assert.deepStrictEqual([causes(line), compile, lint, run, tests], [[], null, null, null, []])
  })

  it("is total and bounded, whatever was printed", () => {
    const lines = Object.values(printed).flatMap((text) => text.split("\n"))
    const output = fc.array(fc.oneof(fc.constantFrom(...lines), fc.string()), { maxLength: 80 })
    fc.assert(
      fc.property(output, (some) => {
        const read = FailureOutput.read(some.join("\n"))
        assert.isAtMost(read.causes.length, 20)
        assert.isAtMost(read.failing.length, 10)
      }),
      { numRuns: 30 }
    )
  })
})
