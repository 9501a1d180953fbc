import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { AskLog } from "@reflexion/core/AskLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig, defaults, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { Transcript } from "@reflexion/core/Transcript"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import { Effect, Layer, Schema, TestClock } from "effect"
import { guidance } from "./support/guidance.ts"
import { SessionWords } from "../src/host/SessionWords.ts"
import { AskingModel, type Consent } from "../src/models/AskingModel.ts"
import * as Tiers from "../src/plugin/tiers.ts"
import { answered, type Behaviour, fakeHost } from "./support/fakeHost.ts"
import { user } from "./support/messages.ts"

/** As the plugin has it where nothing but the small model is configured. */
const world = Effect.fnUntraced(function* (
  behaviour: Behaviour,
  {
    consent = null,
    providerID = "p",
    ...given
  }: Partial<ReflexionConfig> & { readonly consent?: Consent | null; readonly providerID?: string } = {}
) {
  const fs = yield* FileSystem.FileSystem
  const [root, state] = [yield* fs.makeTempDirectoryScoped(), yield* fs.makeTempDirectoryScoped()]
  const host = fakeHost({
    parent: [user("u1", 0, "Fix it.", { model: { providerID, modelID: "big" } })],
    providers: [{ id: "p", models: { big: {}, nano: { family: "gpt-nano" } } }],
    ...behaviour
  })
  const options: Tiers.Options = {
    state,
    root,
    directory: root,
    guidance: () => null,
    programs: () => Effect.succeed({}),
    allowed: () => Effect.succeed(null),
    ownSmall: () => []
  }
  const layer = Tiers.layer(options).pipe(
    Layer.provideMerge(AskingModel.Live({ own: () => [], consent })),
    Layer.provideMerge(
      Layer.mergeAll(AskLog.Memory, SessionWords.Live({ directory: state, otherwise: null }), guidance)
    ),
    Layer.provide(Layer.succeed(CurrentConfig, { ...defaults, model: "opencode/small", ...given })),
    Layer.provideMerge(host.layer)
  )
  return { ...host, layer, root }
})

/** In a language that the rules do not read; with `says` the rules know what it comes to. */
const stop = (cwd: string, says = "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests.") =>
  Schema.decodeUnknown(Transcript)({
    version: 1,
    host: "opencode",
    sessionId: "s0",
    cwd,
    mode: "build",
    events: [
      { type: "user_message", at: "2026-03-02T09:00:00.000Z", text: "Behebe den Parser und schreibe Tests dazu." },
      {
        type: "tool_call",
        at: "2026-03-02T09:00:01.000Z",
        tool: "edit",
        input: { filePath: `${cwd}/src/parser.ts`, oldString: "1", newString: "2" },
        output: "ok"
      },
      { type: "assistant_message", at: "2026-03-02T09:00:02.000Z", text: says, completed: true }
    ]
  })

const review = (root: string) =>
  Effect.gen(function* () {
    const judge = yield* JudgeService
    return yield* judge.review(yield* stop(root), { attempt: 1 })
  })

const done = answered(JSON.stringify({ ...SampleAssessment.complete, confidence: 0.95 }))

const refused = answered("", { error: { name: "APIError", data: { message: "Bad key", statusCode: 401 } } })

