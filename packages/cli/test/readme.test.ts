import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { runCli } from "./runCli.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

const textOf = (page: string): string => readFileSync(join(root, page), "utf8")

const reflexion = (words: ReadonlyArray<string>): Promise<string> =>
  Effect.runPromise(Effect.map(runCli(words, { cwd: root, terminal: 100, env: { NO_COLOR: "1" } }), ({ out }) => out))

const parsed = (lines: string): ReadonlyArray<unknown> => lines.split("\n").map((line): unknown => JSON.parse(line))

/** Whether the record has everything that the excerpt has. "…" in a text stands for what is left out. */
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

const listed = (folder: string, file = ""): ReadonlyArray<string> =>
  readdirSync(join(root, folder)).map((name) => join(folder, name, file))

const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "evals/README.md"]
  .concat(listed("docs"), listed("packages", "README.md"))
  .filter((page) => page.endsWith(".md") && existsSync(join(root, page)))

/** The anchors that GitHub makes of a page's headings. */
const anchorsOf = (page: string): ReadonlyArray<string> =>
  [...textOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-")
  )

describe("README", () => {
  it("its example → what the program prints", async () => {
    const [, command = "", shown = ""] =
      /```text\n\$ reflexion ([^\n]+)\n\n([\s\S]*?)\n```\n/.exec(textOf("README.md")) ?? []
    expect((await reflexion(command.split(" "))).trimEnd()).toBe(shown)
  })
})

describe("docs/tour.md", () => {
  const page = textOf("docs/tour.md")
  const [, recording = ""] = /\n {4}node packages\/cli\/dist\/bin\.js judge (\S+)\n/.exec(page) ?? []

  it("the nudge and the verdict → what the judge says", async () => {
    const [, feedback = ""] = /```text\n(\[reflexion 1\/3\][^`]*(?:`[^`\n]+`[^`]*)*?)\n```/.exec(page) ?? []
    expect(JSON.parse(await reflexion(["judge", recording, "--format", "json"]))).toMatchObject({
      status: "incomplete",
      stop: { kind: "premature", pattern: "false_complete" },
      severity: "HIGH",
      confidence: 0.85,
      source: "evidence",
      feedback
    })
  })

  it("the shown lines of the record → unchanged excerpts of the record", () => {
    const [, shown = ""] = /```jsonl\n([\s\S]*?)\n```/.exec(page) ?? []
    const records = parsed(textOf(recording).trim())
    expect(parsed(shown).length).toBe(6)
    expect(parsed(shown).filter((excerpt) => !records.some((one) => isExcerptOf(excerpt, one)))).toEqual([])
  })
})

describe("links", () => {
  it.each(pages)("%s → each link leads to a file, and to a heading in it", (page) => {
    const broken = [...textOf(page).matchAll(/\]\((?!https?:)([^\s)#]*)(?:#([^\s)]+))?\)/g)].filter(
      ([, file = "", anchor]) => {
        const target = file === "" ? page : join(dirname(page), file)
        return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
      }
    )
    expect(broken.map(([link]) => link)).toEqual([])
  })
})

/** The commands in a page's blocks and between backticks, up to a pipe, a bracket or a comment. */
const commandsIn = (page: string): ReadonlyArray<ReadonlyArray<string>> => {
  const text = textOf(page)
  const blocks = [...text.matchAll(/^```sh\n[\s\S]*?^```$|^ {4}\S.*$/gm)].map(([block]) => block).join("\n")
  const inline = [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`(reflexion [^`\n]*)`/g)].map(
    ([, code]) => code
  )
  return [...[blocks, ...inline].join("\n").matchAll(/(?<![\w/-])reflexion ([a-z][^\n|#>;)]*)/g)].map(
    ([, words = ""]) => words.trim().split(/\s+/)
  )
}

describe("commands", () => {
  it.each(pages.filter((page) => page !== "CHANGELOG.md"))(
    "%s → each command and option is in the help",
    async (page) => {
      const whole = await reflexion(["--help"])
      const unknown: Array<string> = []
      for (const [name = "", ...words] of commandsIn(page)) {
        const verb = words.find((word) => /^[a-z]+$/.test(word))
        const options = words.filter((word) => /^--[a-z-]+$/.test(word) && word !== "--help")
        const pages = options.length === 0 ? [] : [[name], ...(verb === undefined ? [] : [[name, verb]])]
        const help = (await Promise.all(pages.map((one) => reflexion([...one, "--help"])))).join("")
        const isKnown = new RegExp(`(?:^|[^\\w-])${name}(?![\\w-])`).test(whole)
        if (!isKnown || options.some((option) => !help.includes(option))) unknown.push([name, ...words].join(" "))
      }
      expect(unknown).toEqual([])
    }
  )
})
