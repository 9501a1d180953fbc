/** Whether everything that users get with these packages may be given on, and is named with its licence. */
import * as fs from "node:fs"
import * as path from "node:path"
import { programsOf } from "./packed.mjs"
import { problem, say } from "./problems.mjs"

const allowed = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "Unlicense",
  "CC0-1.0"
])

/** An SPDX expression: of `OR` one is enough, of `AND` all are needed. One with brackets within it is for a person to read. */
export const isAllowed = (expression) =>
  typeof expression === "string" &&
  expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((licence) => allowed.has(licence)))

const manifestOf = (folder) => JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"))

/** Where Node finds a package that another one imports; null where it is optional and absent. */
const find = (from, name) => {
  for (let folder = from; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const found = path.join(folder, "node_modules", name)
    if (fs.existsSync(path.join(found, "package.json"))) return found
  }
  return null
}

/** The folders of all packages that these need, peers included, by way of those between them. */
const closure = (consumer, names) => {
  const folders = new Set()
  const visit = (from, name, optional) => {
    const folder = find(from, name)
    if (folder === null && !optional)
      problem(`${path.basename(consumer)}: ${name}, which ${from} needs, is not installed`)
    if (folder === null || folders.has(folder)) return
    folders.add(folder)
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {}
    } = manifestOf(folder)
    for (const one of Object.keys(dependencies)) visit(folder, one, one in optionalDependencies)
    for (const one of Object.keys(optionalDependencies)) visit(folder, one, true)
    for (const one of Object.keys(peerDependencies)) visit(folder, one, peerDependenciesMeta[one]?.optional === true)
  }
  for (const name of names) visit(consumer, name, false)
  return [...folders]
}

/** Of what npm installs with the packages: every licence is on the list. */
export const checkInstalled = (consumers, packed) => {
  const seen = new Set()
  for (const consumer of consumers) {
    const names = packed.map(({ name }) => name)
    for (const folder of closure(consumer, names)) {
      const { license, name, version } = manifestOf(folder)
      if (seen.has(`${name}@${version}`)) continue
      seen.add(`${name}@${version}`)
      if (!isAllowed(license))
        problem(`${name} ${version} comes under ${JSON.stringify(license) ?? "no licence"}, which is not on the list`)
    }
  }
  if (seen.size <= packed.length) problem("no dependency was found")
  say(`  ${seen.size - packed.length} packages are installed with these`)
}

const separator = `\n${"-".repeat(80)}\n`

/** The packages that a text of notices names, each with its licence's text. */
const notices = (all) =>
  all.split(separator).map((notice) => {
    const [, name = "", version = "", licence = ""] = /^\s*(\S{1,200}) (\S{1,100}) \((.{1,100})\)\n/.exec(notice) ?? []
    return { name, version, licence, text: notice.slice(notice.indexOf("\n", 1)).trim() }
  })

/** What each program was made of when it was bundled, by its path in the repository: a minified one does not say so itself. */
export const readBundled = (root) => {
  const file = path.join(root, "packages", "cli", ".tsbuildinfo", "bundled.json")
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {}
}

/** The packages in a program; a plugin of the marketplace has the hooks' own files. */
const contentsOf = ({ name }, program, made) => {
  const file = program.replace("dist/marketplace/plugins/", "dist/hooks/")
  return made[`packages/${name.replace("@reflexion/", "")}/${file}`]
}

/** A licence that does not say so much is not a licence's text. */
const shortest = 300

/** Where the licences of a program are: next to it, or in its first comment where it is passed on by itself. */
const noticesOf = ({ files, folder }, program) => {
  const text = fs.readFileSync(path.join(folder, program), "utf8")
  if (text.startsWith("/*!\n")) return text.slice(4, text.indexOf("*/"))
  // The parts of the command line have theirs together.
  const next = [program.replace(/(?:-[\w-]+)?\.c?js$/, ".licenses.txt"), "dist/bin.licenses.txt"]
  const file = next.find((name) => files.includes(name))
  return file === undefined ? null : fs.readFileSync(path.join(folder, file), "utf8")
}

/** Of what is bundled into them, as `made` has it: with every program the licences of all that it contains. */
export const checkNotices = (packed, made) => {
  let count = 0
  for (const one of packed) {
    for (const program of programsOf(one)) {
      const where = `${one.name}: ${program}`
      const text = noticesOf(one, program)
      if (text === null) {
        problem(`${where} comes without its licences`)
        continue
      }
      const all = text === "" ? [] : notices(text)
      count += 1
      for (const { licence, name, text: said } of all) {
        const what = name || "a notice"
        if (!isAllowed(licence)) problem(`${where}: ${what} comes under "${licence}", which is not on the list`)
        if (said.length < shortest) problem(`${where}: ${what} has no licence's text`)
      }
      const named = new Set(all.map(({ name }) => name))
      const contents = contentsOf(one, program, made)
      if (contents === undefined) problem(`${where}: nobody knows what is bundled into it: run \`npm run build\``)
      for (const name of contents ?? []) {
        if (!named.has(name)) problem(`${where} contains ${name}, which its licences do not name`)
      }
    }
  }
  say(`  ${count} programs have the licences of what they contain with them`)
}
