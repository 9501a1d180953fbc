import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as OpenCodeSettings from "../src/config/OpenCodeSettings.ts"

const said = (files: Readonly<Record<string, string>>, env: (home: string) => Readonly<Record<string, string>>) => {
  const home = mkdtempSync(join(tmpdir(), "reflexion-own-"))
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true })
      writeFileSync(join(home, name), text)
    }
    return OpenCodeSettings.smallModels({ HOME: home, ...env(home) })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

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
