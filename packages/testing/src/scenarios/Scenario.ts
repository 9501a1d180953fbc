/** A recorded session: the project, the user's actions, the model's answers, and the expected verdict. */
import * as Effect from "effect/Effect"
import { type Answer, type Host, HostFault, type Start } from "../contract/HostContract.ts"
import * as World from "../contract/HostContractWorld.ts"
import * as ClaudeCodeContract from "../hosts/ClaudeCodeContract.ts"
import * as CodexContract from "../hosts/CodexContract.ts"
import * as OpenCodeContract from "../hosts/OpenCodeContract.ts"
import type { Project } from "../sandbox/Sandbox.ts"
import type { ExpectedVerdict, Host as HostName } from "./Recordings.ts"

/** The user interrupts the turn one second after the record contains a text. */
export interface Cut {
  readonly prompt: string
  readonly interruptOnce: string
}

export interface Scenario {
  readonly name: string
  /** One sentence that says what to look at. */
  readonly description: string
  readonly hosts: ReadonlyArray<HostName>
  readonly expected: ExpectedVerdict
  readonly project: Project
  readonly steps: ReadonlyArray<string | Cut>
  readonly model: ReadonlyArray<Answer>
  readonly session?: Pick<Start, "args" | "env" | "scripts">
  /** Kills the host while background work still runs. */
  readonly abandon?: boolean
}

export const hosts: Readonly<Record<HostName, Host>> = {
  "claude-code": ClaudeCodeContract.host,
  codex: CodexContract.host,
  opencode: OpenCodeContract.host
}

export const promptOf = (step: string | Cut): string => (typeof step === "string" ? step : step.prompt)

/** The sandbox exists until the scope closes. */
export const play = Effect.fn("Scenario.play")(function* (scenario: Scenario, name: HostName) {
  const host = hosts[name]
  const world = yield* World.bare(host, scenario.project)
  const live = yield* World.start(world, { ...scenario.session, model: scenario.model })
  for (const step of scenario.steps) {
    if (typeof step === "string") yield* World.prompt(live, step)
    else {
      yield* live.send(step.prompt)
      yield* World.recorded(live, step.interruptOnce)
      yield* Effect.sleep("1 second")
      yield* Effect.zipRight(live.interrupt, live.ended)
    }
  }
  // The host writes its last message about 20 ms after it reports the end of the turn.
  yield* Effect.sleep("500 millis")
  yield* scenario.abandon === true ? live.crash : live.close
  const requests = yield* live.requests
  const asked = requests.filter(({ answeredBy }) => answeredBy.startsWith("turn ")).length
  const isCut = scenario.abandon === true || scenario.steps.some((step) => typeof step !== "string")
  if (requests.some(({ answeredBy }) => answeredBy === "unscripted") || (!isCut && asked < scenario.model.length)) {
    const detail = `${scenario.name}: the model was asked ${asked} times, and ${scenario.model.length} answers are scripted`
    return yield* new HostFault({ detail })
  }
  return { ...(yield* host.records(world.sandbox, live.sessionId)), sandbox: world.sandbox, sessionId: live.sessionId }
})
