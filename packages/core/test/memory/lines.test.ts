/** Compares the hand-written readers of the memory's lines with the schemas of these lines. */
import { assert, it } from "@effect/vitest"
import { Either, FastCheck as fc, Schema } from "effect"
import { Reflection } from "../../src/memory/lessons/Reflection.ts"
import * as AttemptOutcome from "../../src/memory/outcomes/AttemptOutcome.ts"
import * as MemoryLine from "../../src/memory/store/MemoryLine.ts"
import { bare as reflection } from "../support/bare.ts"
import { outcome } from "../support/outcomes.ts"
import { triples } from "../support/rows.ts"

const of = { reflectionIds: ["r1"], taskId: "shop", subtaskId: null, attemptNumber: 2, at: "2026-01-31T10:05:00.000Z" }

const ofAttempt = {
  at: Schema.String,
  reflectionIds: Schema.Array(Schema.String),
  taskId: Schema.NullOr(Schema.String),
  subtaskId: Schema.NullOr(Schema.String),
  attemptNumber: Schema.NullOr(Schema.Int.pipe(Schema.positive()))
}

const Use = Schema.Struct({ event: Schema.Literal("use"), kind: Schema.Literal("injected", "used"), ...ofAttempt })
const Outcome = Schema.Struct({ event: Schema.Literal("outcome"), success: Schema.Boolean, ...ofAttempt })

const words = ["", "x", "root_cause", "human", "used", "use", "completed", "warning", "task"]
const times = ["2026-03-01", "2026-02-30T10:00:00Z", "2026-03-01T10:00:00", "2026-03-01T25:00:00Z"]
const lists = [[], ["x"], [3], ...["", "a"].map((name) => [{ kind: "file", name }]), [{ kind: "rule", name: "a" }]]
const odd = [undefined, null, -1, 0, 0.5, 1, 3, 2 ** 60, true, {}, "x".repeat(201), "x".repeat(2001)]

const same = <A>(value: A): A => value

it.each<readonly [string, object, (line: string) => unknown, Schema.Schema.AnyNoContext, (one: never) => unknown]>([
  ["lessons", reflection({ id: "r1" }), MemoryLine.decode, Reflection, same],
  ["outcomes of lessons", { event: "outcome", success: true, ...of }, MemoryLine.decode, Outcome, same],
  ["uses of lessons", { event: "use", kind: "injected", ...of }, MemoryLine.decode, Use, same],
  ["outcomes", outcome({ id: "o1" }), AttemptOutcome.decode, AttemptOutcome.AttemptOutcome, AttemptOutcome.clean]
])("the reader of %s accepts exactly what its schema accepts", (_, sample, decode, schema, clean) => {
  const decoded = (value: object): unknown => {
    const read = Schema.decodeUnknownEither(schema)(value)
    return Either.isRight(read) ? clean(read.right as never) : null
  }
  for (const key of Object.keys(sample))
    for (const value of [...words, ...times, ...lists, ...odd]) {
      // A record with another `event` is of another kind.
      if (key === "event") continue
      const line = JSON.stringify({ ...sample, [key]: value })
      assert.deepStrictEqual(decode(line), decoded(JSON.parse(line)), line.slice(0, 300))
    }
  // For megabytes of brackets V8 needs 60 times as much memory. No record nests so deeply.
  const nested = "[".repeat(2_000_000)
  for (const line of ["", "no JSON", "[]", "null", "{}", nested, `{"id":"x","tags":${nested}`])
    assert.isNull(decode(line), line.slice(0, 30))
})

it("unknown fields are left out of lessons and outcomes", () => {
  const lesson = reflection({ id: "r1" })
  assert.deepStrictEqual<unknown>(MemoryLine.decode(JSON.stringify({ ...lesson, more: 1 })), lesson)
  const { loaded: _, taskId: _task, tools: _tools, ...rest } = outcome({ id: "o1" })
  const kept = { ...rest, taskId: null, tools: [], loaded: [] }
  assert.deepStrictEqual<unknown>(AttemptOutcome.decode(JSON.stringify({ ...rest, more: 1 })), kept)
})

const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.constantFrom(secret, `key ${secret} `.repeat(200), "ä😀".repeat(3000))
)
const anyOutcome = fc
  .record({
    id: text,
    taskId: fc.option(text),
    sessionId: text,
    objective: text,
    durationMs: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    tools: fc.array(text, { maxLength: 70 }),
    loaded: fc.array(fc.record({ kind: fc.constantFrom("skill" as const, "file" as const), name: text })),
    resultLength: fc.option(fc.nat()),
    backend: text
  })
  .map(outcome)

it("a cleaned outcome: no secret, within limits, unchanged by encoding or another cleaning", () => {
  fc.assert(
    fc.property(anyOutcome, (given) => {
      const kept = AttemptOutcome.clean(given)
      const { id, sessionId, taskId, ...rest } = kept
      assert.notInclude(JSON.stringify(rest), secret)
      const { limits } = AttemptOutcome
      assert.isAtMost(Math.max(id.length, sessionId.length, taskId?.length ?? 0), limits.id)
      assert.isAtMost(kept.objective.length, limits.objective)
      assert.isAtMost(kept.tools.length, limits.tools)
      assert.deepStrictEqual(AttemptOutcome.clean(kept), kept)
      assert.deepStrictEqual(AttemptOutcome.decode(AttemptOutcome.encode(given)), kept)
    }),
    { numRuns: 20 }
  )
})

it("long texts that differ only in their middle stay different", () => {
  const [one, other] = ["1", "2"].map((middle) => {
    const long = `${"x".repeat(5000)}${middle}${"y".repeat(5000)}`
    return AttemptOutcome.clean(outcome({ id: long, objective: long }))
  })
  assert.notStrictEqual(one?.objective, other?.objective)
  assert.notStrictEqual(one?.id, other?.id)
})

it.each(triples`
  go on :: task:t1 :: t1
  \  Fix the\n rounding \  :: objective:Fix the rounding
  修复购物车舍入 :: objective:修复购物车舍入
  go on ::
  fix the roundin ::
  fix the rounding :: objective:fix the rounding
`)("an outcome's subject: its task's id, or words of 16 bytes or more: %j → %j", (objective, expected, taskId) => {
  assert.strictEqual(AttemptOutcome.subjectOf({ objective, taskId: taskId === "" ? null : taskId }) ?? "", expected)
})
