/** What tools really printed, in the formats that `FailureFormats.test.ts` varies; paths are made up. */

const assertion = (said: string, place: string, values: string) => `node:internal/modules/run_main:123
    triggerUncaughtException(
    ^

AssertionError [ERR_ASSERTION]: ${said}
    at file:///shop/${place}
    at ModuleJob.run (node:internal/modules/esm/module_job:325:25) {
  generatedMessage: true,
  code: 'ERR_ASSERTION',
${values}
}

Node.js v20.20.2`

const values = (actual: string, expected: string, operator: string) =>
  `  actual: ${actual},\n  expected: ${expected},\n  operator: '${operator}'`

const frame = (title: string, said: string) => ` FAIL  a.test.js > ${title}
${said}
 ❯ a.test.js:3:20
      1| import { expect, it } from "vitest"

 Test Files  1 failed (1)
      Tests  1 failed (1)`

const vitest: Readonly<Record<string, string>> = {
  "where it shortens them": `AssertionError: expected { key: 'a', value: '"x y"', …(1) } to deeply equal { Object (key, value, ...) }

- Expected
+ Received

  {
    "key": "a",
-   "quoted": true,
-   "value": "x y",
+   "quoted": false,
+   "value": "\\"x y\\"",
  }
`,
  "where one side has more": `AssertionError: expected { a: 1, …(2) } to deeply equal { a: 1, list: [ 1, 2, 3 ] }

- Expected
+ Received

@@ -1,7 +1,8 @@
  {
    "a": 1,
+   "c": "long text",
    "list": [
`,
  "where a text is long": `AssertionError: expected 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…' to be 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…' // Object.is equality

Expected: "${"x".repeat(90)}b"
Received: "${"x".repeat(90)}a"
`,
  "where a call was expected": `AssertionError: expected "spy" to be called with arguments: [ 'a' ]

Received:${" "}

  1st spy call:

  [
-   "a",
+   "b",
  ]


Number of calls: 1
`,
  "where it shows them whole": `AssertionError: expected { a: 1, b: 2 } to match object { a: 2 }
(1 matching property omitted from actual)

- Expected
+ Received

  {
-   "a": 2,
+   "a": 1,
  }
`
}

const pytest = (
  head: string,
  body: string,
  summary: string
) => `============================= test session starts ==============================
collected 1 item

${head}
${body}
=========================== short test summary info ============================
${summary}
============================== 1 failed in 0.60s ===============================`

/** pytest fills the line up to 80 columns, with at least one on each side. */
const titled = (title: string) => {
  const side = "_".repeat(Math.max(1, Math.floor((78 - title.length) / 2)))
  return `${side} ${title} ${side}`
}

const collecting = (file: string, body: string) =>
  pytest(
    `==================================== ERRORS ====================================\n${titled(`ERROR collecting ${file}`)}`,
    `ImportError while importing test module '/shop/${file}'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
/usr/lib/python3.11/importlib/__init__.py:126: in import_module
    return _bootstrap._gcd_import(name[level:], package, level)
${body}`,
    `ERROR ${file}\n!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!`
  )

const stars = "*".repeat(70)
const dashes = "-".repeat(70)

