/** Runs the packages' tests with other versions of Node: `node scripts/nodes.mjs`, or only one: `… nodes.mjs 24`. */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

const root = path.dirname(import.meta.dirname)
const versions = ["22.23.3", "24.21.0", "26.10.0"]
const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "reflexion", "nodes")

const run = (command, args, options) => {
  const { error, signal, status } = spawnSync(command, args, { stdio: "inherit", ...options })
  if (error) throw error
  return status ?? signal
}

/** Saves Node outside of `node_modules`, because reflexion ignores a Node in such a folder. */
const fetched = (version) => {
  const folder = path.join(cache, version)
  if (fs.existsSync(folder)) return folder
  const staging = `${folder}.${process.pid}`
  fs.mkdirSync(staging, { recursive: true })
  const name = `node-${process.platform}-${process.arch}`
  const pack = run("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", staging])
  const archive = path.join(staging, `${name}-${version}.tgz`)
  if (pack !== 0 || run("tar", ["-xzf", archive, "--strip-components=1", "-C", staging, "package/bin/node"]) !== 0)
    throw new Error(`Node ${version} could not be fetched: npm has it for Linux on x64 and arm64`)
  fs.rmSync(archive)
  fs.renameSync(staging, folder)
  return folder
}

const [major] = process.argv.slice(2)
const wanted = versions.filter((one) => major === undefined || one.startsWith(`${major}.`))
if (wanted.length === 0) throw new Error(`there is no Node ${major} here, but ${versions.join(", ")}`)
for (const version of wanted) {
  const env = { ...process.env, PATH: [path.join(fetched(version), "bin"), process.env.PATH].join(path.delimiter) }
  process.stdout.write(`-- Node ${version}\n`)
  const status = run("node", [path.join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "unit"], {
    cwd: root,
    env
  })
  if (status !== 0) process.exitCode = 1
}
