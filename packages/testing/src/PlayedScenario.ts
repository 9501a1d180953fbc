/**
 * A scenario played with the real binary, as its transcript is recorded and as the host tests judge it live.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as ClaudeCodeHost from "./ClaudeCodeHost.ts"
import { type ClaudeCodeScenario, tools } from "./ClaudeCodeScenario.ts"
import * as Sandbox from "./Sandbox.ts"
import { ScriptedAnthropic } from "./ScriptedAnthropic.ts"

/**
 * @since 0.1.0
 * @category errors
 */
export class ScenarioError extends Data.TaggedError("ScenarioError")<{
  readonly scenario: string
  readonly detail: string
}> {
  override get message() {
    return `The scenario ${this.scenario} did not play as written: ${this.detail}`
  }
}

const everyAnswerScripted = (scenario: ClaudeCodeScenario) =>
  Effect.gen(function* () {
    const requests = yield* (yield* ScriptedAnthropic).requests
    const turns = requests.filter((request) => request.answeredBy.startsWith("turn ")).length
    const { turns: scripted } = scenario.script("/")
    if (requests.some((request) => request.answeredBy === "unscripted")) {
      return yield* new ScenarioError({ scenario: scenario.name, detail: "the model was asked more than is scripted" })
    }
    if (scenario.steps.every((step) => step.interruptAfter === undefined) && turns < scripted.length) {
      const detail = `the model was asked ${turns} times, and ${scripted.length} answers are scripted`
      return yield* new ScenarioError({ scenario: scenario.name, detail })
    }
  })

/**
 * Plays a scenario in a sandbox that stands until the scope closes.
 *
 * @since 0.1.0
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
    Effect.tap(everyAnswerScripted(scenario)),
    Effect.provide(ScriptedAnthropic.layer(scenario.script(sandbox.workspace)))
  )
  return { sandbox, session }
})
