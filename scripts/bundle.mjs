/**
 * Bundles the command line into one file that needs no node_modules: it starts three times faster than the same
 * program importing Effect from its packages. The licences of what it contains go beside it.
 */
import { build } from "esbuild"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const cli = path.join(root, "packages", "cli")

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [path.join(cli, "src", "bin.ts")],
  outfile: path.join(cli, "dist", "bin.js"),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  conditions: ["@reflexion/source"],
  // A package's "main" may be a UMD module whose own imports a bundler cannot see.
  mainFields: ["module", "main"],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);'
  },
  legalComments: "none",
  logLevel: "warning",
  metafile: true
})

/** The folder of the package that a bundled file comes from, if it is not this project's own. */
const packageFolder = (input) => {
  const at = input.lastIndexOf("node_modules/")
  if (at < 0) return []
  const [scope = "", name = ""] = input.slice(at + "node_modules/".length).split("/")
  const folder = scope.startsWith("@") ? `${scope}/${name}` : scope
  return [path.join(root, input.slice(0, at), "node_modules", folder)]
}

const notice = (folder) => {
  const { license, name, version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"))
  const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? "" : fs.readFileSync(path.join(folder, file), "utf8").trim()
  return `${name} ${version} (${license})\n\n${text}\n`
}

const folders = [...new Set(Object.keys(metafile.inputs).flatMap(packageFolder))].toSorted()
fs.writeFileSync(path.join(cli, "dist", "bin.licenses.txt"), folders.map(notice).join(`\n${"-".repeat(80)}\n\n`))
