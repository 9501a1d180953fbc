import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ModelCall from "@reflexion/core/ModelCall"
import * as ClaudeCodeContract from "@reflexion/testing/hosts/ClaudeCodeContract"
import * as HostBinaries from "@reflexion/testing/sandbox/HostBinaries"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as Sandbox from "@reflexion/testing/sandbox/Sandbox"
import * as ScriptedAnthropic from "@reflexion/testing/servers/ScriptedAnthropic"
import { type Duration, Effect, Schema } from "effect"
import * as ClaudeCodeModel from "../src/ClaudeCodeModel.ts"

const Opinion = Schema.Struct({ done: Schema.Boolean, missing: Schema.Array(Schema.String) })

interface Asking {
  readonly timeout?: Duration.DurationInput
  readonly maxOutputTokens?: number
}

const asking = (prompt: string, more: Asking = {}) =>
  ModelCall.ask({
    purpose: "self_assessment",
    system: "You judge.",
    prompt,
    schema: Opinion,
    objectName: "opinion",
    ...more
  })

const rule = (
  name: string,
  ...replies: readonly [ScriptedAnthropic.Reply, ...ReadonlyArray<ScriptedAnthropic.Reply>]
) => ({
  name,
  when: ({ conversation }: ModelScript.ModelRequest) => conversation.includes(name),
  replies
})

const opinion = '{"done":false,"missing":["tests"]}'

const rules = [
  rule("Plainly?", ModelScript.say(opinion)),
  rule("In a fence?", ModelScript.say(`I think:\n\`\`\`json\n${opinion}\n\`\`\``)),
  rule("Unauthorized?", { status: 401, error: "Bad key" }),
  rule("Broken?", { status: 500, error: "Out of order" }),
  rule("Cut?", { content: [{ text: '{"done":' }], stopReason: "max_tokens" }),
  rule("Off?", { ...ModelScript.say(opinion), brokenAfter: 300 }),
  rule("Refuse?", { content: [{ text: "No." }], stopReason: "refusal" }),
  rule("Hang?", { ...ModelScript.say(opinion), delay: "5 minutes" }),
  rule("Look?", { content: [{ tool: "Bash", input: { command: "touch looked" } }] }, ModelScript.say(opinion))
]

const token = { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-test" }

/** A user's Claude Code, with a hook, an MCP server and instructions for every project. */
const world = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const sandbox = yield* Sandbox.make({ name: "shop", project: { "README.md": "A shop." } })
  const { requests, url } = yield* ScriptedAnthropic.make({ turns: [ModelScript.say("All done.")], rules })
  const home = `${sandbox.home}/.claude`
  yield* fs.makeDirectory(home, { recursive: true })
  yield* fs.writeFileString(`${home}/CLAUDE.md`, "Speak like a pirate.")
  const hooked = { type: "command", command: `touch '${sandbox.root}/hooked'`, timeout: 60 }
  yield* fs.writeFileString(`${home}/settings.json`, JSON.stringify({ hooks: { Stop: [{ hooks: [hooked] }] } }))
  const servers = { slow: { command: "/bin/sh", args: ["-c", `touch '${sandbox.root}/started'; sleep 60`] } }
  yield* fs.writeFileString(`${sandbox.home}/.claude.json`, JSON.stringify({ mcpServers: servers }))
  const binary = yield* HostBinaries.claudeCodeBinary
  const { ANTHROPIC_API_KEY, ...offline } = ClaudeCodeContract.offline(url)
  const programWith = (env: Readonly<Record<string, string>>) =>
    HostProgram.sandboxed({ sandbox, binary, env: { ...offline, ...env } })
  const program = yield* programWith({ ANTHROPIC_API_KEY })
  const using = Effect.provide(ClaudeCodeModel.layer({ program }))
  return { fs, sandbox, home, requests, program, programWith, using }
})

