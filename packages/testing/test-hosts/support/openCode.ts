/** A session of the real OpenCode with reflexion, and what its tests ask of it. */
import { Effect } from "effect"
import { type Answer, eventually, HostFault } from "../../src/contract/HostContract.ts"
import * as Files from "../../src/contract/files.ts"
import * as World from "../../src/contract/HostContractWorld.ts"
import { script } from "../../src/hosts/openCodeMoves.ts"
import { host } from "../../src/hosts/OpenCodeContract.ts"
import * as OpenCodeHost from "../../src/hosts/OpenCodeHost.ts"
import * as OpenCodeSession from "../../src/hosts/OpenCodeSession.ts"
import * as ScriptedChat from "../../src/servers/ScriptedChat.ts"

export interface Setting {
  /** What the user's own configuration of reflexion says, and OpenCode's. */
  readonly reflexion?: object
  readonly hosts?: Readonly<Record<string, unknown>>
  readonly change?: (scripted: ScriptedChat.Script) => ScriptedChat.Script
}

/** A world with reflexion and a scripted model, and how OpenCode is started there. */
export const prepared = Effect.fnUntraced(function* (answers: ReadonlyArray<Answer>, setting: Setting = {}) {
  const { change = (scripted) => scripted, hosts = {}, reflexion = {} } = setting
  const world = yield* World.make(host)
  yield* Files.write({ [`${world.config}/config.json`]: JSON.stringify(reflexion) })
  const model = yield* ScriptedChat.make(change(script(world.sandbox.workspace, answers)))
  const hosted: OpenCodeHost.Options = { sandbox: world.sandbox, url: model.url, config: hosts }
  const turns = Effect.map(model.requests, (all) => all.filter(({ answeredBy }) => answeredBy.startsWith("turn ")))
  return { world, model, hosted, turns }
})

/** The same with a server, and a session in it. */
export const begin = Effect.fnUntraced(function* (answers: ReadonlyArray<Answer>, setting?: Setting) {
  const { hosted, ...rest } = yield* prepared(answers, setting)
  const serve = OpenCodeHost.serve(hosted)
  const server = yield* serve
  return { ...rest, serve, server, session: yield* OpenCodeSession.open(server) }
})

/** Waits until exactly this was decided of a session. */
export const decided = (world: World.World, sessionId: string, ...expected: ReadonlyArray<string>) =>
  eventually(
    expected.join(),
    Effect.map(World.decisions(world, sessionId), (all) =>
      all.map(({ decision }) => decision).join() === expected.join() ? all : null
    )
  )

export const toasts = (server: OpenCodeHost.Server): ReadonlyArray<string> =>
  server.events().flatMap((event) => (event.type === "tui.toast.show" ? [event.properties.message] : []))

/** Waits until the user is told so. */
export const shown = (server: OpenCodeHost.Server, what: RegExp) =>
  eventually(
    `the toast ${what}`,
    Effect.sync(() => toasts(server).findLast((text) => what.test(text)) ?? null)
  ).pipe(Effect.mapError(({ detail }) => new HostFault({ detail: `${detail}; shown: ${toasts(server).join(" | ")}` })))

/** The user's command. It fails in the host's eyes, which is how it is kept from the model. */
export const command = (server: OpenCodeHost.Server, id: string, words: string) =>
  Effect.ignore(
    Effect.promise(() =>
      server.client.session.command({ path: { id }, body: { command: "reflection", arguments: words } })
    )
  )
