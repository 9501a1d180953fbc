import { FileSystem, Path } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { TestHost } from "../../src/review/program/AgentHost.ts"
import { ArtifactsRecord } from "../../src/review/records/Artifacts.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import * as Comments from "../../src/model/crossreview/ReviewComments.ts"
import * as Missing from "../../src/judge/verdict/Missing.ts"
import type { Finding } from "../../src/judge/verdict/Verdict.ts"
import * as Progress from "../../src/review/tiers/Progress.ts"
import { CurrentConfig } from "../../src/session/config/ReflexionConfig.ts"
import type { TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"
import { play, services, started } from "../support/turns.ts"
import { utmost } from "../support/utmost.ts"

const judge = (events: ReadonlyArray<TranscriptEvent>) =>
  Effect.flatMap(JudgeService, (service) => service.review(transcript(events, { cwd: null }), { attempt: 1 })).pipe(
    Effect.provide(JudgeService.Evidence),
    Effect.provide([FileSystem.layerNoop({}), Path.layer, CurrentConfig.layer({ rules: utmost.rules })])
  )

const task = user("Fix the bug in the parser, run the tests and build it.")
const claims = agent("Done.")
const begun = [task, edit("/repo/src/parser.ts"), claims]

/** What the agent is told at the stop that these events end in. */
const reminded = (events: ReadonlyArray<TranscriptEvent>, attempt = 1): ReadonlyArray<TranscriptEvent> => {
  const session = transcript(events, { cwd: null })
  const { state } = Judgment.replay(session, { ...Judgment.defaultContext, cwd: null })
  const { feedback } = Judgment.verdict(state, {
    session,
    context: { ...Judgment.defaultContext, cwd: null },
    now: null,
    attempt
  })
  assert.isNotNull(feedback)
  return [...events, user(feedback ?? "", { synthetic: true })]
}

const progress = Effect.fnUntraced(function* (events: ReadonlyArray<TranscriptEvent>) {
  const judged = yield* judge(events)
  assert.isDefined(judged.progress)
  return judged.progress ?? Progress.since({ attempt: 0, text: "", mark: null, verdict: judged.verdict }, judged)
})

const green = run("npm test", 0, "Tests: 5 passed, 5 total")
const red = run("npm test", 1, "FAIL test/a.test.ts > adds\nTests: 1 failed, 4 passed, 5 total")

const texts = (found: ReadonlyArray<Finding>) => found.map(({ message }) => message)

describe("Progress", () => {
  it.effect("is none before the first reminder", () =>
    Effect.gen(function* () {
      assert.isUndefined((yield* judge(begun)).progress)
    })
  )

  it.effect("knows which gates moved, what is done and what is stuck", () =>
    Effect.gen(function* () {
      const found = yield* progress([...reminded(begun), green, claims])
      assert.deepStrictEqual(found.gates, [{ gate: "tests", before: "missing", after: "passed" }])
      assert.deepStrictEqual([found.attempt, found.followed], [1, "some"])
      assert.match(found.done.join(), /^the tests were not run/)
      assert.match(found.stuck.join(), /^the build was not run/)
      assert.strictEqual(found.summary, "Since reminder 1: tests: missing, now passed")
    })
  )

  it.effect("tells all from nothing", () =>
    Effect.gen(function* () {
      const all = yield* progress([...reminded(begun), green, run("npm run build", 0, "built"), claims])
      assert.deepStrictEqual([all.followed, all.stuck, all.fresh], ["all", [], []])
      const none = yield* progress([...reminded(begun), agent("It is done, as I said.")])
      assert.deepStrictEqual([none.followed, none.gates, none.done], ["none", [], []])
      assert.strictEqual(none.stuck.length, 2)
      assert.strictEqual(none.summary, "Since reminder 1 no check was run, and nothing was edited that counts")
    })
  )

  it.effect("is measured since the last reminder", () =>
    Effect.gen(function* () {
      const once = [...reminded(begun), red, claims]
      const twice = [...reminded(once, 2), edit("/repo/src/parser.ts"), red, claims]
      const found = yield* progress(twice)
      assert.deepStrictEqual([found.attempt, found.followed, found.gates], [2, "some", []])
      assert.strictEqual(found.stuck.length, 2)
      assert.strictEqual(found.summary, "Since reminder 2 it worked on, and got no further")
    })
  )

  it.effect("names what is missing only now", () =>
    Effect.gen(function* () {
      const found = yield* progress([...reminded(begun), green, edit("/repo/.reflection/config.json"), claims])
      assert.match(found.fresh.join(), /own settings were changed/)
    })
  )

  it.scoped("is told to the user after the last reminder, and recorded", () =>
    Effect.gen(function* () {
      yield* started
      const host = yield* TestHost
      const session = yield* play("s1")
      yield* session.asks("Fix the bug in the parser and run the tests.")
      for (const work of [edit("/repo/src/parser.ts"), red, edit("/repo/src/parser.ts"), green]) {
        yield* session.does(work, work === green ? edit("/repo/src/parser.ts") : claims, claims)
        yield* session.stops
      }
      const told = (yield* host.notices).map(({ text }) => text)
      assert.deepStrictEqual(told, [
        "reflexion: Max attempts (3) reached, it is yours now. Since reminder 3 it worked on, and got no further. Still open: the tests were not run after the last edit."
      ])
      const written = yield* Effect.flatMap(ArtifactsRecord, (record) => record.written)
      assert.deepStrictEqual(
        written.map(({ review }) => review.progress?.attempt),
        [undefined, 1, 2, 3]
      )
    }).pipe(Effect.provide(services()))
  )

  it("takes neither a check that was run for it nor a comment that stands for a step of the agent's", () => {
    const session = transcript(begun)
    const { state } = Judgment.replay(session, Judgment.defaultContext)
    const judged = Judgment.review(state, { session, context: Judgment.defaultContext, now: null })
    const gates = judged.verdict.gates.map((gate) =>
      gate.gate === "tests" ? { ...gate, result: "failed" as const } : gate
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
    const known = { ...before, text, verdict: having(found).verdict }
    assert.deepStrictEqual(
      Progress.since(known, having()).done,
      [told],
      "what the reminder and the verdict name is one"
    )
  })

  it("puts each item in one place, and is never followed over one that is stuck", () => {
    const items = fc.uniqueArray(
      fc.constantFrom(
        Missing.ofOther("gates/failing", "tests: failed", { gate: "tests" }),
        Missing.ofOther("gates/not-run", "build: missing", { gate: "build" }),
        Missing.ofOther("model/unfinished", "a word")
      )
    )
    const session = transcript(begun)
    const { verdict } = Judgment.review(Judgment.replay(session, Judgment.defaultContext).state, {
      session,
      context: Judgment.defaultContext,
      now: null
    })
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
