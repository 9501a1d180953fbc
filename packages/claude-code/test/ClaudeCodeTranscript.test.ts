import type { ToolCall, TranscriptEvent } from "@reflexion/core/Transcript"
import * as ClaudeCodeTranscript from "../src/ClaudeCodeTranscript.ts"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

let clock = 0
const base = () => ({
  parentUuid: null,
  isSidechain: false,
  cwd: "/repo",
  sessionId: "s1",
  uuid: `u${++clock}`,
  timestamp: new Date(Date.UTC(2026, 0, 1) + clock * 1000).toISOString()
})

const user = (content: unknown, extra: object = {}) => ({ ...base(), type: "user", message: { content }, ...extra })

const assistant = (block: unknown, extra: object = {}, message: object = {}) => ({
  ...base(),
  type: "assistant",
  message: { id: "msg_1", model: "model", content: [block], ...message },
  ...extra
})

const say = (text: string, message: object = {}) => assistant({ type: "text", text }, {}, message)

const use = (id: string, name: string, input: unknown, extra: object = {}) =>
  assistant({ type: "tool_use", id, name, input }, extra)

const result = (id: string, content: unknown, toolUseResult: unknown = undefined, extra: object = {}) =>
  user([{ type: "tool_result", tool_use_id: id, content, ...extra }], { toolUseResult })

const failed = (id: string, content: string) => result(id, content, `Error: ${content}`, { is_error: true })

const decodeLines = (...lines: ReadonlyArray<unknown>) =>
  Decoding.decode(
    ClaudeCodeTranscript.decoder,
    new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join("\n"))
  )

const events = (...lines: ReadonlyArray<unknown>) => decodeLines(...lines).events

const calls = (decoded: ReadonlyArray<TranscriptEvent>) =>
  decoded.flatMap((event) => (event.type === "tool_call" ? [event] : []))

const settledBash = (...results: ReadonlyArray<unknown>): ToolCall | undefined =>
  calls(events(use("t1", "Bash", { command: "make test" }), ...results)).at(-1)

const messages = (decoded: ReadonlyArray<TranscriptEvent>) =>
  decoded.flatMap((event) => (event.type === "user_message" ? [event] : []))

const notices = (decoded: ReadonlyArray<TranscriptEvent>) =>
  decoded.flatMap((event) => (event.type === "notice" ? [event.kind] : []))

