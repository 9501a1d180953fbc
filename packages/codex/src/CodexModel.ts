/**
 * Codex's own models as a `Model`: `codex exec` with the user's login and provider, without hooks,
 * tools, MCP servers, project instructions, notifications or a session that stays.
 */
import * as HostModel from "@reflexion/core/internal/model/calls/HostModel"
import type { Model, Service } from "@reflexion/core/Model"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as AskedEvents from "./internal/askedEvents.ts"
import * as ExecWords from "./internal/execWords.ts"

/**
 * `model` and `effort` (how hard it thinks: "low", "medium", "high") are the user's own where they are left out;
 * `program` is where Codex is, if it is not found by its name; `env` is added to the environment; `timeout` is for one
 * answer, 2 minutes unless said otherwise.
 *
 * @category models
 */
export interface Options {
  readonly model?: string
  readonly effort?: string
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeout?: Duration.DurationInput
}

const noTools = ["shell_tool", "unified_exec"]

const nothingOfHere = {
  include_environment_context: false,
  include_permissions_instructions: false
}

const wordsFor = (options: Options, servers: ReadonlyArray<string>, { system }: HostModel.Question) => [
  ...ExecWords.exec("read-only", servers),
  ...ExecWords.setAll(nothingOfHere),
  ...noTools.flatMap((feature) => ExecWords.set(`features.${feature}`, false)),
  ...ExecWords.set("model_instructions_file", system),
  ...(options.effort === undefined ? [] : ExecWords.set("model_reasoning_effort", options.effort)),
  ...(options.model === undefined ? [] : ["--model", options.model]),
  "-"
]

const hostOf = (options: Options): HostModel.Host => ({
  name: "Codex",
  id: "codex",
  install: "install it (npm install -g @openai/codex)",
  program: options.program ?? "codex",
  model: options.model ?? null,
  timeout: options.timeout ?? HostModel.defaultTimeout,
  env: options.env ?? {},
  invoke: (question) =>
    Effect.map(ExecWords.servers(options.env ?? {}), (servers) => ({ words: wordsFor(options, servers, question) })),
  read: AskedEvents.read
})

/**
 * The model as a service, for a program that has several.
 *
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<Service, never, HostModel.Needs> =>
  HostModel.make(hostOf(options))

/**
 * What a question may cost in tokens is the provider's own to limit: Codex has no setting for it.
 *
 * @category layers
 */
export const layer = (options: Options = {}): Layer.Layer<Model, never, HostModel.Needs> =>
  HostModel.layer(hostOf(options))

/**
 * With the account that the user has there. `small`: of the models that Codex 0.169 has built in the "fast and affordable model for
 * easier tasks"; a Codex that does not know it fails, and nothing is said then.
 */
export const own: HostModel.Own = {
  program: "codex",
  small: "gpt-6-luna",
  // Low is not measured: a small question is to be answered soon.
  ask: (asking, { isSmall }) => make({ ...asking, ...(isSmall && { effort: "low" }) })
}
