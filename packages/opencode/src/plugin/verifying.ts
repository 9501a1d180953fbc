/** `/reflection verify`: the checks that may be run in the project are run, and the user is shown how each went. */
import { withMore } from "@reflexion/core/internal/session/config/DoneWhenGates"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import { type ActiveCheck, CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { SessionWords } from "../host/SessionWords.ts"
import type * as AskedChecks from "./askedChecks.ts"
import * as Decided from "./decided.ts"
import { CurrentProblem } from "./problem.ts"

/** Runs checks and gives the lines for the user. */
type Run = (checks: ReadonlyArray<ActiveCheck>) => ReturnType<typeof AskedChecks.run>

interface Service {
  readonly run: Run
  /** Whether the process ends with the command, so that it has to wait. */
  readonly waits: boolean
  /** What is under way, by its session. */
  readonly running: Map<string, Fiber.RuntimeFiber<void, unknown>>
}

export const make = (given: Omit<Service, "running">): Service => ({ ...given, running: new Map() })

/** What runs checks is loaded when the user asks for it. */
export const runIn =
  (where: Parameters<typeof AskedChecks.run>[0]): Run =>
  (checks) =>
    Effect.flatMap(
      Effect.promise(() => import("./askedChecks.ts")),
      ({ run }) => run(where, checks)
    )

/** Without a layer nothing can be run. */
export class Verifying extends Context.Reference<Verifying>()("@reflexion/opencode/Verifying", {
  defaultValue: () => make({ run: () => Effect.succeed(Answers.noCheck), waits: true })
}) {}

const show = Effect.fnUntraced(function* (message: string) {
  const client = yield* OpenCodeClient
  yield* Effect.ignore(client.toast({ message, variant: "info" }))
})

const verify = Effect.fnUntraced(function* (sessionId: string, checks: ReadonlyArray<ActiveCheck>) {
  const { run } = yield* Verifying
  const text = yield* run(checks)
  yield* show(text)
  const reason = `the user asked for the checks: ${text}`
  yield* Decided.write(sessionId, { event: "command", decision: "none", reason })
})

/** The checks of the project and of the session, or why there are none. */
const checksOf = Effect.fnUntraced(function* (sessionId: string) {
  const problem = yield* CurrentProblem
  if (problem !== null) return Notice.problem(problem)
  const config = withMore(yield* CurrentConfig, yield* (yield* SessionWords).doneWhen(sessionId))
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
