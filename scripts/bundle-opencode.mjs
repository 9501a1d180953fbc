/** Bundles the plugin for OpenCode: one ES module with everything in it, which needs no other package. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { bundle, licences, noteBundled, root } from "./bundler.mjs"

const entry = path.join(root, "packages", "hooks", "src", "entries", "opencode.ts")

/** A stand-in of the same length is replaced once the content is known. */
const unknownBuild = "0".repeat(16)

/**
 * The packages of providers, with their clients, are as large as all the rest, and would bring an Effect of their own: the
 * plugin asks such providers through the host. Who imports one all the same is told what Node says of one that is missing.
 */
const withoutProviders = {
  name: "without-providers",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^@effect\/ai-(anthropic|openai)\// }, ({ path }) => ({ path, namespace: "absent" }))
    onLoad({ filter: /.*/, namespace: "absent" }, ({ path }) => ({
      contents: `throw Object.assign(new Error("${path} is not in the plugin"), { code: "ERR_MODULE_NOT_FOUND" })`
    }))
  }
}

/** Effect's runtime takes a Micro as well, which is not used here, and would bring all of that module along. */
const withoutMicro = {
  name: "without-micro",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /\/Micro\.js$/ }, ({ importer, path }) =>
      /[\\/]fiberRuntime\.js$/.test(importer) ? { path, namespace: "micro" } : undefined
    )
    onLoad({ filter: /.*/, namespace: "micro" }, () => ({
      contents:
        'export const runFork = () => { throw new Error("the plugin cannot run a Micro") }, provideContext = runFork'
    }))
  }
}

/** The plugin's text and the bundler's metafile. */
export const bundlePlugin = async () => {
  const { metafile, text } = await bundle({
    entry,
    minify: true,
    define: { REFLEXION_BUILD: JSON.stringify(unknownBuild) },
    plugins: [withoutProviders, withoutMicro]
  })
  const build = createHash("sha256").update(text).digest("hex").slice(0, 16)
  return { metafile, text: text.replaceAll(unknownBuild, build) }
}

/** What the file exports, for a program that imports the plugin by its name. */
const declaration = `import type * as Plugin from "./plugin/Plugin.js"

declare const plugin: { readonly id: string; readonly server: ReturnType<typeof Plugin.server> }
export default plugin
`

/**
 * Writes it into its package, and next to the command line, which installs it. Not as `plugin.js`: the host looks files up
 * without regard to case, and `Plugin.js` is there.
 */
export const bundleOpenCode = async () => {
  const { metafile, text } = await bundlePlugin()
  for (const folder of [
    path.join(root, "packages", "opencode", "dist"),
    path.join(root, "packages", "cli", "dist", "hooks", "opencode")
  ]) {
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, "server.js"), text)
    fs.writeFileSync(path.join(folder, "server.licenses.txt"), licences(metafile))
    noteBundled(path.join(folder, "server.js"), metafile)
  }
  fs.writeFileSync(path.join(root, "packages", "opencode", "dist", "server.d.ts"), declaration)
}
