import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { AskLog } from "@reflexion/core/AskLog"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { Effect, Layer, TestClock } from "effect"
import { OpenCodeClient } from "../src/host/OpenCodeClient.ts"
import { SessionWords } from "../src/host/SessionWords.ts"
import { AskingModel, type Consent } from "../src/models/AskingModel.ts"
import { CurrentProblem } from "../src/plugin/decided.ts"
import * as Tools from "../src/plugin/Tools.ts"
import * as Commands from "../src/plugin/commands.ts"
import { user } from "./support/messages.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"

const typed = (words: string, sessionID = "s1") =>
  Commands.answer({ command: "reflection", sessionID, arguments: words })

const tool = (action: string) => Tools.reflection.run({ action }, "s1")

const hindrance = (session = "s1") => Effect.flatMap(AskingModel, (asking) => asking.hindrance(session))

const isOff = (session = "s1") => Effect.flatMap(AskingModel, (asking) => asking.isOff(session))

/** The plugin under a configuration with that model, in a host whose session is with a provider that has a small one. */
const world = Effect.fnUntraced(function* (
  model: string,
  problem: string | null = null,
  consent: Consent | null = null
) {
  const plugin = obeyingPlugin()
  plugin.messages.set("s1", [user("u1", 0, "Fix it.", { model: { providerID: "p", modelID: "big" } })])
  plugin.messages.set("s2", [user("u1", 0, "Fix it.", { model: { providerID: "mine", modelID: "big" } })])
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped()
  const layer = AskingModel.Live({ own: () => [], consent }).pipe(
    Layer.provideMerge(Layer.mergeAll(SessionWords.Live({ directory, otherwise: null }), AskLog.Memory)),
    Layer.provideMerge(Layer.succeed(CurrentProblem, problem)),
    Layer.provideMerge(Layer.succeed(CurrentConfig, { ...defaults, model })),
    Layer.provideMerge(plugin.layer),
    Layer.provideMerge(NodeContext.layer)
  )
  return { ...plugin, directory, layer }
})

const asked = (session: string, end: "answered" | "late", ms: number) =>
  Effect.flatMap(AskLog, ({ add }) =>
    add({
      at: "1970-01-01T00:00:00.000Z",
      host: "opencode",
      session,
      model: "opencode/small",
      ms,
      end,
      inputTokens: 3000,
      outputTokens: 200,
      attended: true
    })
  )

