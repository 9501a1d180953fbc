/**
 * Installs and builds what is missing, with nothing but Node 20 and npm; says so in one line per step on stderr, and
 * spawns nothing when nothing changed. `--cli` builds the command line alone; `--hosts` also fetches the coding agents
 * that `npm run hosts` runs, `--nodes` the versions of Node of `npm run nightly`.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { cacheOf, nodeVersions } from "./nodeVersions.mjs"
import { isAccount, progress, stepIn } from "./progress.mjs"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const stampFile = path.join(root, "node_modules", ".reflexion-setup.json")
const at = (...parts) => path.join(root, ...parts)
const say = (text) => process.stderr.write(`setup: ${text}\n`)
const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"))

class SetupError extends Error {
  constructor(message, output = "") {
    super(message)
    this.output = output
  }
}

const checkNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new SetupError(`Node 20.19 or newer is needed; this is ${process.versions.node}.`)
  }
}

/** Files below a folder, sorted, without what tools write there. */
const filesBelow = (folder) =>
  fs
    .readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.name === "node_modules" || entry.name === "dist" || entry.name === ".tsbuildinfo") return []
      const file = path.join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(file) : entry.isFile() ? [file] : []
    })

const fingerprint = (files, ...facts) => {
  const hash = createHash("sha256")
  for (const fact of facts) hash.update(`${fact}\0`)
  for (const file of files) {
    if (!fs.existsSync(file)) continue
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update("\0")
  }
  return hash.digest("hex")
}

const members = () => [
  ...fs
    .readdirSync(at("packages"))
    .toSorted()
    .map((name) => at("packages", name)),
  at("evals"),
  at("examples")
]

const memberManifests = () =>
  members()
    .map((folder) => path.join(folder, "package.json"))
    .filter((file) => fs.existsSync(file))

const readStamps = () => {
  try {
    return readJson(stampFile)
  } catch {
    return {}
  }
}

const writeStamps = (stamps) => {
  fs.mkdirSync(path.dirname(stampFile), { recursive: true })
  fs.writeFileSync(`${stampFile}.${process.pid}`, JSON.stringify(stamps))
  fs.renameSync(`${stampFile}.${process.pid}`, stampFile)
}

/** The environment for npm: where the home directory cannot be written, its caches go to the temporary directory. */
const packageManagerEnvironment = () => {
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
    return {
      ...env,
      HOME: standIn,
      npm_config_cache: path.join(standIn, "npm"),
      ...(fs.existsSync(userconfig) ? { npm_config_userconfig: userconfig } : {})
    }
  }
}

/** The lines of an output as it comes. */
const lines = (take) => {
  let rest = ""
  return (chunk) => {
    const [...whole] = `${rest}${chunk}`.split(/[\r\n]+/)
    rest = whole.pop() ?? ""
    for (const line of whole) take(line)
  }
}

/** Runs a command; `at` is told what it is at. Its output is shown only if it fails, followed by what to do. */
const run = (command, args, { cwd = root, env = process.env, advice, at = () => {} }) =>
  new Promise((resolve, reject) => {
    const output = []
    const take = lines((line) => {
      const step = stepIn(line)
      if (step !== null) at(step)
    })
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32" && !command.includes(path.sep)
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output.push(chunk)
        take(chunk.toString("utf8"))
      })
    }
    const fail = (what) => {
      const printed = Buffer.concat(output).toString("utf8").split("\n")
      reject(new SetupError(`${what}. ${advice}`, printed.filter((line) => !isAccount(line)).join("\n")))
    }
    child.on("error", (error) => fail(`\`${command}\` could not be started (${error.message})`))
    child.on("close", (code, signal) =>
      code === 0 ? resolve() : fail(`\`${path.basename(command)} ${args.join(" ")}\` ended with ${code ?? signal}`)
    )
  })

