import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, TestClock } from "effect"
import { Model } from "../../src/model/calls/Model.ts"
import { ofStatus } from "../../src/model/calls/ModelFailures.ts"
import { JudgeGuidance } from "../../src/review/tiers/JudgeGuidance.ts"
import { JudgeService } from "../../src/review/tiers/JudgeService.ts"
import { CurrentConfig } from "../../src/session/config/ReflexionConfig.ts"
import type { Transcript, TranscriptEvent } from "../../src/session/transcript/Transcript.ts"
import { transcript } from "../support/events.ts"
import { assessment, german, judgeAnswer, ofJudge, unchanged, unknownTests } from "../support/opinions.ts"
import { session } from "../support/sessions.ts"
import { type Answers, modelOf } from "../support/tiers.ts"

interface Setting {
  readonly platform?: Layer.Layer<FileSystem.FileSystem | Path.Path>
  readonly guidance?: Layer.Layer<JudgeGuidance>
}

/** Runs an effect with a judge whose model answers so, and gives it what the model was asked. */
const live = <A, E, R>(
  answers: Answers,
  use: (asked: Effect.Effect<ReadonlyArray<string>>) => Effect.Effect<A, E, R>,
  { guidance, platform = Layer.merge(FileSystem.layerNoop({}), Path.layer) }: Setting = {}
) =>
  Effect.flatMap(modelOf(answers), ({ prompts, service }) =>
    use(prompts).pipe(
      Effect.provide(
        (guidance === undefined ? JudgeService.Live : Layer.provide(JudgeService.Live, guidance)).pipe(
          Layer.provide([platform, CurrentConfig.layer({}), Layer.succeed(Model, service)])
        )
      )
    )
  )

const says =
  (...texts: ReadonlyArray<string>): Answers =>
  ({ count }) =>
    texts[Math.min(count, texts.length - 1)] ?? ""

const done = JSON.stringify(assessment())

const judge = (events: ReadonlyArray<TranscriptEvent>, rest: Partial<Transcript> = {}) =>
  Effect.flatMap(JudgeService, (service) => service.judge(transcript(events, { cwd: null, ...rest })))

const review = (events: ReadonlyArray<TranscriptEvent>) =>
  Effect.flatMap(JudgeService, (service) => service.review(transcript(events, { cwd: null }), { attempt: 2 }))

/** Sessions by name, or in a line; what becomes of them where the model says that they are done; and how often it is asked. */
const rows: ReadonlyArray<readonly [string, string, number]> = [
  ["unchanged", "complete, model", 1],
  ["> Fix the bug and run the tests. / edit a.ts / $ npm test => 5 passed / Done.", "complete, evidence", 1],
  ["> Fix the bug and run the tests. / edit a.ts / $1 npm test => 1 failed / Done.", "incomplete, evidence", 0],
  ["> Fix the bug and run the tests. / edit a.ts / Done.", "incomplete, evidence", 0],
  ["> What does parse() return? / $ grep -n parse a.ts => 1: parse / A list.", "complete, evidence", 0]
]

