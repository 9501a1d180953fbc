import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Schema } from "effect"
import * as TaskContext from "../../src/session/task/TaskContext.ts"
import type { TranscriptEvent, UserMessage } from "../../src/session/transcript/Transcript.ts"
import { agent, mode, run, user } from "../support/events.ts"
import { list } from "../support/rows.ts"

const task = (...events: ReadonlyArray<TranscriptEvent>): TaskContext.TaskContext =>
  events.reduce(TaskContext.step, TaskContext.initial)

const gates = (self: TaskContext.TaskContext): ReadonlyArray<string> => self.asks.map((ask) => ask.gate)

const said = (...texts: ReadonlyArray<string>) => task(...texts.map((text) => user(text)))

/** The task after a message that was typed into the running turn. */
const typed = (text: string): TaskContext.TaskContext =>
  task(user("Fix the total and run the tests.", { turn: 0 }), user(text, { turn: 0 }))

describe("what is typed into the running turn", () => {
  it("ends the task where it is a bare word of stopping", () => {
    const self = typed("okay, stop please")
    assert.isTrue(TaskContext.isHalted(self))
    assert.deepStrictEqual(gates(self), [])
    assert.strictEqual(self.text, "Fix the total and run the tests.")
  })

  it.each(["wait, also fix the footer", "don't forget the docs", "I see the tests fail", "thanks"])(
    "takes nothing back: %s",
    (text) => {
      const self = typed(text)
      assert.isFalse(TaskContext.isHalted(self))
      assert.deepStrictEqual(gates(self), ["tests"])
      assert.deepStrictEqual(self.forbids, [])
      assert.strictEqual(TaskContext.isSpared(self, "tests"), text.includes("tests"))
    }
  )

  it("takes an order back, and can give it again", () => {
    const self = typed("skip the tests")
    assert.deepStrictEqual([gates(self), self.forbids], [[], ["tests"]])
    const again = TaskContext.step(self, user("okay, run the tests", { turn: 0 }))
    assert.deepStrictEqual([gates(again), again.forbids], [["tests"], []])
    assert.isFalse(TaskContext.isHalted(TaskContext.step(typed("stop"), user("go on, please", { turn: 0 }))))
  })
})

describe("what is forbidden for the session", () => {
  it("holds for later tasks, until it is ordered", () => {
    for (const words of ["Don't run the tests in this session.", "Never run npm test.", "Do not run the tests here."]) {
      const later = said(`Look at the total. ${words}`, "Round the total down.", "Add a footer.")
      assert.deepStrictEqual(later.forbids, ["tests"], words)
    }
    const ordered = said("Never run the tests.", "Round the total down and run the tests.", "continue")
    assert.deepStrictEqual([gates(ordered), ordered.forbids], [["tests"], []])
    assert.deepStrictEqual(said("Round it, but don't run the tests.", "Add a footer.").forbids, [])
  })
})

describe("genuine messages", () => {
  it("count turns from 0; harness messages, agents and tools count for nothing", () => {
    const self = task(
      user("Fix the bug and run the tests.", { id: "u1", at: "2026-03-02T09:00:00Z" }),
      user("<system-reminder>Open a PR.</system-reminder>", { synthetic: true }),
      agent("Fixed. Push it."),
      run("npm test", 0)
    )
    assert.strictEqual(self.turn, 0)
    assert.strictEqual(self.userMessageId, "u1")
    assert.strictEqual(self.userMessageAt, "2026-03-02T09:00:00Z")
    assert.deepStrictEqual(gates(self), ["tests"])
    assert.strictEqual(self.text, "Fix the bug and run the tests.")
  })

  it("there are none before the first", () => {
    assert.strictEqual(TaskContext.initial.turn, -1)
    assert.strictEqual(task(user("x", { synthetic: true }), agent("hello"), user("  \n ")).turn, -1)
  })

  it("begin a turn, unless the host puts them in the running one", () => {
    assert.isTrue(TaskContext.beginsTurn(-1, user("Go.")))
    assert.isTrue(TaskContext.beginsTurn(0, user("Go.", { turn: 1 })))
    assert.isFalse(TaskContext.beginsTurn(0, user("And this.", { turn: 0 })))
    assert.isFalse(TaskContext.beginsTurn(0, user("x", { synthetic: true })))
    assert.isFalse(TaskContext.beginsTurn(0, agent("x")))
  })

  it("take the number that the host gives them", () => {
    assert.strictEqual(task(user("Go.", { turn: 0 }), user("On.", { turn: 3 })).turn, 3)
  })
})

