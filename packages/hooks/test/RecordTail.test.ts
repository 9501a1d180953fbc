import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "@reflexion/core/Judgment"
import type { SessionInfo, TranscriptEvent } from "@reflexion/core/Transcript"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import { appendFileSync, cpSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ClaudeCodeHook from "../src/process/ClaudeCodeHook.ts"
import * as CodexHook from "../src/process/CodexHook.ts"
import * as GeminiHook from "../src/process/GeminiHook.ts"
import type { RecordDecoder } from "../src/session/RecordTail.ts"
import * as RecordTail from "../src/session/RecordTail.ts"
import { inScratch } from "./support/session.ts"

const context = { ...Judgment.defaultContext, cwd: "/home/dev/shop" }

const options = <S>(file: string, decoder: RecordDecoder<S>) => ({
  file,
  decoder,
  context: () => context,
  hasTime: () => true
})

const whole = <S>(file: string, decoder: RecordDecoder<S>) =>
  RecordTail.read({ ...options(file, decoder), reach: null })

const tail = <S>(
  file: string,
  decoder: RecordDecoder<S>,
  known?: RecordTail.LastStop,
  reach: RecordTail.Reach = { turns: 0, bytes: 0 }
) => RecordTail.read({ ...options(file, decoder), reach: () => reach, known })

const read = <S>(file: string, decoder: RecordDecoder<S>, known?: RecordTail.LastStop, reach?: RecordTail.Reach) =>
  tail(file, decoder, known, reach) ?? assert.fail("there is no record")

const verdictOf = <S>(
  { decoder: state, judgment }: Pick<RecordTail.Reading<S>, "decoder" | "judgment">,
  decoder: RecordDecoder<S>
) => {
  const session: SessionInfo = decoder.session(state)
  const end = decoder.finish(state).reduce((before, one) => Judgment.step(before, one, context), judgment)
  return Judgment.verdict(end, { session, context, now: null })
}

/** By the running turn alone, with nothing known of what came before. */
const isTheSame = <S>(host: Recordings.Recorded, decoder: RecordDecoder<S>) =>
  Effect.gen(function* () {
    const recordings = yield* Recordings.list(host)
    assert.isAbove(recordings.length, 8)
    for (const { file, name } of recordings) {
      const expected = whole(file, decoder)
      if (expected === null) return assert.fail(name)
      const found = read(file, decoder)
      const [before, after] = [expected, found].map((reading) => {
        const { shouldContinue, status } = verdictOf(reading, decoder)
        const mark = Judgment.mark(reading.judgment, context)
        const { sessionId } = decoder.session(reading.decoder)
        return { status, shouldContinue, message: reading.judgment.task.message, mark, sessionId }
      })
      assert.deepStrictEqual(after, before, name)
    }
  })

let count = 0

const lineOf = (fields: object): string => {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + 1000 * ++count).toISOString()
  return `${JSON.stringify({ sessionId: "s", cwd: "/home/dev/shop", uuid: `u${count}`, timestamp, ...fields })}\n`
}

const user = (text: string, more: object = {}): string =>
  lineOf({ type: "user", message: { role: "user", content: text }, ...more })

const says = (text: string): string =>
  lineOf({
    type: "assistant",
    message: { id: `m${count}`, content: [{ type: "text", text }], stop_reason: "end_turn" }
  })

const runs = (command: string, output: string): string => {
  const id = `c${count}`
  const call = { type: "tool_use", id, name: "Bash", input: { command } }
  return (
    lineOf({ type: "assistant", message: { id: `m${count}`, content: [call] } }) +
    lineOf({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content: output }] } })
  )
}

const filler = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 50_000) }, () => runs("cat notes.txt", "word ".repeat(10_000))).join("")

const tested = (text: string): string => user(text) + runs("npm test", "Tests  3 passed (3)") + says("Done.")

const nudged = (attempt: number): string => {
  const content = [`[reflexion ${attempt}/3] The task is not done yet.`]
  return lineOf({ type: "attachment", attachment: { type: "hook_additional_context", hookEvent: "Stop", content } })
}

/** A line of Codex's. */
const line = (type: string, payload: object): string =>
  `${JSON.stringify({ timestamp: new Date(Date.UTC(2026, 0, 1) + 1000 * ++count).toISOString(), type, payload })}\n`

const { decoder } = ClaudeCodeHook

const asked = ({ prompts }: RecordTail.LastStop) => prompts.map((one) => one.asked)

const prompts = (events: ReadonlyArray<TranscriptEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "user_message" && !event.synthetic ? [event.text] : []))

const inRecord = (title: string, work: (file: string, home: string) => void) =>
  inScratch(title, ({ home }) => work(join(home, "s.jsonl"), home))

