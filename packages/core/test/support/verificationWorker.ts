/** Verifies in a process of its own, as a hook would. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Verification } from "../../src/checks/Verification.ts"

const { command, project, state } = JSON.parse(process.argv[2] ?? "{}")

const program = Effect.gen(function* () {
  const { run } = yield* Verification
  const results = yield* run({ directory: project, checks: [{ name: "tests", command }] })
  for (const { cached, result } of results) process.stdout.write(`${result} ${cached ? "cached" : "ran"}\n`)
})

const live = Verification.Live({ directory: state }).pipe(
  Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map()))),
  Layer.provide(NodeContext.layer)
)

await Effect.runPromise(Effect.provide(program, live))
