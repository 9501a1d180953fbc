/** Prints the packages whose version is not on npm, as an output of a GitHub step (`>> "$GITHUB_OUTPUT"`). */
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const manifestsOf = (root) =>
  fs
    .readdirSync(path.join(root, "packages"))
    .map((name) => path.join(root, "packages", name, "package.json"))
    .filter((file) => fs.existsSync(file))
    .map((file) => ({ file, manifest: JSON.parse(fs.readFileSync(file, "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)

/** Only the registry's answer "no such version" counts as unpublished. Any other error fails. */
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
