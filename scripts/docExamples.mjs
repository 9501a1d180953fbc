/**
 * Checks the examples in pages and doc comments. Part of `npm run docs`. A `ts` block is type-checked. If it contains
 * `// => …`, it also runs and must print that text. A hidden comment above a block can declare names for the block:
 *
 *     <!-- ts
 *     declare const transcript: Transcript
 *     -->
 *
 * A block below `<!-- from examples/some.ts -->` is a part of that program.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import ts from "typescript"

const root = path.dirname(import.meta.dirname)
const at = (...parts) => path.join(root, ...parts)
const read = (file) => fs.readFileSync(at(file), "utf8")
const inFolder = (folder, end) =>
  fs
    .readdirSync(at(folder), { recursive: true })
    .filter((file) => file.endsWith(end))
    .map((file) => `${folder}/${file.replaceAll(path.sep, "/")}`)
const packages = fs.readdirSync(at("packages"))
const pages = [
  ...fs.readdirSync(root).filter((file) => file.endsWith(".md")),
  ...inFolder("docs", ".md"),
  ...["evals/README.md", ...packages.map((name) => `packages/${name}/README.md`)].filter((file) =>
    fs.existsSync(at(file))
  )
]

let problems = 0
const problem = (where, text) => {
  problems += 1
  process.stderr.write(`${where}: ${text}\n`)
}

/** This folder is below a package that has all peers and is not published. */
const scratch = at("packages", "testing", ".tsbuildinfo", "pages")
fs.rmSync(scratch, { recursive: true, force: true })
fs.mkdirSync(path.join(scratch, "node_modules", "@reflexion"), { recursive: true })
for (const name of packages) {
  const { name: full, private: hidden } = JSON.parse(read(`packages/${name}/package.json`))
  if (hidden !== true) fs.symlinkSync(at("packages", name), path.join(scratch, "node_modules", full), "junction")
}

const block =
  /(?:^<!-- (?:from (?<from>\S+) -->|ts\n(?<prelude>(?:(?!-->)[^\n]*\n)*)-->)\n+)?^ *```ts\n(?<code>[\s\S]*?)^ *```$/dgmu
const blank = (text) => text.replaceAll(/[^\n]/gu, "")
const dense = (text) => text.replaceAll(/\s+/gu, "")

const programsOf = (shown) => {
  const text = shown.endsWith(".md") ? read(shown) : read(shown).replaceAll(/^ *\* ?/gmu, "")
  return [...text.matchAll(block)].flatMap(({ groups, indices }, index) => {
    const [start] = indices.groups.code
    const [first, last] = indices.groups.prelude ?? [start, start]
    const line = text.slice(0, start).split("\n").length
    if (groups.from !== undefined) {
      const isThere = fs.existsSync(at(groups.from)) && dense(read(groups.from)).includes(dense(groups.code))
      if (!isThere) problem(`${shown}:${line}`, `${groups.from} has no such part`)
      return []
    }
    const code = `${blank(text.slice(0, first))}${groups.prelude ?? ""}${blank(text.slice(last, start))}${groups.code}`
    const file = path.join(scratch, `${shown.replaceAll(/\W/gu, "-")}-${index}.ts`)
    fs.writeFileSync(file, `${code}export {}\n`)
    return [{ shown, line, code, file }]
  })
}
const programs = [...pages, ...packages.flatMap((name) => inFolder(`packages/${name}/src`, ".ts"))].flatMap(programsOf)

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
  typeRoots: [at("node_modules", "@types")]
}
const files = programs.map(({ file }) => file)
for (const { file, messageText, start = 0 } of ts.getPreEmitDiagnostics(ts.createProgram(files, compilerOptions))) {
  const shown = programs.find((one) => one.file === path.resolve(file?.fileName ?? ""))?.shown ?? file?.fileName ?? ""
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
  problem(`${shown}:${line}`, ts.flattenDiagnosticMessageText(messageText, "\n"))
}

for (const { code, file, line, shown } of problems === 0 ? programs : []) {
  const wanted = [...code.matchAll(/\/\/ => (.*)$/gmu)].map(([, text]) => text).join("\n")
  if (wanted === "") continue
  const compiled = file.replace(/\.ts$/u, ".js")
  const emitted = { ...compilerOptions, module: ts.ModuleKind.ES2022 }
  fs.writeFileSync(compiled, ts.transpileModule(code, { compilerOptions: emitted }).outputText)
  const cwd = fs.mkdtempSync(path.join(scratch, "run-"))
  const { stderr, stdout } = spawnSync(process.execPath, [compiled], { cwd, encoding: "utf8" })
  // Lines of Effect's logger are not part of the expected output.
  const printed = stdout.replaceAll(/^timestamp=\S+ level=INFO .*\n/gmu, "").trimEnd()
  if (printed !== wanted)
    problem(`${shown}:${line}`, `it printed\n${printed}${stderr}\n  and says it prints\n${wanted}`)
}
fs.rmSync(scratch, { recursive: true, force: true })

const { scripts } = JSON.parse(read("package.json"))
for (const page of pages) {
  const text = read(page)
  for (const [, name] of text.matchAll(/`((?:packages|scripts|docs|evals|examples)\/[\w./-]+)`/gu)) {
    if (!name.includes("/dist/") && !fs.existsSync(at(name))) problem(page, `names ${name}, which does not exist`)
  }
  for (const [, json] of text.matchAll(/^```json\n([\s\S]*?)^```$/gmu)) {
    try {
      JSON.parse(json)
    } catch (error) {
      problem(page, `${error.message} in ${json}`)
    }
  }
  for (const [, name] of page.startsWith("docs/") ? [] : text.matchAll(/\bnpm run ([a-z][\w:-]*)/gu)) {
    if (scripts[name] === undefined) problem(page, `there is no \`npm run ${name}\``)
  }
}
process.stdout.write(`${pages.length} pages, ${programs.length} examples, ${problems} problems\n`)
if (problems > 0) process.exitCode = 1
