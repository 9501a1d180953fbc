import type { Verdict } from "@reflexion/core/Verdict"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { clean, width } from "../src/terminal/Layout.ts"
import * as Render from "../src/judge/render.ts"
import { plain, type TerminalStyle } from "../src/terminal/TerminalStyle.ts"
import { done, failing } from "./verdicts.ts"

const detail = (verdict: Verdict, over: Partial<TerminalStyle> = {}): string =>
  Render.detail({ ...plain, ...over }, { file: "s.jsonl", verdict, lastTurn: 2 })

const lineWith = (text: string, part: string): string => text.split("\n").find((line) => line.includes(part)) ?? ""

const run = (command: string, exitCode: number) => ({ callId: null, command, exitCode, at: null })

describe("Render", () => {
  it("names the file, the host, the session, the turn and the time", () => {
    const [file, facts] = detail(failing).split("\n")
    assert.strictEqual(file, "s.jsonl")
    for (const part of ["claude-code", "0f3c1d52", "turn 2 (the last)", "2026-01-31 10:31 UTC"])
      assert.include(facts, part)
  })

  it("shows each gate with result, requirement, detail and what proves it", () => {
    const text = detail(failing)
    assert.match(lineWith(text, "41 passed"), /✗ tests +failed +required +41 passed, 1 failed/)
    assert.match(text, /\n +exit 0 +\$ npm test -- --run\n +exit 1 +\$ npm test\n/)
    assert.match(lineWith(text, "lint  "), /✓ lint +passed +optional/)
    assert.match(lineWith(text, "| tail"), /exit \? +\$ npm run lint/)
    assert.include(lineWith(text, "not required:"), "typecheck, pr, ci, push")
  })

  it("shows the last runs, a repeated one once, and counts the rest", () => {
    const evidence = [run("a", 1), run("b", 1), run("a", 0), run("b", 0), run("b", 0)]
    const gate = { gate: "tests", required: true, result: "passed", detail: "Passed", evidence } as const
    const text = detail({ ...failing, gates: [gate] })
    assert.match(text, /passed +required\n +exit 0 +\$ a\n +exit 0 +\$ b\n +and 3 more runs\n/)
  })

  it("lists the next actions only where no feedback says them", () => {
    assert.notInclude(detail(failing), "Next")
    assert.include(lineWith(detail({ ...failing, feedback: null }), "Next"), "Mend src/upload.ts")
  })

  it("says what was disproved, what is missing and what to tell the agent", () => {
    const text = detail(failing)
    assert.include(text, '"All tests pass now."')
    assert.include(text, "npm test exited 1 (t1)")
    assert.include(lineWith(text, "Missing"), "uploads retries twice")
    assert.include(text, "│ The tests fail")
    assert.include(text, "│ - Run npm test again.")
  })

  it("says when there is nothing to tell the agent", () => {
    assert.match(detail(done), /Feedback +nothing to say/)
    assert.notInclude(detail(done), "Missing")
    assert.notInclude(detail(done), "Disproved")
  })

  it.each([
    ["complete", "✓ COMPLETE"],
    ["incomplete", "✗ NOT COMPLETE"],
    ["waiting_for_user", "? WAITING FOR YOU"],
    ["needs_human", "! NEEDS A HUMAN"],
    ["stuck", "✗ STUCK"],
    ["working", "… STILL WORKING"],
    ["aborted", "– ABORTED"],
    ["abstained", "? ABSTAINED"]
  ] as const)("status %s is %j", (status, expected) => {
    assert.include(lineWith(detail({ ...failing, status }), "Verdict"), expected)
  })

  it("draws in ASCII where the terminal needs it", () => {
    assert.match(
      Render.turns({ ...plain, unicode: false }, [
        { file: "a", verdict: done, lastTurn: 2 },
        { file: "a", verdict: failing, lastTurn: 2 }
      ]),
      /^[ -~\n]*$/
    )
  })

  it("has no escape sequence without colour and balanced ones with it", () => {
    assert.notInclude(detail(failing), "\u001b")
    const coloured = detail(failing, { color: true })
    assert.include(coloured, "\u001b[31;1;7m NOT COMPLETE \u001b[0m")
    assert.strictEqual(
      clean(coloured).replaceAll(" NOT COMPLETE ", "NOT COMPLETE").replace(/ +$/gmu, ""),
      detail(failing)
    )
  })

  it.each([40, 60, 80, 120])("fits %i columns", (columns) => {
    const long = failing.gates.map((gate) => ({ ...gate, detail: "word ".repeat(40), gate: gate.gate.repeat(2) }))
    const text = detail({ ...failing, gates: long, reason: "x".repeat(500) }, { width: columns })
    for (const line of text.split("\n")) assert.isAtMost(width(line), columns, line)
  })

  it("lets no text of a session reach the terminal as a command", () => {
    const hostile = fc.stringOf(
      fc.constantFrom("\u001b", "[", "2", "J", "]", "0", ";", "\u0007", "\r", "\n", "a", "\u009b", "\u202e")
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const verdict: Verdict = {
          ...failing,
          host: "claude-code",
          sessionId: text,
          reason: text,
          feedback: text,
          missing: [text],
          nextActions: [text],
          task: { type: "coding", summary: text, requirements: [text] },
          gates: failing.gates.map((gate) => ({
            ...gate,
            gate: text,
            detail: text,
            evidence: gate.evidence.map((evidence) => ({ ...evidence, command: text }))
          })),
          contradictions: [{ claim: text, fact: text, callId: text }],
          turn: { ...failing.turn, stoppedAt: text, userMessageAt: text }
        }
        const drawn = Render.turns(plain, [{ file: text, verdict, lastTurn: 0 }])
        assert.notMatch(drawn.replaceAll("\n", ""), /[\p{Cc}\u202e]/u)
      })
    )
  })

  it("draws every turn on its line, then the last in full", () => {
    const text = Render.turns(plain, [
      { file: "s.jsonl", verdict: done, lastTurn: 2 },
      { file: "s.jsonl", verdict: failing, lastTurn: 2 }
    ])
    const [title, first, second] = text.split("\n")
    assert.match(title ?? "", /s\.jsonl +2 turns/)
    assert.match(first ?? "", /0 {2}✓ complete .*Where is the uploader/)
    assert.match(second ?? "", /2 {2}✗ not complete +→ +01-31 10:12 +Add a retry/)
    assert.strictEqual(text.split("Feedback").length, 2)
  })

  it("counts several sessions", () => {
    assert.strictEqual(
      Render.summary(plain, { verdicts: [done, failing, failing], failed: 1 }),
      "4 sessions: 1 complete · 2 not complete · 1 could not be judged"
    )
  })
})
