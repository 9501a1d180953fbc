import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as CheckPrint from "@reflexion/core/internal/checks/CheckPrint"
import type * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig, defaults, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import { Transcript } from "@reflexion/core/Transcript"
import { Effect, Layer, Option, Schema } from "effect"
import * as Guidance from "../src/host/Guidance.ts"
import { guidance } from "./support/guidance.ts"
import { chosen } from "../src/models/HostModels.ts"
import { JudgeSession } from "../src/models/JudgeSession.ts"
import * as Tiers from "../src/plugin/tiers.ts"
import { answered, type Behaviour, fakeHost, fault } from "./support/fakeHost.ts"
import { user } from "./support/messages.ts"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import { execFileSync } from "node:child_process"

/** The tiers of a plugin in an empty project, over a host whose model answers so. */
const world = Effect.fnUntraced(function* (
  given: Partial<ReflexionConfig>,
  {
    allowed = () => null,
    directory,
    isTrusted = false,
    ...behaviour
  }: Behaviour & {
    readonly allowed?: () => TakenChecks.TakenChecks | null
    readonly directory?: string
    readonly isTrusted?: boolean
  }
) {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped()
  const state = yield* fs.makeTempDirectoryScoped()
  const host = fakeHost({ parent: [user("u1", 0, "Fix it.")], models: ["p/m"], ...behaviour })
  const config = chosen({ ...defaults, ...given })
  const options = {
    state,
    root,
    directory: directory ?? root,
    guidance: () => (isTrusted ? [] : null),
    programs: () => Effect.succeed({}),
    allowed: () => Effect.sync(() => allowed()),
    ownSmall: () => []
  }
  const layer = Tiers.layer(options).pipe(
    Layer.provideMerge(guidance),
    Layer.provide(Layer.succeed(CurrentConfig, config)),
    Layer.provide(host.layer)
  )
  return { ...host, root, state, layer }
})

/** Code that was changed, and a claim. */
const fixed = (root: string) =>
  Schema.decodeUnknown(Transcript)({
    version: 1,
    host: "opencode",
    sessionId: "s0",
    cwd: root,
    mode: "build",
    events: [
      { type: "user_message", text: "Fix the bug in the cart. All tests must pass." },
      {
        type: "tool_call",
        tool: "edit",
        input: { filePath: `${root}/a.ts`, oldString: "1", newString: "2" },
        output: "ok"
      },
      { type: "assistant_message", text: "I fixed the bug in the cart. All tests pass now.", completed: true }
    ]
  })

/** In a language that the rules do not read: done, or about to go on. */
const open = (cwd: string) =>
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
      {
        type: "assistant_message",
        at: "2026-03-02T09:00:02.000Z",
        text: "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle.",
        completed: true
      }
    ]
  })

const later = "2026-03-02T09:01:02.000Z"

const stuck = { reason: "genuinely_stuck", problem: "announced_step", confidence: 0.9, why: "It stopped." }

const assessed = Effect.fnUntraced(function* (root: string) {
  const { assess } = yield* StuckDetector
  const { reason, source } = yield* assess(yield* open(root), later)
  return [reason, source]
})

