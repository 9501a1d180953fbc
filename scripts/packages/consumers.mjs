/** Installs the packed packages with npm, with the lowest versions of the peers and with this workspace's versions. */
import * as fs from "node:fs"
import * as path from "node:path"
import { CheckError, problem } from "./problems.mjs"
import { run } from "./run.mjs"

const readJson = (...parts) => JSON.parse(fs.readFileSync(path.join(...parts), "utf8"))

const catalogOf = (root) => {
  const text = fs.readFileSync(path.join(root, "pnpm-workspace.yaml"), "utf8")
  return (name) => {
    const [, version] = new RegExp(`^ {2}"?${name}"?: (\\S{1,40})$`, "m").exec(text) ?? []
    if (version === undefined) throw new CheckError(`pnpm-workspace.yaml has no version of ${name}`)
    return version
  }
}

/** Only the forms `^1.2.3` and `^1.2.3 || ^2.0.0` are supported. */
const lowestOf = (range) => {
  const [, version] = /^\^(\d+\.\d+\.\d+)(?: \|\| \^\d+\.\d+\.\d+)?$/.exec(range) ?? []
  if (version === undefined) throw new CheckError(`a peer's range is ${range}, where ^1.2.3 was expected`)
  return version
}

/** All packages must have the same range for a peer. */
const peersOf = (packed) => {
  const peers = {}
  for (const { manifest, name } of packed)
    for (const [peer, range] of Object.entries(manifest.peerDependencies ?? {})) {
      if (peer.startsWith("@reflexion/")) continue
      if (lowestOf(peers[peer] ?? range) !== lowestOf(range))
        problem(`${name} asks for ${peer} ${range}, another for ${peers[peer]}`)
      peers[peer] = range
    }
  return peers
}

export const checkDocumented = async (packed) => {
  const text = packed.map(({ folder }) => fs.readFileSync(path.join(folder, "README.md"), "utf8")).join("\n")
  const plain = text.replaceAll(/[\s|]+/g, " ")
  for (const [name, range] of Object.entries(peersOf(packed)))
    if (!plain.includes(`\`${name}\` ^${lowestOf(range)}`)) problem(`no README says that ${name} has to be ${range}`)
}

/** For the lowest versions, the peers' own peers are named too, because npm would take their newest versions. */
const versionsOf = (end, packed, root) => {
  const peers = peersOf(packed)
  if (end === "pinned") return Object.fromEntries(Object.keys(peers).map((name) => [name, catalogOf(root)(name)]))
  const more = readJson(root, "packages/core/node_modules/@effect/ai/package.json").peerDependencies
  return Object.fromEntries(Object.entries({ ...more, ...peers }).map(([name, range]) => [name, lowestOf(range)]))
}

const usedByExamples = (root) => {
  const { dependencies } = readJson(root, "examples", "package.json")
  const names = Object.keys(dependencies).filter((name) => dependencies[name] === "catalog:")
  return Object.fromEntries(names.map((name) => [name, catalogOf(root)(name)]))
}

/** Nothing is installed yet. */
const project = (folder, { registry, root }, dependencies) => {
  fs.mkdirSync(path.join(folder, "programs"), { recursive: true })
  fs.writeFileSync(path.join(folder, ".npmrc"), registry.npmrc)
  const devDependencies = { "@types/node": catalogOf(root)("@types/node") }
  const manifest = { name: "consumer", private: true, type: "module", dependencies, devDependencies }
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest))
  return folder
}

const localOf = (packed) => Object.fromEntries(packed.map(({ manifest, name }) => [name, `^${manifest.version}`]))

export const install = async (given) => {
  const { end, packed, root, scratch } = given
  const versions = versionsOf(end, packed, root)
  const more = end === "pinned" ? usedByExamples(root) : {}
  const consumer = project(path.join(scratch, end), given, { ...localOf(packed), ...more, ...versions })
  // The optional packages are programs of about 100 MB, and none of them runs here.
  await run(consumer, "npm", "install", "--omit=optional")
  for (const [name, version] of Object.entries(versions)) {
    const installed = readJson(consumer, "node_modules", name, "package.json").version
    if (installed !== version) problem(`${end}: ${name} is ${installed}, and not ${version}`)
  }
  return consumer
}

const everyModule = (packed) =>
  packed
    .flatMap(({ manifest, name }) => Object.keys(manifest.exports ?? {}).map((key) => path.posix.join(name, key)))
    .filter((specifier) => !/\/(?:package\.json|\*|server)$/.test(specifier))
    .map((specifier) => `await import("${specifier}")\n`)
    .join("")