describe("RecordTail", () => {
  it.effect("comes by the running turn alone to what the whole record comes to", () =>
    Effect.provide(
      Effect.all([
        isTheSame("claude-code", ClaudeCodeHook.decoder),
        isTheSame("codex", CodexHook.decoder),
        isTheSame("gemini", GeminiHook.decoder)
      ]),
      NodeContext.layer
    )
  )

  inRecord("begins at a message that a person wrote, whatever else stands in the user's place", (file) => {
    const hosts = [
      user("Caveat: The messages below were generated by the user while running local commands", { isMeta: true }),
      user("This session is being continued from a previous conversation.", { isCompactSummary: true }),
      user("<task-notification><task-id>1</task-id></task-notification>"),
      user("[Request interrupted by user]"),
      nudged(1)
    ]
    writeFileSync(file, [user("Add a cart."), says("Done."), user("Now a till."), ...hosts, says("Done.")].join(""))
    const { events, judgment } = read(file, decoder)
    assert.deepStrictEqual(prompts(events), ["Now a till."])
    assert.strictEqual(judgment.task.message, "Now a till.")
    assert.isDefined(judgment.evidence.unreadAt)
  })

  inRecord("reads the turns before it as far as it is told to, and knows where nothing was left out", (file) => {
    writeFileSync(file, ["one", "two", "three", "four"].map(tested).join(""))
    const turns = (reach: RecordTail.Reach): ReadonlyArray<number> => [
      ...new Set(read(file, decoder, undefined, reach).judgment.evidence.runs.map((run) => run.turn))
    ]
    assert.lengthOf(turns({ turns: 0, bytes: 0 }), 1)
    assert.lengthOf(turns({ turns: 2, bytes: 300_000 }), 3)
    assert.lengthOf(turns({ turns: 2, bytes: 100 }), 1)
    const all = read(file, decoder, undefined, { turns: 3, bytes: 300_000 })
    assert.isUndefined(all.judgment.evidence.unreadAt)
    assert.deepStrictEqual(all.judgment, whole(file, decoder)?.judgment)
  })

  inRecord("knows the orders of earlier turns, and sends nobody on for what may have been done there", (file) => {
    const order = "Fix the total in src/total.ts and run the tests."
    writeFileSync(file, user(order) + says("Shall I?"))
    const { known } = read(file, decoder)
    assert.deepStrictEqual(asked(known), [order])
    appendFileSync(file, user("continue") + says("Done."))
    const next = read(file, decoder, known)
    const { task } = next.judgment
    assert.deepStrictEqual([task.text, task.turn, next.known.turn, asked(next.known).length], [order, 1, 1, 2])
    assert.isFalse(verdictOf(next, decoder).shouldContinue)
    // The same stop again, with what the first one knew.
    assert.deepStrictEqual(read(file, decoder, next.known).judgment, next.judgment)
  })

  inRecord("cuts a turn that is too long, and keeps its message, also one with a picture", (file) => {
    const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(600_000) } }
    const message = { role: "user", content: [{ type: "text", text: "Now a till." }, picture] }
    writeFileSync(file, user("Add a cart.") + says("Done."))
    const { known } = read(file, decoder)
    appendFileSync(file, lineOf({ type: "user", message }) + says("I shall."))
    assert.deepStrictEqual(asked(read(file, decoder, known).known), ["Add a cart.", "Now a till."])
    appendFileSync(file, filler(2_600_000) + says("Done."))
    const { cut, judgment } = read(file, decoder)
    assert.isTrue(cut)
    assert.strictEqual(judgment.task.message, "Now a till.")
    assert.isDefined(judgment.evidence.unreadAt)
    assert.isBelow(judgment.evidence.calls, 50)
  })

  inRecord("reads a long prompt of Codex's, which comes behind the line that begins its turn", (file) => {
    const url = `data:image/png;base64,${"A".repeat(600_000)}`
    const text = { type: "input_text", text: "Now a till." }
    const content = [text, { type: "input_image", image_url: url }]
    const lines = [
      line("session_meta", { id: "s", cwd: "/repo" }),
      line("event_msg", { type: "task_started", turn_id: "t" }),
      line("response_item", { type: "message", role: "user", content }),
      line("event_msg", { type: "user_message", message: "Now a till.", images: [url] }),
      ...Array.from({ length: 26 }, () => line("event_msg", { type: "agent_message", message: "a".repeat(100_000) }))
    ]
    writeFileSync(file, lines.join(""))
    const { cut, judgment } = read(file, CodexHook.decoder)
    assert.isTrue(cut)
    assert.strictEqual(judgment.task.message, "Now a till.")
  })

  inRecord(
    "cuts a turn whose beginning is too far back to be found, and keeps what is known of the one before",
    (file) => {
      writeFileSync(file, user("Fix the total and run the tests.") + says("Shall I?"))
      const { known } = read(file, decoder)
      const long = `${JSON.stringify({ type: "progress", data: "a".repeat(3_000_000) })}\n`
      appendFileSync(file, user("Go on.") + long.repeat(12) + runs("npm test", "Tests  1 failed | 2 passed (3)"))
      appendFileSync(file, says("All tests pass."))
      const found = read(file, decoder, known)
      assert.isTrue(found.cut)
      assert.strictEqual(found.judgment.task.text, "Fix the total and run the tests.")
      assert.isTrue(verdictOf(found, decoder).shouldContinue)
      assert.isTrue(read(file, decoder).cut)
    }
  )

  inRecord("knows work in the background that began before", (file) => {
    const event = (type: string, more: object): string => line("event_msg", { type, ...more })
    const turn = (text: string, ...lines: ReadonlyArray<string>): string =>
      [
        event("task_started", { turn_id: text }),
        event("user_message", { message: text }),
        ...lines,
        event("agent_message", { message: "It runs." }),
        event("task_complete", { turn_id: text })
      ].join("")
    const call = { type: "function_call", call_id: "c", name: "exec_command", arguments: '{"cmd":"npm test"}' }
    const output = "Wall time: 1.0 seconds\nProcess running with session ID 5\nOutput:\n"
    const result = { type: "function_call_output", call_id: "c", output }
    const begins = [call, result].map((item) => line("response_item", item))
    writeFileSync(file, line("session_meta", { id: "s", cwd: "/repo" }) + turn("Start the tests.", ...begins))
    const { known } = read(file, CodexHook.decoder)
    appendFileSync(file, turn("Thanks."))
    const background = (one?: RecordTail.LastStop) => read(file, CodexHook.decoder, one).judgment.stop.background
    assert.deepStrictEqual(background(), [])
    assert.deepStrictEqual(background(known), whole(file, CodexHook.decoder)?.judgment.stop.background)
    assert.lengthOf(background(known), 1)
  })

  inRecord("takes in what subagents did since the first line that is read", (file, home) => {
    const from = Recordings.folder("claude-code")
    cpSync(join(from, "subagent.jsonl"), file)
    const alone = whole(file, decoder)?.judgment.evidence.order ?? 0
    cpSync(join(from, "subagent"), join(home, "s"), { recursive: true })
    const together = read(file, decoder, undefined, { turns: 5, bytes: 1_000_000 })
    assert.isAbove(together.judgment.evidence.order, alone)
    writeFileSync(file, user("Add a cart.", { timestamp: "2000-01-01T00:00:00.000Z" }) + says("Done.") + user("Again."))
    const folder = join(home, "s", "subagents")
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0)
    assert.strictEqual(read(file, decoder).judgment.evidence.calls, 0)
  })

  inRecord("goes on from where it was, and nowhere without a record", (file) => {
    for (const one of [whole(file, decoder), tail(file, decoder)]) assert.isNull(one)
    writeFileSync(file, user("Add a cart.") + says("Done."))
    const first = read(file, decoder)
    const torn = user("And a till.")
    appendFileSync(file, runs("npm test", "Tests  3 passed (3)") + torn.slice(0, 20))
    const second = RecordTail.readOn(first, decoder)
    assert.strictEqual(second?.judgment.evidence.calls, 1)
    appendFileSync(file, torn.slice(20))
    const third = second === null ? null : RecordTail.readOn(second, decoder)
    assert.strictEqual(third?.judgment.task.message, "And a till.")
  })

  inRecord("finds the agents of a Codex session in its own folder and in a later day's", (_, home) => {
    const from = Recordings.folder("codex")
    const [agent = ""] = readdirSync(join(from, "subagent/subagents"))
    const month = join(home, "sessions/2026/11")
    const [day, later] = [join(month, "22"), join(month, "23")]
    const record = join(day, "rollout-2026-11-22T02-02-15-01a200fd-6346-76b2-9d8e-0b38bfb9f41a.jsonl")
    cpSync(join(from, "subagent.jsonl"), record)
    assert.deepStrictEqual(CodexHook.decoder.subagents?.list(record), [])
    for (const folder of [day, later]) cpSync(join(from, "subagent/subagents", agent), join(folder, agent))
    cpSync(join(from, "tests-failing.jsonl"), join(day, "rollout-2026-11-22T03-00-00-other.jsonl"))
    const expected = [day, later].map((folder) => join(folder, agent))
    assert.deepStrictEqual(CodexHook.decoder.subagents?.list(record), expected)
  })
})
