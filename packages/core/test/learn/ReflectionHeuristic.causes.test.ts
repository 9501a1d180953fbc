import { assert, describe, it } from "@effect/vitest"
import type { FailureContext, FailureType } from "../../src/learn/lessons/FailureContext.ts"
import type * as Reflection from "../../src/learn/lessons/Reflection.ts"
import * as ReflectionHeuristic from "../../src/learn/lessons/ReflectionHeuristic.ts"
import { told } from "../support/causes.ts"
import { printed } from "../support/failures.ts"

const failure = (failureType: FailureType, errorOutput: string, attemptNumber = 1): FailureContext => ({
  id: "f1",
  sessionId: "s1",
  taskId: "t1",
  subtaskId: "t1.1",
  subtaskDescription: "Mend the discount.",
  attemptNumber,
  failureType,
  errorOutput,
  filesModified: [],
  previousReflections: [],
  createdAt: "2026-01-01T10:00:00.000Z"
})

const analysisOf = (type: FailureType, output: string) => ReflectionHeuristic.reflect(failure(type, output)).analysis

const made = (
  type: FailureType,
  output: string,
  attempt: number,
  previous: ReadonlyArray<Reflection.Reflection> = []
) =>
  ReflectionHeuristic.make(failure(type, output, attempt), {
    id: `r${attempt}`,
    createdAt: "2026-01-01T10:00:00.000Z",
    previous
  })

/** Whether the second of two failures is said to be the first once more. */
const isSame = (type: FailureType, first: string, second: string): boolean =>
  made(type, second, 2, [made(type, first, 1)]).analysis.includes("failed the same way")

describe("what a program threw", () => {
  it.each<[string, string, string]>([
    [
      "a plain error",
      told.nodeError,
      "It threw Error (/shop/n5.mjs:1): the database is not migrated: run migrations first."
    ],
    ["a rejection that nobody caught", told.nodeRejection, "It threw Error (/shop/n3.mjs:1): the queue is closed."],
    ["an error of a name of its own", told.nodeOwnName, "It threw QueueClosed (/shop/n7.cjs:2): the queue is closed."],
    ["a value that is no error", told.nodeValue, "It threw a value that is no error (/shop/n13.cjs:1): plain."],
    [
      "a rejection with no error",
      told.nodeReason,
      "It threw UnhandledPromiseRejection: nobody caught that a promise was rejected with plain text."
    ],
    ["a service that does not answer, below fetch", told.nodeFetch, "Nothing answers at `127.0.0.1:5999`."],
    ["another cause", told.nodeCause, "It threw TypeError (/shop/n1.mjs:1): fetch failed (caused by Error: bad port)."],
    ["a file that is missing, as the cause", told.nodeFileCause, "The file `/shop/none.json` does not exist."],
    ["the raised one of a chain of Python's", told.pythonChain, "It threw ValueError (/shop/p1.py:3): no k."],
    [
      "text that is no JSON",
      told.nodeJson,
      "It threw SyntaxError (/shop/n8.cjs:2): Expected property name or '}' in JSON at position 1."
    ],
    [
      "a name that is not exported",
      told.nodeExport,
      "It threw SyntaxError (/shop/n12.mjs:1): The requested module './lib.mjs' does not provide an export named 'b'."
    ],
    [
      "code that Node cannot parse",
      told.nodeSyntax,
      "The code cannot be parsed: SyntaxError (/shop/n9.cjs:2): Unexpected end of input."
    ],
    [
      "code that Python cannot parse",
      told.pythonSyntax,
      "The code cannot be parsed: SyntaxError (/shop/p4.py:1): invalid syntax."
    ],
    [
      "what it died of, not what it logged before",
      `Error: Cannot find module 'optional-plugin'\n    at load (/shop/plugins.js:3:1)\n${told.nodeError}`,
      "It threw Error (/shop/n5.mjs:1): the database is not migrated: run migrations first."
    ]
  ])("names %s", (_, output, analysis) => {
    assert.strictEqual(analysisOf("runtime_error", output), analysis)
  })

  it("says nothing of an edit where data cannot be parsed", () => {
    const { suggestion } = ReflectionHeuristic.reflect(failure("runtime_error", told.nodeJson))
    assert.notInclude(suggestion, "edit")
    assert.include(suggestion, "it is no JSON")
  })

  it("takes no sentence with a colon for an error", () => {
    const output = "Usage: shop [options]\nOptions:\n  --all  everything\nNote: see the manual"
    assert.include(analysisOf("runtime_error", output), "the output ends with: Note: see the manual.")
  })

  it("takes what is missing for no output", () => {
    const missing = "tests: asked for, never run; the step that the final text announces"
    assert.strictEqual(
      analysisOf("verification_failed", missing),
      `What was claimed to be done was not shown: ${missing}.`
    )
  })

  it("advises of what is missing no run where none is", () => {
    const missing = "a pull request: the change was pushed straight to main"
    const { suggestion } = ReflectionHeuristic.reflect(failure("verification_failed", missing))
    assert.notInclude(suggestion, "checks")
    assert.include(suggestion, "Do what is still missing")
  })

  it("passes over what stands at the end of every failure", () => {
    const output =
      "the seed has no customers\n\nNode.js v20.20.2\nnpm error Lifecycle script `start` failed with error:\nnpm error code 1"
    assert.include(analysisOf("runtime_error", output), "ends with: the seed has no customers.")
  })
})

