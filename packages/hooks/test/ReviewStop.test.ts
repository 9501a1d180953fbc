/** Properties of stops that no row of stops.rows.txt can express. */
import { assert, describe } from "@effect/vitest"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as ScriptedChat from "@reflexion/testing/servers/ScriptedChat"
import { Effect } from "effect"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { live, works } from "../../core/test/support/works.ts"
import * as Trust from "../src/config/Trust.ts"
import * as ModelHost from "./support/modelHost.ts"
import * as Marks from "../src/config/Marks.ts"
import * as ToolCall from "../src/events/ToolCall.ts"
import * as UserDirectories from "../src/places/UserDirectories.ts"
import * as Hooks from "../src/session/Hook.ts"
import * as SessionFile from "../src/session/SessionFile.ts"
import * as StopReading from "../src/stop/StopReading.ts"
import * as Support from "./support/session.ts"
import { begun, claim, inScratch, scratch, type Scratch, session, type } from "./support/session.ts"

describe("a stop", () => {
  inScratch("gets no nudge if its time is up before the record is read", (scratched) => {
    const agent = begun(scratched)
    scratched.put(".reflection/config.json", '{ "maxAttempts": 2 }')
    const { hook } = scratched
    let at = hook.now()
    const late: Scratch["hook"] = {
      ...hook,
      now: () => at,
      deadline: at + 10,
      settle: (sources) => {
        agent.says("More of the record.")
        at += 10
        return hook.settle(sources)
      }
    }
    assert.strictEqual(Support.handle(late, agent.event({ message: claim }))._tag, "nothing")
    assert.include(Support.lastDecision(scratched), "too long to read in time")
    assert.strictEqual(agent.stop(claim)._tag, "nudge")
  })

  works("leaves nothing in the home directory, whichever variable names it", function* () {
    assert.deepStrictEqual(UserDirectories.homes({ HOME: "relative", USERPROFILE: "" }), [userInfo().homedir])
    for (const names of [{ HOME: "" }, { HOME: "/c/Users/me" }, {}]) {
      const scratched = yield* scratch
      const { home, hook } = scratched
      const env = { USERPROFILE: home, ...names }
      assert.strictEqual(begun({ ...scratched, root: home, hook: { ...hook, env } }).stop(claim)._tag, "nudge")
      assert.isFalse(existsSync(join(home, ".reflection")), JSON.stringify(names))
    }
  })

  inScratch("is judged by the end of a very long final message, cut between words", (scratched) => {
    const { hook } = scratched
    const ended = (message: string): ReadonlyArray<string> => {
      const event = session(scratched, "s").user("Add a cart.").event({ message })
      const saved = SessionFile.load(Hooks.keyOf(hook, event)).session
      const found = StopReading.read(hook, event, saved) ?? assert.fail("there is no record")
      const { events } = StopReading.ended(hook, event, found.reading)
      return events.flatMap((one) => (one.type === "assistant_message" ? [one.text] : []))
    }
    const short = "Which of both? ".repeat(500).trim()
    assert.deepStrictEqual(ended(short), [short])
    for (const long of ["x".repeat(3_000_000), `${"x".repeat(3_000_000)} \n All tests pass.`]) {
      const [text = "?", ...more] = ended(long)
      assert.isTrue(more.length === 0 && text.length <= 100_000 && long.endsWith(text))
    }
    assert.deepStrictEqual(ended(`${"a ".repeat(10_000)}${"key".repeat(2000)} ${"b".repeat(97_000)}`), [
      ` ${"b".repeat(97_000)}`
    ])
  })

  inScratch("is reviewed the same after a reminder about the todo list", (scratched) => {
    const agent = begun(scratched)
    agent.told(agent.stop(claim))
    const call = { kind: "tool", name: "PostToolUse", agent: "main", turnId: "turn-1" } as const
    const write = (status: string) => {
      const input = { todos: [{ content: "Fix it", status, activeForm: "Fix it" }] }
      const tool = { name: "TodoWrite", input, result: {} }
      const hook = { ...scratched.hook, watches: "todos" } as const
      const answer = Support.handle(hook, agent.event({ ...call, tool }))
      return answer._tag === "context" ? answer.text : answer._tag
    }
    // A damaged file is started again. A reminder that cannot be kept is not given.
    write("pending")
    const key = { directories: scratched.hook.directories, host: scratched.hook.host, sessionId: "s1" }
    const file = SessionFile.fileOf(key, "todos")
    assert.isTrue(existsSync(file))
    writeFileSync(file, "reflexion-todos-2 0\n{}")
    assert.strictEqual(write("pending"), "nothing")
    const held = FileLock.take(`${file}.lock`, scratched.hook.now())
    assert.isNull(ToolCall.attempt(key, 20, (saved) => [saved, null]))
    held?.release()
    const content = [write("completed")]
    assert.include(content[0], "every todo is done")
    agent.calls("TodoWrite", { todos: [{ content: "Fix it", status: "completed" }] }, "Todos have been modified")
    const name = { hookName: "PostToolUse:TodoWrite", hookEvent: "PostToolUse" }
    agent.line({ type: "attachment", attachment: { type: "hook_additional_context", ...name, content } })
    assert.strictEqual(agent.says("All done.").stop("All done.")._tag, "notice")
  })

  inScratch("is judged by the readable marks, and an unreadable marks file is named", (scratched) => {
    const { hook, root } = scratched
    const mark = (id: string): void => {
      const agent = begun(scratched, id)
      assert.strictEqual(agent.stop(claim)._tag, "nudge")
      type(scratched, agent, "/reflection wrong")
    }
    mark("s1")
    const file = Marks.fileOf(hook.directories, root)
    appendFileSync(file, 'torn {\n{"version":1}\n')
    assert.strictEqual(Marks.read(hook.directories, root).damaged, 2)
    mark("s2")
    assert.deepStrictEqual(Hooks.settingsOf(hook, root).config.ruleLimits, { "gates/not-run": "tell" })
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.repeat(Math.ceil((4.1 * 1024 * 1024) / text.length)))
    assert.include(Hooks.settingsOf(hook, root).problem, file)
  })
})

