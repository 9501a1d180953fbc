/** Packs the packages with pnpm as they will be published, unpacks them and checks their content. */
import * as fs from "node:fs"
import { isBuiltin } from "node:module"
import * as path from "node:path"
import ts from "typescript"
import { CheckError, problem, say } from "./problems.mjs"
import { run } from "./run.mjs"
import { manifestsOf } from "./unpublished.mjs"

const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"))

const filesBelow = (folder) =>
  fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .map((name) => name.replaceAll(path.sep, "/"))

export const packAll = async (root, scratch) => {
  const { packageManager } = readJson(path.join(root, "package.json"))
  const names = manifestsOf(root).map(({ manifest }) => manifest.name)
  const target = path.join(scratch, "packed")
  fs.mkdirSync(target)
  const words = ["--recursive", ...names.flatMap((name) => ["--filter", name]), "pack", "--json"]
  const packed = JSON.parse(await run(root, "npx", "--yes", packageManager, ...words, "--pack-destination", target))
  const made = []
  for (const { filename, name } of packed) {
    const folder = path.join(scratch, "unpacked", name)
    fs.mkdirSync(folder, { recursive: true })
    await run(scratch, "tar", "-xzf", filename, "--strip-components", "1", "-C", folder)
    const manifest = readJson(path.join(folder, "package.json"))
    made.push({ name, manifest, tarball: filename, folder, files: filesBelow(folder) })
  }
  const missing = names.filter((name) => !made.some((one) => one.name === name))
  if (missing.length > 0) throw new CheckError(`not packed: ${missing.join(", ")}`)
  return made
}

/** All versions must be the same, because packages share internal modules. */
const checkManifest = ({ manifest, name }, version) => {
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies"])
    for (const [dependency, range] of Object.entries(manifest[kind] ?? {}))
      if (
        /^(?:workspace|catalog|file|link):/.test(range) ||
        (dependency.startsWith("@reflexion/") && range !== version)
      )
        problem(`${name}: ${kind} name ${dependency} as ${range}`)
  for (const key of ["description", "license", "engines", "files"])
    if (manifest[key] === undefined) problem(`${name}: package.json has no ${key}`)
  if (manifest.version !== version) problem(`${name}: has version ${manifest.version}, others ${version}`)
}

const checkFiles = ({ files, folder, name }, root) => {
  const has = new Set(files)
  for (const file of ["LICENSE", "README.md"]) if (!has.has(file)) problem(`${name}: has no ${file}`)
  for (const file of files) {
    if (/(^|\/)(test|node_modules|\.tsbuildinfo)\//.test(file)) problem(`${name}: contains ${file}`)
    const text = fs.readFileSync(path.join(folder, file), "latin1")
    if (text.includes(`${root}${path.sep}`)) problem(`${name}: ${file} names a path of this machine`)
    const [, module] = /^src\/(.*)\.ts$/.exec(file) ?? []
    if (module !== undefined && !(has.has(`dist/${module}.js`) && has.has(`dist/${module}.d.ts`)))
      problem(`${name}: ${file} is packed without what is compiled of it: run \`npm run build\``)
  }
}

/** The library's files are compiled from sources in the package. */
const modules = ({ files }) =>
  files.filter(
    (file) =>
      /^dist\/.*\.(?:js|d\.ts)$/.test(file) && files.includes(file.replace(/^dist\/(.*?)\.(?:js|d\.ts)$/, "src/$1.ts"))
  )

/** The scanner mistakes some regular expressions for imports. */
const isSpecifier = (text) => /^(?:@[\w.-]+\/)?[\w-][\w.-]*(?:\/[\w./-]+)?$/.test(text) && !isBuiltin(text)

const checkImports = (one) => {
  const { dependencies, peerDependencies } = one.manifest
  const named = new Set([one.name, ...Object.keys({ ...dependencies, ...peerDependencies })])
  const missing = new Map()
  for (const file of modules(one)) {
    const { importedFiles } = ts.preProcessFile(fs.readFileSync(path.join(one.folder, file), "utf8"), true, true)
    for (const { fileName } of importedFiles.filter((imported) => isSpecifier(imported.fileName))) {
      const dependency = fileName.split("/", fileName.startsWith("@") ? 2 : 1).join("/")
      if (!named.has(dependency)) missing.set(dependency, file)
    }
  }
  for (const [dependency, file] of missing)
    problem(`${one.name}: ${file} imports ${dependency}, which package.json does not name`)
}

/** The modules of a bundled program are not sources of the package. */
export const programsOf = (one) => {
  const library = new Set(modules(one))
  return one.files.filter((file) => /^dist\/.*\.[cm]?js$/.test(file) && !library.has(file))
}

/** In bytes, for the programs that a host loads at its start or at a stop. */
const budgets = { "hook-main.cjs": 627_000, "hook-consult.cjs": 1_020_000, "server.js": 1_170_000 }

const checkSizes = (one) => {
  for (const file of programsOf(one)) {
    const { size } = fs.statSync(path.join(one.folder, file))
    const limit = budgets[path.basename(file)] ?? Infinity
    if (size > limit) problem(`${one.name}: ${file} has ${size} bytes, and ${limit} at most`)
  }
}

export const checkPacked = async (packed, root) => {
  const { version } = packed[0].manifest
  for (const one of packed) {
    const size = Math.round(fs.statSync(one.tarball).size / 1024)
    say(`  ${one.name} ${one.manifest.version}: ${one.files.length} files, ${size} kB`)
    checkManifest(one, version)
    checkFiles(one, root)
    checkImports(one)
    checkSizes(one)
  }
}
