/** Claude Code in the host contract: the real binary, driven like in an editor. */
import * as Command from "@effect/platform/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Crypto from "node:crypto"
import { claudeCodeBinary } from "../sandbox/HostBinaries.ts"
import {
  type Answer,
  eventually,
  type Host,
  type Live,
  type Move,
  orFault,
  type Start
} from "../contract/HostContract.ts"
import * as World from "../contract/HostContractWorld.ts"
import * as JsonLinesProcess from "../sandbox/JsonLinesProcess.ts"
import type { ModelRequest, Rule } from "../servers/ModelScript.ts"
import { command, type Sandbox } from "../sandbox/Sandbox.ts"
import * as ScriptedAnthropic from "../servers/ScriptedAnthropic.ts"

type Block = ScriptedAnthropic.Block

export const offline = (url: string) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: "test",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_BUG_COMMAND: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_TELEMETRY: "1"
})

/** With these variables, the agent has the older tool, which writes whole todo lists. */
export const olderTodos = { CLAUDE_CODE_ENABLE_TASKS: "0", CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" }

const bash = (command: string, more: object = {}): Block => ({
  tool: "Bash",
  input: { command, description: "Run a command", ...more }
})

const file = (sandbox: Sandbox, name: string) => `${sandbox.workspace}/${name}`

/** The host edits only files that were read before. */
const blocks = (sandbox: Sandbox, move: Move): ReadonlyArray<Block> => {
  switch (move._tag) {
    case "Say":
      return [{ text: move.text }]
    case "Shell":
      return [bash(move.command)]
    case "Background":
      return [bash(move.command, { run_in_background: true })]
    case "Edit": {
      const input = { file_path: file(sandbox, move.file), old_string: move.before, new_string: move.after }
      return [
        { tool: "Read", input: { file_path: input.file_path } },
        { tool: "Edit", input }
      ]
    }
    case "Todos": {
      const todos = Object.entries(move.todos)
      const entries = todos.map(([content, status]) => ({ content, status, activeForm: `Working: ${content}` }))
      return [{ tool: "TodoWrite", input: { todos: entries } }]
    }
    case "Delegate": {
      const input = { description: "A part of the work", prompt: move.task, subagent_type: "general-purpose" }
      return [{ tool: "Agent", input: { ...input, run_in_background: false } }]
    }
    case "Call":
      return [{ tool: move.tool, input: move.input }]
    case "Fail":
    case "Fill":
    case "Hang":
      return []
  }
}

const reply = (sandbox: Sandbox, answer: Answer): ScriptedAnthropic.Reply => {
  const failure = answer.find((move) => move._tag === "Fail")
  if (failure !== undefined) return { status: failure.status, error: failure.error }
  if (answer.some((move) => move._tag === "Hang")) return { delay: "1 minute" }
  const full = answer.some((move) => move._tag === "Fill") ? { usage: { input_tokens: 990_000 } } : {}
  return { content: answer.flatMap((move) => blocks(sandbox, move)), ...full }
}

const summary: Rule<Block> = {
  name: "summary",
  when: ({ lastUser }) => /detailed summary|Respond with TEXT ONLY/.test(lastUser),
  replies: [{ content: [{ text: "<summary>The user's task is under way; see the files.</summary>" }] }]
}

const subagents = (sandbox: Sandbox, answers: ReadonlyArray<Answer>): ReadonlyArray<Rule<Block>> =>
  answers.flat().flatMap((move) => {
    if (move._tag !== "Delegate") return []
    const [first = [], ...rest] = move.answers
    const replies = [reply(sandbox, first), ...rest.map((answer) => reply(sandbox, answer))] as const
    return [{ name: "subagent", when: ({ firstUser }) => firstUser.includes(move.task), replies } satisfies Rule<Block>]
  })

const streams = "-p --verbose --input-format stream-json --output-format stream-json".split(" ")

/** The tools for todo lists exist only if the environment turns them on. */
const tools = "Agent,Bash,Edit,ExitPlanMode,Read,TaskCreate,TaskList,TaskUpdate,TodoWrite,Write"

const commandLine = (options: Start, sessionId: string): ReadonlyArray<string> => [
  ...streams,
  "--permission-mode",
  options.plan === true ? "plan" : "default",
  "--tools",
  tools,
  "--allowedTools",
  "Agent,Bash,Edit,Read,TodoWrite,Write",
  options.resume === undefined ? "--session-id" : "--resume",
  sessionId,
  ...(options.ephemeral === true ? ["--no-session-persistence"] : []),
  ...(options.args ?? [])
]

const said = (message: JsonLinesProcess.Message, prefix: string): ReadonlyArray<string> => {
  const content = message["content"]
  const informs = message["type"] === "system" && message["subtype"] === "informational"
  return informs && typeof content === "string" && content.startsWith(prefix) ? [content.slice(prefix.length)] : []
}

const transcripts = ({ home }: Sandbox) => World.filesBelow(`${home}/.claude/projects`, ".jsonl")

const recordOf = (sandbox: Sandbox, sessionId: string) =>
  Effect.map(transcripts(sandbox), (files) => files.find((name) => name.endsWith(`/${sessionId}.jsonl`)) ?? null)

const records: Host["records"] = (sandbox, sessionId) =>
  Effect.gen(function* () {
    const agents = (yield* transcripts(sandbox)).filter((file) => /\/agent-[^/]*$/.test(file))
    return yield* World.records(yield* recordOf(sandbox, sessionId), agents)
  })

const toolAnswer = `"tool_use_id":`

const callId = /"tool_use_id":"(toolu_\d{1,20})"/g

/** What the record must have before the model answers: the last tool result, or else the prompt. */
const dueOf = (request: ModelRequest, prompt: string): string | null => {
  const id = Array.from(request.lastUser.matchAll(callId), ([, found]) => found).at(-1)
  if (id !== undefined) return `${toolAnswer}"${id}"`
  const text = JSON.stringify(prompt).slice(1, -1)
  return text !== "" && request.lastUser.includes(text) ? text : null
}

/** The host writes its record a tenth of a second late. A real model is slower, so the scripted answer waits. */
const recorded = (sandbox: Sandbox, request: ModelRequest, prompt: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const due = dueOf(request, prompt)
    if (due === null) return
    const has = Effect.gen(function* () {
      const texts = yield* Effect.forEach(yield* transcripts(sandbox), (name) => fs.readFileString(name))
      // The record first has the prompt as part of the queue. Only the user message counts.
      const lines = texts.flatMap((text) => text.split("\n"))
      return lines.some((line) => line.includes(due) && line.includes('"type":"user"')) ? true : null
    })
    const there = eventually(`the record of ${due}`, has)
    // While a stop is judged, the host may record a typed prompt after the answer. A tool result always comes before.
    yield* due.startsWith(toolAnswer) ? there : Effect.timeoutOption(there, "3 seconds")
  }).pipe(Effect.orDie)

