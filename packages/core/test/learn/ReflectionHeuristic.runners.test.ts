import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { FailureContext } from "../../src/learn/lessons/FailureContext.ts"
import * as ReflectionHeuristic from "../../src/learn/lessons/ReflectionHeuristic.ts"
import { type Ran, runs } from "../support/runners.ts"

const failure = ({ failureType, output }: Ran): FailureContext => ({
  id: "f1",
  sessionId: "s1",
  taskId: "t1",
  subtaskId: "t1.1",
  subtaskDescription: "Mend the discount.",
  attemptNumber: 1,
  failureType,
  errorOutput: output,
  filesModified: [],
  previousReflections: [],
  createdAt: "2026-01-01T10:00:00.000Z"
})

const cell = (text: string): string =>
  text.replaceAll("|", "\\|").replaceAll("*", "\\*").replaceAll("_", "\\_").replaceAll("<", "\\<")

const expected = runs.map((ran) => {
  const { analysis, suggestion } = ReflectionHeuristic.reflect(failure(ran))
  return [ran.runner, cell(analysis), cell(suggestion)]
})

const page = readFileSync(fileURLToPath(new URL("../../../../docs/memory.md", import.meta.url)), "utf8")

/** The rows of the page's table, its head left out. */
const shown = page
  .slice(page.indexOf("<!-- heuristic:begin -->"), page.indexOf("<!-- heuristic:end -->"))
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2)
  .map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/u)
      .map((text) => text.trim())
  )

describe("the table of what the rules read, in docs/memory.md", () => {
  it.each(expected)("is what they make of what %s prints", (...row) => {
    assert.deepStrictEqual(
      shown.find(([runner]) => runner === row[0]),
      row
    )
  })

  it("has nothing else", () => {
    assert.deepStrictEqual(
      shown.map(([runner]) => runner),
      expected.map(([runner]) => runner)
    )
  })

  it("is of lessons that the rules are sure of", () => {
    for (const ran of runs) assert.isAtLeast(ReflectionHeuristic.reflect(failure(ran)).confidence, 0.5, ran.runner)
  })
})
