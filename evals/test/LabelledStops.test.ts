import { assert, it } from "@effect/vitest"
import * as Support from "../../packages/core/test/support/events.ts"
import type { Stop } from "../src/sessions/Corpus.ts"
import * as LabelledStops from "../src/sessions/LabelledStops.ts"

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()

const user = (minute: number, turn: number) => Support.user("Do it.", { at: at(minute), turn })

const agent = (minute: number) => ({ ...Support.agent("Done."), at: at(minute) })

const label = (turn: number, minute: number, more: Partial<Stop> = {}): Stop => ({
  session: "x",
  turn,
  userMessageAt: at(minute),
  sample: "random",
  kinds: ["complete"],
  push: false,
  why: [],
  ...more
})

it("a label's stop is its turn's end or its named event; lost labels are reported", () => {
  const whole = Support.transcript([user(0, 0), agent(1), agent(2), user(3, 1), agent(4)])
  const lengthOf = (stop: Stop) => LabelledStops.upTo(whole, stop)?.events.length
  assert.strictEqual(lengthOf(label(0, 0)), 3)
  assert.strictEqual(lengthOf(label(1, 3)), 5)
  assert.strictEqual(lengthOf(label(0, 0, { stoppedAt: at(1) })), 2)
  const joined = Support.transcript([user(0, 0), user(1, 0), agent(2)])
  assert.strictEqual(LabelledStops.upTo(joined, label(1, 1))?.events.length, 3)
  const [found, lost] = [label(0, 0), label(0, 9)]
  assert.isUndefined(lengthOf(lost))
  const read = LabelledStops.ofSession("shop", whole, [found, lost])
  assert.deepStrictEqual([read.found.map(({ stop }) => stop), read.lost], [[found], [lost]])
})