let sessions = 0

const start = (options: Start) =>
  Effect.gen(function* () {
    const { sandbox } = options
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    let prompt = ""
    sessions += 1
    const server = yield* ScriptedAnthropic.make({
      turns: options.model.map((answer) => reply(sandbox, answer)),
      rules: [summary, ...subagents(sandbox, options.model)],
      first: 100 * sessions + 1,
      before: (request) =>
        options.ephemeral === true ? Effect.void : Effect.provide(recorded(sandbox, request, prompt), context)
    })
    const sessionId = options.resume ?? Crypto.randomUUID()
    const argv = [yield* claudeCodeBinary, ...commandLine(options, sessionId)]
    const continues = options.continues === true ? { CLAUDE_CODE_RESUME_INTERRUPTED_TURN: "1" } : {}
    const env = { ...offline(server.url), ...continues, ...options.env }
    const host = yield* JsonLinesProcess.start(command(sandbox, env, argv))
    let awaited = 0
    const results = () => host.messages.filter(({ type }) => type === "result").length
    const send = (content: string) =>
      Effect.suspend(() => {
        prompt = content
        return host.send({ type: "user", message: { role: "user", content } })
      })
    const ended = Effect.suspend(() => {
      awaited += 1
      const due = awaited
      return eventually(
        `the end of turn ${due} (${host.errors().slice(-300)})`,
        Effect.sync(() => (results() >= due ? true : null))
      )
    })
    const interrupt = { type: "control_request", request_id: "interrupt", request: { subtype: "interrupt" } }
    const lines = (prefix: string) => Effect.sync(() => host.messages.flatMap((message) => said(message, prefix)))
    const live: Live = {
      sessionId,
      send,
      ended,
      interrupt: host.send(interrupt),
      compact: Effect.zipRight(send("/compact"), ended),
      goal: () => Effect.void,
      requests: server.requests,
      notices: lines("Stop says: "),
      replies: lines("UserPromptSubmit operation blocked by hook:\n"),
      record: Effect.provide(recordOf(sandbox, sessionId), context),
      close: host.end,
      crash: Effect.zipRight(host.kill("SIGKILL"), host.end)
    }
    return live
  }).pipe(orFault("Claude Code could not be started"))

const plugin = Effect.fnUntraced(function* (sandbox: Sandbox, marketplace: string) {
  const claude = [yield* claudeCodeBinary, "plugin"]
  const run = (...words: ReadonlyArray<string>) =>
    Command.string(command(sandbox, offline("http://127.0.0.1:9"), [...claude, ...words]))
  yield* run("marketplace", "add", marketplace)
  yield* run("install", "reflexion@reflexion")
}, orFault("the plugin could not be installed"))

const settings = `{
  // comments are not read here
  "permissions": { "deny": ["WebSearch"] },
  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}
}
`

export const host: Host = {
  name: "claude-code",
  title: "Claude Code",
  can: ["hooks", "queues", "wakes", "continues"],
  between: /\n.{0,20}reflexion: /,
  commands: (word) => [`/reflection ${word}`],
  settings: { ".claude/settings.json": settings.replace(/ {2}\/\/.*\n/, "") },
  plugin,
  trustProject: () => Effect.void,
  start,
  records
}
