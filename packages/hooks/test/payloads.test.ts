import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import * as ClaudeCodeHook from "../src/process/ClaudeCodeHook.ts"
import * as CodexHook from "../src/process/CodexHook.ts"
import * as CopilotHook from "../src/process/CopilotHook.ts"
import * as GeminiHook from "../src/process/GeminiHook.ts"
import type { HookAnswer, HookEvent } from "../src/input/HookEvent.ts"

type Adapter = Pick<typeof ClaudeCodeHook, "decode" | "output">

const recordings = fileURLToPath(new URL("../../testing/recordings/payloads", import.meta.url))

/** A payload as the real host sent it. */
const recorded = (host: string, name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(recordings, host, `${name}.json`), "utf8"))

const decoded = ({ decode }: Adapter, host: string, name: string): HookEvent => {
  const event = decode(recorded(host, name))
  assert.isNotNull(event, `${host}/${name}`)
  return event ?? assert.fail(name)
}

const claude = (name: string): HookEvent => decoded(ClaudeCodeHook, "claude-code", name)
const codex = (name: string): HookEvent => decoded(CodexHook, "codex", name)
/** The payload that Claude Code's plugin gets in Copilot CLI. */
const copilot = (name: string): HookEvent => decoded(ClaudeCodeHook, "copilot", name)
const ofCopilot = (name: string): HookEvent => decoded(CopilotHook, "copilot", name)

const gemini = (name: string): HookEvent => decoded(GeminiHook, "gemini", name)

const answers: ReadonlyArray<HookAnswer> = [
  { _tag: "nudge", feedback: "feedback", notice: "notice" },
  { _tag: "notice", text: "notice" },
  { _tag: "reply", text: "reply" },
  { _tag: "context", text: "context" }
]

const said = ({ output }: Adapter, event: HookEvent): ReadonlyArray<Record<string, unknown>> =>
  answers.map((answer) => JSON.parse(JSON.stringify(output(answer, event))))

describe("payloads", () => {
  it("of all hosts decode to events of a session", () => {
    const hosts = { "claude-code": ClaudeCodeHook, codex: CodexHook, copilot: CopilotHook, gemini: GeminiHook }
    for (const [host, adapter] of Object.entries(hosts)) {
      const names = readdirSync(join(recordings, host)).map((name) => name.replace(".json", ""))
      assert.isAtLeast(names.length, 5)
      for (const name of names) {
        const event = decoded(adapter, host, name)
        assert.strictEqual(event.name, name.split("-")[0])
        assert.isAbove(event.sessionId.length, 30)
        assert.strictEqual(event.subagent, /subagent|SubagentStop/.test(name) && name !== "Stop-after-subagent", name)
      }
    }
  })

  it("of Claude Code tell stops, background work, plan mode and agents", () => {
    const first = claude("Stop-first")
    assert.strictEqual(first.kind, "stop")
    assert.isNotNull(first.message)
    assert.match(first.transcript ?? "", /\.jsonl$/)
    assert.deepInclude(first, { background: 0, plan: false, subagent: false })
    assert.isTrue(claude("Stop-plan-mode").plan)
    for (const name of ["Stop-background-shell", "Stop-background-agent", "Stop-scheduled-wakeup"]) {
      assert.strictEqual(claude(name).background, 1, name)
    }
    assert.strictEqual(claude("Stop-cron").background, 0)
    assert.strictEqual(claude("UserPromptSubmit-slash-command").prompt, "/reflection stop")
    assert.deepInclude(claude("PostToolUse-bash").tool, { name: "Bash" })
    const named = { ...recorded("claude-code", "PostToolUse-bash"), agent_id: undefined, agent_type: "planner" }
    assert.strictEqual(claude("PostToolUse-bash").agent, "main")
    assert.deepInclude(ClaudeCodeHook.decode(named), { agent: "planner", subagent: false })
  })

  it("of Codex and Copilot CLI tell stops, interrupts and prompts", () => {
    assert.strictEqual(codex("Stop-first").kind, "stop")
    assert.isNotNull(codex("Stop-first").turnId)
    assert.isNull(codex("Stop-ephemeral").transcript)
    assert.strictEqual(codex("Interrupt-during-stop-hook").kind, "interrupt")
    assert.strictEqual(codex("SubagentStop-spawned").kind, "subagent_stop")
    assert.deepInclude(copilot("Stop-first"), { kind: "stop", message: null })
    assert.isNotNull(copilot("PostToolUse-bash").tool?.result)
    assert.deepInclude(ofCopilot("Stop-after-push"), { kind: "stop", continued: true, plan: false, background: 0 })
    const planned = { ...recorded("copilot", "UserPromptSubmit-plain"), prompt: "[[PLAN]] reflection stop" }
    assert.strictEqual(CopilotHook.decode(planned)?.prompt, "reflection stop")
  })

  it("of Gemini CLI decode from its own event names", () => {
    assert.deepInclude(gemini("AfterAgent-first"), { kind: "stop", continued: false, message: null })
    assert.match(gemini("AfterAgent-first").transcript ?? "", /chats\/session-.*\.jsonl$/)
    assert.deepInclude(gemini("BeforeAgent-first"), { kind: "prompt", subagent: false })
    assert.strictEqual(gemini("SessionStart-startup").kind, "session_start")
    assert.strictEqual(gemini("AfterTool-shell").kind, "other")
  })

  it("of any other shape decode to nothing, and never throw", () => {
    for (const adapter of [ClaudeCodeHook, CodexHook, CopilotHook, GeminiHook]) {
      fc.assert(fc.property(fc.jsonValue(), (value) => void adapter.decode(value)))
      const both = { ...recorded("claude-code", "Stop-background-shell"), ...recorded("codex", "Stop-first") }
      const keys = Object.keys(both)
      const payload = fc.dictionary(fc.constantFrom(...keys, "prompt", "tool_name", "agent_id"), fc.jsonValue())
      fc.assert(fc.property(payload, (value) => void adapter.decode(value)))
      for (const value of [null, 1, "Stop", [], {}, { hook_event_name: "Stop" }]) assert.isNull(adapter.decode(value))
      const strange = adapter.decode({ hook_event_name: "constructor", session_id: "s" })
      assert.strictEqual(strange?.kind, "other")
    }
  })
})

