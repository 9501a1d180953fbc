/**
 * Writes the pages that are made from the program, then runs and compiles the examples of all pages: `npm run docs`. With
 * `--check` a page that was not up to date is an error.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

const folder = path.join(import.meta.dirname, "..", "docs")
const pages = () =>
  new Map(
    fs
      .readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")])
  )

const run = (script) => {
  const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, script)], { stdio: "inherit" })
  if (status !== 0) process.exit(status ?? 1)
}

const before = pages()
for (const script of ["rules.mjs", "configuration.mjs"]) run(script)
const stale = [...pages()].filter(([name, text]) => before.get(name) !== text).map(([name]) => `docs/${name}`)
if (stale.length > 0 && process.argv.includes("--check")) {
  process.stderr.write(`${stale.join(", ")}: not what the program says. Run \`npm run docs\` and commit it.\n`)
  process.exitCode = 1
}
run("docExamples.mjs")
