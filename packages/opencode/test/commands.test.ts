/** What the user types behind `/reflection`, and what the agent's tools do for them. */
import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { DecisionLog, DecisionRecord } from "@reflexion/core/DecisionLog"
import { type ActiveCheck, CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Effect, Layer, type Scope } from "effect"
import * as OpenCodeHost from "../src/host/OpenCodeHost.ts"
import * as OpenCodeRecord from "../src/host/OpenCodeRecord.ts"
import { SessionWords } from "../src/host/SessionWords.ts"
import * as Commands from "../src/plugin/commands.ts"
import * as Decided from "../src/plugin/decided.ts"
import * as Tiers from "../src/plugin/tiers.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"
import { storedHost } from "./support/storedHost.ts"

const typed = (words: string | undefined, sessionID = "s1") =>
  Commands.answer({ command: "reflection", sessionID, ...(words !== undefined && { arguments: words }) })

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

describe("a nudge that the user calls wrong", () => {
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
      const message = "reflexion could not mark the nudge: the disk is full"
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
