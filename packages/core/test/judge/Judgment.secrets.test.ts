import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { redact, redactJson } from "../../src/base/redaction/Redaction.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, folded, notice, run, todos, user } from "../support/events.ts"
import { contexts, pem, tokens } from "../support/secrets.ts"

interface Placed {
  readonly before: string
  readonly secret: string
  readonly after: string
}

const survivor = (secret: string, text: string): string | null => {
  for (let at = 0; at + 8 <= secret.length; at++) {
    const part = secret.slice(at, at + 8)
    if (text.includes(JSON.stringify(part).slice(1, -1))) return part
  }
  return null
}

/** Known by what stands on its own line, for some are kept as one. */
const known: ReadonlyArray<Placed> = [
  ...tokens.map(([, secret]) => ({ before: "", secret, after: "" })),
  ...contexts.map(([before, secret, after]) => ({ before, secret, after }))
].filter(({ after, before, secret }) => survivor(secret, redact(`word ${before}${secret}${after} word`)) === null)

const fill = (length: number): string => "word ".repeat(Math.max(0, Math.ceil(length / 5)))

const line = (text: string): string => text.replaceAll("\n", " ")

/** A text whose cut at `cut` characters goes through the secret, `into` characters from where it begins. */
const across = ({ after, before, secret }: Placed, cut: number, into: number, fromEnd: boolean): string =>
  fromEnd
    ? `${fill(1000)}\n${before}${secret}${after}\n${fill(cut - 1 - after.length - Math.max(1, secret.length - into))}`
    : `${fill(cut - into - before.length - 1)}\n${before}${secret}${after}\n${fill(1000)}`

/** What ends with its line is something else in a text that is one line: a part of a form, a client's line, a here-document. */
const needsLines = ({ after, before, secret }: Placed): boolean =>
  survivor(secret, redact(`word ${line(`${before}${secret}${after}`)} word`)) !== null

const wanted = user("Fix the rounding and run the tests.")

interface Way {
  readonly cuts: ReadonlyArray<number>
  readonly events: (text: string) => ReadonlyArray<TranscriptEvent>
  /** Whether it makes one line of a text. */
  readonly flat?: boolean
}

/** Everything that leaves a text in the state, with the lengths at which something of it is cut. */
const ways: Readonly<Record<string, Way>> = {
  task: { cuts: [4000], events: (text) => [user(text)] },
  request: { cuts: [120, 160, 600, 4000], events: (text) => [user(`Fix the bug. Please run the tests with ${text}`)] },
  continuation: { cuts: [4000], events: (text) => [wanted, user(`go on with ${text}`)] },
  addition: { cuts: [4000], events: (text) => [{ ...wanted, turn: 0 }, user(text, { turn: 0 })] },
  answer: { cuts: [500, 6000], events: (text) => [wanted, agent(text)] },
  "two answers": {
    cuts: [6000],
    events: (text) => [wanted, agent(text.slice(0, text.indexOf("\n"))), agent(text.slice(text.indexOf("\n")))]
  },
  todo: { cuts: [200, 800], events: (text) => [wanted, todos([text, "pending"])] },
  notice: { cuts: [300, 1200, 2000], events: (text) => [wanted, notice("api_error", text)] },
  command: {
    cuts: [300, 1200, 2000],
    flat: true,
    events: (text) => [wanted, run(`npm test # ${line(text)}`, 1, "1 failed")]
  },
  "failing call": { cuts: [400], events: (text) => [wanted, call("mcp__db__query", { text }, { status: "error" })] },
  "failing test": {
    cuts: [200, 2000],
    flat: true,
    events: (text) => [wanted, run("npm test", 1, `FAIL test/a.test.ts\n  ● adds ${line(text)}\n\nTests: 1 failed`)]
  },
  checks: {
    cuts: [120, 500],
    flat: true,
    events: (text) => [wanted, run("gh pr checks", 1, `${line(text)}\tfail\t1s\thttps://x`)]
  }
}

const kept = (events: ReadonlyArray<TranscriptEvent>): string => JSON.stringify(redactJson(folded(events)))

it("is known as one line too, but for what ends with its line", () => {
  assert.sameMembers(
    known.filter(needsLines).map(({ before }) => before.trim()),
    ["DB_PASSWORD=\\", "db_password=$(cat <<EOF", "requirepass", "AUTH"]
  )
})

describe.each(Object.entries(ways))("what is kept of a session: %s", (_, way) => {
  it("has no part of a secret, wherever a text was cut", () => {
    const place = fc.record({
      which: fc.constantFrom(...known.filter((form) => way.flat !== true || !needsLines(form))),
      cut: fc.constantFrom(...way.cuts),
      slack: fc.integer({ min: -3, max: 3 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      fromEnd: fc.boolean(),
      first: fc.constantFrom("", `${pem("")}\n`)
    })
    fc.assert(
      fc.property(place, ({ cut, first, fromEnd, part, slack, which }) => {
        const into = Math.round(part * which.secret.length)
        const text = first + across(which, Math.max(0, cut - first.length) + slack, into, fromEnd)
        const found = survivor(which.secret, kept(way.events(text)))
        assert.isNull(found, `${found} of ${which.before}${which.secret} at ${cut}`)
      }),
      { numRuns: process.env["REFLEXION_TESTS"] === "night" ? 1000 : 60 }
    )
  })
})
