import { assert, describe, it } from "@effect/vitest"
import * as Mangled from "@reflexion/testing/samples/Mangled"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import { FastCheck as fc } from "effect"
import * as OpenCodeEvents from "../src/host/OpenCodeEvents.ts"

const rows = Decoding.rows(new URL("events.rows.jsonl", import.meta.url))

/** The events, each as its tag and its fields. Only sessions other than the first are named. */
const told = (events: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const { take } = OpenCodeEvents.make()
  return events
    .flatMap((one) => take(one, 1000))
    .map(({ event, sessionId }) => {
      const { _tag, at: _, ...rest } = event
      return `${sessionId === "s1" ? "" : `${sessionId}:`}${[_tag, ...Object.values(rest)].join(" ")}`.trim()
    })
}

describe("the host's events", () => {
  it.each(rows)("%s", (_, { from, to }) => {
    assert.deepStrictEqual(told(from), to)
  })

  it("malformed events never throw, and an answer is at most one stop", () => {
    const samples = rows.flatMap(([, { from }]) => from).filter((one) => typeof one === "object" && one !== null)
    const value = Mangled.value(samples, ["s1", "s2", "m1", "m2", "stop", "user", "assistant"])
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), (events) => {
        const { signOf, take } = OpenCodeEvents.make()
        let stops = 0
        for (const one of events) {
          signOf(one)
          stops += take(one, 0).filter((what) => what.event._tag === "Idle").length
        }
        const answers = new Set(events.flatMap((one) => (JSON.stringify(one)?.includes("finish") ? [one] : [])))
        assert.isAtMost(stops, answers.size)
      })
    )
  })

  it("after many sessions the oldest is forgotten, and its next event counts as its first", () => {
    const { take } = OpenCodeEvents.make()
    const begin = (session: number) =>
      take({ type: "session.created", properties: { info: { id: `s${session}`, parentID: "s1" } } }, 0)
    const all = Array.from({ length: 2000 }, (_, session) => begin(session + 2))
    assert.isTrue(all.every(({ length }) => length === 1))
    assert.lengthOf(begin(2001), 0)
    assert.lengthOf(begin(2), 1)
  })
})