describe("a stop of a session whose record is too long to be held", () => {
  live("runs its checks but no cross review, and the log says why", function* () {
    const scratched = yield* scratch
    const server = yield* ScriptedChat.make({ turns: [], rules: [] })
    const providers = { local: { api: "chat-completions", url: `${server.url}/v1` } }
    scratched.put("package.json", '{"type":"module","scripts":{"test":"node --test"}}')
    Support.configure(scratched, {
      checks: [{ name: "tests", command: "echo 'Tests  3 passed (3)'" }],
      crossReview: { reviewer: "local/reviewer-1" },
      models: { providers }
    })
    const agent = session(scratched, "s1").user(Support.task).edits("src/total.js")
    const large = "Word for word. ".repeat(140_000)
    for (const _ of "0123456789") agent.says(large)
    yield* Effect.promise(() => agent.says(claim).consulted(claim))
    assert.deepNestedInclude(Support.record(scratched), {
      "evidence.checks[0].result": "passed",
      "verdict.complete": true
    })
    assert.include(Support.reasons(scratched), "no cross review: the task's record is too long")
    assert.notInclude(Support.reasons(scratched), "to ask a model about the stop")
    assert.deepStrictEqual(yield* server.requests, [])
  })
})

describe("a stop that a model is asked about", () => {
  live("gives the model the user's guidance, but only in projects that they trust", function* () {
    const scratched = yield* scratch
    const { requests, url } = yield* ScriptedChat.make({
      turns: [],
      rules: [{ name: "reader", when: () => true, replies: [ModelScript.say("{}")] }]
    })
    const providers = { local: { api: "chat-completions", url: `${url}/v1` } }
    Support.configure(scratched, { model: "local/reader-1", models: { providers } })
    scratched.put(".reflection.md", "Look at the retries with care.")
    scratched.put("package.json", "{}")
    const agent = session(scratched, "s1")
    const stops = (asked: string) => {
      agent.user(asked).edits("src/parser.js").says(ModelHost.claim)
      return Effect.promise(() => agent.consulted(ModelHost.claim))
    }
    yield* stops(ModelHost.asked)
    const before = yield* requests
    assert.isTrue(before.length > 0 && !before.some(({ payload }) => payload.includes("Look at the retries")))
    const { directories } = scratched.hook
    Trust.trust(directories, Trust.Workspace.at(directories, scratched.root))
    yield* stops(`${ModelHost.asked} Bitte.`)
    const after = (yield* requests).slice(before.length)
    assert.isTrue(after.length > 0 && after.every(({ payload }) => payload.includes("Look at the retries")))
  })
})