describe("JudgeService.Live", () => {
  it.effect.each(rows)("asks about what evidence leaves open or calls done, once: %s", ([line, expected, calls]) =>
    live(says(done), (asked) =>
      Effect.gen(function* () {
        const { cost, source, status } = yield* judge(line === "unchanged" ? unchanged : session(line))
        assert.strictEqual(`${status}, ${source}`, expected)
        const { durationMs: _, ...paid } = cost
        assert.deepStrictEqual(paid, { modelCalls: calls, inputTokens: 100 * calls, outputTokens: 10 * calls })
        assert.lengthOf(yield* asked, calls)
      })
    )
  )

  it.effect("nudges for what the model shows in the record, with the attempt's number", () => {
    const work = { what: "the tests", event: "e2", quote: "Als Nächstes schreibe ich die Tests" }
    return live(says(JSON.stringify(assessment({ status: "in_progress", remaining_work: [work] }))), () =>
      Effect.map(review(german), ({ verdict, wouldContinue }) => {
        assert.deepInclude(verdict, { status: "incomplete", shouldContinue: true })
        assert.isTrue(wouldContinue)
        assert.include(verdict.feedback ?? "", "[reflexion 2/3]")
      })
    )
  })

  it.effect.each<readonly [string, string]>([
    ["has no object", "It looks done to me."],
    ["was cut off", done.slice(0, -10)],
    ["has another schema", '{"verdict":"ok"}']
  ])("shows a second reader an answer that %s, and keeps what that one says", ([, text]) => {
    const answer = judgeAnswer({ feedback: "Fine." })
    return live(says(text, JSON.stringify(answer)), (prompts) =>
      Effect.gen(function* () {
        const { asked, verdict } = yield* review(unchanged)
        assert.deepStrictEqual([verdict.status, verdict.cost.modelCalls], ["complete", 2])
        assert.deepInclude(asked, { by: "judge", problem: null, answer: ofJudge(answer) })
        const [, second = ""] = yield* prompts
        assert.include(second, "The other reader's answer")
      })
    )
  })

  it.effect("abstains by name where neither answer can be read", () =>
    live(says("I cannot say."), (asked) =>
      Effect.gen(function* () {
        const { reason, ...verdict } = yield* judge(unchanged)
        assert.deepInclude(verdict, { status: "abstained", shouldContinue: false })
        assert.include(reason, "unparseable")
        assert.lengthOf(yield* asked, 2)
      })
    )
  )

  it.effect("leaves tier 1's verdict where the model fails, names the failure, and shows no key", () => {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(JSON.stringify(message)))
    const refused = ofStatus(400, "wrong key sk-proj-aB3dE5gH7jK9mN1pQ3sT5v")
    return live(
      () => Effect.fail(refused),
      (asked) =>
        Effect.gen(function* () {
          const { verdict, wouldContinue } = yield* review(german)
          assert.deepInclude(verdict, { status: "abstained", source: "evidence" })
          assert.isFalse(wouldContinue)
          for (const part of ["unavailable", "HTTP 400"]) assert.include(verdict.reason, part)
          assert.lengthOf(yield* asked, 1)
          assert.lengthOf(logged, 1)
          assert.include(logged[0], "unavailable")
          assert.notInclude(JSON.stringify([verdict, logged]), "aB3dE5gH7jK9")
        })
    ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })

  it.effect(
    "calls nothing complete in which the second reader finds a blocker, and nudges for none it can't show",
    () => {
      const blocker = JSON.stringify(judgeAnswer({ severity: "BLOCKER", feedback: "It drops the table." }))
      const expected = { complete: false, status: "incomplete", severity: "BLOCKER", shouldContinue: false }
      return live(says("I cannot say.", blocker), () =>
        Effect.forEach([unchanged, unknownTests], (events) =>
          Effect.map(judge(events), (verdict) => assert.deepInclude(verdict, expected))
        )
      )
    }
  )

  it.scoped("reads the project's instructions, and reads them again after a minute", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const cwd = yield* fs.makeTempDirectoryScoped()
      const write = (text: string) => fs.writeFileString(`${cwd}/AGENTS.md`, text)
      yield* live(
        says(done),
        (asked) =>
          Effect.gen(function* () {
            yield* write("Say pineapple.")
            yield* judge(unchanged, { cwd })
            yield* write("Say mango.")
            yield* judge(unchanged, { cwd })
            yield* TestClock.adjust("61 seconds")
            yield* judge(unchanged, { cwd })
            const said = (yield* asked).map((prompt) => /Say \w+/.exec(prompt)?.[0])
            assert.deepStrictEqual(said, ["Say pineapple", "Say pineapple", "Say mango"])
          }),
        { platform: NodeContext.layer }
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect.each<readonly [ReadonlyArray<string> | null, string | undefined]>([
    [[], "Look at the docs"],
    [["Look at the tests."], "Look at the tests"],
    [["Be kind.", "Look at the tests."], "Be kind"],
    [[" ", "x".repeat(65_537), "Look at the tests."], "Look at the tests"],
    [null, undefined]
  ])(
    "takes guidance from a trusted workspace's file, or from the session, and from no other: %#",
    ([texts, expected]) => {
      const guidance = JudgeGuidance.layer({
        texts: () => Effect.succeed(texts),
        said: () => Effect.succeed("Look at the docs.")
      })
      const seen = (asked: Effect.Effect<ReadonlyArray<string>>) =>
        Effect.gen(function* () {
          yield* judge(unchanged, { cwd: "/shop" })
          assert.strictEqual(/Look at the \w+|Be kind/.exec((yield* asked)[0] ?? "")?.[0], expected)
        })
      return live(says(done), seen, { guidance })
    }
  )
})
