/** The other versions of Node that run the tests, and their folders in the cache. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

const manifests = path.join(import.meta.dirname, "..", "packages", "testing", "nodes")

/** Returns the cache folder for downloads, which all clones share. */
export const cacheOf = (name) =>
  path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "reflexion", name)

/** `manifest` is the folder that pins the version. `folder` has `bin/node` after the download. */
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
