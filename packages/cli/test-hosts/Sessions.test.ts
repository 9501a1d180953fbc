import { FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { ClaudeCodeTranscript } from "@reflexion/claude-code"
import { CodexTranscript } from "@reflexion/codex"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import * as OpenCodeTranscript from "@reflexion/opencode/OpenCodeTranscript"
import { type Recordings, Scenario, Scenarios } from "@reflexion/testing"
import { judgedAs } from "./support/judge.ts"
import { live } from "../../testing/test-hosts/support/live.ts"

const isNight = process.env["REFLEXION_TESTS"] === "night"

/** By day, only the fastest host runs, with the scenarios that differ most from a plain session. */
const day = ["todo-list", "interrupted", "compacted"]

const hosts: ReadonlyArray<Recordings.Host> = isNight ? ["claude-code", "codex", "opencode"] : ["claude-code"]

const decode = (host: Recordings.Host, text: string) => {
  const decoders = [ClaudeCodeTranscript.decoder, CodexTranscript.decoder, OpenCodeTranscript.decoder]
  const reader = TranscriptReader.make({ decoders })
  const events = [...reader.push(new TextEncoder().encode(text)), ...reader.end()]
  assert.deepStrictEqual(reader.warnings(), [])
  assert.strictEqual(reader.host(), host)
  return { events, session: reader.session() }
}

describe.concurrent.each(hosts)("a session of the real %s", (host) => {
  for (const scenario of Scenarios.of(host).filter(({ name }) => isNight || day.includes(name))) {
    live(`is read and judged: ${scenario.name}`, function* () {
      const { agents, main, sandbox, sessionId } = yield* Scenario.play(scenario, host)
      const { events, session } = decode(host, main)
      assert.deepStrictEqual([session.sessionId, session.cwd], [sessionId, sandbox.workspace])
      const prompts = events.flatMap((event) => (event.type === "user_message" && !event.synthetic ? [event.text] : []))
      assert.deepStrictEqual(prompts, scenario.steps.map(Scenario.promptOf))
      for (const agent of Object.values(agents)) {
        assert.strictEqual(decode(host, agent).session.parentSessionId, sessionId)
      }
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      const file = `${folder}/session.${host === "opencode" ? "json" : "jsonl"}`
      yield* fs.writeFileString(file, main)
      yield* judgedAs({ file, host, expected: scenario.expected })
    })
  }
})
