/** What failing suites of ours really printed, of each runner that a machine with Node, Python, Rust, Go and Java has. */
import type { FailureType } from "../../src/learn/lessons/FailureContext.ts"
import { told } from "./causes.ts"
import { printed } from "./failures.ts"

export interface Ran {
  readonly runner: string
  readonly failureType: FailureType
  readonly output: string
}

const jest = `FAIL ./cart.test.js
  total
    ✕ takes ten percent off (3 ms)
    ✕ keeps an empty cart (2 ms)
    ✕ reads a name (1 ms)

  ● total › takes ten percent off

    expect(received).toBe(expected) // Object.is equality

    Expected: 45
    Received: 40

      2 | const user = undefined
      3 | describe("total", () => {
    > 4 |   test("takes ten percent off", () => expect(total(50)).toBe(45))
        |                                                         ^
      5 |   test("keeps an empty cart", () => expect(null).toEqual({ total: 0 }))
      6 |   test("reads a name", () => user.name)
      7 | })

      at Object.toBe (cart.test.js:4:57)

  ● total › keeps an empty cart

    expect(received).toEqual(expected) // deep equality

    Expected: {"total": 0}
    Received: null

      3 | describe("total", () => {
      4 |   test("takes ten percent off", () => expect(total(50)).toBe(45))
    > 5 |   test("keeps an empty cart", () => expect(null).toEqual({ total: 0 }))
        |                                                  ^
      6 |   test("reads a name", () => user.name)
      7 | })
      8 |

      at Object.toEqual (cart.test.js:5:50)

  ● total › reads a name

    TypeError: Cannot read properties of undefined (reading 'name')

      4 |   test("takes ten percent off", () => expect(total(50)).toBe(45))
      5 |   test("keeps an empty cart", () => expect(null).toEqual({ total: 0 }))
    > 6 |   test("reads a name", () => user.name)
        |                                   ^
      7 | })
      8 |

      at Object.name (cart.test.js:6:35)

Test Suites: 1 failed, 1 total
Tests:       3 failed, 3 total
Snapshots:   0 total
Time:        0.295 s
Ran all test suites.`

const mocha = `  total
    1) takes ten percent off
    2) keeps an empty cart
    3) answers in time


  0 passing (56ms)
  3 failing

  1) total
       takes ten percent off:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

40 !== 45

      + expected - actual

      -40
      +45
      
      at Context.<anonymous> (cart.spec.cjs:4:44)

  2) total
       keeps an empty cart:
     AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
+ actual - expected

+ null
- {
-   total: 0
- }
      at Context.<anonymous> (cart.spec.cjs:5:42)

  3) total
       answers in time:
     Error: Timeout of 50ms exceeded. For async tests and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves. (/shop/cart.spec.cjs)`

const vitest = ` RUN  v3.2.7 /shop

 ❯ cart.test.js (2 tests | 2 failed) 8ms
   × total > takes ten percent off 6ms
     → expected 40 to be 45 // Object.is equality
   × total > keeps an empty cart 2ms
     → expected null to deeply equal { total: +0 }

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  cart.test.js > total > takes ten percent off
AssertionError: expected 40 to be 45 // Object.is equality

- Expected
+ Received

- 45
+ 40

 ❯ cart.test.js:4:59
      2| const total = (sum) => sum - 10
      3| describe("total", () => {
      4|   test("takes ten percent off", () => { expect(total(50)).toBe(45) })
       |                                                           ^
      5|   test("keeps an empty cart", () => { expect(null).toEqual({ total: 0 …
      6| })

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/2]⎯

 FAIL  cart.test.js > total > keeps an empty cart
AssertionError: expected null to deeply equal { total: +0 }

- Expected: 
{
  "total": 0,
}

+ Received: 
null

 ❯ cart.test.js:5:52
      3| describe("total", () => {
      4|   test("takes ten percent off", () => { expect(total(50)).toBe(45) })
      5|   test("keeps an empty cart", () => { expect(null).toEqual({ total: 0 …
       |                                                    ^
      6| })
      7| 

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[2/2]⎯


 Test Files  1 failed (1)
      Tests  2 failed (2)
   Start at  19:10:11
   Duration  246ms (transform 26ms, setup 0ms, collect 13ms, tests 8ms, environment 0ms, prepare 73ms)`

