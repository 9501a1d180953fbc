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

const own = "opencode/small"

const env = (value: string) => ({ REFLEXION_MODEL: value })

describe("the model in force", () => {
  it.each<readonly [string, Parameters<typeof resolve>[0], string]>([
    ["off where nobody says one", {}, "off"],
    ["the user's", { user: { model: "auto" } }, "auto"],
    ["the environment's before the user's", { user: { model: "auto" }, env: env("openai/gpt-5") }, "openai/gpt-5"],
    ["the host's own small one where no source says one", { own }, own],
    ["the host's own small one under other settings of the user's", { own, user: { maxAttempts: 2 } }, own],
    ["the user's before the host's own", { own, user: { model: "openai/gpt-5" } }, "openai/gpt-5"],
    ["off by the user's word", { own, user: { model: "off" } }, "off"],
    ["off by the environment", { own, env: env("off") }, "off"],
    ["off by a plugin's options", { own, host: { model: "off" } }, "off"],
    ["off by a plugin's options before the user's", { host: { model: "off" }, user: { model: "auto" } }, "off"],
    ["off by a project's word", { own, workspace: { model: "off" } }, "off"],
    ["off by a trusted project's word", { own, workspace: { model: "off" }, trusted: true }, "off"],
    ["off by the user's before a plugin's choice", { own, host: { model: own }, user: { model: "off" } }, "off"],
    ["the user's before a project's off", { own, user: { model: "a/b" }, workspace: { model: "off" } }, "a/b"],
    ["no project's choice", { own, workspace: { model: "openai/gpt-5" } }, own],
    ["no project's choice of the host's own", { workspace: { model: own } }, "off"],
    ["no untrusted project's", { workspace: { model: "auto" } }, "off"],
    ["a trusted project's", { workspace: { model: "auto" }, trusted: true }, "auto"],
    [
      "a trusted project's before a plugin's",
      { own, host: { model: "x/y" }, workspace: { model: "a/b" }, trusted: true },
      "a/b"
    ],
    ["the environment's before a plugin's", { own, host: { model: "x/y" }, env: env("openai/gpt-5") }, "openai/gpt-5"],
    ["the host's own by the user's word", { user: { model: own } }, own]
  ])("is %s", (_, said, expected) => {
    assert.strictEqual(Either.getOrThrow(resolve(said)).model, expected)
  })

  it("of a host's own has none in its place that the user named for another", () => {
    const user = { models: { fallback: ["openai/gpt-5"] } }
    assert.deepStrictEqual(Either.getOrThrow(resolve({ own: "codex/small", user })).models.fallback, [])
    const named = { ...user, model: "codex/small" }
    assert.deepStrictEqual(Either.getOrThrow(resolve({ user: named })).models.fallback, ["openai/gpt-5"])
  })

  it.each(["auto", "elsewhere/large", own])("is not %s by a plugin's options, which may be a project's", (name) => {
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
  })

  it.each(["on", "gpt-5", "openai/"])("is never taken from an environment that says %s", (value) => {
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
