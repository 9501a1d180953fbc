/** Laws of loops: the fold works over any events, and text that changes from run to run makes no difference. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as Loops from "../../src/judge/loops/Loops.ts"
import { Loop } from "../../src/session/facts/Loop.ts"
import type { ToolCall, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { anyEvent } from "../support/anyEvents.ts"
import { run, user } from "../support/events.ts"
import { list } from "../support/rows.ts"

const fold = (all: ReadonlyArray<TranscriptEvent>): Loops.Loops => all.reduce(Loops.step, Loops.initial)

const isLoops = Schema.is(Schema.Array(Loop))

const isHeard = (one: TranscriptEvent): boolean =>
  one.type !== "tool_call" ||
  (one.agentId === null && !["pending", "running", "interrupted"].includes(one.status ?? ""))

const events = fc.array(anyEvent, { maxLength: 60 })

it("the fold over any events is bounded, and gives loops with calls in a line each and a text", () => {
  fc.assert(
    fc.property(events, (all) => {
      const state = fold(all)
      // The state has at most sixty-four calls with their summaries, and little else.
      assert.isBelow(JSON.stringify(state).length, 32_000)
      const loops = Loops.read(state)
      assert.isTrue(isLoops(loops))
      for (const loop of loops) {
        assert.isBelow(Loops.feedback(loop).length, 2001)
        assert.isAbove(loop.count, 2)
        for (const { summary } of loop.calls) assert.isTrue(summary.length <= 120 && !summary.includes("\n"))
      }
      // The fold starts again at the user's words. It ignores subagents and calls that are not settled.
      assert.deepStrictEqual(fold([...all, user("And now?")]), Loops.initial)
      assert.deepStrictEqual(state, fold(all.filter(isHeard)))
    })
  )
})

/** The texts that replace `{…}`: another text each time, and of another length. */
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

const commands = ["npm test", "./check --run {uuid} --since {time}", "cat a.ts", "python x.py", "sed -i s/a/b/ a.ts"]

const outputs = list`
    1 failed, 3 passed in {duration} ¦ {time} GET http://localhost:{port}/x took {duration} ¦ src/a.ts:{line}:7 error at {address} ¦ [{clock}] pid {pid} started
    ok
  `

const step = fc.record({ command: fc.nat({ max: 2 }), output: fc.nat({ max: 1 }), exitCode: fc.constantFrom(0, 1) })

/** Rounds of up to three steps, gone through a few times. */
const session = fc.record({
  commands: fc.shuffledSubarray([...commands], { minLength: 3 }),
  outputs: fc.shuffledSubarray([...outputs], { minLength: 2 }),
  steps: fc
    .array(fc.tuple(fc.array(step, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 6 })), { maxLength: 4 })
    .map((rounds) => rounds.flatMap(([round, times]) => Array.from({ length: times }, () => round).flat())),
  seed: fc.integer({ min: 1, max: 5000 })
})

type Session = typeof session extends fc.Arbitrary<infer A> ? A : never

const play = (self: Session, seed: number, isFixed = false): ReadonlyArray<ToolCall> =>
  self.steps.map(({ command, exitCode, output }, index) => {
    const of = (text: string | undefined, each: number) => fill(text ?? "", isFixed ? 7 : seed + index * each)
    const id = `c${index}`
    return run(of(self.commands[command], 17), exitCode, of(self.outputs[output], 29), { id })
  })

const shape = (calls: ReadonlyArray<ToolCall>): ReadonlyArray<ReadonlyArray<string>> =>
  calls.map((_, index) =>
    Loops.read(fold(calls.slice(0, index + 1))).map(
      ({ callIds, count, pattern, period }) => `${pattern} ${period}×${count} ${callIds.join(" ")}`
    )
  )

describe("what is found", () => {
  it("is something in many of these sessions, and the same whatever differs from run to run", () => {
    let looping = 0
    fc.assert(
      fc.property(session, (self) => {
        const found = shape(play(self, self.seed))
        if (found.some((loops) => loops.length > 0)) looping += 1
        assert.deepStrictEqual(found, shape(play(self, self.seed * 3 + 1)))
        assert.deepStrictEqual(found, shape(play(self, 1, true)))
      }),
      { numRuns: 25, seed: 7 }
    )
    assert.isAbove(looping, 5)
  })

  it("is a call to the letter that only a clock tells from the one before, and no poll that takes its time", () => {
    fc.assert(
      fc.property(fc.constantFrom("./clock", "./click 7", "python app.py"), fc.nat({ max: 4000 }), (command, seed) => {
        const calls = (seconds: number) =>
          Array.from({ length: 30 }, (_, index) =>
            run(command, 0, `at ${(seed + index * 7) % 60}`, { at: new Date(index * seconds * 1000).toISOString() })
          )
        const found = Loops.read(fold(calls(1))).map(({ count, pattern }) => `${pattern} ${count}`)
        assert.deepStrictEqual(found, ["same_result 30"])
        assert.deepStrictEqual(Loops.read(fold(calls(30))), [])
      })
    )
  })
})
