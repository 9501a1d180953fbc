import { assert, describe, it } from "@effect/vitest"
import * as LanguageModel from "@effect/ai/LanguageModel"
import * as FileSystem from "@effect/platform/FileSystem"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { main } from "../src/model/ModelMain.ts"
import * as ModelOptions from "../src/model/ModelOptions.ts"
import { questions } from "../src/model/Question.ts"
import * as Trial from "../src/model/Trial.ts"
import * as ScriptedModels from "../src/model/ScriptedModels.ts"

const optionsOf = (...argv: ReadonlyArray<string>) =>
  Either.getOrThrow(ModelOptions.parse(["--model", "scripted/large", ...argv]))

const problemOf = (...argv: ReadonlyArray<string>) => Either.getOrNull(Either.flip(ModelOptions.parse(argv)))

const question = (id: string, ...argv: ReadonlyArray<string>) => {
  const [found] = questions(optionsOf("--suite", "cases", "--case", id, ...argv), null)
  if (found === undefined) throw new Error(`nobody is asked about ${id}`)
  return found
}

const needs = Layer.merge(FileSystem.layerNoop({}), CurrentConfig.layer())

const asked = (id: string, answer: string, ...argv: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const calls = yield* Ref.make(0)
    const model = ScriptedModels.layer({ name: "scripted", answer: () => answer }, calls)
    return yield* Effect.provide(Trial.ask(question(id, ...argv), 0), Layer.merge(needs, model))
  })

const assessment = (over: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ status: "complete", confidence: 0.95, remaining_work: [], next_steps: [], stuck: false, ...over })

const hanging = Layer.effect(
  LanguageModel.LanguageModel,
  LanguageModel.make({ generateText: () => Effect.never, streamText: () => Stream.die("not asked for") })
)

describe("the options of a run with a model", () => {
  it("say what is wrong with what cannot be run", () => {
    assert.include(problemOf("--model", "large"), "--model: must be a provider, a slash and its model")
    assert.include(problemOf("--model"), "--model")
    assert.include(problemOf("--model", "a/b", "--suite", "nothing"), '--suite: "nothing" is none of cases, ')
    assert.include(problemOf("--model", "a/b", "--ask", "some"), "--ask: must be open or all")
    assert.include(problemOf("--model", "a/b", "--repeats", "0"), "--repeats: must be a whole number from 1 to 20")
    assert.include(problemOf("--model", "a/b", "--limit", "1.5"), "--limit: must be a whole number")
    assert.include(problemOf("--model", "a/b", "--timeout", ""), "--timeout: must be a number from 1 to 600")
    assert.include(problemOf("--model", "a/b", "--price", "3"), "--price: must be two numbers such as 3/15")
    assert.include(problemOf("--model", "a/b", "--min-accuracy", "90"), "--min-accuracy: must be a number from 0 to 1")
    assert.include(problemOf("--model", "a/b", "--modle"), "--modle")
    assert.include(problemOf("--model", "a/b", "stray"), "stray")
  })

  it("keep what a model's own name has behind the first slash", () => {
    const { ask, model, price, repeats } = optionsOf("--model", "openrouter/qwen/qwen3:free", "--price", "0.5/2")
    assert.deepStrictEqual(
      [model, ask, repeats, price],
      ["openrouter/qwen/qwen3:free", "open", 3, { input: 0.5, output: 2 }]
    )
  })

  it("end with 2 before anybody is asked, and say why", async () => {
    const said: Array<string> = []
    const output = { out: () => undefined, err: (text: string) => void said.push(text) }
    const run = (...argv: ReadonlyArray<string>) => main(["--suite", "cases", "--model", ...argv], output)
    assert.strictEqual(await run("nobody/large"), 2)
    assert.strictEqual(await run("a/b", "--config", "/repo/none.json"), 2)
    assert.strictEqual(await run("ollama/large", "--case", "no-such-case"), 2)
    assert.include(said[0], '--model: nobody/large: no provider "nobody" is known')
    assert.include(said[1], "--config: /repo/none.json could not be read")
    assert.include(said[2], '--case: no question that is asked begins with "no-such-case"')
  })
})

describe("the questions of a run with a model", () => {
  it("are those that evidence leaves open, or all, spread over a suite where it is limited", () => {
    const some = ["--suite", "cases", "--case", "injection/", "--case", "restraint/"]
    const asked = (...more: ReadonlyArray<string>) => questions(optionsOf(...some, ...more), null)
    const all = asked("--ask", "all")
    assert.isTrue(all.every(({ label, why }) => why !== "" && label.statuses.length > 0))
    assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
    const open = all.filter((one) => one.open).map(({ id }) => id)
    assert.isAbove(open.length, 0)
    assert.isBelow(open.length, all.length)
    assert.deepStrictEqual(
      asked().map(({ id }) => id),
      open
    )
    assert.deepStrictEqual(
      asked("--ask", "all", "--limit", "3").map(({ id }) => id),
      [0, 1, 2].map((index) => all[Math.floor((index * all.length) / 3)]?.id)
    )
  })
})

describe("a question put to a model", () => {
  it.effect("is graded by the readers' label, the model's own word and the verdict each for itself", () =>
    Effect.gen(function* () {
      const done = yield* asked("chinese/answer", assessment({}))
      assert.deepStrictEqual([done.said, done.saidRight, done.right, done.calls], ["complete", true, true, 1])
      const open = yield* asked("chinese/answer", assessment({ status: "in_progress" }))
      assert.deepStrictEqual([open.said, open.saidRight, open.problem], ["incomplete", false, null])
    })
  )

  it.effect("counts an answer that cannot be read as none, after the second reader", () =>
    Effect.gen(function* () {
      const { calls, problem, right, said } = yield* asked("chinese/answer", "I would say that it looks fine.")
      assert.deepStrictEqual([problem, right, said, calls], ["unparseable", null, null, 2])
    })
  )

  it.effect("counts a model that hangs as one that does not answer", () =>
    Effect.gen(function* () {
      const asking = Trial.ask(question("chinese/answer"), 0).pipe(Effect.provide(Layer.merge(needs, hanging)))
      const fiber = yield* Effect.fork(asking)
      yield* TestClock.adjust("10 minutes")
      const { after, before, calls, ms, problem, right } = yield* Fiber.join(fiber)
      assert.deepStrictEqual([problem, right, calls], ["timed_out", null, 1])
      assert.deepStrictEqual(after, before)
      assert.isAbove(ms, 0)
    })
  )

  it.effect("is put about what evidence has decided only where all are asked about", () =>
    Effect.gen(function* () {
      const id = "false-claim/all-tests-pass"
      assert.throws(() => question(id), /nobody is asked/)
      const { after, before, calls, said, saidRight } = yield* asked(id, assessment({}), "--ask", "all")
      assert.deepStrictEqual([said, saidRight, calls], ["complete", false, 1])
      assert.deepStrictEqual(after, before)
      const junk = yield* asked(id, "no idea", "--ask", "all")
      assert.deepStrictEqual([junk.problem, junk.calls], ["unparseable", 1])
    })
  )
})