describe("whether a model is asked in a session", () => {
  it.scoped("is on by itself, and off and on again as the user says, in that session alone and in every process", () =>
    Effect.gen(function* () {
      const { directory, layer, toasts } = yield* world("opencode/small")
      yield* Effect.gen(function* () {
        assert.isNull(yield* hindrance())
        yield* typed("model off")
        assert.match(
          toasts.at(-1)?.message ?? "",
          /^reflexion asks no model in this session: .*`\/reflection model on`/
        )
        assert.isTrue(yield* isOff())
        const again = SessionWords.Live({ directory, otherwise: null })
        assert.strictEqual(
          yield* Effect.provide(
            Effect.flatMap(SessionWords, ({ model }) => model("s1")),
            again
          ),
          "off"
        )
        assert.match(yield* tool("status"), /is on in this session.* It asks no model in this session/s)
        yield* typed(" MODEL on ")
        assert.match(
          toasts.at(-1)?.message ?? "",
          /^reflexion asks opencode\/small \(p\/mini\) at stops of work, about two in three\. Nothing was asked today\.$/
        )
        assert.isFalse(yield* isOff())
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is off by itself where nobody agreed, until the user says yes, in that session or for all", () =>
    Effect.gen(function* () {
      let agreed = false
      const { layer, toasts } = yield* world("opencode/small", null, { agreed: () => agreed, mayOffer: () => false })
      yield* Effect.gen(function* () {
        const { lacksConsent } = yield* AskingModel
        assert.isTrue(yield* lacksConsent("s1"))
        yield* typed("model")
        assert.match(
          toasts.at(-1)?.message ?? "",
          /^reflexion asks no model in this session: nobody agreed to it; `\/reflection model on` has it asked in this session, `reflexion models on opencode` in all\. /
        )
        assert.match(yield* tool("status"), /It asks no model in this session: nobody agreed/)
        // The agent cannot agree.
        assert.match(yield* tool("model on"), /^Only the user/)
        assert.isTrue(yield* lacksConsent("s1"))
        yield* typed("model on")
        assert.match(toasts.at(-1)?.message ?? "", /^reflexion asks opencode\/small \(p\/mini\)/)
        assert.deepStrictEqual([yield* lacksConsent("s1"), yield* lacksConsent("s2")], [false, true])
        agreed = true
        assert.isFalse(yield* lacksConsent("s2"))
        // Of a session that nobody knows, no word can be known either.
        assert.isFalse(yield* lacksConsent(null))
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is told with what was asked today", () =>
    Effect.gen(function* () {
      const { layer, toasts } = yield* world("opencode/small")
      yield* Effect.gen(function* () {
        yield* asked("s1", "answered", 1000)
        yield* asked("s3", "late", 20_000)
        yield* asked("s3", "answered", 3000)
        yield* typed("model")
        assert.match(
          toasts.at(-1)?.message ?? "",
          /Today: 3 questions, 2 answered, a median wait of 3\.0 s, 9,000 tokens in and 600 out\.$/
        )
        assert.strictEqual(yield* tool("model"), toasts.at(-1)?.message)
        for (const _ of "123") yield* asked("s1", "late", 20_000)
        assert.match(
          yield* tool("model"),
          /asks no model in this session: the last three questions.*`\/reflection model on` asks/
        )
        assert.match(yield* typed("model on").pipe(Effect.as(toasts.at(-1)?.message ?? "")), /^reflexion asks opencode/)
        for (const _ of "12") yield* asked("s1", "late", 20_000)
        assert.match(yield* tool("model"), /^reflexion asks opencode.*Today: 8 questions/)
        yield* asked("s1", "late", 20_000)
        assert.match(yield* tool("model"), /asks no model in this session: the last three questions/)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is looked up in what the host told less than a minute ago", () =>
    Effect.gen(function* () {
      const { layer } = yield* world("opencode/small")
      const looks: Array<string> = []
      const noting = <A, E>(what: string, asking: Effect.Effect<A, E>) =>
        Effect.zipRight(
          Effect.sync(() => void looks.push(what)),
          asking
        )
      const counted = Effect.map(OpenCodeClient, (client) => ({
        ...client,
        config: noting("config", client.config),
        providers: noting("providers", client.providers),
        messages: (id: string, limit: number | null) => noting(`messages ${limit}`, client.messages(id, limit))
      }))
      const asking = AskingModel.Live({ own: () => [], consent: null }).pipe(
        Layer.provide(Layer.effect(OpenCodeClient, counted))
      )
      yield* Effect.gen(function* () {
        for (const _ of "12") assert.isNull(yield* hindrance())
        assert.deepStrictEqual(looks.toSorted(), ["config", "messages 4", "messages 4", "providers"])
        yield* TestClock.adjust("61 seconds")
        assert.isNull(yield* hindrance())
        assert.lengthOf(looks, 7)
      }).pipe(Effect.provide(Layer.provideMerge(asking, layer)))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is not turned on against the configuration, by the agent, or by anything else that is said", () =>
    Effect.gen(function* () {
      const { layer, toasts } = yield* world("off")
      yield* Effect.gen(function* () {
        yield* typed("model on")
        assert.match(toasts.at(-1)?.message ?? "", /"model": "off"/)
        assert.notInclude(yield* tool("status"), "model")
      }).pipe(Effect.provide(layer))
      const small = yield* world("opencode/small")
      yield* Effect.gen(function* () {
        assert.match(yield* tool("model off"), /asks no model/)
        assert.match(yield* tool("model on"), /Only the user/)
        yield* typed("model maybe")
        assert.strictEqual(small.toasts.at(-1)?.variant, "warning")
        yield* typed("model on", "child")
        assert.match(small.toasts.at(-1)?.message ?? "", /session that another one started/)
        assert.isTrue(yield* isOff())
      }).pipe(Effect.provide(small.layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is no where what was kept cannot be read, or is a link", () =>
    Effect.gen(function* () {
      const { directory, layer } = yield* world("opencode/small")
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(`${directory}/elsewhere`, "on")
      yield* fs.symlink(`${directory}/elsewhere`, `${directory}/s1.model`)
      yield* fs.writeFileString(`${directory}/s2.model`, "perhaps")
      yield* Effect.gen(function* () {
        assert.isTrue(yield* isOff())
        assert.isTrue(yield* isOff("s2"))
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
