import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Loops from "../../src/judge/loops/Loops.ts"
import { Loop } from "../../src/session/facts/Loop.ts"
import type { ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"

const literal = <const Values extends ReadonlyArray<string>>(...values: Values): fc.Arbitrary<Values[number]> =>
  fc.constantFrom<Values[number]>(...values)

const text = fc.oneof(
  fc.constantFrom(
    "npm test",
    "cd x && npm test 2>&1 | tail -n 3; echo $?",
    "cat > a <<'EOF'\nx\nEOF",
    "sleep 5; gh pr checks",
    "sed -i s/a/b/ a",
    "((((",
    "$(",
    "prompt is too long",
    "1 failed, 3 passed in 0.12s",
    "__proto__"
  ),
  fc.string({ maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
  fc
    .tuple(
      fc.constantFrom(
        "9",
        "a ",
        "\n",
        "/tmp/",
        ":1",
        "\u001b[",
        "\u2801",
        "x:",
        "'",
        "cd a && ",
        "Let me look again. "
      ),
      fc.integer({ min: 0, max: 4000 })
    )
    .map(([unit, times]) => unit.repeat(times))
)

const id = fc.option(fc.constantFrom("1", "2", "3", "", "__proto__"), { nil: null })

const input = fc.oneof(
  text.map((command) => ({ command })),
  fc.record({ command: fc.array(text, { maxLength: 3 }), workdir: text }),
  fc.record({ file_path: text, old_string: text, new_string: text }),
  text,
  fc.jsonValue(),
  fc.constantFrom(undefined, () => 1, Number.NaN, { action: "poll" }, { __proto__: null })
)

const callEvent = fc.record({
  type: fc.constant("tool_call" as const),
  id,
  at: fc.constant(null),
  endedAt: fc.constant(null),
  tool: fc.oneof(fc.constantFrom("Bash", "Edit", "Read", "Grep", "BashOutput", "browser_click", "__proto__", ""), text),
  input,
  cwd: fc.option(fc.constantFrom("/repo", ""), { nil: null }),
  background: fc.boolean(),
  agentId: fc.option(fc.constant("agent"), { nil: null, freq: 8 }),
  status: fc.option(literal("pending", "running", "completed", "error", "denied", "interrupted"), { nil: null }),
  exitCode: fc.option(fc.integer({ min: -2, max: 300 }), { nil: null }),
  output: fc.option(text, { nil: null })
})

const event: fc.Arbitrary<TranscriptEvent> = fc.oneof(
  { weight: 6, arbitrary: callEvent },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("assistant_message" as const),
      id,
      at: fc.constant(null),
      text,
      completed: fc.option(fc.boolean(), { nil: null }),
      outputTokens: fc.constant(null),
      model: fc.constant(null)
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("user_message" as const),
      id,
      at: fc.constant(null),
      text,
      synthetic: fc.boolean()
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("notice" as const),
      at: fc.constant(null),
      kind: literal("aborted", "compacted", "api_error", "rate_limited", "background_running", "input_queued"),
      detail: fc.option(text, { nil: null })
    })
  },
  { weight: 1, arbitrary: fc.constant<TranscriptEvent>({ type: "mode_change", at: null, mode: "plan" }) }
)

const events = fc.array(event, { maxLength: 60 })

const fold = (all: ReadonlyArray<TranscriptEvent>, from: Loops.Loops = Loops.initial): Loops.Loops =>
  all.reduce(Loops.step, from)

/** Sixty-four calls with their summaries, and what else there is. */
const maxState = 32_000

const readAll = (state: Loops.Loops): ReadonlyArray<Loops.Loop> => Loops.read(state)

describe("the fold over any events", () => {
  it("is total, and its state stays bounded", () => {
    fc.assert(
      fc.property(events, (all) => {
        let state = Loops.initial
        for (const one of all) {
          state = Loops.step(state, one)
          readAll(state)
        }
        assert.isBelow(JSON.stringify(state).length, maxState)
      }),
      { numRuns: 30 }
    )
  })

  it("gives loops of its schema, with calls in a line each, and text on every one", () => {
    const isLoop = Schema.is(Schema.Array(Loop))
    fc.assert(
      fc.property(events, (all) => {
        const loops = readAll(fold(all))
        assert.isTrue(isLoop(loops))
        for (const loop of loops) {
          assert.isBelow(Loops.feedback(loop).length, 2001)
          assert.isAbove(loop.count, 2)
          for (const { summary } of loop.calls) assert.isTrue(summary.length <= 120 && !summary.includes("\n"))
        }
      }),
      { numRuns: 30 }
    )
  })

  it("begins anew with what the user says", () => {
    fc.assert(
      fc.property(events, (all) => {
        const said: TranscriptEvent = { type: "user_message", id: null, at: null, text: "And now?", synthetic: false }
        assert.deepStrictEqual(fold([...all, said]), Loops.initial)
      }),
      { numRuns: 20 }
    )
  })

  it("hears nothing of subagents, nor of calls that are not settled", () => {
    fc.assert(
      fc.property(events, (all) => {
        const heard = all.filter(
          (one) =>
            one.type !== "tool_call" ||
            (one.agentId === null && !["pending", "running", "interrupted"].includes(one.status ?? ""))
        )
        assert.deepStrictEqual(fold(all), fold(heard))
      }),
      { numRuns: 20 }
    )
  })
})