describe("a message typed while the agent works", () => {
  const self = task(
    user("Fix the bug in the parser.", { id: "u1", turn: 0 }),
    user("Also run the tests, please.", { id: "u2", turn: 0 })
  )

  it("adds to the task and begins none", () => {
    assert.strictEqual(self.turn, 0)
    assert.strictEqual(self.userMessageId, "u1")
    assert.deepStrictEqual(gates(self), ["tests"])
    assert.include(self.message, "Fix the bug")
    assert.include(self.message, "Also run")
  })

  it("is told behind the task, which is told once", () => {
    assert.strictEqual(TaskContext.summary(self), "Fix the bug in the parser. Also run the tests, please.")
  })

  it("does not make a question an order", () => {
    const asked = task(user("What does the parser do?", { turn: 0 }), user("and the lexer", { turn: 0 }))
    assert.strictEqual(asked.intent, "ask")
  })
})

describe("going on", () => {
  const first = user("Fix the bug, run the tests and don't open a PR.")

  it.each(["continue", "yes please", "ok", "go ahead"])("%j keeps the task before it", (text) => {
    const self = task(first, agent("Shall I run the tests?"), user(text))
    assert.strictEqual(self.turn, 1)
    assert.strictEqual(self.since, 0)
    assert.isTrue(self.continued)
    assert.strictEqual(self.intent, "act")
    assert.deepStrictEqual(gates(self), ["tests"])
    assert.deepStrictEqual(self.forbids, ["pr"])
    assert.include(TaskContext.summary(self), "Fix the bug")
  })

  it.each(["Now rename the module.", "thanks!", "What else is broken?"])("%j is a task of its own", (text) => {
    const self = task(first, agent("Done."), user(text))
    assert.strictEqual(self.since, 1)
    assert.isFalse(self.continued)
    assert.deepStrictEqual(gates(self), [])
    assert.deepStrictEqual(self.forbids, [])
    assert.strictEqual(self.text, text)
  })

  it("has nothing to go on with at the beginning", () => {
    assert.isFalse(task(user("continue")).continued)
  })
})

describe("mode", () => {
  it("is the last one that the host set, and survives new messages", () => {
    assert.strictEqual(task(mode("plan"), user("Go.")).mode, "plan")
    assert.strictEqual(task(mode("plan"), user("Go."), mode("build"), user("On.")).mode, "build")
  })
})

describe("what the message carries", () => {
  it("knows a pasted failing run and a wanted failure", () => {
    assert.isTrue(task(user("Look:\n--- FAIL: TestTotal (0.00s)")).reportsFailure)
    assert.isTrue(task(user("Write a failing test first.")).wantsFailure)
    assert.isFalse(task(user("Fix the bug.")).reportsFailure)
    assert.isFalse(task(user("Fix the bug.")).wantsFailure)
  })

  it("keeps a long message bounded and its summary on one line", () => {
    const self = task(user(`Fix this:\n${"a long log line\n".repeat(10_000)}`))
    assert.isAtMost(self.text.length, 4000)
    assert.isAtMost(TaskContext.summary(self).length, 200)
    assert.notInclude(TaskContext.summary(self), "\n")
  })
})

