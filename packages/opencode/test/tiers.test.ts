/** What the plugin's reviews use beyond evidence: checks, and models that are asked through the host. */
import { FileSystem } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { AskLog } from "@reflexion/core/AskLog"
import * as CheckPrint from "@reflexion/core/internal/checks/CheckPrint"
import type * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import { JudgeService } from "@reflexion/core/JudgeService"
import { defaults, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { StuckDetector } from "@reflexion/core/StuckDetector"
import { Transcript } from "@reflexion/core/Transcript"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import { Effect, Layer, Schema, TestClock } from "effect"
import { execFileSync } from "node:child_process"
import * as Guidance from "../src/host/Guidance.ts"
import { SessionWords } from "../src/host/SessionWords.ts"
import { AskingModel, type Consent } from "../src/models/AskingModel.ts"
import { chosen } from "../src/models/HostModels.ts"
import * as Tiers from "../src/plugin/tiers.ts"
import { answered, type Behaviour, fault } from "./support/host.ts"
import { user } from "./support/messages.ts"
import { folder, inWorld, world } from "./support/world.ts"

interface Given extends Pick<Behaviour, "ask"> {
  readonly config?: Partial<ReflexionConfig>
  readonly allowed?: () => TakenChecks.TakenChecks | null
  readonly isTrusted?: boolean
  /** The consent, for a plugin that asks the small model only with it. */
  readonly consent?: Consent
}

const says = (answer: object) => Effect.succeed(answered(JSON.stringify(answer)))

/** The tiers of a plugin in an empty project, over a host whose model answers so. */
const reviewing = Effect.fnUntraced(function* (given: Given) {
  const { allowed = () => null, ask, config = {}, consent = null, isTrusted = false } = given
  const stored = { s0: [user("u1", 0, "Fix it.")] }
  const made = yield* world({ stored, ...(ask && { ask }) }, chosen({ ...defaults, ...config }))
  const state = yield* folder()
  const layer = Tiers.layer({
    state,
    root: made.root,
    directory: made.root,
    guidance: () => (isTrusted ? [] : null),
    programs: () => Effect.succeed({}),
    allowed: () => Effect.sync(() => allowed()),
    ownSmall: () => []
  }).pipe(
    Layer.provideMerge(AskingModel.Live({ own: () => [], consent })),
    Layer.provideMerge(SessionWords.Live({ directory: state, otherwise: null })),
    Layer.provideMerge(made.layer)
  )
  return { ...made, state, layer }
})

const test = inWorld(reviewing)

const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 9, 0, second)).toISOString()

const transcript = (cwd: string, asked: string, said: string) => {
  const input = { filePath: `${cwd}/src/parser.ts`, oldString: "1", newString: "2" }
  return Schema.decodeUnknown(Transcript)({
    version: 1,
    host: "opencode",
    sessionId: "s0",
    cwd,
    mode: "build",
    events: [
      { type: "user_message", at: at(0), text: asked },
      { type: "tool_call", at: at(1), tool: "edit", input, output: "ok" },
      { type: "assistant_message", at: at(2), text: said, completed: true }
    ]
  })
}

/** Code that was changed, and a claim. */
const fixed = (root: string) =>
  transcript(root, "Fix the bug in the cart. All tests must pass.", "I fixed the bug in the cart. All tests pass now.")

/** The rules do not read this language: the agent may be done, or about to go on. */
const open = (root: string) =>
  transcript(
    root,
    "Behebe den Parser und schreibe Tests dazu.",
    "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle."
  )

const reviewed = (made: Effect.Effect<Transcript, unknown>) =>
  Effect.flatMap(Effect.all([JudgeService, made]), ([{ review }, given]) => review(given, { attempt: 1 }))

const say = (word: "on" | "off") => Effect.flatMap(SessionWords, (words) => words.say("s0", "model", word))

const auto: Partial<ReflexionConfig> = { model: "auto" }

const asking = { config: auto, ask: says({}) }

const check = (command: string) => ({ name: "tests", command, timeout: 60 })

