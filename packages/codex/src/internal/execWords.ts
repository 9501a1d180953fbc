/** The arguments of `codex exec` when reflexion runs it. They turn off the user's hooks, servers and saved sessions. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parse } from "smol-toml"

export const program = {
  name: "Codex",
  install: "install it (npm install -g @openai/codex)",
  program: "codex"
}

/** Codex only warns about an unknown feature. */
export const off: ReadonlyArray<string> = [
  "apps",
  "code_mode_host",
  "goals",
  "image_generation",
  "memories",
  "multi_agent",
  "plugins",
  "shell_snapshot",
  "sleep_tool",
  "tool_suggest",
  // With this feature, a refused connection is tried again forever.
  "unbounded_connection_retries",
  "view_image"
]

type Settings = Readonly<Record<string, string | number | boolean | ReadonlyArray<string>>>

const settings: Settings = {
  "agents.enabled": false,
  approval_policy: "never",
  include_apps_instructions: false,
  include_collaboration_mode_instructions: false,
  // Otherwise the user's own notification program would run for every question.
  notify: [],
  project_doc_max_bytes: 0,
  "skills.include_instructions": false,
  "tools.experimental_request_user_input.enabled": false,
  web_search: "disabled"
}

/** All values used here are the same in JSON and TOML. */
const set = (values: Settings): ReadonlyArray<string> =>
  Object.entries(values).flatMap(([key, value]) => ["-c", `${key}=${JSON.stringify(value)}`])

interface Options {
  readonly model?: string
  readonly effort?: string
  readonly env?: Readonly<Record<string, string>>
}

export const words = (
  sandbox: "read-only" | "workspace-write",
  more: Settings,
  { effort, env = {}, model }: Options
): Effect.Effect<ReadonlyArray<string>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.map(servers(env), (names) => [
    "exec",
    "--json",
    "--ephemeral",
    "--skip-git-repo-check",
    // Without this flag, a question's hooks could start another question. A Codex without hooks rejects the flag.
    "--disable",
    "hooks",
    "--sandbox",
    sandbox,
    ...set(settings),
    ...off.flatMap((feature) => set({ [`features.${feature}`]: false })),
    ...names.flatMap((server) => set({ [`mcp_servers.${server}.enabled`]: false })),
    ...set(more),
    ...(effort === undefined ? [] : set({ model_reasoning_effort: effort })),
    ...(model === undefined ? [] : ["--model", model]),
    "-"
  ])

const variable = (env: Readonly<Record<string, string>>, key: string) =>
  env[key] === undefined ? Config.withDefault(Config.string(key), "") : Effect.succeed(env[key])

/** The user's MCP servers are turned off, because each question would start them and wait for them. */
const servers = Effect.fnUntraced(
  function* (env: Readonly<Record<string, string>>) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const own = yield* variable(env, "CODEX_HOME")
    const home = own === "" ? path.join(yield* variable(env, "HOME"), ".codex") : own
    return serversIn(yield* fs.readFileString(path.join(home, "config.toml")))
  },
  Effect.orElseSucceed((): ReadonlyArray<string> => [])
)

/** The names of MCP servers that Codex accepts. If the file cannot be read, Codex reports the problem itself. */
export const serversIn = (toml: string): ReadonlyArray<string> => {
  const config = Either.getOrElse(
    Either.try(() => Json.object(parse(toml))),
    (): Json.Json => ({})
  )
  return Object.keys(Json.object(config["mcp_servers"])).filter((server) => /^[\w-]{1,200}$/.test(server))
}
