/** A scenario played with the real binary, as its transcript is recorded and as the host tests judge it live. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as ClaudeCodeHost from "../hosts/ClaudeCodeHost.ts"
import { type ClaudeCodeScenario, tools } from "./ClaudeCodeScenario.ts"
import type { ModelRequest } from "../servers/ModelScript.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import { ScriptedAnthropic } from "../servers/ScriptedAnthropic.ts"

export class ScenarioError extends Data.TaggedError("ScenarioError")<{
  readonly scenario: string
  readonly detail: string
}> {
  override get message() {
    return `The scenario ${this.scenario} did not play as written: ${this.detail}`
  }
}

/**
 * Fails where the host asked the model for more than is scripted or, of a scenario that was played to its end, for less.
 *
 * @category assertions
 */
export const everyAnswerScripted = <E, R>(played: {
  readonly scenario: string
  readonly turns: number
  readonly whole: boolean
  readonly requests: Effect.Effect<ReadonlyArray<ModelRequest>, E, R>
}) =>
  Effect.gen(function* () {
    const requests = yield* played.requests
    const answered = requests.filter((request) => request.answeredBy.startsWith("turn ")).length
    if (requests.some((request) => request.answeredBy === "unscripted")) {
      return yield* new ScenarioError({
        scenario: played.scenario,
        detail: "the model was asked more than is scripted"
      })
    }
    if (played.whole && answered < played.turns) {
      const detail = `the model was asked ${answered} times, and ${played.turns} answers are scripted`
      return yield* new ScenarioError({ scenario: played.scenario, detail })
    }
  })

/**
 * Plays a scenario in a sandbox that stands until the scope closes.
 *
 * @category constructors
 */
export const play = Effect.fn("PlayedScenario.play")(function* (scenario: ClaudeCodeScenario, sessionId: string) {
  const sandbox = yield* Sandbox.make({
    name: "shop",
    project: scenario.project,
    ...(scenario.externalTools === undefined ? {} : { tools: scenario.externalTools })
  })
  const session = yield* ClaudeCodeHost.run({
    sandbox,
    sessionId,
    steps: scenario.steps,
    tools,
    permissions: scenario.permissions ?? { allow: ["Agent", "Bash", "Edit", "Write"], ask: false },
    ...scenario.session
  }).pipe(
    Effect.tap(
      everyAnswerScripted({
        scenario: scenario.name,
        turns: scenario.script("/").turns.length,
        whole: scenario.steps.every((step) => step.interruptAfter === undefined),
        requests: Effect.flatMap(ScriptedAnthropic, (server) => server.requests)
      })
    ),
    Effect.provide(ScriptedAnthropic.layer(scenario.script(sandbox.workspace)))
  )
  return { sandbox, session }
})
