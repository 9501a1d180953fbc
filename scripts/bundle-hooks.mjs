/**
 * Bundles the hooks that hosts run, a folder for each host: `hook.cjs`, which the host runs, compiles `hook-main.cjs` out
 * of a code cache. What few stops need is loaded where it is needed: `hook-known.cjs` where there is configuration,
 * `hook-settings.cjs` where that is new, `hook-toml.cjs` where a project has a manifest in TOML, `hook-arithmetic.cjs`
 * where a command calculates, `hook-prune.cjs` where a session begins, `hook-compaction.cjs` where it goes on from a
 * compaction, `hook-tool.cjs` after a tool call, `hook-command.cjs` for a command that the user types, `hook-notice.cjs`
 * where the user is told of a stop, `hook-progress.cjs` for one after a reminder, `hook-learned.cjs` for one that fails
 * and in a project that remembers failures, `hook-outcome.cjs` for one that is reviewed, `hook-findings.cjs` for one by
 * which an attempt has failed, and `hook-consulted.cjs` for one that is looked at by more than evidence.
 */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { bundle, licences, noteBundled, root } from "./bundler.mjs"

const entries = path.join(root, "packages", "hooks", "src", "entries")
const cjs = { format: "cjs", minify: true }

/** The hosts with a hook, by their package's folder. */
export const hosts = { "claude-code": "claudeCode.ts", codex: "codex.ts" }

/** The bundler copies each of Node's own modules, name by name, in case it were an ES module. It never is. */
const unwrapped = (text) => text.replaceAll(/(?<![\w$.])[\w$]+\((require\("node:\w+"\)),1\)/g, "$1")

/** A module of which one function is used becomes a file of its own, which is loaded at the first call. */
const apart = (file, { module, function: name }) => ({
  name: file,
  setup: (build) => {
    build.onResolve({ filter: module }, () => ({ path: file, namespace: file }))
    build.onLoad({ filter: /.*/, namespace: file }, () => ({
      contents: `export const ${name} = (...given) => require("./${file}").${name}(...given)`
    }))
  }
})

const tomlApart = apart("hook-toml.cjs", { module: /^smol-toml$/, function: "parse" })

const toml = { contents: 'export { parse } from "smol-toml"', resolveDir: path.join(root, "packages", "core") }

/** The shell parser reads an arithmetic expression only where somebody asks what is in it. */
export const arithmeticApart = apart("hook-arithmetic.cjs", {
  module: /^\.\/arithmetic\.js$/,
  function: "parseArithmeticExpression"
})

const parser = createRequire(path.join(root, "packages", "core", "package.json")).resolve("unbash")

export const bundleArithmetic = () => bundle({ ...cjs, entry: path.join(path.dirname(parser), "arithmetic.js") })

const source = path.join(root, "packages", "hooks", "src")

/** It has the judge once more, for two files share nothing, and no stop pays for it. */
const compactionApart = apart("hook-compaction.cjs", { module: /\/CompactedTask\.ts$/, function: "run" })

const compaction = { contents: 'export { run } from "./CompactedTask.ts"', resolveDir: source }

const toolApart = apart("hook-tool.cjs", { module: /\/ToolCall\.ts$/, function: "run" })

const tool = { contents: 'export { run } from "./ToolCall.ts"', resolveDir: source }

const commandApart = apart("hook-command.cjs", { module: /\/UserCommand\.ts$/, function: "run" })

const command = { contents: 'export { run } from "./UserCommand.ts"', resolveDir: source }

const knownApart = apart("hook-known.cjs", { module: /\/KnownSettings\.ts$/, function: "settle" })

const known = { contents: 'export { settle } from "./KnownSettings.ts"', resolveDir: source }

const pruneApart = apart("hook-prune.cjs", { module: /\/SessionPrune\.ts$/, function: "run" })

const prune = { contents: 'export { run } from "./SessionPrune.ts"', resolveDir: source }

const noticeApart = apart("hook-notice.cjs", { module: /\/StopNotice\.ts$/, function: "write" })

const notice = { contents: 'export { write } from "./StopNotice.ts"', resolveDir: source }

const progressApart = apart("hook-progress.cjs", { module: /core\/Progress$/, function: "since" })

const progress = { contents: 'export { since } from "@reflexion/core/internal/ask/tiers/Progress"', resolveDir: source }

const consultedApart = apart("hook-consulted.cjs", { module: /\/ConsultedStop\.ts$/, function: "run" })

const learnedApart = apart("hook-learned.cjs", { module: /\/Learned\.ts$/, function: "run" })

const learned = { contents: 'export { run } from "./Learned.ts"', resolveDir: source }

const outcomeApart = apart("hook-outcome.cjs", { module: /\/EndedTurn\.ts$/, function: "run" })

const outcome = { contents: 'export { run } from "./EndedTurn.ts"', resolveDir: source }

const findingsApart = apart("hook-findings.cjs", { module: /\/Findings\.ts$/, function: "run" })

const findings = { contents: 'export { run } from "./Findings.ts"', resolveDir: source }

/** Effect's runtime, the models and what runs the checks: most of it is only compiled where it is used. */
const parts = [
  "settings",
  "toml",
  "arithmetic",
  "compaction",
  "tool",
  "command",
  "consulted",
  "known",
  "prune",
  "notice",
  "progress",
  "learned",
  "outcome",
  "findings"
].map((name) => `./hook-${name}.cjs`)

/** A stand-in of the same length is replaced once the content is known. */
const unknownBuild = "0".repeat(16)

/**
 * Escapes what the bundler leaves as it is in regular expressions: a source of single bytes is read without decoding and
 * takes half the memory. The bundle has no comments and no raw strings, so an escape means the same everywhere.
 */
const ascii = (text) =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const withOthers = {
  ...cjs,
  external: parts,
  plugins: [tomlApart, arithmeticApart, knownApart, learnedApart, outcomeApart]
}

/** What no host has of its own. */
const makeShared = async () => ({
  "hook-settings.cjs": await bundle({ ...cjs, entry: path.join(entries, "settings.ts") }),
  "hook-toml.cjs": await bundle({ ...cjs, stdin: toml }),
  "hook-arithmetic.cjs": await bundleArithmetic(),
  "hook-compaction.cjs": await bundle({ ...withOthers, stdin: compaction }),
  "hook-tool.cjs": await bundle({ ...withOthers, stdin: tool }),
  "hook-command.cjs": await bundle({ ...withOthers, stdin: command }),
  "hook-consulted.cjs": await bundle({ ...withOthers, entry: path.join(entries, "consulted.ts") }),
  "hook-known.cjs": await bundle({ ...cjs, stdin: known }),
  "hook-prune.cjs": await bundle({ ...cjs, stdin: prune }),
  "hook-notice.cjs": await bundle({ ...cjs, stdin: notice }),
  "hook-progress.cjs": await bundle({ ...cjs, stdin: progress }),
  "hook-learned.cjs": await bundle({ ...cjs, external: parts, plugins: [tomlApart, knownApart], stdin: learned }),
  "hook-outcome.cjs": await bundle({
    ...cjs,
    external: parts,
    plugins: [tomlApart, knownApart, findingsApart],
    stdin: outcome
  }),
  "hook-findings.cjs": await bundle({ ...cjs, external: parts, plugins: [tomlApart, knownApart], stdin: findings })
})

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
    external: parts,
    plugins: [
      tomlApart,
      arithmeticApart,
      compactionApart,
      toolApart,
      commandApart,
      consultedApart,
      knownApart,
      pruneApart,
      noticeApart,
      progressApart,
      learnedApart,
      outcomeApart
    ]
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
