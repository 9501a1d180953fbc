import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Models } from "@reflexion/core/Models"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { Effect, Layer } from "effect"
import * as ConfiguredModels from "../src/models/ConfiguredModels.ts"

const models = Layer.unwrapEffect(
  Effect.map(ConfiguredModels.ofHosts(defaults, { cwd: "/", env: {} }), (hosts) => Models.layer({ hosts }))
).pipe(Layer.provide(Layer.succeed(CurrentConfig, defaults)), Layer.provide(NodeContext.layer))

describe("the models of hosts", () => {
  it.effect("say where those of OpenCode can be asked, for a command line that cannot", () =>
    Effect.gen(function* () {
      const { excluded, named } = yield* Models
      assert.match((yield* excluded("opencode/default")) ?? "", /asked by the plugin there/)
      assert.match(
        (yield* Effect.flip(named("opencode/anthropic/claude-opus-4-5"))).message,
        /asked by the plugin there/
      )
    }).pipe(Effect.provide(models))
  )

  it.effect("are not too weak to judge where they are a host's own small ones", () =>
    Effect.gen(function* () {
      const { excluded } = yield* Models
      for (const host of ["claude-code", "codex"])
        assert.notInclude((yield* excluded(`${host}/small`)) ?? "", "weak", host)
      assert.include(yield* excluded("local/small"), "too weak to judge")
    }).pipe(Effect.provide(models))
  )
})
