import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sanitiseCodex } from "../src/scenarios/Sanitise.ts"
import * as ClaudeCodeScenarios from "../src/scenarios/ClaudeCodeScenarios.ts"
import * as CodexScenarios from "../src/scenarios/CodexScenarios.ts"
import * as OpenCodeScenarios from "../src/scenarios/OpenCodeScenarios.ts"
import * as Recordings from "../src/scenarios/Recordings.ts"

const sandbox = {
  root: "/tmp/reflexion-host-Ab1",
  home: "/tmp/reflexion-host-Ab1/home",
  workspace: "/tmp/reflexion-host-Ab1/home/shop",
  env: {}
}

const hosts = [
  ["claude-code", ClaudeCodeScenarios.all],
  ["codex", CodexScenarios.all],
  ["opencode", OpenCodeScenarios.all]
] as const

describe("Recordings", () => {
  it.effect.each(hosts)(
    "keeps every scenario of %s, described and expected as the scenario says",
    ([host, scenarios]) =>
      Effect.gen(function* () {
        const recordings = yield* Recordings.list(host)
        assert.deepStrictEqual(
          recordings.map(({ description, expected, name }) => ({ name, description, expected })),
          scenarios.map(({ description, expected, name }) => ({ name, description, expected }))
        )
      }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect.each(hosts)("of %s hold no prompt of the host's, no path of a machine and no key", ([host]) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      for (const recording of yield* Recordings.list(host)) {
        for (const file of [recording.file, ...recording.sidechains]) {
          const text = yield* fs.readFileString(file)
          assert.notMatch(
            text,
            /systemPrompt|"base_instructions":|"role":"developer","content":\[\{|input_schema|reflexion-host|\/root\/|sk-ant/,
            file
          )
          assert.include(text, "/home/dev/shop", file)
        }
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

const line = (type: string, payload: object) => ({ timestamp: "2026-01-01T00:00:00Z", ordinal: 1, type, payload })

describe("sanitise", () => {
  it("keeps what a rollout tells of the session, and not what the host told its model of itself", () => {
    const said = line("response_item", { type: "message", role: "user", content: [{ text: "hello" }] })
    const out = sanitiseCodex(
      sandbox,
      [
        line("session_meta", { id: "s", cwd: sandbox.workspace, base_instructions: { text: "secret" } }),
        line("response_item", { type: "message", role: "developer", content: [{ text: "secret" }] }),
        line("world_state", { state: "secret" }),
        line("compacted", { message: "secret", replacement_history: ["secret"], window_number: 1 }),
        said
      ]
        .map((value) => JSON.stringify(value))
        .join("\n")
    )
    assert.deepStrictEqual(
      out
        .trimEnd()
        .split("\n")
        .map((value) => JSON.parse(value)),
      [
        line("session_meta", { id: "s", cwd: "/home/dev/shop" }),
        line("response_item", { type: "message", role: "developer", content: [] }),
        line("world_state", {}),
        line("compacted", { window_number: 1 }),
        said
      ]
    )
  })
})
