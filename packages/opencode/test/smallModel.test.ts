import { assert, describe, it } from "@effect/vitest"
import * as HostModels from "../src/models/HostModels.ts"

const model = (family: string, release_date: string) => ({ family, release_date })

const providers = [
  {
    id: "anthropic",
    models: {
      "claude-opus-4-5": model("claude-opus", "2025-11-24"),
      "claude-3-5-haiku": model("claude-haiku", "2024-10-22"),
      "claude-haiku-4-5": model("claude-haiku", "2025-10-15")
    }
  },
  {
    id: "openai",
    models: { "gpt-5": model("gpt", "2025-08-07"), "gpt-5-nano": model("gpt-nano", "2025-08-07") }
  },
  {
    id: "github-copilot",
    models: { "claude-haiku-4.5": model("claude-haiku", "2025-10-15"), mini: model("gpt-mini", "2025-08-13") }
  },
  { id: "azure", models: { "gpt-5-nano": model("gpt-nano", "2025-08-07") } },
  { id: "mine", models: { large: {}, tiny: {} } },
  { id: "plain", models: { quick: {} } }
]

const setup: HostModels.Setup = { providers, configured: null, own: [], fast: { plain: ["gone", "quick"] } }

const name = (provider: string, over: Partial<HostModels.Setup> = {}): string | null => {
  const found = HostModels.smallOf(provider, { ...setup, ...over })
  return found === null ? null : `${found.providerID}/${found.modelID}`
}

describe("the small model of a session's provider", () => {
  it("is the newest of a small family", () => {
    assert.deepStrictEqual(
      ["anthropic", "openai", "github-copilot"].map((provider) => name(provider)),
      ["anthropic/claude-haiku-4-5", "openai/gpt-5-nano", "github-copilot/mini"]
    )
  })

  it("is one of models.fast where the provider has no such family and offers it", () => {
    assert.deepStrictEqual([name("plain"), name("plain", { fast: { plain: ["gone"] } })], ["plain/quick", null])
  })

  it("is nobody of a provider that has none: one of the user's own, one whose models differ by account, one that is not set up", () => {
    assert.deepStrictEqual(
      ["mine", "azure", "elsewhere", "__proto__"].map((provider) => name(provider)),
      [null, null, null, null]
    )
  })

  it("is what small_model names, at the session's provider or where the user's own files say so", () => {
    assert.strictEqual(name("mine", { configured: "mine/tiny" }), "mine/tiny")
    assert.strictEqual(
      name("mine", { configured: "openai/gpt-5-nano", own: ["openai/gpt-5-nano"] }),
      "openai/gpt-5-nano"
    )
  })

  it("is no other provider's by the word of a project alone", () => {
    assert.strictEqual(name("anthropic", { configured: "openai/gpt-5" }), "anthropic/claude-haiku-4-5")
    assert.isNull(name("mine", { configured: "openai/gpt-5" }))
    // The project has replaced the user's by its own.
    assert.strictEqual(name("mine", { configured: "openai/gpt-5", own: ["openai/gpt-5-nano"] }), "openai/gpt-5-nano")
  })

  it("is none that the host does not have, no matter who names it", () => {
    assert.strictEqual(name("openai", { configured: "openai/gone", own: ["openai/gone"] }), "openai/gpt-5-nano")
    assert.isNull(name("mine", { configured: "nonsense", own: ["a/b", ""] }))
  })
})
