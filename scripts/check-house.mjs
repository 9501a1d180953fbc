/**
 * Looks whether the walls stand, `npm run check:house`: no circle of imports, one direction between wings and packages, no
 * import past a room's face, no folder that is too full or too deep. Prints what is in which folder.
 *
 * A room is a folder in a package's `src`, in core a folder in a wing. Another room imports only its faces, whose names
 * begin with a capital, and its `model.ts`.
 */
import { cruise } from "dependency-cruiser"
import * as fs from "node:fs"
import * as path from "node:path"
import { deepest, most, ofOneKind, packages, wings } from "./house.mjs"

/** Another folder may be named, as a test does. */
process.chdir(process.argv[2] ?? path.dirname(import.meta.dirname))

const folderOf = (name) => (name === "evals" ? name : `packages/${name}`)
const names = Object.keys(packages)
const sources = names.map((name) => `${folderOf(name)}/src`).filter((folder) => fs.existsSync(folder))

const oneOf = (words) => `(?:${words.join("|")})`

const direction = [
  ...names.map((name) => ({
    name: `${name} may not import that package`,
    from: { path: `^${folderOf(name)}/src/` },
    to: {
      path: `^${oneOf(names.filter((one) => one !== name && !packages[name].includes(one)).map(folderOf))}/src/`
    }
  })),
  ...wings.slice(0, -1).map((wing, at) => ({
    name: `${wing} may not import a wing above it`,
    from: { path: `^packages/core/src/${wing}/` },
    to: { path: `^packages/core/src/${oneOf(wings.slice(at + 1))}/` }
  }))
].filter(({ to }) => !to.path.startsWith("^(?:)"))

/** A module with a small letter belongs to its room. */
const part = "^(?:packages/[^/]+|evals)/src/.+/(?!model\\.ts)[a-z][^/]*\\.[cm]?tsx?$"

/** The small packages are a room each, with its parts in `internal/`. */
const small = "(?:node|retry|claude-code|codex)"

const faces = [
  { from: "^(packages/core/src/[^/]+/[^/]+)/", not: "^$1/" },
  { from: `^(packages/${small}/src)/`, not: "^$1/" },
  { from: `^((?!packages/(?:core|${small})/)packages/[^/]+/src/[^/]+|evals/src/[^/]+)/`, not: "^$1/" },
  { from: `^((?!packages/${small}/)packages/[^/]+|evals)/src/[^/]+\\.ts$`, not: "^$1/src/[^/]+\\.ts$" }
].map(({ from, not }) => ({ name: "past a room's face", from: { path: from }, to: { path: part, pathNot: not } }))

const rules = [
  { name: "a circle", from: {}, to: { circular: true } },
  {
    name: "an import that leads nowhere",
    from: {},
    to: { couldNotResolve: true, path: "^(?:\\.|@reflexion/)", pathNot: "^\\./hook-" }
  },
  ...direction,
  ...faces
]

const { output } = await cruise(
  sources,
  {
    validate: true,
    ruleSet: { forbidden: rules.map((rule) => ({ severity: "error", ...rule })) },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "node_modules|/dist/" },
    tsPreCompilationDeps: true
  },
  { conditionNames: ["@reflexion/source", "types", "import", "default"], exportsFields: ["exports"] }
)

const found = output.summary.violations.map(({ cycle, from, rule, to }) => ({
  kind: rule.name,
  text: cycle === undefined ? `${from} → ${to}` : [from, ...cycle.map(({ name }) => name)].join(" → ")
}))

const modules = output.modules.filter(({ source }) => sources.some((one) => source.startsWith(`${one}/`)))
const folders = new Map()
for (const one of modules) {
  const folder = path.dirname(one.source)
  folders.set(folder, [...(folders.get(folder) ?? []), one])
}

for (const [folder, inside] of folders) {
  if (inside.length > most && !ofOneKind.includes(folder)) {
    found.push({ kind: "too full", text: `${folder} has ${inside.length} modules; ${most} are the most` })
  }
  if (folder.replace(/^.*\/src\/?/, "").split("/").length > deepest) found.push({ kind: "too deep", text: folder })
}

const linesOf = ({ source }) => fs.readFileSync(source, "utf8").split("\n").length - 1
const byName = (a, b) => (a[0] < b[0] ? -1 : 1)
const rows = [...folders]
  .toSorted(byName)
  .map(([folder, inside]) => [inside.length, inside.reduce((sum, one) => sum + linesOf(one), 0), folder])
process.stdout.write("modules   lines  folder\n")
for (const [count, lines, folder] of rows) {
  process.stdout.write(`${String(count).padStart(7)}  ${String(lines).padStart(6)}  ${folder}\n`)
}
const longest = modules.toSorted((a, b) => linesOf(b) - linesOf(a))[0]
const count = (kind) => found.filter((one) => one.kind === kind).length
process.stdout.write(
  `\n${modules.length} modules in ${folders.size} folders; ${count("a circle")} circles; ` +
    `${found.filter(({ kind }) => kind.includes("may not import")).length} imports against the order; ` +
    `${count("past a room's face")} past a face; the longest file is ${longest.source} with ${linesOf(longest)} lines\n`
)
for (const { kind, text } of found) process.stderr.write(`${kind}: ${text}\n`)
process.exit(found.length === 0 ? 0 : 1)
