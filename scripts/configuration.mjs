/**
 * Writes the list of docs/configuration.md from what `reflexion doctor --show configuration` says: `npm run docs`. What
 * stands outside of the block is written by hand.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = path.dirname(import.meta.dirname)

const grouped = (text) => text.replace(/\d{4,}/gu, (digits) => digits.replace(/\B(?=(\d{3})+$)/gu, ","))

/** The schema's own words for what is allowed, as short as a table needs them. */
const short = (values) =>
  grouped(values)
    .replace(
      /^a (?:whole )?number(?: of (seconds|questions))? from (\S+) to ([\d,]+)/u,
      (_, what, from, to) => `${from} to ${to}${what === "seconds" ? " seconds" : ""}`
    )
    .replace(/^a whole number of tokens, at least 1$/u, "tokens")
    .replace(/^a name such as .*$/u, "`provider/model`")
    .replace(
      /^(?:a list of|a command of|1 to 40 letters|a gate's|the name of|an http or https|tokens|false, or) ?.*$/u,
      ""
    )
    .replaceAll(/"[^"]+"/gu, "`$&`")

const usual = ({ default: value, required }) => {
  if (required) return "required"
  if (value === undefined || JSON.stringify(value) === "[]" || JSON.stringify(value) === "{}") return ""
  return typeof value === "number" ? grouped(String(value)) : `\`${JSON.stringify(value)}\``
}

const said = ({ description, values }) => {
  const allowed = short(values)
  const isSaid =
    allowed === "" ||
    allowed
      .replaceAll('"', "")
      .split(/, | or /u)
      .every((one) => description.includes(one))
  return isSaid ? description : `${description} (${allowed})`
}

const line = (key) => {
  const value = usual(key)
  return `- \`${key.key}\`${value === "" ? "" : ` (${value})`}: ${said(key)}`
}

/** The page with its list filled in. */
export const fill = (page, keys) =>
  page.replace(
    /<!-- keys -->[^]*<!-- end of keys -->/u,
    `<!-- keys -->\n\n${keys.map(line).join("\n")}\n\n<!-- end of keys -->`
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "reflexion-docs-"))
  const words = [path.join(root, "packages", "cli", "dist", "bin.js"), "doctor", "--show", "configuration"]
  const env = { HOME: folder, PATH: process.env["PATH"] ?? "" }
  const out = execFileSync(process.execPath, [...words, "--format", "json"], { cwd: folder, env, encoding: "utf8" })
  fs.rmSync(folder, { recursive: true })
  const file = path.join(root, "docs", "configuration.md")
  fs.writeFileSync(file, fill(fs.readFileSync(file, "utf8"), JSON.parse(out).keys))
}
