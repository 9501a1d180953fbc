import { assert, describe, it } from "@effect/vitest"
import { AgentHost } from "@reflexion/core/AgentHost"
import { DecisionLog, DecisionRecord } from "@reflexion/core/DecisionLog"
import { CurrentConfig, merge, defaults, type PartialConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as TodoGuardrails from "@reflexion/core/internal/judge/todos/TodoGuardrails"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { OpenCodeClient } from "../src/host/OpenCodeClient.ts"
import * as TodoReminders from "../src/plugin/todoReminders.ts"
import { storedHost } from "./support/storedHost.ts"

type Status = "pending" | "completed"

const write = (status: Status, ...contents: ReadonlyArray<string>) => ({
  tool: "todowrite",
  args: { todos: contents.map((content) => ({ content, status, priority: "medium" })) }
})

const terrible = ["Implement the login", "Fix the parser", "Add a cache"]

const coordinated: PartialConfig = { todos: { agents: ["planner"] } }

/** A plugin in a process of its own; what is kept outlasts it. */
const begin = (config: PartialConfig = {}, problem: string | null = null) => {
  const host = storedHost()
  host.infos.set("child", { parentID: "s1" })
  const kept = new Map<string, TodoGuardrails.State>()
  const disk = { busy: 0, broken: false }
  const change: TodoReminders.Change = (sessionId, step) => {
    if (disk.broken) throw new Error("the disk is full")
    if (disk.busy > 0) {
      disk.busy -= 1
      return null
    }
    const [state, value] = step(kept.get(sessionId) ?? TodoGuardrails.initial)
    kept.set(sessionId, state)
    return { value }
  }
  const whole = merge(defaults, config)
  const restart = () => {
    const plugin = TodoReminders.make({ config: whole, problem, change })
    const works = (sessionID: string, agent: string) =>
      plugin.happened({ type: "message.updated", properties: { info: { role: "assistant", sessionID, agent } } })
    /** What stands below the tool's own result. */
    const calls = (ended: Omit<TodoReminders.Ended, "sessionID">, sessionID = "s1") =>
      Effect.suspend(() => {
        const output: { output?: unknown } = { output: "ok" }
        return Effect.as(plugin.after({ ...ended, sessionID }, output) ?? Effect.void, output)
      }).pipe(Effect.map(({ output }) => String(output).slice("ok".length)))
    return { works, calls, after: plugin.after }
  }
  const layer = Layer.mergeAll(
    host.layer,
    AgentHost.Test({ raceWindow: 0 }),
    DecisionLog.Memory,
    ReviewStates.Test,
    Layer.succeed(CurrentConfig, whole)
  )
  return { ...restart(), restart, disk, kept, layer }
}

const logged = Effect.flatMap(DecisionRecord, ({ decisions }) =>
  Effect.map(decisions, (all) => all.map(({ decision, reason, sessionId }) => `${sessionId} ${decision}: ${reason}`))
)

describe("a todo list in OpenCode", () => {
  it.effect("of an ordinary agent has one checkpoint when all of it is done, below the tool's own result", () => {
    const { calls, layer, works } = begin()
    return Effect.gen(function* () {
      works("s1", "build")
      assert.strictEqual(yield* calls(write("pending", ...terrible)), "")
      const told = yield* calls(write("completed", ...terrible))
      assert.match(told, /^\n\nAbout your todo list \(a reminder of reflexion's, not the user's\): all of it is done/)
      assert.strictEqual(yield* calls(write("completed", ...terrible)), "")
      assert.deepStrictEqual(yield* logged, ["s1 reminder: todo list 1: completed"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a coordinator is told of each pattern once, over restarts", () => {
    const { calls, layer, restart, works } = begin(coordinated)
    return Effect.gen(function* () {
      works("s1", "Planner")
      assert.include(yield* calls(write("pending", ...terrible)), "plan to write code yourself")
      const again = restart()
      again.works("s1", "planner")
      assert.include(yield* again.calls(write("pending", ...terrible)), "nothing of this is given to another agent")
      assert.strictEqual(yield* again.calls(write("pending", ...terrible)), "")
      again.works("s1", "build")
      assert.strictEqual(yield* again.calls(write("pending", "Implement the search", "Add a page", "Fix it")), "")
      assert.deepStrictEqual(yield* logged, [
        "s1 reminder: todo list 1: implementation",
        "s1 none: todo list 1: not told of no-delegation (one reminder at an update)",
        "s1 reminder: todo list 1: no-delegation",
        "s1 none: todo list 1: not told of implementation (as often as it may be in the life of this list)",
        "s1 none: todo list 1: not told of implementation (as often as it may be in the life of this list), no-delegation (as often as it may be in the life of this list)"
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("says nothing to a subagent, nor where the user stopped reflexion", () => {
    const { calls, layer } = begin()
    return Effect.gen(function* () {
      yield* calls(write("pending", "Look"), "child")
      assert.strictEqual(yield* calls(write("completed", "Look"), "child"), "")
      yield* calls(write("pending", "Look"))
      const { setStopped } = yield* ReviewStates
      yield* setStopped("s1", true)
      assert.strictEqual(yield* calls(write("completed", "Look")), "")
      yield* setStopped("s1", false)
      assert.include(yield* calls(write("completed", "Look")), "all of it is done")
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    [{ profile: "advisory" }, null],
    [{ todos: { enabled: false } }, null],
    [{ todos: { limits: { completed: 0 } } }, null],
    [{}, "config.json:1:1: not a JSON value"]
  ] as const)("says nothing with %j and the problem %j", ([config, problem]) => {
    const { calls, layer } = begin(config, problem)
    return Effect.gen(function* () {
      yield* calls(write("pending", "Look"))
      assert.strictEqual(yield* calls(write("completed", "Look")), "")
      assert.deepStrictEqual(yield* logged, [])
    }).pipe(Effect.provide(layer))
  })

  it.effect("that is required is asked for once, with the first result of another tool", () => {
    const { calls, layer, works } = begin({ todos: { agents: ["planner"], required: true } })
    return Effect.gen(function* () {
      works("s1", "build")
      assert.strictEqual(yield* calls({ tool: "bash" }), "")
      works("s1", "planner")
      assert.include(yield* calls({ tool: "bash" }), "there is none")
      assert.strictEqual(yield* calls({ tool: "edit" }), "")
      works("s2", "planner")
      yield* calls(write("pending", "@coder look"), "s2")
      assert.strictEqual(yield* calls({ tool: "bash" }, "s2"), "")
    }).pipe(Effect.provide(layer))
  })

  it.effect("is waited for while another process has it, for no longer than 2 seconds", () => {
    const { calls, disk, layer } = begin()
    return Effect.gen(function* () {
      yield* calls(write("pending", "Look"))
      disk.busy = 3
      const soon = yield* Effect.fork(calls(write("completed", "Look")))
      yield* TestClock.adjust("1 second")
      assert.include(yield* Fiber.join(soon), "all of it is done")
      yield* calls(write("pending", "Ask"))
      disk.busy = Number.POSITIVE_INFINITY
      const never = yield* Effect.fork(calls(write("completed", "Ask")))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(never), "")
      assert.strictEqual(
        (yield* logged).at(-1),
        "s1 failure: the todo list is left alone: it took longer than 2 seconds"
      )
      yield* TestClock.adjust("1 minute")
      disk.busy = 0
      assert.include(yield* calls(write("completed", "Ask")), "all of it is done")
    }).pipe(Effect.provide(layer))
  })

  it.effect("changes nothing after the host has waited long enough, and the log says so", () => {
    const { calls, kept, layer } = begin()
    const away = Layer.effect(
      OpenCodeClient,
      Effect.map(OpenCodeClient, (client) => ({ ...client, session: () => Effect.never }))
    )
    return Effect.gen(function* () {
      const never = yield* Effect.fork(calls(write("pending", "Look")))
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(never), "")
      assert.deepStrictEqual(yield* logged, ["s1 failure: the todo list is left alone: it took longer than 2 seconds"])
      yield* TestClock.adjust("1 minute")
      assert.isFalse(kept.has("s1"))
    }).pipe(Effect.provide(Layer.provideMerge(away, layer)))
  })

  it.effect("that cannot be kept is told nothing, and the log says why", () => {
    const { calls, disk, layer } = begin()
    return Effect.gen(function* () {
      yield* calls(write("pending", "Look"))
      disk.broken = true
      assert.strictEqual(yield* calls(write("completed", "Look")), "")
      assert.match((yield* logged).at(-1) ?? "", /^s1 failure: the todo list is left alone: .*the disk is full/)
    }).pipe(Effect.provide(layer))
  })

  it("costs a call of another tool nothing", () => {
    const { after } = begin(coordinated)
    assert.isNull(after({ tool: "bash", sessionID: "s1", args: { command: "ls" } }, { output: "x" }))
    assert.isNull(after({ tool: "todowrite", sessionID: "s1", args: "nonsense" }, { output: "x" }))
  })
})
