import { assert, describe, it } from "@effect/vitest"
import type * as Evidence from "../../src/session/evidence/Evidence.ts"
import * as ModelRouting from "../../src/model/calls/ModelRouting.ts"
import { defaults, merge, type PartialConfig } from "../../src/session/config/ReflexionConfig.ts"
import { groups, list, pairs } from "../support/rows.ts"

const config = (over: PartialConfig) => merge(defaults, over)

const same = pairs`
  anthropic/claude-sonnet-4-5 :: Anthropic/Claude-Sonnet-4-5
  anthropic/claude-sonnet-4-5 :: claude-sonnet-4-5-20250929
  anthropic/claude-sonnet-4-5 :: openrouter/anthropic/claude-sonnet-4.5
  openai/gpt-5 :: openai/gpt-5-2025-08-07
  openrouter/meta/llama-4:free :: meta/llama-4
  mistral/mistral-large-latest :: mistral/mistral-large
  claude-code/claude-opus-4-6[1m] :: claude-opus-4-6
  local/coder :: coder
  ollama/qwen3:latest :: qwen3
  bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0 :: anthropic/claude-sonnet-4-5
  bedrock/eu.anthropic.claude-opus-4-6-v1:0 :: global.anthropic.claude-opus-4-6-v1:0
  vertex/claude-sonnet-4-5@20250929 :: claude-sonnet-4-5
`

const other = pairs`
  ollama/qwen3:8b :: ollama/qwen3:32b
  ollama/qwen2.5-coder:7b :: qwen2.5-coder:14b
  ollama/qwen3:8b :: qwen3
  anthropic/claude-sonnet-4-0 :: anthropic/claude-sonnet-4-5
  deepseek/deepseek-v3 :: deepseek/deepseek-v2
  openai/gpt-5 :: openai/gpt-5.1
  openai/gpt-5 :: openai/gpt-5-mini
  local/coder :: coder-mini
  openai/gpt-5.5 :: <synthetic>
`

const fast = (provider: string, over: PartialConfig = {}) => ModelRouting.fast(config(over), provider)

const edit = (path: string): Evidence.Edit => {
  const kind = path.startsWith("/") ? "outside" : "source"
  return { path, kind, order: 1, callId: null }
}

