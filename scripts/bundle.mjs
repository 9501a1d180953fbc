/** Bundles the hooks and the command line. Bundled, the command line starts three times faster. */
import * as fs from "node:fs"
import * as path from "node:path"
import { bundle, licences, root } from "./bundler.mjs"
import { bundleHooks } from "./bundle-hooks.mjs"
import { bundleOpenCode } from "./bundle-opencode.mjs"
import { bundlePure } from "./bundle-pure.mjs"
import { writePlugins } from "./plugins.mjs"

const cli = path.join(root, "packages", "cli")

const dist = path.join(cli, "dist")

// A part's file name contains a hash of its content, so old parts are removed.
for (const name of fs.existsSync(dist) ? fs.readdirSync(dist) : [])
  if (name.endsWith(".js")) fs.rmSync(path.join(dist, name))
const { metafile } = await bundle({ entry: path.join(cli, "src", "bin.ts"), outdir: dist })
fs.writeFileSync(path.join(dist, "bin.licenses.txt"), licences(metafile))
await bundleHooks()
await bundleOpenCode()
await bundlePure()
writePlugins()
