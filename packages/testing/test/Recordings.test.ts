import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { sanitiseCodex } from "../src/scenarios/Sanitise.ts"
import * as Scenarios from "../src/scenarios/Scenarios.ts"
import * as Recordings from "../src/scenarios/Recordings.ts"
import { worksWith } from "../../core/test/support/works.ts"

const onDisk = worksWith(NodeContext.layer)

const home = "/tmp/reflexion-host-Ab1/home"

const sandbox = { root: "/tmp/reflexion-host-Ab1", home, workspace: `${home}/shop`, env: {} }

describe.each<Recordings.Host>(["claude-code", "codex", "opencode"])("the recordings of %s", (host) => {
  onDisk("exist for each scenario, with its description and expectation", function* () {
    const recordings = yield* Recordings.list(host)
    for (const { description, expected, name } of Scenarios.of(host)) {
      const found = recordings.find((one) => one.name === name) ?? assert.fail(name)
      const { file: _, hostVersion: __, sidechains: ___, ...recorded } = found
      assert.deepStrictEqual(recorded, { name, description, expected }, name)
    }
  })

  onDisk("contain no host prompt, no machine path and no key", function* () {
    const fs = yield* FileSystem.FileSystem
    const foreign =
      /systemPrompt|"base_instructions":|"role":"developer","content":\[\{|input_schema|reflexion-host|\/root\/|sk-ant/
    for (const { file, sidechains } of yield* Recordings.list(host))
      for (const one of [file, ...sidechains]) {
        const text = yield* fs.readFileString(one)
        assert.notMatch(text, foreign, one)
        assert.include(text, "/home/dev/shop", one)
      }
  })
})

const line = (type: string, payload: object) => ({ timestamp: "2026-01-01T00:00:00Z", ordinal: 1, type, payload })

describe("sanitise", () => {
  it("keeps what a rollout says of the session, and drops the host's own prompts", () => {
    const said = line("response_item", { type: "message", role: "user", content: [{ text: "hello" }] })
    const given = [
      line("session_meta", { id: "s", cwd: sandbox.workspace, base_instructions: { text: "secret" } }),
      line("response_item", { type: "message", role: "developer", content: [{ text: "secret" }] }),
      line("world_state", { state: "secret" }),
      line("compacted", { message: "secret", replacement_history: ["secret"], window_number: 1 }),
      said
    ]
    const out = sanitiseCodex(sandbox, given.map((value) => JSON.stringify(value)).join("\n"))
    const kept = out.trimEnd().split("\n")
    assert.deepStrictEqual(JSON.parse(`[${kept.join()}]`), [
      line("session_meta", { id: "s", cwd: "/home/dev/shop" }),
      line("response_item", { type: "message", role: "developer", content: [] }),
      line("world_state", {}),
      line("compacted", { window_number: 1 }),
      said
    ])
  })
})
