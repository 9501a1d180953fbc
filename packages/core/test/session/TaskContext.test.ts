import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as TaskContext from "../../src/session/task/TaskContext.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, user } from "../support/events.ts"
import { list, groups } from "../support/rows.ts"
import { session, table } from "../support/sessions.ts"
import * as Intent from "../../src/session/task/Intent.ts"

const fold = (events: ReadonlyArray<TranscriptEvent>): TaskContext.TaskContext =>
  events.reduce(TaskContext.step, TaskContext.initial)

const words = { F: "> Fix the bug, run the tests and don't open a PR.", T: ">+ Fix the total and run the tests." }

const task = (line: string): TaskContext.TaskContext => fold(session(line, words))

const gates = ({ asks }: TaskContext.TaskContext): ReadonlyArray<string> => asks.map(({ gate }) => gate)

/** "turn since: orders !forbidden, halted": what is in force. */
const told = (self: TaskContext.TaskContext): string =>
  [
    `${self.turn} ${self.since}:`,
    ...gates(self),
    ...self.forbids.map((gate) => `!${gate}`),
    ...(TaskContext.isHalted(self) ? ["halted"] : []),
    ...(self.continued ? ["continued"] : [])
  ].join(" ")

const rows = String.raw`
  // What is typed into the running turn.
  T / >+ okay, stop please :: 0 0: halted ¦ T / >+ wait, also fix the footer :: 0 0: tests continued ¦ T / >+ don't forget the docs :: 0 0: tests continued
  T / >+ I see the tests fail :: 0 0: tests continued ¦ T / >+ thanks :: 0 0: tests continued ¦ T / >+ skip the tests :: 0 0: !tests continued
  T / >+ skip the tests / >+ okay, run the tests :: 0 0: tests continued ¦ T / >+ stop / >+ go on, please :: 0 0: continued
  >+ Fix the bug in the parser. / >+ Also run the tests, please. :: 0 0: tests continued
  // What is forbidden for the session holds until it is ordered.
  > Look at it. Don't run the tests in this session. / > Round it down. / > Add a footer. :: 2 2: !tests
  > Look at it. Never run npm test. / > Round it down. / > Add a footer. :: 2 2: !tests
  > Never run the tests. / > Round it down and run the tests. / > continue :: 2 1: tests continued
  > Round it, but don't run the tests. / > Add a footer. :: 1 1:
  // Harness, agents and tools say nothing for the user.
  > Fix the bug and run the tests. / >> <system-reminder>Open a PR.</system-reminder> / Fixed. Push it. / $ npm test :: 0 0: tests
  >> x / hello / >   \n :: -1 0:
  // Going on.
  F / Shall I run the tests? / > continue :: 1 0: tests !pr continued ¦ F / Shall I run the tests? / > yes please :: 1 0: tests !pr continued
  F / Shall I run the tests? / > ok :: 1 0: tests !pr continued ¦ F / Done. / > Now rename the module. :: 1 1: ¦ F / Done. / > thanks! :: 1 1:
  F / Done. / > What else is broken? :: 1 1: ¦ > continue :: 0 0:
`

describe("a task", () => {
  it.each(table(rows))("%s: %s", (line = "", expected) => assert.strictEqual(told(task(line)), expected))

  it("has the first message's id, time and text, all messages, and a one-line summary", () => {
    const first = user("Fix the bug.", { id: "u1", at: "2026-03-02T09:00:00Z", turn: 0 })
    const self = fold([first, user("Also run the tests.", { id: "u2", turn: 0 })])
    assert.deepInclude(self, { userMessageId: "u1", userMessageAt: "2026-03-02T09:00:00Z", text: "Fix the bug." })
    assert.include(self.message, "Also run")
    assert.strictEqual(TaskContext.summary(self), "Fix the bug. Also run the tests.")
    const long = task(`> Fix this:\\n${"a long log line\\n".repeat(10_000)}`)
    assert.isTrue(long.text.length <= 4000 && TaskContext.summary(long).length <= 200)
    assert.notInclude(TaskContext.summary(long), "\n")
  })

  it("begins with a message of a new turn, by the host's turn number", () => {
    assert.isTrue(TaskContext.beginsTurn(-1, user("Go.")))
    assert.isTrue(TaskContext.beginsTurn(0, user("Go.", { turn: 1 })))
    for (const event of [user("And.", { turn: 0 }), user("x", { synthetic: true }), agent("x")])
      assert.isFalse(TaskContext.beginsTurn(0, event))
    assert.strictEqual(fold([user("Go.", { turn: 0 }), user("On.", { turn: 3 })]).turn, 3)
  })

  it("knows the last mode, a pasted failure, a wanted failure, a question and spared checks", () => {
    assert.strictEqual(task("mode plan / > Go.").mode, "plan")
    assert.strictEqual(task("mode plan / > Go. / mode build / > On.").mode, "build")
    assert.isTrue(task("> Look:\\n--- FAIL: TestTotal (0.00s)").reportsFailure)
    assert.isTrue(task("> Write a failing test first.").wantsFailure)
    const plain = task("> Fix the bug.")
    assert.deepStrictEqual([plain.reportsFailure, plain.wantsFailure], [false, false])
    assert.strictEqual(task(">+ What does the parser do? / >+ and the lexer").intent, "ask")
    assert.strictEqual(task("F / Shall I? / > yes please").intent, "act")
    const left = ["I see the tests fail", "thanks"].map((said) => TaskContext.isSpared(task(`T / >+ ${said}`), "tests"))
    assert.deepStrictEqual(left, [true, false])
  })
})

