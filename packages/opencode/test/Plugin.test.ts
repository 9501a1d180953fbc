import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { createOpencodeClient } from "@opencode-ai/sdk/client"
import { defaults, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Mangled from "@reflexion/testing/samples/Mangled"
import { Deferred, Effect, FastCheck as fc } from "effect"
import { worksWith } from "../../core/test/support/works.ts"
import * as Mark from "../src/decoder/Mark.ts"
import { kilo, openCode } from "../src/decoder/Program.ts"
import { own, server, type Surroundings } from "../src/plugin/Plugin.ts"
import type { Fields } from "./support/messages.ts"
import { folder } from "./support/world.ts"

const works = worksWith(NodeContext.layer, it.scopedLive)

/** The host's answer to a request for a path, with only what the plugin reads. */
const answerOf = (path: string, sessions: ReadonlyArray<Fields>): unknown => {
  if (path === "/session") return sessions
  if (path === "/session/status") return {}
  if (path.endsWith("/message")) return []
  return path.startsWith("/session/") ? { id: path.slice("/session/".length) } : true
}

interface Given extends Pick<Surroundings, "program"> {
  readonly config?: Partial<ReflexionConfig>
  readonly argv?: ReadonlyArray<string>
  /** The host's sessions, in folders of the project. */
  readonly sessions?: (root: string) => ReadonlyArray<Fields>
  readonly requested?: (request: string) => void
}

/** The plugin's hooks in `packages/app` of a project, over a host that stores what it is told and runs no agent. */
const runningPlugin = Effect.fnUntraced(function* ({ argv = [], config, requested, sessions, ...more }: Given) {
  const root = yield* folder({ "packages/app/package.json": "{}" })
  const state = yield* folder()
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

const samples = Decoding.rows(new URL("events.rows.jsonl", import.meta.url)).flatMap(([, { from }]) =>
  from.filter((one): one is object => typeof one === "object" && one !== null)
)

const unreadable = {
  toString: () => {
    throw new Error("not even this")
  }
}

const thrown = fc.oneof(
  fc.constant<unknown>(new Error("no")),
  fc.constantFrom<unknown>(undefined, Object.create(null), Symbol("no"), unreadable),
  fc.anything()
)

/** An object whose property throws when it is read. */
const trap = (key: string, cause: unknown): object =>
  Object.defineProperty({}, key, {
    enumerable: true,
    get: () => {
      throw cause
    }
  })

const names = ["info", "part", "status", "sessionID", "id", "messageID", "error", "parentID", "role", "agent"]

const relevant = fc.constantFrom(
  ..."session.created session.deleted session.idle message.updated todo.updated".split(" ")
)

/** A value that throws when it is first read, or deep inside it. */
const trapped: fc.Arbitrary<unknown> = fc
  .tuple(relevant, fc.constantFrom(...names), fc.constantFrom(...names), thrown)
  .chain(([type, outer, inner, cause]) =>
    fc.constantFrom<unknown>(
      trap("type", cause),
      Object.assign(trap("properties", cause), { type }),
      { type, properties: trap(outer, cause) },
      { type, properties: { [outer]: trap(inner, cause) } },
      { type, properties: { sessionID: "s1", [outer]: trap(inner, cause) } }
    )
  )

/** What the host hands over as an event. */
const handed = fc.oneof(
  { weight: 6, arbitrary: Mangled.value(samples, ["s1", "s2", "m1", "m2"]) },
  { weight: 3, arbitrary: trapped },
  { weight: 1, arbitrary: fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true, withDate: true }) }
)

const all = fc.array(handed, { maxLength: 40 })

describe("the plugin's event hook", () => {
  for (const argv of [[], ["node", "opencode", "run"]])
    works(`never throws on any event after [${argv.join(" ")}], and the plugin goes on`, function* () {
      const { event: take, tool: tools } = yield* runningPlugin({ argv, config: { model: "auto" } })
      assert(take !== undefined && tools !== undefined)
      const property = fc.asyncProperty(all, thrown, async (events, cause) => {
        const broken = {
          get event(): unknown {
            throw cause
          }
        }
        const results = [broken, ...events.map((one) => ({ event: one }))].map((input) => take(input))
        for (const result of await Promise.all(results)) assert.isUndefined(result)
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: 60 }))
      const context = { sessionID: "ses_9" }
      const stopped = tools["reflection"]?.execute({ action: "stop" }, context) ?? Promise.resolve("")
      assert.match(yield* Effect.promise(() => stopped), /is off in this session/)
    })

  works("does not throw after the plugin is disposed", function* () {
    const { dispose, event: take } = yield* runningPlugin({})
    assert(take !== undefined && dispose !== undefined)
    yield* Effect.promise(dispose)
    for (const one of [...samples, trap("type", new Error("no"))]) {
      assert.isUndefined(yield* Effect.promise(() => take({ event: one })))
    }
  })
})

describe("the plugin's tools", () => {
  const tools = [
    ["set_reflection", { guidance: "- [x] one" }, /^The guidance is set\.$/],
    // These answers say more than an error of the tool's would.
    ["set_reflection", { guidance: "x".repeat(4001) }, /^The guidance has 4001 characters/],
    ["set_reflection", null, /^The guidance is empty/],
    ["reflection", { action: "status" }, /is on in this session.*\n\nGuidance:/s],
    ["reflection", undefined, /^`action` must be/]
  ] as const
  const ofKilo = [["reflection", { action: "status" }, /is on in this session and only tells you/]] as const
  works("answer, report wrong arguments, and in Kilo say that only the user gets notices", function* () {
    for (const [program, rows] of [
      [openCode, tools],
      [kilo, ofKilo]
    ] as const) {
      const { tool } = yield* runningPlugin({ program })
      for (const [name, args, answer] of rows) {
        const said = tool?.[name]?.execute(args, { sessionID: "ses_1" })
        assert.match((yield* Effect.promise(async () => said)) ?? "", answer)
      }
    }
  })
})

const left = (id: string, directory: string) => ({ id, directory, parentID: "s0", metadata: Mark.judge(0) })

describe("the plugin in a folder below the root of its project", () => {
  works("deletes leftover model sessions of its own folder, not those of the root", function* () {
    const deleted = yield* Deferred.make<void>()
    const deletions: Array<string> = []
    yield* runningPlugin({
      config: { model: "auto" },
      sessions: (root) => [left("roots", root), left("apps", `${root}/packages/app`)],
      requested: (request) => {
        if (!request.startsWith("DELETE")) return
        deletions.push(request)
        Deferred.unsafeDone(deleted, Effect.void)
      }
    })
    yield* Deferred.await(deleted)
    assert.deepStrictEqual(deletions, ["DELETE /session/apps"])
  })
})

describe("a directory", () => {
  it("has one owner, and the next one only after the first has left", async () => {
    const [first, none, other] = [await own("/a"), await own("/a"), await own("/b")]
    assert.isNull(none)
    assert(first !== null && other !== null)
    const order: Array<string> = []
    const leaving = first(async () => {
      order.push("work")
    })
    const next = own("/a")
    await leaving
    order.push("gone")
    const second = await next
    assert.deepStrictEqual(order, ["work", "gone"])
    assert(second !== null)
    // A former owner cannot give back the directory of the present one.
    await first(() => Promise.reject(new Error("late")))
    assert.isNull(await own("/a"))
    for (const owner of [second, other]) await owner(() => Promise.resolve())
  })
})
