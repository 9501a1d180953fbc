/** What makes a recorded session: the project, what the user does, what the model says, and how the last turn is to be judged. */
import * as Effect from "effect/Effect"
import { type Answer, type Host, HostFault, type Start } from "../contract/HostContract.ts"
import * as World from "../contract/HostContractWorld.ts"
import * as ClaudeCodeContract from "../hosts/ClaudeCodeContract.ts"
import * as CodexContract from "../hosts/CodexContract.ts"
import * as OpenCodeContract from "../hosts/OpenCodeContract.ts"
import type { Project } from "../sandbox/Sandbox.ts"
import type { ExpectedVerdict, Host as HostName } from "./Recordings.ts"

/** A prompt, whose turn the user interrupts a second after the record has a text. */
export interface Cut {
  readonly prompt: string
  readonly interruptOnce: string
}

export interface Scenario {
  readonly name: string
  /** What a reader should look at, in one sentence. */
  readonly description: string
  readonly hosts: ReadonlyArray<HostName>
  readonly expected: ExpectedVerdict
  readonly project: Project
  readonly steps: ReadonlyArray<string | Cut>
  readonly model: ReadonlyArray<Answer>
  readonly session?: Pick<Start, "args" | "env" | "scripts">
  /** What goes on in the background is left alone, and the host is killed. */
  readonly abandon?: boolean
}

export const hosts: Readonly<Record<HostName, Host>> = {
  "claude-code": ClaudeCodeContract.host,
  codex: CodexContract.host,
  opencode: OpenCodeContract.host
}

export const promptOf = (step: string | Cut): string => (typeof step === "string" ? step : step.prompt)

/** Plays a scenario in a sandbox that stands until the scope closes, and gives the session as the host keeps it. */
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
  // The host writes its last message some 20 ms after it says that the turn has ended.
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