const passingTestPrints = (said: string) => ` RUN  v3.2.7
stderr | src/loader.test.ts > loader > falls back where the plugin is not installed
${said}

 ✓ src/loader.test.ts (3 tests) 12ms
 FAIL  src/cart.test.ts > total > takes ten percent off
AssertionError: expected 81 to be 90 // Object.is equality
 ❯ src/cart.test.ts:11:20
 Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 3 passed (4)`

const cart = 'The test "total > takes ten percent off" (src/cart.test.ts:11) failed: expected 90, received 81.'

describe("a test that failed", () => {
  it.each([
    "Error: Cannot find module 'optional-plugin'\nRequire stack:\n- /repo/src/loader.ts",
    "SyntaxError: Unexpected token } in JSON at position 3\n    at JSON.parse (<anonymous>)\n    at /repo/src/json.ts:4:10",
    "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect (node:net:1611:16)"
  ])("is told before what a passing one printed: %s", (said) => {
    assert.strictEqual(analysisOf("test_failure", passingTestPrints(said)), cart)
    assert.strictEqual(analysisOf("verification_failed", passingTestPrints(said)), cart)
  })

  it.each<[string, string, string]>([
    ["Mocha", told.mochaHook, 'The "before all" hook for "deep" (a.spec.cjs:2) failed: Error: db is not up.'],
    ["Vitest", told.vitestHook, 'The test "cart" (a.test.ts:2) failed: Error: db is not up.'],
    ["Jest", told.jestHook, 'The test "cart › adds 1 and 2 to 4" (./a.test.js:3) failed: db is not up.'],
    [
      "unittest",
      `ERROR: setUpClass (__main__.T)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/shop/u.py", line 5, in setUpClass
    raise RuntimeError("db is not up")
RuntimeError: db is not up

----------------------------------------------------------------------
Ran 0 tests in 0.001s

FAILED (errors=1)`,
      'The hook "setUpClass" (/shop/u.py:5) failed: RuntimeError: db is not up.'
    ],
    ["node:test", told.nodeTestHook, 'The test "cart" (a.test.mjs:3) failed: Error: db is not up.']
  ])("has what its hook threw: %s", (_, output, analysis) => {
    assert.include(analysisOf("test_failure", output), analysis)
  })

  it.each<[string, string, string]>([
    ["Mocha", told.mocha, 'The test "deep" (a.spec.cjs:3) failed: expected c: 3, received c: 2.'],
    ["Jest", told.jestDiff, 'The test "cart › matches the snapshot" (./a.test.js:5) failed: expected 3, received 2.'],
    [
      "go test",
      told.goTest,
      'The test "TestTotal/ten" (cart_test.go:13) failed: expected 45, received 40. 2 other tests'
    ],
    [
      "go test -v",
      told.goVerbose,
      'The test "TestTotal/ten" (cart_test.go:13) failed: expected 45, received 40. 2 other tests'
    ],
    [
      "testify",
      told.testify,
      'The test "TestTotal/ten" (cart_test.go:12) failed: expected 45, received 40. 2 other tests'
    ],
    [
      "Gradle",
      `> Task :test FAILED

CartTest > takesTenPercentOff() FAILED
    org.opentest4j.AssertionFailedError: expected: <45> but was: <40>
        at app//shop.CartTest.takesTenPercentOff(CartTest.java:12)

2 tests completed, 1 failed

FAILURE: Build failed with an exception.`,
      'The test "CartTest > takesTenPercentOff()" (CartTest.java:12) failed: expected 45, received 40.'
    ],
    [
      "Maven",
      `[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in shop.CartTest
[ERROR] shop.CartTest.takesTenPercentOff -- Time elapsed: 0.004 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <45> but was: <40>
	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
	at shop.CartTest.takesTenPercentOff(CartTest.java:12)

[ERROR] Failures:${" "}
[ERROR]   CartTest.takesTenPercentOff:12 expected: <45> but was: <40>
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE`,
      'The test "shop.CartTest.takesTenPercentOff" (CartTest.java:12) failed: expected 45, received 40.'
    ]
  ])("has what it expected and received: %s", (_, output, analysis) => {
    assert.include(analysisOf("test_failure", output), analysis)
  })

  it("says in Go's words why it failed where nothing was compared, and counts no parent", () => {
    const output = told.goTest.split("\n").slice(-5).join("\n")
    assert.strictEqual(
      analysisOf("test_failure", output),
      'The test "TestOpens" (cart_test.go:21) failed: the database is not migrated.'
    )
    assert.include(
      analysisOf("test_failure", told.goPanic),
      "panic: runtime error: index out of range [0] with length 0."
    )
    assert.notInclude(analysisOf("build_failure", told.goTest), "rejects the code")
  })

  it.each<[string, string, string]>([
    ["Jest", told.jestSyntax, "The code cannot be parsed: SyntaxError (/shop/jestsyn/lib.js:2): Unexpected token."],
    [
      "Vitest",
      told.vitestSyntax,
      "The code cannot be parsed (/shop/vitsyn/lib.ts:2): Expected identifier but found end of file."
    ],
    [
      "an error as it is loaded",
      ` FAIL  a.test.ts [ a.test.ts ]
TypeError: connect is not a function
 ❯ src/db.ts:3:5

 Test Files  1 failed (1)
      Tests  no tests`,
      "The tests of a.test.ts could not be run: TypeError: connect is not a function."
    ],
    [
      "node:test in TAP",
      printed.nodeTestFile,
      "The tests of /shop/test/cart.test.js could not be run: SyntaxError: The requested module '../src/cart.js' does not provide an export named 'discounted'."
    ]
  ])("is none where its file cannot be loaded: %s", (_, output, analysis) => {
    assert.strictEqual(analysisOf("test_failure", output), analysis)
  })

  it("is none where the runner says that all passed", () => {
    const output =
      "> shop@1.0.0 test\n> node --test\n\nTAP version 13\nok 1 - a\n1..1\n# tests 1\n# pass 1\n# fail 0\n# duration_ms 5"
    const { analysis, confidence } = ReflectionHeuristic.reflect(failure("test_failure", output))
    assert.strictEqual(
      analysis,
      "No test failed: the output says 1 passed. If the attempt failed, it was at something else."
    )
    assert.strictEqual(confidence, 0.3)
  })
})

