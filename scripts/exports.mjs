/**
 * Writes core's map of `exports` from `src/index.ts`: an entry for each module that it names, and nothing else for programs
 * that use the library. `npm run exports`; with `--check` it only says whether the map is up to date.
 *
 * `./internal/*` is for the other packages of this repository, which are published with exactly the same version. It comes
 * with no promise.
 */
import * as fs from "node:fs"
import * as path from "node:path"

const folder = path.join(import.meta.dirname, "..", "packages", "core")
const file = path.join(folder, "package.json")

const entry = (name) => ({
  "@reflexion/source": `./src/${name}.ts`,
  types: `./dist/${name}.d.ts`,
  default: `./dist/${name}.js`
})

const named = fs
  .readFileSync(path.join(folder, "src", "index.ts"), "utf8")
  .matchAll(/^export \* as (\w+) from "\.\/(.+)\.ts"$/gm)

const manifest = JSON.parse(fs.readFileSync(file, "utf8"))
const before = JSON.stringify(manifest.exports)
manifest.exports = {
  "./package.json": "./package.json",
  ".": entry("index"),
  ...Object.fromEntries(Array.from(named, ([, name, module]) => [`./${name}`, entry(module)])),
  "./internal/*": entry("*")
}

if (JSON.stringify(manifest.exports) === before) process.exit(0)
if (process.argv.includes("--check")) {
  process.stderr.write("packages/core/package.json: `exports` is not what src/index.ts names. Run `npm run exports`.\n")
  process.exit(1)
}
fs.writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
