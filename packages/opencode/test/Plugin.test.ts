import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Mangled from "@reflexion/testing/samples/Mangled"
import { Deferred, Effect, FastCheck as fc } from "effect"
import * as Mark from "../src/decoder/Mark.ts"
import { agent, info, text, tool, user } from "./support/messages.ts"
import { own } from "../src/plugin/Plugin.ts"
import { runningPlugin } from "./support/runningPlugin.ts"

const event = (type: string, properties: object) => ({ type, properties: { sessionID: "ses_1", ...properties } })

const samples: ReadonlyArray<object> = [
  event("session.created", { info: info() }),
  event("session.created", { info: info({ id: "ses_2", parentID: "ses_1" }) }),
  event("session.created", { info: info({ id: "ses_3", parentID: "ses_1", metadata: Mark.judge(0) }) }),
  event("session.deleted", { info: info({ id: "ses_2" }) }),
  event("session.status", { status: { type: "busy" } }),
  event("session.status", { status: { type: "retry", attempt: 1, message: "Overloaded", next: 1 } }),
  event("session.status", { sessionID: "ses_2", status: { type: "busy" } }),
  event("session.idle", {}),
  event("session.error", { error: { name: "MessageAbortedError", data: { message: "Aborted" } } }),
  event("session.compacted", {}),
  event("message.updated", { info: user("u1", 0, "").info }),
  event("message.updated", { info: agent("v1", 1, "").info }),
  event("message.updated", { info: agent("v2", 2, "", { summary: true }).info }),
  event("message.part.updated", { part: { ...text("Fix it."), sessionID: "ses_1", messageID: "u1" } }),
  event("message.part.updated", {
    part: { ...tool("t1", "bash", { status: "running", input: {} }), sessionID: "ses_1", messageID: "v1" }
  }),
  event("message.part.delta", { messageID: "v1", delta: "x" }),
  event("todo.updated", { todos: [{ content: "a", status: "pending" }] }),
  event("permission.asked", { id: "p1" }),
  event("permission.replied", { requestID: "p1" }),
  event("question.asked", { id: "q1" }),
  event("question.rejected", { requestID: "q1" })
]

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
  "session.created",
  "session.deleted",
  "session.idle",
  "message.updated",
  "todo.updated"
)

/** Something throws at the first look, or deep in it. */
const trapped: fc.Arbitrary<unknown> = fc
  .tuple(relevant, fc.constantFrom(...names), fc.constantFrom(...names), thrown)
  .chain(([type, outer, inner, cause]) =>
    fc.constantFrom<unknown>(
      trap("type", cause),
      Object.assign(trap("properties", cause), { type }),
      { type, properties: trap(outer, cause) },
      { type, properties: { [outer]: trap(inner, cause) } },
      { type, properties: { sessionID: "ses_1", [outer]: trap(inner, cause) } }
    )
  )

/** What the host hands over as an event. */
const handed = fc.oneof(
  { weight: 6, arbitrary: Mangled.value(samples, ["ses_1", "ses_2", "u1", "v1"]) },
  { weight: 3, arbitrary: trapped },
  { weight: 1, arbitrary: fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true, withDate: true }) }
)

const all = fc.array(handed, { maxLength: 40 })

describe("the plugin's event hook", () => {
  it.scopedLive.each([
    { place: "in a process that goes on", argv: [] },
    { place: "on the command line", argv: ["node", "opencode", "run"] }
  ])("never throws $place, whatever comes, and the plugin goes on", ({ argv }) =>
    Effect.gen(function* () {
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
      const answer = (action: string) =>
        Effect.promise(() => tools["reflection"]?.execute({ action }, { sessionID: "ses_9" }) ?? Promise.resolve(""))
      assert.match(yield* answer("stop"), /is off in this session/)
      assert.match(yield* answer("start"), /is on in this session/)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("throws nothing either once the plugin is gone", () =>
    Effect.gen(function* () {
      const { dispose, event: take } = yield* runningPlugin({})
      assert(take !== undefined && dispose !== undefined)
      yield* Effect.promise(dispose)
      for (const one of [...samples, trap("type", new Error("no"))]) {
        assert.isUndefined(yield* Effect.promise(() => take({ event: one })))
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("the plugin's tools", () => {
  it.scopedLive("answer with what is wrong, for an error of the tool's would say less", () =>
    Effect.gen(function* () {
      const { tool: tools } = yield* runningPlugin({})
      const call = (name: string, args: unknown) =>
        Effect.promise(() => tools?.[name]?.execute(args, { sessionID: "ses_1" }) ?? Promise.resolve(""))
      assert.match(yield* call("set_reflection", { guidance: "- [x] one" }), /^The guidance is set\.$/)
      assert.match(yield* call("set_reflection", { guidance: "x".repeat(4001) }), /^The guidance has 4001 characters/)
      assert.match(yield* call("set_reflection", null), /^The guidance is empty/)
      assert.match(yield* call("reflection", { action: "status" }), /is on in this session.*\n\nGuidance:/s)
      assert.match(yield* call("reflection", undefined), /^`action` must be/)
      assert.strictEqual(yield* call("set_reflection", { clear: true }), "The guidance is removed.")
      assert.notInclude(yield* call("reflection", { action: "status" }), "Guidance")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

const left = (id: string, directory: string) => ({ id, directory, parentID: "s0", metadata: Mark.judge(0) })

describe("the plugin in a folder below the root of its project", () => {
  it.scopedLive("deletes what was left there of sessions in which a model was asked, and nothing of the root's", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("a directory", () => {
  it("has one owner, and the next one only when that is gone", async () => {
    const first = await own("/a")
    assert.isNotNull(first)
    assert.isNull(await own("/a"))
    const other = await own("/b")
    assert.isNotNull(other)
    if (first === null || other === null) return
    const order: Array<string> = []
    const left = first(async () => {
      order.push("work")
    })
    const next = own("/a")
    await left
    order.push("gone")
    const second = await next
    assert.deepStrictEqual(order, ["work", "gone"])
    assert.isNotNull(second)
    if (second === null) return
    // One that has left gives back nothing of another's.
    await first(() => Promise.reject(new Error("late")))
    assert.isNull(await own("/a"))
    await second(() => Promise.resolve())
    await other(() => Promise.resolve())
  })
})
