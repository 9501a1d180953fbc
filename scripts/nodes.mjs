/**
 * Runs the tests of the packages with each version of Node that `npm run setup -- --nodes` fetched, one after the other:
 * `node scripts/nodes.mjs`, or `node scripts/nodes.mjs 24` for one. The sources were built by the Node that runs this, as a
 * published package was by another. Prints what failed, a line for each version, and the totals as the last line.
 */
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { nodeVersions } from "./nodeVersions.mjs"
import { readReport, said, totalsOf } from "./testReports.mjs"

const root = path.dirname(import.meta.dirname)
const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs")
const suites = ["packages/"]
/** For a test that hangs: some take minutes where others use the machine as well. */
const testTimeout = 600_000
/** Of a run that ended without a word of its own on what failed. */
const maxTail = 40

const say = (text) => process.stdout.write(text)

const line = (name, { failed, passed, skipped }) =>
  `${name}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`

/** All that is started takes this Node, by its path or by `node`. */
const environmentOf = ({ folder }) => ({
  ...process.env,
  PATH: [path.join(folder, "bin"), process.env.PATH].join(path.delimiter)
})

const checkVersion = ({ version }, env) => {
  const { stdout } = spawnSync("node", ["--version"], { env, encoding: "utf8" })
  if (stdout?.trim() !== `v${version}`) throw new Error(`\`node\` is ${stdout?.trim() || "nothing"} and not ${version}`)
}

const ended = (command, args, options) =>
  new Promise((resolve, reject) => {
    spawn(command, args, options)
      .on("error", reject)
      .on("close", (code, signal) => resolve(code ?? signal))
  })

/** An error outside of any test fails the run and is in no report. */
const withEnd = (report, end, log) => {
  if (end === 0 || report.failures.length > 0) return report
  const tail = fs.readFileSync(log, "utf8").trimEnd().split("\n").slice(-maxTail)
  say(tail.map((text) => `    ${text}\n`).join(""))
  return { ...report, failures: [{ name: `the run ended with ${end}`, messages: [] }] }
}

const tested = async (node, reports) => {
  const env = environmentOf(node)
  checkVersion(node, env)
  const [log, json] = [".log", ".json"].map((ending) => path.join(reports, `${node.version}${ending}`))
  const out = fs.openSync(log, "w")
  const args = [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${json}`]
  const end = await ended("node", [...args, `--testTimeout=${testTimeout}`, ...suites], {
    cwd: root,
    env,
    stdio: ["ignore", out, out]
  })
  fs.closeSync(out)
  const report = withEnd(readReport(json), end, log)
  say(said(report.failures))
  say(line(`Node ${node.version}: `, totalsOf([report])))
  return report
}

const chosen = (wanted) => {
  const all = nodeVersions()
  const unknown = wanted.filter((name) => !all.some(({ major }) => major === name))
  if (unknown.length > 0) {
    throw new Error(`there is no Node ${unknown.join(", ")} here, but ${all.map(({ major }) => major).join(", ")}`)
  }
  return wanted.length === 0 ? all : all.filter(({ major }) => wanted.includes(major))
}

const reports = fs.mkdtempSync(path.join(os.tmpdir(), "reflexion-nodes-"))
try {
  const all = []
  for (const node of chosen(process.argv.slice(2))) all.push(await tested(node, reports))
  const totals = totalsOf(all)
  say(line("", totals))
  process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0
} catch (error) {
  process.stderr.write(`test:nodes: ${error.message}\n`)
  process.exitCode = 1
} finally {
  fs.rmSync(reports, { recursive: true, force: true })
}
