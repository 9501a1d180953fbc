import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { FailureContext, FailureType } from "../../src/learn/lessons/FailureContext.ts"
import * as FailureOutput from "../../src/session/output/FailureOutput.ts"
import * as ReflectionHeuristic from "../../src/learn/lessons/ReflectionHeuristic.ts"
import { told } from "../support/formats.ts"

const failure = (failureType: FailureType, errorOutput: string): FailureContext => ({
  id: "f1",
  sessionId: "s1",
  taskId: "t1",
  subtaskId: "t1.1",
  subtaskDescription: "Mend the mean.",
  attemptNumber: 1,
  failureType,
  errorOutput,
  filesModified: [],
  previousReflections: [],
  createdAt: "2026-01-01T10:00:00.000Z"
})

const reflect = (type: FailureType, output: string) => ReflectionHeuristic.reflect(failure(type, output))
const analysisOf = (type: FailureType, output: string) => reflect(type, output).analysis

/** Whether two failures are taken for the same. */
const isSame = (type: FailureType, first: string, second: string): boolean => {
  const [sign] = reflect(type, first).tags.slice(1)
  return sign !== undefined && sign === reflect(type, second).tags[1]
}

const other = (found: string) => told.pytestParameters("a").replaceAll("assert 3", `assert ${found}`)
const line = (number: number) => told.nodeEqual.replaceAll("/shop/a.mjs:4", `/tmp/shop/a.mjs:${number}`)
const at = (number: number) => `/shop/mean.py:${number}`

const testOf = (output: string) => {
  const [first] = FailureOutput.read(output).failing
  const { difference, file, line, name } = first ?? {}
  return [name, `${file}:${line}`, difference?.expected, difference?.received]
}

describe("an assertion that failed in a program", () => {
  it.each<[string, string, string]>([
    ["equal", told.nodeEqual, "(/shop/a.mjs:4): expected 2, received 1."],
    ["strict, of texts", told.nodeTexts, "(/shop/a.mjs:5): expected 'tea-green', received 'tea,-green'."],
    ["with a message of its own", told.nodeMessage, "(/shop/a.mjs:13): the sum is right: expected 2, received 1."],
    [
      "of objects, with a message",
      told.nodeObjects,
      "(/shop/a.mjs:14): the carts are alike: expected c: 2, received c: 1."
    ],
    ["the old deepEqual", told.nodeLoose, "(/shop/a.mjs:6): expected c: 2, received c: 1."],
    ["a field that is not there", told.nodeField, "(/shop/a.mjs:9): expected b: 2, received nothing."],
    [
      "of an expression",
      told.nodeExpression,
      "(/shop/a.cjs:2): The expression evaluated to a falsy value: assert.ok(count > 2)."
    ],
    [
      "of a pattern",
      told.nodePattern,
      "(/shop/a.mjs:17): The input did not match the regular expression /x+/. Input: 'abc'."
    ],
    ["of what should differ", told.nodeUnequal, '(/shop/a.mjs:20): Expected "actual" to be strictly unequal to: 1.']
  ])("names the values: %s", (_, output, analysis) => {
    assert.strictEqual(analysisOf("runtime_error", output), `An assertion failed: AssertionError ${analysis}`)
  })

  it("names those of Rust", () => {
    assert.strictEqual(
      analysisOf("runtime_error", told.rustAssertion),
      "It threw panic (src/main.rs:3): assertion `left == right` failed: sums: expected 5, received 4."
    )
  })

  it("takes no values of another failure", () => {
    const output = `${told.nodeThrown}\n${told.nodeEqual}`
    assert.include(
      FailureOutput.read(output)
        .causes.map(({ message }) => message)
        .join(),
      "no cart,"
    )
  })
})

describe("what Vitest shows of two values", () => {
  it.each<[string, string, string]>([
    ["where it shortens them", '"quoted": true, "value": "x y"', '"quoted": false, "value": "\\"x y\\""'],
    ["where one side has more", "nothing", '"c": "long text"'],
    ["where a text is long", `"${"x".repeat(90)}b"`, `"${"x".repeat(90)}a"`],
    ["where a call was expected", '"a"', '"b"'],
    ["where it shows them whole", "{ a: 2 }", "{ a: 1, b: 2 }"]
  ])("is named %s", (title, expected, received) => {
    assert.deepStrictEqual(testOf(told.vitest(title)), [title, "a.test.js:3", expected, received])
  })
})

