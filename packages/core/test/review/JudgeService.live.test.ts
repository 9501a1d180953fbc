import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, TestClock } from "effect"
import { Model } from "../../src/model/calls/Model.ts"
import { ofStatus } from "../../src/model/calls/ModelFailures.ts"
import { JudgeGuidance } from "../../src/review/tiers/JudgeGuidance.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import { CurrentConfig, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import type { Transcript, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { agent, edit, run, transcript, user } from "../support/events.ts"
import { assessment, german, judgeAnswer, ofJudge, unchanged, unknownTests } from "../support/opinions.ts"
import { type Answers, modelOf } from "../support/tiers.ts"

const needs = Layer.mergeAll(FileSystem.layerNoop({}), Path.layer)

interface Setting {
  readonly config?: PartialConfig
  readonly platform?: Layer.Layer<FileSystem.FileSystem | Path.Path>
  readonly guidance?: Layer.Layer<JudgeGuidance>
}

/** Runs an effect with a judge whose model answers so, and gives it what the model was asked. */
const live = <A, E, R>(
  answers: Answers,
  use: (asked: Effect.Effect<ReadonlyArray<string>>) => Effect.Effect<A, E, R>,
  { config = {}, guidance, platform = needs }: Setting = {}
) =>
  Effect.flatMap(modelOf(answers), ({ prompts, service }) =>
    use(prompts).pipe(
      Effect.provide(
        (guidance === undefined ? JudgeService.Live : Layer.provide(JudgeService.Live, guidance)).pipe(
          Layer.provide([platform, CurrentConfig.layer(config), Layer.succeed(Model, service)])
        )
      )
    )
  )

const says =
  (...texts: ReadonlyArray<string>): Answers =>
  ({ count }) =>
    Effect.succeed(texts[Math.min(count, texts.length - 1)] ?? "")

const done = JSON.stringify(assessment())

const judge = (events: ReadonlyArray<TranscriptEvent>, rest: Partial<Transcript> = {}) =>
  Effect.flatMap(JudgeService, (service) => service.judge(transcript(events, { cwd: null, ...rest })))

const review = (events: ReadonlyArray<TranscriptEvent>) =>
  Effect.flatMap(JudgeService, (service) => service.review(transcript(events, { cwd: null }), { attempt: 2 }))

const calls = (asked: Effect.Effect<ReadonlyArray<string>>) => Effect.map(asked, (prompts) => prompts.length)

const refused = (status: number) => ofStatus(status, "wrong key sk-proj-aB3dE5gH7jK9mN1pQ3sT5v")

const guided = (texts: ReadonlyArray<string> | null) =>
  JudgeGuidance.layer({
    texts: () => Effect.succeed(texts),
    said: () => Effect.succeed("Look at the docs.")
  })

/** What a model was told to look at in such a workspace. */
const seen = (texts: ReadonlyArray<string> | null) =>
  live(
    says(done),
    (asked) =>
      Effect.gen(function* () {
        yield* judge(unchanged, { cwd: "/shop" })
        return /Look at the \w+|Be kind/.exec((yield* asked)[0] ?? "")?.[0] ?? null
      }),
    { guidance: guided(texts) }
  )

