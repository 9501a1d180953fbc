/**
 * Checks what would be published: packs each public package, has publint read it, installs all of them in a scratch
 * folder as a user would, type-checks the examples against them there, and runs the command line.
 */
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { publint } from "publint"
import { formatMessage } from "publint/utils"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "reflexion-packages-"))
const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"))
const say = (text) => fs.writeSync(1, `${text}\n`)
let problems = 0

const problem = (text) => {
  problems += 1
  say(`  ${text}`)
}

const run = (cwd, command, ...args) =>
  execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, npm_config_update_notifier: "false" },
    stdio: ["ignore", "pipe", "inherit"]
  })

const { packageManager } = readJson(path.join(root, "package.json"))

const publicPackages = fs
  .readdirSync(path.join(root, "packages"))
  .map((name) => path.join(root, "packages", name))
  .filter((folder) => fs.existsSync(path.join(folder, "package.json")))
  .filter((folder) => readJson(path.join(folder, "package.json")).private !== true)

const pack = (folder) => {
  const packed = JSON.parse(
    run(folder, "npx", "--yes", packageManager, "pack", "--json", "--pack-destination", scratch)
  )
  return path.resolve(scratch, packed.filename)
}

const lint = async (tarball) => {
  const bytes = fs.readFileSync(tarball)
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  for (const message of messages) problem(`${message.type}: ${formatMessage(message, pkg)}`)
}

/** No test, no build record and no path of this machine may be published. */
const inspect = (tarball) => {
  const files = run(scratch, "tar", "-tzf", tarball).trim().split("\n")
  for (const file of files.filter((name) => /(^|\/)(test|node_modules|\.tsbuildinfo)\//.test(name))) {
    problem(`it contains ${file}`)
  }
  if (!files.includes("package/LICENSE")) problem("it has no LICENSE")
  if (run(scratch, "tar", "-xzOf", tarball).includes(`${root}${path.sep}`)) problem("it names a path of this machine")
  return files.length
}

const install = (tarballs) => {
  const consumer = path.join(scratch, "consumer")
  fs.mkdirSync(consumer)
  const local = Object.fromEntries(tarballs.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const catalog = fs.readFileSync(path.join(root, "pnpm-workspace.yaml"), "utf8")
  const pinned = (name) => new RegExp(`^ {2}"?${name}"?: (\\S{1,40})$`, "m").exec(catalog)?.[1]
  const { dependencies } = readJson(path.join(root, "examples", "package.json"))
  const used = Object.keys(dependencies).filter((name) => dependencies[name] === "catalog:")
  const manifest = {
    name: "consumer",
    private: true,
    type: "module",
    dependencies: { ...local, ...Object.fromEntries(used.map((name) => [name, pinned(name)])) },
    devDependencies: { "@types/node": pinned("@types/node") },
    overrides: local
  }
  fs.writeFileSync(path.join(consumer, "package.json"), JSON.stringify(manifest))
  // What is optional are programs of some 100 MB: here nothing of them is run.
  run(consumer, "npm", "install", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error")
  return consumer
}

const typecheckExamples = (consumer) => {
  for (const name of fs.readdirSync(path.join(root, "examples")).filter((file) => file.endsWith(".ts"))) {
    fs.copyFileSync(path.join(root, "examples", name), path.join(consumer, name))
  }
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2023"],
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ["node"]
  }
  fs.writeFileSync(path.join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  // Other packages' declarations are theirs to mend; ours must hold in a strict project that checks its libraries.
  const ours = /^(?!node_modules\/)|^node_modules\/@reflexion\//
  const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc")
  const { stdout } = spawnSync(process.execPath, [compiler, "--pretty", "false"], { cwd: consumer, encoding: "utf8" })
  const errors = stdout.split("\n").filter((line) => line.includes("error TS") && ours.test(line))
  for (const error of errors) problem(`against the packed packages: ${error}`)
}

const judgeOnce = (consumer) => {
  const recording = path.join(root, "packages", "testing", "recordings", "claude-code", "fixed-and-tested.jsonl")
  const bin = path.join(consumer, "node_modules", ".bin", "reflexion")
  const verdict = JSON.parse(run(consumer, bin, "judge", recording, "--format", "json"))
  if (verdict.status !== "complete") problem(`the installed command line says ${verdict.status}`)
}

try {
  const tarballs = []
  for (const folder of publicPackages) {
    const { name } = readJson(path.join(folder, "package.json"))
    const tarball = pack(folder)
    say(`${name}: ${inspect(tarball)} files, ${Math.round(fs.statSync(tarball).size / 1024)} kB packed`)
    await lint(tarball)
    tarballs.push({ name, tarball })
  }
  say("installing the packed packages in a scratch folder")
  const consumer = install(tarballs)
  typecheckExamples(consumer)
  judgeOnce(consumer)
} catch (error) {
  problem(error.stack ?? String(error))
} finally {
  fs.rmSync(scratch, { recursive: true, force: true })
}
say(problems === 0 ? "packages: ok" : `packages: ${problems} problem${problems === 1 ? "" : "s"}`)
process.exitCode = problems === 0 ? 0 : 1
