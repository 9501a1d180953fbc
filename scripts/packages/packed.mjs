/** The packages as they are published: packed by pnpm, unpacked to be looked at. */
import * as fs from "node:fs"
import * as path from "node:path"
import ts from "typescript"
import { isBuiltin } from "node:module"
import { budgets } from "./budgets.mjs"
import { CheckError, problem, say } from "./problems.mjs"
import { run } from "./run.mjs"

const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"))

/** Every file below a folder, with `/` between the names. */
const filesBelow = (folder, within = "") =>
  fs.readdirSync(path.join(folder, within), { withFileTypes: true }).flatMap((entry) => {
    const name = within === "" ? entry.name : `${within}/${entry.name}`
    return entry.isDirectory() ? filesBelow(folder, name) : [name]
  })

const publicPackages = (root) =>
  fs
    .readdirSync(path.join(root, "packages"))
    .map((name) => path.join(root, "packages", name, "package.json"))
    .filter((file) => fs.existsSync(file))
    .map(readJson)
    .filter((manifest) => manifest.private !== true)
    .map(({ name }) => name)

/** Packs all public packages, and answers with what is in each. */
export const packAll = async (root, scratch) => {
  const { packageManager } = readJson(path.join(root, "package.json"))
  const filters = publicPackages(root).flatMap((name) => ["--filter", name])
  const target = path.join(scratch, "packed")
  fs.mkdirSync(target)
  const options = ["pack", "--json", "--pack-destination", target]
  const packed = JSON.parse(await run(root, "npx", "--yes", packageManager, "--recursive", ...filters, ...options))
  const made = []
  for (const { filename, name } of packed) {
    const folder = path.join(scratch, "unpacked", name)
    fs.mkdirSync(folder, { recursive: true })
    await run(scratch, "tar", "-xzf", filename, "--strip-components", "1", "-C", folder)
    const manifest = readJson(path.join(folder, "package.json"))
    made.push({ name, manifest, tarball: filename, folder, files: filesBelow(folder) })
  }
  const missing = publicPackages(root).filter((name) => !made.some((one) => one.name === name))
  if (missing.length > 0) throw new CheckError(`not packed: ${missing.join(", ")}`)
  return made
}

/** No name of the workspace's own versions, all versions the same, nothing private. */
const checkManifest = ({ manifest, name }, version) => {
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies"]) {
    for (const [dependency, range] of Object.entries(manifest[kind] ?? {})) {
      if (/^(?:workspace|catalog|file|link):/.test(range)) problem(`${name}: ${kind} name ${dependency} as ${range}`)
      // They share modules that come with no promise.
      if (dependency.startsWith("@reflexion/") && range !== version) {
        problem(`${name}: ${kind} name ${dependency} ${range}, which is not ${version}`)
      }
    }
  }
  for (const key of ["description", "license", "engines", "files"]) {
    if (manifest[key] === undefined) problem(`${name}: package.json has no ${key}`)
  }
  if (manifest.version !== version) problem(`${name}: has version ${manifest.version}, others ${version}`)
}

/** No test, no build record and no path of this machine may be published. */
const checkFiles = ({ files, folder, name }, root) => {
  for (const file of files.filter((one) => /(^|\/)(test|node_modules|\.tsbuildinfo)\//.test(one))) {
    problem(`${name}: contains ${file}`)
  }
  for (const file of ["LICENSE", "README.md"]) {
    if (!files.includes(file)) problem(`${name}: has no ${file}`)
  }
  for (const file of files) {
    const text = fs.readFileSync(path.join(folder, file), "latin1")
    if (text.includes(`${root}${path.sep}`)) problem(`${name}: ${file} names a path of this machine`)
  }
}

const packageOf = (specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

/** The files that a library is made of: compiled from a source that is packed, too. */
const modules = ({ files }) =>
  files.filter(
    (file) =>
      /^dist\/.*\.(?:js|d\.ts)$/.test(file) && files.includes(file.replace(/^dist\/(.*?)\.(?:js|d\.ts)$/, "src/$1.ts"))
  )

/** Other texts than these are no names: the scanner takes some regular expressions for imports. */
const isSpecifier = (text) => /^(?:@[\w.-]+\/)?[\w.-]+(?:\/[\w./-]+)?$/.test(text)

/** Whatever a module or its types import is named by the package, or it would only be found by chance. */
const checkImports = (one) => {
  const { folder, manifest, name } = one
  const named = new Set([
    name,
    ...["dependencies", "peerDependencies"].flatMap((kind) => Object.keys(manifest[kind] ?? {}))
  ])
  const missing = new Map()
  for (const file of modules(one)) {
    const { importedFiles } = ts.preProcessFile(fs.readFileSync(path.join(folder, file), "utf8"), true, true)
    for (const { fileName } of importedFiles) {
      if (!isSpecifier(fileName) || fileName.startsWith(".") || isBuiltin(fileName) || named.has(packageOf(fileName)))
        continue
      missing.set(packageOf(fileName), file)
    }
  }
  for (const [dependency, file] of missing)
    problem(`${name}: ${file} imports ${dependency}, which package.json does not name`)
}

/** What is bundled: each is a program of its own, and no module of it is a source of the package. */
export const programsOf = (one) => {
  const library = new Set(modules(one))
  return one.files.filter((file) => /^dist\/.*\.[cm]?js$/.test(file) && !library.has(file))
}

/** Parts of the command line are loaded on demand, and named after what is in them: they have one budget together. */
const budgetName = (file) => (/^dist\/[^/]+-[A-Z0-9]{8}\.js$/.test(file) ? "dist/*.js" : file)

/** Whether a budget, which may name a file without its folder, is this file's. */
const isOf = (file, key) => budgetName(file) === key || file.endsWith(`/${key}`)

/** Every program that is published has its budget, and keeps to it. */
const checkSizes = (one) => {
  const { folder, name } = one
  const limits = Object.entries(budgets[name] ?? {})
  const sizes = new Map()
  for (const file of programsOf(one)) {
    const key = budgetName(file)
    sizes.set(key, (sizes.get(key) ?? 0) + fs.statSync(path.join(folder, file)).size)
  }
  for (const [file, size] of sizes) {
    const [, limit] = limits.find(([key]) => isOf(file, key)) ?? []
    if (limit === undefined) problem(`${name}: ${file} has ${size} bytes and no budget in scripts/packages/budgets.mjs`)
    else if (size > limit) problem(`${name}: ${file} has ${size} bytes, and ${limit} at most`)
  }
  for (const [key] of limits.filter(([wanted]) => ![...sizes.keys()].some((file) => isOf(file, wanted)))) {
    problem(`${name}: there is no ${key}, though it has a budget`)
  }
}

/** What is compiled is what is there: a package that was packed without being built has no modules, or old ones. */
const checkBuilt = ({ files, name }) => {
  const has = new Set(files)
  for (const file of files) {
    const [, module] = /^src\/(.*)\.ts$/.exec(file) ?? []
    const missing = module === undefined ? [] : ["js", "d.ts"].filter((kind) => !has.has(`dist/${module}.${kind}`))
    for (const kind of missing)
      problem(`${name}: ${file} is packed without dist/${module}.${kind}: run \`npm run build\``)
  }
}

export const checkPacked = async (packed, root) => {
  const { version } = packed[0].manifest
  for (const one of packed) {
    say(
      `  ${one.name} ${one.manifest.version}: ${one.files.length} files, ${Math.round(fs.statSync(one.tarball).size / 1024)} kB`
    )
    checkManifest(one, version)
    checkFiles(one, root)
    checkBuilt(one)
    checkImports(one)
    checkSizes(one)
  }
}
