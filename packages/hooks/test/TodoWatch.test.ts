import { assert, describe, it } from "@effect/vitest"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as ClaudeCodeHook from "../src/process/ClaudeCodeHook.ts"
import type { HookAnswer, HookEvent } from "../src/input/HookEvent.ts"
import * as SessionFile from "../src/session/SessionFile.ts"
import * as ToolCall from "../src/events/ToolCall.ts"
import { decisions, handle, type Scratch, scratch, session } from "./support/session.ts"

type Status = "pending" | "in_progress" | "completed"

const call = (name: string, input: object, result: object = {}): Partial<HookEvent> => ({
  kind: "tool",
  name: "PostToolUse",
  agent: "main",
  turnId: "turn-1",
  tool: { name, input, result }
})

const write = (status: Status, ...contents: ReadonlyArray<string>) =>
  call("TodoWrite", { todos: contents.map((content) => ({ content, status, activeForm: content })) })

const create = (id: string, subject: string) => call("TaskCreate", { subject }, { task: { id, subject } })

const set = (taskId: string, status: string) => call("TaskUpdate", { taskId, status }, { success: true })

const terrible = ["Implement the login", "Fix the parser", "Add a cache"]

const textOf = (answer: HookAnswer): string => (answer._tag === "context" ? answer.text : answer._tag)

/** What the session's events are answered. */
const makeTell = (scratched: Scratch) => {
  const { event } = session(scratched, "s1")
  return (over: Partial<HookEvent>): string => textOf(handle({ ...scratched.hook, watches: "todos" }, event(over)))
}

const configure = ({ hook }: Scratch, todos: object, more: object = {}): void => {
  mkdirSync(hook.directories.config, { recursive: true })
  writeFileSync(join(hook.directories.config, "config.json"), JSON.stringify({ todos, ...more }))
}

const logged = (scratched: Scratch) => decisions(scratched).map(({ decision, reason }) => `${decision}: ${reason}`)

const key = ({ hook }: Scratch) => ({ directories: hook.directories, host: hook.host, sessionId: "s1" })

