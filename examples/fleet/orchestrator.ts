/**
 * A worker of a fleet. All workers share their lessons and outcomes in one PostgreSQL, so each attempt knows what failed
 * on other machines. The agent here is a script; put yours there.
 *
 *     . examples/fleet/.env
 *     DATABASE_URL="postgres://fleet:$POSTGRES_PASSWORD@localhost/fleet" node examples/dist/fleet/orchestrator.js
 *
 * `compose.yaml` says how to make `.env`. Run it again: its first attempt knows by then what it needs. The server of
 * `compose.yaml` is for this machine only; other machines need a tunnel.
 */
import { OutcomeLog, ReflectionService } from "@reflexion/core"
import { Postgres } from "@reflexion/postgres"
import { Reflexion } from "@reflexion/retry"
import { Clock, Console, Data, Effect, Either, Layer, Random } from "effect"

class TestsFailed extends Data.TaggedError("TestsFailed")<{ readonly output: string }> {}

const objective = "Make the tests of the cart pass."

const runAgent = (prompt: string) =>
  prompt.includes("takes ten percent off")
    ? Effect.succeed("The tests pass.")
    : Effect.fail(new TestsFailed({ output: "FAIL  test/total.test.ts > takes ten percent off" }))

const attempt = Effect.fn(function* (number: number, lessons: string) {
  const { append } = yield* OutcomeLog.OutcomeLog
  const answer = yield* Effect.either(runAgent(`${objective}\n\n${lessons}`))
  const [status, said] = Either.isRight(answer) ? (["completed", answer.right] as const) : (["failed", ""] as const)
  yield* Console.log(`attempt ${number}: ${status}`)
  const id = (yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  const of = { id, taskId: "shop/cart", sessionId: id, objective, tools: [], loaded: [], backend: "script", at }
  yield* append({ ...of, status, durationMs: 0, resultLength: said.length })
  return yield* answer
})

const program = Reflexion.retry({
  taskId: "shop",
  subtaskId: "shop/cart",
  description: objective,
  maxAttempts: 3,
  attempt: ({ attempt: number, promptSection }) => attempt(number, promptSection),
  toFailure: (error) => ({
    failureType: "test_failure",
    errorOutput: error._tag === "TestsFailed" ? error.output : error.message
  })
})

const Fleet = Layer.provide(Postgres.layer, Postgres.clientFromEnv)
const Main = Layer.provideMerge(ReflectionService.ReflectionService.Heuristic, Fleet)

await Effect.runPromise(Effect.provide(program, Main))