describe("a stop for which the plugin runs checks", () => {
  test(
    "shows the running check and its result, and nothing for a cached result",
    { config: { checks: [check("echo 1 failed;  exit 1")] } },
    function* ({ calls, root, toasts }) {
      execFileSync("git", ["-C", root, "init", "--quiet"])
      const first = yield* reviewed(fixed(root))
      assert.strictEqual(first.checks?.[0]?.result, "failed")
      assert.strictEqual(toasts[0]?.message, "reflexion runs `echo 1 failed; exit 1` …")
      assert.match(toasts[1]?.message ?? "", /^reflexion ran `echo 1 failed; exit 1`: failed.*, exit 1, \d+\.\d s/)
      const again = yield* reviewed(fixed(root))
      assert.deepStrictEqual([again.checks?.[0]?.cached, toasts.length, calls], [true, 2, []])
    }
  )

  let project = ""
  let taken: TakenChecks.TakenChecks["checks"] = [{ ...check("touch bad"), print: "of something else" }]
  test(
    "runs a check only while it is allowed and unchanged; a change is shown once",
    {
      config: { checks: [{ ...check("touch bad"), print: "of something else" }] },
      allowed: () => ({ version: 1, root: project, at: "2026-03-02T09:00:00.000Z", checks: taken })
    },
    function* ({ root, toasts }) {
      project = root
      for (const _ of "12") assert.strictEqual((yield* reviewed(fixed(root))).checks?.[0]?.result, "unavailable")
      assert.lengthOf(toasts, 1)
      const said = toasts[0]?.message ?? ""
      assert.match(said, /the script behind it has changed since you agreed.* `reflexion allow checks`/)
      taken = [{ ...check("touch bad"), print: yield* CheckPrint.of(root, "touch bad") }]
      yield* reviewed(fixed(root))
      const fs = yield* FileSystem.FileSystem
      assert.isTrue(yield* fs.exists(`${root}/bad`))
      taken = []
      assert.isUndefined((yield* reviewed(fixed(root))).checks)
    }
  )
})

describe("a stop about which the plugin asks a model", () => {
  test("the model is asked in the stop's own session, and only at stops", asking, function* (made) {
    const { review } = yield* JudgeService
    const { asked } = yield* review(yield* open(made.root), { attempt: 1, evidence: true })
    assert.deepStrictEqual([asked, made.questions], [undefined, []])
    const { verdict } = yield* reviewed(open(made.root))
    assert.deepStrictEqual([verdict.status, verdict.cost.modelCalls], ["abstained", 2])
    assert.deepStrictEqual(new Set(made.children.map(({ parentId }) => parentId)), new Set(["s0"]))
  })

  const crossReview = { reviewer: "opencode/p/m", auditor: "opencode/default" }
  for (const model of ["auto", "opencode/p/m", "opencode/default"])
    test(
      `gets no second opinion from its own judge ${model}, under any name`,
      { config: { model, crossReview }, ask: says(SampleAssessment.complete) },
      function* ({ questions, root }) {
        const fs = yield* FileSystem.FileSystem
        execFileSync("git", ["init", "--quiet", root])
        yield* fs.makeDirectory(`${root}/src`)
        yield* fs.writeFileString(`${root}/src/parser.ts`, "2\n")
        const { crossReview: given, verdict } = yield* reviewed(open(root))
        assert.deepStrictEqual([verdict.status, verdict.source], ["complete", "model"])
        const leftOut = given?.consensus?.leftOut.map(({ modelId, reason }) => `${modelId}: ${reason.split(";")[0]}`)
        const why = "the model judged the turn itself"
        assert.deepStrictEqual(leftOut, [`opencode/p/m: ${why}`, `opencode/default: ${why}`])
        assert.lengthOf(questions, 1)
      }
    )

  test(
    "the question counts towards the user's tokens per day",
    { ...asking, config: { ...auto, models: { ...defaults.models, tokensPerDay: 200_000 } } },
    function* ({ questions, root, state }) {
      const fs = yield* FileSystem.FileSystem
      yield* reviewed(open(root))
      const [day = ""] = yield* fs.readDirectory(`${state}/models`)
      const spent = '{"at":"2026-01-01T00:00:00Z","tokens":200000}\n'
      yield* fs.writeFileString(`${state}/models/${day}`, spent, { flag: "a" })
      const { asked } = yield* reviewed(open(root))
      assert.include(asked?.problem, "over_budget")
      assert.lengthOf(questions, 2)
    }
  )

  for (const isTrusted of [true, false])
    test(
      `the question has the agent's own guidance only in a trusted project: ${isTrusted}`,
      { ...asking, isTrusted },
      function* ({ questions, root }) {
        yield* Guidance.set("s0", "- [ ] the parser has tests")
        yield* reviewed(open(root))
        assert.strictEqual(questions[0]?.system.includes("- [ ] the parser has tests"), isTrusted)
      }
    )
})

