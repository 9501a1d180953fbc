/**
 * Holds the documentation against the repository: `npm run docs`. Blocks of `ts` in pages and in doc comments are
 * type-checked against the built packages. Where one says `// => …`, it is run, and has to print that. Links, headings, named
 * files, scripts of npm, commands and options of `reflexion` have to exist.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import ts from "typescript"
import { blocksOf, isPartOf } from "./markdownExamples.mjs"

const root = path.dirname(import.meta.dirname)
const at = (...parts) => path.join(root, ...parts)
const read = (file) => fs.readFileSync(at(file), "utf8")
const inFolder = (folder, end) =>
  fs
    .readdirSync(at(folder), { recursive: true })
    .filter((file) => file.endsWith(end))
    .map((file) => `${folder}/${file.replaceAll(path.sep, "/")}`)
const packages = fs.readdirSync(at("packages"))
const pages = process.env.PAGES
  ? process.env.PAGES.split(" ")
  : [
      ...fs.readdirSync(root).filter((file) => file.endsWith(".md")),
      ...inFolder("docs", ".md"),
      ...[...packages.map((name) => `packages/${name}/README.md`), "evals/README.md"].filter((file) =>
        fs.existsSync(at(file))
      )
    ]

let problems = 0
const problem = (where, text) => {
  problems += 1
  process.stderr.write(`${where}: ${text}\n`)
}

/** Below a package that has all peers, and is not published. */
const scratch = at("packages", "testing", ".tsbuildinfo", "pages")
fs.rmSync(scratch, { recursive: true, force: true })
fs.mkdirSync(path.join(scratch, "node_modules", "@reflexion"), { recursive: true })
for (const name of packages) {
  const { name: full, private: hidden } = JSON.parse(read(`packages/${name}/package.json`))
  if (hidden !== true) fs.symlinkSync(at("packages", name), path.join(scratch, "node_modules", full), "junction")
}

const programs = [...pages, ...packages.flatMap((name) => inFolder(`packages/${name}/src`, ".ts"))].flatMap((file) => {
  const text = file.endsWith(".md") ? read(file) : read(file).replaceAll(/^ *\* ?/gmu, "")
  return blocksOf(text).flatMap(({ code, from, line }, index) => {
    if (from === undefined)
      return [{ shown: file, code, line, file: path.join(scratch, `${file.replaceAll(/\W/gu, "-")}-${index}.ts`) }]
    if (!fs.existsSync(at(from)) || !isPartOf(code, read(from))) problem(`${file}:${line}`, `${from} has no such part`)
    return []
  })
})
for (const { code, file } of programs) fs.writeFileSync(file, `${code}export {}\n`)

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
const program = ts.createProgram(
  programs.map(({ file }) => file),
  compilerOptions
)
for (const { file, messageText, start = 0 } of ts.getPreEmitDiagnostics(program)) {
  const shown = programs.find((one) => one.file === path.resolve(file?.fileName ?? ""))?.shown ?? file?.fileName ?? ""
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
  problem(`${shown}:${line}`, ts.flattenDiagnosticMessageText(messageText, "\n"))
}

for (const { code, file, line, shown } of problems === 0 ? programs : []) {
  const wanted = [...code.matchAll(/\/\/ => (.*)$/gmu)].map(([, text]) => text).join("\n")
  if (wanted === "") continue
  const compiled = file.replace(/\.ts$/u, ".js")
  const { outputText } = ts.transpileModule(code, { compilerOptions: { ...compilerOptions, module: "es2022" } })
  fs.writeFileSync(compiled, outputText)
  const cwd = fs.mkdtempSync(path.join(scratch, "run-"))
  const { stderr, stdout } = spawnSync(process.execPath, [compiled], { cwd, encoding: "utf8" })
  const printed = stdout.replaceAll(/^timestamp=\S+ level=INFO .*\n/gmu, "").trimEnd()
  if (printed !== wanted)
    problem(`${shown}:${line}`, `it printed\n${printed}${stderr}\n  and says it prints\n${wanted}`)
}
fs.rmSync(scratch, { recursive: true, force: true })

const scripts = JSON.parse(read("package.json")).scripts
const bin = at("packages", "cli", "dist", "bin.js")
const helps = new Map()
const helpOf = (command) => {
  const args = command === "" ? ["--help"] : [command, "--help"]
  if (!helps.has(command)) helps.set(command, spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" }))
  return helps.get(command)
}
const headingsOf = (text) =>
  [...text.matchAll(/^#+ (.+)$/gmu)].map(([, title]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-")
  )

const checkCommand = (where, line) => {
  const [, command = "", words = ""] =
    /^(?:\$ )?(?:reflexion|npx @reflexion\/cli|node packages\/cli\/dist\/bin\.js)(?: ([a-z]+)\b)?([^|;&]*)/u.exec(
      line
    ) ?? []
  if (command === "" && words === "") return
  const { status, stdout } = helpOf(command)
  if (status !== 0) return problem(where, `\`${line}\`: reflexion has no command ${command}`)
  for (const [option] of words.matchAll(/(?<= )--[a-z-]+/gu)) {
    if (!`${stdout} --help --version --completions`.includes(option)) problem(where, `\`${line}\`: no option ${option}`)
  }
}

for (const page of pages) {
  const text = read(page)
  const outside = text.replaceAll(/^ *(`{3,})[\s\S]*?^ *\1$/gmu, "")
  for (const [, target] of outside.matchAll(/\]\(([^)\s]+)\)/gu)) {
    if (/^[a-z]+:/u.test(target)) continue
    const [file, heading] = target.split("#", 2)
    const linked = file === "" ? page : path.posix.join(path.posix.dirname(page), file)
    if (!fs.existsSync(at(linked))) problem(page, `links to ${target}: there is no ${linked}`)
    else if (heading !== undefined && !headingsOf(read(linked)).includes(heading))
      problem(page, `links to ${target}: no such heading`)
  }
  const code = [...outside.matchAll(/`([^`]+)`/gu)].map(([, span]) => span)
  for (const [name] of code.join("\n").matchAll(/^(?:packages|scripts|docs|evals|examples|\.github)\/[\w./-]+$/gmu)) {
    if (!/(?:^|\/)dist\//u.test(name) && !fs.existsSync(at(name))) problem(page, `names ${name}, which does not exist`)
  }
  for (const [, name] of text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/gu)) {
    if (scripts[name] === undefined && !page.startsWith("docs/")) problem(page, `there is no \`npm run ${name}\``)
  }
  const blocks = [...text.matchAll(/^ *(`{3,})(?!text)[\s\S]*?^ *\1$|^ {4}\S.*$/gmu)].flatMap(([all]) =>
    all.split("\n")
  )
  for (const line of [...code, ...blocks.map((one) => one.trim())]) checkCommand(page, line)
}
process.stdout.write(`${pages.length} pages, ${programs.length} examples, ${problems} problems\n`)
process.exitCode = problems === 0 ? 0 : 1