const afterCommand = (typed: string, body: string): TaskContext.TaskContext =>
  fold([user(typed), { ...user(body, { synthetic: true }), expansion: true } as TranscriptEvent])

const of = (body: string) => gates(afterCommand("/commit-push-pr", body))

describe("the text of a slash command", () => {
  it("gives orders, but does not count as the user's words", () => {
    const self = afterCommand("/ship", "# Ship\n\n## Steps\n\n1. Fix it\n2. Run the tests\n3. Don't open a PR\n")
    const found = self.asks.map(({ expanded, gate }) => `${gate} ${expanded}`)
    assert.deepStrictEqual(found, ["tests true"])
    assert.deepInclude(self, { forbids: [], intent: "act", text: "/ship" })
    const against = afterCommand("Fix the sum, but don't run the tests.", "Run the tests.")
    assert.deepStrictEqual([against.asks, against.forbids], [[], ["tests"]])
  })

  it("gives the orders of its task section, wherever it stands", () => {
    const context = "## Context\n\n- Diff: a/a b/a\n+Run the linter.\n ## Steps\n 1. Run the build\n\n## Your task\n\n"
    const steps = "1. Create a branch\n2. Create a commit\n3. Push the branch\n4. Create a PR using `gh pr create`\n"
    const all = `${context}Based on the above:\n\n${steps}## Notes\n\nRun the tests.\n`
    assert.deepStrictEqual(of(all), ["commit", "push", "pr"])
    assert.deepStrictEqual(of(`${context}Based on the above changes, create a single git commit.\n`), ["commit"])
  })

  it("gives no orders if it only describes, or if the host does not mark it", () => {
    const described = "Explain how a user can run the tests.\n\n## Output\n\nRun the tests."
    assert.deepStrictEqual(afterCommand("/explain", described).asks, [])
    assert.deepStrictEqual(task("> /ship / >> Run the tests.").asks, [])
  })

  it.each(list`
    If the caller asks for TDD, write the test first. ¦ Write a failing test first. Don't fix it. ¦ Rebase the branch.
    Don't run the tests and skip the linter. ¦ What do you think of it? Don't write code. ¦ Update the readme.
  `)("removes no requirement: %j", (body) => {
    const before = task("> /fd the sum is off")
    const self = afterCommand("/fd the sum is off", body)
    assert.deepStrictEqual({ ...self, intent: before.intent, asks: [] }, before)
    assert.include(["unknown", "act"], self.intent)
  })
})

describe("the state", () => {
  const texts = list`run the tests ¦ continue ¦ yes ¦ don't push ¦ open a PR ¦ What now? ¦ fix lint ¦ thanks ¦ commit and push`
  const event = fc.oneof(
    fc.tuple(fc.constantFrom(...texts), fc.boolean()).map(([text, synthetic]) => user(text, { synthetic })),
    fc.tuple(fc.constantFrom(...texts), fc.nat({ max: 6 })).map(([text, turn]) => user(text, { turn })),
    fc.constantFrom(...session("Done. / mode plan / mode build"))
  )

  it("turns count up, `since` stays within the session, and the size is bounded", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let state = TaskContext.initial
        for (const one of events) {
          const next = TaskContext.step(state, one)
          assert.strictEqual(next.turn > state.turn, TaskContext.beginsTurn(state.turn, one))
          assert.isTrue(next.turn >= state.turn && next.since <= Math.max(0, next.turn))
          assert.strictEqual(new Set(gates(next)).size, gates(next).length)
          state = next
        }
      })
    )
    const many = Array.from({ length: 600 }, (_, index) =>
      user(index % 2 ? "continue" : "Run the tests and push.", { turn: index % 3 ? Math.floor(index / 50) : index })
    )
    assert.isAtMost(JSON.stringify(fold(many)).length, 16_000)
  })
})

