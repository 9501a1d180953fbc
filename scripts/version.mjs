/** Sets the version of all packages: `node scripts/version.mjs 0.2.0`. CHANGELOG.md must have a section for it. */
import * as fs from "node:fs"
import * as path from "node:path"
import { manifestsOf } from "./packages/unpublished.mjs"

const root = path.dirname(import.meta.dirname)
const [version = ""] = process.argv.slice(2)
const changelog = fs.readFileSync(path.join(root, "CHANGELOG.md"), "utf8")
const problem = !/^\d+\.\d+\.\d+$/.test(version)
  ? `"${version}" is not a version such as 0.2.0`
  : changelog.split("\n").includes(`## ${version}`)
    ? null
    : `CHANGELOG.md has no section "## ${version}": write what is new for users first`
if (problem !== null) {
  process.stderr.write(`version: ${problem}\n`)
  process.exit(2)
}
for (const { file, manifest } of manifestsOf(root)) {
  fs.writeFileSync(file, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
}