describe("an import that fails", () => {
  it.each<[string, FailureType, string, string]>([
    ["Vitest", "test_failure", told.vitestImport, "`./gone` is imported (src/lib.js:1) and cannot be found."],
    ["Node, ES modules", "runtime_error", told.nodeImport, "`no-pkg` is imported (/shop/i.mjs) and cannot be found."],
    ["Node, CommonJS", "runtime_error", told.nodeRequire, "`./none` is imported (/shop/i.cjs:1) and cannot be found."],
    ["pytest", "test_failure", told.pytestModule, "`nothere` is imported (helper.py:1) and cannot be found."],
    [
      "a name, in pytest",
      "test_failure",
      told.pytestName,
      "An import fails (test_title.py:1): cannot import name 'title_case' from 'text' (/shop/text.py)."
    ],
    [
      "a name, in a circle",
      "runtime_error",
      told.pythonCircle,
      "An import fails (/shop/b.py:1): cannot import name 'a' from partially initialized module 'a' (most likely due to a circular import) (/shop/a.py)."
    ]
  ])("names the place: %s", (_, type, output, analysis) => {
    assert.strictEqual(analysisOf(type, output), analysis)
  })

  it("advises no installing where the module is there and the name is not", () => {
    for (const output of [told.pytestName, told.pythonCircle]) {
      const { actionItems, suggestion } = reflect("runtime_error", output)
      assert.notMatch([suggestion, ...actionItems].join(), /nstall what|manifest|declares it/)
      assert.include(suggestion, "has no such name")
    }
  })

  it("is the same failure wherever the line has moved to", () => {
    const moved = told.pytestModule.replace("helper.py:1:", "helper.py:4:")
    assert.isTrue(isSame("test_failure", told.pytestModule, moved))
    assert.isFalse(isSame("test_failure", told.pytestModule, told.pytestName))
  })

  it("is told by unittest below its own words", () => {
    assert.include(analysisOf("test_failure", told.unittestImport), "ModuleNotFoundError: No module named 'nothere'.")
  })
})

describe("what pytest prints", () => {
  it.each(["green  tea-2", "a b", "a - b", "a] - b", "[x]", "café", "x".repeat(90)])(
    "has the place of a test with the parameters %s",
    (parameters) => {
      const name = `test_words[${parameters}]`.replace(/\s+/g, " ")
      assert.deepStrictEqual(testOf(told.pytestParameters(parameters)), [name, "test_words.py:12", "2", "3"])
    }
  )

  it("names the test's own line, and the one that threw", () => {
    const { analysis, suggestion } = reflect("test_failure", told.pytestDeep)
    assert.include(analysis, '"test_empty" (test_ledger.py:5) failed: ValueError: invalid literal')
    assert.include(suggestion, "at ledger.py:2 why")
  })

  it.each<[string, string, string]>([
    ["pytest-of-root/pytest-2/test_store_is_empty0", "pytest-of-root/pytest-13/test_store_is_empty0", "/tmp"],
    ["zz/zyx_n0000000000/T/tmpab12cd", "zz/zyx_n0000000000/T/tmpzz9x_q", "/var/folders"],
    ["shop-aBcDeF", "shop-GhIjKl", "/tmp"]
  ])("is the same failure in another temporary folder: %s, %s", (first, second, folder) => {
    const fixture = (name: string) => told.pytestFixture(`${folder}/${name}`)
    assert.isTrue(isSame("test_failure", fixture(first), fixture(second)))
    assert.isFalse(isSame("test_failure", fixture(first), fixture(second).replaceAll("seed.csv", "leaves.csv")))
  })

  it("is another failure with another value, whatever it looks like", () => {
    assert.isFalse(isSame("test_failure", other("4"), other("5")))
    assert.isTrue(isSame("test_failure", other("<Cart at 0x7f3a2b1c>"), other("<Cart at 0x7f00aa11>")))
    assert.isFalse(isSame("runtime_error", line(4), line(9)))
  })
})

