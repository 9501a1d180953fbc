/** What `codex exec` is told when it is run for reflexion: nothing of the user's hooks, servers and sessions. */

import * as Json from "@reflexion/core/internal/base/json/Json"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parse } from "smol-toml"

/** Codex warns of one that it does not know, and goes on. */
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
  // Without it a connection that is refused is tried for ever.
  "unbounded_connection_retries",
  "view_image"
]

type Value = string | number | boolean | ReadonlyArray<string>

const settings: Readonly<Record<string, Value>> = {
  "agents.enabled": false,
  approval_policy: "never",
  include_apps_instructions: false,
  include_collaboration_mode_instructions: false,
  // A notification of the user's own would come with every question.
  notify: [],
  project_doc_max_bytes: 0,
  "skills.include_instructions": false,
  "tools.experimental_request_user_input.enabled": false,
  web_search: "disabled"
}

/** Every value here is the same in JSON and in TOML. */
export const set = (key: string, value: Value): ReadonlyArray<string> => ["-c", `${key}=${JSON.stringify(value)}`]

export const setAll = (values: Readonly<Record<string, Value>>): ReadonlyArray<string> =>
  Object.entries(values).flatMap(([key, value]) => set(key, value))

/** What every run begins with. `servers` are the user's MCP servers, by name. */
export const exec = (sandbox: "read-only" | "workspace-write", servers: ReadonlyArray<string>) => [
  "exec",
  "--json",
  "--ephemeral",
  "--skip-git-repo-check",
  // A Codex that does not know of hooks refuses the flag: without it a question might ask a question.
  "--disable",
  "hooks",
  "--sandbox",
  sandbox,
  ...setAll(settings),
  ...off.flatMap((feature) => set(`features.${feature}`, false)),
  ...servers.flatMap((server) => set(`mcp_servers.${server}.enabled`, false))
]

/** Codex takes no other name for a server. */
const name = /^[\w-]{1,200}$/

/** Codex itself says what is wrong with a file that cannot be read. */
export const namesIn = (toml: string): ReadonlyArray<string> => {
  const config = Either.getOrElse(
    Either.try(() => Json.object(parse(toml))),
    (): Json.Json => ({})
  )
  return Object.keys(Json.object(config["mcp_servers"])).filter((server) => name.test(server))
}

const variable = (env: Readonly<Record<string, string>>, key: string) =>
  env[key] === undefined ? Config.withDefault(Config.string(key), "") : Effect.succeed(env[key])

/** The MCP servers in the configuration that a program with this environment reads: a question would start and wait for them. */
export const servers = Effect.fnUntraced(
  function* (env: Readonly<Record<string, string>>) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const own = yield* variable(env, "CODEX_HOME")
    const home = own === "" ? path.join(yield* variable(env, "HOME"), ".codex") : own
    return namesIn(yield* fs.readFileString(path.join(home, "config.toml")))
  },
  Effect.orElseSucceed((): ReadonlyArray<string> => [])
)
