import { assert, describe, it } from "@effect/vitest"
import type { Injection } from "@reflexion/core/AgentHost"
import { promptOf } from "../src/host/OpenCodeHost.ts"
import type { Last } from "../src/host/OpenCodeRecord.ts"

const injection: Injection = {
  text: "[reflexion 1/3] Go on.",
  attempt: 1,
  maxAttempts: 3,
  reviewId: "s1/1",
  userMessageId: "u1",
  silentSince: null,
  notice: ""
}

const last: Last = {
  userMessageId: "u1",
  agent: "build",
  model: { providerID: "anthropic", modelID: "claude-opus-4-5" },
  variant: "high"
}

const chosen = (model?: string) => {
  const prompt = promptOf({ ...injection, ...(model !== undefined && { model }) }, last)
  return [prompt.agent, prompt.model, prompt.variant]
}

describe("the feedback's message", () => {
  it("is for the session's agent and model, and as hard to think about", () => {
    assert.deepStrictEqual(chosen(), ["build", last.model, "high"])
    assert.deepStrictEqual(chosen("anthropic/claude-opus-4-5"), ["build", last.model, "high"])
    assert.deepStrictEqual(chosen("nonsense"), ["build", last.model, "high"])
  })

  it("is for the model that a route names, whose variants are its own", () => {
    const model = { providerID: "openrouter", modelID: "qwen/qwen3-coder" }
    assert.deepStrictEqual(chosen("openrouter/qwen/qwen3-coder"), ["build", model, null])
  })
})
