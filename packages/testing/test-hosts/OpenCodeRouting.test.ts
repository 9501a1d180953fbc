import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../src/contract/HostContract.ts"
import { green, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as Files from "../src/contract/files.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import type * as ModelScript from "../src/servers/ModelScript.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"

const { modelID, providerID } = OpenCodeHost.model

const limit = { context: OpenCodeHost.contextLimit, output: 4096 }

/** The scripted provider with a second model. */
const provider = (url: string) => ({
  [providerID]: {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: `${url}/v1`, apiKey: "test" },
    models: { [modelID]: { tool_call: true, limit }, second: { tool_call: true, limit } }
  }
})

/** The models that answered the turns of a session whose first stop leaves the tests out. */
const asked = (routing: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const world = yield* World.make(host)
    yield* fs.makeDirectory(world.config, { recursive: true })
    yield* fs.writeFileString(path.join(world.config, "config.json"), JSON.stringify({ routing }))
    const model = yield* ScriptedChat.make(script(world.sandbox.workspace, [...untested, [runTests], [green]]))
    const config = { provider: provider(model.url) }
    const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url, config })
    const session = yield* OpenCodeSession.open(server)
    yield* session.prompt(task)
    yield* eventually(
      "nudge,notice",
      Effect.map(World.decisions(world, session.id), (all) =>
        all.map(({ decision }) => decision).join() === "nudge,notice" ? true : null
      )
    )
    const requests = yield* model.requests
    return requests.filter(({ answeredBy }) => answeredBy.startsWith("turn ")).map((request) => request.model)
  }).pipe(Effect.provide(NodeContext.layer))

/** A provider of the user's own, at its own server. */
const other = "other"

const turnsOf = (model: ModelScript.Server) =>
  Effect.map(model.requests, (all) =>
    all.filter(({ answeredBy }) => answeredBy.startsWith("turn ")).map((request) => request.model)
  )

/** Who answered the turns of such a session, where each of two models of the configuration is at a server of its own. */
const askedOfTwo = (routing: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const world = yield* World.make(host)
    yield* Files.write({ [`${world.config}/config.json`]: JSON.stringify({ routing }) })
    const answers = [...untested, [runTests], [green]] as const
    const one = yield* ScriptedChat.make(script(world.sandbox.workspace, answers))
    const two = yield* ScriptedChat.make(script(world.sandbox.workspace, answers))
    const second = { ...provider(two.url)[providerID], models: { second: { tool_call: true, limit } } }
    const config = { enabled_providers: [providerID, other], provider: { ...provider(one.url), [other]: second } }
    const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: one.url, config })
    const session = yield* OpenCodeSession.open(server)
    yield* session.prompt(task)
    yield* eventually(
      "nudge,notice",
      Effect.map(World.decisions(world, session.id), (all) =>
        all.map(({ decision }) => decision).join() === "nudge,notice" ? true : null
      )
    )
    return [yield* turnsOf(one), yield* turnsOf(two)]
  }).pipe(Effect.provide(NodeContext.layer))

describe.concurrent("the model that goes on with a task in OpenCode", () => {
  it.scopedLive("is the one that the configuration's routing names", () =>
    Effect.gen(function* () {
      const models = yield* asked({ default: `${providerID}/second` })
      assert.deepStrictEqual(models, [modelID, modelID, "second", "second"])
    })
  )

  it.scopedLive(
    "is the one that the configuration names for the files that were edited, of two at servers of their own",
    () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* askedOfTwo({ default: `${other}/second` }), [
          [modelID, modelID],
          ["second", "second"]
        ])
        assert.deepStrictEqual(yield* askedOfTwo({ backend: `${other}/second` }), [
          [modelID, modelID, modelID, modelID],
          []
        ])
      })
  )

  it.scopedLive("is the session's own where the host does not have the one that is named", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(new Set(yield* asked({ default: "nobody/nothing" })), new Set([modelID]))
    })
  )
})
