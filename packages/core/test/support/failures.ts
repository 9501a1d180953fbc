/** Failures for tests. */
import type { FailureContext } from "../../src/memory/lessons/FailureContext.ts"

export const failure = (given: Partial<FailureContext> = {}): FailureContext => ({
  id: "f1",
  sessionId: "s1",
  taskId: "t1",
  subtaskId: "t1.1",
  subtaskDescription: "Take ten percent off carts of 100 and more.",
  attemptNumber: 2,
  failureType: "test_failure",
  errorOutput: printed.nodeTest,
  filesModified: ["src/cart.mjs"],
  previousReflections: [],
  createdAt: "2026-03-01T10:00:00.000Z",
  ...given
})

/** What failing programs of ours really printed: the runners of this machine, their stack frames left out. */
export const printed = {
  nodeTest: `TAP version 13
# Subtest: takes ten percent off
not ok 1 - takes ten percent off
  ---
  duration_ms: 2.984683
  location: '/shop/t/a.test.mjs:4:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
    
    40 !== 45
    
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 45
  actual: 40
  operator: 'strictEqual'
  stack: |-
  ...
# Subtest: keeps an empty cart
not ok 2 - keeps an empty cart
  ---
  duration_ms: 1.197552
  location: '/shop/t/a.test.mjs:5:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly deep-equal:
    + actual - expected
    
    + null
    - {
    -   total: 0
    - }
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected:
    total: 0
  actual: ~
  operator: 'deepStrictEqual'
  stack: |-
  ...
# Subtest: reads a name
not ok 3 - reads a name
  ---
  duration_ms: 0.181487
  location: '/shop/t/a.test.mjs:6:1'
  failureType: 'testCodeFailure'
  error: "Cannot read properties of undefined (reading 'name')"
  code: 'ERR_TEST_FAILURE'
  name: 'TypeError'
  stack: |-
  ...
1..3
# pass 0
# fail 3`,
  unittest: `EF
======================================================================
ERROR: test_key (__main__.T.test_key)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/shop/t_unit.py", line 6, in test_key
    {}["a"]
    ~~^^^^^
KeyError: 'a'

======================================================================
FAIL: test_ten (__main__.T.test_ten)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/shop/t_unit.py", line 4, in test_ten
    self.assertEqual(50-10, 45)
AssertionError: 40 != 45

----------------------------------------------------------------------
Ran 2 tests in 0.001s

FAILED (failures=1, errors=1)`,
  pytest: `FFF                                                                      [100%]
=================================== FAILURES ===================================
__________________________________ T.test_key __________________________________

self = <test_p.T testMethod=test_key>

    def test_key(self):
>       {}["a"]
E       KeyError: 'a'

test_p.py:6: KeyError
__________________________________ T.test_ten __________________________________

self = <test_p.T testMethod=test_ten>

    def test_ten(self):
>       self.assertEqual(50-10, 45)
E       AssertionError: 40 != 45

test_p.py:4: AssertionError
____________________________________ test_b ____________________________________

    def test_b():
>       assert 50 - 10 == 45
E       assert (50 - 10) == 45

test_p.py:9: AssertionError
=========================== short test summary info ============================
FAILED test_p.py::T::test_key - KeyError: 'a'
FAILED test_p.py::T::test_ten - AssertionError: 40 != 45
FAILED test_p.py::test_b - assert (50 - 10) == 45
3 failed in 1.05s`,
  cargo: `
running 2 tests
test tests::ten_percent ... FAILED
test tests::panics ... FAILED

failures:

---- tests::ten_percent stdout ----

thread 'tests::ten_percent' (13211) panicked at src/lib.rs:6:24:
assertion \`left == right\` failed
  left: 40
 right: 45

---- tests::panics stdout ----

thread 'tests::panics' (13210) panicked at src/lib.rs:8:54:
index out of bounds: the len is 0 but the index is 1


failures:
    tests::panics
    tests::ten_percent

test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.15s

error: test failed, to rerun pass \`--lib\``,
  tsc: `a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.
a.ts(2,42): error TS2339: Property 'e' does not exist on type '{ d: string; }'.`,
  javac: `A.java:1: error: incompatible types: String cannot be converted to int
public class A { public static void main(String[] a) { String s = null; int x = "y"; } }
                                                                                ^
1 error`,
  java: `Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "<local1>" is null
	at B.main(B.java:1)`,
  node: `file:///shop/e.mjs:2
const f = () => u.name
                  ^

TypeError: Cannot read properties of undefined (reading 'name')
    at f (file:///shop/e.mjs:2:19)
    at file:///shop/e.mjs:3:1
    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)
    at async ModuleLoader.import (node:internal/modules/esm/loader:606:24)
    at async asyncRunEntryPointWithESMLoader (node:internal/modules/run_main:117:5)

Node.js v20.20.2`,
  pythonModule: `Traceback (most recent call last):
  File "/shop/m.py", line 1, in <module>
    import nothere
ModuleNotFoundError: No module named 'nothere'`,
  command: `bash: line 1: frobnicate: command not found`
} as const
