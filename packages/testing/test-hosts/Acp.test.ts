import { FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import * as Json from "@reflexion/core/internal/base/json/Json"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import { type Answer, eventually, type Move } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import { fix, green, runTests, task, untested } from "../src/contract/HostContractTask.ts"
import * as GeminiScreen from "../src/hosts/GeminiScreen.ts"
import { isNight } from "../src/contract/HostContractCases.ts"
import * as OpenCodeHost from "../src/hosts/OpenCodeHost.ts"
import { script } from "../src/hosts/openCodeMoves.ts"
import { geminiBinary, openCodeBinary } from "../src/sandbox/HostBinaries.ts"
import * as JsonLinesProcess from "../src/sandbox/JsonLinesProcess.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import * as ShopProject from "../src/sandbox/ShopProject.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"
import * as ScriptedGemini from "../src/servers/ScriptedGemini.ts"
import { live } from "./support/live.ts"

const bin = fileURLToPath(new URL("../../cli/dist/bin.js", import.meta.url))

const geminiBlock = (workspace: string, move: Move): ReadonlyArray<ScriptedGemini.Block> => {
  if (move._tag === "Say") return [{ text: move.text }]
  if (move._tag === "Shell") return [{ tool: "run_shell_command", input: { command: move.command } }]
  if (move._tag !== "Edit") return []
  const input = { file_path: `${workspace}/${move.file}`, instruction: "Fix it" }
  return [{ tool: "replace", input: { ...input, old_string: move.before, new_string: move.after } }]
}

/** How each real agent is started with a scripted model. */
const agents = {
  OpenCode: Effect.fnUntraced(function* (
    sandbox: Sandbox.Sandbox,
    model: ReadonlyArray<Answer>,
    limits: ReadonlyArray<ScriptedChat.Reply>
  ) {
    const { turns, ...scripted } = script(sandbox.workspace, model)
    const { requests, url } = yield* ScriptedChat.make({ ...scripted, turns: turns.toSpliced(1, 0, ...limits) })
    const env = OpenCodeHost.environment({ sandbox, url })
    return { requests, env, argv: [yield* openCodeBinary, "acp"] }
  }),
  Gemini: Effect.fnUntraced(function* (sandbox: Sandbox.Sandbox, model: ReadonlyArray<Answer>) {
    const fs = yield* FileSystem.FileSystem
    yield* fs.makeDirectory(`${sandbox.home}/.gemini`)
    yield* fs.writeFileString(GeminiScreen.settingsFile(sandbox), GeminiScreen.settings)
    const content = (answer: Answer) => answer.flatMap((move) => geminiBlock(sandbox.workspace, move))
    const turns = model.map((answer) => ({ content: content(answer) }))
    const { requests, url } = yield* ScriptedGemini.make({ turns })
    const env = { GEMINI_API_KEY: "test", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "true" }
    const words = ["--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-pro", "--experimental-acp"]
    return { requests, env, argv: [process.execPath, yield* geminiBinary, ...words] }
  })
}

type Name = keyof typeof agents

/** A client sends the task to the agent through `reflexion acp`. Returns what the client and the model got. */
const play = Effect.fnUntraced(function* (
  name: Name,
  model: ReadonlyArray<Answer>,
  { config = {}, limits = [] }: { readonly config?: object; readonly limits?: ReadonlyArray<ScriptedChat.Reply> } = {}
) {
  const fs = yield* FileSystem.FileSystem
  const sandbox = yield* Sandbox.make({ name: "shop", project: ShopProject.broken })
  yield* Files.write({ [`${sandbox.home}/.config/reflexion/config.json`]: JSON.stringify(config) })
  const { argv, env, requests } = yield* agents[name](sandbox, model, limits)
  const command = Sandbox.command(sandbox, env, [process.execPath, bin, "acp", "--", ...argv])
  const { end, messages, send } = yield* JsonLinesProcess.start(command)
  const responses = (id: number) =>
    messages.filter((message) => message["id"] === id && message["method"] === undefined)
  const ask = Effect.fnUntraced(function* (id: number, method: string, params: object) {
    yield* send({ jsonrpc: "2.0", id, method, params })
    return yield* eventually(
      `the response to ${method}`,
      Effect.sync(() => responses(id)[0]?.["result"] ?? null)
    )
  })
  yield* ask(100, "initialize", { protocolVersion: 1, clientCapabilities: {} })
  const { sessionId } = Json.object(yield* ask(101, "session/new", { cwd: sandbox.workspace, mcpServers: [] }))
  yield* ask(102, "session/prompt", { sessionId, prompt: [{ type: "text", text: task }] })
  yield* end
  const chunks = messages
    .map((message) => JSON.stringify(message))
    .filter((text) => text.includes("agent_message_chunk"))
  return {
    responses: responses(102).map(({ result }) => result),
    ours: chunks.filter((text) => text.includes("reflexion")),
    ran: messages.some((message) => JSON.stringify(message).includes("npm test")),
    nudges: (yield* requests).filter(({ lastUser }) => lastUser.includes("[reflexion 1/3]")),
    log: yield* fs.readFileString(`${sandbox.home}/.local/state/reflexion/log.jsonl`)
  }
})

describe.each<Name>(["OpenCode", "Gemini"])("reflexion acp with %s", (name) => {
  live("nudges an agent that ran no tests once, and the client gets one response", function* () {
    const { log, nudges, ours, ran, responses } = yield* play(name, [...untested, [runTests], [green]])
    assert.lengthOf(responses, 1)
    assert.include(responses[0], { stopReason: "end_turn" })
    assert.lengthOf(ours, 1)
    assert.include(ours[0], "reflexion nudged the agent to continue (1 of 3): the tests were not run.")
    assert.isNotEmpty(nudges)
    assert.isTrue(ran)
    const decisions = log.trim().split("\n")
    assert.include(decisions[0], `"host":"acp"`)
    assert.include(decisions[0], `"decision":"nudge"`)
    assert.notInclude(decisions.at(-1), `"decision":"nudge"`)
  })

  if (!isNight && name === "OpenCode") return
  live("passes on an honest turn and adds no line of ours", function* () {
    const { nudges, ours, responses } = yield* play(name, [[fix], [runTests], [green]])
    assert.lengthOf(responses, 1)
    assert.deepStrictEqual([ours, nudges], [[], []])
  })
})

describe.each<Name>(isNight ? ["OpenCode"] : [])("reflexion acp with %s at a usage limit", (name) => {
  live("with a stated end → the agent goes on then, and the client gets one response", function* () {
    const error = "Weekly usage limit reached. It will reset in 3 seconds."
    const { nudges, ours, ran, responses } = yield* play(name, [[fix], [runTests], [green]], {
      config: { continueAfterLimit: true, attended: false },
      // OpenCode asks again five times.
      limits: Array.from({ length: 6 }, () => ({ status: 429, error, retryAfterMillis: 1 }))
    })
    assert.deepStrictEqual([responses.length, ran], [1, true])
    assert.include(responses[0], { stopReason: "end_turn" })
    assert.isNotEmpty(nudges)
    assert.match(ours.join(), /The agent goes on when the limit ends[^]*nudged the agent to continue \(1 of 3\)/)
  })
})
