/** What the user types behind `/reflection`, and what the agent's tools do for them; most of it is in words.rows.txt. */
import { FileSystem } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { AskLog } from "@reflexion/core/AskLog"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import { type ActiveCheck, CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { ReviewStates, TestReviewStates } from "@reflexion/core/ReviewStates"
import { Effect, Layer } from "effect"
import * as Guidance from "../src/host/Guidance.ts"
import * as OpenCodeRecord from "../src/host/OpenCodeRecord.ts"
import { SessionWords } from "../src/host/SessionWords.ts"
import { AskingModel } from "../src/models/AskingModel.ts"
import * as Commands from "../src/plugin/commands.ts"
import * as Decided from "../src/plugin/decided.ts"
import * as Tiers from "../src/plugin/tiers.ts"
import * as Tools from "../src/plugin/Tools.ts"
import { user } from "./support/messages.ts"
import { rowsOf } from "./support/rows.ts"
import { folder, inWorld, world } from "./support/world.ts"

interface Given {
  readonly model?: string
  readonly problem?: string | null
  readonly checks?: typeof defaults.checks
  /** The folder that keeps the user's words, and the value in force until there are any. */
  readonly state?: string
  readonly otherwise?: boolean | null
}

/** A host with two sessions: the provider of one has a small model, that of the other has none. */
const talking = Effect.fnUntraced(function* ({ otherwise = null, problem = null, state, ...given }: Given) {
  const elsewhere = user("u1", 0, "Fix it.", { model: { providerID: "mine", modelID: "big" } })
  const stored = { s1: [user("u1", 0, "Fix it.")], s2: [elsewhere] }
  const plugin = yield* world({ stored }, { ...defaults, model: "opencode/small", ...given })
  const directory = state ?? (yield* folder())
  plugin.infos.set("s1", { permission: [{ permission: "question", pattern: "*", action: "deny" }] })
  const said = { isAsked: false, agreed: false }
  const consent = { agreed: () => !said.isAsked || said.agreed, mayOffer: () => false }
  const layer = AskingModel.Live({ own: () => [], consent }).pipe(
    Layer.provideMerge(SessionWords.Live({ directory, otherwise })),
    Layer.provideMerge(Layer.succeed(Decided.CurrentProblem, problem)),
    Layer.provideMerge(plugin.layer)
  )
  return { ...plugin, directory, said, layer }
})

type World = Effect.Effect.Success<ReturnType<typeof talking>>

const asked = (session: string, end: "answered" | "late", ms: number) =>
  Effect.flatMap(AskLog, ({ add }) => {
    const kept = { at: "1970-01-01T00:00:00.000Z", host: "opencode", model: "opencode/small", attended: true }
    return add({ ...kept, session, ms, end, inputTokens: 3000, outputTokens: 200 })
  })

const yesNo = (is: boolean | null): string => (is ? "yes" : "no")

const play = Effect.fnUntraced(function* ({ heard, logged, said, toasts }: World, steps: ReadonlyArray<string>) {
  let session = "s1"
  for (const step of steps) {
    const [, does = "", expected = ""] = /^(.*?)(?: = (.*)| =)?$/.exec(step) ?? []
    const [, word = "", given = ""] = /^(long types|\S+) ?(.*)$/.exec(does) ?? []
    const text = given.replaceAll(/\\n|\\u0007/g, (one) => (one === "\\n" ? "\n" : "\u0007"))
    const types = (words: string) =>
      Effect.map(Commands.answer({ command: "reflection", sessionID: session, arguments: words }), () => {
        const last = toasts.at(-1)
        return `${last?.variant}: ${last?.message}`
      })
    const words: Readonly<Record<string, Effect.Effect<string, unknown, Layer.Layer.Success<World["layer"]>>>> = {
      types: types(text),
      "long types": types(`${text} ${"x".repeat(4001)}`),
      tool: Tools.reflection.run({ action: text === "" ? undefined : text }, session),
      set: Effect.suspend(() => Tools.setReflection.run(JSON.parse(given), session)).pipe(
        Effect.catchAll(({ message }) => Effect.succeed(message))
      ),
      asked: Effect.suspend(() => {
        const [id = "", end, ms] = text.split(" ")
        return Effect.as(asked(id, end === "late" ? "late" : "answered", Number(ms)), "")
      })
    }
    const looks: typeof words = {
      here: Effect.flatMap(SessionWords, ({ attended }) => Effect.map(attended(session), String)),
      judged: Effect.map(OpenCodeRecord.transcript(session), ({ attended }) => String(attended)),
      "done-when": Effect.map(OpenCodeRecord.transcript(session), ({ doneWhen }) => JSON.stringify(doneWhen) ?? "none"),
      logged: Effect.sync(() => logged.at(-1) ?? "none"),
      guidance: Effect.map(Guidance.get(session), (kept) => kept ?? "none"),
      heard: Effect.sync(() => heard.join("; ")),
      stopped: Effect.flatMap(ReviewStates, (states) => Effect.map(states.isStopped(session), yesNo)),
      off: Effect.flatMap(AskingModel, ({ isOff }) => Effect.map(isOff(session), yesNo)),
      lacks: Effect.flatMap(AskingModel, ({ lacksConsent }) => Effect.map(lacksConsent(session), yesNo)),
      unchecked: Effect.flatMap(SessionWords, (kept) => Effect.map(kept.unchecked(session), yesNo))
    }
    const [doing, look] = [words[word], looks[word]]
    if (doing !== undefined) assert.match(yield* doing, new RegExp(expected), step)
    else if (look !== undefined) assert.strictEqual(yield* look, text, step)
    else if (word === "session") session = text
    else if (word === "consent") Object.assign(said, { isAsked: true, agreed: text === "yes" })
    else if (word === "problem") yield* Decided.tellProblem(session, text)
    else if (word === "decided") {
      const decided = yield* Effect.flatMap(DecisionRecord, ({ decisions }) => decisions)
      const told = decided.map(({ decision, reason }) => `${decision}: ${reason}`)
      assert.include(told, text)
    } else if (word === "full") yield* Effect.flatMap(TestReviewStates, ({ fail }) => fail(text === "yes"))
    else if (word === "hindered")
      assert.match((yield* (yield* AskingModel).hindrance(session)) ?? "no", new RegExp(text), step)
    else assert.fail(step)
  }
})

describe("words", () => {
  for (const [title, steps] of rowsOf(new URL("words.rows.txt", import.meta.url))) {
    const [, given] = /^world (.*)$/.exec(steps[0] ?? "") ?? []
    inWorld(talking)(title, JSON.parse(given ?? "{}"), function* (made) {
      yield* play(made, steps.slice(given === undefined ? 0 : 1))
    })
  }
})

inWorld(talking)("no model is asked if the stored setting is damaged or a link", {}, function* ({ directory }) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFileString(`${directory}/elsewhere`, "on")
  yield* fs.symlink(`${directory}/elsewhere`, `${directory}/s1.model`)
  yield* fs.writeFileString(`${directory}/s2.model`, "perhaps")
  const { isOff } = yield* AskingModel
  assert.deepStrictEqual([yield* isOff("s1"), yield* isOff("s2")], [true, true])
})

