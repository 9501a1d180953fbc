/** Keeps how an attempt ended in a file, and reads it again. */
import { OutcomeLog } from "@reflexion/core"
import { NodeLogDisk } from "@reflexion/node"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folder = mkdtempSync(join(tmpdir(), "reflexion-consumer-"))
const opened = () =>
  Layer.provide(OutcomeLog.OutcomeLog.Live({ path: join(folder, "outcomes.jsonl") }), NodeLogDisk.layer)

const adding = Effect.flatMap(OutcomeLog.OutcomeLog, (log) =>
  log.append({
    id: "shop-1",
    taskId: "shop",
    sessionId: "s1",
    objective: "Make the tests of the cart pass.",
    status: "failed",
    durationMs: 1000,
    tools: [],
    loaded: [],
    resultLength: 0,
    backend: "script",
    at: "2026-01-31T10:00:00.000Z"
  })
)
const counting = Effect.flatMap(OutcomeLog.OutcomeLog, (log) => log.failureStreak("shop"))

try {
  await Effect.runPromise(Effect.provide(adding, opened()))
  assert.equal(await Effect.runPromise(Effect.provide(counting, opened())), 1)
} finally {
  rmSync(folder, { recursive: true })
}
