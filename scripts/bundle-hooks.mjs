/**
 * Bundles the hooks that hosts run, a folder for each host: `hook.cjs`, which the host runs, compiles `hook-main.cjs` out
 * of a code cache. What few stops need and is large is a part of its own, which is loaded where it is needed: see `parts`.
 */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { bundle, licences, noteBundled, root } from "./bundler.mjs"

const entries = path.join(root, "packages", "hooks", "src", "entries")
const cjs = { format: "cjs", minify: true }

/** The hosts with a hook, by their package's folder. */
export const hosts = { "claude-code": "claudeCode.ts", codex: "codex.ts" }

/** The bundler copies each of Node's own modules, name by name, in case it were an ES module. It never is. */
const unwrapped = (text) => text.replaceAll(/(?<![\w$.])[\w$]+\((require\("node:\w+"\)),1\)/g, "$1")

/** Modules of which single functions are used become a file of its own, which is loaded at the first call. */
const apart = (file, { module, functions }) => ({
  name: file,
  setup: (build) => {
    build.onResolve({ filter: module }, () => ({ path: file, namespace: file }))
    build.onLoad({ filter: /.*/, namespace: file }, () => ({
      contents: functions
        .map((name) => `export const ${name} = (...given) => require("./${file}").${name}(...given)`)
        .join("\n")
    }))
  }
})

const source = path.join(root, "packages", "hooks", "src")

const exporting = (name, module, folder = source) => ({
  contents: `export { ${name} } from "${module}"`,
  resolveDir: folder
})

/**
 * The parts, each with what it adds to `hook-main.cjs` where it is not one: that is read at every stop. A part costs a file
 * and what it shares with others; what adds less than 5 kB and no time is none. `entry` and `stdin` are what the bundler begins with.
 */
const parts = {
  /** 6 kB, where the host's own model may be asked, or the user wants to know of it: most stops are of users who have none asked. */
  asking: {
    module: /\/(?:Billing|ModelAnswer)\.ts$/,
    functions: ["answer", "isLogin", "mayTurnOn"],
    stdin: {
      contents: `export { isLogin } from "./models/Billing.ts"
        export { answer, mayTurnOn } from "./events/ModelAnswer.ts"`,
      resolveDir: source
    }
  },
  /** 220 kB: Effect's schemas, for a configuration that is new or has changed. */
  settings: { entry: path.join(entries, "settings.ts") },
  /** 730 kB: Effect's runtime, models, running checks. */
  consulted: {
    module: /\/(?:ConsultedStop|AskedChecks)\.ts$/,
    functions: ["run", "verify"],
    entry: path.join(entries, "consulted.ts"),
    without: ["toml", "learned", "outcome", "asking"]
  },
  /** 50 kB, where a session goes on from a compaction. It has the judge once more, for two files share nothing. */
  compaction: {
    module: /\/CompactedTask\.ts$/,
    functions: ["run"],
    stdin: exporting("run", "./events/CompactedTask.ts"),
    without: ["toml", "learned", "outcome", "asking"]
  },
  /** 64 kB, for a stop that fails and a project that remembers failures. */
  learned: {
    module: /\/Learned\.ts$/,
    functions: ["run", "takeBack"],
    stdin: exporting("run, takeBack", "./memory/Learned.ts"),
    without: ["toml"]
  },
  /** 30 kB, for a stop that is reviewed. */
  outcome: {
    module: /\/EndedTurn\.ts$/,
    functions: ["run"],
    stdin: exporting("run", "./memory/EndedTurn.ts"),
    without: ["toml", "findings"]
  },
  /** 40 kB more than that, for a stop by which an attempt has failed. */
  findings: {
    module: /\/Findings\.ts$/,
    functions: ["run"],
    stdin: exporting("run", "./memory/Findings.ts"),
    without: ["toml"]
  },
  /** 11 kB, where a project has a manifest in TOML. */
  toml: {
    module: /^smol-toml$/,
    functions: ["parse"],
    stdin: exporting("parse", "smol-toml", path.join(root, "packages", "core"))
  }
}

const fileOf = (name) => `hook-${name}.cjs`

const external = Object.keys(parts).map((name) => `./${fileOf(name)}`)

const withoutParts = (names) => names.map((name) => apart(fileOf(name), parts[name]))

/** A stand-in of the same length is replaced once the content is known. */
const unknownBuild = "0".repeat(16)

/**
 * Escapes what the bundler leaves as it is in regular expressions: a source of single bytes is read without decoding and
 * takes half the memory. The bundle has no comments and no raw strings, so an escape means the same everywhere.
 */
const ascii = (text) =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** What no host has of its own. */
const makeShared = async () => {
  const made = {}
  for (const [name, { entry, stdin, without = [] }] of Object.entries(parts)) {
    made[fileOf(name)] = await bundle({ ...cjs, entry, stdin, external, plugins: withoutParts(without) })
  }
  return made
}

/** Made once. */
let made

const shared = () => (made ??= makeShared())

/**
 * The texts and metafiles of a host's files. The build's identity is a hash of everything that it runs.
 */
export const bundleHook = async (host) => {
  const define = { REFLEXION_BUILD: JSON.stringify(unknownBuild), REFLEXION_HOST: JSON.stringify(host) }
  const main = await bundle({
    ...cjs,
    entry: path.join(entries, hosts[host]),
    define,
    external,
    plugins: withoutParts(Object.keys(parts).filter((name) => parts[name].module !== undefined))
  })
  const files = { "hook-main.cjs": main, ...(await shared()) }
  const loader = await bundle({ ...cjs, entry: path.join(entries, "loader.ts"), define })
  const texts = Object.values(files).map(({ text }) => text)
  const build = createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 16)
  const named = ({ metafile, text }) => ({ metafile, text: unwrapped(ascii(text)).replaceAll(unknownBuild, build) })
  const all = { "hook.cjs": loader, ...files }
  return Object.fromEntries(Object.entries(all).map(([name, file]) => [name, named(file)]))
}

/** Writes a host's files into its package, and beside the command line, which installs them. */
const write = async (host) => {
  const files = Object.entries(await bundleHook(host))
  const inputs = Object.assign({}, ...files.map(([, { metafile }]) => metafile.inputs))
  const written = [...files.map(([name, { text }]) => [name, text]), ["hook.licenses.txt", licences({ inputs })]]
  for (const folder of [
    path.join(root, "packages", host, "dist"),
    path.join(root, "packages", "cli", "dist", "hooks", host)
  ]) {
    fs.mkdirSync(folder, { recursive: true })
    // A part that is no more would be published with the others.
    for (const name of fs.readdirSync(folder).filter((file) => /^hook[\w.-]*\.(?:cjs|txt)$/.test(file))) {
      if (!written.some(([one]) => one === name)) fs.rmSync(path.join(folder, name))
    }
    for (const [name, text] of written) fs.writeFileSync(path.join(folder, name), text)
    for (const [name, { metafile }] of files) noteBundled(path.join(folder, name), metafile)
  }
}

export const bundleHooks = async () => {
  for (const host of Object.keys(hosts)) await write(host)
}
