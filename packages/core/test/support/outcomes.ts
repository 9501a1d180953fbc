/** Outcomes of attempts for tests, and the backends of their log, each as a test uses it. */
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import type { StorageError } from "@reflexion/core/StorageError"
import { OutcomeLog, type Service } from "@reflexion/core/OutcomeLog"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as FiberStatus from "effect/FiberStatus"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { NodeContext } from "@effect/platform-node"

export const outcome = (given: Partial<AttemptOutcome> & { readonly id: string }): AttemptOutcome => ({
  taskId: "task-1",
  sessionId: "session-1",
  objective: "Round the total of the cart once, at the end.",
  status: "failed",
  durationMs: 1200,
  tools: ["bash", "edit"],
  loaded: [{ kind: "skill", name: "rounding" }],
  resultLength: 300,
  backend: "claude-code",
  at: "2026-03-01T10:00:00.000Z",
  ...given
})

/** Few of them, so that they meet again; among them such as JSON escapes. */
export const anyTask = FastCheck.constantFrom(null, null, "a", "ä", 'c"d', "e\\f\n", "objective:x", "t".repeat(300))

export const anyObjective = FastCheck.constantFrom(
  "go on",
  "Fix the rounding of the cart",
  "Fix  the rounding\nof the cart ",
  "修复购物车的舍入",
  `${"x".repeat(3000)}1${"y".repeat(3000)}`,
  `${"x".repeat(3000)}2${"y".repeat(3000)}`
)

export const anyOutcome = FastCheck.record({
  id: FastCheck.oneof(FastCheck.uuid(), FastCheck.constantFrom("o1", 'o"2', "ä3", "\ud83d")),
  taskId: anyTask,
  sessionId: FastCheck.constantFrom("s1", ""),
  objective: anyObjective,
  status: FastCheck.constantFrom("completed", "failed", "timeout"),
  durationMs: FastCheck.integer({ min: 0, max: 10_000 }),
  tools: FastCheck.array(FastCheck.constantFrom("bash", "edit", "read"), { maxLength: 4 }),
  loaded: FastCheck.array(
    FastCheck.record({
      kind: FastCheck.constantFrom("skill" as const, "file" as const),
      name: FastCheck.constantFrom("rounding", "AGENTS.md")
    }),
    { maxLength: 3 }
  ),
  resultLength: FastCheck.integer({ min: 0, max: 100 }),
  backend: FastCheck.constantFrom("codex", "opencode"),
  at: FastCheck.constantFrom(
    "2026-03-01T10:00:00.000Z",
    "2026-03-01T12:00:00+01:00",
    "2026-03-02T10:00:00Z",
    "2026-03-03T10:00:00.123Z"
  )
}) satisfies FastCheck.Arbitrary<AttemptOutcome>

type Opened = Effect.Effect<Service, StorageError, Scope.Scope>

const built = <E>(layer: Layer.Layer<OutcomeLog, E>): Effect.Effect<Service, E, Scope.Scope> =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, OutcomeLog))

export const live = (path: string): Opened => built(Layer.provide(OutcomeLog.Live({ path }), NodeContext.layer))

/** Takes so many changes in the background, from now on: it waits for the first when this ends. */
export const taking = (changes: ReturnType<Service["follow"]>, count: number) =>
  Effect.tap(Effect.fork(Stream.runCollect(Stream.take(changes, count))), (fiber) =>
    Effect.repeat(Effect.zipRight(Effect.yieldNow(), Fiber.status(fiber)), {
      until: (status) => FiberStatus.isSuspended(status)
    })
  )
