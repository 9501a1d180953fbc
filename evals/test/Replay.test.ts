import { assert, describe, it } from "@effect/vitest"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import { Effect } from "effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Corpus from "../src/sessions/Corpus.ts"

interface Attempt {
  readonly task_id: string
  readonly trial: number
  readonly memories_in_prompt: ReadonlyArray<string>
  readonly reflection_written: string | null
}

const attempt = (task_id: string, trial: number, memories_in_prompt: ReadonlyArray<string>, written: string | null) =>
  ({ task_id, trial, memories_in_prompt, reflection_written: written }) satisfies Attempt

const invented: ReadonlyArray<Attempt> = [
  attempt("a", 0, [], " I went to the sink first."),
  attempt("b", 0, [], "The lamp stands on desk 1."),
  attempt("a", 1, [" I went to the sink first."], "I took the wrong plate."),
  attempt("a", 2, [" I went to the sink first.", "I took the wrong plate."], null)
]

/** The ALFWorld runs of the Reflexion paper, 334 attempts; a few invented ones where they are not on this machine. */
const attempts = (): ReadonlyArray<Attempt> => {
  const file = Path.join(Corpus.directory() ?? "", "reflexion", "alfworld-replay.jsonl")
  if (!Fs.existsSync(file)) return invented
  const lines = Fs.readFileSync(file, "utf8").trim().split("\n")
  return lines.map((line): Attempt => JSON.parse(line))
}

describe("the memory", () => {
  it.effect("gives each attempt the lessons that stood in its prompt, word for word and in their order", () =>
    Effect.gen(function* () {
      const store = yield* ReflexionStore
      for (const { memories_in_prompt, reflection_written, task_id, trial } of attempts()) {
        const found = yield* store.getRecent(task_id)
        assert.deepStrictEqual(
          found.toReversed().map(({ analysis }) => analysis),
          memories_in_prompt
        )
        if (reflection_written === null) continue
        yield* store.append({
          id: `${task_id}-${trial}`,
          sessionId: "alfworld",
          taskId: task_id,
          subtaskId: task_id,
          attemptNumber: trial + 1,
          category: "approach_flaw",
          analysis: reflection_written,
          suggestion: "",
          actionItems: [],
          confidence: 0.5,
          createdAt: new Date().toISOString(),
          source: "model",
          model: null,
          tags: []
        })
      }
    }).pipe(Effect.provide(ReflexionStore.Memory))
  )
})
