import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as Words from "../../src/session/config/todoWords.ts"
import * as TodoPattern from "../../src/session/config/TodoPattern.ts"
import type { Todo } from "../../src/session/transcript/Transcript.ts"

describe("a todo that is to write code", () => {
  it.each([
    "Implement the login",
    "- [ ] Fix the failing parser test",
    "2. Refactor src/store.ts",
    "**Add** a retry to the fetch helper",
    "Step 3: create the settings page",
    "rewrite the date parser",
    "Remove the old flag",
    "Renaming the module",
    "Replaced the cache",
    "Updating the schema of the orders table"
  ])("is %j", (content) => {
    assert.isTrue(Words.isImplementation(content))
  })

  it.each([
    "Write a plan for the login",
    "Read the code of the parser",
    "Review what was implemented",
    "Create an issue about the flaky test",
    "Update the documentation",
    "Ask the user which database to use",
    "Run the tests",
    "Address the review",
    "Code review of the parser",
    "Move on to the next ticket",
    "Name three options",
    "Place the order",
    "",
    "Addition of numbers is explained in the report"
  ])("is not %j", (content) => {
    assert.isFalse(Words.isImplementation(content))
  })
})

describe("a todo that is given to another agent", () => {
  it.each([
    "@explore find where orders are stored",
    "Login page (@frontend)",
    "Delegate the tests to whoever is free",
    "Have the review agent look at the diff",
    "Start a subagent for the docs",
    "Agent: coder, write the parser",
    "coder: write the parser",
    "Give the parser to coder",
    "Write the parser (by coder)"
  ])("is %j", (content) => {
    assert.isTrue(Words.isDelegated(content, ["coder"]))
  })

  it.each([
    "Write to support@example.org",
    "Upgrade @effect/platform",
    "Add the @Injectable() decorator",
    "Implement the decoder",
    "Dispatch the action in the reducer",
    "Spawn a child process for each file",
    "Parse the user agent's header"
  ])("is not %j", (content) => {
    assert.isFalse(Words.isDelegated(content, ["coder"]))
  })
})

const todo = (content: string, status: Todo["status"] = "pending"): Todo => ({ id: null, content, status })

describe("a condition", () => {
  const todos = [todo("Write the parser"), todo("Ask the user", "completed"), todo("@coder test it", "in_progress")]

  it.each([
    [{ count: {} }, true],
    [{ count: {}, atLeast: 4 }, false],
    [{ count: { status: ["completed"] }, atMost: 0 }, false],
    [{ count: { status: ["cancelled"] }, atMost: 0 }, true],
    [{ count: { contains: ["PARSER"] } }, true],
    [{ count: { delegated: true }, atLeast: 1, atMost: 1 }, true],
    [{ all: [{ count: { implementation: true } }, { not: { count: { contains: ["deploy"] } } }] }, true],
    [{ any: [{ count: { contains: ["deploy"] } }, { count: { contains: ["release"] } }] }, false]
  ] as const)("%j is %j", (given, expected) => {
    const condition = Schema.decodeUnknownSync(TodoPattern.Condition)(given)
    assert.strictEqual(TodoPattern.holds(condition, todos), expected)
  })

  it.each([
    {},
    { count: { state: 1 }, atLeast: -1 },
    { count: {}, atLeast: 1.5 },
    { all: {} },
    { all: [] },
    { atLeast: 1 },
    { count: {}, not: { count: {} } },
    { count: { contains: [] } },
    { count: { contains: [" "] } },
    { not: { not: { not: { not: { count: {} } } } } }
  ])("%j is refused", (given) => {
    assert.isTrue(Either.isLeft(Schema.decodeUnknownEither(TodoPattern.Condition)(given)))
  })

  it("is about the todos that it counts", () => {
    const condition = { any: [{ count: { contains: ["user"] } }, { count: { contains: ["deploy"] } }] }
    assert.deepStrictEqual(TodoPattern.meant(condition, todos), todos.slice(1, 2))
    assert.deepStrictEqual(TodoPattern.meant({ not: { count: { contains: ["deploy"] } } }, todos), [])
  })
})