/** What a text has in the places of `{…}`: something else each time, and never of the same length. */
const volatile: Readonly<Record<string, (seed: number) => string>> = {
  time: (seed) => new Date(1_772_000_000_000 + seed * 977_777).toISOString(),
  clock: (seed) => `${(seed % 23) + 1}:${String(seed % 60).padStart(2, "0")}`,
  duration: (seed) => `${(seed * 7) % 900}.${seed % 97}s`,
  pid: (seed) => String(seed * 31),
  uuid: (seed) => `8f14e45f-ceea-467f-ab31-${(seed * 99_991).toString(16).padStart(12, "0").slice(-12)}`,
  address: (seed) => `0x7f${(seed * 65_537).toString(16)}`,
  port: (seed) => String(1024 + ((seed * 13) % 60_000)),
  line: (seed) => String(1 + ((seed * 3) % 4000))
}

const fill = (template: string, seed: number): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => volatile[name]?.(seed) ?? name)

const commands = [
  "npm test",
  "./check --run {uuid} --since {time}",
  "cat a.ts",
  "python reproduce.py",
  "sed -i s/a/b/ a.ts"
]

const outputs = [
  "1 failed, 3 passed in {duration}",
  "{time} GET http://localhost:{port}/x took {duration}",
  "src/a.ts:{line}:7 error at {address}",
  "[{clock}] pid {pid} started",
  "ok",
  "{uuid}",
  "a\nb\nc"
]

const step = fc.record({ command: fc.nat({ max: 2 }), output: fc.nat({ max: 1 }), exitCode: fc.constantFrom(0, 1) })

/** Rounds of up to three steps, gone through a few times. */
const steps = fc
  .array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 6 })), {
    minLength: 1,
    maxLength: 4
  })
  .map((rounds) => rounds.flatMap(([round, times]) => Array.from({ length: times }, () => round).flat()))

const session = fc.record({
  commands: fc.shuffledSubarray(commands, { minLength: 3 }),
  outputs: fc.shuffledSubarray(outputs, { minLength: 2 }),
  steps,
  seed: fc.integer({ min: 1, max: 5000 })
})

type Session = typeof session extends fc.Arbitrary<infer A> ? A : never

const once = (command: string, output: string): ToolCall => ({
  type: "tool_call",
  id: null,
  at: null,
  endedAt: null,
  tool: "Bash",
  input: { command },
  cwd: null,
  background: false,
  agentId: null,
  status: "completed",
  exitCode: 0,
  output
})

const play = (self: Session, seed: number): ReadonlyArray<ToolCall> =>
  self.steps.map(({ command, exitCode, output }, index) => ({
    ...once(fill(self.commands[command] ?? "", seed + index * 17), fill(self.outputs[output] ?? "", seed + index * 29)),
    id: `c${index}`,
    status: exitCode === 0 ? "completed" : "error",
    exitCode
  }))

const shape = (calls: ReadonlyArray<ToolCall>): ReadonlyArray<ReadonlyArray<string>> =>
  calls.map((_, index) =>
    readAll(fold(calls.slice(0, index + 1))).map(
      ({ callIds, count, pattern, period }) => `${pattern} ${period}×${count} ${callIds.join(" ")}`
    )
  )

describe("what is found", () => {
  it("is something in many of these sessions", () => {
    const sample = fc.sample(session, { numRuns: 60, seed: 7 })
    const looping = sample.filter((self) => shape(play(self, self.seed)).some((loops) => loops.length > 0))
    assert.isAbove(looping.length, 10)
    assert.isBelow(looping.length, 60)
  })

  it("does not depend on what differs from run to run", () => {
    fc.assert(
      fc.property(session, (self) => {
        assert.deepStrictEqual(shape(play(self, self.seed)), shape(play(self, self.seed * 3 + 1)))
      }),
      { numRuns: 30 }
    )
  })

  it("is a call to the letter that only a clock tells from the one before, and no poll that takes its time", () => {
    fc.assert(
      fc.property(fc.constantFrom("./clock", "./click 7", "python app.py"), fc.nat({ max: 4000 }), (command, seed) => {
        const calls = (seconds: number): ReadonlyArray<ToolCall> =>
          Array.from({ length: 30 }, (_, index) => ({
            ...once(command, `at ${(seed + index * 7) % 60}`),
            at: new Date(index * seconds * 1000).toISOString()
          }))
        assert.deepStrictEqual(
          readAll(fold(calls(1))).map(({ count, pattern }) => `${pattern} ${count}`),
          ["same_result 30"]
        )
        assert.deepStrictEqual(readAll(fold(calls(30))), [])
      }),
      { numRuns: 20 }
    )
  })

  it("is the same as if nothing differed", () => {
    fc.assert(
      fc.property(session, (self) => {
        const fixed = {
          ...self,
          commands: self.commands.map((one) => fill(one, 7)),
          outputs: self.outputs.map((one) => fill(one, 7))
        }
        assert.deepStrictEqual(shape(play(self, self.seed)), shape(play(fixed, 1)))
      }),
      { numRuns: 30 }
    )
  })
})
