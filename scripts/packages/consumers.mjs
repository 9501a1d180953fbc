/**
 * Projects that install the packed packages with npm, as users do: one with the lowest versions of the peers that the
 * packages ask for, and one with those that this workspace is built with.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { CheckError, problem } from "./problems.mjs"
import { run } from "./run.mjs"

const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"))
const here = import.meta.dirname

/** The exact versions that this workspace is built with. */
const catalogOf = (root) => {
  const text = fs.readFileSync(path.join(root, "pnpm-workspace.yaml"), "utf8")
  return (name) => {
    const [, version] = new RegExp(`^ {2}"?${name}"?: (\\S{1,40})$`, "m").exec(text) ?? []
    if (version === undefined) throw new CheckError(`pnpm-workspace.yaml has no version of ${name}`)
    return version
  }
}

/** The lowest version in a range; others than `^1.2.3` and `^1.2.3 || ^2.0.0` have no place here. */
const lowestOf = (range) => {
  const [, version] = /^\^(\d+\.\d+\.\d+)(?: \|\| \^\d+\.\d+\.\d+)?$/.exec(range) ?? []
  if (version === undefined) throw new CheckError(`a peer's range is ${range}, where ^1.2.3 was expected`)
  return version
}

/** What the packages ask their users for: one range for each peer, the same in all of them. */
const peersOf = (packed) => {
  const peers = new Map()
  for (const { manifest, name } of packed) {
    for (const [peer, range] of Object.entries(manifest.peerDependencies ?? {})) {
      if (peer.startsWith("@reflexion/")) continue
      if (lowestOf(peers.get(peer) ?? range) !== lowestOf(range))
        problem(`${name} asks for ${peer} ${range}, another for ${peers.get(peer)}`)
      peers.set(peer, range)
    }
  }
  return peers
}

/**
 * What the peers themselves ask for: npm takes the newest of it, which may ask for newer peers than the lowest. So a project that stays at the lowest names these too.
 */
const peersOfPeers = (root) => {
  const { peerDependencies } = readJson(
    path.join(root, "packages", "core", "node_modules", "@effect", "ai", "package.json")
  )
  return Object.entries(peerDependencies)
}

/** The range of each peer stands where users look for it. */
export const checkDocumented = async (packed) => {
  const text = packed.map(({ folder }) => fs.readFileSync(path.join(folder, "README.md"), "utf8")).join("\n")
  const plain = text.replaceAll(/[\s|]+/g, " ")
  for (const [name, range] of peersOf(packed)) {
    if (!plain.includes(`\`${name}\` ^${lowestOf(range)}`)) problem(`no README says that ${name} has to be ${range}`)
  }
}

const versionsOf = (end, packed, root) => {
  const pinned = catalogOf(root)
  const peers = peersOf(packed)
  if (end === "pinned") return Object.fromEntries([...peers.keys()].map((name) => [name, pinned(name)]))
  const others = peersOfPeers(root).filter(([name]) => !peers.has(name))
  return Object.fromEntries([...peers, ...others].map(([name, range]) => [name, lowestOf(range)]))
}

/** What the examples need besides the packages. */
const usedByExamples = (root) => {
  const pinned = catalogOf(root)
  const { dependencies } = readJson(path.join(root, "examples", "package.json"))
  const names = Object.keys(dependencies).filter((name) => dependencies[name] === "catalog:")
  return Object.fromEntries(names.map((name) => [name, pinned(name)]))
}

/** Installs the packages by their names from the registry; answers with the project's folder. */
export const install = async ({ end, packed, registry, root, scratch }) => {
  const consumer = path.join(scratch, end)
  fs.mkdirSync(consumer)
  fs.writeFileSync(path.join(consumer, ".npmrc"), registry.npmrc)
  const local = Object.fromEntries(packed.map(({ manifest, name }) => [name, `^${manifest.version}`]))
  const more = end === "pinned" ? usedByExamples(root) : {}
  const manifest = {
    name: "consumer",
    private: true,
    type: "module",
    dependencies: { ...local, ...more, ...versionsOf(end, packed, root) },
    devDependencies: { "@types/node": catalogOf(root)("@types/node") }
  }
  fs.writeFileSync(path.join(consumer, "package.json"), JSON.stringify(manifest))
  // What is optional are programs of some 100 MB: here nothing of them is run.
  await run(consumer, "npm", "install", "--omit=optional")
  for (const [name, version] of Object.entries(versionsOf(end, packed, root))) {
    const installed = readJson(path.join(consumer, "node_modules", name, "package.json")).version
    if (installed !== version) problem(`${end}: ${name} is ${installed}, and not ${version}`)
  }
  return consumer
}

/** A program that names every module which a package's `exports` let one import. */
const everyModule = (packed) =>
  packed
    .flatMap(({ files, manifest, name }) =>
      manifest.exports["./*"] === undefined
        ? []
        : files.flatMap((file) => {
            const [, module] = /^src\/([^/]+)\.ts$/.exec(file) ?? []
            return module === undefined || module === "index" ? [] : [`${name}/${module}`]
          })
    )
    .map((specifier) => `await import("${specifier}")\n`)
    .join("")

const kinds = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" }
}

