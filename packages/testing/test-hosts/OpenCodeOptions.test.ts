import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { createOpencodeClient } from "@opencode-ai/sdk/client"
import { Effect } from "effect"
import { type Answer, eventually, say } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { rework, task } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import { host } from "../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"
import { broken } from "../src/sandbox/ShopProject.ts"

/** A list of plugins with a comment and a comma too many, which OpenCode takes. */
const withOptions = (place: string, options: object): string =>
  `{\n  // ours\n  "plugin": [[${JSON.stringify(place)}, ${JSON.stringify(options)}],],\n}\n`

/** The agent reworks the file for as long as it is reminded, and never runs the tests. */
const reworking = (stops: number): ReadonlyArray<Answer> =>
  Array.from({ length: stops }, (_, index) => [[rework(index + 1)], [say(`Version ${index + 1} is in.`)]]).flat()

const project = (folder: string, list: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ ...broken, "opencode.jsonc": list }).map(([name, text]) => [`${folder}/${name}`, text])
  )

/** What the user is told of the model, with options in their own list of plugins, or in a project's. */
const asked = Effect.fnUntraced(function* (given: { readonly own?: object; readonly project?: object }) {
  const world = yield* World.make(host)
  const { home, workspace } = world.sandbox
  const list = `${home}/.config/opencode/opencode.json`
  const { plugin } = JSON.parse((yield* Files.textOf(list)) ?? "{}")
  const place = String(plugin)
  yield* Files.write({
    ...(given.own !== undefined && { [list]: withOptions(place, given.own) }),
    ...(given.project !== undefined && { [`${workspace}/opencode.jsonc`]: withOptions(place, given.project) })
  })
  const model = yield* ScriptedChat.make(script(workspace, reworking(1)))
  const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url })
  const session = yield* OpenCodeSession.open(server)
  const command = { command: "reflection", arguments: "model" }
  yield* Effect.promise(() => server.client.session.command({ path: { id: session.id }, body: command }))
  return yield* eventually(
    "what the user is told",
    Effect.sync(
      () =>
        server
          .events()
          .flatMap((event) => (event.type === "tui.toast.show" ? [event.properties.message] : []))
          .at(-1) ?? null
    )
  )
})

/** What was decided of a session in that directory, up to what the user is told in the end. */
const ended = Effect.fnUntraced(function* (world: World.World, server: OpenCodeHost.Server, directory: string) {
  const client = createOpencodeClient({ baseUrl: server.url, directory })
  const session = yield* OpenCodeSession.open({ ...server, client })
  yield* session.prompt(task)
  return yield* eventually(
    `the end in ${directory}`,
    Effect.map(World.decisions(world, session.id), (all) =>
      all.some(({ decision }) => decision === "notice" || decision === "failure") ? all : null
    )
  )
})

describe("reflexion's options in OpenCode's configuration", () => {
  it.scopedLive("have a model asked by the user's own word alone: a project's may only say that none is", () =>
    Effect.gen(function* () {
      const chosen = `opencode/${OpenCodeHost.model.providerID}/${OpenCodeHost.model.modelID}`
      assert.include(yield* asked({ own: { model: chosen } }), `reflexion asks ${chosen} at stops of work`)
      for (const model of [chosen, "auto"])
        assert.include(
          yield* asked({ project: { model } }),
          `model: "${model}" is taken from your own configuration only`
        )
      assert.include(yield* asked({ project: { model: "off" } }), '`"model": "off"` stands in its configuration')
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("count after the user's own configuration file, where they can only lower how often is reminded", () =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const { home, workspace } = world.sandbox
      const [raising, advising] = [`${home}/raising`, `${home}/advising`]
      const list = `${home}/.config/opencode/opencode.json`
      const { plugin } = JSON.parse((yield* Files.textOf(list)) ?? "{}")
      const place = String(plugin)
      yield* Files.write({
        [`${world.config}/config.json`]: `{ "maxAttempts": 2, "profile": "strict" }`,
        [list]: withOptions(place, { maxAttempts: 1 }),
        ...project(raising, withOptions(place, { maxAttempts: 3 })),
        ...project(advising, withOptions(place, { profile: "advisory" }))
      })
      // How often the agent stops in each, if the options are heeded.
      const stops = { [workspace]: 2, [raising]: 3, [advising]: 1 }
      const scripts = Object.entries(stops).map(([directory, count]) => script(directory, reworking(count)))
      const model = yield* ScriptedChat.make({
        rules: scripts[0]?.rules ?? [],
        turns: scripts.flatMap(({ turns }) => turns)
      })
      const server = yield* OpenCodeHost.serve({ sandbox: world.sandbox, url: model.url })
      const said = yield* Effect.forEach(Object.keys(stops), (directory) => ended(world, server, directory))
      assert.deepStrictEqual(
        said.map((decisions) => decisions.map(({ decision }) => decision).join()),
        ["push,notice", "push,push,notice", "notice"]
      )
      assert.match(said[0]?.at(-1)?.reason ?? "", /^Max attempts \(1\) reached/)
      assert.match(said[1]?.at(-1)?.reason ?? "", /^Max attempts \(2\) reached/)
      const reminders = (yield* model.requests).flatMap(({ lastUser }) => /^\[reflexion \d\/\d\]/.exec(lastUser) ?? [])
      assert.deepStrictEqual([...new Set(reminders)], ["[reflexion 1/1]", "[reflexion 1/2]", "[reflexion 2/2]"])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
