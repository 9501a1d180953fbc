/** Writes the packages' `exports`: an entry for each module in `src/index.ts`. `--check` only compares them. */
import * as fs from "node:fs"
import * as path from "node:path"

const entry = (name) => ({
  "@reflexion/source": `./src/${name}.ts`,
  types: `./dist/${name}.d.ts`,
  default: `./dist/${name}.js`
})

/** Additional entries for modules that some programs cannot load, for example because `@effect/ai` is missing. */
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
    // For this repository's other packages in the same version. This entry may change at any time.
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
