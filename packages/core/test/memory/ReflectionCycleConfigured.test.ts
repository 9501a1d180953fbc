import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import { Mutator } from "@reflexion/core/Mutator"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { ReflectionAnalysis } from "@reflexion/core/ReflectionAnalysis"
import { ReflectionCycle } from "@reflexion/core/ReflectionCycle"
import { CurrentConfig, type PartialConfig } from "@reflexion/core/ReflexionConfig"
import { TaskControl } from "@reflexion/core/TaskControl"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { light } from "../support/stores.ts"

const start = Date.parse("2026-03-01T00:00:00Z")

const failed = (index: number): AttemptOutcome => ({
  id: `o${index}`,
  taskId: "nightly",
  sessionId: `s${index}`,
  objective: "Refresh the price list",
  status: "failed",
  durationMs: 1000,
  tools: [],
  loaded: [],
  resultLength: 400,
  backend: "codex",
  at: new Date(start + index * 60_000).toISOString()
})

const analysis = ReflectionAnalysis.Test({
  observations: "It looks in vain.",
  actions: [{ id: "a1", target: "deploy", change: "Say where it is.", reason: "" }]
})

/** Four failures, as a configuration has the cycle look at them. */
const looked = (directory: string, cycle: PartialConfig["cycle"]) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(start + 3_600_000)
    const { append } = yield* OutcomeLog
    yield* append([0, 1, 2, 3].map(failed))
    const { findings } = yield* Effect.flatMap(ReflectionCycle, (cycle) => cycle.run())
    return findings.map(({ rule }) => rule)
  }).pipe(
    Effect.provide(
      ReflectionCycle.Configured({ directory }).pipe(
        Layer.provide([
          TaskControl.None,
          analysis,
          CurrentConfig.layer(cycle === undefined ? {} : { cycle }),
          NodeContext.layer,
          NodeContext.layer
        ]),
        Layer.provideMerge(Layer.merge(OutcomeLog.Memory, FindingLog.Memory))
      )
    )
  )

it.scoped("ReflectionCycle.Configured looks as the configuration says", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* looked(yield* light, undefined), ["consecutive_failures"])
    assert.deepStrictEqual(yield* looked(yield* light, { consecutive_failure_limit: 5 }), [])
    assert.deepStrictEqual(yield* looked(yield* light, { enabled: false }), [])
  })
)

it.scoped("ReflectionCycle.Configured writes proposals, unless there is another mutator", () =>
  Effect.gen(function* () {
    const folder = yield* light
    yield* looked(folder, undefined)
    assert.lengthOf(readdirSync(join(folder, ".reflection", "proposals")), 1)
    const other = yield* light
    yield* Effect.provide(looked(other, undefined), Mutator.Test)
    assert.isFalse(existsSync(join(other, ".reflection")))
  })
)
