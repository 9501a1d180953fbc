import { assert, describe, it } from "@effect/vitest"
import { LoopPattern } from "@reflexion/core/internal/session/facts/Loop"
import type { Assessment } from "@reflexion/core/StuckAssessment"
import { FastCheck as fc } from "effect"
import { clean, width } from "../src/terminal/Layout.ts"
import * as StuckRender from "../src/stuck/render.ts"
import { plain, type TerminalStyle } from "../src/terminal/TerminalStyle.ts"

const assessment: Assessment = {
  version: 1,
  host: "claude-code",
  sessionId: "0f3c1d52-9f0e-4c55-8a31-0123456789ab",
  stuck: true,
  reason: "genuinely_stuck",
  shouldNudge: true,
  confidence: 0.85,
  evidence: ["the same call with the same result, 5 times", "no word of the agent for 200 s"],
  loops: [
    {
      pattern: "cycle",
      period: 2,
      count: 5,
      calls: [
        { tool: "bash", summary: "npm test" },
        { tool: "read_file", summary: "path: src/cart.ts" }
      ],
      callIds: ["t1", "t2"]
    }
  ],
  nudge: "[reflexion 1/3] The task is not done yet.\n\n- You go round in circles.",
  silence: 200,
  source: "evidence"
}

const detail = (over: Partial<Assessment> = {}, style: Partial<TerminalStyle> = {}, decided = true): string =>
  StuckRender.detail(
    { ...plain, ...style },
    { file: "s.jsonl", assessment: { ...assessment, ...over }, decided, lastAt: "2026-01-31T10:10:00.000Z" }
  )

const one = (over: Partial<Assessment>) => ({ assessment: { ...assessment, ...over }, decided: true, lastAt: null })

const lineWith = (text: string, part: string): string => text.split("\n").find((line) => line.includes(part)) ?? ""

