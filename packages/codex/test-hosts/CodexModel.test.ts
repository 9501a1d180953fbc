import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ModelCall from "@reflexion/core/ModelCall"
import * as CodexHost from "@reflexion/testing/hosts/CodexHost"
import * as HostBinaries from "@reflexion/testing/sandbox/HostBinaries"
import * as HostProgram from "@reflexion/testing/sandbox/HostProgram"
import * as ModelScript from "@reflexion/testing/servers/ModelScript"
import * as Sandbox from "@reflexion/testing/sandbox/Sandbox"
import * as ScriptedResponses from "@reflexion/testing/servers/ScriptedResponses"
import { type Duration, Effect, Schema, Stream } from "effect"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { bundle } from "../../../scripts/bundler.mjs"
import * as CodexModel from "../src/CodexModel.ts"

const Opinion = Schema.Struct({ done: Schema.Boolean, missing: Schema.Array(Schema.String) })

const asking = (prompt: string, timeout: Duration.DurationInput = "60 seconds") =>
  ModelCall.ask({
    purpose: "judge",
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
  rule("In prose?", ModelScript.say("It is done.")),
  rule("Unauthorized?", { status: 401, error: "Bad key" }),
  rule("Too often?", { status: 429, error: "Slow down" }, ModelScript.say(opinion)),
  rule("Broken?", { status: 500, error: "Out of order" }),
  rule("Cut?", { content: [{ text: '{"done":' }], stopReason: "max_tokens" }),
  rule("Off?", { ...ModelScript.say(opinion), brokenAfter: 200 }),
  rule("Long?", ModelScript.say("x".repeat(1_000_000))),
  rule("Hang?", { ...ModelScript.say(opinion), delay: "5 minutes" }),
  rule("Look?", { content: [{ tool: "exec_command", input: { cmd: "touch looked" } }] }, ModelScript.say(opinion)),
  rule("Script?", { content: [{ tool: "exec", source: script }] }, ModelScript.say(opinion)),
  rule("What is missing?", ModelScript.say("The tests."))
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
  const home = yield* CodexHost.codexHome(sandbox)
  yield* fs.makeDirectory(home, { recursive: true })
  yield* fs.writeFileString(`${home}/config.toml`, configOf(url, sandbox.root))
  const env = { CODEX_HOME: home, SCRIPTED_API_KEY: "test" }
  const binary = yield* HostBinaries.codexBinary
  const program = yield* HostProgram.sandboxed({ sandbox, binary, env })
  const using = Effect.provide(CodexModel.layer({ program, env }))
  return { fs, sandbox, home, url, env, requests, program, using }
})

/** What Codex itself writes once its user has approved the hook. */
const approval = (home: string, hook: object): string => {
  const canonical = JSON.stringify({ event_name: "stop", hooks: [{ async: false, ...hook }] })
  const hash = createHash("sha256").update(canonical).digest("hex")
  return `[hooks.state.${JSON.stringify(`${home}/hooks.json:stop:0:0`)}]\ntrusted_hash = "sha256:${hash}"\n`
}

describe.concurrent("Codex's own model", () => {
  it.scopedLive("answers, with nothing of the user's project, tools, servers, notifications or sessions", () =>
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

  it.scopedLive("fails by name, with the right number of requests", () =>
    Effect.gen(function* () {
      const { requests, using } = yield* world
      const outcomes: Array<unknown> = []
      for (const prompt of ["Unauthorized?", "Broken?", "Cut?", "Off?", "Long?"]) {
        const { calls, reason } = yield* Effect.flip(using(asking(prompt)))
        const asked = (yield* requests).filter(({ answeredBy }) => answeredBy === prompt).length
        outcomes.push([prompt, reason, calls, asked])
      }
      assert.deepStrictEqual(outcomes, [
        ["Unauthorized?", "unavailable", 1, 1],
        ["Broken?", "unavailable", 2, 2],
        ["Cut?", "truncated", 1, 1],
        ["Off?", "truncated", 2, 2],
        ["Long?", "malformed", 1, 1]
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is asked again after too many requests, calls no tool, and hands on what is no object", () =>
    Effect.gen(function* () {
      const { fs, requests, sandbox, using } = yield* world
      const again = yield* using(asking("Too often?"))
      assert.deepStrictEqual([again.value?.done, again.calls], [false, 2])
      const looked = yield* using(asking("Look?"))
      assert.deepStrictEqual(looked.value?.missing, ["tests"])
      assert.isFalse(yield* fs.exists(`${sandbox.workspace}/looked`))
      const prose = yield* using(asking("In prose?"))
      assert.deepStrictEqual([prose.value, prose.text], [null, "It is done."])
      assert.lengthOf(yield* requests, 5)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is asked by the name of the small one that Codex offers", () =>
    Effect.gen(function* () {
      const { env, program, requests } = yield* world
      const using = Effect.provide(CodexModel.layer({ program, env, model: "gpt-6-luna", effort: "low" }))
      const { model, value } = yield* using(asking("Plainly?"))
      assert.deepStrictEqual([value?.missing, model], [["tests"], "codex/gpt-6-luna"])
      assert.lengthOf(yield* requests, 1)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("has nothing to run a script with, where a model writes only those", () =>
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

  it.scopedLive("is given up in time where the provider hangs or cannot be reached", () =>
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

  it.scopedLive("can be asked by a Stop hook, which then runs once", () =>
    Effect.gen(function* () {
      const { fs, home, program, requests, sandbox, url } = yield* world
      const hook = `${sandbox.root}/hook.mjs`
      const log = `${sandbox.root}/asked`
      const entry = fileURLToPath(new URL("./support/askingHook.ts", import.meta.url))
      yield* Effect.promise(() => bundle({ entry, outfile: hook }))
      const command = `'${process.execPath}' '${hook}' '${program}' '${log}'`
      const stop = { command, statusMessage: "Asking", timeout: 60, type: "command" }
      yield* fs.writeFileString(`${home}/hooks.json`, JSON.stringify({ hooks: { Stop: [{ hooks: [stop] }] } }))
      yield* fs.writeFileString(`${home}/config.toml`, `${configOf(url, sandbox.root)}${approval(home, stop)}`)
      const run = Command.make(program, "exec", "-c", "mcp_servers.slow.enabled=false", "Finish the shop.")
      yield* run.pipe(Command.workingDirectory(sandbox.workspace), Command.stdin(Stream.empty), Command.string)
      assert.strictEqual(yield* fs.readFileString(log), "The tests.\n")
      assert.lengthOf(yield* requests, 2)
      // The session itself has what the question had not.
      assert.isTrue(yield* fs.exists(`${sandbox.root}/notified`))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
