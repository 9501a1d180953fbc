/** What the plugin keeps of each attempt that a review ends: its outcome, and what a failure teaches. */
import { FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { TestHost } from "@reflexion/core/AgentHost"
import { ArtifactsRecord } from "@reflexion/core/Artifacts"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import * as MemoryLine from "@reflexion/core/internal/memory/store/MemoryLine"
import { defaults } from "@reflexion/core/ReflexionConfig"
import { Transcript } from "@reflexion/core/Transcript"
import * as TurnReview from "@reflexion/core/TurnReview"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect, Layer, Option, Schema, TestClock } from "effect"
import * as Memory from "../src/plugin/memory.ts"
import * as Outcomes from "../src/plugin/outcomes.ts"
import * as SystemWords from "../src/plugin/systemWords.ts"
import { inWorld, world } from "./support/world.ts"

const words = "I changed how the total is rounded."
const line = "reflexion: The task failed 3 times in a row. See `reflexion cycle`."
const first = SampleFailure.output("rounds half up", "45", "44.9")
const second = SampleFailure.output("keeps the currency", "EUR", "undefined")
const green = "Tests  3 passed (3)"

const times = (round: number, at: number) => new Date(Date.UTC(2026, 2, 1, 9, round, at)).toISOString()

const call = (id: string, at: string, tool: string, input: object, more: object = {}) => {
  const ended = { status: "completed", output: "ok", ...more }
  return { type: "tool_call", id, at, tool, input, ...ended }
}

/** Rounds of work: a skill, an edit, a run of the tests that prints this, and a last word. */
const worked = (cwd: string, outputs: ReadonlyArray<string>) => {
  const rounds = outputs.flatMap((output, round) => {
    const edit = { filePath: `${cwd}/src/total.ts`, oldString: `${round}`, newString: "x" }
    const result = { exitCode: output === green ? 0 : 1, output }
    return [
      call(`skill-${round}`, times(round, 1), "skill", { name: "rounding" }),
      call(`edit-${round}`, times(round, 1), "edit", edit),
      call(`run-${round}`, times(round, 2), "bash", { command: "npm test" }, result),
      { type: "assistant_message", at: times(round, 3), text: words, completed: true }
    ]
  })
  return Schema.decodeUnknown(Transcript)({
    version: 1,
    host: "opencode",
    sessionId: "s1",
    cwd,
    mode: "build",
    events: [{ type: "user_message", id: "u1", at: times(0, 0), text: SampleFailure.task }, ...rounds]
  })
}

interface Given {
  readonly isOn?: boolean
  readonly isWorkspace?: boolean
  readonly heldBack?: boolean
  readonly areOthers?: boolean
  readonly broken?: "keep" | "look" | "append"
}

/** A host with the plugin's memory and outcome log in an empty project. */
const learning = Effect.fnUntraced(function* (given: Given) {
  const { areOthers = false, broken, heldBack = false, isOn = true, isWorkspace = true } = given
  const fs = yield* FileSystem.FileSystem
  const made = yield* world()
  const { root } = made
  yield* fs.writeFileString(`${root}/package.json`, '{"scripts":{"test":"vitest run"}}')
  let rows: ReadonlyArray<MemoryLine.Row> = []
  const own = new Set<string>()
  const kept: Array<AttemptOutcome> = []
  const looks: Array<Parameters<Outcomes.Options["look"]>[0]> = []
  const fails = (where: string) => {
    if (broken === where) throw new Error("no room")
  }
  const lessons = () => rows.flatMap((row) => (MemoryLine.isEvent(row) ? [] : [row]))
  const events = () => rows.filter(MemoryLine.isEvent)
  const memory = Memory.layer({
    root,
    isOn,
    isWorkspace: () => isWorkspace,
    exists: () => lessons().length > 0,
    own: (some) => some.forEach(({ id }) => own.add(id)),
    known: (_, some) => some.filter(({ id }) => own.has(id) && !areOthers),
    at: () => ({
      root,
      recent: () => ({ reflections: lessons(), events: events() }),
      append: (more) => {
        fails("append")
        rows = [...rows, ...more]
      },
      forget: () => undefined,
      isHeldBack: Effect.succeed(heldBack)
    })
  })
  const outcomes = Outcomes.layer({
    root,
    isOn,
    isWorkspace: () => isWorkspace,
    keep: (one) =>
      Effect.sync(() => {
        fails("keep")
        assert.deepInclude(one, { root, retentionDays: defaults.memory.retentionDays })
        kept.push(one.outcome)
      }),
    look: (asked) =>
      Effect.sync(() => {
        fails("look")
        return looks.push(asked) === 1 ? line : ""
      })
  })
  const layer = Layer.provideMerge(Layer.mergeAll(memory, outcomes), made.layer)
  return { root, layer, kept, looks, lessons, events }
})