/** Says what is done, on a terminal how far it is, and how long it took. */
const timed = async (what, work) => {
  say(`${what} …`)
  const started = performance.now()
  const shown = progress(process.stderr, "setup:   ")
  try {
    await work(shown.say)
  } finally {
    shown.end()
  }
  say(`done in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/** Whether what the install made still stands, for a stamp alone would not notice a half-deleted node_modules. */
const installStands = () =>
  fs.existsSync(at("node_modules", ".modules.yaml")) &&
  memberManifests().every((file) => {
    const { dependencies = {}, devDependencies = {} } = readJson(file)
    const modules = path.join(path.dirname(file), "node_modules")
    return Object.keys({ ...dependencies, ...devDependencies }).every((name) => fs.existsSync(path.join(modules, name)))
  })

const installKey = () =>
  fingerprint(
    [at("pnpm-lock.yaml"), at("pnpm-workspace.yaml"), at(".npmrc"), at("package.json"), ...memberManifests()],
    process.platform,
    process.arch,
    process.versions.node.split(".")[0]
  )

const install = async (stamps) => {
  const key = installKey()
  if (stamps.install === key && installStands()) return stamps
  const { packageManager } = readJson(at("package.json"))
  const flags = ["install", "--frozen-lockfile", "--config.confirmModulesPurge=false"]
  await timed(`installing dependencies (${packageManager}, a minute or two the first time)`, (at) =>
    run("npx", ["--yes", packageManager, ...flags], {
      at,
      env: packageManagerEnvironment(),
      advice: "Check that the npm registry can be reached, then run `npm run setup` again."
    })
  )
  const next = { install: key }
  writeStamps(next)
  return next
}

/** The packages that are published: `cli` refers to all others but `retry`. */
const published = ["core", "retry", "claude-code", "codex", "opencode", "hooks", "cli"]

const builtFolders = () => published.map((name) => at("packages", name))

/** What the command line and the libraries are made of. */
const sourceKey = (stamps) =>
  fingerprint(
    [
      at("tsconfig.base.json"),
      ...[
        "bundle.mjs",
        "bundle-hooks.mjs",
        "bundle-opencode.mjs",
        "bundle-report.mjs",
        "plugins.mjs",
        "bundler.mjs",
        "bundlerShellParser.mjs"
      ].map((name) => at("scripts", name)),
      ...filesBelow(at("packages", "cli", "page")),
      ...builtFolders().flatMap((folder) => [
        path.join(folder, "package.json"),
        path.join(folder, "tsconfig.json"),
        ...filesBelow(path.join(folder, "src"))
      ])
    ],
    stamps.install
  )

const buildAdvice = { advice: "Fix the errors above, then run the command again." }

/** The bundle is made from the sources and takes a second, where compiling everything takes many. */
const buildCommandLine = async (stamps) => {
  const cli = sourceKey(stamps)
  if (stamps.cli === cli && fs.existsSync(at("packages", "cli", "dist", "bin.js"))) return stamps
  await timed("bundling the command line", () => run(process.execPath, [at("scripts", "bundle.mjs")], buildAdvice))
  const next = { ...stamps, cli }
  writeStamps(next)
  return next
}

/** Whether every source module has its declarations. */
const librariesStand = () =>
  builtFolders().every((folder) => {
    const src = path.join(folder, "src")
    return filesBelow(src)
      .filter((file) => file.endsWith(".ts"))
      .every((file) => fs.existsSync(path.join(folder, "dist", path.relative(src, file).replace(/\.ts$/, ".d.ts"))))
  })

const buildLibraries = async (stamps) => {
  const libraries = sourceKey(stamps)
  const stands = librariesStand()
  if (stamps.libraries === libraries && stands) return stamps
  if (!stands) {
    // The compiler would trust its record that nothing has to be written.
    for (const folder of builtFolders()) fs.rmSync(path.join(folder, ".tsbuildinfo"), { recursive: true, force: true })
  }
  const compiler = at("node_modules", "typescript", "bin", "tsc")
  await timed("compiling the packages (a minute or two the first time)", (at) =>
    run(process.execPath, [compiler, "-b", "--verbose", "packages/cli", "packages/retry"], { ...buildAdvice, at })
  )
  const next = { ...stamps, libraries }
  writeStamps(next)
  return next
}

/** Installs what a folder pins, and keeps of it in `target` what `kept` points to; once. */
const fetchOnce = async ({ from, kept = (staging) => staging, script, target, what }) => {
  if (fs.existsSync(target)) return
  const staging = `${target}.${process.pid}`
  fs.rmSync(staging, { recursive: true, force: true })
  fs.mkdirSync(staging, { recursive: true })
  for (const file of ["package.json", "package-lock.json"]) {
    fs.copyFileSync(path.join(from, file), path.join(staging, file))
  }
  try {
    await timed(`fetching ${what} into ${target}`, () =>
      run("npm", ["ci", "--prefix", staging, "--ignore-scripts", "--no-audit", "--no-fund"], {
        cwd: staging,
        env: packageManagerEnvironment(),
        advice: `Check that the npm registry can be reached, then run \`npm run ${script}\` again.`
      })
    )
    fs.renameSync(kept(staging), target)
  } finally {
    fs.rmSync(staging, { recursive: true, force: true })
  }
}

const hosts = async () => {
  const manifests = at("packages", "testing", "hosts")
  for (const host of fs.readdirSync(manifests).toSorted()) {
    const from = path.join(manifests, host)
    const [version] = Object.values(readJson(path.join(from, "package.json")).dependencies)
    await fetchOnce({
      from,
      target: path.join(process.env.REFLEXION_HOSTS_CACHE || cacheOf("hosts"), `${host}-${version}`),
      what: `${host} ${version} for the host tests (some 100 MB, once)`,
      script: "hosts"
    })
  }
}

/** The package of npm that has this machine's binary: `node` itself would install it by a script. */
const nodePackage = `node-${process.platform}-${process.arch}`

/** Out of `node_modules`, for reflexion takes no Node there for one to stay; without headers and manuals. */
const nodeIn = (staging) => {
  const folder = path.join(staging, "node_modules", nodePackage)
  if (!fs.existsSync(folder)) {
    throw new SetupError(`The versions of Node are pinned for Linux on x64 and arm64; there is no ${nodePackage}.`)
  }
  for (const name of ["include", "share"]) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
  return folder
}

const nodes = async () => {
  for (const { folder, manifest, version } of nodeVersions()) {
    await fetchOnce({
      from: manifest,
      target: folder,
      what: `Node ${version} for the tests (some 50 MB, once)`,
      script: "nightly",
      kept: nodeIn
    })
  }
}

try {
  checkNode()
  const stamps = await buildCommandLine(await install(readStamps()))
  if (!process.argv.includes("--cli")) await buildLibraries(stamps)
  if (process.argv.includes("--hosts")) await hosts()
  if (process.argv.includes("--nodes")) await nodes()
} catch (error) {
  if (error instanceof SetupError) process.stderr.write(error.output)
  say(error instanceof SetupError ? error.message : (error.stack ?? String(error)))
  process.exitCode = 1
}
