/**
 * Installs and builds what is missing, with only Node 20 and npm. `--cli` builds only the command line. `--hosts` also
 * fetches the coding agents for `npm run hosts`, and with `--night` those for `npm run nightly`.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stampFile = path.join(root, "node_modules", ".reflexion-setup.json")
const at = (...parts) => path.join(root, ...parts)
const say = (text) => process.stderr.write(`setup: ${text}\n`)
const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"))

class SetupError extends Error {}

const checkNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new SetupError(`Node 20.19 or newer is needed; this is ${process.versions.node}.`)
}

const filesBelow = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()

const fingerprint = (files, ...facts) => {
  const hash = createHash("sha256").update(facts.join("\0"))
  for (const file of files.filter((name) => fs.existsSync(name)))
    hash.update(`\0${path.relative(root, file)}\0`).update(fs.readFileSync(file))
  return hash.digest("hex")
}

const manifests = () =>
  [...fs.readdirSync(at("packages")).map((name) => path.join("packages", name)), "evals", "examples"]
    .map((folder) => at(folder, "package.json"))
    .filter((file) => fs.existsSync(file))

const readStamps = () => {
  try {
    return readJson(stampFile)
  } catch {
    return {}
  }
}

const stamped = (stamps) => {
  fs.writeFileSync(`${stampFile}.${process.pid}`, JSON.stringify(stamps))
  fs.renameSync(`${stampFile}.${process.pid}`, stampFile)
  return stamps
}

/** If the home directory is not writable, npm's caches go to the temporary directory. */
const npmEnvironment = () => {
  const env = { ...process.env, npm_config_update_notifier: "false", npm_config_fund: "false" }
  const home = os.homedir()
  try {
    fs.rmSync(fs.mkdtempSync(path.join(home, ".reflexion-probe-")), { recursive: true })
    return env
  } catch {
    const standIn = path.join(os.tmpdir(), `reflexion-home-${os.userInfo().uid}`)
    fs.mkdirSync(standIn, { recursive: true, mode: 0o700 })
    say(`the home directory ${home} cannot be written; using ${standIn}`)
    const userconfig = path.join(home, ".npmrc")
    const config = fs.existsSync(userconfig) ? { npm_config_userconfig: userconfig } : {}
    return { ...env, HOME: standIn, npm_config_cache: path.join(standIn, "npm"), ...config }
  }
}

