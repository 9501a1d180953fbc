/** The command `reflexion acp`. */
import * as Effect from "effect/Effect"
import { program } from "../command/Parts.ts"
import { UsageError } from "../process/CliError.ts"

const about = {
  name: "reflexion acp",
  usage: "reflexion acp -- AGENT [ARG...]",
  summary:
    "Stands between an editor and an agent that speak the Agent Client Protocol. When the agent ends a turn and the task is not done, reflexion sends a further prompt and shows it in the conversation. It judges by evidence only: it asks no model and runs no check.",
  notes: [
    [
      "Agent",
      [
        ["OpenCode", "reflexion acp -- opencode acp"],
        ["Gemini CLI", "reflexion acp -- gemini --experimental-acp"]
      ]
    ],
    [
      "Exit status",
      [
        ["0", "the agent ended normally"],
        ["1", "the agent failed"],
        ["2", "the agent could not be started"]
      ]
    ]
  ]
} as const

/** The words belong to the agent, so no option in them is parsed. */
const run = Effect.fnUntraced(function* ([separator, agent, ...args]: ReadonlyArray<string>) {
  if (separator !== "--" || agent === undefined)
    return yield* new UsageError({ command: about.name, problem: "acp needs the agent's command after --" })
  const { serve } = yield* Effect.promise(() => import("./AcpServer.ts"))
  return yield* serve(agent, args)
})

export const alone = { ...program(about, {}, () => Effect.void), run }

export const verbs = {}
