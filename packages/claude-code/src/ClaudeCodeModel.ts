/** Claude Code's own models as a `Model`, through `claude -p` without hooks, tools, plugins or a saved session. */
import * as HostModel from "@reflexion/core/internal/model/calls/HostModel"
import { Model, type Service } from "@reflexion/core/Model"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Asked from "./internal/asked.ts"

/**
 * "key" uses `claude --bare` with ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN or the variables of Bedrock, Vertex and
 * Foundry. "login" uses the user's login.
 */
export type Account = Asked.Account

/** The default of `account` is "key". */
export interface Options extends HostModel.Options {
  readonly account?: Account
}

/** No retries, because the caller decides whether to ask again. */
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
  DISABLE_AUTOUPDATER: "1"
}

export const make = (options: Options = {}): Effect.Effect<Service, never, HostModel.HostModelServices> => {
  const { account = "key", effort, model } = options
  const host: HostModel.Host = {
    ...Asked.program,
    id: "claude-code",
    invoke: ({ maxOutputTokens, system }) =>
      Effect.succeed({
        words: [
          ...Asked.words(account, { tools: [""], rounds: 1 }),
          "--system-prompt-file",
          system,
          ...(effort === undefined ? [] : ["--effort", effort]),
          ...(model === undefined ? [] : ["--model", model])
        ],
        env: { ...quiet, ...(maxOutputTokens !== null && { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) }) }
      }),
    read: Asked.read(account)
  }
  return HostModel.make(host, options)
}

export const layer = (options: Options = {}): Layer.Layer<Model, never, HostModel.HostModelServices> =>
  Layer.effect(Model, make(options))

const keys = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY"
]

/** `small` is an alias that Claude Code knows. */
export const own: HostModel.HostAccount = {
  program: Asked.program.program,
  small: "haiku",
  ask: (options, { env }) => make({ ...options, account: keys.some((name) => env[name]) ? "key" : "login" })
}
