import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "@reflexion/core/Judgment"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import type { ToolCall, TranscriptEvent, UserMessage } from "@reflexion/core/Transcript"
import { spoken } from "../src/stop/Deciding.ts"

const context = Judgment.defaultContext

const user = (text: string, more: Partial<UserMessage> = {}): UserMessage => ({
  type: "user_message",
  id: text,
  at: "2026-01-01T00:00:00.000Z",
  text,
  synthetic: false,
  ...more
})

const run = (id: string, exitCode: number): ToolCall => ({
  type: "tool_call",
  id,
  at: null,
  endedAt: null,
  tool: "Bash",
  input: { command: "npm test" },
  status: exitCode === 0 ? "completed" : "error",
  exitCode,
  output: exitCode === 0 ? "Tests  3 passed (3)" : "Tests  1 failed | 2 passed (3)",
  background: false,
  cwd: null,
  agentId: null
})

const folded = (begin: Judgment.JudgmentState, ...events: ReadonlyArray<TranscriptEvent>): Judgment.JudgmentState =>
  events.reduce((state, event) => Judgment.step(state, event, context), begin)

const rootOf = (judgment: Judgment.JudgmentState, root: string | null): string | null => {
  const [said] = spoken({ ...ReviewState.initial, root }, judgment, 0)
  return said?._tag === "UserMessage" ? said.id : null
}

describe("what the user said last", () => {
  it("stays what it was where a part of the turn was not read, so that no count begins again", () => {
    const order = folded(Judgment.initial, user("Add a cart."))
    const more = folded(order, user("And a till.", { turn: 0, at: "2026-01-01T00:01:00.000Z" }))
    const root = rootOf(more, null)
    assert.strictEqual(rootOf(Judgment.unread(order), root), root)
    assert.notStrictEqual(rootOf(order, root), root)
    const next = folded(Judgment.unread(order), user("Now a till.", { at: "2026-01-01T00:02:00.000Z" }))
    assert.notStrictEqual(rootOf(next, root), root)
    assert.isNull(rootOf(Judgment.midway(3, []), root), "no message is known")
  })
})

describe("where the evidence stands", () => {
  it("is the same however much of the record before the turn was read", () => {
    const turn = [user("Run the tests, they have to pass."), run("c1", 1)]
    const before = [user("Look around."), run("b1", 0), run("b2", 0)]
    const whole = folded(Judgment.initial, ...before, ...turn)
    const alone = folded(Judgment.midway(7, []), ...turn)
    assert.strictEqual(alone.task.turn, 7)
    assert.strictEqual(Judgment.mark(alone, context), Judgment.mark(whole, context))
    const again = folded(alone, run("c2", 1))
    assert.notStrictEqual(Judgment.mark(again, context), Judgment.mark(alone, context))
  })
})
