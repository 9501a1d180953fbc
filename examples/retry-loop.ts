/**
 * An orchestrator's loop that learns: an agent works on a project until its tests pass, and each attempt's prompt has what
 * was learned from the ones before. The agent here is a script that knows only what its prompt says; put yours there.
 *
 *     node examples/dist/retry-loop.js [MEMORY.jsonl]
 *
 * Run it again with the same file: the first attempt knows by then what it needs.
 */
import { ReflectionService, ReflexionStore } from "@reflexion/core"
import { Reflexion } from "@reflexion/retry"
import { Command, FileSystem } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Console, Data, Effect, Layer, Stream } from "effect"

class TestsFailed extends Data.TaggedError("TestsFailed")<{ readonly output: string }> {}

const files = {
  "cart.mjs": "export const total = (sum) => sum\n",
  "cart.test.mjs": `import assert from "node:assert"
import { test } from "node:test"
import { total } from "./cart.mjs"
test("takes ten percent off 100 and more", () => assert.strictEqual(total(100), 90))
test("takes nothing off less", () => assert.strictEqual(total(50), 50))
`
}

/** What comes to the agent's mind when it is told which test failed. */
const ideas = [
  ["takes ten percent off 100 and more", "export const total = (sum) => sum * 0.9\n"],
  ["takes nothing off less", "export const total = (sum) => (sum < 100 ? sum : sum * 0.9)\n"]
] as const

const runAgent = Effect.fn(function* (folder: string, prompt: string) {
  const idea = ideas.findLast(([test]) => prompt.includes(`"${test}"`))
  const { writeFileString } = yield* FileSystem.FileSystem
  if (idea !== undefined) yield* writeFileString(`${folder}/cart.mjs`, idea[1])
})

const runTests = Effect.fn(function* (folder: string) {
  const command = Command.make(process.execPath, "--test").pipe(Command.workingDirectory(folder))
  const run = yield* Command.start(command)
  const output = yield* Stream.mkString(Stream.decodeText(run.stdout))
  if ((yield* run.exitCode) !== 0) return yield* new TestsFailed({ output })
}, Effect.scoped)

const description = "Make the tests of the cart pass."

const untilGreen = (folder: string) =>
  Reflexion.retry({
    taskId: "shop",
    subtaskId: "shop/cart",
    description,
    maxAttempts: 4,
    attempt: ({ attempt, promptSection }) =>
      Effect.gen(function* () {
        yield* Console.log(`\nAttempt ${attempt}\n\n${promptSection}`)
        yield* runAgent(folder, `${description}\n\n${promptSection}`)
        yield* runTests(folder)
      }),
    toFailure: (error) =>
      error._tag === "TestsFailed"
        ? { failureType: "test_failure", errorOutput: error.output, filesModified: ["cart.mjs"] }
        : { failureType: "runtime_error", errorOutput: error.message }
  })

const program = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  for (const [name, text] of Object.entries(files)) yield* fs.writeFileString(`${folder}/${name}`, text)
  yield* untilGreen(folder)
  yield* Console.log("The tests pass.")
}).pipe(Effect.scoped)

const path = process.argv[2] ?? ".reflection/reflections.jsonl"

const MainLive = ReflectionService.ReflectionService.Heuristic.pipe(
  Layer.provide(ReflexionStore.ReflexionStore.Live({ path })),
  Layer.provideMerge(NodeContext.layer)
)

NodeRuntime.runMain(Effect.provide(program, MainLive))
