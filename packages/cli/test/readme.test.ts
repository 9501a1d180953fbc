import { describe, expect, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { blocksOf, isPartOf } from "../../../scripts/markdownExamples.mjs"

const root = fileURLToPath(new URL("../../..", import.meta.url))

describe("README", () => {
  it("shows what the command really prints", () => {
    const [, command = "", shown = ""] =
      /```text\n\$ reflexion ([^\n]{1,300})\n\n([^`]*(?:`[^`]+`[^`]*)*?)\n```/.exec(
        readFileSync(`${root}/README.md`, "utf8")
      ) ?? []
    const { stdout } = spawnSync(process.execPath, ["packages/cli/dist/bin.js", ...command.split(" ")], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], COLUMNS: "100", NO_COLOR: "1" }
    })
    expect(stdout.trimEnd()).toBe(shown)
  })
})

describe("docs/memory.md", () => {
  it("shows what the example has, which is compiled and run", () => {
    const shown = blocksOf(readFileSync(`${root}/docs/memory.md`, "utf8")).filter(({ from }) => from !== undefined)
    expect(shown.length).toBe(2)
    for (const { code = "", from = "" } of shown) {
      expect({ code, isThere: isPartOf(code, readFileSync(`${root}/${from}`, "utf8")) }).toEqual({
        code,
        isThere: true
      })
    }
  })
})
