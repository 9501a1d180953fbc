/** Writes `@reflexion/core/pure`: the judge as one file without Effect. It still imports core's dependencies. */
import * as fs from "node:fs"
import * as path from "node:path"
import { bundle, root } from "./bundler.mjs"
import { plainTypes } from "./plainTypes.mjs"

const core = path.join(root, "packages", "core")

export const bundlePure = async () => {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(core, "package.json"), "utf8"))
  const entry = path.join(core, "src", "pure.ts")
  const outfile = path.join(core, "dist", "pure.bundle.js")
  const { metafile } = await bundle({ entry, outfile, minify: true, external: Object.keys(dependencies) })
  const [output] = Object.values(metafile.outputs)
  const foreign = Object.entries(output.inputs).filter(
    ([input, { bytesInOutput }]) => bytesInOutput > 0 && !input.startsWith("packages/core/src/")
  )
  if (foreign.length > 0) throw new Error(`the pure entry contains ${foreign.map(([input]) => input).join(", ")}`)
  // The file contains no other package, so it has no licences.
  fs.writeFileSync(path.join(core, "dist", "pure.bundle.licenses.txt"), "")
  fs.writeFileSync(path.join(core, "dist", "pure.bundle.d.ts"), plainTypes(entry, path.join(core, "tsconfig.json")))
}
