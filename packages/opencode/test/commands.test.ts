/** What the user types behind `/reflection`, and what the agent's tools do for them. */
import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { DecisionLog, DecisionRecord } from "@reflexion/core/DecisionLog"
import { type ActiveCheck, CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates, TestReviewStates } from "@reflexion/core/ReviewStates"
import { Effect, Layer, type Scope } from "effect"
import * as Guidance from "../src/host/Guidance.ts"
import * as OpenCodeHost from "../src/host/OpenCodeHost.ts"
import * as OpenCodeRecord from "../src/host/OpenCodeRecord.ts"
import { SessionWords } from "../src/host/SessionWords.ts"
import * as Commands from "../src/plugin/commands.ts"
import * as Decided from "../src/plugin/decided.ts"
import * as Tiers from "../src/plugin/tiers.ts"
import * as Tools from "../src/plugin/Tools.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"
import { storedHost } from "./support/storedHost.ts"

const typed = (words: string | undefined, sessionID = "s1") =>
  Commands.answer({ command: "reflection", sessionID, ...(words !== undefined && { arguments: words }) })

const call = (action: unknown, sessionId = "s1") => Tools.reflection.run({ action }, sessionId)

const full = (isFull: boolean) => Effect.flatMap(TestReviewStates, ({ fail }) => fail(isFull))

const isStopped = (session = "s1") => Effect.flatMap(ReviewStates, (states) => states.isStopped(session))

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

/** What is kept of a session there, in a process that answers one prompt, or in one that stays. */
const within = <A, E, R>(directory: string, effect: Effect.Effect<A, E, R>, otherwise: boolean | null = null) =>
  Effect.provide(effect, Layer.provideMerge(SessionWords.Live({ directory, otherwise }), NodeContext.layer))

type Plugin = ReturnType<typeof obeyingPlugin>

const inPlugin = <E>(
  title: string,
  work: (
    plugin: Plugin & { readonly last: () => string }
  ) => Effect.Effect<unknown, E, Layer.Layer.Success<Plugin["layer"]> | Scope.Scope>
) =>
  it.scopedLive(title, () => {
    const plugin = obeyingPlugin()
    plugin.messages.set("s1", [])
    const last = () => plugin.toasts.at(-1)?.message ?? ""
    return Effect.provide(work({ ...plugin, last }), plugin.layer)
  })

describe("whose a command is", () => {
  it.each([
    [undefined, true, true],
    [undefined, false, false],
    ["wrong", false, true],
    ["checks", false, true],
    ["set the table", false, false],
    ["clear", false, false]
  ])("%j, where ours is the only one of that name: %j, is ours: %j", (words, alone, expected) => {
    const given = { command: "reflection", sessionID: "s1", ...(words !== undefined && { arguments: words }) }
    assert.strictEqual(Commands.isOurs(given, alone), expected)
  })
})

const said = (session = "s1") => Effect.flatMap(SessionWords, ({ attended }) => attended(session))

