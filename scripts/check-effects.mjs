/**
 * Type-checks everything with a compiler that runs Effect's diagnostics beside its own: the language service's own command
 * takes three times as long for the same. The compiler is a copy, for other projects share the package's files, and it
 * works on a copy of the sources, for it writes what it compiles and others may be reading that.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const modules = path.join(root, "node_modules")
const require = createRequire(import.meta.url)

const installed = (name) => {
  const manifest = require.resolve(`${name}/package.json`)
  return { folder: path.dirname(manifest), version: JSON.parse(fs.readFileSync(manifest, "utf8")).version }
}

/** Node with a larger nursery: a compiler makes little else than short-lived objects. */
const node = (...words) =>
  spawnSync(process.execPath, ["--max-semi-space-size=128", ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024
  })

/** Where two make it at once, whoever is first has made it for both. */
const place = (unfinished, compiler) => {
  try {
    fs.renameSync(unfinished, compiler)
  } catch (cause) {
    if (!fs.existsSync(compiler)) throw cause
  }
}

const patchedCompiler = () => {
  const typescript = installed("typescript")
  const effect = installed("@effect/language-service")
  const cache = path.join(modules, ".cache", "reflexion")
  const compiler = path.join(cache, `typescript-${typescript.version}-effect-${effect.version}`)
  if (fs.existsSync(compiler)) return compiler
  fs.mkdirSync(cache, { recursive: true })
  const unfinished = fs.mkdtempSync(`${compiler}-`)
  try {
    fs.cpSync(typescript.folder, unfinished, { recursive: true })
    const { status, stdout } = node(path.join(effect.folder, "cli.js"), "patch", "--dir", unfinished, "--module", "tsc")
    if (status !== 0) throw new Error(`the compiler could not be patched: ${stdout}`)
    place(unfinished, compiler)
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true })
  }
  return compiler
}

const written = new Set(["dist", ".tsbuildinfo", "coverage"])

/** Links among the packages lead into the copy, those to other packages into the one folder that has them. */
const copySources = (tree) => {
  for (const name of fs.readdirSync(root).filter((file) => /^tsconfig.*\.json$|^package\.json$/.test(file))) {
    fs.copyFileSync(path.join(root, name), path.join(tree, name))
  }
  for (const name of ["packages", "evals", "examples", "scripts"]) {
    fs.cpSync(path.join(root, name), path.join(tree, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !written.has(path.basename(file))
    })
  }
  fs.symlinkSync(modules, path.join(tree, "node_modules"), "junction")
}

const tree = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "reflexion-check-")))
try {
  const compiler = path.join(patchedCompiler(), "lib", "tsc.js")
  copySources(tree)
  const { status, stdout } = node(compiler, "-b", path.join(tree, "tsconfig.json"))
  process.stdout.write(stdout.toString("utf8").replaceAll(path.relative(process.cwd(), tree) + path.sep, ""))
  process.exitCode = status === 0 ? 0 : 1
} finally {
  fs.rmSync(tree, { recursive: true, force: true })
}
