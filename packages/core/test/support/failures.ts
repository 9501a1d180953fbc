import { readdirSync, readFileSync } from "node:fs"
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

const folder = new URL("../memory/printed/", import.meta.url)

export const files: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder).map((name) => [name.replace(".txt", ""), readFileSync(new URL(name, folder), "utf8")])
)

/** The real output of programs on this machine, without stack frames. */
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
1..2
# pass 0
# fail 2`,
  javac: `A.java:1: error: incompatible types: String cannot be converted to int
public class A { public static void main(String[] a) { String s = null; int x = "y"; } }
                                                                                ^
1 error`,
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
