/**
 * Claude Code's own models as a `Model`: `claude -p` without hooks, tools, MCP servers, plugins,
 * project instructions or a session that stays.
 */
import * as HostModel from "@reflexion/core/internal/model/calls/HostModel"
import type { Model, Service } from "@reflexion/core/Model"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as AskedResult from "./internal/askedResult.ts"

/**
 * "key" asks with `claude --bare`, which takes ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN, or what Bedrock, Vertex and
 * Foundry take) from the environment, and no login; "login" asks as the user who is logged in.
 *
 * @category models
 */
export type Account = AskedResult.Account

/**
 * `account` is "key" unless said otherwise. `model` and `effort` ("low", "medium", "high") are the user's own where they
 * are left out; `program` is where Claude Code is, if it is not found by its name; `env` is added to the environment;
 * `timeout` is for one answer, 2 minutes unless said otherwise.
 *
 * @category models
 */
export interface Options {
  readonly account?: Account
  readonly model?: string
  readonly effort?: string
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeout?: Duration.DurationInput
}

const wordsFor = ({ account, effort, model }: Options, { system }: HostModel.Question): ReadonlyArray<string> => [
  "-p",
  // Both run no hook, plugin or MCP server, and read no project instructions; the second takes the user's login.
  account === "login" ? "--safe-mode" : "--bare",
  "--tools",
  "",
  "--strict-mcp-config",
  "--no-session-persistence",
  "--max-turns",
  "1",
  "--output-format",
  "json",
  "--system-prompt-file",
  system,
  ...(effort === undefined ? [] : ["--effort", effort]),
  ...(model === undefined ? [] : ["--model", model])
]

/** Whoever asks decides whether to ask again. */
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_FALLBACK: "1",
  CLAUDE_CODE_DISABLE_REFUSAL_RETRY: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
  DISABLE_AUTOUPDATER: "1"
}

const envFor = ({ maxOutputTokens }: HostModel.Question): Readonly<Record<string, string>> =>
  maxOutputTokens === null ? quiet : { ...quiet, CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutputTokens) }

const hostOf = (options: Options): HostModel.Host => ({
  name: "Claude Code",
  id: "claude-code",
  install: "install it (npm install -g @anthropic-ai/claude-code)",
  program: options.program ?? "claude",
  model: options.model ?? null,
  timeout: options.timeout ?? HostModel.defaultTimeout,
  env: options.env ?? {},
  invoke: (question) => Effect.succeed({ words: wordsFor(options, question), env: envFor(question) }),
  read: AskedResult.read(options.account ?? "key")
})

/**
 * The model as a service, for a program that has several.
 *
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<Service, never, HostModel.Needs> =>
  HostModel.make(hostOf(options))

export const layer = (options: Options = {}): Layer.Layer<Model, never, HostModel.Needs> =>
  HostModel.layer(hostOf(options))

const keys = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY"
]

/** With the account that the user has there; `small` is an alias of Claude Code's. */
export const own: HostModel.Own = {
  program: "claude",
  small: "haiku",
  ask: (asking, { env }) => make({ ...asking, account: keys.some((name) => env[name]) ? "key" : "login" })
}
