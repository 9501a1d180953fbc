import { assert, describe, it } from "@effect/vitest"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ClaudeCodeHook from "../src/process/ClaudeCodeHook.ts"
import type { HookAnswer, HookEvent } from "../src/input/HookEvent.ts"
import * as SessionFile from "../src/session/SessionFile.ts"
import * as ToolCall from "../src/events/ToolCall.ts"
import { place } from "./support/bundled.ts"
import { configure, decisions, edited, handle, inScratch, scratch, type Scratch, session } from "./support/session.ts"

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

const configured = (scratched: Scratch, todos: object, more: object = {}): void =>
  configure(scratched, { todos, ...more })

const logged = (scratched: Scratch) => decisions(scratched).map(({ decision, reason }) => `${decision}: ${reason}`)

const key = ({ hook }: Scratch) => ({ directories: hook.directories, host: hook.host, sessionId: "s1" })

describe("the hook after a change of the todo list", () => {
  inScratch(
    "has one checkpoint for whoever is done with all of it, and nothing else without configuration",
    (scratched) => {
      const tell = makeTell(scratched)
      const many = [...terrible, "Rename", "Update the schema", "Build the page", "Refactor the store", "Ask"]
      assert.strictEqual(tell(write("pending", ...many)), "nothing")
      assert.include(tell(write("completed", ...many)), "all of it is done")
      assert.strictEqual(tell(write("completed", ...many)), "nothing")
      assert.deepStrictEqual(logged(scratched), ["reminder: todo list 1: completed"])
    }
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
      configured(scratched, { agents: ["main"] })
      const tell = makeTell(scratched)
      const { event } = session(scratched, "s1")
      assert.include(tell(write("pending", ...terrible)), "plan to write code yourself")
      assert.include(tell(write("pending", ...terrible)), "nothing of this is given to another agent")
      for (const one of happens) handle(scratched.hook, event(one))
      assert.strictEqual(tell(write("pending", ...terrible)), "nothing")
      assert.include(tell(write("completed", ...terrible)), "all of it is done")
    })
  )

  inScratch("tells a coordinator of each pattern once, and logs what it did not tell", (scratched) => {
    configured(scratched, { agents: ["main"] })
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

  inScratch("follows a list that is made task by task", (scratched) => {
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
    const later = [create("3", "Draw the icon"), set("3", "completed")].map((one) => tell({ ...one, turnId: "turn-2" }))
    assert.deepStrictEqual(
      later.map((text) => text !== "nothing"),
      [false, true]
    )
  })

  inScratch(
    "says nothing to a subagent, under advisory, where it is off, or where the user stopped reflexion",
    (scratched) => {
      const done = (over: Partial<HookEvent> = {}): string => {
        const tell = makeTell(scratched)
        tell({ ...write("pending", "Look"), ...over })
        return tell({ ...write("completed", "Look"), ...over })
      }
      assert.strictEqual(done({ subagent: true }), "nothing")
      assert.strictEqual(done({ cwd: null }), "nothing")
      configured(scratched, {}, { profile: "advisory" })
      assert.strictEqual(done(), "nothing")
      configured(scratched, { enabled: false })
      assert.strictEqual(done(), "nothing")
      configured(scratched, { limit: {} })
      assert.strictEqual(done(), "nothing")
      configured(scratched, {})
      SessionFile.say(key(scratched), "stopped", "")
      assert.strictEqual(done(), "nothing")
      SessionFile.say(key(scratched), "stopped", null)
      assert.include(done(), "all of it is done")
    }
  )

  inScratch("takes no word for an agent from a project that is not trusted", (scratched) => {
    const patterns = [{ name: "any", when: { count: {} }, message: "Push to main." }]
    scratched.put(".reflection/config.json", JSON.stringify({ todos: { agents: ["main"], patterns } }))
    const tell = makeTell(scratched)
    assert.strictEqual(tell(write("pending", ...terrible)), "nothing")
    scratched.put(".reflection/config.json", JSON.stringify({ todos: { enabled: false } }))
    assert.strictEqual(tell(write("completed", ...terrible)), "nothing")
  })

  inScratch("asks for a list that is required once, where the session begins", (scratched) => {
    const tell = makeTell(scratched)
    const start: Partial<HookEvent> = { kind: "session_start", name: "SessionStart", agent: "planner" }
    assert.strictEqual(tell(start), "nothing")
    configured(scratched, { agents: ["planner"], required: true })
    assert.strictEqual(tell({ ...start, agent: "main" }), "nothing")
    const held = FileLock.take(`${SessionFile.fileOf(key(scratched), "todos")}.lock`, scratched.hook.now())
    assert.strictEqual(tell(start), "nothing")
    assert.match(logged(scratched).at(-1) ?? "", /^failure: the todo list is left alone/)
    held?.release()
    assert.include(tell(start), "there is none")
    assert.strictEqual(tell(start), "nothing")
  })

  inScratch("begins anew what was damaged, and tells nothing that cannot be kept", (scratched) => {
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

  inScratch("is nothing that moved: a stop after a reminder is reviewed as one without", (scratched) => {
    const told = edited(scratched)
    const tell = (over: Partial<HookEvent>) => textOf(handle(scratched.hook, told.event(over)))
    told.told(told.stop("All done."))
    tell(write("pending", "Fix it"))
    const content = [tell(write("completed", "Fix it"))]
    assert.include(content[0], "all of it is done")
    told.calls("TodoWrite", { todos: [{ content: "Fix it", status: "completed" }] }, "Todos have been modified")
    const name = { hookName: "PostToolUse:TodoWrite", hookEvent: "PostToolUse" }
    told.line({ type: "attachment", attachment: { type: "hook_additional_context", ...name, content } })
    assert.strictEqual(told.says("All done.").stop("All done.")._tag, "notice")
  })

  it("knows the main agent by the name that was chosen, or as main", () => {
    const payload = { hook_event_name: "PostToolUse", session_id: "s1", tool_name: "TodoWrite", tool_input: {} }
    assert.strictEqual(ClaudeCodeHook.decode(payload)?.agent, "main")
    assert.strictEqual(ClaudeCodeHook.decode({ ...payload, agent_type: "planner" })?.agent, "planner")
    assert.isFalse(ClaudeCodeHook.decode({ ...payload, agent_type: "planner" })?.subagent)
  })

  it.scopedLive("tells of each pattern once, and of none more often, where processes tell of one list at once", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      configured(scratched, { agents: ["main"] })
      place("claude-code", scratched.home)
      const contents = ["login", "parser", "cache", "store", "page", "module", "schema"].map(
        (name) => `Implement the ${name}`
      )
      const tell = (status: Status) =>
        Effect.async<string>((resume) => {
          const env = { HOME: scratched.home, PATH: process.env["PATH"] }
          const words = [join(scratched.home, "hook.cjs"), "TodoList"]
          const child = execFile(process.execPath, words, { env }, (_, said) => resume(Effect.succeed(said)))
          const todos = contents.map((content) => ({ content, status }))
          const payload = { session_id: "s1", cwd: scratched.home, prompt_id: "p1", hook_event_name: "PostToolUse" }
          const call = { tool_name: "TodoWrite", tool_input: { todos }, tool_response: {} }
          child.stdin?.end(JSON.stringify({ ...payload, ...call }))
        })
      const said: Array<string> = []
      for (const status of ["pending", "completed"] as const) {
        said.push(
          ...(yield* Effect.all(
            [1, 2, 3].map(() => tell(status)),
            { concurrency: "unbounded" }
          ))
        )
        // One that had to wait for too long told nothing; a later one does.
        for (const _ of status === "pending" ? "123" : "1") said.push(yield* tell(status))
      }
      // By words that no other pattern has.
      const words = ["plan to write code yourself", "nothing of this is given", "long list", "all of it is done"]
      assert.deepStrictEqual(
        words.map((one) => said.filter((text) => text.includes(one)).length),
        [1, 1, 1, 1]
      )
    })
  )
})
