import { assert, describe, it } from "@effect/vitest"
import * as NeutralTranscript from "@reflexion/core/NeutralTranscript"
import * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import { Transcript } from "@reflexion/core/Transcript"
import { turnOf } from "@reflexion/core/internal/model/assessment/TurnRecord"
import { Effect, Schema } from "effect"
import { view } from "../src/judge/verdict.ts"
import { works } from "../../core/test/support/works.ts"
import * as SessionFold from "../src/judge/SessionFold.ts"
import { failing, neutral, passing, type Turn, undecided } from "./sessions.ts"

const transcript = (turns: ReadonlyArray<Turn>) => Schema.decodeSync(Schema.parseJson(Transcript))(neutral(turns))

interface Given extends Partial<SessionFold.Options> {
  readonly repo?: RepoSignals.RepoSignals
}

const folding = (session: Transcript, { repo = RepoSignals.empty, ...over }: Given) =>
  SessionFold.make(view.turns, {
    context: { config: ReflexionConfig.defaults, repo, cwd: session.cwd },
    turn: "last",
    task: null,
    now: () => null,
    millis: () => 0,
    consult: null,
    ...over
  })

const foldOf = (session: Transcript, given: Given = {}, events = NeutralTranscript.events(session)) => {
  const fold = folding(session, given)
  fold.push(events, session)
  return fold.end(session)
}

const fold = (turns: ReadonlyArray<Turn>, given: Given = {}) => foldOf(transcript(turns), given)

/** What would be asked of each turn, and the events that are held for it. */
const consulted = (session: Transcript) => {
  const seen: Array<SessionFold.Consultation> = []
  const consult: SessionFold.Consult = (one) => Effect.sync(() => (seen.push(one), one.judged.verdict))
  const fold = folding(session, { turn: "all", consult })
  fold.push(NeutralTranscript.events(session), session)
  fold.end(session)
  return Effect.as(fold.settle ?? Effect.die("there is somebody to ask"), seen)
}

/** The record of a turn as a model is shown it, under the labels that it cites. */
const shownTo = (
  session: Transcript,
  { judged, options, state }: SessionFold.Consultation,
  events: Transcript["events"]
) =>
  turnOf(state, { ...options, judged, transcript: { ...session, events } }).entries.map(({ current, event, label }) => [
    label,
    current,
    event.type,
    event.id
  ])

describe("SessionFold", () => {
  it.each([
    ["mcp__reflexion__judge", {}],
    ["code_mode", { script: "text(await tools.mcp__reflexion__judge({}))" }]
  ])("an agent that asks for its verdict by %s is judged as if stopped there", (tool, input) => {
    const events = (status: string) =>
      Schema.decodeUnknownSync(Transcript)({
        version: 1,
        sessionId: "s1",
        events: [
          { type: "user_message", text: "Fix the total and run npm test." },
          { type: "tool_call", id: "c1", tool: "edit", status: "completed", input: { filePath: "/repo/total.ts" } },
          { type: "tool_call", id: "c2", tool, status, input }
        ]
      })
    for (const status of ["pending", "running"]) {
      const [verdict] = foldOf(events(status)).shown
      assert.strictEqual(verdict?.status, "incomplete")
      assert.include(verdict?.reason, "tests were not run")
    }
    const [stopped] = foldOf(events("completed")).shown
    assert.notStrictEqual(stopped?.status, "complete")
  })

  it("judges the requested turns, each as if it were alone; turn numbers can have gaps", () => {
    const turns = [passing, passing, passing]
    const indices = (turn: SessionFold.Turn) => fold(turns, { turn }).shown.map((one) => one?.turn.index)
    assert.deepStrictEqual((["last", "all", 1, 3] as const).map(indices), [[2], [0, 1, 2], [1], []])
    assert.deepInclude(fold(turns, { turn: 3 }), { turns: 3, last: 2 })
    assert.deepStrictEqual(fold(turns, { turn: 0 }).shown[0], fold([passing]).shown[0])
    assert.deepInclude(fold([], { turn: "all" }), { turns: 1, last: 0 })
    const session = transcript([passing, passing])
    const events = NeutralTranscript.events(session).map((event) =>
      event.type === "user_message" && event.id === "u1" ? { ...event, turn: 4 } : event
    )
    assert.deepInclude(foldOf(session, { turn: 2 }, events), { shown: [], turns: 2, last: 4 })
  })

  it("uses the working copy only for the last turn, and measures each verdict's time", () => {
    let time = 0
    const repo = RepoSignals.fromFiles({ "package.json": JSON.stringify({ scripts: { check: "vitest run" } }) })
    const runs = [{ command: "npm run check", exitCode: 0, output: "Tests  5 passed (5)" }]
    const checked: Turn = { ask: "Please check it.", runs, answer: "Checked." }
    const { shown } = fold([checked, checked], { turn: "all", repo, millis: () => (time += 7) })
    const tests = shown.map((one) => one?.gates.find(({ gate }) => gate === "tests")?.evidence.length)
    const durations = shown.map((one) => one?.cost.durationMs)
    assert.deepStrictEqual({ tests, durations }, { tests: [0, 1], durations: [7, 7] })
  })

  works("a model sees each turn's task as in the whole session, up to a limit", function* () {
    const goOn = { ...undecided, ask: "continue" }
    const session = transcript([passing, undecided, goOn, goOn, failing, undecided])
    const all = NeutralTranscript.events(session)
    const seen = yield* consulted(session)
    assert.lengthOf(seen, 6)
    for (const [index, one] of seen.entries()) {
      const found = shownTo(session, one, one.events?.() ?? [])
      assert.isNotEmpty(found)
      assert.deepStrictEqual(found, shownTo(session, one, all.slice(0, 3 * (index + 1))))
    }
    const [first, ...rest] = all
    const long = { ...session, events: [{ ...first, text: "x".repeat(21_000_000) }, ...rest] } as Transcript
    for (const { events } of yield* consulted(long)) assert.isNull(events)
  })

  it("reports what came of a nudge, and nothing without a nudge", () => {
    const session = transcript([{ ...failing, runs: [{ command: "sed -i s/a/b/ src/a.js", exitCode: 0, output: "" }] }])
    const text = "[reflexion 1/3] The task is not done yet.\n\n- The tests were asked for and have not been run."
    const nudge = { type: "user_message", id: "r", at: null, text, synthetic: true } as const
    const red = transcript([failing]).events.slice(1)
    const progressOf = (events: Transcript["events"]) =>
      foldOf(session, {}, NeutralTranscript.events({ ...session, events })).shown[0]?.progress
    assert.isUndefined(progressOf(session.events))
    const gates = [{ gate: "tests", before: "missing", after: "failed" }] as const
    const progress = progressOf([...session.events, nudge, ...red])
    assert.deepInclude(progress, { attempt: 1, followed: "some", gates })
    assert.isUndefined(progressOf([...session.events, nudge, ...red, ...transcript([passing]).events]))
  })
})