describe("the fold", () => {
  const words = fc.constantFrom(
    "run the tests",
    "continue",
    "yes",
    "don't push",
    "open a PR",
    "What now?",
    "fix lint",
    "thanks",
    "commit and push"
  )
  const event = fc.oneof(
    fc.tuple(words, fc.boolean()).map(([text, synthetic]) => user(text, { synthetic })),
    fc.tuple(words, fc.nat({ max: 6 })).map(([text, turn]) => user(text, { turn })),
    words.map((text) => agent(text)),
    fc.constantFrom(mode("plan"), mode("build"))
  )

  it("counts up, keeps `since` within the session, and encodes without loss", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let state = TaskContext.initial
        for (const one of events) {
          const next = TaskContext.step(state, one)
          assert.isAtLeast(next.turn, state.turn)
          assert.strictEqual(next.turn > state.turn, TaskContext.beginsTurn(state.turn, one))
          assert.isAtMost(next.since, Math.max(0, next.turn))
          assert.strictEqual(new Set(gates(next)).size, gates(next).length)
          state = next
        }
        const json: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(TaskContext.TaskContext)(state)))
        assert.deepStrictEqual(Schema.decodeUnknownSync(TaskContext.TaskContext)(json), state)
      })
    )
  })

  it("stays bounded over a long session", () => {
    let state = TaskContext.initial
    for (let index = 0; index < 5000; index++)
      state = TaskContext.step(
        state,
        user(index % 2 ? "continue" : "Run the tests and push.", { turn: index % 3 ? Math.floor(index / 50) : index })
      )
    assert.isAtMost(JSON.stringify(state).length, 16_000)
  })
})

const message = (text: string, more: Partial<UserMessage> = {}): UserMessage => ({
  type: "user_message",
  id: null,
  at: null,
  text,
  synthetic: false,
  ...more
})

const afterCommand = (typed: string, body: string): TaskContext.TaskContext =>
  [message(typed), message(body, { synthetic: true, expansion: true })].reduce(TaskContext.step, TaskContext.initial)

const orderedBy = (body: string) => afterCommand("/commit-push-pr", body).asks.map(({ gate }) => gate)

describe("the text of a slash command", () => {
  it("orders what it says, and is none of the user's words", () => {
    const task = afterCommand(
      "/ship",
      "# Ship\n\n## Steps\n\n1. Fix the defect\n2. Run the tests\n3. Don't open a PR\n"
    )
    assert.deepStrictEqual(
      task.asks.map(({ expanded, gate }) => [gate, expanded]),
      [["tests", true]]
    )
    assert.deepStrictEqual(task.forbids, [])
    assert.strictEqual(task.intent, "act")
    assert.strictEqual(task.text, "/ship")
  })

  it("orders nothing against what the user says himself", () => {
    const task = [
      message("Fix the sum, but don't run the tests."),
      message("Run the tests.", { synthetic: true, expansion: true })
    ].reduce(TaskContext.step, TaskContext.initial)
    assert.deepStrictEqual(task.asks, [])
    assert.deepStrictEqual(task.forbids, ["tests"])
  })

  it.each(list`
    If the caller asks for TDD, write the test first. ¦ Write a failing test first. Don't fix it.
    Don't run the tests and skip the linter. ¦ What do you think of it? Don't write code.
    Explain what the parser does. ¦ Rebase the branch. ¦ Update the readme.
  `)("takes no requirement away: %j", (body) => {
    const before = [message("/fd the sum is off")].reduce(TaskContext.step, TaskContext.initial)
    const task = afterCommand("/fd the sum is off", body)
    assert.deepStrictEqual({ ...task, intent: before.intent, asks: [] }, before)
    assert.include(["unknown", "act"], task.intent)
  })

  it("orders what a section for that says, wherever it stands", () => {
    const context =
      "## Context\n\n- Current diff: diff --git a/a b/a\n+Run the linter.\n ## Steps\n 1. Run the build\n\n"
    const steps =
      "Based on the above changes:\n\n1. Create a new branch if on main\n2. Create a single commit with an appropriate message\n3. Push the branch to origin\n4. Create a pull request using `gh pr create`\n\n"
    assert.deepStrictEqual(orderedBy(`${context}## Your task\n\n${steps}## Notes\n\nRun the tests.\n`), [
      "commit",
      "push",
      "pr"
    ])
    assert.deepStrictEqual(
      orderedBy(`${context}## Your task\n\nBased on the above changes, create a single git commit.\n`),
      ["commit"]
    )
  })

  it("orders nothing where it only describes", () => {
    assert.deepStrictEqual(
      afterCommand("/explain", "Explain how a user can run the tests.\n\n## Output\n\nRun the tests.").asks,
      []
    )
  })

  it("is ordered only where the host marks it", () => {
    const task = [message("/ship"), message("Run the tests.", { synthetic: true })].reduce(
      TaskContext.step,
      TaskContext.initial
    )
    assert.deepStrictEqual(task.asks, [])
  })
})
