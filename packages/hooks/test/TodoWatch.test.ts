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
import { configure, edited, handle, inScratch, scratch, type Scratch, session } from "./support/session.ts"

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

const textOf = (answer: HookAnswer): string => (answer._tag === "context" ? answer.text : answer._tag)

/** What the session's events are answered. */
const makeTell = (scratched: Scratch) => {
  const { event } = session(scratched, "s1")
  return (over: Partial<HookEvent>): string => textOf(handle({ ...scratched.hook, watches: "todos" }, event(over)))
}

const configured = (scratched: Scratch, todos: object, more: object = {}): void =>
  configure(scratched, { todos, ...more })

const key = ({ hook }: Scratch) => ({ directories: hook.directories, host: hook.host, sessionId: "s1" })

describe("the hook after a change of the todo list", () => {
  inScratch("begins again what was damaged, and tells nothing that cannot be kept", (scratched) => {
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
