import { assert, describe, it } from "@effect/vitest"
import * as Feedback from "../../src/judge/verdict/Feedback.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import type { Reflection } from "../../src/memory/lessons/Reflection.ts"
import * as ReflectionHeuristic from "../../src/memory/lessons/ReflectionHeuristic.ts"
import * as RetryPrompt from "../../src/memory/lessons/RetryPrompt.ts"
import * as ReviewLesson from "../../src/memory/outcomes/ReviewLesson.ts"
import { bare } from "../support/bare.ts"
import { transcript, agent, call, edit, run, user } from "../support/events.ts"
import { table } from "../support/sessions.ts"
import type { Gate, Verdict } from "../../src/judge/verdict/Verdict.ts"
import * as TurnOutcome from "../../src/memory/outcomes/TurnOutcome.ts"

const blank = Judgment.judge(transcript([]))

const gate = (name: string, exitCode: number | null = 1): Gate => ({
  gate: name,
  required: true,
  result: "failed",
  detail: "",
  evidence: [{ callId: "c1", command: "make", exitCode, at: null }]
})

const verdict = (over: Partial<Verdict> = {}): Verdict => ({
  ...blank,
  status: "incomplete",
  complete: false,
  reason: "Not done: the tests did not run",
  task: { type: "coding", summary: "Fix the  rounding, please!", requirements: [] },
  ...over
})

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`

const decision: ReviewLesson.Review["decision"] = {
  kind: "nudge",
  reason: "",
  attempt: 2,
  maxAttempts: 3,
  notice: null
}

const review = (over: Partial<ReviewLesson.Review> = {}): ReviewLesson.Review => ({
  sessionId: "s1",
  timestamp: 0,
  verdict: verdict(),
  decision,
  ...over
})

const reflection = (id: string, over: Partial<Reflection> = {}): Reflection =>
  bare({
    id,
    sessionId: "s1",
    taskId: ReviewLesson.projectOf("/repo/shop"),
    subtaskId: "t",
    analysis: `The test ${id} failed: expected ${id} of them.`,
    suggestion: `Look at how ${id} comes about.`,
    createdAt: "2026-03-02T09:00:00.000Z",
    tags: [],
    ...over
  })

const task = (order: string, root = "/repo/shop", sessionId = "s1") => ReviewLesson.taskOf(root, { order, sessionId })

const known: ReviewLesson.ReviewContext = {
  root: "/repo/shop",
  task: task("Fix the rounding, please!"),
  outputOf: () => null,
  files: [],
  known: [],
  given: []
}

/** What is learned from a review with this status, decision and notice, if `tests` has this result. */
const meaningOf = (status: string, decided: string, results: string) => {
  const [kind, notice = null] = decided.split(" ")
  return ReviewLesson.meaningOf({
    verdict: verdict({
      status: status as Verdict["status"],
      complete: status === "complete",
      reason: status === "stuck" ? "no word from the agent for 12 min since its last tool call" : "Not done",
      gates: results === "" ? [] : [{ ...gate("tests"), result: results as Gate["result"] }]
    }),
    decision: { ...decision, kind, notice } as ReviewLesson.Review["decision"]
  })
}

const lessonOf = (over: Partial<Verdict>, outputOf: ReviewLesson.ReviewContext["outputOf"] = () => null) =>
  ReflectionHeuristic.reflect(ReviewLesson.failureOf(review({ verdict: verdict(over) }), { ...known, outputOf }))

/** How many failed tasks are settled if one session failed at `order` and another one completes `own`. */
const settled = (order: string, own: string) =>
  ReviewLesson.settledBy(
    { sessionId: "s2", verdict: verdict({ complete: true }) },
    { reflections: [reflection("a", { subtaskId: task(order).subtaskId })], events: [] },
    { own: task(own, "/repo/shop", "s2"), told: [] }
  ).length

const hourly = (hour: number) => `2026-03-02T${hour}:00:00.000Z`

const ended = (hour: number, subtaskId: string) =>
  ({
    event: "outcome",
    at: hourly(hour),
    success: true,
    reflectionIds: [],
    taskId: null,
    subtaskId,
    attemptNumber: null
  }) as const

describe("ReviewLesson", () => {
  it.each(
    table(`
    incomplete :: nudge :: failed :: failure
    incomplete :: notice exhausted :: failed :: failure
    stuck :: notice unmoved :: failed :: failure
    stuck :: nudge :: failed :: failure
    complete :: notice complete :: failed :: success
    incomplete :: notice incomplete :: failed ::
    incomplete :: none :: failed ::
    waiting_for_user :: notice :: failed ::
    needs_human :: notice needs_human :: failed ::
    working :: notice :: failed ::
    aborted :: notice :: failed ::
    abstained :: notice :: failed ::
    incomplete :: nudge :: ::
    incomplete :: notice exhausted :: missing ::
    stuck :: nudge :: ::
  `)
  )("learns if a check failed and an attempt ends: %s, %s, %s", (status = "", decided = "", results = "", is = "") => {
    assert.strictEqual(meaningOf(status, decided, results) ?? "", is)
  })

  it("the failing gate gives the failure's type, and its run the output", () => {
    const types = (name: string, exitCode?: number) =>
      ReviewLesson.failureOf(review({ verdict: verdict({ gates: [gate(name, exitCode)] }) }), known).failureType
    assert.deepStrictEqual(
      [types("tests"), types("typecheck"), types("build"), types("lint"), types("tests", 124)],
      ["test_failure", "typecheck_failure", "build_failure", "verification_failed", "timeout"]
    )
    const failure = ReviewLesson.failureOf(review({ verdict: verdict({ gates: [gate("tests")] }) }), {
      ...known,
      files: ["/repo/shop/src/a.ts", "/elsewhere/b.ts"],
      outputOf: (callId) => `printed by ${callId}, token=${token}`
    })
    assert.match(failure.errorOutput, /^printed by c1/)
    assert.notInclude(failure.errorOutput, token)
    assert.deepStrictEqual(failure.filesModified, ["src/a.ts", "/elsewhere/b.ts"])
    assert.strictEqual(failure.attemptNumber, 2)
  })

  it("without a failed gate, names what is missing; without a nudge, counts the attempt itself", () => {
    const ended = review({ decision: { ...decision, kind: "notice", attempt: null, notice: "unmoved" } })
    const before = [reflection("a", { attemptNumber: 2 }), reflection("b", { attemptNumber: 7, sessionId: "s0" })]
    const failure = ReviewLesson.failureOf(ended, { ...known, known: before })
    assert.strictEqual(failure.attemptNumber, 3)
    assert.strictEqual(failure.failureType, "verification_failed")
    assert.strictEqual(failure.errorOutput.split("\n").at(-1), "the tests did not run")
  })

  it("the lesson says what was missing and what to do, as the verdict does", () => {
    const stale = "tests: failed before the last edit (cart.js), and did not run since (`npm test`)"
    const rerun = "Run `npm test` now and fix what fails."
    const lesson = lessonOf({ missing: [stale, "the changelog has no line"], nextActions: [rerun, "Add the line."] })
    assert.deepInclude(lesson, {
      category: "verification",
      analysis: `The agent stopped, and this was not done: ${stale}. The changelog has no line.`,
      suggestion: rerun,
      actionItems: ["Add the line."]
    })
    assert.include(lesson.tags.join(" "), "not run since")
    // Printed output teaches more. If it teaches nothing, the lesson still says what to do.
    const tap = "TAP version 13\nnot ok 1 - adds\n  ---\n  error: 'boom'\n  ...\n1..1\n# tests 1\n# pass 0\n# fail 1\n"
    const failed = { gates: [gate("tests")], missing: ["tests: failed"], nextActions: [rerun] }
    assert.include(lessonOf(failed, () => tap).analysis, "adds")
    assert.strictEqual(lessonOf({ ...failed, gates: [gate("lint")] }, () => "it is all wrong").suggestion, rerun)
    assert.strictEqual(lessonOf(failed).suggestion, rerun)
    assert.notInclude(JSON.stringify(lessonOf({ missing: [`the token ${token} is refused`], nextActions: [] })), token)
  })

  it("a task is known by its words in its project; generic words count per session", () => {
    assert.deepStrictEqual(task("Fix the  rounding, please!"), task("fix the rounding please"))
    assert.notStrictEqual(task("Fix the rounding").subtaskId, task("Fix the tests").subtaskId)
    assert.notStrictEqual(task("Fix it").taskId, task("Fix it", "/other/shop").taskId)
    for (const order of ["continue", "Yes, go on", "fix it", ""]) {
      assert.deepStrictEqual(task(order), task(order))
      assert.notStrictEqual(task(order).subtaskId, task(order, "/repo/shop", "s2").subtaskId, order)
    }
    assert.strictEqual(settled("continue", "continue"), 0)
    assert.strictEqual(settled("Fix the rounding of totals", "fix the rounding of totals!"), 1)
  })

  it("the latest completion counts, wherever a merge put it", () => {
    const events = [14, 10].map((hour) => ended(hour, "t"))
    const reflections = [reflection("a", { createdAt: hourly(12) }), reflection("b", { createdAt: hourly(15) })]
    const ids = ReviewLesson.openIn({ reflections, events }).map(({ id }) => id)
    assert.deepStrictEqual(ids, ["b"])
  })

  it("another machine's lessons are not credited to an attempt, but its completion counts", () => {
    const of = {
      at: hourly(12),
      taskId: null,
      subtaskId: "t",
      attemptNumber: 1,
      event: "use",
      kind: "injected"
    } as const
    const uses = ["a", "b"].map((id) => ({ ...of, reflectionIds: [id] }))
    const [own, other] = [uses.slice(0, 1), [...uses.slice(1), ended(14, "t")].map((one) => ({ ...one, id: "x" }))]
    assert.deepStrictEqual(ReviewLesson.givenTo([...own, ...other], "t"), ["a"])
    const found = ReviewLesson.openIn({ reflections: [reflection("a", { createdAt: hourly(12) })], events: other })
    assert.deepStrictEqual(found, [])
  })

  it("feedback with added lessons is still recognized, with its attempt number", () => {
    for (const attempt of [1, 2, 3]) {
      const said = { facts: ["The tests fail."], actions: ["Run them."], human: [] }
      const feedback = Feedback.render({ ...said, attempt, maxAttempts: 3 })
      const taught = ReviewLesson.withLessons(feedback, [reflection("a")])
      assert.include(taught, RetryPrompt.heading)
      assert.match(taught, /^### Lesson \(/mu)
      assert.notMatch(taught, /Attempt \d/u, "the feedback's own count is the only one")
      assert.isTrue(Feedback.isWhole(taught))
      assert.strictEqual(Feedback.attemptOf(taught), attempt)
      assert.strictEqual(ReviewLesson.withLessons(feedback, []), feedback)
    }
  })

  it("leaves out the lesson learned now, its duplicates, and lessons already told", () => {
    const one = reflection("one", { analysis: "The cart rounds half down.", suggestion: "Use the bank's rule." })
    const two = reflection("two", { analysis: "An import is missing.", suggestion: "Install the module first." })
    const all = [one, two, reflection("now"), { ...reflection("now"), id: "older" }]
    const given = (told: ReadonlyArray<string>) =>
      ReviewLesson.lessonsFor(reflection("now"), all, { limit: 3, told }).map(({ id }) => id)
    assert.sameMembers([...given([])], ["one", "two"])
    assert.deepStrictEqual(given(["one"]), ["two"])
  })

  it("a new session gets only lessons of recent open tasks in this project", () => {
    const reflections = [
      reflection("open"),
      reflection("done", { subtaskId: "d" }),
      reflection("again", { subtaskId: "d", createdAt: "2026-03-03T09:00:00.000Z" }),
      reflection("old", { createdAt: "2026-02-01T09:00:00.000Z" }),
      reflection("elsewhere", { taskId: "other" })
    ]
    const given = { now: Date.parse("2026-03-04T09:00:00.000Z"), root: "/repo/shop" }
    const lessons = ReviewLesson.lessonsAtStart({ reflections, events: [ended(10, "d")] }, given)
    const ids = lessons.map(({ id }) => id)
    assert.sameMembers(ids, ["again", "open"])
    assert.include(ReviewLesson.startSection(lessons), "Earlier sessions in this project")
    assert.notMatch(ReviewLesson.startSection(lessons), /Attempt \d/u)
    assert.strictEqual(ReviewLesson.startSection([]), "")
  })
})

type Review = Parameters<typeof TurnOutcome.of>[0]

const ending = (verdict: Partial<Verdict>, decision: Partial<Review["decision"]> = {}): Review => ({
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
)("the attempt's outcome after a review: %s and %s → %s", (verdict = "", decision = "", expected = "") => {
  const [status, silence] = verdict.split(", ")
  const [kind, notice = null] = decision.split(" ")
  const reason = silence === undefined ? "The same call was repeated" : silent
  const decided = { kind, notice } as Review["decision"]
  const given = ending({ status: status as Verdict["status"], complete: status === "complete", reason }, decided)
  assert.strictEqual(TurnOutcome.statusOf(given) ?? "", expected)
  const outcome = TurnOutcome.of(given, { backend: "codex", stop: "1", told: TurnOutcome.read([]) })
  assert.strictEqual(outcome?.status ?? "", expected)
})

const open = { status: "incomplete", complete: false, reason: "Not done: the tests fail" } as const

const skill = (name: string) => ({ kind: "skill", name }) as const

describe("TurnOutcome", () => {
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

  it("covers the events since the user's last message; one stop has one id", () => {
    const told = TurnOutcome.read(events)
    assert.strictEqual(told.startedAt, "2026-03-01T10:00:00.000Z")
    const of = (stop: string) => TurnOutcome.of(ending(open, { kind: "nudge" }), { backend: "codex", stop, told })
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

  it("after a nudge only later work counts, but skills read before it still count", () => {
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

  it("without events it uses the verdict's task; a duration is never negative", () => {
    const told = { ...TurnOutcome.read([]), startedAt: "2026-03-01T11:00:00.000Z" }
    const outcome = TurnOutcome.of(ending(open, { kind: "nudge" }), { backend: "codex", stop: "1", told })
    assert.deepInclude(outcome, { objective: "Fix the rounding", durationMs: 0, resultLength: null })
  })
})
