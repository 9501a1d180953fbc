/**
 * Fills in the tables of docs/configuration.md from the Schema of the configuration: `npm run docs:configuration`. What
 * stands outside of the blocks is written by hand.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const block = /<!-- keys of (\S*?) ?-->\n[\s\S]*?<!-- end of keys -->/gu

const grouped = (text) => text.replace(/\d{4,}/gu, (digits) => digits.replace(/\B(?=(\d{3})+$)/gu, ","))

/** The same as in the file, and numbers as people write them. Of an object its own table says it. */
const fallback = ({ fallback: value, isRequired, words }) => {
  if (isRequired) return "required"
  if (words?.otherwise !== undefined) return words.otherwise
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "none"
  if (typeof value === "object") return ""
  return typeof value === "number" ? grouped(String(value)) : `\`${JSON.stringify(value)}\``
}

const cells = (key) => {
  const { allowed, name, type, words } = key
  const unit = words?.unit === undefined || allowed.includes(words.unit) ? "" : ` of ${words.unit}`
  const values = type === "object" ? "" : grouped(allowed.replace(/"[^"]+"/gu, (text) => `\`${text}\``))
  return [`\`${name}\``, `${type}${unit}`, values, fallback(key), words?.what ?? ""]
}

const row = (widths) => (texts) => `| ${texts.map((text, index) => text.padEnd(widths[index] ?? 0)).join(" | ")} |`

const table = (keys) => {
  const head = ["key", "type", "values", "default", "what it does"]
  const body = keys.map((key) => cells(key).map((text) => text.replaceAll("|", "\\|")))
  const widths = head.map((_, index) => Math.max(...[head, ...body].map((texts) => texts[index]?.length ?? 0)))
  return [head, widths.map((width) => "-".repeat(width)), ...body].map(row(widths)).join("\n")
}

const nameOf = ({ path: name }) => (name === "" ? "the-file" : name)

export const tables = (sections) => new Map(sections.map((section) => [nameOf(section), table(section.keys)]))

export const fill = (page, sections) => {
  const all = tables(sections)
  const found = [...page.matchAll(block)].map(([, name = ""]) => name)
  for (const name of all.keys()) {
    if (!found.includes(name)) {
      throw new Error(
        `docs/configuration.md says nothing of ${name}: put <!-- keys of ${name} --> and <!-- end of keys --> there`
      )
    }
  }
  return page.replace(block, (_, name) => {
    const text = all.get(name)
    if (text === undefined)
      throw new Error(`docs/configuration.md has a block for ${name}, which the Schema does not know`)
    return `<!-- keys of ${name} -->\n\n${text}\n\n<!-- end of keys -->`
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { sections } = await import(new URL("../packages/core/dist/session/config/ConfigReference.js", import.meta.url))
  const file = path.join(root, "docs", "configuration.md")
  fs.writeFileSync(file, fill(fs.readFileSync(file, "utf8"), sections))
}
