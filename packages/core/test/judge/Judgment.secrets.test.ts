import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { redact, redactJson } from "../../src/base/redaction/Redaction.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, folded, notice, run, todos, user } from "../support/events.ts"
import { contexts, pem, tokens } from "../support/secretKinds.ts"

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

/** Secrets that redaction knows from one line alone, because some texts are kept as one line. */
const known: ReadonlyArray<Placed> = [
  ...tokens.map(([, secret]) => ({ before: "", secret, after: "" })),
  ...contexts.map(([before, secret, after]) => ({ before, secret, after }))
].filter(({ after, before, secret }) => survivor(secret, redact(`word ${before}${secret}${after} word`)) === null)

const fill = (length: number): string => "word ".repeat(Math.max(0, Math.ceil(length / 5)))

const line = (text: string): string => text.replaceAll("\n", " ")

/** A text that is cut at `cut` characters. The cut is inside the secret, `into` characters after its start. */
const across = ({ after, before, secret }: Placed, cut: number, into: number, fromEnd: boolean): string =>
  fromEnd
    ? `${fill(1000)}\n${before}${secret}${after}\n${fill(cut - 1 - after.length - Math.max(1, secret.length - into))}`
    : `${fill(cut - into - before.length - 1)}\n${before}${secret}${after}\n${fill(1000)}`

/** Whether redaction needs line breaks to find the secret: in a part of a form, a client's line, a here-document. */
const needsLines = ({ after, before, secret }: Placed): boolean =>
  survivor(secret, redact(`word ${line(`${before}${secret}${after}`)} word`)) !== null

const wanted = user("Fix the rounding and run the tests.")

type Way = readonly [cuts: ReadonlyArray<number>, make: (text: string) => ReadonlyArray<TranscriptEvent>, flat?: "flat"]

const red = (text: string) => `FAIL test/a.test.ts\n  ● adds ${line(text)}\n\nTests: 1 failed`

const halves = (text: string) =>
  [text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n"))].map((half) => agent(half))

/** How a text gets into the state: the lengths at which it is cut, the events, and whether it is one line. */
const ways: Readonly<Record<string, Way>> = {
  task: [[4000], (text) => [user(text)]],
  request: [[120, 160, 600, 4000], (text) => [user(`Fix the bug. Please run the tests with ${text}`)]],
  continuation: [[4000], (text) => [wanted, user(`go on with ${text}`)]],
  addition: [[4000], (text) => [{ ...wanted, turn: 0 }, user(text, { turn: 0 })]],
  answer: [[500, 6000], (text) => [wanted, agent(text)]],
  "two answers": [[6000], (text) => [wanted, ...halves(text)]],
  todo: [[200, 800], (text) => [wanted, todos([text, "pending"])]],
  notice: [[300, 1200, 2000], (text) => [wanted, notice("api_error", text)]],
  command: [[300, 1200, 2000], (text) => [wanted, run(`npm test # ${line(text)}`, 1, "1 failed")], "flat"],
  "failing call": [[400], (text) => [wanted, call("mcp__db__query", { text }, { status: "error" })]],
  "failing test": [[200, 2000], (text) => [wanted, run("npm test", 1, red(text))], "flat"],
  checks: [[120, 500], (text) => [wanted, run("gh pr checks", 1, `${line(text)}\tfail\t1s\thttps://x`)], "flat"]
}

const kept = (events: ReadonlyArray<TranscriptEvent>): string => JSON.stringify(redactJson(folded(events)))

it("redaction finds the same secrets in one line, except four that need line breaks", () => {
  const found = known.filter(needsLines).map(({ before }) => before.trim())
  assert.sameMembers(found, ["DB_PASSWORD=\\", "db_password=$(cat <<EOF", "requirepass", "AUTH"])
})

describe.each(Object.entries(ways))("the state of a session: %s", (_, [cuts, events, flat]) => {
  it("holds no part of a secret, wherever a text was cut", () => {
    const place = fc.record({
      which: fc.constantFrom(...known.filter((form) => flat === undefined || !needsLines(form))),
      cut: fc.constantFrom(...cuts),
      slack: fc.integer({ min: -3, max: 3 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      fromEnd: fc.boolean(),
      first: fc.constantFrom("", `${pem("")}\n`)
    })
    fc.assert(
      fc.property(place, ({ cut, first, fromEnd, part, slack, which }) => {
        const into = Math.round(part * which.secret.length)
        const text = first + across(which, Math.max(0, cut - first.length) + slack, into, fromEnd)
        const found = survivor(which.secret, kept(events(text)))
        assert.isNull(found, `${found} of ${which.before}${which.secret} at ${cut}`)
      })
    )
  })
})