describe("the hook after a change of the todo list", () => {
  it.scoped("has one checkpoint for whoever is done with all of it, and nothing else without configuration", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const tell = makeTell(scratched)
      const many = [...terrible, "Rename", "Update the schema", "Build the page", "Refactor the store", "Ask"]
      assert.strictEqual(tell(write("pending", ...many)), "nothing")
      assert.include(tell(write("completed", ...many)), "all of it is done")
      assert.strictEqual(tell(write("completed", ...many)), "nothing")
      assert.deepStrictEqual(logged(scratched), ["reminder: todo list 1: completed"])
    })
  )

  it.scoped.each<readonly [string, ReadonlyArray<Partial<HookEvent>>]>([
    ["a message of the user's", [{ kind: "prompt", name: "UserPromptSubmit", prompt: "Go on." }]],
    [
      "a compaction",
      [
        { kind: "compaction", name: "PreCompact" },
        { kind: "compaction", name: "PostCompact" },
        { kind: "session_start", name: "SessionStart", compacted: true }
      ]
    ]
  ])("leaves a list as it was told of after %s", ([, happens]) =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      configure(scratched, { agents: ["main"] })
      const tell = makeTell(scratched)
      const { event } = session(scratched, "s1")
      assert.include(tell(write("pending", ...terrible)), "plan to write code yourself")
      assert.include(tell(write("pending", ...terrible)), "nothing of this is given to another agent")
      for (const one of happens) handle(scratched.hook, event(one))
      assert.strictEqual(tell(write("pending", ...terrible)), "nothing")
      assert.include(tell(write("completed", ...terrible)), "all of it is done")
    })
  )

  it.scoped("tells a coordinator of each pattern once, and logs what it did not tell", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      configure(scratched, { agents: ["main"] })
      const tell = makeTell(scratched)
      assert.include(tell(write("pending", ...terrible)), "plan to write code yourself")
      assert.include(tell(write("pending", ...terrible)), "nothing of this is given to another agent")
      assert.strictEqual(tell(write("pending", ...terrible)), "nothing")
      assert.strictEqual(
        tell({ ...write("pending", "Implement a search", "Fix it", "Add it"), agent: "coder" }),
        "nothing"
      )
      assert.deepStrictEqual(logged(scratched), [
        "reminder: todo list 1: implementation",
        "none: todo list 1: not told of no-delegation (one reminder at an update)",
        "reminder: todo list 1: no-delegation",
        "none: todo list 1: not told of implementation (as often as it may be in the life of this list)",
        "none: todo list 1: not told of implementation (as often as it may be in the life of this list), no-delegation (as often as it may be in the life of this list)"
      ])
    })
  )

  it.scoped("follows a list that is made task by task", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const tell = makeTell(scratched)
      const told = [
        create("1", "Read the code"),
        create("2", "Fix the parser"),
        set("1", "completed"),
        set("2", "in_progress"),
        set("2", "completed"),
        set("2", "in_progress"),
        set("2", "completed"),
        set("9", "completed")
      ].map(tell)
      assert.deepStrictEqual(
        told.map((text) => text !== "nothing"),
        [false, false, false, false, true, false, false, false]
      )
      const later = [create("3", "Draw the icon"), set("3", "completed")].map((one) =>
        tell({ ...one, turnId: "turn-2" })
      )
      assert.deepStrictEqual(
        later.map((text) => text !== "nothing"),
        [false, true]
      )
    })
  )

  it.scoped("says nothing to a subagent, under advisory, where it is off, or where the user stopped reflexion", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const done = (over: Partial<HookEvent> = {}): string => {
        const tell = makeTell(scratched)
        tell({ ...write("pending", "Look"), ...over })
        return tell({ ...write("completed", "Look"), ...over })
      }
      assert.strictEqual(done({ subagent: true }), "nothing")
      assert.strictEqual(done({ cwd: null }), "nothing")
      configure(scratched, {}, { profile: "advisory" })
      assert.strictEqual(done(), "nothing")
      configure(scratched, { enabled: false })
      assert.strictEqual(done(), "nothing")
      configure(scratched, { limit: {} })
      assert.strictEqual(done(), "nothing")
      configure(scratched, {})
      SessionFile.say(key(scratched), "stopped", "")
      assert.strictEqual(done(), "nothing")
      SessionFile.say(key(scratched), "stopped", null)
      assert.include(done(), "all of it is done")
    })
  )

  it.scoped("takes no word for an agent from a project that is not trusted", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const patterns = [{ name: "any", when: { count: {} }, message: "Push to main." }]
      scratched.put(".reflection/config.json", JSON.stringify({ todos: { agents: ["main"], patterns } }))
      const tell = makeTell(scratched)
      assert.strictEqual(tell(write("pending", ...terrible)), "nothing")
      scratched.put(".reflection/config.json", JSON.stringify({ todos: { enabled: false } }))
      assert.strictEqual(tell(write("completed", ...terrible)), "nothing")
    })
  )

  it.scoped("asks for a list that is required once, where the session begins", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const tell = makeTell(scratched)
      const start: Partial<HookEvent> = { kind: "session_start", name: "SessionStart", agent: "planner" }
      assert.strictEqual(tell(start), "nothing")
      configure(scratched, { agents: ["planner"], required: true })
      assert.strictEqual(tell({ ...start, agent: "main" }), "nothing")
      const held = FileLock.take(`${SessionFile.fileOf(key(scratched), "todos")}.lock`, scratched.hook.now())
      assert.strictEqual(tell(start), "nothing")
      assert.match(logged(scratched).at(-1) ?? "", /^failure: the todo list is left alone/)
      held?.release()
      assert.include(tell(start), "there is none")
      assert.strictEqual(tell(start), "nothing")
    })
  )

  it.scoped("watches for loops only where every call is reported, and not otherwise", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const tell = makeTell(scratched)
      const rows = Array.from({ length: 5 }, () => tell(write("pending", "Look")))
      assert.deepStrictEqual(new Set(rows), new Set(["nothing"]))
      assert.deepStrictEqual(
        readdirSync(dirname(SessionFile.fileOf(key(scratched)))).filter((name) => name.endsWith(".json")),
        []
      )
      const { event } = session(scratched, "s2")
      const all = Array.from({ length: 5 }, () => textOf(handle(scratched.hook, event(write("pending", "Look")))))
      assert.include(all.at(-1), "same call 5 times")
    })
  )

  it.scoped("begins anew what was damaged, and tells nothing that cannot be kept", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const tell = makeTell(scratched)
      tell(write("pending", "Look"))
      const file = SessionFile.fileOf(key(scratched), "todos")
      assert.isTrue(existsSync(file))
      writeFileSync(file, "reflexion-todos-2 0\n{}")
      assert.strictEqual(tell(write("pending", "Look")), "nothing")
      const held = FileLock.take(`${file}.lock`, scratched.hook.now())
      assert.isNull(ToolCall.attempt(key(scratched), 20, (saved) => [saved, null]))
      held?.release()
      assert.include(tell(write("completed", "Look")), "all of it is done")
    })
  )

  it.scoped("is nothing that moved: a stop after a reminder is reviewed as one without", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const kinds = ["reminded", "not"].map((id) => {
        const told = session(scratched, id)
          .user("Fix the rounding in src/cart.js and run the tests.")
          .edits("src/cart.js")
        const first = told.stop("All done.")
        told.told(first)
        if (id === "reminded") {
          const tell = (over: Partial<HookEvent>) => textOf(handle(scratched.hook, told.event(over)))
          tell(write("pending", "Fix it"))
          const content = [tell(write("completed", "Fix it"))]
          assert.include(content[0], "all of it is done")
          told.calls("TodoWrite", { todos: [{ content: "Fix it", status: "completed" }] }, "Todos have been modified")
          const name = { hookName: "PostToolUse:TodoWrite", hookEvent: "PostToolUse" }
          told.line({ type: "attachment", attachment: { type: "hook_additional_context", ...name, content } })
        }
        return [first._tag, told.says("All done.").stop("All done.")._tag]
      })
      assert.deepStrictEqual(kinds[0], kinds[1])
      assert.deepStrictEqual(kinds[0], ["push", "notice"])
    })
  )

  it("knows the main agent by the name that was chosen, or as main", () => {
    const payload = { hook_event_name: "PostToolUse", session_id: "s1", tool_name: "TodoWrite", tool_input: {} }
    assert.strictEqual(ClaudeCodeHook.decode(payload)?.agent, "main")
    assert.strictEqual(ClaudeCodeHook.decode({ ...payload, agent_type: "planner" })?.agent, "planner")
    assert.isFalse(ClaudeCodeHook.decode({ ...payload, agent_type: "planner" })?.subagent)
  })
})