describe("a command of the user's", () => {
  inPlugin("turns reviews off and on, tells how they stand, and the program hears of what changes", ({ heard, last }) =>
    Effect.gen(function* () {
      for (const [words, stands] of [
        ["stop", "off"],
        [" START ", "on"],
        ["status", "on"],
        ["", "on"],
        [undefined, "on"]
      ] as const) {
        yield* typed(words)
        assert.include(last(), `is ${stands} in this session`)
      }
      assert.deepStrictEqual(heard, ["s1 stop by user", "s1 start by user"])
    })
  )

  inPlugin("that cannot be kept is answered in one line, with what to do about it", ({ last, toasts }) =>
    Effect.gen(function* () {
      yield* full(true)
      yield* typed("stop")
      assert.strictEqual(toasts.at(-1)?.variant, "warning")
      assert.match(last(), /^(?=.{1,200}$).*cannot read or write down how it stands.*`reflexion doctor opencode`/)
    })
  )

  inPlugin(
    "is refused in a session that another one started, and so is a call of its agent",
    ({ heard, last, toasts }) =>
      Effect.gen(function* () {
        yield* typed("stop", "child")
        assert.match(last(), /session that another one started/)
        assert.match(yield* call("stop", "child"), /session that another one started/)
        assert.isFalse(yield* isStopped("child"))
        assert.deepStrictEqual([heard, toasts.length], [[], 1])
      })
  )

  const list = "Ship it.\n\n  - [x] Read\n  - [ ] Write"

  inPlugin("sets the guidance as it was typed, and removes it", ({ heard, toasts }) =>
    Effect.gen(function* () {
      const kept = Guidance.get("s1")
      for (const words of [`set ${list}`, ` SET\n${list}\n`, `"set ${list}"`, `set "${list}"`]) {
        yield* typed(words)
        assert.strictEqual(yield* kept, list, words)
        yield* typed("Clear")
        assert.isNull(yield* kept)
      }
      yield* typed('set He said "no".')
      assert.strictEqual(yield* kept, 'He said "no".')
      assert.deepStrictEqual(
        [...new Set(toasts.map(({ message, variant }) => `${variant}: ${message}`))],
        ["info: The guidance is set.", "info: The guidance is removed."]
      )
      for (const words of [`set ${"x".repeat(4001)}`, "set", "set \u0007"]) yield* typed(words)
      assert.strictEqual(yield* kept, 'He said "no".')
      const usage =
        "reflexion knows `/reflection` with stop, start, status, model, model on, model off, away, here, wrong, checks, checks run, checks on, checks off, done-when CONDITIONS, set TEXT and clear."
      assert.deepStrictEqual(
        toasts.slice(-3).map(({ message, variant }) => [message, variant]),
        [
          ["The guidance has 4001 characters; at most 4000 are kept. Shorten it and set it again.", "warning"],
          [usage, "warning"],
          [usage, "warning"]
        ]
      )
      assert.deepStrictEqual(heard, [])
    })
  )

  inPlugin("says whether somebody is there, over what the command line tells", ({ heard, infos, last }) =>
    Effect.gen(function* () {
      infos.set("s1", { id: "s1", permission: [{ permission: "question", pattern: "*", action: "deny" }] })
      const directory = yield* folder
      const judged = Effect.map(OpenCodeRecord.transcript("s1"), ({ attended }) => attended)
      assert.deepStrictEqual([yield* within(directory, said()), yield* within(directory, said(), false)], [null, false])
      assert.deepStrictEqual([yield* within(directory, judged), yield* within(directory, judged, false)], [null, false])
      yield* within(directory, typed("away"))
      assert.match(last(), /nobody to be there in this session.*`\/reflection here`/)
      assert.deepStrictEqual([yield* within(directory, said()), yield* within(directory, said("s2"))], [false, null])
      yield* within(directory, typed(" HERE "))
      assert.match(last(), /takes you to be there/)
      assert.isTrue(yield* within(directory, said(), false))
      assert.deepStrictEqual(heard, [])
    })
  )

  inPlugin(
    "says when the task is done, which stands in the session that is judged until it is taken back",
    ({ last }) =>
      Effect.gen(function* () {
        const directory = yield* folder
        const doneWhen = within(
          directory,
          Effect.map(OpenCodeRecord.transcript("s1"), (transcript) => transcript.doneWhen)
        )
        assert.isUndefined(yield* doneWhen)
        yield* within(directory, typed("done-when `npm run e2e` passes; the docs name the flag"))
        assert.include(last(), "d1: `npm run e2e` passes (proved by `npm run e2e`)")
        const conditions = [
          { id: "d1", text: "`npm run e2e` passes", command: "npm run e2e" },
          { id: "d2", text: "the docs name the flag", command: null }
        ]
        assert.deepStrictEqual(yield* doneWhen, conditions)
        yield* within(directory, typed("done-when ---"))
        assert.include(last(), "understood no condition")
        assert.deepStrictEqual(yield* doneWhen, conditions)
        yield* within(directory, typed("done-when"))
        assert.isUndefined(yield* doneWhen)
      })
  )

  inPlugin("that cannot be written down is said on the screen", ({ last, toasts }) =>
    Effect.gen(function* () {
      for (const words of ["away", "done-when $ make"]) {
        yield* within("/dev/null/state", typed(words))
        assert.include(last(), "could not write down")
        assert.strictEqual(toasts.at(-1)?.variant, "warning")
      }
    })
  )
})

