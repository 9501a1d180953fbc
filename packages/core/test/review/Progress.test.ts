import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { TestHost } from "../../src/review/program/AgentHost.ts"
import { ArtifactsRecord } from "../../src/review/records/Artifacts.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as Comments from "../../src/model/crossreview/ReviewComments.ts"
import * as Missing from "../../src/judge/verdict/Missing.ts"
import type { Finding } from "../../src/judge/verdict/Verdict.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import * as Progress from "../../src/review/tiers/Progress.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { transcript, user } from "../support/events.ts"
import { seenOf } from "../support/opinions.ts"
import { session as events, table } from "../support/sessions.ts"
import { play, services, started } from "../support/turns.ts"
import { worksWith } from "../support/works.ts"

const words = {
  task: "> Fix the bug in the parser, run the tests and build it.",
  source: "edit /repo/src/parser.ts",
  green: "$ npm test => Tests: 5 passed, 5 total",
  red: "$1 npm test => FAIL test/a.test.ts > adds\\nTests: 1 failed, 4 passed, 5 total",
  built: "$ npm run build => built",
  own: "edit /repo/.reflection/config.json",
  claims: "Done."
}

const does = (line: string) => events(line, words)

const begun = does("task / source / claims")

/** At the end of these events, the agent gets the feedback of evidence. */
const reminded = (events: ReadonlyArray<TranscriptEvent>, attempt: number): ReadonlyArray<TranscriptEvent> => {
  const session = transcript(events, { cwd: null })
  const context = { ...Judgment.defaultContext, cwd: null }
  const { state } = Judgment.replay(session, context)
  const { feedback } = Judgment.verdict(state, { session, context, now: null, attempt })
  return [...events, user(feedback ?? assert.fail("no feedback"), { synthetic: true })]
}

/** What the agent did after each reminder, what changed, how much it followed, and how much is done, stuck and new. */
const rows = String.raw`
  green / claims :: tests: missing, now passed :: some 1 1 0
  green / built / claims :: tests: missing, now passed; build: missing, now passed :: all 2 0 0
  It is done, as I said. :: no check was run, and nothing relevant was edited :: none 0 2 0
  red / claims / AGAIN / source / red / claims :: the agent worked, but made no progress :: some 0 2 0
  green / own / claims :: tests: missing, now passed :: some 1 1 1
`

const reviews = worksWith(services())

const judgedOf = (line: string) => seenOf(transcript(does(line))).judged

const texts = (found: ReadonlyArray<Finding>) => found.map(({ message }) => message)

describe("Progress", () => {
  reviews("compares a stop with the last reminder, and is absent before the first", function* () {
    const service = yield* JudgeService
    const look = (all: ReadonlyArray<TranscriptEvent>) => service.review(transcript(all, { cwd: null }), { attempt: 1 })
    assert.isUndefined((yield* look(begun)).progress)
    for (const [line = "", summary = "", counts = ""] of table(rows)) {
      const parts = line.split(" / AGAIN / ")
      const all = parts.reduce((before, part, at) => [...reminded(before, at + 1), ...does(part)], begun)
      const { attempt, done, followed, fresh, stuck, ...progress } =
        (yield* look(all)).progress ?? assert.fail("no progress")
      assert.strictEqual(attempt, parts.length)
      assert.strictEqual([followed, done.length, stuck.length, fresh.length].join(" "), counts, line)
      assert.include(progress.summary, `Since nudge ${attempt}`)
      assert.include(progress.summary, summary)
      for (const text of done) assert.match(text, /^the (?:tests were|build was) not run/)
      for (const text of fresh) assert.match(text, /own settings were changed/)
    }
  })

  reviews("the user sees it after the last reminder, and the records keep it", function* () {
    yield* started
    const host = yield* TestHost
    const session = yield* play("s1")
    yield* session.asks("Fix the bug in the parser and run the tests.")
    for (const work of ["source / claims", "red / claims", "source / claims", "green / source / claims"]) {
      yield* session.does(...does(work))
      yield* session.stops
    }
    const told = (yield* host.notices).map(({ text }) => text)
    assert.deepStrictEqual(told, [
      "reflexion: Max attempts (3) reached, please take over. Since nudge 3 the agent worked, but made no progress. Still open: the tests were not run after the last edit."
    ])
    const written = yield* Effect.flatMap(ArtifactsRecord, (record) => record.written)
    const found = written.map(({ review }) => review.progress?.attempt)
    assert.deepStrictEqual(found, [undefined, 1, 2, 3])
  })

  it("neither our own check run nor a standing comment counts as the agent's step", () => {
    const judged = judgedOf("task / source / claims")
    const gates = judged.verdict.gates.map((one) =>
      one.gate === "tests" ? { ...one, result: "failed" as const } : one
    )
    const verified = { ...judged, verdict: { ...judged.verdict, gates, source: "verification" as const } }
    const before = { attempt: 1, text: "", verdict: judged.verdict, mark: judged.mark }
    assert.deepInclude(Progress.since(before, verified), { followed: "none", gates: [] })
    const comment = { file: "a.ts", line: "open(path)", said: "It leaks.", answer: null }
    const told = Comments.textOf(comment)
    const text = `[reflexion 1/3] The task is not done yet.\n\n- ${told}\n`
    const found = Missing.ofOther("review/comment", told, { comment })
    const reworded = Missing.ofOther("review/comment", "Handles pile up.", { comment: { ...comment, said: "…" } })
    const having = (...findings: ReadonlyArray<Finding>) => ({ ...judged, verdict: { ...judged.verdict, findings } })
    const since = Progress.since({ ...before, text, verdict: having().verdict }, having(reworded))
    assert.deepInclude(since, { followed: "none", stuck: [reworded.message], fresh: [] })
    const { done } = Progress.since({ ...before, text, verdict: having(found).verdict }, having())
    assert.deepStrictEqual(done, [told], "what the reminder and the verdict name is one")
  })

  it("each item is done, stuck or new; with a stuck item, not all was followed", () => {
    const items = fc.uniqueArray(
      fc.constantFrom(
        Missing.ofOther("gates/failing", "tests: failed", { gate: "tests" }),
        Missing.ofOther("gates/not-run", "build: missing", { gate: "build" }),
        Missing.ofOther("model/unfinished", "a word")
      )
    )
    const { verdict } = judgedOf("task / source / claims")
    fc.assert(
      fc.property(items, items, fc.boolean(), (before, after, moved) => {
        const earlier = { attempt: 1, text: "", mark: "a", verdict: { ...verdict, findings: before } }
        const found = Progress.since(earlier, { mark: moved ? "b" : "a", verdict: { ...verdict, findings: after } })
        assert.sameMembers([...found.stuck, ...found.fresh], texts(after))
        assert.sameMembers([...found.done, ...found.stuck], texts(before))
        assert.isFalse(found.followed === "all" && found.stuck.length > 0)
        assert.isFalse(found.followed === "none" && found.done.length > 0)
      })
    )
  })
})
