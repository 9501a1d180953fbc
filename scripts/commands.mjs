/** Runs the lines of docs/cli.md that begin with `$ ` and inserts their output. Part of `npm run docs`. */
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

const root = path.dirname(import.meta.dirname)
const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "reflexion-page-")))
const project = path.join(home, "shop")
const programs = path.join(home, ".programs")

const put = (file, text, mode = 0o644) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text, { mode })
}

const ago = (hours) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** A home with Claude Code's folder, a project with tests, and a PATH with only the named programs. */
const build = () => {
  for (const name of ["bash", "cat", "env", "git", "head", "sh", "tail"]) {
    const found = (process.env.PATH ?? "")
      .split(path.delimiter)
      .map((folder) => path.join(folder, name))
      .find((file) => fs.existsSync(file))
    if (found === undefined) throw new Error(`${name} is not on PATH: install it, then run this again`)
    fs.mkdirSync(programs, { recursive: true })
    fs.symlinkSync(found, path.join(programs, name))
  }
  fs.symlinkSync(process.execPath, path.join(programs, "node"))
  const bin = process.env.REFLEXION_CLI ?? path.join(root, "packages", "cli", "dist", "bin.js")
  put(path.join(programs, "reflexion"), `#!/bin/sh\nexec node "${bin}" "$@"\n`, 0o755)
  fs.mkdirSync(path.join(home, ".claude"))
  put(path.join(project, "package.json"), `${JSON.stringify({ name: "shop", scripts: { test: "node --test" } })}\n`)
  put(path.join(project, "cart.test.js"), 'require("node:test").test("takes ten percent off", () => {})\n')
  put(path.join(project, ".reflection", "config.json"), '{ "gates": [{ "name": "e2e", "command": "make e2e" }] }\n')
  const failure = { taskId: "shop", subtaskId: "shop/cart", failureType: "test_failure" }
  put(
    path.join(project, "failure.json"),
    `${JSON.stringify({ ...failure, errorOutput: "not ok 1 - takes ten percent off\nexpected: 45\nactual: 49.9" })}\n`
  )
  const outcome = { taskId: "nightly-deploy", sessionId: "s1", objective: "Deploy the shop.", status: "failed" }
  const outcomes = [3, 2, 1].map((hour) => ({ id: `o${hour}`, ...outcome, durationMs: 61_000, at: ago(hour) }))
  put(path.join(project, "outcomes.jsonl"), outcomes.map((one) => `${JSON.stringify(one)}\n`).join(""))
  execFileSync("git", ["init", "-q", project])
}

const [today, yesterday] = [0, 24].map((hours) => ago(hours).slice(0, 10))
const now = new RegExp(`(?:${today}|${yesterday})[T ]\\d\\d:\\d\\d(?::[\\d.]+)?Z?`, "gu")

/** Replaces the parts that differ between runs. */
const steady = (text) =>
  text
    .replaceAll(home, "~")
    .replaceAll(process.execPath, "/usr/bin/node")
    .replaceAll(/(\d\.\d\.\d)-[0-9a-f]{8}\b/gu, "$1-…")
    .replaceAll(/\b\d+ ms\b/gu, "… ms")
    .replaceAll(now, "2026-01-31 10:00")
    .replaceAll(/[ \t]+$/gmu, "")
    .trimEnd()

const env = { HOME: home, PATH: programs, TZ: "UTC", LANG: "C.UTF-8", COLUMNS: "90", NO_COLOR: "1" }

const printed = (command) => {
  const { stdout } = spawnSync("bash", ["-c", `{ ${command}; } 2>&1`], { cwd: project, encoding: "utf8", env })
  return `$ ${command}\n${steady(stdout)}`.trimEnd()
}

export const printCommands = (text) => {
  try {
    build()
    return text.replaceAll(/```console\n([\s\S]*?)\n```/gu, (_, block) => {
      const commands = block.split("\n").filter((line) => line.startsWith("$ "))
      return `\`\`\`console\n${commands.map((line) => printed(line.slice(2))).join("\n\n")}\n\`\`\``
    })
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}