const marks = (mark: () => string) =>
  Effect.provideService(typed(" Wrong "), Commands.Commanding, {
    mark,
    verify: () => Effect.succeed(""),
    waits: true
  })

describe("a push that the user calls wrong", () => {
  inPlugin("is marked, answered on the screen, and its rule lowered at once", ({ heard, toasts }) =>
    Effect.gen(function* () {
      const limits: Commands.Limits = { "loops/planning": "off", "host/cut-off": "tell" }
      const lowered = ["loops/planning", "gates/not-run"] as const
      yield* marks(() => Commands.lowering({ text: "s1 in /shop", lowered }, limits))
      assert.deepStrictEqual(toasts, [{ message: "s1 in /shop", variant: "info" }])
      assert.deepStrictEqual(limits, { "loops/planning": "off", "host/cut-off": "tell", "gates/not-run": "tell" })
      yield* marks(() => {
        throw new Error("the disk is full")
      })
      const message = "reflexion could not mark the push: the disk is full"
      assert.deepStrictEqual(toasts.at(-1), { message, variant: "warning" })
      assert.deepStrictEqual(heard, [])
    })
  )
})

const check = (command: string): ActiveCheck => ({ name: "tests", command, timeout: 60 })

describe("/reflection checks", () => {
  inPlugin("runs the checks at the project's root, and shows how each ended", ({ last, toasts }) =>
    Effect.gen(function* () {
      yield* typed("checks run")
      assert.match(last(), /has no check .*reflexion allow checks/)
      const [root, state] = [yield* folder, yield* folder]
      const verify = (checks: ReadonlyArray<ActiveCheck>) =>
        Tiers.verify({ allowed: () => Effect.succeed(null), root, state }, { ...defaults, checks })
      yield* typed("checks run").pipe(
        Effect.provideService(Commands.Commanding, { verify, mark: () => "", waits: true }),
        Effect.provideService(CurrentConfig, { ...defaults, checks: [check("pwd > where; exit 3")] })
      )
      const fs = yield* FileSystem.FileSystem
      assert.strictEqual((yield* fs.readFileString(`${root}/where`)).trim(), yield* fs.realPath(root))
      const said = toasts.map(({ message }) => message).join("\n")
      assert.match(said, /reflexion runs `pwd > where; exit 3` …/)
      assert.match(said, /reflexion ran `pwd > where; exit 3`: failed, exit 3, \d+\.\d s/)
      assert.include(said, "The agent was told nothing.")
      const logged = yield* Effect.flatMap(DecisionRecord, ({ decisions }) => decisions)
      assert.match(logged.map(({ reason }) => reason).join(), /the user asked for the checks: reflexion ran/)
    })
  )

  inPlugin("shows them, and turns them off and on in the session", ({ last }) =>
    Effect.gen(function* () {
      const directory = yield* folder
      const said = Effect.fnUntraced(function* (given: string) {
        const checks = [{ ...check("exit 3"), when: "ask" } as const]
        yield* Effect.provideService(typed(given), CurrentConfig, { ...defaults, checks })
        return yield* (yield* SessionWords).unchecked("s1")
      })
      assert.isFalse(yield* within(directory, said("checks")))
      assert.match(last(), /^reflexion runs these .*\n {2}tests: `exit 3`, by your configuration, only when you ask/)
      assert.isTrue(yield* within(directory, said("checks off")))
      assert.match(last(), /^You turned these checks off in this session/)
      assert.isTrue(yield* within(directory, said("checks now")))
      assert.match(last(), /^`\/reflection checks` knows run, on and off/)
      assert.isFalse(yield* within(directory, said("checks on")))
    })
  )
})

const set = (args: Record<string, unknown>) => Tools.setReflection.run(args, "s1")

