/** Reflections for tests. */
import * as Reflection from "@reflexion/core/Reflection"
import { FastCheck } from "effect"

export { bare as reflection } from "./bare.ts"

const word = FastCheck.constantFrom(
  "cart",
  "rounding",
  "total",
  "ä€😀",
  'quo"te',
  "back\\slash",
  "line\nbreak",
  "findOrder"
)

const sentence = FastCheck.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "))

/** Few keys, so that they meet again; among them such as JSON escapes. */
export const key = FastCheck.constantFrom("a", "b", "ä", 'c"d', "e\\f", "g\nh", "")

export const anyReflection = FastCheck.record({
  id: FastCheck.constantFrom("r1", "r2", "r3", "r4", "r5", 'r"6', "r\\7", "ä8"),
  sessionId: key,
  taskId: key,
  subtaskId: key,
  attemptNumber: FastCheck.integer({ min: 1, max: 4 }),
  category: FastCheck.constantFrom(...Reflection.Category.literals),
  analysis: sentence,
  suggestion: sentence,
  actionItems: FastCheck.array(sentence, { maxLength: 3 }),
  confidence: FastCheck.constantFrom(0, 0.25, 1),
  createdAt: FastCheck.constantFrom("2026-01-01T00:00:00.000Z", "2026-03-01T10:00:00.123Z", "2026-03-01", "some day"),
  source: FastCheck.constantFrom(null, ...Reflection.Source.literals),
  model: FastCheck.constantFrom(null, "openai/gpt-5"),
  tags: FastCheck.array(word, { maxLength: 2 })
}) satisfies FastCheck.Arbitrary<Reflection.Reflection>