/** A terminal shows the command's output. A log shows the output only if the command failed. */
const run = (
  what,
  command,
  args,
  { advice = "Fix the errors above, then run the command again.", ...options } = {}
) => {
  say(`${what} …`)
  const started = performance.now()
  const { error, signal, status, stderr, stdout } = spawnSync(command, args, {
    cwd: root,
    maxBuffer: 2 ** 30,
    shell: process.platform === "win32" && !command.includes(path.sep),
    stdio: process.stderr.isTTY ? ["ignore", 2, 2] : ["ignore", "pipe", "pipe"],
    ...options
  })
  if (status !== 0) {
    for (const text of [stdout, stderr]) if (text) process.stderr.write(text)
    const ended = error?.message ?? `\`${path.basename(command)} ${args.join(" ")}\` ended with ${status ?? signal}`
    throw new SetupError(`${ended}. ${advice}`)
  }
  say(`done in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/** Looks at the files, because a stamp would not notice a half-deleted node_modules. */
const installStands = () =>
  fs.existsSync(at("node_modules", ".modules.yaml")) &&
  manifests().every((file) => {
    const { dependencies = {}, devDependencies = {} } = readJson(file)
    const modules = path.join(path.dirname(file), "node_modules")
    return Object.keys({ ...dependencies, ...devDependencies }).every((name) => fs.existsSync(path.join(modules, name)))
  })

const install = (stamps) => {
  const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", "package.json"].map((name) => at(name))
  const { arch, platform, versions } = process
  const key = fingerprint([...files, ...manifests()], platform, arch, versions.node.split(".")[0])
  if (stamps.install === key && installStands()) return stamps
  const { packageManager } = readJson(at("package.json"))
  const words = ["--yes", packageManager, "install", "--frozen-lockfile", "--config.confirmModulesPurge=false"]
  run(`installing dependencies (${packageManager}, a minute or two the first time)`, "npx", words, {
    env: npmEnvironment(),
    advice: "Check that the npm registry can be reached, then run `npm run setup` again."
  })
  return stamped({ install: key })
}

/** The published packages. `cli` depends on all others except `retry` and `postgres`. */
const published = [
  "core",
  "retry",
  "postgres",
  "claude-code",
  "codex",
  "copilot",
  "gemini",
  "opencode",
  "hooks",
  "cli"
].map((name) => at("packages", name))

const sourceKey = (stamps) =>
  fingerprint(
    [
      at("tsconfig.base.json"),
      ...filesBelow(at("scripts")).filter((file) => /\/(?:bundle|plugins)[^/]*\.mjs$/.test(file.replaceAll("\\", "/"))),
      ...published.flatMap((folder) => [
        path.join(folder, "package.json"),
        path.join(folder, "tsconfig.json"),
        ...filesBelow(path.join(folder, "src"))
      ])
    ],
    stamps.install
  )

/** Only bundles, which takes a second. Compiling everything takes much longer. */
const buildCommandLine = (stamps) => {
  const cli = sourceKey(stamps)
  if (stamps.cli === cli && fs.existsSync(at("packages", "cli", "dist", "bin.js"))) return stamps
  run("bundling the command line", process.execPath, [at("scripts", "bundle.mjs")])
  return stamped({ ...stamps, cli })
}

const buildLibraries = (stamps) => {
  const libraries = sourceKey(stamps)
  const missing = published.filter((folder) => !fs.existsSync(path.join(folder, "dist")))
  if (stamps.libraries === libraries && missing.length === 0) return
  // Removes the build records, because the compiler would otherwise think that all files exist.
  for (const folder of missing) fs.rmSync(path.join(folder, ".tsbuildinfo"), { recursive: true, force: true })
  const projects = ["packages/cli", "packages/retry", "packages/postgres"]
  const words = [at("node_modules", "typescript", "bin", "tsc"), "-b", ...projects]
  run("compiling the packages (a minute or two the first time)", process.execPath, words)
  stamped({ ...stamps, libraries })
}

const fetchOnce = (from, target, what) => {
  if (fs.existsSync(target)) return
  const staging = `${target}.${process.pid}`
  fs.mkdirSync(staging, { recursive: true })
  for (const file of ["package.json", "package-lock.json"])
    fs.copyFileSync(path.join(from, file), path.join(staging, file))
  try {
    const words = ["ci", "--prefix", staging, "--ignore-scripts", "--no-audit", "--no-fund"]
    const advice = "Check that the npm registry can be reached, then run `npm run hosts` again."
    run(`fetching ${what} into ${target}`, "npm", words, { cwd: staging, env: npmEnvironment(), advice })
    fs.renameSync(staging, target)
  } finally {
    fs.rmSync(staging, { recursive: true, force: true })
  }
}

/** The hosts that only `npm run nightly` runs. */
const atNight = ["kilo"]

const fetchHosts = () => {
  const folder = at("packages", "testing", "hosts")
  const isNight = process.argv.includes("--night")
  for (const host of fs.readdirSync(folder).toSorted()) {
    if (atNight.includes(host) && !isNight) continue
    const from = path.join(folder, host)
    const [version] = Object.values(readJson(path.join(from, "package.json")).dependencies)
    const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache")
    const hosts = process.env.REFLEXION_HOSTS_CACHE || path.join(cache, "reflexion", "hosts")
    fetchOnce(from, path.join(hosts, `${host}-${version}`), `${host} ${version} for the host tests (some 100 MB, once)`)
  }
}

try {
  checkNode()
  const stamps = buildCommandLine(install(readStamps()))
  if (!process.argv.includes("--cli")) buildLibraries(stamps)
  if (process.argv.includes("--hosts")) fetchHosts()
} catch (error) {
  say(error instanceof SetupError ? error.message : (error.stack ?? String(error)))
  process.exitCode = 1
}
