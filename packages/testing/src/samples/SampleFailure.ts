/** A task whose tests fail, as Vitest prints it, for tests of what is learned from a failure. */

/** What the user asks for. */
export const task = "Fix the rounding in src/total.ts and make sure that the tests pass."

/** What the run of a failing test prints. */
export const output = (name: string, expected: string, received: string): string => `
 FAIL  test/total.test.ts > ${name}
AssertionError: expected ${received} to be ${expected}

- Expected
+ Received

- ${expected}
+ ${received}

 ❯ test/total.test.ts:7:5

 Test Files  1 failed (1)
      Tests  1 failed | 2 passed (3)
`
