import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import { Reflection } from "../../src/memory/lessons/Reflection.ts"
import { decode } from "../../src/memory/store/MemoryLine.ts"
import { reflection } from "../support/reflections.ts"

const event = {
  event: "outcome",
  success: true,
  at: "2026-01-31T10:05:00.000Z",
  reflectionIds: ["r1"],
  taskId: "shop",
  subtaskId: null,
  attemptNumber: 2
}
const ofAttempt = {
  at: Schema.String,
  reflectionIds: Schema.Array(Schema.String),
  taskId: Schema.NullOr(Schema.String),
  subtaskId: Schema.NullOr(Schema.String),
  attemptNumber: Schema.NullOr(Schema.Int.pipe(Schema.positive()))
}

const MemoryEvent = Schema.Union(
  Schema.Struct({ event: Schema.Literal("use"), kind: Schema.Literal("injected", "used"), ...ofAttempt }),
  Schema.Struct({ event: Schema.Literal("outcome"), success: Schema.Boolean, ...ofAttempt })
)

const { success: _, ...rest } = event
const use = { ...rest, event: "use", kind: "injected" }

/** A value of a field, or a wrong one. */
const odd = FastCheck.constantFrom<unknown>(
  undefined,
  null,
  "",
  "x",
  "root_cause",
  "human",
  "used",
  "use",
  -1,
  0,
  0.5,
  1,
  2 ** 60,
  true,
  [],
  ["x"],
  [3],
  {}
)

const decoded = (schema: Schema.Schema.AnyNoContext, value: unknown): unknown =>
  Either.getOrNull(Schema.decodeUnknownEither(schema)(value))

describe("a line of the memory", () => {
  it.each([
    ["a lesson", reflection({ id: "r1" })],
    ["an outcome", event],
    ["a use", use]
  ] as const)("is read as the schema says: %s", (_, sample) => {
    FastCheck.assert(
      FastCheck.property(FastCheck.constantFrom(...Object.keys(sample)), odd, (key, value) => {
        const line = JSON.stringify({ ...sample, [key]: value })
        const parsed: object = JSON.parse(line)
        assert.deepStrictEqual<unknown>(decode(line), decoded("event" in parsed ? MemoryEvent : Reflection, parsed))
      }),
      { numRuns: 300 }
    )
  })

  it("has its defaults where others left fields out, and no field of theirs", () => {
    const { model: _model, source: _source, tags: _tags, ...eleven } = reflection({ id: "r1" })
    assert.deepStrictEqual<unknown>(decode(JSON.stringify({ ...eleven, cost: 3 })), {
      ...eleven,
      source: null,
      model: null,
      tags: []
    })
    assert.deepStrictEqual(["", "no JSON", "[]", "null", "{}"].map(decode), [null, null, null, null, null])
  })
})
