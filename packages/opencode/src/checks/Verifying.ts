/** `/reflection verify`: the checks that may be run in the project are run, and the user is shown how each went. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { withMore } from "@reflexion/core/internal/session/config/DoneWhenGates"
import * as Answers from "@reflexion/core/internal/turn/records/Answers"
import * as Notice from "@reflexion/core/internal/turn/records/Notice"
import { type ActiveCheck, CurrentConfig } from "@reflexion/core/ReflexionConfig"
import { Conditions } from "../host/Conditions.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"

/** Runs checks and gives the lines for the user. */
export type Run = (checks: ReadonlyArray<ActiveCheck>) => Effect.Effect<string>

interface Service {
  readonly run: Run
  /** Writes to the decision log why something was said. */
  readonly log: (sessionId: string, reason: string) => Effect.Effect<void>
  /** What is wrong with the configuration. */
  readonly problem: string | null
  /** Whether the process ends with the command, so that it has to wait. */
  readonly waits: boolean
  /** What is under way, by its session. */
  readonly running: Map<string, Fiber.RuntimeFiber<void, unknown>>
}

export const make = (given: Omit<Service, "running">): Service => ({ ...given, running: new Map() })

/** Without a layer nothing can be run. */
export class Verifying extends Context.Reference<Verifying>()("@reflexion/opencode/Verifying", {
  defaultValue: (): Service =>
    make({ run: () => Effect.succeed(Answers.noCheck), log: () => Effect.void, problem: null, waits: true })
}) {}

const show = Effect.fnUntraced(function* (message: string) {
  const client = yield* OpenCodeClient
  yield* Effect.ignore(client.toast({ message, variant: "info" }))
})

const verify = Effect.fnUntraced(function* (sessionId: string, checks: ReadonlyArray<ActiveCheck>) {
  const { log, run } = yield* Verifying
  const text = yield* run(checks)
  yield* show(text)
  yield* log(sessionId, `the user asked for the checks: ${text}`)
})

/** The checks of the project and of the session, or why there are none. */
const checksOf = Effect.fnUntraced(function* (sessionId: string) {
  const { problem } = yield* Verifying
  if (problem !== null) return Notice.problem(problem)
  const config = withMore(yield* CurrentConfig, yield* (yield* Conditions).of(sessionId))
  return config.verify.checks.length === 0 ? Answers.noCheck : config.verify.checks
})

/** Begins the run, one in a session at a time. */
export const perform = Effect.fnUntraced(function* (sessionId: string) {
  const { running, waits } = yield* Verifying
  const checks = yield* checksOf(sessionId)
  if (typeof checks === "string") return yield* show(checks)
  if (running.has(sessionId)) return yield* show("reflexion runs the checks already; `/reflection stop` ends them.")
  const work = Effect.ensuring(
    verify(sessionId, checks),
    Effect.sync(() => running.delete(sessionId))
  )
  const fiber = yield* Effect.forkDaemon(work)
  running.set(sessionId, fiber)
  if (waits) yield* Effect.ignore(Fiber.join(fiber))
})

/** Ends what is under way in a session. */
export const end = Effect.fnUntraced(function* (sessionId: string) {
  const { running } = yield* Verifying
  const fiber = running.get(sessionId)
  if (fiber !== undefined) yield* Fiber.interruptFork(fiber)
})