const typed = (words: string) => Commands.answer({ command: "reflection", sessionID: "s1", arguments: words })

const isOurs = (words: string | null, alone: boolean): boolean =>
  Commands.isOurs({ command: "reflection", sessionID: "s1", ...(words !== null && { arguments: words }) }, alone)

const marks = (mark: () => string) =>
  Effect.provideService(typed(" Wrong "), Commands.Commanding, {
    mark,
    verify: () => Effect.succeed(""),
    waits: true
  })

describe("a command of the user", () => {
  it("is ours if no other command has its name, or if it has our words", () => {
    assert.isTrue(isOurs(null, true))
    for (const words of ["wrong", "checks"]) assert.isTrue(isOurs(words, false), words)
    for (const words of [null, "set the table", "clear"]) assert.isFalse(isOurs(words, false), String(words))
  })

  inWorld(world)("marking a nudge as wrong is answered and lowers the rule at once", {}, function* ({ heard, toasts }) {
    const limits: Commands.Limits = { "loops/planning": "off", "host/cut-off": "tell" }
    const lowered = ["loops/planning", "gates/not-run"] as const
    yield* marks(() => Commands.lowering({ text: "s1 in /shop", lowered }, limits))
    assert.deepStrictEqual(limits, { "loops/planning": "off", "host/cut-off": "tell", "gates/not-run": "tell" })
    yield* marks(() => {
      throw new Error("the disk is full")
    })
    assert.deepStrictEqual(toasts, [
      { message: "s1 in /shop", variant: "info" },
      { message: "reflexion could not mark the nudge: the disk is full", variant: "warning" }
    ])
    assert.deepStrictEqual(heard, [])
  })

  inWorld(world)(
    "a request for the checks runs them at the project's root and shows each result",
    { stored: { s1: [] } },
    function* ({ root, toasts }) {
      yield* typed("checks run")
      assert.match(toasts.at(-1)?.message ?? "", /has no check .*reflexion allow checks/)
      const state = yield* folder()
      const checks: ReadonlyArray<ActiveCheck> = [{ name: "tests", command: "pwd > where; exit 3", timeout: 60 }]
      const verify = (all: ReadonlyArray<ActiveCheck>) =>
        Tiers.verify({ allowed: () => Effect.succeed(null), root, state }, { ...defaults, checks: all })
      yield* typed("checks run").pipe(
        Effect.provideService(Commands.Commanding, { verify, mark: () => "", waits: true }),
        Effect.provideService(CurrentConfig, { ...defaults, checks })
      )
      const fs = yield* FileSystem.FileSystem
      assert.strictEqual((yield* fs.readFileString(`${root}/where`)).trim(), root)
      const said = toasts.map(({ message }) => message).join("\n")
      assert.match(said, /reflexion runs `pwd > where; exit 3` …/)
      assert.match(said, /reflexion ran `pwd > where; exit 3`: failed, exit 3, \d+\.\d s/)
      assert.include(said, "The agent does not see these results.")
      const logged = yield* Effect.flatMap(DecisionRecord, ({ decisions }) => decisions)
      assert.match(logged.map(({ reason }) => reason).join(), /the user asked for the checks: reflexion ran/)
    },
    it.scopedLive
  )
})
