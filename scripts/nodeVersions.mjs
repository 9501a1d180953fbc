/** The versions of Node that the tests are run with besides the one that runs, and where each is kept between runs. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

const manifests = path.join(import.meta.dirname, "..", "packages", "testing", "nodes")

/** Where what is fetched for tests is kept, and shared between clones. */
export const cacheOf = (name) =>
  path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "reflexion", name)

/** `manifest` is the folder that pins it, `folder` has `bin/node` once it was fetched. */
export const nodeVersions = () =>
  fs
    .readdirSync(manifests)
    .toSorted()
    .map((major) => {
      const manifest = path.join(manifests, major)
      const { optionalDependencies } = JSON.parse(fs.readFileSync(path.join(manifest, "package.json"), "utf8"))
      const [version] = Object.values(optionalDependencies)
      return { major, version, manifest, folder: path.join(cacheOf("nodes"), version) }
    })