/** What stands in the user's place, each with its turn, and the notices. */
const heard = (...lines: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  events(...lines).flatMap((event) => {
    if (event.type === "notice") return [`! ${event.kind}`]
    if (event.type !== "user_message") return []
    return [`${event.expansion === true ? ">" : event.synthetic ? "~" : event.turn} ${event.text}`]
  })

const modes = (decoded: ReadonlyArray<TranscriptEvent>) =>
  decoded.flatMap((event) => (event.type === "mode_change" ? [event.mode] : []))

const operation = (name: string, content?: string) => ({
  type: "queue-operation",
  operation: name,
  sessionId: "s1",
  content
})

const notification = (text: string) => user(`<task-notification>\n<task-id>b1</task-id>\n${text}\n</task-notification>`)

const nested = (message: object) => ({
  ...base(),
  type: "progress",
  data: { type: "agent_progress", agentId: "a1", message }
})

const typed = (text: string) => [operation("enqueue", text), operation("dequeue"), user(text)]

const goal = (args: string) => user(`<command-name>/goal</command-name>\n<command-args>${args}</command-args>`)

const attached = (type: string, isSubAgent: boolean) => ({
  ...base(),
  type: "attachment",
  attachment: { type, isSubAgent }
})

const spawn = (id: string, name: string) => [
  use(id, "Agent", { name, team_name: "core", prompt: "Review the parser" }),
  result(id, "Spawned successfully.", { status: "teammate_spawned", name, agent_id: `${name}@core` })
]

const says = (name: string, body: string) =>
  `<teammate-message teammate_id="${name}" color="blue">\n${body}\n</teammate-message>`

const word = (type: string, from: string) => JSON.stringify({ type, from, timestamp: "2026-01-31T12:00:00Z" })

const statuses = (...texts: ReadonlyArray<string>) => {
  const last = new Map(
    calls(events(user("go"), ...spawn("t1", "rev"), ...spawn("t2", "doc"), ...texts.map((text) => user(text)))).map(
      (call) => [call.id, call.status] as const
    )
  )
  return [last.get("t1"), last.get("t2")]
}

describe("ClaudeCodeTranscript", () => {
  describe("prompts", () => {
    const ship = user("<command-message>ship</command-message>\n<command-name>/ship</command-name>", { uuid: "c1" })
    const expanded = (parentUuid: string) =>
      user([{ type: "text", text: "Run the tests." }], { isMeta: true, uuid: "c2", parentUuid })
    const queued = {
      ...base(),
      type: "attachment",
      attachment: { type: "queued_command", prompt: "also b", commandMode: "prompt" }
    }
    const blocks = (text: string) => [
      { type: "tool_result", tool_use_id: "t1", content: "ok" },
      { type: "text", text }
    ]
    const removed = [operation("enqueue", "also b"), operation("remove")]
    const refusal =
      "The user doesn't want to proceed with this tool use. … the user said:\nuse pnpm\n\nNote: The user's next message may …"

    it.each<readonly [string, ReadonlyArray<unknown>, ReadonlyArray<string>]>([
      ["numbered", [user("fix it"), say("ok"), user([{ type: "text", text: "and test" }])], ["0 fix it", "1 and test"]],
      [
        "a slash command with its arguments",
        [
          user(
            "<command-message>r</command-message>\n<command-name>/review</command-name>\n<command-args>PR 7</command-args>"
          )
        ],
        ["0 /review PR 7"]
      ],
      ["a goal that was set", [goal("green CI")], ["0 /goal green CI"]],
      ["no bare command of the host", [goal("")], ["~ /goal"]],
      ["the text of a command as what it orders", [ship, expanded("c1")], ["0 /ship", "> Run the tests."]],
      ["another meta line as none", [ship, expanded("c0")], ["0 /ship", "~ Run the tests."]],
      ["a person's line after a command", [ship, user("Go.", { uuid: "c2", parentUuid: "c1" })], ["0 /ship", "1 Go."]],
      ["no text beside a result on a meta line", [user(blocks("expanded by a skill"), { isMeta: true })], []],
      [
        "without what the harness and the editor wrap into it",
        [user("<system-reminder>a</system-reminder>fix <b>it</b><ide_opened_file>x.ts</ide_opened_file>")],
        ["0 fix <b>it</b>"]
      ],
      ["an image", [user([{ type: "image", source: {} }])], ["0 [image]"]],
      [
        "of the running turn where it is typed while the agent works",
        [user("a"), queued, user(blocks("and c")), user("d")],
        ["0 a", "0 also b", "0 and c", "1 d"]
      ],
      [
        "of the running turn where the host takes it",
        [user("a"), say("on it"), ...removed, say("ok"), user("d")],
        ["0 a", "0 also b", "1 d"]
      ],
      [
        "once where an attachment repeats it",
        [user("a"), say("on it"), ...removed, queued, say("ok"), user("d")],
        ["0 a", "0 also b", "1 d"]
      ],
      [
        "twice where it is said twice",
        [user("a"), ...removed, queued, { ...queued, uuid: "q2" }],
        ["0 a", "0 also b", "0 also b"]
      ],
      [
        "no queued command, and nothing that the user took back",
        [
          user("a"),
          say("on it"),
          operation("enqueue", "/model"),
          operation("remove"),
          operation("enqueue", "b"),
          operation("popAll"),
          say("ok")
        ],
        ["0 a"]
      ],
      [
        "what they said on turning a call down",
        [user("a"), use("t1", "Bash", { command: "npm i" }), failed("t1", refusal)],
        ["0 a", "0 use pnpm"]
      ],
      [
        "no interruption",
        [user("a"), user([{ type: "text", text: "[Request interrupted by user]" }])],
        ["0 a", "! aborted"]
      ],
      [
        "no interruption of a call",
        [user("a"), user([{ type: "text", text: "[Request interrupted by user for tool use]" }])],
        ["0 a", "! aborted"]
      ],
      [
        "at rest where the host queued it only to begin",
        [...typed("a"), say("ok"), ...typed("b"), say("ok")],
        ["0 a", "1 b"]
      ],
      [
        "queued when the turn ended",
        [user("a"), operation("enqueue", "b"), say("ok"), operation("dequeue"), user("b")],
        ["0 a", "! input_queued", "1 b"]
      ],
      [
        "queued by its own word",
        [user("a"), say("ok"), user("b", { promptSource: "queued" })],
        ["0 a", "! input_queued", "1 b"]
      ],
      ["still queued", [user("a"), operation("enqueue", "b"), say("ok")], ["0 a", "! input_queued"]],
      [
        "no queued notification",
        [user("a"), operation("enqueue", "<task-notification></task-notification>"), say("ok")],
        ["0 a"]
      ]
    ])("are %s", (_, lines, expected) => {
      assert.deepStrictEqual(heard(...lines), expected)
    })

    it.each([
      ["a meta line", user("caveat", { isMeta: true })],
      ["hook feedback that is not marked", user("Stop hook feedback:\nrun the tests")],
      ["a local command's echo", user("<command-name>/model</command-name>\n<command-args>opus</command-args>")],
      ["a local command's output", user("<local-command-stdout>Bye!</local-command-stdout>")],
      ["shell mode", user("<bash-input>git status</bash-input>")],
      ["shell mode's output", user("<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>")],
      ["a reminder alone", user("<system-reminder>remember</system-reminder>")],
      ["a background notification", user("<task-notification><task-id>b1</task-id></task-notification>")],
      ["another origin", user("go on", { origin: { kind: "channel" } })],
      ["the system's own prompt", user("go on", { promptSource: "system" })],
      ["a teammate", user('<teammate-message teammate_id="lead">hi</teammate-message>')],
      ["a compaction's summary", user("This session is being continued from a previous conversation that …")],
      ["a marked summary", user("Summary", { isCompactSummary: true, isVisibleInTranscriptOnly: true })]
    ])("are not %s", (_, line) => {
      assert.match(heard(line).join(), /^~ [^,]*$/)
    })

    it("may stand in a removed notification, which ends the work in the background", () => {
      const begin = [
        use("t1", "Bash", { command: "npm test", run_in_background: true }),
        result("t1", "Command running in background with ID: b1.", { stdout: "", stderr: "", backgroundTaskId: "b1" })
      ]
      const ended =
        "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n<summary>done (exit code 0)</summary>\n</task-notification>"
      const removed = [operation("enqueue", ended), operation("remove")]
      assert.deepInclude(calls(events(...begin, ...removed)).at(-1), { id: "t1", status: "completed" })
      const attachment = { type: "queued_command", prompt: ended, commandMode: "task-notification" }
      const early = events(begin[0], ...removed, begin[1], { ...base(), type: "attachment", attachment })
      assert.deepInclude(calls(early).at(-1), { id: "t1", status: "completed" })
    })
  })

  describe("assistant text", () => {
    it.each([
      ["end_turn", true],
      ["stop_sequence", true],
      ["max_tokens", false],
      ["tool_use", null],
      [null, null]
    ])("stopped for %s", (stop_reason, completed) => {
      const decoded = events(say("done", { stop_reason, usage: { output_tokens: 7 } }))
      assert.deepInclude(decoded[0], { text: "done", completed, outputTokens: 7, model: "model", id: "msg_1" })
    })

    it("gives the texts of one message ids of their own, and leaves thinking out", () => {
      const thinking = assistant({ type: "thinking", thinking: "hm" })
      const decoded = events(thinking, say("one"), say("two"), say("three", { id: "msg_2" }))
      assert.deepStrictEqual(
        decoded.map((event) => "id" in event && event.id),
        ["msg_1", "msg_1#1", "msg_2"]
      )
    })

    it.each([
      ["API Error: 500 overloaded", true, "api_error"],
      ["You've hit your limit · resets 3pm", true, "rate_limited"],
      ["API Error: 429 too many", false, "rate_limited"]
    ])("takes %s in its place as a notice", (text, isApiErrorMessage, kind) => {
      const line = assistant({ type: "text", text }, { isApiErrorMessage }, { model: "<synthetic>" })
      assert.deepStrictEqual(
        events(line).map((event): string => (event.type === "notice" ? event.kind : event.type)),
        [kind]
      )
    })

    it("takes a structured answer for the agent's last words", () => {
      const decoded = events(
        user("Review this change."),
        use("t1", "StructuredOutput", { findings: [] }),
        result("t1", "Structured output provided successfully")
      )
      const last = decoded.at(-1)
      assert.deepInclude(last, { type: "assistant_message", text: '{"findings":[]}', completed: true })
      const refused = events(
        user("Review."),
        use("t1", "StructuredOutput", { wrong: 1 }),
        failed("t1", "no such field")
      )
      assert.strictEqual(refused.at(-1)?.type, "tool_call")
    })

    it("hears nothing in 'No response requested.'", () => {
      assert.deepStrictEqual(
        events(assistant({ type: "text", text: "No response requested." }, {}, { model: "<synthetic>" })),
        []
      )
    })

    it("tells of a retried request only if nothing followed", () => {
      const retry = {
        ...base(),
        type: "system",
        subtype: "api_error",
        error: { status: 529 },
        retryAttempt: 1,
        maxRetries: 10
      }
      assert.deepStrictEqual(notices(events(user("a"), retry, say("ok"))), [])
      assert.deepStrictEqual(notices(events(user("a"), retry)), ["api_error"])
      assert.deepStrictEqual(notices(events(user("a"), { ...retry, error: { status: 429 } })), ["rate_limited"])
    })
  })

  describe("tool calls", () => {
    it("issues a call as pending and settles it under its id", () => {
      const decoded = calls(
        events(
          use("t1", "Bash", { command: "make" }),
          result("t1", "out", { stdout: "out", stderr: "warn", interrupted: false })
        )
      )
      assert.deepStrictEqual(
        decoded.map(({ exitCode, id, output, status }) => ({ exitCode, id, output, status })),
        [
          { exitCode: null, id: "t1", output: null, status: "pending" },
          { exitCode: 0, id: "t1", output: "out\nwarn", status: "completed" }
        ]
      )
      assert.strictEqual(decoded[1]?.at, decoded[0]?.at)
      assert.notStrictEqual(decoded[1]?.endedAt, null)
      assert.strictEqual(decoded[1]?.cwd, "/repo")
    })

    it.each([
      ["Exit code 2\nfailed", "error", 2],
      ["Exit code 143\nCommand timed out after 2m 0.0s", "error", null],
      ["Command timed out after 2m", "error", null],
      ["Exit code 137\n[Request interrupted by user for tool use]", "interrupted", 137],
      ["[Request interrupted by user for tool use]", "interrupted", null],
      ["<tool_use_error>Sibling tool call errored</tool_use_error>", "interrupted", null],
      ["<tool_use_error>InputValidationError: no</tool_use_error>", "error", null],
      ["The user doesn't want to proceed with this tool use. The tool use was rejected", "denied", null],
      ["The user doesn't want to take this action right now.", "denied", null],
      ["Permission to use Bash with command rm has been denied.", "denied", null],
      ["Claude requested permissions to use Bash, but you haven't granted it yet.", "denied", null],
      ["This command requires approval", "denied", null],
      ["PreToolUse:Bash hook error: [guard]: no", "denied", null],
      ["Exit code 1\nremote: permission has been denied", "error", 1]
    ])("an error that says %s", (content, status, exitCode) => {
      const call = settledBash(failed("t1", content))
      assert.strictEqual<string | null | undefined>(call?.status, status)
      assert.strictEqual(call?.exitCode, exitCode)
    })

    it("knows that a search without matches did not exit 0, and that an interrupted command has no exit", () => {
      const answered = { stdout: "", stderr: "", interrupted: false, returnCodeInterpretation: "No matches found" }
      assert.deepInclude(settledBash(result("t1", "", answered)), { status: "completed", exitCode: 1 })
      const cut = { stdout: "", stderr: "", interrupted: true }
      assert.deepInclude(settledBash(result("t1", "", cut)), { status: "interrupted", exitCode: null })
    })

    it("has no exit code for what is no command", () => {
      const decoded = events(use("t1", "Edit", { file_path: "a" }), result("t1", "done", { filePath: "a" }))
      assert.deepInclude(calls(decoded).at(-1), { status: "completed", exitCode: null })
      const broken = events(
        use("t1", "Edit", {}),
        failed("t1", "<tool_use_error>String to replace not found</tool_use_error>")
      )
      assert.deepInclude(calls(broken).at(-1), { status: "error", exitCode: null })
    })

    it("settles a call whose result was written first", () => {
      const decoded = calls(
        events(result("t1", "out", { stdout: "out", stderr: "" }), use("t1", "Bash", { command: "make" }))
      )
      assert.deepInclude(decoded.at(-1), { status: "completed", exitCode: 0, output: "out" })
    })

    it("reads a call and its result from lines of their own", () => {
      const line = { ...base(), name: "bash" }
      const lines = [
        { ...line, type: "tool_use", input: { command: "ls" } },
        { ...line, type: "tool_result", output: "ok" }
      ]
      assert.deepInclude(calls(events(...lines)).at(-1), {
        tool: "bash",
        status: "completed",
        exitCode: 0,
        output: "ok"
      })
    })

    it("settles a call without an id", () => {
      const lines = [
        assistant({ type: "tool_use", name: "bash", input: { command: "ls" } }),
        user([{ type: "tool_result", content: "ok" }])
      ]
      const decoded = calls(events(...lines))
      assert.deepInclude(decoded.at(-1), { status: "completed", exitCode: 0, output: "ok" })
      assert.strictEqual(decoded[0]?.id, decoded[1]?.id)
    })

    it("clips long outputs and inputs to their ends", () => {
      const long = `a${"x".repeat(400_000)}z`
      const decoded = calls(events(use("t1", "Write", { file_path: "f", content: long }), result("t1", long)))
      const output = decoded.at(-1)?.output ?? ""
      assert.isBelow(output.length, 132_000)
      assert.isTrue(output.startsWith("ax") && output.endsWith("xz"))
      assert.isBelow(JSON.stringify(decoded.at(-1)?.input).length, 20_000)
    })
  })

  describe("background work", () => {
    const started = { stdout: "", stderr: "", backgroundTaskId: "b1" }
    const begin = [
      use("t1", "Bash", { command: "make", run_in_background: true }),
      result("t1", "Command running in background with ID: b1.", started)
    ]

    it("names its task and its file while it runs", () => {
      assert.match(calls(events(...begin)).at(-1)?.output ?? "", /\bID: \w/)
    })

    it("runs until its notification and proves nothing before", () => {
      assert.deepInclude(calls(events(...begin)).at(-1), {
        status: "running",
        background: true,
        exitCode: null
      })
    })

    it.each([
      [
        '<status>completed</status><summary>Background command "x (exit code 9)" completed (exit code 0)</summary>',
        "completed",
        0
      ],
      ['<status>failed</status><summary>Background command "x" failed with exit code 2</summary>', "error", 2],
      ['<status>killed</status><summary>Background command "x" was killed</summary>', "interrupted", null]
    ])("ends with the notification %s", (text, status, exitCode) => {
      const decoded = events(...begin, notification(text))
      const call = calls(decoded).at(-1)
      assert.deepInclude(call, { id: "t1", background: true, exitCode })
      assert.strictEqual<string | null | undefined>(call?.status, status)
      assert.isTrue(messages(decoded).every((message) => message.synthetic))
    })

    it("goes on after an event that is no end", () => {
      const decoded = events(
        ...begin,
        notification("<summary>Monitor event</summary><event><status>completed</status></event>")
      )
      assert.strictEqual(calls(decoded).at(-1)?.status, "running")
    })

    it("ends by a queued notification, by asking after it, and by stopping it", () => {
      const prompt = "<task-notification><task-id>b1</task-id><status>completed</status></task-notification>"
      const queued = {
        ...base(),
        type: "attachment",
        attachment: { type: "queued_command", prompt, commandMode: "task-notification" }
      }
      assert.deepInclude(calls(events(...begin, queued)).at(-1), { id: "t1", status: "completed" })
      const task = { task_id: "b1", status: "completed", exitCode: 1, output: "boom" }
      const asked = [
        use("t2", "TaskOutput", { task_id: "b1" }),
        result("t2", "…", { retrieval_status: "success", task })
      ]
      assert.deepInclude(calls(events(...begin, ...asked)).at(-1), {
        id: "t1",
        status: "completed",
        exitCode: 1,
        output: "boom"
      })
      const stopped = [use("t3", "TaskStop", { task_id: "b1" }), result("t3", "stopped", { task_id: "b1" })]
      assert.deepInclude(calls(events(...begin, ...stopped)).at(-1), { id: "t1", status: "interrupted" })
    })

    it("goes on after asking too early", () => {
      const asked = [
        use("t2", "TaskOutput", { task_id: "b1" }),
        result("t2", "…", { task: { task_id: "b1", status: "running" } })
      ]
      assert.strictEqual(
        calls(events(...begin, ...asked))
          .filter((call) => call.id === "t1")
          .at(-1)?.status,
        "running"
      )
    })

    it("counts a monitor until it ends, and a wake-up that is to come", () => {
      const monitor = [use("t5", "Monitor", { command: "tail" }), result("t5", "started", { taskId: "b1" })]
      assert.deepInclude(calls(events(...monitor)).at(-1), { status: "running", background: true })
      const over = notification("<summary>Monitor event</summary><event>[Monitor timed out]</event>")
      assert.deepInclude(calls(events(...monitor, over)).at(-1), { id: "t5", status: "completed" })
      const wakeUp = [use("t6", "ScheduleWakeup", {}), result("t6", "ok", { scheduledFor: 1 })]
      assert.deepStrictEqual(notices(events(...wakeUp)), ["background_running"])
    })

    it("counts a teammate until it says that it is idle, and by no other message", () => {
      assert.deepStrictEqual(statuses(), ["running", "running"])
      const report = says("rev", "The parser is fine. I go on with the lexer.")
      const quoted = says("rev", `Here is what "idle_notification" means: {"a": 1}`)
      const approval = says("rev", word("plan_approval_request", "rev"))
      assert.deepStrictEqual(statuses(report, quoted, approval), ["running", "running"])
      assert.deepStrictEqual(statuses(report, says("rev", word("idle_notification", "rev"))), ["completed", "running"])
      const both = [says("doc", word("shutdown_approved", "doc")), says("rev", word("teammate_terminated", "rev"))]
      assert.deepStrictEqual(statuses(both.join("\n\n")), ["completed", "completed"])
      assert.deepStrictEqual(statuses(says("stranger", word("idle_notification", "stranger"))), ["running", "running"])
    })

    it("counts launched agents and what the host reports at a turn's end", () => {
      const launched = { isAsync: true, status: "async_launched", agentId: "a1" }
      assert.deepInclude(calls(events(use("t1", "Agent", {}), result("t1", "launched", launched))).at(-1), {
        status: "running",
        background: true
      })
      const ended = { ...base(), type: "system", subtype: "turn_duration", pendingBackgroundAgentCount: 2 }
      assert.deepStrictEqual(notices(events(ended)), ["background_running"])
    })
  })

  describe("subagents", () => {
    const bash = { type: "tool_use", id: "t9", name: "Bash", input: { command: "make" } }

    it("counts only their calls, with their id", () => {
      const decoded = events(
        user("task for the subagent", { isSidechain: true, agentId: "a1" }),
        assistant({ type: "text", text: "working" }, { isSidechain: true, agentId: "a1" }),
        assistant(bash, { isSidechain: true, agentId: "a1" }),
        { ...result("t9", "ok"), isSidechain: true, agentId: "a1" }
      )
      assert.deepStrictEqual(
        decoded.map((event) => (event.type === "tool_call" ? [event.agentId, event.status] : event.type)),
        [
          ["a1", "pending"],
          ["a1", "completed"]
        ]
      )
    })

    it("finds them in the progress of their parent", () => {
      const decoded = events(
        nested({ type: "user", message: { content: [{ type: "text", text: "task" }] } }),
        nested({ type: "assistant", message: { content: [bash] } }),
        nested({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t9", content: "ok" }] } })
      )
      assert.deepStrictEqual(
        calls(decoded).map(({ agentId, cwd, status }) => [agentId, cwd, status]),
        [
          ["a1", "/repo", "pending"],
          ["a1", "/repo", "completed"]
        ]
      )
      assert.strictEqual(decoded.length, 2)
    })

    it("never lets them change the main agent's todos or mode", () => {
      const side = { isSidechain: true, agentId: "a1" }
      const decoded = events(
        use("t1", "TodoWrite", { todos: [{ content: "x", status: "pending" }] }, side),
        { ...result("t1", "ok"), ...side },
        use("t2", "EnterPlanMode", {}, side),
        { ...result("t2", "ok"), ...side }
      )
      assert.isTrue(decoded.every((event) => event.type === "tool_call"))
    })
  })

  it("keeps the todo list, written whole", () => {
    const todos = [{ content: "a", status: "completed" }, { content: "b", status: "in_progress" }, { nonsense: 1 }]
    const decoded = events(use("t1", "TodoWrite", { todos }), result("t1", "ok"))
    assert.deepInclude(decoded.at(-1), {
      type: "todo_update",
      todos: [
        { id: null, content: "a", status: "completed" },
        { id: null, content: "b", status: "in_progress" }
      ]
    })
    assert.isFalse(events(use("t1", "TodoWrite", { todos })).some((event) => event.type === "todo_update"))
  })

  it("keeps the todo list, task by task", () => {
    const decoded = events(
      use("t1", "TaskCreate", { subject: "a" }),
      result("t1", "ok", { task: { id: "1", subject: "a" } }),
      use("t2", "TaskCreate", { subject: "b" }),
      result("t2", "ok", { task: { id: "2", subject: "b" } }),
      use("t3", "TaskUpdate", { taskId: "1", status: "completed" }),
      result("t3", "ok", { success: true }),
      use("t4", "TaskUpdate", { taskId: "2", status: "deleted" }),
      result("t4", "ok", { success: true })
    )
    const lists = decoded.flatMap((event) =>
      event.type === "todo_update" ? [event.todos.map((todo) => `${todo.id} ${todo.status}`)] : []
    )
    assert.deepStrictEqual(lists, [
      ["1 pending"],
      ["1 pending", "2 pending"],
      ["1 completed", "2 pending"],
      ["1 completed"]
    ])
  })

  it.each([
    ["Task not found", { success: false, error: "Task not found" }, {}, []],
    ["No such task: 1", { success: false, error: "No such task: 1" }, {}, []],
    ["Error: task 1 does not exist", "Error: task 1 does not exist", { is_error: true }, []],
    ["<tool_use_error>Task not found</tool_use_error>", undefined, { is_error: true }, []],
    ["Error: the file is locked", "Error: the file is locked", { is_error: true }, ["1 pending"]],
    ["Cannot complete: it is blocked", { success: false, error: "Cannot complete: it is blocked" }, {}, ["1 pending"]]
  ])("takes a task off the list that the host does not know: %s", (content, details, extra, expected) => {
    const decoded = events(
      use("t1", "TaskCreate", { subject: "a" }),
      result("t1", "ok", { task: { id: "1", subject: "a" } }),
      use("t2", "TaskUpdate", { taskId: "1", status: "completed" }),
      result("t2", content, details, extra)
    )
    const last = decoded.findLast((event) => event.type === "todo_update")
    assert.deepStrictEqual(
      last?.type === "todo_update" && last.todos.map(({ id, status }) => `${id} ${status}`),
      expected
    )
  })

  describe("modes", () => {
    it("follows prompts and the plan mode's tools", () => {
      const approved = [
        use("t1", "ExitPlanMode", { plan: "p" }),
        result("t1", "User has approved your plan.", { plan: "p" })
      ]
      const { events: decoded, reader } = decodeLines(
        user("a", { permissionMode: "plan" }),
        ...approved,
        user("b", { permissionMode: "acceptEdits" })
      )
      assert.deepStrictEqual(modes(decoded), ["plan", "build"])
      assert.strictEqual(reader.session().mode, "build")
      assert.strictEqual(decoded[0]?.type, "user_message")
    })

    it("follows the host's own word, but not on a subagent", () => {
      const decoded = [
        attached("plan_mode", false),
        attached("plan_mode_exit", false),
        attached("plan_mode_reentry", false)
      ]
      assert.deepStrictEqual(modes(events(...decoded)), ["plan", "build", "plan"])
      assert.deepStrictEqual(events(attached("plan_mode", true)), [])
    })

    it("stays in plan mode when the plan is turned down", () => {
      const refused = [
        use("t1", "ExitPlanMode", { plan: "p" }),
        failed("t1", "The user doesn't want to proceed with this tool use.")
      ]
      assert.strictEqual(decodeLines(user("a", { permissionMode: "plan" }), ...refused).reader.session().mode, "plan")
    })

    it("holds a mode that was set after a stop for the next turn only", () => {
      const toggled = { type: "permission-mode", permissionMode: "plan", sessionId: "s1" }
      const stopped = decodeLines(user("a", { permissionMode: "default" }), say("done"), toggled)
      assert.strictEqual(stopped.reader.session().mode, "build")
      const next = decodeLines(user("a", { permissionMode: "default" }), say("done"), toggled, user("b"))
      assert.deepStrictEqual(
        next.events.map((event) => event.type),
        ["user_message", "mode_change", "assistant_message", "user_message", "mode_change"]
      )
      assert.strictEqual(next.reader.session().mode, "plan")
    })
  })

  it("tells of a compaction, and of what a Stop hook said", () => {
    const boundary = { ...base(), type: "system", subtype: "compact_boundary", compactMetadata: { trigger: "auto" } }
    assert.deepStrictEqual(notices(events(boundary)), ["compacted"])
    const feedback = (hookEvent: string) => ({
      ...base(),
      type: "attachment",
      attachment: { type: "hook_additional_context", hookEvent, content: ["run the tests"] }
    })
    assert.deepInclude(messages(events(feedback("Stop")))[0], { text: "run the tests", synthetic: true })
    assert.deepStrictEqual(events(feedback("SessionStart")), [])
  })

  it("counts what it does not use, whether it was parsed or not", () => {
    const { reader } = decodeLines(
      user("a"),
      { ...base(), type: "from-the-future", payload: {} },
      { parentUuid: null, cwd: "/x", type: "progress", data: { type: "bash_progress", output: "…" } },
      { type: "file-history-snapshot", messageId: "m", snapshot: {} }
    )
    assert.deepStrictEqual(reader.skipped(), {
      "from-the-future": 1,
      "progress/bash_progress": 1,
      "file-history-snapshot": 1
    })
  })

  it("drops no message for quoting a line that would be dropped, and no value glued to one", () => {
    const quoted = '{"type":"progress","data":{"type":"bash_progress"}}'
    assert.deepInclude(messages(events(user(quoted)))[0], { text: quoted, synthetic: false })
    const call = use("t1", "Tool", { type: "progress", data: { type: "bash_progress" } })
    assert.strictEqual(calls(events(call)).length, 1)
  })

  it("knows the session by its first lines", () => {
    const { reader } = decodeLines(user("a"), { ...user("b"), cwd: "/elsewhere", sessionId: "s2" })
    assert.deepStrictEqual(reader.session(), {
      host: "claude-code",
      sessionId: "s1",
      parentSessionId: null,
      cwd: "/repo",
      mode: "unknown",
      attended: null
    })
  })

  it("is an agent's as long as all of its messages are", () => {
    const side = { ...user("a"), isSidechain: true }
    assert.strictEqual(decodeLines(side, side).reader.session().parentSessionId, "s1")
    assert.isNull(decodeLines(side, user("b"), side).reader.session().parentSessionId)
  })

  it.each([
    ["cli", true],
    ["claude-vscode", true],
    ["claude-desktop", true],
    ["sdk-cli", false],
    ["sdk-ts", false],
    ["sdk-py", false],
    ["remote", null]
  ])("knows by the last entry point whether somebody is there: %s", (entrypoint, attended) => {
    const before = { ...user("a"), entrypoint: attended === true ? "sdk-cli" : "cli" }
    assert.strictEqual(decodeLines(before, { ...user("b"), entrypoint }).reader.session().attended, attended)
    const bare = decodeLines(before, { ...user("b"), entrypoint }, user("c"))
    assert.strictEqual(bare.reader.session().attended, attended, "a line without one changes nothing")
  })

  it.each([
    ["claude-code-screen", true],
    ["claude-code-print", false],
    ["claude-code-resumed-by-print", false]
  ])("knows of a recorded session whether somebody is there: %s", (name, attended) => {
    const file = new URL(`../../testing/recordings/attended/${name}.jsonl`, import.meta.url)
    const lines = readFileSync(file, "utf8").trim().split("\n")
    assert.strictEqual(decodeLines(...lines.map((line) => JSON.parse(line))).reader.session().attended, attended)
  })
})

describe("a record that is written again", () => {
  const prompt = user("Round the total and run the tests.")
  const edit = use("t1", "Edit", { file_path: "/repo/a.ts", old_string: "a", new_string: "b" })
  const edited = result("t1", "updated")
  const test = use("t2", "Bash", { command: "make test" })
  const passed = result("t2", "ok", { stdout: "3 passed", stderr: "" })
  const typedAhead = { ...base(), type: "attachment", attachment: { type: "queued_command", prompt: "and the docs" } }
  const last = say("Done.")
  const session = [prompt, edit, edited, typedAhead, test, passed, last]

  it.each([
    ["the whole", session],
    ["the prompt alone", [prompt]],
    ["an edit after the run", [edit, edited]],
    ["a call without its result", [test]],
    ["a result without its call", [passed]],
    ["what was typed ahead", [typedAhead]],
    ["the last words", [last]],
    ["backwards", session.toReversed()]
  ])("changes nothing: %s", (_, copies) => {
    const boundary = { ...base(), type: "system", subtype: "compact_boundary" }
    assert.deepStrictEqual(events(...session, boundary, ...copies), events(...session, boundary))
  })

  it("is none if only what it says is the same", () => {
    assert.strictEqual(messages(events(user("go on"), user("go on"))).length, 2)
    assert.strictEqual(calls(events(use("t1", "Bash", {}), result("t1", "a"), use("t3", "Bash", {}))).length, 3)
  })

  it("is none if it has no id", () => {
    const { uuid: _, ...line } = user("go on")
    assert.strictEqual(messages(events(line, line)).length, 2)
  })

  it("leaves a call that goes on under its own id alone", () => {
    const started = result("t1", "Command running in background with ID: b1", { backgroundTaskId: "b1" })
    const ended = user("<task-notification><task-id>b1</task-id><status>completed</status></task-notification>")
    const start = use("t1", "Bash", { command: "make", run_in_background: true })
    const statuses = calls(events(user("go"), start, started, start, started, ended, ended)).map(({ status }) => status)
    assert.deepStrictEqual(statuses, ["pending", "running", "completed"])
  })
})