const typeError = (message: string, line: number) =>
  `TypeError: ${message}\n    at f (/shop/src/user.js:${line}:5)\n    at main (/shop/src/main.js:1:1)`

const long = (end: string) => typeError(`${"the same words ".repeat(15)}${end}`, 3)

const received = (value: number) => passingTestPrints("").replace("81", String(value))

describe("the same failure once more", () => {
  it("is claimed of the same", () => {
    assert.isTrue(isSame("runtime_error", told.nodeError, told.nodeError))
    assert.isTrue(isSame("test_failure", told.goTest, told.goVerbose))
    assert.isTrue(isSame("typecheck_failure", "a.ts(1,7): error TS2322: No.", "a.ts(1,7): error TS2322: No."))
  })

  it("is claimed of nothing else", () => {
    assert.isFalse(isSame("test_failure", "one thing", "another thing"))
    assert.isFalse(isSame("test_failure", "the very same words", "the very same words"))
    assert.isFalse(isSame("build_failure", told.goTest, "make: *** No rule to make target 'all'.  Stop."))
    assert.isFalse(isSame("runtime_error", typeError("a is not a function", 3), typeError("b is not a function", 3)))
    assert.isFalse(isSame("runtime_error", typeError("a is not a function", 3), typeError("a is not a function", 9)))
    assert.isFalse(isSame("test_failure", received(81), received(85)))
  })

  it("has no sign where nothing is known", () => {
    for (const output of ["Error: Test timed out in 5000ms.", "Killed", "connection refused"])
      assert.isFalse(isSame("timeout", output, output), output)
    assert.deepStrictEqual(made("test_failure", "make: nothing", 1).tags, ["test_failure"])
  })

  it("tells two long ones apart", () => {
    assert.isTrue(isSame("runtime_error", long("one"), long("one")))
    assert.isFalse(isSame("runtime_error", long("one"), long("two")))
    assert.isAtMost(made("runtime_error", long("one"), 1).tags[1]?.length ?? 0, 160)
  })
})
