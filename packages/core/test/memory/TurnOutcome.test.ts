import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as TurnOutcome from "../../src/memory/outcomes/TurnOutcome.ts"
import type { Verdict } from "../../src/judge/verdict/Verdict.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"
import { table } from "../support/sessions.ts"

const blank = Judgment.judge(transcript([]))

type Review = Parameters<typeof TurnOutcome.of>[0]

const review = (verdict: Partial<Verdict>, decision: Partial<Review["decision"]> = {}): Review => ({
  sessionId: "s1",
  timestamp: Date.parse("2026-03-01T10:00:30.000Z"),
  verdict: { ...blank, task: { type: "coding", summary: "Fix the rounding", requirements: [] }, ...verdict },
  decision: { kind: "none", reason: "", attempt: null, maxAttempts: 3, notice: null, ...decision }
})

const silent = "no word from the agent for 10 minutes"

it.each(
  table(`
  complete :: none :: completed
  incomplete :: nudge :: failed
  incomplete :: notice exhausted :: failed
  incomplete :: notice unmoved :: failed
  incomplete :: notice incomplete :: failed
  incomplete :: none ::
  stuck :: nudge :: failed
  stuck, silent :: nudge :: timeout
  stuck, silent :: notice incomplete :: timeout
  stuck, silent :: abstain ::
  waiting_for_user :: notice ::
  needs_human :: notice ::
  aborted :: abstain ::
  abstained :: abstain ::
`)
)("the attempt that a review ends, %s and %s → %s", (verdict = "", decision = "", expected = "") => {
  const [status, silence] = verdict.split(", ")
  const [kind, notice = null] = decision.split(" ")
  const reason = silence === undefined ? "The same call was repeated" : silent
  const given = review({ status: status as Verdict["status"], complete: status === "complete", reason }, {
    kind,
    notice
  } as Review["decision"])
  assert.strictEqual(TurnOutcome.statusOf(given) ?? "", expected)
  const outcome = TurnOutcome.of(given, { backend: "codex", stop: "1", told: TurnOutcome.read([]) })
  assert.strictEqual(outcome?.status ?? "", expected)
})

const open = { status: "incomplete", complete: false, reason: "Not done: the tests fail" } as const

const skill = (name: string) => ({ kind: "skill", name }) as const

describe("what the events of a task tell", () => {
  const events = [
    user("Fix the bug", { at: "2026-03-01T09:00:00.000Z" }),
    call("WebFetch", { url: "https://example.com" }),
    agent("Fixed."),
    user("Now round the total of the cart.", { at: "2026-03-01T10:00:00.000Z" }),
    call("Skill", { skill: "rounding" }),
    call("skill", { name: "carts" }),
    call("Read", { file_path: "/repo/shop/AGENTS.md" }),
    call("read", { filePath: "/repo/shop/docs/money.md" }),
    call("read", { filePath: "/repo/shop/docs/money.md" }),
    call("Read", { file_path: "/repo/shop/src/cart.ts" }),
    call("Read", { file_path: "/home/sam/.claude/skills/cents/SKILL.md" }),
    run("cat ~/.codex/skills/totals/SKILL.md && npm test", 1),
    call("Read", { file_path: "/repo/secret.md" }, { status: "denied" }),
    edit("/repo/shop/src/cart.ts"),
    user("Go on.", { synthetic: true }),
    agent("  It is rounded once.  "),
    agent("")
  ]

  it("is what happened since the user's last message, and stands in the outcome; one stop has one id", () => {
    const told = TurnOutcome.read(events)
    assert.strictEqual(told.startedAt, "2026-03-01T10:00:00.000Z")
    const of = (stop: string) => TurnOutcome.of(review(open, { kind: "nudge" }), { backend: "codex", stop, told })
    const { id, ...rest } = of("1") ?? { id: "" }
    assert.deepStrictEqual(rest, {
      taskId: null,
      sessionId: "s1",
      objective: "Now round the total of the cart.",
      status: "failed",
      durationMs: 30_000,
      tools: ["Skill", "skill", "Read", "read", "Bash", "Edit"],
      loaded: ["rounding", "carts", "cents", "totals"].map(skill),
      resultLength: "It is rounded once.".length,
      backend: "codex",
      at: "2026-03-01T10:00:30.000Z"
    })
    assert.strictEqual(of("1")?.id, id)
    assert.notStrictEqual(of("2")?.id, id)
  })

  it("is of the attempt that ends: what the agent did before it was sent on is not its own, but what it read is", () => {
    const nudged = `[reflexion 1/3] The task is not done yet.\n\n- The tests fail.`
    const attempts = [
      ...events,
      user(nudged, { synthetic: true, at: "2026-03-01T10:05:00.000Z" }),
      edit("/repo/shop/src/total.ts"),
      user("The total of the order as well.", { turn: 1, at: "2026-03-01T10:06:00.000Z" }),
      call("Read", { file_path: "/repo/shop/skills/orders/SKILL.md" })
    ]
    const told = TurnOutcome.read(attempts)
    assert.deepInclude(told, {
      objective: "Now round the total of the cart.",
      startedAt: "2026-03-01T10:05:00.000Z",
      resultLength: null,
      tools: ["Edit", "Read"]
    })
    assert.includeDeepMembers([...told.loaded], [skill("rounding"), skill("orders")])
    const { resultLength } = TurnOutcome.read([...attempts, agent("Both are.")])
    assert.strictEqual(resultLength, "Both are.".length)
  })

  it("is the verdict's word where they say nothing, and no time that runs backwards", () => {
    const told = { ...TurnOutcome.read([]), startedAt: "2026-03-01T11:00:00.000Z" }
    const outcome = TurnOutcome.of(review(open, { kind: "nudge" }), { backend: "codex", stop: "1", told })
    assert.deepInclude(outcome, { objective: "Fix the rounding", durationMs: 0, resultLength: null })
  })
})