const assessed = Effect.fnUntraced(function* ({ root }: { readonly root: string }) {
  const { assess } = yield* StuckDetector
  const { reason, source } = yield* assess(yield* open(root), "2026-03-02T09:01:02.000Z")
  return [reason, source]
})

describe("a session that is silent", () => {
  const stuck = { reason: "genuinely_stuck", problem: "announced_step", confidence: 0.9, why: "It stopped." }
  test("the model is asked in that session as well", { config: auto, ask: says(stuck) }, function* (made) {
    assert.deepStrictEqual(yield* assessed(made), ["genuinely_stuck", "model"])
    assert.strictEqual(made.children.map(({ parentId }) => parentId).join(), "s0")
  })

  for (const model of ["auto", "nobody-knows", "opencode/p/haiku"])
    test(
      `counts as working if ${model} cannot be asked`,
      { config: { model }, ask: fault("unreachable") },
      function* (made) {
        assert.deepStrictEqual(yield* assessed(made), ["working", "evidence"])
      },
      it.scopedLive
    )
})

describe("a stop with nothing configured in the plugin", () => {
  const config: Partial<ReflexionConfig> = { model: "opencode/small" }
  const ask = says({ ...SampleAssessment.complete, confidence: 0.95 })

  test("asks the small model once, shows one line, and logs the question", { config, ask }, function* (made) {
    for (const _ of "12") assert.strictEqual((yield* reviewed(open(made.root))).asked?.end, "answered")
    for (const { model } of made.questions) assert.strictEqual(model?.modelID, "mini")
    const told = { message: "reflexion asks opencode/small whether the turn is done …", variant: "info" }
    assert.deepStrictEqual(made.toasts, [told, told])
    const all = yield* Effect.flatMap(AskLog, ({ read }) => read)
    assert.lengthOf(all, 2)
    const kept = { host: "opencode", session: "s0", model: "opencode/small", end: "answered" } as const
    for (const one of all) assert.deepInclude(one, kept)
    yield* say("off")
    assert.isUndefined((yield* reviewed(open(made.root))).asked)
    assert.lengthOf(made.questions, 2)
  })

  let [agreed, offers] = [false, 0]
  const consent: Consent = { agreed: () => agreed, mayOffer: () => offers++ === 0 }
  test("asks no model until the user agrees, and offers it once", { config, ask, consent }, function* (made) {
    for (const _ of "123") assert.isUndefined((yield* reviewed(open(made.root))).asked)
    assert.deepStrictEqual([made.questions, made.calls, made.toasts], [[], [], []])
    yield* TestClock.adjust("1 minute")
    const offer =
      "reflexion decides only from the record. At stops like the last one, it can also ask opencode/small (p/mini), if you agree: `/reflection model on` allows it in this session, `reflexion allow model opencode` in all sessions. You are told this once."
    assert.deepStrictEqual(made.toasts, [{ message: offer, variant: "info" }])
    yield* say("on")
    assert.strictEqual((yield* reviewed(open(made.root))).asked?.end, "answered")
    yield* say("off")
    agreed = true
    assert.isUndefined((yield* reviewed(open(made.root))).asked)
    assert.lengthOf(made.questions, 1)
  })

  test("runs no command that the configuration does not ask for", { config, ask }, function* (made) {
    const doneWhen = [{ id: "w1", text: "npm test passes", command: "touch ran" }]
    yield* reviewed(Effect.map(open(made.root), (given) => ({ ...given, doneWhen })))
    const fs = yield* FileSystem.FileSystem
    assert.isFalse(yield* fs.exists(`${made.root}/ran`))
  })
})
