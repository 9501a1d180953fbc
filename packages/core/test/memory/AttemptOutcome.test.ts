import { assert, describe, it } from "@effect/vitest"
import * as AttemptOutcome from "@reflexion/core/AttemptOutcome"
import { Either, FastCheck, Schema } from "effect"

const decodeSchema = Schema.decodeUnknownEither(AttemptOutcome.AttemptOutcome)

const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`

const sample: AttemptOutcome.AttemptOutcome = {
  id: "o1",
  taskId: null,
  sessionId: "s1",
  objective: "Fix the rounding of the cart",
  status: "failed",
  durationMs: 12,
  tools: ["bash"],
  loaded: [{ kind: "skill", name: "rounding" }],
  resultLength: 0,
  backend: "codex",
  at: "2026-03-01T10:00:00.000Z"
}

const text = FastCheck.oneof(
  FastCheck.string({ maxLength: 30 }),
  FastCheck.constantFrom(secret, `key ${secret} `.repeat(200), "x".repeat(100_000), "ä😀".repeat(3000))
)

const anyOutcome: FastCheck.Arbitrary<AttemptOutcome.AttemptOutcome> = FastCheck.record({
  id: text.filter((id) => id !== ""),
  taskId: FastCheck.option(text.filter((id) => id !== "")),
  sessionId: text,
  objective: text,
  status: FastCheck.constantFrom(...AttemptOutcome.Status.literals),
  durationMs: FastCheck.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  tools: FastCheck.array(text, { maxLength: 70 }),
  loaded: FastCheck.array(
    FastCheck.record({
      kind: FastCheck.constantFrom("skill" as const, "file" as const),
      name: text.filter((name) => name !== "")
    }),
    { maxLength: 120 }
  ),
  resultLength: FastCheck.option(FastCheck.nat()),
  backend: text,
  at: FastCheck.constantFrom("2026-03-01T10:00:00.000Z", "2026-03-01T10:00+02:00")
})

/** A value of a field, or a wrong one. */
const odd = FastCheck.constantFrom<unknown>(
  undefined,
  null,
  "",
  "x",
  "x".repeat(201),
  "x".repeat(2001),
  -1,
  0.5,
  3,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  [],
  ["x"],
  [3],
  [{ kind: "file", name: "a" }],
  [{ kind: "file", name: "" }],
  [{ kind: "rule", name: "a" }],
  [{ kind: "file", name: "a", more: 1 }],
  "completed",
  "2026-02-30T10:00:00Z",
  "2026-03-01T10:00:00",
  "2026-03-01T25:00:00Z"
)

const long = (middle: string): string => `${"x".repeat(5000)}${middle}${"y".repeat(5000)}`

const subject = (objective: string, taskId: string | null = null) => AttemptOutcome.subjectOf({ objective, taskId })

describe("an outcome as it is kept", () => {
  it("has no secret, fits its limits, decodes to itself, and stays as it is", () => {
    FastCheck.assert(
      FastCheck.property(anyOutcome, (given) => {
        const kept = AttemptOutcome.clean(given)
        const { id, sessionId, taskId, ...rest } = kept
        assert.notInclude(JSON.stringify(rest), secret)
        assert.isAtMost(Math.max(id.length, sessionId.length, taskId?.length ?? 0), AttemptOutcome.limits.id)
        assert.deepStrictEqual(Either.getOrThrow(decodeSchema(kept)), kept)
        assert.deepStrictEqual(AttemptOutcome.clean(kept), kept)
        assert.deepStrictEqual(AttemptOutcome.decode(AttemptOutcome.encode(given)), kept)
        assert.deepStrictEqual(
          AttemptOutcome.decode(JSON.stringify(given)),
          AttemptOutcome.decode(JSON.stringify({ ...given, more: 1 }))
        )
      }),
      { numRuns: 20 }
    )
  })

  it("tells long texts apart that differ in their middle", () => {
    const objectives = ["1", "2"].map(
      (middle) => AttemptOutcome.clean({ ...sample, objective: long(middle) }).objective
    )
    assert.notStrictEqual(objectives[0], objectives[1])
    const ids = ["1", "2"].map((middle) => AttemptOutcome.clean({ ...sample, id: long(middle) }).id)
    assert.notStrictEqual(ids[0], ids[1])
  })
})

describe("the quick reading of a line", () => {
  it("reads what the schema takes, as `clean` leaves it", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.constantFrom(...Object.keys(sample)), odd, (key, value) => {
        const one = { ...sample, [key]: value }
        const line = JSON.stringify(one)
        const decoded = decodeSchema(JSON.parse(line))
        assert.deepStrictEqual(
          AttemptOutcome.decode(line),
          Either.isRight(decoded) ? AttemptOutcome.clean(decoded.right) : null
        )
      }),
      { numRuns: 200 }
    )
    assert.deepStrictEqual(AttemptOutcome.decode(JSON.stringify({ ...sample, more: 1 })), sample)
    assert.deepStrictEqual(["", "no JSON", "[]", "null", "{}"].map(AttemptOutcome.decode), [
      null,
      null,
      null,
      null,
      null
    ])
  })
})

describe("the subject of an outcome", () => {
  it.each([
    ["a task's id", subject("go on", "t1"), "task:t1"],
    ["words, whatever the spaces", subject("  Fix the\n rounding "), "objective:Fix the rounding"],
    ["words in other letters", subject("修复购物车舍入"), "objective:修复购物车舍入"],
    ["too few words", subject("go on"), null],
    ["spaces alone", subject(" ".repeat(100)), null],
    ["15 bytes", subject("fix the roundin"), null],
    ["16 bytes", subject("fix the rounding"), "objective:fix the rounding"]
  ])("is given by %s", (_, found, expected) => {
    assert.strictEqual(found, expected)
  })
})