export const told = {
  nodeEqual: assertion("1 == 2", "a.mjs:4:15", values("1", "2", "==")),
  nodeTexts: assertion(
    "Expected values to be strictly equal:\n+ actual - expected\n\n+ 'tea,-green'\n- 'tea-green'\n      ^\n",
    "a.mjs:5:8",
    values("'tea,-green'", "'tea-green'", "strictEqual")
  ),
  nodeMessage: assertion("the sum is right\n\n1 !== 2\n", "a.mjs:13:15", values("1", "2", "strictEqual")),
  nodeObjects: assertion(
    "the carts are alike\n+ actual - expected\n\n  {\n    a: 1,\n    b: {\n+     c: 1\n-     c: 2\n    }\n  }",
    "a.mjs:14:15",
    values("{ a: 1, b: { c: 1 } }", "{ a: 1, b: { c: 2 } }", "deepStrictEqual")
  ),
  nodeLoose: assertion(
    "Expected values to be loosely deep-equal:\n\n{\n  a: 1,\n  b: {\n    c: 1\n  }\n}\n\nshould loosely deep-equal\n\n{\n  a: 1,\n  b: {\n    c: 2\n  }\n}",
    "a.mjs:6:15",
    values("{\n    a: 1\n  }", "{\n    a: 1\n  }", "deepEqual")
  ),
  nodeField: assertion(
    "Expected values to be strictly deep-equal:\n+ actual - expected\n\n  {\n    a: 1,\n-   b: 2\n  }",
    "a.mjs:9:15",
    values("{ a: 1 }", "{ a: 1, b: 2 }", "deepStrictEqual")
  ),
  nodeExpression: assertion(
    "The expression evaluated to a falsy value:\n\n  assert.ok(count > 2)\n",
    "a.cjs:2:8",
    values("false", "true", "==")
  ),
  nodePattern: assertion(
    "The input did not match the regular expression /x+/. Input:\n\n'abc'\n",
    "a.mjs:17:15",
    values("'abc'", "/x+/", "match")
  ),
  nodeUnequal: assertion(
    'Expected "actual" to be strictly unequal to: 1',
    "a.mjs:20:15",
    values("1", "1", "notStrictEqual")
  ),
  nodeThrown: "AssertionError [ERR_ASSERTION]: no cart\n    at file:///shop/b.mjs:2:3",
  rustAssertion: `thread 'main' panicked at src/main.rs:3:5:
assertion \`left == right\` failed: sums
  left: 4
 right: 5
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
  vitest: (title: string) => frame(title, vitest[title] ?? ""),
  vitestImport: ` FAIL  imp/c.test.js [ imp/c.test.js ]
Error: Cannot find module './gone' imported from '/shop/src/lib.js'
 ❯ src/lib.js:1:1
      1| import { y } from "./gone"
       | ^

Caused by: Error: Failed to load url ./gone (resolved id: ./gone) in /shop/src/lib.js. Does the file exist?
 ❯ loadAndTransform node_modules/vite/dist/node/chunks/config.js:22907:33

 Test Files  1 failed (1)
      Tests  no tests`,
  nodeImport: `node:internal/modules/esm/resolve:873
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'no-pkg' imported from /shop/i.mjs
    at packageResolve (node:internal/modules/esm/resolve:873:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v20.20.2`,
  nodeRequire: `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module './none'
Require stack:
- /shop/i.cjs
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Object.<anonymous> (/shop/i.cjs:1:1) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/shop/i.cjs' ]
}

Node.js v20.20.2`,
  pytestModule: collecting(
    "test_k.py",
    "test_k.py:1: in <module>\n    import helper\nhelper.py:1: in <module>\n    from nothere.sub import x\nE   ModuleNotFoundError: No module named 'nothere'"
  ),
  pytestName: collecting(
    "test_title.py",
    "test_title.py:1: in <module>\n    from text import title_case\nE   ImportError: cannot import name 'title_case' from 'text' (/shop/text.py)"
  ),
  pythonCircle: `Traceback (most recent call last):
  File "/shop/a.py", line 1, in <module>
    from b import b
  File "/shop/b.py", line 1, in <module>
    from a import a
ImportError: cannot import name 'a' from partially initialized module 'a' (most likely due to a circular import) (/shop/a.py)`,
  unittestImport: `E
======================================================================
ERROR: test_k (unittest.loader._FailedTest.test_k)
${dashes}
ImportError: Failed to import test module: test_k
Traceback (most recent call last):
  File "/usr/lib/python3.11/unittest/loader.py", line 162, in loadTestsFromName
    module = __import__(module_name)
  File "/shop/test_k.py", line 1, in <module>
    import helper
  File "/shop/helper.py", line 1, in <module>
    from nothere.sub import x
ModuleNotFoundError: No module named 'nothere'


${dashes}
Ran 1 test in 0.000s

FAILED (errors=1)`,
  pytestParameters: (parameters: string) =>
    pytest(
      `=================================== FAILURES ===================================\n${titled(`test_words[${parameters}]`)}`,
      `
    def test_words(title, count):
>       assert len(found) == count
E       AssertionError: assert 3 == 2
E        +  where 3 = len(['green', '', 'tea'])

test_words.py:12: AssertionError
----------------------------- Captured stdout call -----------------------------
splitting`,
      `FAILED test_words.py::test_words[${parameters}] - AssertionError: assert 3 == 2`
    ),
  pytestDeep: pytest(
    `=================================== FAILURES ===================================\n${titled("test_empty")}`,
    `
    def test_empty():
>       assert balance([{"amount": ""}]) == 12

test_ledger.py:5:${" "}
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _${" "}
ledger.py:6: in balance
    return sum(_amount(row) for row in rows)
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _${" "}

    def _amount(row):
>       return int(row["amount"])
E       ValueError: invalid literal for int() with base 10: ''

ledger.py:2: ValueError`,
    "FAILED test_ledger.py::test_empty - ValueError: invalid literal for int() with base 10: ''"
  ),
  pytestFixture: (folder: string) =>
    pytest(
      `==================================== ERRORS ====================================\n${titled("ERROR at setup of test_store")}`,
      `
    def store(tmp_path):
>       with open(tmp_path / "seed.csv") as file:
E       FileNotFoundError: [Errno 2] No such file or directory: '${folder}/seed.csv'

test_store.py:6: FileNotFoundError`,
      `ERROR test_store.py::test_store - FileNotFoundError: [Errno 2] No such file or directory: '${folder}/seed.csv'`
    ),
  doctest: `${stars}
File "/shop/mean.py", line 6, in mean.mean
Failed example:
    mean([])
Expected:
    0.0
Got nothing
${stars}
File "/shop/mean.py", line 8, in mean.mean
Failed example:
    mean([1])
Expected nothing
Got:
    1.0
${stars}
File "/shop/mean.py", line 11, in mean.mean
Failed example:
    [mean([1, 2]), mean([2, 3]),
     mean([4])]
Expected:
    [1.5,
     2.5]
Got:
    [1.5, 2.5, 4.0]
${stars}
File "/shop/mean.py", line 15, in mean.mean
Failed example:
    mean("a")
Exception raised:
    Traceback (most recent call last):
      File "/usr/lib/python3.11/doctest.py", line 1353, in __run
        exec(compile(example.source, filename, "single",
      File "<doctest mean.mean[5]>", line 1, in <module>
        mean("a")
      File "/shop/mean.py", line 21, in mean
        return sum(values) / max(1, len(values)) if values else None
               ^^^^^^^^^^^
    TypeError: unsupported operand type(s) for +: 'int' and 'str'
${stars}
File "/shop/mean.py", line 17, in mean.mean
Failed example:
    mean(None)
Expected:
    Traceback (most recent call last):
    ValueError: no
Got nothing
${stars}
1 items had failures:
   5 of   7 in mean.mean
***Test Failed*** 5 failures.`,
  doctestPytest: pytest(
    `=================================== FAILURES ===================================\n${titled("[doctest] mean.mean")}`,
    `002 The mean of some numbers.
003${" "}
004     >>> mean([1, 2, 3])
005     2.0
006     >>> mean([])
Expected:
    0.0
Got nothing

/shop/mean.py:6: DocTestFailure`,
    "FAILED mean.py::mean.mean"
  ).replace("FAILED mean.py", "FAILED /shop/mean.py"),
  doctestUnittest: `F
======================================================================
FAIL: mean (mean)
Doctest: mean.mean
${dashes}
Traceback (most recent call last):
  File "/usr/lib/python3.11/doctest.py", line 2241, in runTest
    raise self.failureException(self.format_failure(new.getvalue()))
AssertionError: Failed doctest test for mean.mean
  File "/shop/mean.py", line 1, in mean

${dashes}
File "/shop/mean.py", line 6, in mean.mean
Failed example:
    mean([])
Differences (ndiff with -expected +actual):
    - 0.0
${dashes}
File "/shop/mean.py", line 9, in mean.mean
Failed example:
    print(mean([2, 3]))
Differences (ndiff with -expected +actual):
    - 2.4
    ?   ^
    + 2.5
    ?   ^


${dashes}
Ran 1 test in 0.003s

FAILED (failures=1)`,
  oxlintColors: `
  \u001B[38;2;244;191;117;1m⚠\u001B[0m \u001B[38;2;244;191;117;1meslint(no-debugger): \`debugger\` statement is not allowed\u001B[0m
   ╭─[\u001B[38;2;92;157;255;1msrc/cart.js\u001B[0m:2:3]
 \u001B[2m1\u001B[0m │ export const total = (prices) => {
   ╰────

Found 1 warning and 0 errors.
Finished in 18ms on 1 file with 96 rules using 2 threads.`,
  oxlintPlain: `
  ! eslint(no-debugger): \`debugger\` statement is not allowed
   ,-[cart.js:2:3]
 1 | export const total = (prices) => {
 2 |   debugger
   :   ^^^^^^^^
   \`----

  x Unexpected token
   ,-[bad.js:1:14]
 1 | export const = 3
   \`----

Found 1 warning and 1 error.
Finished in 294ms on 2 files with 96 rules using 2 threads.`,
  oxlintUnix: `cart.js:2:3: \`debugger\` statement is not allowed [Warning/eslint(no-debugger)]

1 problem`,
  oxlintGitHub: `::warning file=cart.js,line=2,endLine=2,col=3,endColumn=11,title=eslint(no-debugger)::cart.js:2:3: \`debugger\` statement is not allowed

Found 1 warning and 0 errors.`,
  eslintWarnings: `
/shop/cart.js
  2:3  warning  Unexpected 'debugger' statement  no-debugger

✖ 1 problem (0 errors, 1 warning)

ESLint found too many warnings (maximum: 0).`,
  stylelint: `
src/a.css
  2:3  ✖  Unexpected empty block  block-no-empty

✖ 1 problem (1 error, 0 warnings)`,
  biome: `src/cart.js:2:3 lint/suspicious/noDebugger  FIXABLE  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

  × This is an unexpected use of the debugger statement.
${"  "}
    1 │ export const total = (prices) => {
  > 2 │   debugger
      │   ^^^^^^^^

Checked 1 file in 3ms. No fixes applied.
Found 1 error.`,
  ruff: `F401 [*] \`os\` imported but unused
 --> cart.py:1:8
  |
1 | import os
  |        ^^
  |
help: Remove unused import: \`os\`

Found 1 error.
[*] 1 fixable with the \`--fix\` option.`,
  ruffConcise: "cart.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.",
  pylint: `************* Module cart
cart.py:1:0: W0611: Unused import os (unused-import)

------------------------------------------------------------------
Your code has been rated at 0.00/10`,
  prettier: `Checking formatting...
[warn] src/cart.js
[warn] Code style issues found in the above file. Run Prettier with --write to fix.`,
  black: `would reformat /shop/cart.py

Oh no! 💥 💔 💥
1 file would be reformatted.`
}