const eslint = `/shop/cart.js
  1:7   error  'rate' is assigned a value but never used  no-unused-vars
  2:36  error  Expected '===' and instead saw '=='        eqeqeq
  2:51  error  'tax' is not defined                       no-undef

✖ 3 problems (3 errors, 0 warnings)`

/** Its end, as `--test-reporter=spec` prints it, the frames within Node left out. */
const nodeSpec = `ℹ tests 2
ℹ suites 0
ℹ pass 0
ℹ fail 2
ℹ cancelled 0
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 112.846195

✖ failing tests:

test at cart.test.mjs:4:1
✖ takes ten percent off (1.594381ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  40 !== 45
  
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:4:44)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 40,
    expected: 45,
    operator: 'strictEqual'
  }

test at cart.test.mjs:5:1
✖ keeps an empty cart (1.235237ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
  + actual - expected
  
  + null
  - {
  -   total: 0
  - }
      at TestContext.<anonymous> (file:///shop/cart.test.mjs:5:42)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: null,
    expected: { total: 0 },
    operator: 'deepStrictEqual'
  }`

const cargoBuild = `   Compiling shop v0.1.0 (/shop)
error[E0425]: cannot find value \`ten\` in this scope
 --> src/lib.rs:1:39
  |
1 | pub fn total(sum: u32) -> u32 { sum - ten }
  |                                       ^^^ not found in this scope

error[E0308]: mismatched types
 --> src/lib.rs:2:27
  |
2 | pub fn name() -> String { 5 }
  |                  ------   ^ expected \`String\`, found integer
  |                  |
  |                  expected \`String\` because of return type
  |
help: try using a conversion method
  |
2 | pub fn name() -> String { 5.to_string() }
  |                            ++++++++++++

Some errors have detailed explanations: E0308, E0425.
For more information about an error, try \`rustc --explain E0308\`.
error: could not compile \`shop\` (lib) due to 2 previous errors`

const goBuild = `# example.com/shop
./bad.go:3:18: x declared but not used
./bad.go:3:33: undefined: foo`

const mypy = `a.py:4: error: Argument 1 to "f" has incompatible type "str"; expected "int"  [arg-type]
Found 1 error in 1 file (checked 1 source file)`

export const runs: ReadonlyArray<Ran> = [
  { runner: "node:test (TAP)", failureType: "test_failure", output: printed.nodeTest },
  { runner: "node:test (spec)", failureType: "test_failure", output: nodeSpec },
  { runner: "Vitest", failureType: "test_failure", output: vitest },
  { runner: "Jest", failureType: "test_failure", output: jest },
  { runner: "Mocha", failureType: "test_failure", output: mocha },
  { runner: "pytest", failureType: "test_failure", output: printed.pytest },
  { runner: "unittest", failureType: "test_failure", output: printed.unittest },
  { runner: "cargo test", failureType: "test_failure", output: printed.cargo },
  { runner: "go test", failureType: "test_failure", output: told.goTest },
  { runner: "go test, testify", failureType: "test_failure", output: told.testify },
  { runner: "Mocha, a hook", failureType: "test_failure", output: told.mochaHook },
  { runner: "Jest, a file that cannot be parsed", failureType: "test_failure", output: told.jestSyntax },
  { runner: "tsc", failureType: "typecheck_failure", output: printed.tsc },
  { runner: "mypy", failureType: "typecheck_failure", output: mypy },
  { runner: "go build", failureType: "build_failure", output: goBuild },
  { runner: "cargo build", failureType: "build_failure", output: cargoBuild },
  { runner: "javac", failureType: "build_failure", output: printed.javac },
  { runner: "ESLint", failureType: "verification_failed", output: eslint },
  { runner: "node", failureType: "runtime_error", output: printed.node },
  { runner: "node, a plain error", failureType: "runtime_error", output: told.nodeError },
  { runner: "node, no answer", failureType: "runtime_error", output: told.nodeFetch },
  { runner: "node, a module missing", failureType: "runtime_error", output: printed.nodeModule },
  { runner: "Python", failureType: "runtime_error", output: printed.python },
  { runner: "Python, a module missing", failureType: "runtime_error", output: printed.pythonModule },
  { runner: "Java", failureType: "runtime_error", output: printed.java },
  { runner: "bash, a command missing", failureType: "build_failure", output: printed.command }
]
