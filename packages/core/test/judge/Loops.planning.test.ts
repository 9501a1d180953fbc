import { assert, describe, it } from "@effect/vitest"
import * as Loops from "../../src/judge/loops/Loops.ts"
import type { ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { call, run } from "../support/events.ts"

const read = (index: number) => call("Read", { file_path: `src/part-${index}.ts` }, { output: `text ${index}` })

const plans = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  Loops.read(events.reduce(Loops.step, Loops.initial), { coding: true }).map(({ pattern }) => pattern)

const edit = call("Edit", { file_path: "a.ts", old_string: "a", new_string: "b" })

const checked = (looks: number, check: (index: number) => ToolCall): ReadonlyArray<TranscriptEvent> =>
  Array.from({ length: looks }, (_, index) => (index % 6 === 5 ? [read(index), check(index)] : [read(index)])).flat()

const change = (index: number) => call("Edit", { file_path: "a.ts", old_string: `a${index}`, new_string: `b${index}` })

describe("planning with a check now and then", () => {
  it.each([
    ["tests", () => run("npm test", 0, "12 passed")],
    ["a type check", () => run("npx tsc --noEmit", 0)],
    ["a linter", () => run("npm run lint", 0, "no problems")]
  ] as const)("of %s is planning still", (_, check) => {
    assert.deepStrictEqual(plans(checked(20, check)), ["planning"])
    assert.deepStrictEqual(plans(checked(15, check)), [])
  })

  it("ends with an edit, and with a script of its own", () => {
    const looks = checked(18, () => run("npm test", 0, "12 passed"))
    assert.deepStrictEqual(plans([...looks, edit, read(30)]), [])
    assert.deepStrictEqual(plans([...looks, run("python reproduce.py", 0, "7"), read(30)]), [])
  })

  it("is none while one call in ten writes", () => {
    assert.deepStrictEqual(plans([change(1), change(2), ...checked(16, () => run("npm test", 0, "12 passed"))]), [])
  })
})