describe("the tiers of the plugin's reviews", () => {
  it.scoped("ask the host about a stop in its own session, and about nothing but stops", () =>
    Effect.gen(function* () {
      const { children, layer, questions, root } = yield* world(
        { model: "auto" },
        { ask: Effect.succeed(answered("{}")) }
      )
      yield* Effect.gen(function* () {
        const { review } = yield* JudgeService
        const transcript = yield* open(root)
        const { asked } = yield* review(transcript, { attempt: 1, evidence: true })
        assert.deepStrictEqual([asked, questions], [undefined, []])
        const judged = yield* review(transcript, { attempt: 1 })
        assert.deepStrictEqual([judged.verdict.status, judged.verdict.cost.modelCalls], ["abstained", 2])
        assert.deepStrictEqual(new Set(children.map(({ parentId }) => parentId)), new Set(["s0"]))
        assert.isTrue(Option.isSome(yield* Effect.serviceOption(JudgeSession)))
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("say on the screen which check is run and how it ended, and nothing where its result is known", () =>
    Effect.gen(function* () {
      const checks = [{ name: "tests", command: "echo 1 failed;  exit 1", timeout: 60 }]
      const { layer, root, toasts } = yield* world({ checks }, {})
      execFileSync("git", ["-C", root, "init", "--quiet"])
      yield* Effect.gen(function* () {
        const { review } = yield* JudgeService
        const transcript = yield* fixed(root)
        const first = yield* review(transcript, { attempt: 1 })
        assert.strictEqual(first.checks?.[0]?.result, "failed")
        const said = { message: "reflexion runs `echo 1 failed; exit 1` …", variant: "info" }
        assert.deepStrictEqual(toasts.slice(0, 1), [said])
        assert.match(toasts[1]?.message ?? "", /^reflexion ran `echo 1 failed; exit 1`: failed, exit 1, \d+\.\d s\.$/)
        const again = yield* review(transcript, { attempt: 1 })
        assert.deepStrictEqual([again.checks?.[0]?.cached, toasts.length], [true, 2])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped(
    "run what the user allows now: nothing else by its content, which is said once, and nothing taken back",
    () =>
      Effect.gen(function* () {
        const check = { name: "tests", command: "touch bad", print: "of something else" }
        let taken: ReadonlyArray<typeof check> = [check]
        const at = "2026-03-02T09:00:00.000Z"
        const allowed = (): TakenChecks.TakenChecks => ({ version: 1, root, at, checks: taken })
        const { layer, root, toasts } = yield* world({ checks: [check] }, { allowed })
        yield* Effect.gen(function* () {
          const { review } = yield* JudgeService
          const first = yield* review(yield* fixed(root), { attempt: 1 })
          assert.strictEqual(first.checks?.[0]?.result, "unavailable")
          yield* review(yield* fixed(root), { attempt: 1 })
          assert.strictEqual(toasts.length, 1)
          assert.match(toasts[0]?.message ?? "", /what it runs has changed since you agreed.* `reflexion allow checks`/)
          taken = [{ ...check, print: yield* CheckPrint.of(root, check.command) }]
          yield* review(yield* fixed(root), { attempt: 1 })
          const fs = yield* FileSystem.FileSystem
          assert.isTrue(yield* fs.exists(`${root}/bad`))
          taken = []
          assert.isUndefined((yield* review(yield* fixed(root), { attempt: 1 })).checks)
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped.each(["auto", "opencode/p/m", "opencode/default"])(
    "take no second opinion from the session's own model on what that has judged as %s, whatever it is called",
    (model) =>
      Effect.gen(function* () {
        const ask = Effect.succeed(answered(JSON.stringify(SampleAssessment.complete)))
        const crossReview = { reviewer: "opencode/p/m", auditor: "opencode/default" }
        const { layer, questions, root } = yield* world({ model, crossReview }, { ask })
        const fs = yield* FileSystem.FileSystem
        execFileSync("git", ["init", "--quiet", root])
        yield* fs.makeDirectory(`${root}/src`)
        yield* fs.writeFileString(`${root}/src/parser.ts`, "2\n")
        yield* Effect.gen(function* () {
          const { review } = yield* JudgeService
          const { crossReview: reviewed, verdict } = yield* review(yield* open(root), { attempt: 1 })
          assert.deepStrictEqual([verdict.status, verdict.source], ["complete", "model"])
          assert.deepStrictEqual(
            reviewed?.consensus?.leftOut.map(({ modelId, reason }) => [modelId, reason.split(";")[0]]),
            [
              ["opencode/p/m", "it judged the turn itself"],
              ["opencode/default", "it judged the turn itself"]
            ]
          )
          assert.lengthOf(questions, 1)
        }).pipe(Effect.provide(layer))
      }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("count what models cost into the user's day", () =>
    Effect.gen(function* () {
      const models = { ...defaults.models, tokensPerDay: 200_000 }
      const { layer, questions, root, state } = yield* world(
        { model: "auto", models },
        { ask: Effect.succeed(answered("{}")) }
      )
      const fs = yield* FileSystem.FileSystem
      yield* Effect.gen(function* () {
        const { review } = yield* JudgeService
        yield* review(yield* open(root), { attempt: 1 })
        const [day = ""] = yield* fs.readDirectory(`${state}/models`)
        yield* fs.writeFileString(`${state}/models/${day}`, '{"at":"2026-01-01T00:00:00Z","tokens":200000}\n', {
          flag: "a"
        })
        assert.strictEqual(questions.length, 2)
        const { asked } = yield* review(yield* open(root), { attempt: 1 })
        assert.include(asked?.problem, "over_budget")
        assert.strictEqual(questions.length, 2)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("show the judge what the agent noted for itself only in a project that the user trusts", () =>
    Effect.gen(function* () {
      for (const isTrusted of [true, false]) {
        const ask = Effect.succeed(answered("{}"))
        const { layer, questions, root } = yield* world({ model: "auto" }, { ask, isTrusted })
        yield* Effect.gen(function* () {
          yield* Guidance.set("s0", "- [ ] the parser has tests")
          const { review } = yield* JudgeService
          yield* review(yield* open(root), { attempt: 1 })
          assert.strictEqual(questions[0]?.system.includes("- [ ] the parser has tests"), isTrusted)
        }).pipe(Effect.provide(layer))
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("ask about a session that is silent in that session as well, through what is kept of answers", () =>
    Effect.gen(function* () {
      const ask = Effect.succeed(answered(JSON.stringify(stuck)))
      const { children, layer, root } = yield* world({ model: "auto" }, { ask })
      assert.deepStrictEqual(yield* Effect.provide(assessed(root), layer), ["genuinely_stuck", "model"])
      assert.deepStrictEqual(
        children.map(({ parentId }) => parentId),
        ["s0"]
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("take a silent session for one at work where no model can be asked, or none answers", () =>
    Effect.gen(function* () {
      const settings = [{ model: "auto" }, { model: "nobody-knows" }, { model: "opencode/p/haiku" }]
      for (const given of settings) {
        const { layer, root } = yield* world(given, { ask: fault("unreachable") })
        assert.deepStrictEqual(yield* Effect.provide(assessed(root), layer), ["working", "evidence"])
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
