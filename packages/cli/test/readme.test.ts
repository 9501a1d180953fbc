import { describe, expect, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

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

const withoutSpace = (text: string): string => text.replaceAll(/\s+/gu, "")

describe("docs/memory.md", () => {
  it("shows what the example has, which is compiled and run", () => {
    const example = withoutSpace(readFileSync(`${root}/examples/retry-loop.ts`, "utf8"))
    const shown = [
      ...readFileSync(`${root}/docs/memory.md`, "utf8").matchAll(
        /example:begin -->\s*```ts\n([^`]*(?:`[^`]+`[^`]*)*?)\n```/gu
      )
    ]
    expect(shown.length).toBe(2)
    for (const [, code = ""] of shown) expect(example).toContain(withoutSpace(code))
  })
})
