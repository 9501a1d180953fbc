/**
 * Takes the examples out of the packages' docstrings (`@example`, a fenced block of `ts`), type-checks each as a program
 * that imports the built packages, runs it, and compares what it prints with its comments `// => …`: `npm run docs`.
 * The blocks of `ts` in the documentation's pages are type-checked with them.
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { collectPages } from "./markdownExamples.mjs"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** What a program that uses a package begins with: it has an example. No library that is published is left out. */
export const entries = {
  "claude-code": ["ClaudeCodeTranscript"],
  codex: ["CodexTranscript"],
  core: ["JudgeService", "ReflectionCycle", "ReflectionService", "ReflexionConfig", "TurnReview"],
  opencode: ["OpenCodeTranscript"],
  retry: ["Reflexion"],
  testing: ["ScriptedAnthropic"]
}

const lineOf = (text, offset) => text.slice(0, offset).split("\n").length

const comment = /^[ \t]*\/\*\*[\s\S]*?\*\//gmu
const tag = /^[ \t]*\* @example[^\n]*\n((?:[ \t]*\*(?! @)[^\n]*\n)*)/gmu
const fence = /^ *```ts\n([\s\S]*?)^ *```/mu

/** A source's examples, each with the line of its file on which its code begins; null is one without code. */
export const examplesOf = (source) =>
  [...source.matchAll(comment)].flatMap((found) =>
    [...found[0].matchAll(tag)].map((one) => {
      const at = lineOf(source, found.index + one.index)
      const body = (one[1] ?? "").replace(/^[ \t]*\* ?/gmu, "")
      const fenced = fence.exec(body)
      return fenced === null
        ? { line: at, code: null }
        : { line: at + lineOf(body, fenced.index) + 1, code: fenced[1] ?? "" }
    })
  )

/** What it is to print, line by line. */
export const printed = (code) => [...code.matchAll(/\/\/ => (.*)$/gmu)].map(([, text = ""]) => text)

const options = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  types: ["node"],
  typeRoots: [path.join(root, "node_modules", "@types")]
}

const emitted = { ...options, module: ts.ModuleKind.ES2022 }

/** Below a package, so that it is resolved what the package resolves; what lies there is in no commit and in no tarball. */
const folderOf = (name) => path.join(root, "packages", name, ".tsbuildinfo", "examples")

/** It finds what the tests' package finds next to the packages themselves. */
const pagesFolder = path.join(root, "packages", "testing", ".tsbuildinfo", "pages")

const sourcesOf = (name) => {
  const folder = path.join(root, "packages", name, "src")
  return fs
    .readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.join(folder, file))
}

const collect = (problem) =>
  Object.entries(entries).flatMap(([name, modules]) => {
    fs.rmSync(folderOf(name), { recursive: true, force: true })
    fs.mkdirSync(folderOf(name), { recursive: true })
    const all = sourcesOf(name).flatMap((source) => {
      const shown = path.relative(root, source)
      return examplesOf(fs.readFileSync(source, "utf8")).flatMap(({ code, line }, index) => {
        if (code === null) {
          problem(`${shown}:${line}: an example is a block of code that begins with \`\`\`ts`)
          return []
        }
        const module = path.basename(source, ".ts")
        const file = path.join(folderOf(name), `${module}-${index + 1}.ts`)
        // It is a module of its own even where it imports nothing.
        fs.writeFileSync(file, `${code}export {}\n`)
        return [{ file, line, module, shown, code }]
      })
    })
    for (const module of modules) {
      if (!all.some((one) => one.module === module)) problem(`${module} of packages/${name} has no example`)
    }
    return all
  })

/** An example of a page may end with what it declares, but import nothing in vain. */
const isMeant = ({ file, reportsUnnecessary, start = 0 }) =>
  reportsUnnecessary !== undefined &&
  file !== undefined &&
  path.dirname(path.resolve(file.fileName)) === pagesFolder &&
  !file.statements.some((one) => ts.isImportDeclaration(one) && one.pos <= start && start < one.end)

const typeCheck = (examples, problem) => {
  const program = ts.createProgram(
    examples.map(({ file }) => file),
    { ...options, noEmit: true }
  )
  for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
    const { category, file, messageText, start } = diagnostic
    if (category !== ts.DiagnosticCategory.Error || isMeant(diagnostic)) continue
    const text = ts.flattenDiagnosticMessageText(messageText, "\n")
    const one = examples.find((example) => file !== undefined && path.resolve(file.fileName) === example.file)
    const at = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line
    problem(one === undefined ? `${file?.fileName ?? ""}: ${text}` : `${one.shown}:${one.line + at}: ${text}`)
  }
}

const ended = (child) =>
  new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message))
    child.on("close", (code, signal) => resolve(code === 0 ? null : `it ended with ${signal ?? code}`))
  })

const textOf = (stream) => {
  const chunks = []
  stream.on("data", (chunk) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString("utf8")
}

/** In an empty folder, for no more than a minute. */
const run = async ({ code, file, line, shown }, problem) => {
  const compiled = file.replace(/\.ts$/u, ".js")
  fs.writeFileSync(compiled, ts.transpileModule(code, { compilerOptions: emitted }).outputText)
  const cwd = fs.mkdtempSync(path.join(path.dirname(file), "run-"))
  const child = spawn(process.execPath, [compiled], { cwd, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 })
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)]
  const failed = await ended(child)
  if (failed !== null) return problem(`${shown}:${line}: ${failed}: ${stderr().slice(0, 2_000)}`)
  const wanted = printed(code).join("\n")
  // What Effect's logger says is not what the example prints.
  const got = stdout()
    .split("\n")
    .filter((one) => !/^timestamp=\S+ level=INFO /u.test(one))
    .join("\n")
    .trimEnd()
  if (wanted !== got) problem(`${shown}:${line}: it printed\n${got}\n  and says it prints\n${wanted}`)
}

const runAll = async (examples, problem) => {
  const left = [...examples]
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await run(next, problem)
  }
  await Promise.all([worker(), worker()])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let problems = 0
  const problem = (text) => {
    problems += 1
    process.stderr.write(`${text}\n`)
  }
  fs.rmSync(pagesFolder, { recursive: true, force: true })
  fs.mkdirSync(pagesFolder, { recursive: true })
  const examples = collect(problem)
  const pages = collectPages(root, pagesFolder, problem)
  typeCheck([...examples, ...pages], problem)
  if (problems === 0) await runAll(examples, problem)
  for (const folder of [pagesFolder, ...Object.keys(entries).map(folderOf)])
    fs.rmSync(folder, { recursive: true, force: true })
  process.stdout.write(`${examples.length} examples of docstrings, ${pages.length} of pages, ${problems} problems\n`)
  process.exitCode = problems === 0 ? 0 : 1
}
