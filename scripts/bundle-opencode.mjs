/** Bundles the plugin for OpenCode as one ES module without dependencies. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { bundle, licences, root } from "./bundler.mjs"

const entry = path.join(root, "packages", "hooks", "src", "entries", "opencode.ts")

/** A placeholder as long as the build's identity. It is replaced when the content is known. */
const unknownBuild = "0".repeat(16)

export const bundlePlugin = async () => {
  const { metafile, text } = await bundle({
    entry,
    minify: true,
    define: { REFLEXION_BUILD: JSON.stringify(unknownBuild) }
  })
  const build = createHash("sha256").update(text).digest("hex").slice(0, 16)
  return { metafile, text: text.replaceAll(unknownBuild, build) }
}

/** The types for a program that imports the plugin by name. */
const declaration = `import type * as Plugin from "./plugin/Plugin.js"

declare const plugin: { readonly id: string; readonly server: ReturnType<typeof Plugin.server> }
export default plugin
`

/** The name cannot be `plugin.js`: the host ignores case when it looks for files, and `Plugin.js` exists. */
export const bundleOpenCode = async () => {
  const { metafile, text } = await bundlePlugin()
  for (const folder of [
    path.join(root, "packages", "opencode", "dist"),
    path.join(root, "packages", "cli", "dist", "hooks", "opencode")
  ]) {
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, "server.js"), text)
    fs.writeFileSync(path.join(folder, "server.licenses.txt"), licences(metafile))
  }
  fs.writeFileSync(path.join(root, "packages", "opencode", "dist", "server.d.ts"), declaration)
}
