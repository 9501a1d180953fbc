import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as OpenCodeOwn from "../src/config/OpenCodeOwn.ts"

const said = (files: Readonly<Record<string, string>>, env: (home: string) => Readonly<Record<string, string>>) => {
  const home = mkdtempSync(join(tmpdir(), "reflexion-own-"))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true })
      writeFileSync(join(home, name), text)
    }
    return OpenCodeOwn.smallModels({ HOME: home, ...env(home) })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

describe("the models that the user's own files of OpenCode give plugins", () => {
  it("are those of their lists' pairs, and of nothing else", () => {
    const home = mkdtempSync(join(tmpdir(), "reflexion-own-"))
    try {
      mkdirSync(join(home, ".config/opencode"), { recursive: true })
      writeFileSync(
        join(home, ".config/opencode/opencode.jsonc"),
        `{ "model": "a/agent", "plugin": ["x", ["y"], ["z", { "model": "auto" }], ["v", { "model": 3 }],], // mine\n }`
      )
      const content = JSON.stringify({ plugin: [["z", { model: "opencode/p/m" }]] })
      assert.deepStrictEqual(OpenCodeOwn.pluginModels({ HOME: home, OPENCODE_CONFIG_CONTENT: content }), [
        "auto",
        "opencode/p/m"
      ])
      assert.deepStrictEqual(OpenCodeOwn.pluginModels({ HOME: join(home, "nobody") }), [])
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})

describe("what the user's own files of OpenCode call small", () => {
  it("is read from each of them, in the order in which OpenCode lays them over each other", () => {
    const files = {
      ".config/opencode/opencode.json": '{ "small_model": "a/json" }',
      ".config/opencode/opencode.jsonc": '{\n  // mine\n  "small_model": "a/jsonc",\n}',
      "mine.json": '{ "small_model": "a/named" }'
    }
    assert.deepStrictEqual(
      said(files, (home) => ({
        OPENCODE_CONFIG: join(home, "mine.json"),
        OPENCODE_CONFIG_CONTENT: '{ "small_model": "a/content" }'
      })),
      ["a/json", "a/jsonc", "a/named", "a/content"]
    )
    assert.deepStrictEqual(
      said({ "xdg/opencode/config.json": '{ "small_model": "a/xdg" }' }, (home) => ({
        XDG_CONFIG_HOME: join(home, "xdg")
      })),
      ["a/xdg"]
    )
  })

  it("is nothing where there is none, or no text can be made out", () => {
    const files = {
      ".config/opencode/config.json": "{",
      ".config/opencode/opencode.json": '{ "small_model": 3 }',
      ".config/opencode/opencode.jsonc/x": ""
    }
    assert.deepStrictEqual(
      said({}, () => ({})),
      []
    )
    assert.deepStrictEqual(
      said(files, () => ({ OPENCODE_CONFIG: "relative.json", OPENCODE_CONFIG_CONTENT: "no" })),
      []
    )
  })
})
