/** Bundles an entry and its imports. Unused code is removed, except from packages whose loading has effects. */
import { build } from "esbuild"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { pureCalls } from "./bundlerPureCalls.mjs"

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** CommonJS packages inside an ES module need `require`. */
const requireForModules =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);'

/** `outfile` writes one file. `outdir` also writes the parts that load on demand. Without both, only returns `text`. */
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
    // A file that is not minified keeps names and lines, so that errors can be located.
    minifySyntax: true,
    target: "node20.19",
    conditions: ["@reflexion/source"],
    // A package's "main" may be a UMD module, whose imports a bundler cannot see.
    mainFields: ["module", "main"],
    banner: format === "esm" ? { js: requireForModules } : {},
    plugins: [pureCalls, ...plugins],
    legalComments: "none",
    logLevel: "warning",
    metafile: true
  })
  return { metafile, text: outputFiles?.[0]?.text }
}

/** Empty for this project's own files. */
const packageFolder = (input) => {
  const at = input.lastIndexOf("node_modules/")
  if (at < 0) return []
  const [scope = "", name = ""] = input.slice(at + "node_modules/".length).split("/")
  const folder = scope.startsWith("@") ? `${scope}/${name}` : scope
  return [path.join(root, input.slice(0, at), "node_modules", folder)]
}

const manifestOf = (folder) => JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"))

const foldersOf = (metafile) => [...new Set(Object.keys(metafile.inputs).flatMap(packageFolder))].toSorted()

const notice = (folder) => {
  const { license, name, version } = manifestOf(folder)
  // The Apache licence requires that a NOTICE file is passed on too.
  const entries = fs.readdirSync(folder)
  const files = entries.filter((entry) => /^(?:licen[cs]e|copying|notice)(?:\.|-|$)/i.test(entry))
  // Some packages have the licence only at the end of their page.
  const pages = entries.filter((entry) => /^readme(?:\.|$)/i.test(entry))
  const texts = [...files.toSorted(), ...(files.length === 0 ? pages : [])].map((file) => {
    const text = fs.readFileSync(path.join(folder, file), "utf8")
    return (files.length > 0 ? text : (/^#+ licen[cs]e\s*\n([^]*)/im.exec(text)?.[1] ?? "")).trim()
  })
  if (!texts.some((text) => text !== ""))
    throw new Error(`${name} ${version} has no licence's text to go with the bundle`)
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`
}

export const licences = (metafile) =>
  foldersOf(metafile)
    .map(notice)
    .join(`\n${"-".repeat(80)}\n\n`)
