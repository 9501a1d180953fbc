/**
 * Which packages npm does not have yet in the version that they have here, as the line of an output of a GitHub step:
 * `node scripts/packages/unpublished.mjs >> "$GITHUB_OUTPUT"`. Empty where all are published.
 */
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** The manifests of the packages that are published. */
export const manifestsOf = (root) =>
  fs
    .readdirSync(path.join(root, "packages"))
    .map((name) => path.join(root, "packages", name, "package.json"))
    .filter((file) => fs.existsSync(file))
    .map((file) => ({ file, manifest: JSON.parse(fs.readFileSync(file, "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)

/** A registry that answers anything but that there is no such version says nothing of it. */
const isPublished = async ({ name, version }) => {
  const asked = ["view", `${name}@${version}`, "version", "--json"]
  try {
    const { stdout } = await promisify(execFile)("npm", asked, { shell: process.platform === "win32" })
    return stdout.trim() !== ""
  } catch (error) {
    if (/\bE404\b/.test(`${error.stdout}${error.stderr}`)) return false
    throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = []
  for (const { manifest } of manifestsOf(path.dirname(path.dirname(import.meta.dirname))))
    if (!(await isPublished(manifest))) missing.push(manifest.name)
  process.stdout.write(`unpublished=${missing.join(" ")}\n`)
}