type World = Effect.Effect.Success<ReturnType<typeof learning>>

const test = inWorld(learning)

/** Plays a stop, and returns the session's reminders so far. */
const stops = Effect.fnUntraced(function* ({ root }: World, ...outputs: ReadonlyArray<string>) {
  const host = yield* TestHost
  yield* host.put("s1", yield* worked(root, outputs))
  yield* Memory.around(TurnReview.onIdle("s1"))
  return yield* host.injections
})

const failures = Effect.map(
  Effect.flatMap(DecisionRecord, ({ decisions }) => decisions),
  (all) => all.filter(({ decision }) => decision === "failure").map(({ reason }) => reason)
)

/** What a session is told at its beginning. */
const toldTo = ({ happened, words: wordsOf }: ReturnType<typeof SystemWords.make>, id: string, parentID?: string) => {
  happened({ type: "session.created", properties: { info: { id, parentID } } })
  return wordsOf(id) ?? Effect.succeed(Option.none<string>())
}

describe("the plugin's memory of attempts", () => {
  test("keeps each outcome; the warning about repeated failures goes to the user alone", {}, function* (made) {
    const now = Date.parse("2026-03-01T09:02:00.000Z")
    yield* TestClock.setTime(now)
    yield* stops(made, first)
    const [nudged, ...more] = yield* stops(made, first, green)
    assert.lengthOf(more, 0)
    assert.match(
      nudged?.notice ?? "",
      /^reflexion nudged the agent to continue \(1 of 3\): .*turns it off\] The task failed 3 times .*cycle`\.$/
    )
    assert.notInclude(nudged?.text, line)
    const [notice, ...others] = yield* (yield* TestHost).notices
    assert.deepStrictEqual([notice?.text.includes(line), others], [false, []])
    assert.deepStrictEqual(made.looks, [{ root: made.root, now, settings: defaults.cycle }])
    assert.strictEqual(made.kept.map(({ status }) => status).join(), "failed,completed")
    assert.deepInclude(made.kept[0], {
      taskId: null,
      sessionId: "s1",
      objective: SampleFailure.task,
      durationMs: 120_000,
      tools: ["skill", "edit", "bash"],
      loaded: [{ kind: "skill", name: "rounding" }],
      resultLength: words.length
    })
    assert.lengthOf(yield* Effect.flatMap(ArtifactsRecord, ({ written }) => written), 2)
  })

  test("a lesson reaches the next attempt and a new session once, but not its agents", {}, function* (made) {
    const [one] = yield* stops(made, first)
    assert.match(one?.text ?? "", /^\[reflexion 1\/3\](?![^]*## Learning)/)
    const [, two] = yield* stops(made, first, second)
    assert.match(two?.text ?? "", /## Learning(?![^]*keeps the currency)[^]*rounds half up/)
    const words = SystemWords.make()
    const told = Option.getOrElse(yield* toldTo(words, "s2"), () => "")
    assert.match(told, /## Learning[^]*rounds half up/)
    assert.deepStrictEqual(yield* words.words("s2") ?? Effect.succeedNone, Option.some(told))
    assert.isTrue(Option.isNone(yield* toldTo(words, "s3", "s2")))
    yield* stops(made, first, second, green)
    const kept = made.events().map((row) => (row.event === "use" ? "use" : row.success))
    assert.deepStrictEqual(kept, [false, false, "use", "use", true])
    assert.lengthOf(made.lessons(), 2)
  })

  for (const given of [{ heldBack: true }, { areOthers: true }])
    test(`lessons that others may write go into no prompt: ${JSON.stringify(given)}`, given, function* (made) {
      yield* stops(made, first)
      assert.isTrue(Option.isNone(yield* toldTo(SystemWords.make(), "s2")))
      const [, two] = yield* stops(made, first, second)
      assert.match(two?.text ?? "", /^\[reflexion 2\/3\](?![^]*## Learning)/)
    })

  for (const given of [{ isOn: false }, { isWorkspace: false }])
    test(`keeps nothing with ${JSON.stringify(given)}, but the agent is still nudged`, given, function* (made) {
      assert.lengthOf(yield* stops(made, first), 1)
      assert.deepStrictEqual([made.kept.length, made.looks.length, made.lessons().length], [0, 0, 0])
      const { written } = yield* ArtifactsRecord
      assert.lengthOf(yield* written, given.isOn === false ? 1 : 0)
    })

  for (const broken of ["keep", "look", "append"] as const)
    test(`a failure to ${broken} prevents no nudge, and is logged once`, { broken }, function* (made) {
      assert.lengthOf(yield* stops(made, first), 1)
      assert.match((yield* failures).join("\n"), /^.*no room.*$/)
    })
})