describe("ModelRouting", () => {
  it.each([...same.map((pair) => [...pair, true] as const), ...other.map((pair) => [...pair, false] as const)])(
    "knows a model under another name: %s and %s: %s",
    (one, two, isSame) => {
      assert.strictEqual(ModelRouting.isSame(one, two), isSame)
      assert.strictEqual(ModelRouting.isSame(two, one), isSame)
    }
  )

  it("the text before the first slash is the provider", () => {
    const found = { provider: "openrouter", model: "meta/llama-4:free" }
    assert.deepStrictEqual(ModelRouting.parse("openrouter/meta/llama-4:free"), found)
    for (const name of ["", "gpt-5", "/gpt-5", "openai/"]) assert.isNull(ModelRouting.parse(name))
  })

  it("recognizes a host's own small model, and waits at most 20 seconds for it", () => {
    for (const name of list`opencode/small ¦ kilo/small ¦ claude-code/small ¦ codex/small`) {
      assert.isTrue(ModelRouting.isOwn(name))
      assert.strictEqual(ModelRouting.patience({ ...defaults, model: name }), 20)
      assert.strictEqual(ModelRouting.patience({ model: name, models: { ...defaults.models, timeout: 7 } }), 7)
    }
    for (const name of list`local/small ¦ codex/default ¦ codex/small-2 ¦ small`) {
      assert.isFalse(ModelRouting.isOwn(name))
      assert.strictEqual(ModelRouting.patience({ ...defaults, model: name }), 60)
    }
  })

  const weak = groups`
    haiku :: anthropic/claude-haiku-4-5
    mini :: openai/gpt-5-mini ¦ openai/o4-mini-high
    nano :: openai/GPT-4.1-Nano
    flash :: google/gemini-2.5-flash ¦ google/gemini-2.5-flash-lite ¦ openrouter/google/gemini_3_flash
    8b :: ollama/llama3.1:8b
    4b :: ollama/gemma3:4b
    6b :: ollama/qwen3:0.6b
    fast :: xai/grok-4-fast
    null :: anthropic/claude-sonnet-4-5 ¦ anthropic/claude-opus-4-5 ¦ openai/gpt-5.1 ¦ google/gemini-2.5-pro ¦ mini/gpt-5
    null :: openrouter/minimax/minimax-m2 ¦ ollama/llama3.1:70b ¦ ollama/gemma3:27b ¦ ollama/qwen3:14b ¦ x/breakfast
    null :: ollama/qwen3:30b-a3b ¦ nanolabs/nanobot
  `

  it.each(weak)("finds the models that are too weak to judge: %s", (pattern, ...names) => {
    for (const name of names) assert.strictEqual(`${ModelRouting.weakIn(config({}), name)}`, pattern, name)
  })

  it.each<readonly [string, string, string | null]>([
    ["ollama/gemma3", "ollama/*", "ollama/*"],
    ["my/ollama/gemma3", "ollama/*", null],
    ["openai/gpt-4o-mini", "4o-mini", "4o-mini"],
    ["openai/gpt-5", "", null]
  ])("a pattern with a star matches the whole name, any other a word: %s, %s", (name, pattern, found) =>
    assert.strictEqual(ModelRouting.weakIn(config({ models: { weak: [pattern] } }), name), found)
  )

  it.each<readonly [string, PartialConfig, string, string]>([
    ["nothing where models are off", { models: { fallback: ["a/b"] } }, "anthropic", ""],
    ["each once", { model: "a/x", models: { fallback: ["b/y", "a/x", "c/z"] } }, "", "a/x b/y c/z"],
    ["the fallbacks for auto", { model: "auto", models: { fallback: ["b/y"] } }, "openai anthropic", "b/y"],
    ["the environment", { model: "auto" }, "openai anthropic x", "openai/gpt-5.1 anthropic/claude-sonnet-4-5"],
    ["nobody", { model: "auto" }, "", ""]
  ])("tries %s", (_, over, keyed, expected) =>
    assert.strictEqual(ModelRouting.order(config(over), keyed.split(" ")).join(" "), expected)
  )

  it("lists a provider's fast models, best first, or those that are configured", () => {
    assert.strictEqual(fast("anthropic")[0], "anthropic/claude-haiku-4-5")
    for (const provider of ["openai", "google", "github-copilot"]) assert.lengthOf(fast(provider), 2)
    assert.deepStrictEqual(fast("ollama"), [])
    assert.deepStrictEqual(fast("ollama", { models: { fast: { ollama: ["qwen3:4b"] } } }), ["ollama/qwen3:4b"])
    assert.deepStrictEqual(fast("openai", { models: { fast: { openai: [] } } }), [])
  })

  const edited = groups`
    frontend :: src/App.tsx
    frontend :: web/src/cart.ts ¦ web/src/cart.css ¦ README.md
    frontend :: packages/ui/src/index.ts
    backend :: internal/store/store.go
    backend :: src/server/routes.ts ¦ src/server/db.ts
    backend :: db/migrations/001_init.sql ¦ src/App.tsx ¦ api/users.py
    backend :: a/App.tsx ¦ a/App.tsx ¦ a/App.tsx ¦ b/x.py ¦ c/y.py ¦ /tmp/z.tsx
    architecture :: docs/adr/0007-queues.md
    architecture :: infra/main.tf ¦ infra/vars.tf
    null :: src/index.ts ¦ package.json
    null :: src/App.tsx ¦ server/app.py
  `

  it.each(edited)("names the kind of work by the edited files: %s: %s", (expected, ...paths) =>
    assert.strictEqual(`${ModelRouting.categoryOf(paths.map(edit))}`, expected)
  )

  const both = { backend: "a/b", default: "c/d" }

  it.each<readonly [string, PartialConfig["routing"] & object, ReadonlyArray<string>, object | null]>([
    ["not at all", {}, ["a.go"], null],
    ["to its category's", both, ["a.go"], { category: "backend", model: "a/b" }],
    ["to the default", both, ["a.css"], { category: "frontend", model: "c/d" }],
    ["to the default without an edit", both, [], { category: "default", model: "c/d" }],
    ["not without one", { backend: "a/b" }, [], null]
  ])("routes feedback as the configuration says: %s", (_, routing, paths, expected) =>
    assert.deepStrictEqual(ModelRouting.route(config({ routing }), { evidence: { edits: paths.map(edit) } }), expected)
  )
})
