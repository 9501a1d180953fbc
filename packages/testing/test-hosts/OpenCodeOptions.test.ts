import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as Files from "../src/contract/files.ts"
import { fixed, rework, task, untested } from "../src/contract/HostContractTask.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../src/hosts/OpenCodeSession.ts"
import { command, decided, prepared, shown } from "./support/openCode.ts"
import { live } from "./support/live.ts"

/** A list of plugins with a comment and a comma too many, which OpenCode takes. */
const withOptions = (place: string, options: object): string =>
  `{\n  // ours\n  "plugin": [[${JSON.stringify(place)}, ${JSON.stringify(options)}],],\n}\n`

/** A session with options in the user's own list of plugins, or in a project's. */
const begin = Effect.fnUntraced(function* (given: { readonly own?: object; readonly project?: object }) {
  const made = yield* prepared([...untested, [rework(2)], [fixed]], { reflexion: { maxAttempts: 2 } })
  const { home, workspace } = made.world.sandbox
  const list = `${home}/.config/opencode/opencode.json`
  const place = String(JSON.parse((yield* Files.textOf(list)) ?? "{}").plugin)
  yield* Files.write({
    ...(given.own !== undefined && { [list]: withOptions(place, given.own) }),
    ...(given.project !== undefined && { [`${workspace}/opencode.jsonc`]: withOptions(place, given.project) })
  })
  const server = yield* OpenCodeHost.serve(made.hosted)
  return { ...made, server, session: yield* OpenCodeSession.open(server) }
})

const told = Effect.fnUntraced(function* (given: Parameters<typeof begin>[0], what: RegExp) {
  const { server, session } = yield* begin(given)
  yield* command(server, session.id, "model")
  yield* shown(server, what)
}, Effect.scoped)

describe("reflexion's options in OpenCode's configuration", () => {
  live("cannot name a model in the user's or a project's list, but can disable it", function* () {
    const model = `opencode/${OpenCodeHost.model.providerID}/${OpenCodeHost.model.modelID}`
    const refused = new RegExp(`model: "${model}" is not used, because a project can set these options too`)
    yield* told({ own: { model } }, refused)
    yield* told({ project: { model } }, refused)
    yield* told({ project: { model: "off" } }, /the configuration says `"model": "off"`/)
  })

  live("count after the user's configuration file, and can only lower the number of nudges", function* () {
    const { session, world } = yield* begin({ own: { maxAttempts: 1 } })
    yield* session.prompt(task)
    const all = yield* decided(world, session.id, "nudge", "notice")
    assert.match(all.at(-1)?.reason ?? "", /^Max attempts \(1\) reached/)
  })
})
