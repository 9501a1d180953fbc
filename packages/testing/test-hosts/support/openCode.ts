/** A session of the real OpenCode with reflexion, and functions for its tests. */
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
  /** The user's own configurations of reflexion and, in `hosts`, of OpenCode. */
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

/** Like `prepared`, with a server and a session in it. */
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

/** Waits until a condition holds. */
export const until = <E, R>(what: string, holds: Effect.Effect<boolean, E, R>) =>
  eventually(
    what,
    Effect.map(holds, (so) => (so ? true : null))
  )

export const toasts = (server: OpenCodeHost.Server): ReadonlyArray<string> =>
  server.events().flatMap((event) => (event.type === "tui.toast.show" ? [event.properties.message] : []))

/** Waits until the user is told so. */
export const shown = (server: OpenCodeHost.Server, what: RegExp) =>
  eventually(
    `the toast ${what}`,
    Effect.sync(() => toasts(server).findLast((text) => what.test(text)) ?? null)
  ).pipe(Effect.mapError(({ detail }) => new HostFault({ detail: `${detail}; shown: ${toasts(server).join(" | ")}` })))

/** The user's command. For the host the command fails, so the model does not get it. */
export const command = (server: OpenCodeHost.Server, id: string, words: string) =>
  Effect.ignore(
    Effect.promise(() =>
      server.client.session.command({ path: { id }, body: { command: "reflection", arguments: words } })
    )
  )
