import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import * as CodexTranscript from "../src/CodexTranscript.ts"

const recorded = (name: string) =>
  Decoding.decode(CodexTranscript.decoder, readFileSync(`${Recordings.folder("codex")}/${name}.jsonl`))

describe("recorded sessions", () => {
  it.effect("are decoded whole: no warning, a prompt for each that the user gave, no call left open", () =>
    Effect.gen(function* () {
      const recordings = yield* Recordings.list("codex")
      assert.isAbove(recordings.length, 10)
      for (const { file, name } of recordings) {
        const { events, reader } = Decoding.decode(CodexTranscript.decoder, readFileSync(file))
        assert.strictEqual(reader.host(), "codex", name)
        assert.strictEqual(reader.warningCount(), 0, name)
        assert.isNotNull(reader.session().sessionId, name)
        assert.isNull(reader.session().parentSessionId, name)
        assert.strictEqual(reader.session().cwd, name === "exec-stream" ? null : "/home/dev/shop", name)
        const prompts = name === "exec-stream" ? [] : name === "second-task" ? [0, 1] : [0]
        assert.deepStrictEqual(Decoding.genuine(events), prompts, name)
        assert.strictEqual(
          Decoding.settled(events).some((one) => one.includes("pending")),
          name === "killed",
          name
        )
        assert.strictEqual(new Set(Decoding.texts(events)).size, Decoding.texts(events).length, name)
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.each([
    ["fixed-and-tested", []],
    ["interrupted", ["aborted"]],
    ["killed", []],
    ["compacted", ["compacted"]],
    ["api-error", ["api_error"]]
  ])("%s tells the notices %j", (name, expected) => {
    assert.deepStrictEqual(Decoding.notices(recorded(name).events), expected)
  })

  it.each([
    [
      "fixed-and-tested",
      ["exec_command completed 0", "exec_command error 1", "apply_patch completed -", "exec_command completed 0"]
    ],
    [
      "exec-stream",
      ["exec_command completed 0", "exec_command error 1", "file_change completed -", "exec_command completed 0"]
    ],
    ["interrupted", ["exec_command interrupted -"]],
    ["killed", ["exec_command pending -"]],
    ["tests-polled", ["exec_command completed 0", "write_stdin completed -"]],
    ["sandbox-denied", ["code_mode completed -", "exec_command error 1"]],
    ["subagent", ["multi_agent_v1__spawn_agent completed -", "multi_agent_v1__wait_agent completed -"]]
  ])("%s settles its calls as %j", (name, expected) => {
    assert.deepStrictEqual(Decoding.settled(recorded(name).events), expected)
  })

  it("code-mode has its scripts' commands and patch, from the host's items", () => {
    const calls = Decoding.settled(recorded("code-mode").events)
    assert.deepStrictEqual(calls.filter((one) => !one.startsWith("code_mode ")).toSorted(), [
      "apply_patch completed -",
      "exec_command completed 0",
      "exec_command completed 0",
      "exec_command error 1"
    ])
  })

  it("hook-continued has the hook's reason as no message of the user, as the hook wrote it", () => {
    const synthetic = recorded("hook-continued").events.flatMap((event) =>
      event.type === "user_message" && event.synthetic ? [event.text] : []
    )
    assert.deepStrictEqual(synthetic, ['Run "npm test" & say what <it> prints.'])
  })

  it("compacted leaves the summary out of what the agent says", () => {
    assert.strictEqual(Decoding.texts(recorded("compacted").events).length, 2)
  })

  it("stopped-with-plan ends with the plan as it stands", () => {
    const last = recorded("stopped-with-plan").events.findLast((event) => event.type === "todo_update")
    assert.deepStrictEqual(
      last?.todos.map((todo): string => todo.status),
      ["completed", "in_progress", "pending"]
    )
  })

  it.effect("subagent's agent is a session of its own that names its parent", () =>
    Effect.gen(function* () {
      const recordings = yield* Recordings.list("codex")
      const { file = "", sidechains = [] } = recordings.find(({ name }) => name === "subagent") ?? {}
      const parent = Decoding.decode(CodexTranscript.decoder, readFileSync(file)).reader.session().sessionId
      assert.strictEqual(sidechains.length, 1)
      for (const agent of sidechains) {
        assert.strictEqual(
          Decoding.decode(CodexTranscript.decoder, readFileSync(agent)).reader.session().parentSessionId,
          parent
        )
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
