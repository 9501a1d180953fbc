import { assert, describe, it } from "@effect/vitest"
import type * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { Either } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ConfigSources from "../src/config/ConfigSources.ts"
import * as Trust from "../src/config/Trust.ts"
import * as UserDirectories from "../src/places/UserDirectories.ts"

type Said = ReflexionConfig.PartialConfig

const file = (said: Said | undefined) => (said === undefined ? null : { file: "f", text: JSON.stringify(said) })

/** In a project of its own, where there is one: a workspace is made of what lies on the disk, and of nothing else. */
const resolve = (said: {
  readonly user?: Said
  readonly env?: Readonly<Record<string, string>>
  readonly host?: Said
  readonly workspace?: Said
  readonly trusted?: boolean
  readonly own?: string
}) => {
  const home = mkdtempSync(join(tmpdir(), "reflexion-sources-"))
  try {
    const directories = UserDirectories.make({ HOME: home })
    const root = join(home, "shop")
    const text = file(said.workspace)?.text
    mkdirSync(join(root, ".reflection"), { recursive: true })
    if (text !== undefined) writeFileSync(join(root, ".reflection", "config.json"), text)
    if (said.trusted === true) Trust.trust(directories, Trust.Workspace.at(directories, root))
    return ConfigSources.resolve({
      user: file(said.user),
      env: said.env ?? {},
      ...(said.host !== undefined && { host: said.host }),
      ...(said.own !== undefined && { own: said.own }),
      workspace: Trust.Workspace.at(directories, root)
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const model = (said: Parameters<typeof resolve>[0]) => Either.getOrThrow(resolve(said)).model

const env = (value: string) => ({ REFLEXION_MODEL: value })

describe("the model in force", () => {
  it("is the user's: the environment's over the file's", () => {
    assert.strictEqual(model({}), "off")
    assert.strictEqual(model({ user: { model: "auto" } }), "auto")
    assert.strictEqual(model({ user: { model: "auto" }, env: env("openai/gpt-5") }), "openai/gpt-5")
  })

  it("is the host's own small one only where no source says one, and no project can choose it", () => {
    const own = "claude-code/small"
    assert.strictEqual(model({ own }), own)
    assert.strictEqual(model({ own, user: { maxAttempts: 1 }, workspace: { maxAttempts: 1 } }), own)
    assert.strictEqual(model({ own, user: { model: "off" } }), "off")
    assert.strictEqual(model({ own, user: { model: "openai/gpt-5" } }), "openai/gpt-5")
    assert.strictEqual(model({ own, env: env("off") }), "off")
    assert.strictEqual(model({ own, host: { model: "off" } }), "off")
    assert.strictEqual(model({ own, workspace: { model: "off" }, trusted: true }), "off")
    assert.strictEqual(model({ own, workspace: { model: "openai/gpt-5" } }), own)
    assert.strictEqual(model({ workspace: { model: own } }), "off")
    assert.strictEqual(model({ user: { model: own } }), own)
  })

  it("of a host's own has none in its place that the user named for another", () => {
    const user = { models: { fallback: ["openai/gpt-5"] } }
    assert.deepStrictEqual(Either.getOrThrow(resolve({ own: "codex/small", user })).models.fallback, [])
    const named = { ...user, model: "codex/small" }
    assert.deepStrictEqual(Either.getOrThrow(resolve({ user: named })).models.fallback, ["openai/gpt-5"])
  })

  it("is none by a plugin's options, which may be a project's, but for \"off\"", () => {
    const own = "opencode/small"
    assert.strictEqual(model({ own, host: { model: "off" } }), "off")
    assert.strictEqual(model({ host: { model: "off" }, user: { model: "auto" } }), "off")
    for (const name of ["auto", "elsewhere/large", own]) {
      const host = { model: name }
      for (const said of [
        {},
        { workspace: { model: "auto" } },
        { workspace: { maxAttempts: 1 }, trusted: true }
      ] as const) {
        const problem = Either.getOrThrow(Either.flip(resolve({ own, host, ...said })))
        assert.include(problem, JSON.stringify(name))
        assert.include(problem, "your own configuration")
      }
      assert.strictEqual(model({ own, host, user: { model: "off" } }), "off")
      assert.strictEqual(model({ own, host, env: env("openai/gpt-5") }), "openai/gpt-5")
      assert.strictEqual(model({ own, host, workspace: { model: "a/b" }, trusted: true }), "a/b")
    }
  })

  it("is a workspace's only where the user trusts it", () => {
    assert.strictEqual(model({ workspace: { model: "auto" } }), "off")
    assert.strictEqual(model({ workspace: { model: "auto" }, trusted: true }), "auto")
  })

  it("is the host's own small one where nobody says one, and none by the word of anybody, trusted or not", () => {
    const own = "opencode/small"
    assert.deepStrictEqual(
      [model({ own }), model({ own, workspace: { model: "auto" } }), model({ own, user: { maxAttempts: 2 } })],
      [own, own, own]
    )
    for (const said of [{ user: { model: "off" } }, { env: env("off") }, { host: { model: "off" } }] as const)
      assert.strictEqual(model({ own, ...said }), "off")
    for (const trusted of [true, false]) assert.strictEqual(model({ own, workspace: { model: "off" }, trusted }), "off")
    assert.strictEqual(model({ own, user: { model: "off" }, host: { model: own } }), "off")
    assert.strictEqual(model({ own, user: { model: "a/b" }, workspace: { model: "off" } }), "a/b")
  })

  it("is never taken from an environment that says something else", () => {
    for (const value of ["on", "gpt-5", "openai/"])
      assert.deepStrictEqual(
        resolve({ env: env(value) }),
        Either.left("REFLEXION_MODEL: must be off, auto or provider/model")
      )
  })

  it("lets a plugin's options choose neither providers nor commands", () => {
    const host = {
      models: { providers: { openai: { api: "openai", url: "https://elsewhere.example" } } },
      checks: [{ name: "tests", command: "curl x", timeout: 60 }]
    } as const
    const { checks, models } = Either.getOrThrow(resolve({ host }))
    assert.deepStrictEqual([models.providers, checks], [{}, []])
  })
})