describe("doctest", () => {
  it("is read example by example", () => {
    assert.deepStrictEqual(
      FailureOutput.read(told.doctest).failing.map(({ difference, file, line, name, thrown }) => [
        name,
        `${file}:${line}`,
        difference === null ? `${thrown?.type} at ${thrown?.line}` : `${difference.received} for ${difference.expected}`
      ]),
      [
        ["mean.mean", at(6), "nothing for 0.0"],
        ["mean.mean", at(8), "1.0 for nothing"],
        ["mean.mean", at(11), "[1.5, 2.5, 4.0] for [1.5, 2.5]"],
        ["mean.mean", at(15), "TypeError at 21"],
        ["mean.mean", at(17), "nothing for Traceback (most recent call last): ValueError: no"]
      ]
    )
  })

  it.each<[string, string]>([
    ["pytest", told.doctestPytest],
    ["unittest, as differences", told.doctestUnittest]
  ])("is read where %s runs it", (_, output) => {
    assert.deepStrictEqual(testOf(output), ["mean.mean", at(6), "0.0", "nothing"])
  })
})

describe("what a linter points at", () => {
  it.each<[string, string, string]>([
    [
      "oxlint, in colors",
      told.oxlintColors,
      "(src/cart.js:2): eslint(no-debugger): `debugger` statement is not allowed."
    ],
    ["oxlint, errors first", told.oxlintPlain, "(bad.js:1): Unexpected token."],
    [
      "oxlint, a line each",
      told.oxlintUnix,
      "(cart.js:2): `debugger` statement is not allowed [Warning/eslint(no-debugger)]."
    ],
    ["oxlint, for GitHub", told.oxlintGitHub, "(cart.js:2): `debugger` statement is not allowed."],
    ["ESLint, warnings alone", told.eslintWarnings, "(/shop/cart.js:2): Unexpected 'debugger' statement."],
    ["Stylelint", told.stylelint, "(src/a.css:2): Unexpected empty block."],
    ["Biome", told.biome, "(src/cart.js:2): This is an unexpected use of the debugger statement."],
    ["Ruff", told.ruff, "(cart.py:1): F401 [*] `os` imported but unused."],
    ["Ruff, a line each", told.ruffConcise, "(cart.py:1): F401 [*] `os` imported but unused."],
    ["Pylint", told.pylint, "(cart.py:1): W0611: Unused import os (unused-import)."],
    ["Prettier", told.prettier, "(src/cart.js): it is not formatted."],
    ["Black", told.black, "(/shop/cart.py): it is not formatted."]
  ])("is named: %s", (_, output, analysis) => {
    for (const type of ["verification_failed", "build_failure"] as const)
      assert.include(analysisOf(type, output), `found what the project does not allow ${analysis}`)
    assert.isTrue(isSame("verification_failed", output, output))
  })

  it("is no reason where something else has failed", () => {
    const output = `${told.oxlintColors}\n${told.vitestImport}`
    assert.include(analysisOf("verification_failed", output), "`./gone` is imported")
    assert.include(analysisOf("test_failure", `${told.eslintWarnings}\n${told.doctest}`), "mean.mean")
  })

  it("is nothing of a compiler, a log or a trace", () => {
    for (const output of [
      "src/a.c:3:5: error: expected ';' before 'return'",
      "app.py:12:3: the cart is empty",
      "    at f (/shop/a.mjs:3:5)",
      "2026-01-01 10:00:01 warning  the queue is long",
      "error[E0308]: mismatched types\n --> src/main.rs:2:9"
    ])
      assert.deepStrictEqual(FailureOutput.read(output).findings, [], output)
  })

  it("is bounded, and has a place, whatever was printed", () => {
    const lines = Object.values(told).flatMap((text) => (typeof text === "string" ? text.split("\n") : []))
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...lines), fc.string()), { maxLength: 60 }), (some) => {
        const { causes, failing, findings } = FailureOutput.read(some.join("\n"))
        assert.isAtMost(findings.length, 10)
        for (const { file, name } of findings) assert.isTrue(file !== null && file !== "" && name !== "")
        assert.isAtMost(failing.length, 10)
        assert.isAtMost(causes.length, 20)
      }),
      { numRuns: 30 }
    )
  })
})
