import { assert, describe, it } from "@effect/vitest"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import { Transcript } from "@reflexion/core/Transcript"
import type { Verdict } from "@reflexion/core/Verdict"
import { turnOf } from "@reflexion/core/internal/model/assessment/TurnRecord"
import { Effect, Schema } from "effect"
import * as SessionFold from "../src/judge/SessionFold.ts"
import { failing, neutral, passing, type Turn, undecided } from "./sessions.ts"

const transcript = (turns: ReadonlyArray<Turn>) => Schema.decodeSync(Schema.parseJson(Transcript))(neutral(turns))

const fold = (turns: ReadonlyArray<Turn>, over: Partial<SessionFold.Options> = {}, repo = RepoSignals.empty) => {
  const session = transcript(turns)
  const context = { config: ReflexionConfig.defaults, repo, cwd: session.cwd }
  const folding = SessionFold.make({ context, turn: "last", task: null, now: null, millis: () => 0, ...over })
  folding.push(NeutralTranscript.events(session), session)
  return folding.end(session)
}

/** What would be asked of each turn, and the events that are held for it. */
const seenOf = (session: Transcript, over: Partial<SessionFold.Options> = {}) => {
  const seen: Array<SessionFold.Seen> = []
  const consult: SessionFold.Consult = (one) => Effect.sync(() => (seen.push(one), one.judged.verdict))
  const context = { config: ReflexionConfig.defaults, repo: RepoSignals.empty, cwd: session.cwd }
  const folding = SessionFold.make({ context, turn: "all", task: null, now: null, millis: () => 0, consult, ...over })
  const run = folding.settle ?? Effect.die("there is somebody to ask")
  folding.push(NeutralTranscript.events(session), session)
  folding.end(session)
  return Effect.as(run, seen)
}

/** The record of a turn as a model is shown it, under the labels by which it cites. */
const shown = (session: Transcript, { judged, options, state }: SessionFold.Seen, events: Transcript["events"]) =>
  turnOf(state, { ...options, judged, transcript: { ...session, events } }).entries.map(({ current, event, label }) => [
    label,
    current,
    event.type,
    event.id
  ])

const indices = ({ verdicts }: SessionFold.Folded) => verdicts.map(({ turn }) => turn.index)

const testRuns = (verdict: Verdict | undefined): number | undefined =>
  verdict?.gates.find(({ gate }) => gate === "tests")?.evidence.length