describe("the judge of a plugin in which nothing is configured", () => {
  it.scoped("asks the small model once for each stop and with one line", () =>
    Effect.gen(function* () {
      const { children, layer, questions, root, toasts } = yield* world({ ask: Effect.succeed(done) })
      yield* Effect.gen(function* () {
        const judge = yield* JudgeService
        yield* judge.review(yield* stop(root), { attempt: 1, evidence: true })
        assert.deepStrictEqual([questions, toasts], [[], []])
        for (const _ of "12") assert.strictEqual((yield* review(root)).asked?.by, "self_assessment")
        assert.deepStrictEqual(
          questions.map(({ model }) => model),
          [
            { providerID: "p", modelID: "nano" },
            { providerID: "p", modelID: "nano" }
          ]
        )
        assert.deepStrictEqual(
          children.map(({ parentId }) => parentId),
          ["s0", "s0"]
        )
        const line = "reflexion asks opencode/small whether the turn is done …"
        assert.deepStrictEqual(
          toasts.map(({ message, variant }) => [message, variant]),
          [
            [line, "info"],
            [line, "info"]
          ]
        )
        const log = yield* AskLog
        assert.deepStrictEqual(
          (yield* log.read).map(({ end, host, model, session }) => [host, session, model, end]),
          [
            ["opencode", "s0", "opencode/small", "answered"],
            ["opencode", "s0", "opencode/small", "answered"]
          ]
        )
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("asks nobody where the user turned it off or the provider has none", () =>
    Effect.gen(function* () {
      const off = yield* world({ ask: Effect.succeed(done) })
      yield* Effect.gen(function* () {
        yield* Effect.flatMap(SessionWords, ({ say }) => say("s0", "model", "off"))
        assert.isUndefined((yield* review(off.root)).asked)
      }).pipe(Effect.provide(off.layer))
      const custom = yield* world({ ask: Effect.succeed(done) }, { providerID: "mine" })
      const { asked, verdict } = yield* Effect.provide(review(custom.root), custom.layer)
      assert.deepStrictEqual([asked, verdict.source], [undefined, "evidence"])
      for (const { questions, toasts } of [off, custom]) assert.deepStrictEqual([questions, toasts], [[], []])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("asks nobody before the user agreed, says once that they can, and asks at the next stop after a yes", () =>
    Effect.gen(function* () {
      let [agreed, offers] = [false, 0]
      const consent: Consent = { agreed: () => agreed, mayOffer: () => offers++ === 0 }
      const { calls, children, layer, questions, root, toasts } = yield* world(
        { ask: Effect.succeed(done) },
        { consent }
      )
      yield* Effect.gen(function* () {
        for (const _ of "123") assert.isUndefined((yield* review(root)).asked)
        assert.deepStrictEqual([questions, children, calls, toasts], [[], [], [], []])
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(
          toasts.map(({ message, variant }) => [message, variant]),
          [
            [
              "reflexion decides from the record alone. At stops like the last it can ask opencode/small (p/nano) as well, if you agree: `/reflection model on` has it asked in this session, `reflexion models on opencode` in all. You are told this once.",
              "info"
            ]
          ]
        )
        yield* Effect.flatMap(SessionWords, ({ say }) => say("s0", "model", "on"))
        assert.strictEqual((yield* review(root)).asked?.by, "self_assessment")
        yield* Effect.flatMap(SessionWords, ({ say }) => say("s0", "model", "off"))
        agreed = true
        assert.isUndefined((yield* review(root)).asked)
        assert.lengthOf(questions, 1)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("asks nobody any more after three questions without an answer, and says so in one line", () =>
    Effect.gen(function* () {
      const { layer, questions, root, toasts } = yield* world({ ask: Effect.succeed(refused) })
      yield* Effect.gen(function* () {
        for (const _ of "12345") yield* review(root)
        const warnings = toasts.filter(({ variant }) => variant === "warning")
        assert.lengthOf(warnings, 1)
        assert.match(
          warnings[0]?.message ?? "",
          /no model is asked in this session any more\. `\/reflection model on` asks again\.$/
        )
        assert.lengthOf(toasts, 4)
        const asked = questions.length
        yield* review(root)
        assert.strictEqual(questions.length, asked)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("runs nothing that the configuration did not ask for", () =>
    Effect.gen(function* () {
      const { layer, root } = yield* world({ ask: Effect.succeed(done) })
      yield* Effect.gen(function* () {
        const judge = yield* JudgeService
        const transcript = {
          ...(yield* stop(root)),
          doneWhen: [{ id: "w1", text: "npm test passes", command: "touch ran" }]
        }
        yield* judge.review(transcript, { attempt: 1 })
        const fs = yield* FileSystem.FileSystem
        assert.isFalse(yield* fs.exists(`${root}/ran`))
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
