/**
 * Bundles an entry with everything it imports into one file that needs no node_modules. Packages that keep no effects
 * of their loading are cut down to what the entry uses.
 */
import { build } from "esbuild"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { pureCalls } from "./bundlerPureCalls.mjs"

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** CommonJS packages in an ES module still ask for `require`. */
const requireForModules =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);'

/** The providers' packages bring 2 MB of tokens' tables along, which no call of ours uses. */
const withoutTokenizers = {
  name: "without-tokenizers",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^(gpt-tokenizer|@anthropic-ai\/tokenizer)$/ }, ({ path }) => ({ path, namespace: "none" }))
    onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "module.exports = {}" }))
  }
}

/** The tables of spaces of a JSON formatter, which are made as it is loaded, whether anything is formatted or not. */
const withoutSpaces = {
  name: "without-spaces",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/string-intern$/ }, ({ path: name, resolveDir }) => ({
      path: path.join(resolveDir, `${name}.js`),
      sideEffects: false
    }))
  }
}

/**
 * Writes `outfile`, or with `outdir` the entry there and a file for each part that is loaded on demand; without either the
 * bundle is only returned, as `text`. `stdin` is a text instead of an entry. Answers with the bundler's metafile, which knows
 * every input and its bytes in the output.
 */
export const bundle = async ({
  entry,
  stdin,
  outfile,
  outdir,
  format = "esm",
  minify = false,
  external = [],
  define = {},
  plugins = []
}) => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    ...(stdin === undefined ? { entryPoints: [entry] } : { stdin }),
    ...(outdir === undefined
      ? { outfile: outfile ?? path.join(root, "bundle.js") }
      : { outdir, splitting: true, chunkNames: "[name]-[hash]" }),
    write: outfile !== undefined || outdir !== undefined,
    bundle: true,
    platform: "node",
    external,
    define,
    format,
    minify,
    // A file that is not minified keeps its names and lines, in which errors are found.
    minifySyntax: true,
    target: "node20.19",
    conditions: ["@reflexion/source"],
    // A package's "main" may be a UMD module whose own imports a bundler cannot see.
    mainFields: ["module", "main"],
    banner: format === "esm" ? { js: requireForModules } : {},
    plugins: [withoutTokenizers, withoutSpaces, pureCalls, ...plugins],
    legalComments: "none",
    logLevel: "warning",
    metafile: true
  })
  return { metafile, text: outputFiles?.[0]?.text }
}

/** The folder of the package that a bundled file comes from, if it is not this project's own. */
const packageFolder = (input) => {
  const at = input.lastIndexOf("node_modules/")
  if (at < 0) return []
  const [scope = "", name = ""] = input.slice(at + "node_modules/".length).split("/")
  const folder = scope.startsWith("@") ? `${scope}/${name}` : scope
  return [path.join(root, input.slice(0, at), "node_modules", folder)]
}

const manifestOf = (folder) => JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"))

const foldersOf = (metafile) => [...new Set(Object.keys(metafile.inputs).flatMap(packageFolder))].toSorted()

/** Where it is kept what each bundled program is made of: a minified one does not say so itself. It is not published. */
export const bundledFile = path.join(root, "packages", "cli", ".tsbuildinfo", "bundled.json")

const bundled = {}

/** Notes of a file that was written which packages are in it. */
export const noteBundled = (file, metafile) => {
  const names = foldersOf(metafile).map((folder) => manifestOf(folder).name)
  bundled[path.relative(root, file).replaceAll(path.sep, "/")] = [...new Set(names)]
}

export const writeBundled = () => {
  fs.mkdirSync(path.dirname(bundledFile), { recursive: true })
  fs.writeFileSync(bundledFile, `${JSON.stringify(bundled, null, 2)}\n`)
}

const notice = (folder) => {
  const { license, name, version } = manifestOf(folder)
  // What an Apache licence calls a notice has to be passed on, too.
  const files = fs.readdirSync(folder).filter((entry) => /^(?:licen[cs]e|copying|notice)(?:\.|-|$)/i.test(entry))
  if (files.length === 0) throw new Error(`${name} ${version} has no licence's text to go with the bundle`)
  const texts = files.toSorted().map((file) => fs.readFileSync(path.join(folder, file), "utf8").trim())
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`
}

/** The licences of what a bundle contains, to go with it. */
export const licences = (metafile) =>
  foldersOf(metafile)
    .map(notice)
    .join(`\n${"-".repeat(80)}\n\n`)
