/**
 * Runs the packages' tests with each version of Node that `npm run setup -- --nodes` fetched: `node scripts/nodes.mjs`,
 * or `node scripts/nodes.mjs 24` for one. As with a published package, another version of Node built the code. Prints
 * the failures, a line for each version, and the totals as the last line.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { nodeVersions } from "./nodeVersions.mjs"
import { readReport, said, totalsOf } from "./test-totals.mjs"

const root = path.dirname(import.meta.dirname)
const say = (text) => process.stdout.write(text)
/** Every child process uses this Node, by its path or as `node`. */
const tested = ({ folder, version }, reports) => {
  const env = { ...process.env, PATH: [path.join(folder, "bin"), process.env.PATH].join(path.delimiter) }
  const node = (...words) => spawnSync("node", words, { cwd: root, env, encoding: "utf8", maxBuffer: 2 ** 30 })
  const is = node("--version").stdout?.trim()
  if (is !== `v${version}`) throw new Error(`\`node\` is ${is || "nothing"} and not ${version}`)
  const json = path.join(reports, `${version}.json`)
  const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs")
  const words = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${json}`, "packages/"]
  const { signal, status, stderr, stdout } = node(vitest, ...words)
  const { failures, ...counts } = readReport(json)
  // An error outside of all tests fails the run but is in no report.
  const isUntold = status !== 0 && failures.length === 0
  const tail = `${stdout}${stderr}`.trimEnd().split("\n").slice(-40)
  const report = {
    ...counts,
    failures: isUntold ? [{ name: `the run ended with ${status ?? signal}`, messages: tail }] : failures
  }
  say(said(report.failures))
  say(`Node ${version}: ${totalsOf([report]).line}`)
  return report
}

const wanted = process.argv.slice(2)
const all = nodeVersions()
const unknown = wanted.filter((name) => !all.some(({ major }) => major === name))
const reports = fs.mkdtempSync(path.join(os.tmpdir(), "reflexion-nodes-"))
try {
  if (unknown.length > 0)
    throw new Error(`there is no Node ${unknown.join(", ")} here, but ${all.map(({ major }) => major).join(", ")}`)
  const chosen = wanted.length === 0 ? all : all.filter(({ major }) => wanted.includes(major))
  const totals = totalsOf(chosen.map((node) => tested(node, reports)))
  say(totals.line)
  process.exitCode = totals.isGreen ? 0 : 1
} catch (error) {
  process.stderr.write(`nodes: ${error.message}\n`)
  process.exitCode = 1
} finally {
  fs.rmSync(reports, { recursive: true, force: true })
}
