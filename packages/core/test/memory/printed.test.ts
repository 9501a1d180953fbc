/** What the next attempt is told of failures that were really printed: the test, the place, both values or the message. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { FailureType } from "../../src/memory/lessons/FailureContext.ts"
import * as ReflectionHeuristic from "../../src/memory/lessons/ReflectionHeuristic.ts"
import * as RetryPrompt from "../../src/memory/lessons/RetryPrompt.ts"

type Row = readonly [name: string, type: FailureType, facts: ReadonlyArray<string>]

const rows: ReadonlyArray<Row> = [
  ["node-spec", "test_failure", ["takes the discount as a share", "cart.test.mjs:12", "4999.9", "4500"]],
  ["vitest-object", "test_failure", ["takes the quotes off", "parse.test.js:10", '"quoted": true', '"quoted": false']],
  ["jest-object", "test_failure", ["counts its items", "order.test.js:10", '"distinct": 2', '"distinct": 3']],
  ["pytest-equal", "test_failure", ["test_punctuation_is_dropped", "test_text.py:10", "tea-green", "tea,-green"]],
  ["unittest-lists", "test_failure", ["test_urgent_jobs_come_first", "line 9", "['urgent:c', 'a', 'b']"]],
  ["cargo-test", "test_failure", ["takes_a_share_off", "src/lib.rs:17", "4500", "4990"]],
  ["tsc-one", "typecheck_failure", ["src/account.ts(6", "Property 'name' does not exist on type 'Account'"]],
  ["java-exception", "runtime_error", ["Last.java:5", "Index: 2 Size: 2"]]
]

const plain = (text: string): string => text.replaceAll(/\s+/gu, " ")

describe("the next attempt's prompt", () => {
  it.each(rows)("names what %s printed", (name, failureType, facts) => {
    const errorOutput = readFileSync(new URL(`printed/${name}.txt`, import.meta.url), "utf8")
    const lesson = ReflectionHeuristic.make(
      {
        id: "failure",
        sessionId: "s",
        taskId: name,
        subtaskId: name,
        subtaskDescription: name,
        attemptNumber: 1,
        failureType,
        errorOutput,
        filesModified: [],
        previousReflections: [],
        createdAt: "2026-03-02T09:00:00.000Z"
      },
      { id: "lesson", createdAt: "2026-03-02T09:01:00.000Z" }
    )
    const prompt = plain(RetryPrompt.render([lesson]))
    for (const fact of facts) assert.include(prompt, fact)
  })
})
