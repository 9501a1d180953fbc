/** Bundles the hooks: `hook.cjs` loads `hook-main.cjs` with a code cache. Few stops need `hook-consult.cjs`. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { bundle, licences, root } from "./bundler.mjs"

const entries = path.join(root, "packages", "hooks", "src", "entries")
const cjs = { format: "cjs", minify: true }

export const hosts = {
  "claude-code": "claudeCode.ts",
  codex: "codex.ts",
  copilot: "copilot.ts",
  gemini: "gemini.ts"
}

/** Removes the bundler's wrapper around `require`, which only ES modules need. */
const unwrapped = (text) => text.replaceAll(/(?<![\w$.])[\w$]+\((require\("node:\w+"\)),1\)/g, "$1")

const chunk = "hook-consult.cjs"

/** Loads late modules from a separate file at the first call. */
const apart = {
  name: "apart",
  setup: (build) => {
    build.onResolve({ filter: /\/(?:ConsultedStop|Consulting|ConfigSources)\.ts$/ }, ({ path: file }) => ({
      path: path.basename(file, ".ts"),
      namespace: "apart"
    }))
    build.onLoad({ filter: /.*/, namespace: "apart" }, ({ path: name }) => ({
      contents: late[name]
        .map((one) => `export const ${one} = (...given) => require("./${chunk}").${one}(...given)`)
        .join("\n")
    }))
  }
}

/** What needs Effect's runtime, models or checks: a changed configuration, or a stop that evidence cannot decide. */
const late = { ConsultedStop: ["run"], Consulting: ["verify"], ConfigSources: ["settle"] }

/** Loads `node:crypto` on demand. Loading takes 4 ms, and few stops need it. */
const lateCrypto = {
  name: "late-crypto",
  setup: (build) => {
    build.onResolve({ filter: /^node:crypto$/ }, () => ({ path: "crypto", namespace: "late-crypto" }))
    build.onLoad({ filter: /.*/, namespace: "late-crypto" }, () => ({
      contents: `export const createHash = (name) => process.getBuiltinModule("node:crypto").createHash(name)`
    }))
  }
}

/** A placeholder as long as the build's identity. It is replaced when the content is known. */
const unknownBuild = "0".repeat(16)

/** Node reads ASCII without decoding and in half the memory. The bundle has no raw strings, so escapes are safe. */
const ascii = (text) =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The part that is the same for all hosts, bundled once. */
let made

const consult = () => (made ??= bundle({ ...cjs, entry: path.join(entries, "consult.ts") }))

/** The build's identity is a hash of all code that runs. */
export const bundleHook = async (host) => {
  const define = { REFLEXION_BUILD: JSON.stringify(unknownBuild), REFLEXION_HOST: JSON.stringify(host) }
  const main = await bundle({
    ...cjs,
    entry: path.join(entries, hosts[host]),
    define,
    external: [`./${chunk}`],
    plugins: [apart, lateCrypto]
  })
  const files = { "hook-main.cjs": main, [chunk]: await consult() }
  const loader = await bundle({ ...cjs, entry: path.join(entries, "loader.ts"), define })
  const texts = Object.values(files).map(({ text }) => text)
  const build = createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 16)
  const named = ({ metafile, text }) => ({ metafile, text: unwrapped(ascii(text)).replaceAll(unknownBuild, build) })
  const all = { "hook.cjs": loader, ...files }
  return Object.fromEntries(Object.entries(all).map(([name, file]) => [name, named(file)]))
}

const write = async (host) => {
  const files = Object.entries(await bundleHook(host))
  const inputs = Object.assign({}, ...files.map(([, { metafile }]) => metafile.inputs))
  const written = [...files.map(([name, { text }]) => [name, text]), ["hook.licenses.txt", licences({ inputs })]]
  for (const folder of [
    path.join(root, "packages", host, "dist"),
    path.join(root, "packages", "cli", "dist", "hooks", host)
  ]) {
    fs.mkdirSync(folder, { recursive: true })
    // Removes old files, because they would be published too.
    for (const name of fs.readdirSync(folder).filter((file) => /^hook[\w.-]*\.(?:cjs|txt)$/.test(file))) {
      if (!written.some(([one]) => one === name)) fs.rmSync(path.join(folder, name))
    }
    for (const [name, text] of written) fs.writeFileSync(path.join(folder, name), text)
  }
}

export const bundleHooks = async () => {
  for (const host of Object.keys(hosts)) await write(host)
}
