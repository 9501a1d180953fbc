import { describe, expect, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { blocksOf, isPartOf } from "../../../scripts/markdownExamples.mjs"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Whether everything in it stands in the record as well, texts with "…" in the place of what they leave out. */
const isExcerptOf = (excerpt: unknown, record: unknown): boolean => {
  if (typeof excerpt === "string") {
    let from = 0
    return (
      typeof record === "string" &&
      excerpt.split("…").every((part) => {
        const at = record.indexOf(part, from)
        from = at + part.length
        return at >= 0
      })
    )
  }
  if (typeof excerpt !== "object" || excerpt === null) return excerpt === record
  if (typeof record !== "object" || record === null) return false
  if (Array.isArray(excerpt))
    return Array.isArray(record) && excerpt.every((one) => record.some((other) => isExcerptOf(one, other)))
  const entries = new Map<string, unknown>(Object.entries(record))
  return Object.entries(excerpt).every(([key, value]) => isExcerptOf(value, entries.get(key)))
}

/** The blocks of a page that show a command and what it prints; a last line of "…" stands for the rest. */
const shownIn = (page: string): ReadonlyArray<{ readonly command: string; readonly shown: string }> =>
  [...page.matchAll(/```text\n\$ reflexion ([^\n]{1,300})\n\n([\s\S]*?)\n```\n/g)].map(
    ([, command = "", shown = ""]) => ({ command, shown })
  )

describe("README", () => {
  const blocks = shownIn(readFileSync(`${root}/README.md`, "utf8"))

  it("has two examples", () => {
    expect(blocks.length).toBe(2)
  })

  it.each(blocks)("shows what the program prints: $command", ({ command, shown }) => {
    const { stdout } = spawnSync(process.execPath, ["packages/cli/dist/bin.js", ...command.split(" ")], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], COLUMNS: "100", NO_COLOR: "1", HOME: "/nonexistent" }
    })
    const head = shown.endsWith("\n…") ? shown.slice(0, -1) : null
    expect(head === null ? stdout.trimEnd() : stdout.slice(0, head.length)).toBe(head ?? shown)
  })
})

const judged = (recording: string): unknown =>
  JSON.parse(
    spawnSync(process.execPath, ["packages/cli/dist/bin.js", "judge", recording, "--format", "json"], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: "/nonexistent" }
    }).stdout
  )

describe("docs/tour.md", () => {
  const page = readFileSync(`${root}/docs/tour.md`, "utf8")
  const [, recording = ""] = /\n {4}node packages\/cli\/dist\/bin\.js judge (\S+)\n/.exec(page) ?? []

  it("tells of the stop what the judge says", () => {
    const [, feedback = ""] = /```text\n(\[reflexion 1\/3\][^`]*(?:`[^`\n]+`[^`]*)*?)\n```/.exec(page) ?? []
    expect(judged(recording)).toMatchObject({
      status: "incomplete",
      stop: { kind: "premature", pattern: "false_complete" },
      severity: "HIGH",
      confidence: 0.85,
      source: "evidence",
      feedback
    })
  })

  it("shows lines of the session's record, of which it leaves something out and changes nothing", () => {
    const [, shown = ""] = /```jsonl\n([\s\S]*?)\n```/.exec(page) ?? []
    const lines = readFileSync(`${root}/${recording}`, "utf8").trim().split("\n")
    const records = lines.map((line): unknown => JSON.parse(line))
    const excerpts = shown.split("\n").map((line): unknown => JSON.parse(line))
    expect(excerpts.length).toBe(6)
    for (const excerpt of excerpts)
      expect({ excerpt, isThere: records.some((one) => isExcerptOf(excerpt, one)) }).toEqual({ excerpt, isThere: true })
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