describe("JudgeService.Live", () => {
  it.effect("asks about what evidence leaves open, once, and says what it cost", () =>
    live(says(done), (asked) =>
      Effect.gen(function* () {
        const verdict = yield* judge(unchanged)
        assert.deepStrictEqual([verdict.status, verdict.source], ["complete", "model"])
        assert.deepStrictEqual(
          { ...verdict.cost, durationMs: 0 },
          {
            modelCalls: 1,
            inputTokens: 100,
            outputTokens: 10,
            durationMs: 0
          }
        )
        assert.strictEqual(yield* calls(asked), 1)
      })
    )
  )

  it.effect("asks nobody where a finding nudges or a question is answered", () =>
    live(says(done), (asked) =>
      Effect.gen(function* () {
        const task = user("Fix the bug and run the tests.")
        const decided: ReadonlyArray<ReadonlyArray<TranscriptEvent>> = [
          [task, edit("/repo/a.ts"), run("npm test", 1, "1 failed"), agent("Done.")],
          [task, edit("/repo/a.ts"), agent("Done.")],
          [user("What does parse() return?"), run("grep -n parse a.ts", 0, "1: parse"), agent("A list.")]
        ]
        for (const events of decided) {
          const verdict = yield* judge(events)
          assert.deepStrictEqual([verdict.source, verdict.cost.modelCalls], ["evidence", 0])
        }
        assert.strictEqual(yield* calls(asked), 0)
      })
    )
  )

  it.effect("asks about work that evidence calls done, and its yes changes nothing", () =>
    live(says(done), (asked) =>
      Effect.gen(function* () {
        const task = user("Fix the bug and run the tests.")
        const verdict = yield* judge([task, edit("/repo/a.ts"), run("npm test", 0, "5 passed"), agent("Done.")])
        assert.deepStrictEqual([verdict.status, verdict.source, verdict.confidence], ["complete", "evidence", 0.9])
        assert.strictEqual(yield* calls(asked), 1)
      })
    )
  )

  it.effect("nudges for what the model shows in the record, with the attempt's number", () =>
    live(
      says(
        JSON.stringify(
          assessment({
            status: "in_progress",
            remaining_work: [{ what: "the tests", event: "e2", quote: "Als Nächstes schreibe ich die Tests" }]
          })
        )
      ),
      () =>
        Effect.gen(function* () {
          const { verdict, wouldContinue } = yield* review(german)
          assert.deepStrictEqual([verdict.status, verdict.shouldContinue, wouldContinue], ["incomplete", true, true])
          assert.include(verdict.feedback ?? "", "[reflexion 2/3]")
        })
    )
  )

  it.effect.each<readonly [string, string]>([
    ["has no object", "It looks done to me."],
    ["was cut off", done.slice(0, -10)],
    ["has another schema", '{"verdict":"ok"}']
  ])("shows a second reader an answer that %s", ([, text]) =>
    live(says(text, JSON.stringify(judgeAnswer())), (asked) =>
      Effect.gen(function* () {
        const verdict = yield* judge(unchanged)
        assert.deepStrictEqual([verdict.status, verdict.cost.modelCalls], ["complete", 2])
        const prompts = yield* asked
        assert.strictEqual(prompts.length, 2)
        assert.include(prompts[1] ?? "", "The other reader's answer")
      })
    )
  )

  it.effect("keeps what the model said for the record, and what came of it", () =>
    live(says("Let me think.", JSON.stringify(judgeAnswer({ feedback: "Fine." }))), () =>
      Effect.gen(function* () {
        const { asked } = yield* review(unchanged)
        assert.deepStrictEqual([asked?.by, asked?.problem], ["judge", null])
        assert.deepStrictEqual(asked?.answer, ofJudge(judgeAnswer({ feedback: "Fine." })))
        const done = yield* review([user("What does this do?"), agent("It parses the file.")])
        assert.isUndefined(done.asked)
      })
    )
  )

  it.effect("abstains by name where neither answer can be read", () =>
    live(says("I cannot say."), (asked) =>
      Effect.gen(function* () {
        const verdict = yield* judge(unchanged)
        assert.deepStrictEqual([verdict.status, verdict.shouldContinue], ["abstained", false])
        assert.include(verdict.reason, "unparseable")
        assert.strictEqual(yield* calls(asked), 2)
      })
    )
  )

  it.effect("leaves tier 1's verdict where the model fails, names the failure, and shows no key", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.make(({ message }) => void logged.push(JSON.stringify(message)))
      )
      yield* live(
        () => Effect.fail(refused(400)),
        (asked) =>
          Effect.gen(function* () {
            const { verdict, wouldContinue } = yield* review(german)
            assert.deepStrictEqual([verdict.status, wouldContinue, verdict.source], ["abstained", false, "evidence"])
            assert.include(verdict.reason, "unavailable")
            assert.include(verdict.reason, "HTTP 400")
            assert.notInclude(JSON.stringify(verdict), "aB3dE5gH7jK9")
            assert.strictEqual(yield* calls(asked), 1)
          })
      ).pipe(Effect.provide(logger))
      assert.strictEqual(logged.length, 1)
      assert.include(logged[0] ?? "", "unavailable")
      assert.notInclude(logged[0] ?? "", "aB3dE5gH7jK9")
    })
  )

  it.effect(
    "calls nothing complete in which the second reader finds a blocker, and nudges for none that it cannot show",
    () =>
      live(
        says("I cannot say.", JSON.stringify(judgeAnswer({ severity: "BLOCKER", feedback: "It drops the table." }))),
        () =>
          Effect.gen(function* () {
            for (const events of [unchanged, unknownTests]) {
              const verdict = yield* judge(events)
              assert.deepStrictEqual(
                [verdict.complete, verdict.status, verdict.severity, verdict.shouldContinue],
                [false, "incomplete", "BLOCKER", false]
              )
            }
          })
      )
  )

  it.scoped("reads the project's instructions, and reads them again after a minute", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${cwd}/AGENTS.md`, "Say pineapple.")
      yield* live(
        says(done),
        (asked) =>
          Effect.gen(function* () {
            yield* judge(unchanged, { cwd })
            yield* fs.writeFileString(`${cwd}/AGENTS.md`, "Say mango.")
            yield* judge(unchanged, { cwd })
            yield* TestClock.adjust("61 seconds")
            yield* judge(unchanged, { cwd })
            const prompts = yield* asked
            assert.deepStrictEqual(
              prompts.map((prompt) => /Say \w+/.exec(prompt)?.[0]),
              ["Say pineapple", "Say pineapple", "Say mango"]
            )
          }),
        { platform: NodeContext.layer }
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect("takes guidance from a trusted workspace's file, or from the session, and from no other", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* seen([]), "Look at the docs")
      assert.strictEqual(yield* seen(["Look at the tests."]), "Look at the tests")
      assert.strictEqual(yield* seen(["Be kind.", "Look at the tests."]), "Be kind")
      assert.strictEqual(yield* seen([" ", "x".repeat(65_537), "Look at the tests."]), "Look at the tests")
      assert.isNull(yield* seen(null))
    })
  )
})
