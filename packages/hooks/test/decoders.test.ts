/** The decoders of all hosts over damaged records: they skip what they can't read, and go on. */
import { assert, describe, it } from "@effect/vitest"
import * as ClaudeCodeTranscript from "@reflexion/claude-code/ClaudeCodeTranscript"
import * as CodexTranscript from "@reflexion/codex/CodexTranscript"
import * as CopilotTranscript from "@reflexion/copilot/CopilotTranscript"
import * as TranscriptReader from "@reflexion/core/TranscriptReader"
import type { TranscriptEvent } from "@reflexion/core/Transcript"
import * as GeminiTranscript from "@reflexion/gemini/GeminiTranscript"
import * as OpenCodeAgents from "@reflexion/opencode/OpenCodeAgents"
import * as OpenCodeTranscript from "@reflexion/opencode/OpenCodeTranscript"
import * as Decoding from "@reflexion/testing/samples/Decoding"
import * as Mangled from "@reflexion/testing/samples/Mangled"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { FastCheck as fc } from "effect"
import { readdirSync, readFileSync } from "node:fs"

const isNight = process.env["REFLEXION_TESTS"] === "night"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The shape of a value: its keys, and the words that say what kind of value it is. */
const shapeOf = (value: unknown, key = ""): string => {
  if (Array.isArray(value)) return `[${[...new Set(value.map((one) => shapeOf(one)))].join()}]`
  if (typeof value !== "object" || value === null)
    return ["type", "subtype", "role", "name", "tool", "status"].includes(key) ? String(value) : typeof value
  return `{${Object.entries(value).map(([name, part]) => `${name}:${shapeOf(part, name)}`)}}`
}

/** One value of each shape in a host's recordings; for OpenCode's exports, also their messages. */
const samplesOf = (host: Recordings.Recorded): ReadonlyArray<object> => {
  const folder = Recordings.folder(host)
  const values = readdirSync(folder)
    .filter((name) => /\.jsonl?$/.test(name) && name !== "index.json")
    .flatMap((name): ReadonlyArray<object> => {
      const text = readFileSync(`${folder}/${name}`, "utf8")
      if (name.endsWith(".json")) return [JSON.parse(text), ...JSON.parse(text).messages]
      return JSON.parse(`[${text.trim().replaceAll("\n", ",")}]`)
    })
    .filter((value) => JSON.stringify(value).length < 20_000)
  return [...new Map(values.map((value) => [shapeOf(value), value])).values()]
}

const large = "content text output message command cmd input arguments prompt error aggregated_output".split(" ")

/** The value with each text that a person, an agent or a program wrote replaced by this one. */
const enlarged = (value: unknown, text: string, key = ""): unknown => {
  if (typeof value === "string") return large.includes(key) ? text : value
  if (Array.isArray(value)) return value.map((one) => enlarged(one, text, key))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, enlarged(part, text, name)]))
}

const marks = "<system-reminder> </system-reminder> <command-name> <task-notification> <hook_prompt </hook_prompt> &lt;"

const printed = "Exit code 9|Chunk ID: a\n|Output:\n|Command: |(no output)\n|User aborted the command\n|rate limit"

const units = [
  ...`${marks} </shell_metadata> <metadata> tools. /* cmd:' ../ " \\ 9 (`.split(" "),
  ...printed.split("|")
]

const hosts = {
  "claude-code": ClaudeCodeTranscript,
  codex: CodexTranscript,
  opencode: OpenCodeTranscript,
  copilot: CopilotTranscript,
  gemini: GeminiTranscript
} as const

const parts = ["ses_1", "c1", "a1", "t1", Date.UTC(2026, 0, 1)]

/** What holds of the events of any record. */
const check = (events: ReadonlyArray<TranscriptEvent>, host: Recordings.Recorded): void => {
  const issued = new Set<string | null>()
  let turn = -1
  for (const one of events) {
    assert.isString(one.type)
    // OpenCode's exports and Gemini CLI's records only have calls that ended.
    if (one.type === "tool_call" && host !== "opencode" && host !== "gemini") {
      if (one.status === "pending") issued.add(one.id)
      assert.isTrue(issued.has(one.id))
    }
    if (one.type !== "user_message" || one.synthetic) continue
    assert.isAtLeast(one.turn ?? -1, turn)
    turn = one.turn ?? turn
  }
}

describe.each(Object.keys(hosts) as ReadonlyArray<Recordings.Recorded>)("the decoder of %s", (host) => {
  const steps = hosts[host]
  const samples = samplesOf(host)

  it("never throws on mangled lines, and decodes the same in chunks of any size", () => {
    const lines = fc.array(Mangled.line(samples, parts), { maxLength: 20 })
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 200 }), (all, size) => {
        const input = bytes(all.join("\n"))
        const whole = Decoding.decode(steps.decoder, input)
        assert.deepStrictEqual(Decoding.decode(steps.decoder, input, size).events, whole.events)
      })
    )
  })

  it("ends no call that was not issued, and numbers turns upwards, for any mangled values", () => {
    const values = fc.array(Mangled.value(samples, parts), { maxLength: 30 })
    fc.assert(
      fc.property(values, (all) => {
        const { skipped, ...decoding } = steps.decoder.start()
        check(all.flatMap((value) => [...decoding.push(value)]).concat(...decoding.end()), host)
        assert.isObject(skipped())
      })
    )
  })

  it("decodes a text full of any mark into small events", () => {
    for (const unit of units) {
      const much = unit.repeat(Math.floor(60_000 / unit.length))
      for (const sample of isNight ? samples : samples.slice(0, 5)) {
        const decoding = steps.decoder.start()
        const value = enlarged(sample, much)
        // A quadratic scan would reach the test's time limit.
        const events = [...decoding.push(value), ...decoding.push(value), ...decoding.end()]
        assert.isBelow(JSON.stringify(events).length, 3 * JSON.stringify(value).length + 10_000)
      }
    }
  })

  it("does not keep decoded records in memory", () => {
    const reader = TranscriptReader.make({ decoders: [steps.decoder] })
    const long = samples.map((sample) => enlarged(sample, "0123456789abcdef".repeat(256)))
    const most = (isNight ? 32 : 4) * 1024 * 1024
    const before = Decoding.heldBytes()
    let fed = 0
    for (let round = 0; fed < most; round += 1) {
      const lines = long.map((value) => JSON.stringify(value).replaceAll(/"(toolu|call|msg|prt)_\w+/g, `$&${round}`))
      const chunk = bytes(`${lines.join("\n")}\n`)
      reader.push(chunk)
      fed += chunk.length
    }
    assert.isBelow(Decoding.heldBytes() - before, 3 * 1024 * 1024)
  })
})

it("the reader of OpenCode's agents never throws", () => {
  fc.assert(
    fc.property(Mangled.value(samplesOf("opencode"), parts), (one) => {
      assert.isArray(OpenCodeAgents.children(one))
      for (const call of OpenCodeAgents.calls(one)) assert.isTrue(call.id?.startsWith(`${call.agentId}/`))
    })
  )
})
