/** What programs and runners of ours really printed as they failed; frames of their own code are left out but for the first. */
export const told = {
  nodeError: `file:///shop/n5.mjs:1
export const connect = (u) => { throw new Error("the database is not migrated: run migrations first") }
                                      ^

Error: the database is not migrated: run migrations first
    at connect (file:///shop/n5.mjs:1:39)
    at file:///shop/n5.mjs:2:1
    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)

Node.js v20.20.2`,
  nodeRejection: `file:///shop/n3.mjs:1
Promise.reject(new Error("the queue is closed"))
               ^

Error: the queue is closed
    at file:///shop/n3.mjs:1:16
    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)

Node.js v20.20.2`,
  nodeOwnName: `/shop/n7.cjs:2
throw new QueueClosed("the queue is closed")
^

QueueClosed: the queue is closed
    at Object.<anonymous> (/shop/n7.cjs:2:7)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)

Node.js v20.20.2`,
  nodeFetch: `node:internal/deps/undici/undici:14976
      Error.captureStackTrace(err);
            ^

TypeError: fetch failed
    at node:internal/deps/undici/undici:14976:13
    at async file:///shop/n6.mjs:1:1 {
  [cause]: Error: connect ECONNREFUSED 127.0.0.1:5999
      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16) {
    errno: -111,
    code: 'ECONNREFUSED',
    syscall: 'connect',
    address: '127.0.0.1',
    port: 5999
  }
}

Node.js v20.20.2`,
  nodeCause: `node:internal/deps/undici/undici:14976
      Error.captureStackTrace(err);
            ^

TypeError: fetch failed
    at node:internal/deps/undici/undici:14976:13
    at async load (file:///shop/n1.mjs:1:38)
    at async file:///shop/n1.mjs:2:1 {
  [cause]: Error: bad port
      at makeNetworkError (node:internal/deps/undici/undici:9495:35)
      at load (file:///shop/n1.mjs:1:44)
      at file:///shop/n1.mjs:2:7
}

Node.js v20.20.2`,
  nodeFileCause: `file:///shop/n2.mjs:3
try { readFileSync("/shop/none.json") } catch (cause) { throw new ConfigError("cannot read the configuration", { cause }) }
                                                                    ^

ConfigError: cannot read the configuration
    at file:///shop/n2.mjs:3:69
    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)
  [cause]: Error: ENOENT: no such file or directory, open '/shop/none.json'
      at Object.openSync (node:fs:573:18)
      at readFileSync (node:fs:452:35)
      at file:///shop/n2.mjs:3:7
      at ModuleJob.run (node:internal/modules/esm/module_job:325:25)
    errno: -2,
    code: 'ENOENT',
    syscall: 'open',
    path: '/shop/none.json'
  }
}

Node.js v20.20.2`,
  nodeJson: `<anonymous_script>:1
{bad
 ^

SyntaxError: Expected property name or '}' in JSON at position 1
    at JSON.parse (<anonymous>)
    at Object.<anonymous> (/shop/n8.cjs:2:16)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)

Node.js v20.20.2`,
  nodeSyntax: `/shop/n9.cjs:2



SyntaxError: Unexpected end of input
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)

Node.js v20.20.2`,
  pythonChain: `Traceback (most recent call last):
  File "/shop/p1.py", line 2, in a
    try: {}["k"]
         ~~^^^^^
KeyError: 'k'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/shop/p1.py", line 4, in <module>
    a()
  File "/shop/p1.py", line 3, in a
    except KeyError as e: raise ValueError("no k\\nsecond line") from e
                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
ValueError: no k
second line`,
  pythonSyntax: `  File "/shop/p4.py", line 1
    def f(:
          ^
SyntaxError: invalid syntax`,
  mochaHook: `

  cart
    1) "before all" hook for "deep"


  0 passing (2ms)
  1 failing

  1) cart
       "before all" hook for "deep":
     Error: db is not up
      at Context.<anonymous> (a.spec.cjs:2:68)
      at process.processImmediate (node:internal/timers:483:21)`,
  mocha: `

  cart
    1) deep
    2) throws
    3) slow
    4) string diff


  0 passing (60ms)
  4 failing

  1) cart
       deep:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
+ actual - expected

  {
    a: 1,
    b: {
+     c: 2
-     c: 3
    }
  }
      + expected - actual

       {
         "a": 1
         "b": {
      -    "c": 2
      +    "c": 3
         }
       }
      
      at Context.<anonymous> (a.spec.cjs:3:26)
      at process.processImmediate (node:internal/timers:483:21)

  2) cart
       throws:
     TypeError: x is not a function
      at Context.<anonymous> (a.spec.cjs:4:29)
      at process.processImmediate (node:internal/timers:483:21)

  3) cart
       slow:
     Error: Timeout of 50ms exceeded. For async tests and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves. (/shop/mocha/a.spec.cjs)
      at listOnTimeout (node:internal/timers:581:17)

  4) cart
       string diff:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
+ actual - expected

+ 'hello world'
- 'hello there'
         ^
      + expected - actual

      -hello world
      +hello there
      
      at Context.<anonymous> (a.spec.cjs:6:33)
      at process.processImmediate (node:internal/timers:483:21)`,
  nodeTestHook: `▶ cart
  ✖ deep
    'test did not finish before its parent and was cancelled'

  ✖ rejects
    'test did not finish before its parent and was cancelled'

  ✖ match
    'test did not finish before its parent and was cancelled'

  ✖ slow
    'test did not finish before its parent and was cancelled'

  ✖ unhandled
    'test did not finish before its parent and was cancelled'

✖ cart (1.117071ms)

  Error: db is not up
      at SuiteContext.<anonymous> (file:///shop/nt/a.test.mjs:3:68)
      at TestHook.runInAsyncScope (node:async_hooks:206:9)

ℹ tests 5
ℹ suites 1
ℹ pass 0
ℹ fail 0
ℹ cancelled 5
ℹ skipped 0
ℹ todo 0
ℹ duration_ms 129.289378

✖ failing tests:

test at a.test.mjs:4:3
✖ deep
  'test did not finish before its parent and was cancelled'

test at a.test.mjs:5:3
✖ rejects
  'test did not finish before its parent and was cancelled'

test at a.test.mjs:6:3
✖ match
  'test did not finish before its parent and was cancelled'

test at a.test.mjs:7:3
✖ slow
  'test did not finish before its parent and was cancelled'

test at a.test.mjs:8:3
✖ unhandled
  'test did not finish before its parent and was cancelled'

test at a.test.mjs:3:1
✖ cart (1.117071ms)
  Error: db is not up
      at SuiteContext.<anonymous> (file:///shop/nt/a.test.mjs:3:68)
      at TestHook.runInAsyncScope (node:async_hooks:206:9)`,
  vitestHook: `
 RUN  v3.2.7 /shop/vit

 ❯ a.test.ts (7 tests | 7 skipped) 4ms
   ↓ cart > eq
   ↓ cart > called
   ↓ cart > slow
   ↓ cart > rejects
   ↓ cart > greater
   ↓ cart > length
   ↓ cart > multi
line > name

⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  a.test.ts > cart
Error: db is not up
 ❯ a.test.ts:2:71
      1| import { beforeAll, describe, expect, it, vi } from "vitest"
      2| describe("cart", () => { beforeAll(() => { if (process.env.BAD) throw …
       |                                                                       ^
      3|   it("eq", () => expect({ a: 1, b: { c: 2 } }).toEqual({ a: 1, b: { c:…
      4|   it("called", () => { const f = vi.fn(); f(1); expect(f).toHaveBeenCa…

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯


 Test Files  1 failed (1)
      Tests  7 skipped (7)
   Start at  21:32:34
   Duration  369ms (transform 89ms, setup 0ms, collect 60ms, tests 4ms, environment 0ms, prepare 103ms)`,
  vitestSyntax: `
 RUN  v3.2.7 /shop/vitsyn


⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  a.test.ts [ a.test.ts ]
Error: Transform failed with 1 error:
/shop/vitsyn/lib.ts:2:0: ERROR: Expected identifier but found end of file
  Plugin: vite:esbuild
  File: /shop/vitsyn/lib.ts:2:0
  
  Expected identifier but found end of file
  1  |  export const x = {
  2  |  
     |  ^
  
 ❯ failureErrorWithLog node_modules/.pnpm/esbuild@0.28.2/node_modules/esbuild/lib/main.js:1752:15
 ❯ node_modules/.pnpm/esbuild@0.28.2/node_modules/esbuild/lib/main.js:1019:50
 ❯ responseCallbacks.<computed> node_modules/.pnpm/esbuild@0.28.2/node_modules/esbuild/lib/main.js:886:9
 ❯ handleIncomingPacket node_modules/.pnpm/esbuild@0.28.2/node_modules/esbuild/lib/main.js:941:12
 ❯ Socket.readFromStdout node_modules/.pnpm/esbuild@0.28.2/node_modules/esbuild/lib/main.js:864:7

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯


 Test Files  1 failed (1)
      Tests  no tests
   Start at  21:32:35
   Duration  288ms (transform 45ms, setup 0ms, collect 0ms, tests 0ms, environment 0ms, prepare 77ms)`,
  nodeExport: `file:///shop/n12.mjs:1
import { b } from "./lib.mjs"
         ^
SyntaxError: The requested module './lib.mjs' does not provide an export named 'b'
    at ModuleJob._instantiate (node:internal/modules/esm/module_job:213:21)

Node.js v20.20.2`,
  nodeReason: `node:internal/process/promises:389
      new UnhandledPromiseRejection(reason);
      ^

UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "plain text".
    at throwUnhandledRejectionsMode (node:internal/process/promises:389:7)
  code: 'ERR_UNHANDLED_REJECTION'
}

Node.js v20.20.2`,
  nodeValue: `
/shop/n13.cjs:1
throw "plain"
^
plain
(Use \`node --trace-uncaught ...\` to show where the exception was thrown)

Node.js v20.20.2`,
  goTest: `--- FAIL: TestTotal (0.00s)
    --- FAIL: TestTotal/ten (0.00s)
        cart_test.go:13: Total() = 40; want 45
    --- FAIL: TestTotal/empty (0.00s)
        cart_test.go:13: Total() = 40; want 45
--- FAIL: TestOpens (0.00s)
    cart_test.go:21: the database is not migrated
FAIL
FAIL	example.com/shop	0.003s
FAIL`,
  goVerbose: `=== RUN   TestTotal
=== RUN   TestTotal/ten
    cart_test.go:13: Total() = 40; want 45
=== RUN   TestTotal/empty
    cart_test.go:13: Total() = 40; want 45
--- FAIL: TestTotal (0.00s)
    --- FAIL: TestTotal/ten (0.00s)
    --- FAIL: TestTotal/empty (0.00s)
=== RUN   TestOpens
    cart_test.go:21: the database is not migrated
--- FAIL: TestOpens (0.00s)
=== RUN   TestPanics
--- PASS: TestPanics (0.00s)
FAIL
FAIL	example.com/shop	0.003s
FAIL`,
  goPanic: `--- FAIL: TestPanics (0.00s)
panic: runtime error: index out of range [0] with length 0 [recovered]
	panic: runtime error: index out of range [0] with length 0

goroutine 20 [running]:
testing.tRunner.func1.2({0x518a00, 0xc0000e6000})
	/usr/lib/go-1.19/src/testing/testing.go:1396 +0x24e
testing.tRunner.func1()
	/usr/lib/go-1.19/src/testing/testing.go:1399 +0x39f
panic({0x518a00, 0xc0000e6000})
	/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212
example.com/shop.First(...)
	/shop/cart.go:5
example.com/shop.TestPanics(0x0?)
	/shop/cart_test.go:27 +0x3f
testing.tRunner(0xc0000849c0, 0x52f348)
	/usr/lib/go-1.19/src/testing/testing.go:1446 +0x10b
created by testing.(*T).Run
	/usr/lib/go-1.19/src/testing/testing.go:1493 +0x35f
FAIL	example.com/shop	0.005s
FAIL`,
  jestSyntax: `FAIL ./a.test.js
  ● Test suite failed to run

    Jest encountered an unexpected token


    Details:

    SyntaxError: /shop/jestsyn/lib.js: Unexpected token (2:0)

      1 | exports.add = (a,b) => {
    > 2 |
        | ^

    > 1 | const { add } = require("./lib")
        |                 ^
      2 | describe("cart", () => {
      3 |   beforeEach(() => { if (process.env.BAD) throw new Error("db is not up") })
      4 |   test.each([[1, 2, 4], [2, 2, 4]])("adds %i and %i to %i", (a, b, c) => expect(add(a, b)).toBe(c))

      at constructor (node_modules/@babel/parser/src/parse-error.ts:96:45)
      at Parser.toParseError [as raise] (node_modules/@babel/parser/src/tokenizer/index.ts:1563:19)
      at Parser.raise [as unexpected] (node_modules/@babel/parser/src/tokenizer/index.ts:1603:16)
      at Parser.unexpected [as parseExprAtom] (node_modules/@babel/parser/src/parser/expression.ts:1440:22)

Test Suites: 1 failed, 1 total
Tests:       0 total`,
  jestHook: `FAIL ./a.test.js
  cart
    ✕ adds 1 and 2 to 4 (3 ms)
    ✕ adds 2 and 2 to 4 (1 ms)
    ✕ matches the snapshot
    ✕ rejects
    ✕ calls (2 ms)
    ✕ is slow

  ● cart › adds 1 and 2 to 4

    db is not up

      1 | const { add } = require("./lib")
      2 | describe("cart", () => {
    > 3 |   beforeEach(() => { if (process.env.BAD) throw new Error("db is not up") })
        |                                                 ^
      4 |   test.each([[1, 2, 4], [2, 2, 4]])("adds %i and %i to %i", (a, b, c) => expect(add(a, b)).toBe(c))
      5 |   test("matches the snapshot", () => expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] }))
      6 |   test("rejects", async () => { await expect(Promise.resolve(1)).rejects.toThrow("no") })

      at Object.<anonymous> (a.test.js:3:49)

  ● cart › adds 2 and 2 to 4

    db is not up

      1 | const { add } = require("./lib")
      2 | describe("cart", () => {
    > 3 |   beforeEach(() => { if (process.env.BAD) throw new Error("db is not up") })
        |                                                 ^
      4 |   test.each([[1, 2, 4], [2, 2, 4]])("adds %i and %i to %i", (a, b, c) => expect(add(a, b)).toBe(c))
      5 |   test("matches the snapshot", () => expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] }))
      6 |   test("rejects", async () => { await expect(Promise.resolve(1)).rejects.toThrow("no") })

      at Object.<anonymous> (a.test.js:3:49)

Test Suites: 1 failed, 1 total
Tests:       6 failed, 6 total`,
  jestDiff: `FAIL ./a.test.js
  ● cart › matches the snapshot

    expect(received).toEqual(expected) // deep equality

    - Expected  - 1
    + Received  + 1

      Object {
        "a": 1,
        "b": Array [
          1,
    -     3,
    +     2,
        ],
      }

      3 |   beforeEach(() => { if (process.env.BAD) throw new Error("db is not up") })
      4 |   test.each([[1, 2, 4], [2, 2, 4]])("adds %i and %i to %i", (a, b, c) => expect(add(a, b)).toBe(c))
    > 5 |   test("matches the snapshot", () => expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] }))
        |                                                                  ^
      6 |   test("rejects", async () => { await expect(Promise.resolve(1)).rejects.toThrow("no") })
      7 |   test("calls", () => { const f = jest.fn(); f(1); expect(f).toHaveBeenCalledWith(2) })
      8 |   test("is slow", async () => { await new Promise((r) => setTimeout(r, 400)) }, 100)

      at Object.toEqual (a.test.js:5:66)

Test Suites: 1 failed, 1 total
Tests:       5 failed, 1 passed, 6 total`,
  testify: `--- FAIL: TestTotal (0.00s)
    --- FAIL: TestTotal/ten (0.00s)
        cart_test.go:12:${" "}
            \tError Trace:\t/shop/cart_test.go:12
            \tError:      \tNot equal:${" "}
            \t            \texpected: 45
            \t            \tactual  : 40
            \tTest:       \tTestTotal/ten
    --- FAIL: TestTotal/opens (0.00s)
        cart_test.go:13:${" "}
            \tError Trace:\t/shop/cart_test.go:13
            \tError:      \tReceived unexpected error:
            \t            \tthe database is not migrated
            \tTest:       \tTestTotal/opens
    --- FAIL: TestTotal/true (0.00s)
        cart_test.go:14:${" "}
            \tError Trace:\t/shop/cart_test.go:14
            \tError:      \tShould be true
            \tTest:       \tTestTotal/true
            \tMessages:   \tten percent
FAIL
FAIL\texample.com/shop\t0.003s
FAIL`
} as const