describe("SessionFold", () => {
  it("takes the verdicts that were asked for", () => {
    const turns = [passing, passing, passing]
    assert.deepStrictEqual(indices(fold(turns)), [2])
    assert.deepStrictEqual(indices(fold(turns, { turn: "all" })), [0, 1, 2])
    assert.deepStrictEqual(indices(fold(turns, { turn: 1 })), [1])
    assert.deepStrictEqual(indices(fold(turns, { turn: 2 })), [2])
    assert.deepStrictEqual(fold(turns, { turn: 3 }), { verdicts: [], turns: 3, last: 2 })
  })

  it("judges a turn the same alone, among all and as the last", () => {
    const [first] = fold([passing, passing], { turn: "all" }).verdicts
    assert.deepStrictEqual(fold([passing, passing], { turn: 0 }).verdicts[0], first)
    assert.deepStrictEqual(fold([passing]).verdicts[0], first)
  })

  it("counts turns, whose numbers can have gaps", () => {
    const session = transcript([passing, passing])
    const events = NeutralTranscript.events(session).map((event) =>
      event.type === "user_message" && event.id === "u1" ? { ...event, turn: 4 } : event
    )
    const context = { config: ReflexionConfig.defaults, repo: RepoSignals.empty, cwd: null }
    const folding = SessionFold.make({ context, turn: 2, task: null, now: null, millis: () => 0 })
    folding.push(events, session)
    assert.deepStrictEqual(folding.end(session), { verdicts: [], turns: 2, last: 4 })
  })

  it("knows the working copy in the last turn only", () => {
    const repo = RepoSignals.fromFiles({ "package.json": JSON.stringify({ scripts: { check: "vitest run" } }) })
    const checked: Turn = {
      ask: "Please check it.",
      runs: [{ command: "npm run check", exitCode: 0, output: "Tests  5 passed (5)" }],
      answer: "Checked."
    }
    const [first, last] = fold([checked, checked], { turn: "all" }, repo).verdicts
    assert.strictEqual(testRuns(first), testRuns(fold([checked]).verdicts[0]))
    assert.deepStrictEqual([testRuns(first), testRuns(last)], [0, 1])
  })

  it("says what each verdict took", () => {
    let time = 0
    const { verdicts } = fold([passing, passing], { turn: "all", millis: () => (time += 7) })
    assert.deepStrictEqual(
      verdicts.map(({ cost }) => cost.durationMs),
      [7, 7]
    )
  })

  it("takes the task that was given for the prompt where the record has none", () => {
    const session = transcript([passing])
    const events = NeutralTranscript.events(session).filter((event) => event.type !== "user_message")
    const context = { config: ReflexionConfig.defaults, repo: RepoSignals.empty, cwd: null }
    const options = { context, turn: "last", task: passing.ask, now: null, millis: () => 0 } as const
    const folding = SessionFold.make(options)
    folding.push(events, session)
    const { last, turns, verdicts } = folding.end(session)
    assert.deepStrictEqual([verdicts[0]?.status, testRuns(verdicts[0]), turns, last], ["complete", 1, 1, 0])
  })

  it("has a verdict for a session without a prompt", () => {
    const { last, turns, verdicts } = fold([], { turn: "all" })
    assert.deepStrictEqual([verdicts.length, turns, last], [1, 1, 0])
  })

  it("holds for a model what all of the session would show of a task, turn by turn", () =>
    Effect.gen(function* () {
      const goOn = { ...undecided, ask: "continue" }
      const session = transcript([passing, undecided, goOn, goOn, failing, undecided])
      const all = NeutralTranscript.events(session)
      const ends = [3, 6, 9, 12, 15, 18]
      const seen = yield* seenOf(session)
      assert.deepStrictEqual(
        seen.map(({ judged }) => judged.verdict.turn.index),
        [0, 1, 2, 3, 4, 5]
      )
      for (const [index, one] of seen.entries()) {
        const found = shown(session, one, one.events?.() ?? [])
        assert.isNotEmpty(found)
        assert.deepStrictEqual(found, shown(session, one, all.slice(0, ends[index])))
      }
    }).pipe(Effect.runPromise))

  it("holds nothing of a session that is too long", () =>
    Effect.gen(function* () {
      const long = { ...undecided, answer: "x".repeat(21_000_000) }
      const seen = yield* seenOf(transcript([long, undecided]))
      assert.deepStrictEqual(
        seen.map(({ events }) => events?.().length ?? null),
        [null, null]
      )
    }).pipe(Effect.runPromise))

  it("knows what came of a reminder, and says nothing where there was none", () => {
    const session = transcript([{ ...failing, runs: [{ command: "sed -i s/a/b/ src/a.js", exitCode: 0, output: "" }] }])
    const text = "[reflexion 1/3] The task is not done yet.\n\n- The tests were asked for and have not been run."
    const reminder = { type: "user_message", id: "r", at: null, text, synthetic: true } as const
    const red = transcript([failing]).events.slice(1)
    const context = { config: ReflexionConfig.defaults, repo: RepoSignals.empty, cwd: session.cwd }
    const folded = (events: Transcript["events"]) => {
      const folding = SessionFold.make({ context, turn: "last", task: null, now: null, millis: () => 0 })
      folding.push(NeutralTranscript.events({ ...session, events }), session)
      return folding.end(session).verdicts[0]?.progress
    }
    assert.isUndefined(folded(session.events))
    const progress = folded([...session.events, reminder, ...red])
    assert.deepInclude(progress, { attempt: 1, followed: "some" })
    assert.deepStrictEqual(progress?.gates, [{ gate: "tests", before: "missing", after: "failed" }])
    assert.isUndefined(folded([...session.events, reminder, ...red, ...transcript([passing]).events]))
  })
})
