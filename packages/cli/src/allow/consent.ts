/** Asks for consent. Only "y" or "yes" typed on a terminal counts, or `--yes`. */
import * as Effect from "effect/Effect"
import type { Values } from "../command/Parts.ts"
import { type ConfigurationError, refusal, UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as Hosts from "../host/Hosts.ts"
import * as Terminal from "../terminal/Terminal.ts"

export interface AllowArguments extends Values<"yes" | "revoke"> {
  readonly words: ReadonlyArray<string>
}

export const usage = (problem: string): UsageError => new UsageError({ command: "reflexion allow", problem })

/** Also fails if an agent runs the command: it would agree to its own request. `undone` says what was not done. */
export const agree = Effect.fnUntraced(function* (
  question: string,
  { undone, yes }: { readonly yes: string | null; readonly undone: string }
): Effect.fn.Return<void, ConfigurationError, CliProcess> {
  const { env } = yield* CliProcess
  // Kilo was made from OpenCode and also sets OpenCode's variable, so the last match is right.
  const agent = Hosts.all.findLast(({ installation }) => env[installation.agentVariable])
  if (agent !== undefined)
    return yield* refusal(
      `an agent of ${agent.title} runs this command, but only you can agree: run it in a terminal of your own`
    )
  if (yes !== null) return
  const typed = yield* Terminal.answer(question)
  if (typed === null) return yield* refusal(`nobody can be asked here: add --yes to agree. ${undone}`)
  if (!Terminal.isYes(typed)) return yield* refusal(`nobody agreed. ${undone}`)
})
