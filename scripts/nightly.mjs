/** Tests that take too long before a merge: `npm run nightly`, or only some: `npm run nightly -- nodes patterns`. */
import { spawn } from "node:child_process"
import * as path from "node:path"

const root = path.dirname(import.meta.dirname)
const vitest = ["npx", "vitest", "run", "--project"]
const parts = {
  unit: [...vitest, "unit"],
  hosts: [...vitest, "hosts", "--project", "programs"],
  report: [...vitest, "report"],
  database: [...vitest, "database"],
  nodes: ["node", "scripts/nodes.mjs"],
  packages: ["node", "scripts/check-packages.mjs"],
  redaction: ["node", "scripts/check-redaction.mjs"],
  patterns: ["npx", "--yes", "--package", "recheck@4.5.0", "node", "scripts/check-patterns.mjs"],
  mutants: ["node", "scripts/mutants.mjs", "200"],
  api: ["npx", "--yes", "--package", "typedoc@0.28.20", "--package", "typescript@5.9.3", "typedoc"]
}
const kept = 3

const run = ([command, ...args]) =>
  new Promise((resolve) => {
    const env = { ...process.env, REFLEXION_TESTS: "night" }
    const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] })
    let tail = ""
    child.stdout.on("data", (chunk) => {
      process.stdout.write(chunk)
      tail = `${tail}${chunk}`.slice(-4000)
    })
    child.on("error", (error) => resolve({ status: error.message, last: [] }))
    child.on("close", (code, signal) =>
      resolve({ status: code ?? signal, last: tail.trimEnd().split("\n").slice(-kept) })
    )
  })

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  process.stderr.write(`nightly: no part ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}\n`)
  process.exit(2)
}

const found = []
for (const name of wanted.length > 0 ? wanted : Object.keys(parts)) {
  process.stdout.write(`\n== ${name}\n`)
  found.push({ name, ...(await run(parts[name])) })
}
process.stdout.write("\n")
for (const { last, name, status } of found) {
  process.stdout.write(`${status === 0 ? "ok     " : "FAILED "} ${name}\n`)
  for (const line of last) process.stdout.write(`          ${line}\n`)
}
process.exitCode = found.every(({ status }) => status === 0) ? 0 : 1