const block = { decision: "block", reason: "feedback", systemMessage: "notice" }

describe("answers", () => {
  it("of Claude Code's hook nudge by context, never by a block, whatever its payload lacks", () => {
    const [nudge, notice] = said(ClaudeCodeHook, claude("Stop-first"))
    const continued = { hookEventName: "Stop", additionalContext: "feedback" }
    assert.deepStrictEqual(nudge, { hookSpecificOutput: continued, systemMessage: "notice" })
    assert.deepStrictEqual(notice, { systemMessage: "notice" })
    const [, , reply] = said(ClaudeCodeHook, claude("UserPromptSubmit-slash-command"))
    const hookSpecificOutput = { hookEventName: "UserPromptSubmit", suppressOriginalPrompt: true }
    assert.deepStrictEqual(reply, { decision: "block", reason: "reply", hookSpecificOutput })
    assert.isNull(ClaudeCodeHook.output({ _tag: "nothing" }, claude("Stop-first")))
    const whole = recorded("claude-code", "Stop-first")
    for (const key of Object.keys(whole).filter((name) => name !== "hook_event_name" && name !== "session_id")) {
      const lacking = JSON.parse(JSON.stringify({ ...whole, prompt_id: undefined, [key]: undefined }))
      const event = ClaudeCodeHook.decode(lacking) ?? assert.fail(key)
      assert.notProperty(said(ClaudeCodeHook, event)[0], "decision", key)
    }
  })

  it("of Gemini CLI's hook show the user notices, and keep commands from the model", () => {
    const [, notice, reply] = said(GeminiHook, gemini("BeforeAgent-first"))
    assert.deepStrictEqual([notice, reply], [{ systemMessage: "notice" }, { decision: "block", reason: "reply" }])
  })

  it("of Copilot CLI's and Codex's hooks nudge by a block, with keys that Codex accepts", () => {
    assert.deepStrictEqual(said(ClaudeCodeHook, copilot("Stop-first"))[0], block)
    assert.deepStrictEqual(said(CopilotHook, ofCopilot("UserPromptSubmit-plain")), [
      block,
      { systemMessage: "notice" },
      { decision: "block", reason: "reply" },
      { additionalContext: "context" }
    ])
    const accepted = ["decision", "reason", "continue", "stopReason", "suppressOutput", "systemMessage"]
    const [nudge, notice, reply] = said(CodexHook, codex("Stop-first"))
    for (const answer of [nudge, notice, reply]) assert.includeMembers(accepted, Object.keys(answer ?? {}))
    assert.deepStrictEqual(nudge, block)
  })
})

const { decoder } = CopilotHook

const recordOf = (name: string): string => `${Recordings.folder("copilot")}/${name}.jsonl`

const linesOf = (name: string): ReadonlyArray<string> => readFileSync(recordOf(name), "utf8").trim().split("\n")

/** The state at each stop, from the record up to there. */
const stops = (name: string) => {
  let state = decoder.initial
  return linesOf(name).flatMap((line) => {
    state = decoder.step(state, JSON.parse(line))[0]
    return line.includes('"hook.start"') ? [state] : []
  })
}

/** How long a payload takes to decode, in ms. */
const took = (value: object): number => {
  const begun = performance.now()
  assert.strictEqual(CopilotHook.program.decode(value)?.kind, "stop")
  return performance.now() - begun
}

describe("the record of Copilot CLI", () => {
  it("only a user's prompt begins a turn, not text of hooks, host or agents", () => {
    const begins = decoder.beginsTurn(decoder.initial)
    const names = ["nudge", "subagent", "typed-during", "autopilot", "compacted"]
    const counts = names.map((name) => linesOf(name).filter((line) => begins(Buffer.from(line))).length)
    assert.deepStrictEqual(counts, [1, 1, 1, 1, 2])
  })

  it("says what runs in the background, even if only its end is read", () => {
    const states = stops("background")
    const counts = states.map((state) => decoder.background(state, null))
    const open = decoder.open(states[0] ?? decoder.initial)
    assert.deepStrictEqual([counts, open.map(({ key }) => key)], [[1, 0], ["import"]])
    const midway = decoder.midway(decoder.initial, { turns: 3, open })
    assert.deepStrictEqual([midway.turn, decoder.open(midway)], [2, open])
  })

  it("the hook waits for the host's line about this stop, but not for long", () => {
    const stop = linesOf("fixed-and-tested").find((line) => line.includes('"hook.start"')) ?? assert.fail()
    const timestamp = new Date(JSON.parse(stop).data.input.timestamp).toISOString()
    const payload = {
      hook_event_name: "Stop",
      session_id: "s1",
      timestamp,
      transcript_path: recordOf("fixed-and-tested")
    }
    assert.isBelow(took(payload), 400)
    assert.isBelow(took({ ...payload, agent_id: "a1", transcript_path: recordOf("gone") }), 400)
    for (const missing of [{ transcript_path: recordOf("gone") }, { timestamp: "2026-01-01T00:00:00.000Z" }])
      assert.isAtLeast(took({ ...payload, ...missing }), 490)
  })
})
