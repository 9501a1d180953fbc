/** The MCP servers in the user's configuration, which a question would start and wait for. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parse } from "smol-toml"

/** Codex takes no other name. */
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

/** The names of the servers in the configuration that a program with this environment reads. */
export const names = Effect.fnUntraced(
  function* (env: Readonly<Record<string, string>>) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const own = yield* variable(env, "CODEX_HOME")
    const home = own === "" ? path.join(yield* variable(env, "HOME"), ".codex") : own
    return namesIn(yield* fs.readFileString(path.join(home, "config.toml")))
  },
  Effect.orElseSucceed((): ReadonlyArray<string> => [])
)
