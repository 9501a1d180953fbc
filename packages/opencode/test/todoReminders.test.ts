import { assert, describe } from "@effect/vitest"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import { defaults, merge, type PartialConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as TodoGuardrails from "@reflexion/core/internal/judge/todos/TodoGuardrails"
import { Effect, Fiber, TestClock } from "effect"
import { OpenCodeClient } from "../src/host/OpenCodeClient.ts"
import * as TodoReminders from "../src/plugin/todoReminders.ts"
import { rowsOf } from "./support/rows.ts"
import { inWorld, world } from "./support/world.ts"

type Status = "pending" | "completed"

const write = (status: Status, ...contents: ReadonlyArray<string>) => ({
  tool: "todowrite",
  args: { todos: contents.map((content) => ({ content, status, priority: "medium" })) }
})

interface Given {
  readonly config?: PartialConfig
  readonly problem?: string | null
}

/** A plugin whose state outlasts its process; `restart` is a new process. */
const listing = Effect.fnUntraced(function* ({ config = {}, problem = null }: Given) {
  const whole = merge(defaults, config)
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
  const restart = () => {
    const plugin = TodoReminders.make({ config: whole, problem, change })
    const works = (sessionID: string, agent: string) =>
      plugin.happened({ type: "message.updated", properties: { info: { role: "assistant", sessionID, agent } } })
    /** The text that is added below the tool's own result. */
    const calls = (ended: Omit<TodoReminders.EndedCall, "sessionID">, sessionID = "s1") =>
      Effect.suspend(() => {
        const output: { output?: unknown } = { output: "ok" }
        return Effect.as(plugin.after({ ...ended, sessionID }, output) ?? Effect.void, output)
      }).pipe(Effect.map(({ output }) => String(output).slice("ok".length)))
    return { works, calls, after: plugin.after }
  }
  return { ...(yield* world({}, whole)), ...restart(), restart, disk, kept }
})

const test = inWorld(listing)

const logged = Effect.flatMap(DecisionRecord, ({ decisions }) =>
  Effect.map(decisions, (all) => all.map(({ decision, reason, sessionId }) => `${sessionId} ${decision}: ${reason}`))
)

const play = Effect.fnUntraced(function* (
  { restart, ...begun }: Effect.Effect.Success<ReturnType<typeof listing>>,
  steps: ReadonlyArray<string>
) {
  let [plugin, session]: readonly [Pick<typeof begun, "works" | "calls">, string] = [begun, "s1"]
  for (const step of steps) {
    const [, word = "", text = "", expected = ""] = /^(\S+) ?(.*?)(?: = (.*))?$/.exec(step) ?? []
    const [, status = "", contents = ""] = /^(\S+) (.*)$/.exec(text) ?? []
    const tell = (ended: Parameters<typeof begun.calls>[0]) =>
      Effect.map(plugin.calls(ended, session), (told) => assert.match(told, new RegExp(expected), step))
    if (word === "todos") yield* tell(write(status === "pending" ? "pending" : "completed", ...contents.split("; ")))
    else if (word === "calls") yield* tell({ tool: text })
    else if (word === "works") plugin.works(session, text)
    else if (word === "session") session = text
    else if (word === "restart") plugin = restart()
    else if (word === "stopped")
      yield* Effect.flatMap(ReviewStates, ({ setStopped }) => setStopped("s1", text === "yes"))
    else if (word === "log") assert.include((yield* logged).at(-1) ?? "none", text, step)
    else assert.fail(step)
  }
})

describe("a todo list in OpenCode", () => {
  for (const [title, [first = "", ...more]] of rowsOf(new URL("todos.rows.txt", import.meta.url))) {
    const [, header, text = ""] = /^(world|problem) (.*)$/.exec(first) ?? []
    const given = header === "world" ? { config: JSON.parse(text) } : { problem: header === undefined ? null : text }
    test(title, given, function* (made) {
      yield* play(made, header === undefined ? [first, ...more] : more)
    })
  }

  const late = "s1 failure: there is no reminder about the todo list: it took longer than 2 seconds"

  test("a list in use by another process is waited for, at most 2 seconds", {}, function* ({ calls, disk }) {
    yield* calls(write("pending", "Look"))
    disk.busy = 3
    const soon = yield* Effect.fork(calls(write("completed", "Look")))
    yield* TestClock.adjust("1 second")
    assert.include(yield* Fiber.join(soon), "every todo is done")
    yield* calls(write("pending", "Ask"))
    disk.busy = Number.POSITIVE_INFINITY
    const never = yield* Effect.fork(calls(write("completed", "Ask")))
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual([yield* Fiber.join(never), (yield* logged).at(-1)], ["", late])
    yield* TestClock.adjust("1 minute")
    disk.busy = 0
    assert.include(yield* calls(write("completed", "Ask")), "every todo is done")
  })

  test("causes no reminder if the host is late or the disk fails", {}, function* ({ calls, disk, kept, service }) {
    const away = { ...service, session: () => Effect.never }
    const pending = calls(write("pending", "Look"))
    const never = yield* Effect.fork(Effect.provideService(pending, OpenCodeClient, away))
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual([yield* Fiber.join(never), yield* logged], ["", [late]])
    yield* TestClock.adjust("1 minute")
    assert.isFalse(kept.has("s1"))
    yield* calls(write("pending", "Look"))
    disk.broken = true
    assert.strictEqual(yield* calls(write("completed", "Look")), "")
    assert.match(
      (yield* logged).at(-1) ?? "",
      /^s1 failure: there is no reminder about the todo list: .*the disk is full/
    )
  })

  test("does not touch calls of other tools", { config: { todos: { agents: ["planner"] } } }, function* ({ after }) {
    assert.isNull(after({ tool: "bash", sessionID: "s1", args: { command: "ls" } }, { output: "x" }))
    assert.isNull(after({ tool: "todowrite", sessionID: "s1", args: "nonsense" }, { output: "x" }))
  })
})
