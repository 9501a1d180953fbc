import { Command, FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { green, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { codexHome, host } from "../src/hosts/CodexContract.ts"
import { script } from "../src/hosts/codexMoves.ts"
import { codexBinary } from "../src/sandbox/HostBinaries.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import * as ScriptedResponses from "../src/servers/ScriptedResponses.ts"
import { live } from "./support/live.ts"

const provider = (url: string) =>
  `{ name = "scripted", base_url = "${url}/v1", wire_api = "responses", env_key = "SCRIPTED_API_KEY", supports_websockets = false }`

const play = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const world = yield* World.make(host)
  const fs = yield* FileSystem.FileSystem
  const { requests, url } = yield* ScriptedResponses.make(script([...untested, [runTests], [green]]))
  const keys = [`model = "gpt-5.5"`, `model_provider = "scripted"`, `sandbox_mode = "danger-full-access"`]
  const config = [...keys, "[model_providers]", `scripted = ${provider(url)}`, ""].join("\n")
  yield* fs.writeFileString(`${codexHome(world.sandbox)}/config.toml`, config)
  const env = { CODEX_HOME: codexHome(world.sandbox), SCRIPTED_API_KEY: "test" }
  const argv = [yield* codexBinary, "exec", ...args, task]
  const exec = Command.stdin(Sandbox.command(world.sandbox, env, argv), Stream.empty)
  const exitCode = yield* Command.exitCode(exec)
  return [exitCode, (yield* requests).length, World.kinds({ decisions: yield* World.decisions(world) })]
})

describe.concurrent("codex exec", () => {
  live("is nudged and released like a session of the app-server", function* () {
    const played = yield* play("--dangerously-bypass-hook-trust")
    assert.deepStrictEqual(played, [0, 4, ["nudge", "notice"]])
  })

  live("runs no hook that the user has not approved", function* () {
    assert.deepStrictEqual(yield* play(), [0, 2, []])
  })
})
