import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as StandingOrders from "../../src/session/task/StandingOrders.ts"
import * as TaskContext from "../../src/session/task/TaskContext.ts"
import { user } from "../support/events.ts"

const after = (...messages: ReadonlyArray<string>): ReadonlyArray<string> =>
  messages.map((text) => user(text)).reduce(TaskContext.step, TaskContext.initial).standing

describe("an order that outlasts its turn", () => {
  it.each([
    "Ask me for approval before every step.",
    "Check with me before each change.",
    "Never push to main.",
    "Don't run the migrations.",
    "Please do not deploy anything.",
    "Port the reader, but don't touch the writer.",
    "You must never delete a customer's files.",
    "Fix the reader. Do not merge it until I have seen it.",
    "We never push to the release branch."
  ])("%s", (text) => {
    assert.lengthOf(after(text, "Port the reader.", "Thanks, now the docs."), 1)
  })

  it.each([
    "Don't forget the docs.",
    "Don't worry about the tests.",
    "I don't run the migrations here.",
    "Why don't we run the migration?",
    "The old reader did not close its file.",
    "Fix this:\n```\nnever push to main\n```",
    "> Do not merge this.\nWhat does the reviewer mean?",
    "The log says:\nError: do not run the migration twice",
    "Ask Kim which file it is.",
    "Run the tests before each commit."
  ])("none: %s", (text) => {
    assert.deepStrictEqual(after(text), [])
  })

  it.each([
    ["Never push to main.", "Push it to main."],
    ["Do not run the migration.", "You can run the migration now."],
    ["Do not run the migrations.", "OK, please run the migration."],
    ["Don't deploy.", "Go ahead and deploy it."],
    ["Ask me before every step.", "Stop asking, do the rest on your own."],
    ["Ask me before every step.", "You don't need to ask any more."],
    ["Check with me before each change.", "Finish everything without asking."]
  ])("is taken back: %s %s", (order, text) => {
    assert.deepStrictEqual(after(order, text), [])
  })

  it.each([
    ["Never push to main.", "Push the branch."],
    ["Do not run the migration.", "Continue with the controllers."],
    ["Do not run the migration.", "Has the migration run?"],
    ["Ask me before every step.", "yes, do that"],
    ["Ask me before every step.", "Ask me before every step, I said."]
  ])("stands: %s %s", (order, text) => {
    assert.include(after(order, text), text.startsWith("Ask") ? text : order)
  })

  it("is one of eight, each of bounded length", () => {
    const many = Array.from({ length: 40 }, (_, at) => `Do not change the module number ${at} ${"x ".repeat(400)}.`)
    assert.lengthOf(after(...many), 8)
    assert.isBelow(Math.max(...after(...many).map(({ length }) => length)), 301)
  })

  it("decodes from a state that has none", () => {
    const { standing: _standing, ...old } = Schema.encodeSync(TaskContext.TaskContext)(TaskContext.initial)
    assert.deepStrictEqual(Schema.decodeUnknownSync(TaskContext.TaskContext)(old), TaskContext.initial)
  })
})

describe("a question about what was forbidden", () => {
  it.each([
    ["Do not run the migrations.", "Want me to run `rake db:migrate` now?"],
    ["Never push to main.", "Shall I push this to main?"],
    ["Don't touch the writer.", "Should I change the writer as well?"],
    ["Please don't deploy before Monday.", "Ready to deploy?"],
    ["Do not delete any file without asking me.", "Shall I delete the two files?"]
  ])("%s %s", (order, question) => {
    assert.isTrue(StandingOrders.forbid(after(order), question))
  })

  it.each([
    ["Do not run the migrations.", "Should I continue with the controllers?"],
    ["Never push to main.", "Want me to write the docs?"],
    ["Ask me before every step.", "Should I continue?"]
  ])("is none: %s %s", (order, question) => {
    assert.isFalse(StandingOrders.forbid(after(order), question))
  })
})