describe.concurrent("Claude Code's own model", () => {
  it.scopedLive("answers without the user's hooks, tools, servers, instructions or sessions", () =>
    Effect.gen(function* () {
      const { fs, home, requests, sandbox, using } = yield* world
      for (const prompt of ["Plainly?", "In a fence?"]) {
        const { calls, model, usage, value } = yield* using(asking(prompt, { maxOutputTokens: 4000 }))
        assert.deepStrictEqual([value, calls], [{ done: false, missing: ["tests"] }, 1])
        assert.match(model ?? "", /^claude-code\/claude-/)
        assert.isAbove(usage.inputTokens, 0)
      }
      const [request, ...more] = yield* requests
      assert.lengthOf(more, 1)
      const { conversation = "", system = "", tools = [] } = request ?? {}
      assert.include(system, "You judge.")
      for (const part of ["pirate", "shop"]) assert.notInclude(system + conversation, part)
      assert.isBelow(system.length + conversation.length, 2000)
      assert.deepStrictEqual(tools, [])
      for (const file of ["started", "hooked"]) assert.isFalse(yield* fs.exists(`${sandbox.root}/${file}`))
      assert.isFalse(yield* fs.exists(`${home}/projects`))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("each failure has its reason and the right number of questions", () =>
    Effect.gen(function* () {
      const { requests, using } = yield* world
      const outcomes: Array<unknown> = []
      for (const prompt of ["Unauthorized?", "Broken?", "Off?", "Refuse?", "Cut?", "Look?"]) {
        const { calls, reason } = yield* Effect.flip(using(asking(prompt)))
        const asked = (yield* requests).filter(({ answeredBy }) => answeredBy === prompt).length
        outcomes.push([prompt, reason, calls, asked])
      }
      // Claude Code itself asks thrice more after an answer that was cut off.
      assert.deepStrictEqual(outcomes, [
        ["Unauthorized?", "unavailable", 1, 1],
        ["Broken?", "unavailable", 2, 2],
        ["Off?", "truncated", 2, 2],
        ["Refuse?", "refused", 1, 1],
        ["Cut?", "truncated", 1, 4],
        ["Look?", "malformed", 1, 1]
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("says what to do without a key or login, and uses a login if configured", () =>
    Effect.gen(function* () {
      const { fs, programWith, requests, sandbox } = yield* world
      const keyless = ClaudeCodeModel.layer({ program: yield* programWith(token) })
      const failure = yield* Effect.flip(Effect.provide(asking("Plainly?"), keyless))
      assert.match(failure.detail, /set ANTHROPIC_API_KEY .*account: "login"/)
      assert.lengthOf(yield* requests, 0)
      const loggedIn = ClaudeCodeModel.layer({ program: yield* programWith(token), account: "login" })
      const { value } = yield* Effect.provide(asking("Plainly?"), loggedIn)
      assert.deepStrictEqual(value?.missing, ["tests"])
      const loggedOut = ClaudeCodeModel.layer({ program: yield* programWith({}), account: "login" })
      const other = yield* Effect.flip(Effect.provide(asking("Plainly?"), loggedOut))
      assert.match(other.detail, /run `claude` and log in/)
      const [request, ...more] = yield* requests
      assert.lengthOf(more, 0)
      assert.notInclude(JSON.stringify(request), "pirate")
      for (const file of ["started", "hooked"]) assert.isFalse(yield* fs.exists(`${sandbox.root}/${file}`))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is given up in time if the provider hangs or cannot be reached", () =>
    Effect.gen(function* () {
      const { program, programWith, using } = yield* world
      const hanging = yield* Effect.flip(using(asking("Hang?", { timeout: "4 seconds" })))
      assert.strictEqual(hanging.reason, "timed_out")
      const nowhere = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" }
      const cut = ClaudeCodeModel.layer({ program: yield* programWith(nowhere) })
      const failure = yield* Effect.flip(Effect.provide(asking("Plainly?"), cut))
      assert.deepStrictEqual([failure.reason, failure.calls], ["unavailable", 2])
      assert.notInclude(yield* Command.string(Command.make("ps", "-eo", "args")), program)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