describe("the agent's tools", () => {
  inPlugin("reflection: tells how reviews stand, with the guidance, and turns them off and on", ({ heard }) =>
    Effect.gen(function* () {
      assert.match(yield* call("status"), /^(?![^]*Guidance)[^]*is on in this session/)
      assert.match(yield* call("stop"), /is off in this session/)
      assert.isTrue(yield* isStopped())
      yield* Tools.setReflection.run({ guidance: "- [ ] write" }, "s1")
      assert.match(yield* call("start"), /is on in this session[^]*\n\nGuidance:\n\n- \[ \] write$/)
      assert.isFalse(yield* isStopped())
      for (const action of [undefined, "", "Stop", 3])
        assert.strictEqual(yield* call(action), "`action` must be status, model, stop, start or model off.")
      assert.deepStrictEqual(heard, ["s1 stop by agent", "s1 start by agent"])
    })
  )

  inPlugin("set_reflection: keeps a text, and `clear: true` removes it whatever comes with it", () =>
    Effect.gen(function* () {
      const kept = Guidance.get("s1")
      assert.strictEqual(yield* set({ guidance: "x".repeat(4000), clear: false }), "The guidance is set.")
      for (const [args, why] of [
        [{ guidance: "x".repeat(4001) }, /has 4001 characters; at most 4000 are kept/],
        ...[{}, { guidance: "" }, { guidance: " \n" }, { guidance: 3 }, { guidance: null, clear: "true" }].map(
          (args) => [args, /is empty.*`clear: true`/] as const
        )
      ] as const) {
        assert.match((yield* Effect.flip(set(args))).message, why)
        assert.strictEqual((yield* kept)?.length, 4000)
      }
      for (const guidance of [undefined, "", "x", "x".repeat(4001)]) {
        yield* set({ guidance: "Ship it." })
        assert.strictEqual(yield* set({ guidance, clear: true }), "The guidance is removed.")
        assert.isNull(yield* kept)
      }
      assert.strictEqual(yield* set({ clear: true }), "The guidance is removed.")
    })
  )
})

/** A plugin in which nothing reviews by the host's events. */
const quiet = (problem: string | null) => {
  const host = storedHost()
  const layer = Layer.mergeAll(DecisionLog.Memory, ReviewStates.Test).pipe(
    Layer.provideMerge(OpenCodeHost.layer({ root: "/repo", raceWindow: 0 })),
    Layer.provideMerge(Layer.succeed(CurrentConfig, defaults)),
    Layer.provideMerge(Layer.succeed(Decided.CurrentProblem, problem)),
    Layer.provideMerge(host.layer),
    Layer.provideMerge(NodeContext.layer)
  )
  return { ...host, layer, messages: () => host.toasts.map(({ message }) => message) }
}

const say = (word: Commands.Word) => Commands.shown(Commands.perform("s1", word, "user"))

describe("the user's commands where nothing reviews", () => {
  const decisions = Effect.map(
    Effect.flatMap(DecisionRecord, (record) => record.decisions),
    (all) => all.map(({ decision, reason }) => `${decision}: ${reason}`)
  )

  it.effect("are kept under a broken configuration, which is told of on the screen and in both logs", () => {
    const { layer, logged, messages } = quiet("`foo` is no option")
    return Effect.gen(function* () {
      assert.match(yield* say("status"), /^reflexion is paused until this is fixed: `foo`/)
      assert.match(yield* say("stop"), /is off in this session.*`foo` is no option/)
      assert.isTrue(yield* isStopped())
      assert.match(yield* say("status"), /is off in this session.*`foo` is no option/)
      assert.match(yield* say("start"), /^(?!.*is on).*`foo` is no option/)
      assert.isFalse(yield* isStopped())
      yield* Decided.tellProblem("s1", "`foo` is no option")
      assert.include(yield* decisions, "failure: `foo` is no option")
      for (const told of [logged, messages()])
        assert.strictEqual(told.at(-1), "reflexion is paused until this is fixed: `foo` is no option")
    }).pipe(Effect.provide(layer))
  })
})
