import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Corpus from "../src/sessions/Corpus.ts"
import * as ReplaySuite from "../src/stops/ReplaySuite.ts"

const attempt = (task: string, trial: number, prompt: ReadonlyArray<string>, written: string | null) =>
  ({
    task_id: task,
    trial,
    memories_in_prompt: prompt,
    outcome: written === null ? "success" : "fail",
    reflection_written: written
  }) satisfies ReplaySuite.Attempt

describe("the replay", () => {
  it.effect("gives each attempt the last three memories of its task, and counts what is not so", () =>
    Effect.gen(function* () {
      const found = yield* ReplaySuite.run([
        attempt("a", 0, [], " I went to the sink first."),
        attempt("b", 0, [], "The lamp stands on desk 1."),
        attempt("a", 1, [" I went to the sink first."], "I took the wrong plate."),
        attempt("a", 2, [" I went to the sink first.", "I took the wrong plate."], "The drawer was closed."),
        attempt("b", 1, ["something else"], null)
      ])
      const expected = { attempts: 5, withMemories: 3, reflections: 4, same: 4, altered: 0, shortened: 0 }
      assert.deepStrictEqual(found, { memory: expected, live: expected })
    })
  )

  const root = Corpus.directory()
  const isThere = root !== null && ReplaySuite.isThere(root)
  it.effect.skipIf(!isThere)(
    `of the Reflexion paper's runs finds the memories of every prompt${isThere ? "" : ` (${Corpus.skipped})`}`,
    () =>
      Effect.gen(function* () {
        const { live, memory } = yield* ReplaySuite.run(ReplaySuite.load(root ?? ""))
        for (const { altered, attempts, reflections, same, withMemories } of [memory, live])
          assert.deepStrictEqual([attempts, withMemories, same, reflections, altered], [334, 200, 334, 200, 0])
      })
  )
})
