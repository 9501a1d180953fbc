/**
 * Writes the maps of `exports` of the packages that have rooms from their `src/index.ts`: an entry for each module that it
 * names, and nothing else for programs that use the library. `node scripts/exports.mjs`; with `--check` it only says whether the maps
 * are up to date.
 *
 * `./internal/*` is for the other packages of this repository, which are published with the same version. It comes with no
 * promise.
 */
import * as fs from "node:fs"
import * as path from "node:path"

const entry = (name) => ({
  "@reflexion/source": `./src/${name}.ts`,
  types: `./dist/${name}.d.ts`,
  default: `./dist/${name}.js`
})

/** Each with further entries: what a program that only reads records, or has no `@effect/ai`, must not load. */
const packages = {
  core: {
    "./EffectAiModel": entry("model/calls/EffectAiModel"),
    "./pure": {
      "@reflexion/source": "./src/pure.ts",
      types: "./dist/pure.bundle.d.ts",
      default: "./dist/pure.bundle.js"
    }
  },
  opencode: {
    "./server": "./dist/server.js",
    "./JudgeSession": entry("models/JudgeSession"),
    "./OpenCodeClient": entry("host/OpenCodeClient"),
    "./OpenCodeModel": entry("models/OpenCodeModel"),
    "./Plugin": entry("plugin/Plugin")
  }
}

const update = ([name, further]) => {
  const folder = path.join(import.meta.dirname, "..", "packages", name)
  const file = path.join(folder, "package.json")
  const named = fs
    .readFileSync(path.join(folder, "src", "index.ts"), "utf8")
    .matchAll(/^export \* as (\w+) from "\.\/(.+)\.ts"$/gm)
  const manifest = JSON.parse(fs.readFileSync(file, "utf8"))
  const before = JSON.stringify(manifest.exports)
  manifest.exports = {
    "./package.json": "./package.json",
    ".": entry("index"),
    ...further,
    ...Object.fromEntries(Array.from(named, ([, face, module]) => [`./${face}`, entry(module)])),
    "./internal/*": entry("*")
  }
  if (JSON.stringify(manifest.exports) === before) return true
  if (process.argv.includes("--check")) {
    process.stderr.write(
      `packages/${name}/package.json: \`exports\` is not what src/index.ts names. Run \`node scripts/exports.mjs\`.\n`
    )
    return false
  }
  fs.writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  return true
}

process.exitCode = Object.entries(packages).map(update).every(Boolean) ? 0 : 1
