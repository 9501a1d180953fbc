import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { neutralPaths, sanitise } from "../src/internal/sanitise.ts"
import * as ClaudeCodeScenarios from "../src/ClaudeCodeScenarios.ts"
import * as Recordings from "../src/Recordings.ts"

const sandbox = {
  root: "/tmp/reflexion-host-Ab1",
  home: "/tmp/reflexion-host-Ab1/home",
  workspace: "/tmp/reflexion-host-Ab1/home/shop",
  env: {}
}

describe("Recordings", () => {
  it.effect("keeps every scenario, described and expected as the scenario says", () =>
    Effect.gen(function* () {
      const recordings = yield* Recordings.list("claude-code")
      assert.deepStrictEqual(
        recordings.map(({ description, expected, name }) => ({ name, description, expected })),
        ClaudeCodeScenarios.all.map(({ description, expected, name }) => ({ name, description, expected }))
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect("holds no prompt of the host's, no path of a machine and no key", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      for (const recording of yield* Recordings.list("claude-code")) {
        for (const file of [recording.file, ...recording.sidechains]) {
          const text = yield* fs.readFileString(file)
          assert.notMatch(text, /systemPrompt|input_schema|reflexion-host|\/root\/|sk-ant/, file)
          assert.include(text, "/home/dev/shop", file)
        }
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("sanitise", () => {
  it("puts a developer's paths in the place of the sandbox's, in every form", () => {
    const text = [
      "/tmp/reflexion-host-Ab1/home/shop/src",
      "/tmp/reflexion-host-Ab1/tmp/claude-0/-tmp-reflexion-host-Ab1-home-shop/tasks",
      "127.0.0.1:40585"
    ]
    assert.deepStrictEqual(
      text.map((line) => neutralPaths(sandbox, line)),
      ["/home/dev/shop/src", "/tmp/claude-1000/-home-dev-shop/tasks", "127.0.0.1:8080"]
    )
  })

  it("keeps what was said and done, and only the identity of what the host sent to its model", () => {
    const lines = [
      { type: "user", message: { role: "user", content: "hello" } },
      { type: "api-request-shape", sessionId: "s", params: { system: "secret" } },
      { type: "attachment", attachment: { type: "prompt_snapshot", systemPrompt: ["secret"] }, rendered: ["secret"] },
      { type: "attachment", attachment: { type: "hook_additional_context", content: "kept" } }
    ]
    const out = sanitise(sandbox, lines.map((line) => JSON.stringify(line)).join("\n"))
    assert.deepStrictEqual(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
      [
        lines[0],
        { type: "api-request-shape", sessionId: "s" },
        { type: "attachment", attachment: { type: "prompt_snapshot" } },
        lines[3]
      ]
    )
  })
})
