import { assert, describe, it } from "@effect/vitest"
import type * as Evidence from "../../src/session/evidence/Evidence.ts"
import * as ModelRouting from "../../src/model/calls/ModelRouting.ts"
import { defaults, merge, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"

const config = (over: PartialConfig) => merge(defaults, over)

const names = (over: PartialConfig, keyed: ReadonlyArray<string> = []) => ModelRouting.order(config(over), keyed)

const by = (name: string, weak?: ReadonlyArray<string>) =>
  ModelRouting.weakIn(config(weak === undefined ? {} : { models: { weak } }), name)

const fast = (provider: string, over: PartialConfig = {}) => ModelRouting.fast(config(over), provider)

const edit = (path: string, kind: Evidence.Edit["kind"] = "source"): Evidence.Edit => ({
  path,
  kind,
  order: 1,
  callId: null
})

const category = (...paths: ReadonlyArray<string>) => ModelRouting.categoryOf(paths.map((path) => edit(path)))

const route = (routing: PartialConfig["routing"], ...paths: ReadonlyArray<string>) =>
  ModelRouting.route(config({ routing: routing ?? {} }), { evidence: { edits: paths.map((path) => edit(path)) } })

describe("ModelRouting", () => {
  describe("isSame", () => {
    const pairs: ReadonlyArray<readonly [string, string, boolean]> = [
      ["anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5", true],
      ["anthropic/claude-sonnet-4-5", "Anthropic/Claude-Sonnet-4-5", true],
      ["anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929", true],
      ["anthropic/claude-sonnet-4-5", "openrouter/anthropic/claude-sonnet-4.5", true],
      ["openai/gpt-5", "openai/gpt-5-2025-08-07", true],
      ["openrouter/meta/llama-4:free", "meta/llama-4", true],
      ["mistral/mistral-large-latest", "mistral/mistral-large", true],
      ["claude-code/claude-opus-4-6[1m]", "claude-opus-4-6", true],
      ["local/coder", "coder", true],
      ["ollama/qwen3:latest", "qwen3", true],
      ["bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic/claude-sonnet-4-5", true],
      ["bedrock/eu.anthropic.claude-opus-4-6-v1:0", "global.anthropic.claude-opus-4-6-v1:0", true],
      ["vertex/claude-sonnet-4-5@20250929", "claude-sonnet-4-5", true],
      ["ollama/qwen3:8b", "ollama/qwen3:32b", false],
      ["ollama/qwen2.5-coder:7b", "qwen2.5-coder:14b", false],
      ["ollama/qwen3:8b", "qwen3", false],
      ["anthropic/claude-sonnet-4-0", "anthropic/claude-sonnet-4-5", false],
      ["deepseek/deepseek-v3", "deepseek/deepseek-v2", false],
      ["openai/gpt-5", "openai/gpt-5.1", false],
      ["openai/gpt-5", "openai/gpt-5-mini", false],
      ["local/coder", "coder-mini", false],
      ["openai/gpt-5.5", "<synthetic>", false]
    ]
    for (const [one, other, same] of pairs)
      it(`${one} and ${other}: ${same ? "one" : "two"}`, () => {
        assert.strictEqual(ModelRouting.isSame(one, other), same)
        assert.strictEqual(ModelRouting.isSame(other, one), same)
      })
  })

  describe("parse", () => {
    it("takes what is before the first slash for the provider", () => {
      assert.deepStrictEqual(ModelRouting.parse("openrouter/meta/llama-4:free"), {
        provider: "openrouter",
        model: "meta/llama-4:free"
      })
      for (const name of ["", "gpt-5", "/gpt-5", "openai/"]) assert.isNull(ModelRouting.parse(name))
    })
  })

  describe("a host's own small model", () => {
    it("is small on purpose, and is waited for no longer than 20 seconds", () => {
      for (const name of ["opencode/small", "claude-code/small", "codex/small"]) {
        assert.isTrue(ModelRouting.isOwn(name))
        assert.strictEqual(ModelRouting.patience({ ...defaults, model: name }), 20)
        const models = { ...defaults.models, timeout: 7 }
        assert.strictEqual(ModelRouting.patience({ model: name, models }), 7)
      }
      for (const name of ["local/small", "codex/default", "codex/small-2", "small"]) {
        assert.isFalse(ModelRouting.isOwn(name))
        assert.strictEqual(ModelRouting.patience({ ...defaults, model: name }), 60)
      }
    })
  })

  describe("weakBy", () => {
    it.each([
      ["anthropic/claude-haiku-4-5", "haiku"],
      ["openai/gpt-5-mini", "mini"],
      ["openai/o4-mini-high", "mini"],
      ["openai/GPT-4.1-Nano", "nano"],
      ["google/gemini-2.5-flash", "flash"],
      ["google/gemini-2.5-flash-lite", "flash"],
      ["openrouter/google/gemini_3_flash", "flash"],
      ["ollama/llama3.1:8b", "8b"],
      ["ollama/gemma3:4b", "4b"],
      ["ollama/qwen3:0.6b", "6b"],
      ["xai/grok-4-fast", "fast"]
    ])("excludes %s by %j", (name, pattern) => {
      assert.strictEqual(by(name), pattern)
    })

    it.each([
      "anthropic/claude-sonnet-4-5",
      "anthropic/claude-opus-4-5",
      "openai/gpt-5.1",
      "google/gemini-2.5-pro",
      "openrouter/minimax/minimax-m2",
      "mini/gpt-5",
      "ollama/llama3.1:70b",
      "ollama/gemma3:27b",
      "ollama/qwen3:14b",
      "ollama/qwen3:30b-a3b",
      "nanolabs/nanobot",
      "x/breakfast"
    ])("leaves %s to judge", (name) => {
      assert.isNull(by(name))
    })

    it("takes a pattern with a star for the whole name, and any other for a word", () => {
      assert.strictEqual(by("ollama/gemma3", ["ollama/*"]), "ollama/*")
      assert.isNull(by("my/ollama/gemma3", ["ollama/*"]))
      assert.strictEqual(by("openai/gpt-4o-mini", ["4o-mini"]), "4o-mini")
      assert.isNull(by("openai/gpt-5-mini", []))
      assert.isNull(by("openai/gpt-5", [""]))
    })
  })

  describe("order", () => {
    it("has nothing to try when models are off", () => {
      assert.deepStrictEqual(names({ models: { fallback: ["a/b"] } }, ["anthropic"]), [])
    })

    it("tries the model, then the fallbacks in their order, each once", () => {
      assert.deepStrictEqual(names({ model: "a/x", models: { fallback: ["b/y", "a/x", "c/z"] } }), [
        "a/x",
        "b/y",
        "c/z"
      ])
    })

    it("takes the fallbacks for auto, and the environment only without them", () => {
      const keyed = ["openai", "anthropic", "somewhere"]
      assert.deepStrictEqual(names({ model: "auto", models: { fallback: ["b/y"] } }, keyed), ["b/y"])
      assert.deepStrictEqual(names({ model: "auto" }, keyed), ["openai/gpt-5.1", "anthropic/claude-sonnet-4-5"])
      assert.deepStrictEqual(names({ model: "auto" }), [])
    })
  })

  describe("fast", () => {
    it("has the best of a provider first, and none of one that nobody knows", () => {
      assert.strictEqual(fast("anthropic")[0], "anthropic/claude-haiku-4-5")
      for (const provider of ["openai", "google", "github-copilot"]) assert.lengthOf(fast(provider), 2)
      assert.deepStrictEqual(fast("ollama"), [])
    })

    it("is what the configuration lists", () => {
      assert.deepStrictEqual(fast("ollama", { models: { fast: { ollama: ["qwen3:4b"] } } }), ["ollama/qwen3:4b"])
      assert.deepStrictEqual(fast("openai", { models: { fast: { openai: [] } } }), [])
    })
  })

  describe("categoryOf", () => {
    it.each([
      ["frontend", ["src/App.tsx"]],
      ["frontend", ["web/src/cart.ts", "web/src/cart.css", "README.md"]],
      ["frontend", ["packages/ui/src/index.ts"]],
      ["backend", ["internal/store/store.go"]],
      ["backend", ["src/server/routes.ts", "src/server/db.ts"]],
      ["backend", ["db/migrations/001_init.sql", "src/App.tsx", "api/users.py"]],
      ["architecture", ["docs/adr/0007-queues.md"]],
      ["architecture", ["infra/main.tf", "infra/vars.tf"]],
      [null, ["src/index.ts", "package.json"]],
      [null, ["src/App.tsx", "server/app.py"]],
      [null, []]
    ])("is %s where %j were edited", (expected, paths) => {
      assert.strictEqual(category(...paths), expected)
    })

    it("counts no file outside the project, and one that was edited often once", () => {
      const edits = [...Array(9).fill(edit("a/App.tsx")), edit("b/x.py"), edit("c/y.py"), edit("/tmp/z.tsx", "outside")]
      assert.strictEqual(ModelRouting.categoryOf(edits), "backend")
    })
  })

  it("routes feedback only where the configuration says so", () => {
    const [back, front] = ["a.go", "a.css"]
    assert.isNull(route({}, back))
    const routing = { backend: "a/b", default: "c/d" }
    assert.deepStrictEqual(route(routing, back), { category: "backend", model: "a/b" })
    assert.deepStrictEqual(route(routing, front), { category: "frontend", model: "c/d" })
    assert.deepStrictEqual(route(routing), { category: "default", model: "c/d" })
    assert.isNull(route({ backend: "a/b" }))
  })
})
