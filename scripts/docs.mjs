/** Writes the generated pages and runs all examples: `npm run docs`. With `--check`, an outdated page is an error. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as Rules from "../packages/core/dist/judge/rules/Rules.js"
import { printCommands } from "./commands.mjs"
import { fill } from "./configuration.mjs"
import { write } from "./rules.mjs"

const root = path.dirname(import.meta.dirname)
const page = (name) => path.join(root, "docs", name)

/** If there is no configuration, the command line shows all keys with their defaults. */
const keys = () => {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "reflexion-docs-"))
  const words = [path.join(root, "packages", "cli", "dist", "bin.js"), "doctor", "--show", "configuration"]
  const env = { HOME: cwd, PATH: process.env["PATH"] ?? "" }
  const out = execFileSync(process.execPath, [...words, "--format", "json"], { cwd, env, encoding: "utf8" })
  fs.rmSync(cwd, { recursive: true })
  return JSON.parse(out).keys
}

const made = {
  "rules.md": () => write(Rules),
  "configuration.md": (text) => fill(text, keys()),
  "cli.md": printCommands
}
const stale = Object.entries(made).filter(([name, make]) => {
  const before = fs.readFileSync(page(name), "utf8")
  const after = make(before)
  if (after !== before) fs.writeFileSync(page(name), after)
  return after !== before
})
if (stale.length > 0 && process.argv.includes("--check")) {
  const names = stale.map(([name]) => `docs/${name}`).join(", ")
  process.stderr.write(`${names}: not what the program says. Run \`npm run docs\` and commit it.\n`)
  process.exitCode = 1
}
await import("./docExamples.mjs")
