import { Command, FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { Stream } from "effect"
import { fileURLToPath } from "node:url"
import { offline } from "../src/hosts/ClaudeCodeContract.ts"
import { codexHome } from "../src/hosts/CodexContract.ts"
import { claudeCodeBinary, codexBinary } from "../src/sandbox/HostBinaries.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { type ModelRequest, say } from "../src/servers/ModelScript.ts"
import * as ScriptedAnthropic from "../src/servers/ScriptedAnthropic.ts"
import * as ScriptedResponses from "../src/servers/ScriptedResponses.ts"
import { live } from "./support/live.ts"

const server = [fileURLToPath(new URL("../../cli/dist/bin.js", import.meta.url)), "mcp"]

const order = "Fix the rounding in cart.js, and make sure that npm test passes."

const shop = Sandbox.make({ name: "shop", project: { "cart.js": "export const total = 1\n" } })

/** What the agent got from the tool: the verdict on its own turn, in which no test has run. */
const isVerdict = ({ lastOutput }: ModelRequest, host: string): boolean =>
  [`"host": "${host}"`, `"status": "incomplete"`].every((part) => lastOutput.replaceAll("\\", "").includes(part))

const run = (command: Command.Command) => Command.exitCode(Command.stdin(command, Stream.empty))

describe.concurrent("the tool judge of reflexion mcp", () => {
  live("tells an agent in Claude Code what is missing in its own turn", function* () {
    const sandbox = yield* shop
    const call = { content: [{ tool: "mcp__reflexion__judge", input: {} }] }
    const { requests, url } = yield* ScriptedAnthropic.make({ turns: [call, say("I stop here.")] })
    const servers = { mcpServers: { reflexion: { command: process.execPath, args: server } } }
    const flags = ["--mcp-config", JSON.stringify(servers), "--allowedTools", "mcp__reflexion__judge"]
    const argv = [yield* claudeCodeBinary, "-p", order, ...flags]
    assert.strictEqual(yield* run(Sandbox.command(sandbox, offline(url), argv)), 0)
    assert.isTrue((yield* requests).some((request) => isVerdict(request, "claude-code")))
  })

  live("tells an agent in Codex what is missing in its own turn", function* () {
    const sandbox = yield* shop
    const fs = yield* FileSystem.FileSystem
    const source = "text(JSON.stringify(await tools.mcp__reflexion__judge({})))"
    const call = { content: [{ tool: "exec", source }] }
    const { requests, url } = yield* ScriptedResponses.make({ turns: [call, say("I stop here.")] })
    const config = `model = "gpt-5.6-sol"
model_provider = "scripted"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
supports_websockets = false
[mcp_servers.reflexion]
command = "${process.execPath}"
args = ${JSON.stringify(server)}
required = true
env = { CODEX_HOME = "${codexHome(sandbox)}" }
`
    yield* fs.makeDirectory(codexHome(sandbox), { recursive: true })
    yield* fs.writeFileString(`${codexHome(sandbox)}/config.toml`, config)
    const env = { CODEX_HOME: codexHome(sandbox), SCRIPTED_API_KEY: "test" }
    const argv = [
      yield* codexBinary,
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      order
    ]
    assert.strictEqual(yield* run(Sandbox.command(sandbox, env, argv)), 0)
    assert.isTrue((yield* requests).some((request) => isVerdict(request, "codex")))
  })
})