/** The examples are included only if their dependencies are installed. */
const writePrograms = ({ consumer, end, packed, root }) => {
  const folder = path.join(consumer, "programs")
  const examples = path.join(root, "examples")
  for (const name of end === "pinned" ? fs.readdirSync(examples).filter((file) => file.endsWith(".ts")) : [])
    fs.copyFileSync(path.join(examples, name), path.join(folder, name))
  const ran = 'process.stdout.write("loaded all")'
  fs.writeFileSync(path.join(folder, "every-module.ts"), `${everyModule(packed)}${ran}\nexport {}\n`)
}

/** In a strict project that checks its libraries, only our declarations must be valid. */
const ours = /^(?!node_modules\/)|^node_modules\/@reflexion\//

/** With `nodenext`, all imported declarations are checked too. A bundler only resolves them differently. */
const typecheck = async (consumer, kind, root) => {
  const compilerOptions = {
    module: kind === "bundler" ? "esnext" : kind,
    moduleResolution: kind,
    target: "ES2022",
    lib: ["ES2023"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: kind !== "nodenext",
    rootDir: "programs",
    outDir: `out-${kind}`,
    types: ["node"]
  }
  const config = path.join(consumer, `tsconfig.${kind}.json`)
  fs.writeFileSync(config, JSON.stringify({ compilerOptions, include: ["programs"] }))
  const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc")
  const said = await run(consumer, process.execPath, compiler, "--pretty", "false", "-p", config).catch((error) => {
    if (error instanceof CheckError && error.output.includes("error TS")) return error.output
    throw error
  })
  const errors = said.split("\n").filter((line) => line.includes("error TS") && ours.test(line))
  for (const error of errors.slice(0, 20)) problem(`${path.basename(consumer)} peers, ${kind}: ${error.slice(0, 400)}`)
}

export const checkTypes = async (given) => {
  writePrograms(given)
  for (const kind of ["nodenext", "bundler"]) await typecheck(given.consumer, kind, given.root)
}

const expectSaid = (what, said, wanted) => {
  if (said.trim() !== wanted) problem(`${what} says ${JSON.stringify(said.slice(0, 400))}, and not ${wanted}`)
}

export const loadAll = async ({ consumer }) =>
  expectSaid("every module", await run(consumer, process.execPath, "out-nodenext/every-module.js"), "loaded all")

/** Checks `@reflexion/core/pure` without Effect, and with Effect 4. */
export const checkPure = async (given) => {
  const { packed, root, scratch } = given
  const core = localOf(packed.filter(({ name }) => name === "@reflexion/core"))
  for (const [example, effect] of [
    ["without-effect", {}],
    ["with-effect-4", { effect: "^4.0.0" }]
  ]) {
    const folder = project(path.join(scratch, example), given, { ...core, ...effect })
    fs.copyFileSync(path.join(root, "examples", `${example}.ts`), path.join(folder, "programs", `${example}.ts`))
    await run(folder, "npm", "install")
    const found = path.join(folder, "node_modules", "effect", "package.json")
    const version = fs.existsSync(found) ? readJson(found).version : "none"
    if (version.startsWith("4.") !== (effect.effect !== undefined)) problem(`${example}: Effect is ${version}`)
    await typecheck(folder, "nodenext", root)
    const said = await run(folder, process.execPath, path.join("out-nodenext", `${example}.js`))
    expectSaid(example, said, "incomplete: claims/contradicted")
  }
}

/** Runs the command line like a user who has installed nothing. */
export const checkCommandLine = async ({ packed, registry, root, scratch }) => {
  const folder = path.join(scratch, "nothing-installed")
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, ".npmrc"), registry.npmrc)
  fs.writeFileSync(path.join(folder, "package.json"), "{}")
  const npx = (...args) => run(folder, "npx", "--yes", "@reflexion/cli", ...args)
  expectSaid("the installed command line", await npx("--version"), `reflexion ${packed[0].manifest.version}`)
  for (const file of [
    "claude-code/fixed-and-tested.jsonl",
    "codex/fixed-and-tested.jsonl",
    "opencode/fixed-and-tested.json"
  ]) {
    const record = path.join(root, "packages", "testing", "recordings", file)
    const { status } = JSON.parse(await npx("judge", record, "--format", "json"))
    expectSaid(`the installed command line of ${file}`, status, "complete")
  }
}
