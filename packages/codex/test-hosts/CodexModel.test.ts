import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ModelCall from "@reflexion/core/ModelCall"
import * as CodexContract from "@reflexion/testing/hosts/CodexContract"
import * as HostBinaries from "@reflexion/testing/sandbox/HostBinaries"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as Sandbox from "@reflexion/testing/sandbox/Sandbox"
import * as ScriptedResponses from "@reflexion/testing/servers/ScriptedResponses"
import { type Duration, Effect, Schema } from "effect"
import * as CodexModel from "../src/CodexModel.ts"

const Opinion = Schema.Struct({ done: Schema.Boolean, missing: Schema.Array(Schema.String) })

const asking = (prompt: string, timeout: Duration.DurationInput = "60 seconds") =>
  ModelCall.ask({
    purpose: "self_assessment",
    system: "You judge.",
    prompt,
    schema: Opinion,
    objectName: "opinion",
    timeout
  })

const rule = (
  name: string,
  ...replies: readonly [ScriptedResponses.Reply, ...ReadonlyArray<ScriptedResponses.Reply>]
) => ({
  name,
  when: ({ lastUser }: ModelScript.ModelRequest) => lastUser.includes(name),
  replies
})

const opinion = '{"done":false,"missing":["tests"]}'

const script = "text(await tools.exec_command({ cmd: 'touch looked' }))"

const rules = [
  rule("Plainly?", ModelScript.say(opinion)),
  rule("In a fence?", ModelScript.say(`I think:\n\`\`\`json\n${opinion}\n\`\`\``)),
  rule("Unauthorized?", { status: 401, error: "Bad key" }),
  rule("Broken?", { status: 500, error: "Out of order" }),
  rule("Cut?", { content: [{ text: '{"done":' }], stopReason: "max_tokens" }),
  rule("Off?", { ...ModelScript.say(opinion), brokenAfter: 200 }),
  rule("Hang?", { ...ModelScript.say(opinion), delay: "5 minutes" }),
  rule("Look?", { content: [{ tool: "exec_command", input: { cmd: "touch looked" } }] }, ModelScript.say(opinion)),
  rule("Script?", { content: [{ tool: "exec", source: script }] }, ModelScript.say(opinion))
]

const configOf = (url: string, root: string) => `model = "gpt-5.5"
model_provider = "scripted"
notify = ["sh", "-c", "touch '${root}/notified'"]
[features]
shell_snapshot = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[mcp_servers.slow]
command = "/bin/sh"
args = ["-c", "touch '${root}/started'; sleep 60"]
`

/** A user's Codex, with an MCP server and instructions for every project. */
const world = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const sandbox = yield* Sandbox.make({ name: "shop", project: { "README.md": "A shop." } })
  const { requests, url } = yield* ScriptedResponses.make({ turns: [ModelScript.say("All done.")], rules })
  const home = CodexContract.codexHome(sandbox)
  yield* fs.makeDirectory(home, { recursive: true })
  yield* fs.writeFileString(`${home}/config.toml`, configOf(url, sandbox.root))
  const env = { CODEX_HOME: home, SCRIPTED_API_KEY: "test" }
  const binary = yield* HostBinaries.codexBinary
  const program = yield* HostProgram.sandboxed({ sandbox, binary, env })
  const using = Effect.provide(CodexModel.layer({ program, env }))
  return { fs, sandbox, home, url, env, requests, program, using }
})

describe.concurrent("Codex's own model", () => {
  it.scopedLive("answers without the user's project, tools, servers, notifications or sessions", () =>
    Effect.gen(function* () {
      const { fs, home, requests, sandbox, using } = yield* world
      for (const prompt of ["Plainly?", "In a fence?"]) {
        const { calls, model, usage, value } = yield* using(asking(prompt))
        assert.deepStrictEqual([value, calls, model], [{ done: false, missing: ["tests"] }, 1, "codex/default"])
        assert.isAbove(usage.inputTokens, 0)
      }
      const [request, ...more] = yield* requests
      assert.lengthOf(more, 1)
      const { conversation = "", tools = [] } = request ?? {}
      assert.include(conversation, "You judge.")
      for (const part of ["skills", "environment_context", "shop", "AGENTS"]) assert.notInclude(conversation, part)
      assert.isBelow(conversation.length, 2000)
      for (const tool of ["exec_command", "shell", "view_image", "list_mcp_resources"]) assert.notInclude(tools, tool)
      for (const file of ["started", "notified"]) assert.isFalse(yield* fs.exists(`${sandbox.root}/${file}`))
      assert.isFalse(yield* fs.exists(`${home}/sessions`))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("each failure has its reason and the right number of requests", () =>
    Effect.gen(function* () {
      const { requests, using } = yield* world
      const outcomes: Array<unknown> = []
      for (const prompt of ["Unauthorized?", "Broken?", "Cut?", "Off?"]) {
        const { calls, reason } = yield* Effect.flip(using(asking(prompt)))
        const asked = (yield* requests).filter(({ answeredBy }) => answeredBy === prompt).length
        outcomes.push([prompt, reason, calls, asked])
      }
      assert.deepStrictEqual(outcomes, [
        ["Unauthorized?", "unavailable", 1, 1],
        ["Broken?", "unavailable", 2, 2],
        ["Cut?", "truncated", 1, 1],
        ["Off?", "truncated", 2, 2]
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("calls no tool", () =>
    Effect.gen(function* () {
      const { fs, sandbox, using } = yield* world
      const looked = yield* using(asking("Look?"))
      assert.deepStrictEqual(looked.value?.missing, ["tests"])
      assert.isFalse(yield* fs.exists(`${sandbox.workspace}/looked`))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("cannot run a script, even with a model that only writes scripts", () =>
    Effect.gen(function* () {
      const { env, program, requests } = yield* world
      const using = Effect.provide(CodexModel.layer({ program, env, model: "gpt-5.6-sol" }))
      const { model, value } = yield* using(asking("Script?"))
      assert.deepStrictEqual([value?.missing, model], [["tests"], "codex/gpt-5.6-sol"])
      const [first, second] = yield* requests
      assert.isBelow(first?.conversation.length ?? 0, 2000)
      assert.notInclude(first?.tools ?? [], "collaboration")
      assert.include(second?.conversation, "code-mode host is disabled")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is given up in time if the provider hangs or cannot be reached", () =>
    Effect.gen(function* () {
      const { fs, home, program, sandbox, using } = yield* world
      const hanging = yield* Effect.flip(using(asking("Hang?", "4 seconds")))
      assert.strictEqual(hanging.reason, "timed_out")
      yield* fs.writeFileString(`${home}/config.toml`, configOf("http://127.0.0.1:9", sandbox.root))
      const nowhere = yield* Effect.flip(using(asking("Plainly?")))
      assert.deepStrictEqual([nowhere.reason, nowhere.calls], ["unavailable", 2])
      const processes = yield* Command.string(Command.make("ps", "-eo", "args"))
      assert.notInclude(processes, program)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
