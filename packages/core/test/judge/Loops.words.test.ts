import { assert, describe, it } from "@effect/vitest"
import * as Loops from "../../src/judge/loops/Loops.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, call, user } from "../support/events.ts"

const patterns = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  Loops.read(events.reduce(Loops.step, Loops.initial)).map(({ pattern }) => pattern)

const told = (index: number) =>
  user(`<task-notification>reviewer ${index} is done</task-notification>`, { synthetic: true })

const refused = (index: number): TranscriptEvent => ({
  type: "notice",
  at: null,
  kind: "api_error",
  detail: `prompt is too long: ${215_000 + index} tokens > 200000 maximum`
})

describe("monologues of nearly the same words", () => {
  it.each([
    ["counted attempts", (index: number) => `Attempt ${index + 1}: I'll fix the login limiter now.`],
    ["counted tries", (index: number) => `Try #${index}. Let me check the config again.`],
    [
      "a word more or less",
      (index: number) => `Let me ${index % 2 === 0 ? "take a look" : "look"} at the login file to mend the limiter.`
    ],
    ["German", (index: number) => `Versuch ${index}: Ich sehe mir jetzt die Datei noch einmal an.`],
    ["Chinese", (index: number) => `第${index}次尝试：我现在修复登录限制。`]
  ] as const)("are four of them: %s", (_, text) => {
    const say = (count: number) => Array.from({ length: count }, (_, index) => agent(text(index)))
    assert.deepStrictEqual(patterns(say(3)), [])
    assert.deepStrictEqual(patterns(say(5)), ["monologue"])
  })

  it.each([
    [
      "other words",
      (index: number) => ["I read the parser.", "The cause is the cache.", "It lacks a tenant.", "I mend it."][index]
    ],
    ["short words", () => undefined]
  ] as const)("are none of %s", (_, text) => {
    const say = Array.from({ length: 4 }, (_, index) => agent(text(index) ?? `Part ${index} done.`))
    assert.deepStrictEqual(patterns(say), [])
  })

  it("are none where the host tells something in between", () => {
    const events = Array.from({ length: 6 }, (_, index) => [
      told(index),
      agent(`${index} of 6 reviewers are done; I wait for the others.`)
    ]).flat()
    assert.deepStrictEqual(patterns(events), [])
  })

  it("are none with a call in between", () => {
    const events = Array.from({ length: 6 }, (_, index) => [
      agent(`Step ${index}: I'll mend the next file of the list.`),
      call("Edit", { file_path: `a${index}.ts`, old_string: "a", new_string: "b" })
    ]).flat()
    assert.deepStrictEqual(patterns(events), [])
  })
})

describe("a short phrase over and over in one message", () => {
  it.each([
    ["a word", "fix ".repeat(200)],
    ["two words", "try again ".repeat(60)],
    ["Chinese", "修复登录。".repeat(40)],
    ["Japanese", "直す、".repeat(60)],
    ["Russian", "ещё раз ".repeat(60)]
  ])("is a monologue: %s", (_, text) => {
    assert.deepStrictEqual(patterns([agent(`Now.\n${text}`)]), ["monologue"])
  })

  it.each([
    ["a list of values", "null, true, ".repeat(1) + "[null, null]".repeat(60)],
    ["a block of code", `\`\`\`\n${"nop ".repeat(200)}\n`],
    ["bytes", "ff ".repeat(200)],
    ["a drawing", "o-o|".repeat(100)],
    ["a little joy", "ha ".repeat(20)]
  ])("is not %s", (_, text) => {
    assert.deepStrictEqual(patterns([agent(text)]), [])
  })
})

describe("a full context with a word in between", () => {
  it("is a loop of the context, before it is one of words", () => {
    const events = Array.from({ length: 5 }, (_, index) => [agent("Let me compact."), refused(index)]).flat()
    assert.strictEqual(patterns(events)[0], "context_error")
  })

  it("whatever the words", () => {
    const words = ["Compacting.", "Once more.", "I shorten it.", "Now with less.", "Again."]
    const events = words.flatMap((text, index) => [agent(text), refused(index)])
    assert.deepStrictEqual(patterns(events), ["context_error"])
    assert.deepStrictEqual(patterns(events.slice(0, 6)), [])
  })
})
