import { assert, describe, it } from "@effect/vitest"
import * as StuckAssessment from "../../src/judge/stuck/StuckAssessment.ts"
import type { Transcript, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, edit, run, transcript, user } from "../support/events.ts"
import { utmostContext } from "../support/utmost.ts"

const begin = Date.parse("2026-03-02T09:00:00.000Z")

const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString()

/** The session, one event a second, looked at so many seconds after its last. */
const assess = (
  events: ReadonlyArray<TranscriptEvent>,
  silence = 90,
  session: Partial<Transcript> = {}
): StuckAssessment.Assessment => {
  const timed = events.map((event, index) => ({ ...event, at: at(index) }))
  const now = at(events.length - 1 + silence)
  return StuckAssessment.assessTranscript(transcript(timed, session), { context: utmostContext, now }).assessment
}

const task = user("Add pagination to the orders endpoint and cover it with tests.")

const plan = "Here is my plan:\n1. Extend the query parser\n2. Add limit and offset to the repository\n3. Write tests"

const isStuck = (events: ReadonlyArray<TranscriptEvent>, silence?: number): readonly [boolean, boolean] => {
  const { shouldNudge, stuck } = assess(events, silence)
  return [stuck, shouldNudge]
}

describe("a plan that is put before the user", () => {
  it.each([
    "I will start once you approve.",
    'Say "go" and I start.',
    "Happy to start if this matches what you had in mind.",
    "If that is fine, I begin with step 1.",
    'Type "continue" to proceed.',
    "Feedback welcome before I implement.",
    "Ready when you are.",
    "On approval I begin with the parser.",
    "Let me hear any objections.",
    "Pending sign-off, I begin with the parser."
  ])("is not stuck: %s", (hold) => {
    assert.deepStrictEqual(isStuck([task, agent(`${plan}\n\n${hold}`)]), [false, false])
  })

  it("is what plan mode is for, and so is reading", () => {
    const reads = Array.from({ length: 14 }, (_, index) =>
      call("Read", { file_path: `src/${index}.ts` }, { output: `${index}` })
    )
    assert.isNotEmpty(assess([task, ...reads]).loops)
    assert.isEmpty(assess([task, ...reads], 90, { mode: "plan" }).loops)
    const text = `${plan}\n\nNext steps:\n1. Extend the query parser\n2. Write tests`
    for (const said of [plan, text, "The endpoint is clear, and now I'll write the tests."])
      assert.isFalse(assess([task, agent(said)], 90, { mode: "plan" }).stuck, said)
  })
})

describe("what the user is to do first", () => {
  it.each([
    "The tests need the VPN, which I cannot reach. Connect it and I will run them.",
    "Renew the key and I will run them.",
    "Grant me write access, and I will push.",
    "Fill in the form, and I will take it from there.",
    "Merge #12 first and I will rebase.",
    "The key has expired, so renew it and I will run them.",
    "Start Docker, then I'll run the tests."
  ])("is no step of the agent's: %s", (request) => {
    assert.deepStrictEqual(isStuck([task, edit("src/orders.ts"), agent(`The parser is done. ${request}`)]), [
      false,
      false
    ])
  })
})

const inside = (status: "running" | "completed") =>
  call("Bash", { command: "npm test" }, { id: "inner", agentId: "a1", status })

const long = (index: number): string => `${"x".repeat(50_000)}${index}`

describe("a call of a subagent's", () => {
  const announced = agent("The parser is extended, and the", null)

  it("is work while it runs, whatever the parent said last", () => {
    const assessment = assess([task, edit("src/orders.ts"), inside("running"), announced])
    assert.deepStrictEqual([assessment.reason, assessment.shouldNudge], ["working", false])
    assert.deepStrictEqual(assessment.evidence, ["of a subagent, still running after 91 s: Bash: npm test"])
  })

  it("is over when it ends, when its subagent answers, and when the user speaks again", () => {
    const back = call("Task", { prompt: "Test it" }, { id: "outer" })
    for (const over of [inside("completed"), back, user("Go on with the tests for it, please.")])
      assert.isTrue(assess([task, edit("src/orders.ts"), inside("running"), over, announced]).stuck)
  })
})

describe("ids of any length", () => {
  it("are kept in part, and told from each other", () => {
    const calls = Array.from({ length: 40 }, (_, index) => index).flatMap((index) => [
      call("Bash", { command: `job ${index}` }, { id: long(index), status: "running", output: null }),
      call(`${"t".repeat(50_000)}`, {}, { id: long(index + 100), agentId: "a", status: "running", output: null })
    ])
    const said = agent("On it.")
    const ended = call("Bash", { command: "job 39" }, { id: long(39) })
    const context = utmostContext
    const spoken: TranscriptEvent = said.type === "assistant_message" ? { ...said, id: long(1) } : said
    const state = StuckAssessment.replay(transcript([task, ...calls, ended, spoken]), context)
    const { judgment, pulse } = state
    assert.isBelow(JSON.stringify([judgment.stop, pulse]).length, 40_000)
    assert.lengthOf(pulse.open, 31)
    assert.lengthOf(judgment.stop.pending, 31)
  })
})

const bench = (): TranscriptEvent => run("npm test -- checkout", 0, "1 passed")

const times = (count: number): ReadonlyArray<TranscriptEvent> => Array.from({ length: count }, bench)

describe("what was asked to be repeated", () => {
  it.each([
    ["Run `npm test -- checkout` 3x please.", 3],
    ["Run the checkout test ten times to see whether it is flaky.", 10],
    ["Benchmark the checkout 6 times and give me the median.", 6],
    ["Run the suite three times in a row, it must pass each time.", 3],
    ["Repeat the checkout test until you are sure.", 12]
  ])("is no loop: %s", (order, count) => {
    assert.deepStrictEqual(assess([user(order), ...times(count)], 60).loops, [])
  })

  it("is one where it goes on beyond that, or where nobody asked", () => {
    for (const order of ["Run the checkout test 3 times.", "Fix the checkout test."])
      assert.isNotEmpty(assess([user(order), ...times(7)], 60).loops, order)
  })
})

describe("a session that has its answer", () => {
  it("is in no loop, however it got there", () => {
    const red = Array.from({ length: 4 }, () => run("npm test", 0, "22 passed (22)"))
    const done = agent("Pagination is in and covered by tests; all 22 tests pass.")
    const asks = agent("Which page size should I use?")
    for (const last of [done, asks]) {
      const assessment = assess([task, edit("src/orders.ts"), edit("test/orders.test.ts"), ...red, last])
      assert.deepStrictEqual([assessment.stuck, assessment.loops], [false, []])
    }
  })
})

describe("a user who stops the agent, or says what orders nothing", () => {
  const before = [task, edit("src/orders.ts"), agent("The parser takes an offset now.")]

  it.each(["stop", "not now", "hold", "hang on a sec", "we continue tomorrow", "Let's continue later."])(
    "has the next word: %s",
    (halt) => {
      const assessment = assess([...before, user(halt)], 300)
      assert.deepStrictEqual([assessment.reason, assessment.shouldNudge], ["waiting_for_user", false])
    }
  )

  it.each(["hmm", "lunch", "thanks", "Stopp", "arrête", "para", "停", "don't do anything yet"])(
    "is not answered by a nudge: %s",
    (word) => {
      assert.deepStrictEqual(isStuck([...before, user(word)], 300), [false, false])
    }
  )

  it.each(["go on", "Use vitest.", "Fix the failing test.", "and the tests?"])("but an order is: %s", (order) => {
    assert.deepStrictEqual(isStuck([...before, user(order)], 300), [true, true])
  })
})
