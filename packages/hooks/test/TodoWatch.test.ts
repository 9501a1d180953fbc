import { assert, describe } from "@effect/vitest"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import { existsSync, writeFileSync } from "node:fs"
import type { HookAnswer, HookEvent } from "../src/input/HookEvent.ts"
import * as SessionFile from "../src/session/SessionFile.ts"
import * as ToolCall from "../src/events/ToolCall.ts"
import { edited, handle, inScratch, type Scratch, session } from "./support/session.ts"

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
})