describe("StuckRender", () => {
  it("names the file, the host, the session and the last event", () => {
    const [file, facts] = detail().split("\n")
    assert.strictEqual(file, "s.jsonl")
    assert.strictEqual(facts, "claude-code · session 0f3c1d52-9f0… · last event 2026-01-31 10:10 UTC")
  })

  it.each([
    ["genuinely_stuck", "✗ STUCK  silent for 3 min 20 s"],
    ["waiting_for_user", "? WAITING FOR YOU  silent for 3 min 20 s"],
    ["working", "… WORKING  silent for 3 min 20 s"],
    ["complete", "✓ DONE  silent for 3 min 20 s"]
  ] as const)("a session that is %s is headed %j", (reason, expected) => {
    const text = detail({ reason, stuck: reason === "genuinely_stuck", loops: [] })
    assert.strictEqual(lineWith(text, "State").slice(11), expected)
  })

  it.each([
    [0, "less than a second"],
    [0.4, "less than a second"],
    [12.9, "12 s"],
    [60, "1 min"],
    [61, "1 min 1 s"],
    [3600, "1 h"],
    [3660, "1 h 1 min"],
    [86_399, "23 h 59 min"],
    [86_400, "1 day"],
    [2 * 86_400 + 7200, "2 days 2 h"],
    [300 * 86_400 + 7200, "300 days"]
  ])("a silence of %d s lasts %s", (silence, expected) => {
    assert.strictEqual(lineWith(detail({ silence, loops: [] }), "State").split("silent for ")[1], expected)
  })

  it("says that a record has no times", () => {
    assert.include(lineWith(detail({ silence: null }), "State"), "its record has no times")
  })

  it("says where the evidence does not decide", () => {
    const working = { reason: "working", stuck: false, shouldNudge: false, nudge: null, loops: [] } as const
    assert.include(detail(working, {}, false), "the evidence does not decide it: taken for work")
    assert.include(detail(working), "by evidence · confidence 85 % · the agent would be left alone")
  })

  it("lists the evidence, the loops with their calls and what the agent would get", () => {
    const text = detail()
    assert.include(text, "Evidence   • the same call with the same result, 5 times\n           • no word")
    assert.include(lineWith(text, "cycle"), "✗ cycle: 2 calls in turns, 5 rounds")
    assert.match(text, /\n {15}bash {7}npm test\n {15}read_file {2}path: src\/cart\.ts\n/)
    assert.include(
      text,
      "Nudge      │ [reflexion 1/3] The task is not done yet.\n           │\n           │ - You go round"
    )
  })

  it("tells of calls that go round once, however many loops they are", () => {
    const [cycle] = assessment.loops
    assert.isDefined(cycle)
    if (cycle === undefined) return
    const often = { ...cycle, pattern: "action", calls: cycle.calls.slice(1) } as const
    const other = { ...often, calls: [{ tool: "bash", summary: "make" }] }
    assert.notInclude(detail({ loops: [cycle, often] }), "action: ")
    assert.include(detail({ loops: [cycle, often, other] }), "action: ")
    assert.include(detail({ loops: [often, cycle] }), "action: ")
  })

  it("says when there is nothing to say, and that a session at work is in a loop", () => {
    const text = detail({ reason: "working", stuck: false, shouldNudge: false, nudge: null, evidence: [] })
    assert.include(lineWith(text, "State"), "but in a loop")
    assert.include(text, "Nudge      nothing to say to the agent")
    assert.notInclude(text, "Evidence")
  })

  it.each(LoopPattern.literals)("tells in words how often a %s comes round", (pattern) => {
    const [loop] = assessment.loops
    assert.isDefined(loop)
    if (loop === undefined) return
    const text = detail({ loops: [{ ...loop, pattern, count: 7 }] })
    const line = lineWith(text, `${pattern.replace("_", " ")}: `)
    assert.match(line, /✗ .*\b7\b/u)
    assert.notInclude(line, "1 times")
  })

  it("draws in ASCII where the terminal needs it, and in colour", () => {
    assert.match(detail({}, { unicode: false }), /^[ -~\n]*$/)
    const coloured = detail({}, { color: true })
    assert.include(coloured, "\u001b[31;1;7m STUCK \u001b[0m")
    assert.strictEqual(clean(coloured).replaceAll(" STUCK ", "STUCK").replace(/ +$/gmu, ""), detail())
  })

  it.each([40, 60, 80, 120])("fits %i columns", (columns) => {
    const calls = [
      { tool: "mcp__browser__take_a_screenshot_of_everything", summary: "x".repeat(120) },
      { tool: "购物车", summary: "grep -rn 购物车 src/组件 ".repeat(5) }
    ]
    const loops = LoopPattern.literals.map((pattern) => ({ pattern, period: 2, count: 12, calls, callIds: [] }))
    const text = detail({ loops, evidence: ["word ".repeat(60)], nudge: "y".repeat(400) }, { width: columns })
    for (const line of text.split("\n")) assert.isAtMost(width(line), columns, line)
  })

  it("lets no text of a session reach the terminal as a command", () => {
    const hostile = fc.stringOf(
      fc.constantFrom("\u001b", "[", "2", "J", "]", "0", ";", "\u0007", "\r", "\n", "a", "\u009b", "\u202e")
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const calls = [{ tool: text, summary: text }]
        const loops = [{ pattern: "action", period: 1, count: 3, calls, callIds: [text] } as const]
        const drawn = StuckRender.detail(plain, {
          file: text,
          decided: true,
          lastAt: text,
          assessment: { ...assessment, host: text, sessionId: text, evidence: [text], nudge: text, loops }
        })
        assert.notMatch(drawn.replaceAll("\n", ""), /[\p{Cc}\u202e]/u)
      })
    )
  })

  it("counts several sessions, those in a loop apart from those that are stuck", () => {
    const values = [
      one({}),
      one({ stuck: false, reason: "complete" }),
      one({ stuck: false, reason: "working", loops: [] })
    ]
    assert.strictEqual(
      StuckRender.summary(plain, { values, failed: 2 }),
      "5 sessions: 1 stuck · 1 looping · 1 working · 2 could not be assessed"
    )
  })
})