/** Writes the programs into a project, those of `examples` only where what they need is installed. */
const writePrograms = ({ consumer, end, packed, root }) => {
  const folder = path.join(consumer, "programs")
  fs.mkdirSync(folder)
  const sources = [path.join(here, "consumers"), ...(end === "pinned" ? [path.join(root, "examples")] : [])]
  for (const source of sources) {
    for (const name of fs.readdirSync(source).filter((file) => file.endsWith(".ts"))) {
      fs.copyFileSync(path.join(source, name), path.join(folder, name))
    }
  }
  fs.writeFileSync(path.join(folder, "every-module.ts"), `${everyModule(packed)}export {}\n`)
  for (const { manifest, name } of packed) {
    const program = `${name.split("/")[1]}.ts`
    if (manifest.exports["."] !== undefined && !fs.existsSync(path.join(folder, program)))
      problem(`${name} has no program in scripts/packages/consumers`)
  }
}

/** Other packages' declarations are theirs to fix; ours must hold in a strict project that checks its libraries. */
const ours = /^(?!node_modules\/)|^node_modules\/@reflexion\//

/** Of what the compiler says, the errors that are ours. */
export const errorsIn = (said) => said.split("\n").filter((line) => line.includes("error TS") && ours.test(line))

/**
 * Type-checks the programs in a strict project, and with `nodenext` the declarations of all that they import. Those are the
 * same for a bundler, which only finds them otherwise.
 */
const typecheck = async (consumer, kind, root) => {
  const compilerOptions = {
    ...kinds[kind],
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
  const project = path.join(consumer, `tsconfig.${kind}.json`)
  fs.writeFileSync(project, JSON.stringify({ compilerOptions, include: ["programs"] }))
  const compiler = path.join(root, "node_modules", "typescript", "bin", "tsc")
  const said = await run(consumer, process.execPath, compiler, "--pretty", "false", "-p", project).catch((error) => {
    if (error instanceof CheckError && error.output.includes("error TS")) return error.output
    throw error
  })
  for (const error of errorsIn(said).slice(0, 20)) {
    problem(`${path.basename(consumer)} peers, ${kind}: ${error.slice(0, 400)}`)
  }
}

export const checkTypes = async ({ consumer, end, packed, root }) => {
  writePrograms({ consumer, end, packed, root })
  for (const kind of Object.keys(kinds)) await typecheck(consumer, kind, root)
}

/** Runs the programs, one after the other in one process, with what was installed. */
export const runPrograms = async ({ consumer, root }) => {
  const recordings = path.join(root, "packages", "testing", "recordings")
  const names = fs.readdirSync(path.join(here, "consumers")).map((file) => file.replace(/\.ts$/, ".js"))
  const all = [...names, "every-module.js"].map((name) => `await import("./out-nodenext/${name}")\n`).join("")
  fs.writeFileSync(path.join(consumer, "all.js"), `${all}process.stdout.write("ran ${names.length}")\n`)
  const said = await run(consumer, process.execPath, "all.js", recordings)
  if (said !== `ran ${names.length}`) problem(`the programs say ${JSON.stringify(said.slice(0, 400))}`)
}

/**
 * `@reflexion/core/pure` where Effect is another version, or none is there: the example is checked with the declarations of
 * all that it imports, and run.
 */
export const checkPure = async ({ packed, registry, root, scratch }) => {
  const [core] = packed.filter(({ name }) => name === "@reflexion/core")
  for (const [example, others] of Object.entries({ "without-effect": {}, "with-effect-4": { effect: "^4.0.0" } })) {
    const folder = path.join(scratch, example)
    fs.mkdirSync(path.join(folder, "programs"), { recursive: true })
    fs.writeFileSync(path.join(folder, ".npmrc"), registry.npmrc)
    const dependencies = { [core.name]: `^${core.manifest.version}`, ...others }
    const devDependencies = { "@types/node": catalogOf(root)("@types/node") }
    const manifest = { name: "consumer", private: true, type: "module", dependencies, devDependencies }
    fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest))
    fs.copyFileSync(path.join(root, "examples", `${example}.ts`), path.join(folder, "programs", `${example}.ts`))
    await run(folder, "npm", "install")
    const found = path.join(folder, "node_modules", "effect", "package.json")
    const version = fs.existsSync(found) ? readJson(found).version : "none"
    if (version.startsWith("4.") !== (others.effect !== undefined)) problem(`${example}: Effect is ${version}`)
    await typecheck(folder, "nodenext", root)
    const said = await run(folder, process.execPath, path.join("out-nodenext", `${example}.js`))
    if (said.trim() !== "incomplete: claims/contradicted")
      problem(`${example} says ${JSON.stringify(said.slice(0, 400))}`)
  }
}

/** The command line as somebody runs it who has installed nothing. */
export const checkCommandLine = async ({ packed, registry, root, scratch }) => {
  const folder = path.join(scratch, "nothing-installed")
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, ".npmrc"), registry.npmrc)
  fs.writeFileSync(path.join(folder, "package.json"), "{}")
  const recording = (host, name) => path.join(root, "packages", "testing", "recordings", host, name)
  const npx = (...args) => run(folder, "npx", "--yes", "@reflexion/cli", ...args)
  const { version } = packed[0].manifest
  const said = (await npx("--version")).trim()
  if (said !== `reflexion ${version}`)
    problem(`the installed command line says that it is "${said}", and not reflexion ${version}`)
  for (const file of [
    recording("claude-code", "fixed-and-tested.jsonl"),
    recording("codex", "fixed-and-tested.jsonl"),
    recording("opencode", "fixed-and-tested.json")
  ]) {
    const { status } = JSON.parse(await npx("judge", file, "--format", "json"))
    if (status !== "complete") problem(`the installed command line says ${status} of ${file}`)
  }
}