const tables: Readonly<Record<string, (text: string) => unknown>> = {
  wants: (text) => Intent.readIntent(text).intent,
  about: (text) => Intent.readIntent(text).about,
  continues: Intent.isContinuation,
  halts: Intent.isHalt,
  thanks: Intent.isThanks,
  "wants a failing test": Intent.wantsFailure,
  "is to be asked": (text) => Intent.wantsAsking(text, false),
  "is still to be asked": (text) => Intent.wantsAsking(text, true)
}

/** What is asked of a message, the answer, and the messages. */
const intents = groups`
    wants act :: Fix the bug in the parser. ¦ Can you fix the bug? ¦ I want you to rename the module ¦ We need to support Windows paths
    wants act :: The app crashes on start. Fix it. ¦ Rework the cache and run the tests ¦ Find the cause and fix it ¦ Check out the branch
    wants act :: Don't change anything else, just fix the import ¦ Fix the bug without changing the public API ¦ let's add caching
    wants act :: Add a read-only flag to the API ¦ no, revert that ¦ Implement the following plan:\n\n# Plan\n\nShould we cache it?
    wants ask :: What does this function do? ¦ why is the build slow ¦ question: can you explain how this works? ¦ Review this PR
    wants ask :: Run the tests ¦ Run the tests and tell me what fails ¦ Should we use Redis or Memcached? ¦ I'm wondering if we could add a cache
    wants ask :: Make a plan for the migration ¦ Fix the login. Do not implement it yet. ¦ Don't write code yet, just outline the approach
    wants ask :: just research, no code ¦ What do you think about splitting the module? ¦ \`\`\`ts\nfix the bug\n\`\`\`\nWhat is this?
    wants unknown :: hello ¦ thanks ¦ The app crashes on start ¦ It should return null instead ¦ Please don't commit yet ¦ Mach die Tests grün
    wants unknown :: Fix the sum. Why was it wrong?
    about ops :: commit and push ¦ please rebase on main ¦ release 1.2.3 ¦ systemctl restart nginx
    about docs :: Update the README ¦ Fix typos in the docs
    about unknown :: Fix the bug in the parser ¦ Release notes are wrong ¦ hello
    continues true :: continue ¦ yes please ¦ ok ¦ y ¦ 👍 ¦ do it ¦ Sounds good, proceed ¦ yes, let’s do it
    continues false ::  ¦ no ¦ perfect, thanks! ¦ continue with the tests ¦ yes, but use tabs ¦ what next? ¦ weiter
    halts true :: stop ¦ STOP!! ¦ okay, stop please ¦ forget it ¦ hold on ¦ no wait ¦ wait a moment ¦ never mind
    halts false :: wait, also fix the footer ¦ wait for the server ¦ stop using lodash there ¦ don't stop ¦ thanks ¦ cancel button is missing
    halts false :: stop the loop after 3 tries
    thanks true :: thanks ¦ perfect, thanks! ¦ Thank you.
    thanks false :: thanks, now fix it ¦ no thanks to you
    wants a failing test true :: Write a failing test for this. ¦ Add a test that fails without the fix. ¦ Don't fix it, only add a test.
    wants a failing test false :: Fix the failing test. ¦ Steps to reproduce: open the page. Fix it.
    is to be asked true :: Ask me before each step. ¦ Check with me before every change. ¦ Wait for my approval.
    is to be asked false :: You don't need to ask me. ¦ Ask Kim which file it is.
    is still to be asked true :: yes, drop it ¦ Port the reader.
    is still to be asked false :: Stop asking, do the rest. ¦ Finish it without asking.
  `

it.each(intents.flatMap(([asked, ...texts]) => texts.map((text) => [asked, text] as const)))(
  "%s: %j",
  (asked, text) => {
    const [, name = "", wanted] = /^(.*) (\w+)$/.exec(asked) ?? []
    assert.strictEqual(String(tables[name]?.(text)), wanted)
  }
)

it("only a short message halts", () => assert.isFalse(Intent.isHalt(`stop\n${"a ".repeat(200)}`)))
