/**
 * Bundles the hooks, and the command line into one file that needs no node_modules: it starts three times faster than
 * the same program importing Effect from its packages. The licences of what they contain go beside them.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { bundle, licences, noteBundled, root, writeBundled } from "./bundler.mjs"
import { bundleHooks } from "./bundle-hooks.mjs"
import { bundleOpenCode } from "./bundle-opencode.mjs"
import { bundlePure } from "./bundle-pure.mjs"
import { writePlugins } from "./plugins.mjs"

const cli = path.join(root, "packages", "cli")

const { metafile } = await bundle({
  entry: path.join(cli, "src", "bin.ts"),
  outfile: path.join(cli, "dist", "bin.js")
})
fs.writeFileSync(path.join(cli, "dist", "bin.licenses.txt"), licences(metafile))
noteBundled(path.join(cli, "dist", "bin.js"), metafile)
await bundleHooks()
await bundleOpenCode()
await bundlePure()
writePlugins()
writeBundled()
