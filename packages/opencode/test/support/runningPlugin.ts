import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { createOpencodeClient } from "@opencode-ai/sdk/client"
import { defaults, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { Effect } from "effect"
import { server, type Surroundings } from "../../src/plugin/Plugin.ts"
import { folder } from "./folder.ts"
import type { Fields } from "./messages.ts"

/** What the host answers to a request for a path, as far as the plugin minds it. */
const answerOf = (path: string, sessions: ReadonlyArray<Fields>): unknown => {
  if (path === "/session") return sessions
  if (path === "/session/status") return {}
  if (path.endsWith("/message")) return []
  return path.startsWith("/session/") ? { id: path.slice("/session/".length) } : true
}

interface Given extends Pick<Surroundings, "program"> {
  readonly config?: Partial<ReflexionConfig>
  readonly argv?: ReadonlyArray<string>
  /** The host's, which are in folders of the project. */
  readonly sessions?: (root: string) => ReadonlyArray<Fields>
  readonly requested?: (request: string) => void
}

/** The plugin's hooks in `packages/app` of a project, over a host that stores what it is told and runs no agent. */
export const runningPlugin = Effect.fnUntraced(function* ({ argv = [], config, requested, sessions, ...more }: Given) {
  const fs = yield* FileSystem.FileSystem
  const root = yield* folder({ "packages/app/package.json": "{}" })
  const state = yield* fs.makeTempDirectoryScoped()
  const stored = sessions?.(root) ?? []
  const client = createOpencodeClient({
    baseUrl: "http://host",
    fetch: async ({ method, url }) => {
      const { pathname } = new URL(url)
      requested?.(`${method} ${pathname}`)
      return Response.json(answerOf(pathname, stored))
    }
  })
  const start = server({
    ...more,
    state,
    argv,
    rootOf: () => root,
    settings: () => ({ config: { ...defaults, ...config }, problem: null, byConsent: false }),
    consent: { agreed: () => false, mayOffer: () => false },
    guidance: () => null,
    programs: () => Effect.succeed({}),
    allowed: () => Effect.succeed(null),
    ownSmall: () => [],
    platform: NodeContext.layer,
    memory: {
      keep: () => Effect.void,
      look: () => Effect.succeed(""),
      own: () => undefined,
      known: () => [],
      at: (root) => ({
        root,
        recent: () => ({ reflections: [], events: [] }),
        append: () => undefined,
        forget: () => undefined,
        isHeldBack: Effect.succeed(false)
      }),
      exists: () => false,
      isWorkspace: () => false
    },
    todos: () => null,
    mark: () => ({ text: "", lowered: [] }),
    tidy: () => undefined
  })
  return yield* Effect.acquireRelease(
    Effect.promise(() => start({ client, directory: `${root}/packages/app` })),
    ({ dispose }) => Effect.promise(async () => dispose?.())
  )
})
