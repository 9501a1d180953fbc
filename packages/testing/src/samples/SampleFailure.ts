/** A task and the output of its failing Vitest run, for tests of lessons. */

export const task = "Fix the rounding in src/total.ts and make sure that the tests pass."

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
