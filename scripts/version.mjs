/**
 * Gives the packages their next version by what the changesets say, and gathers the packages' changelogs in the one of this
 * repository.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assemble, changelogsOf, manifestsOf } from "./packages/changelog.mjs"

const root = path.dirname(import.meta.dirname)
const tool = (...parts) => path.join(root, "node_modules", ...parts)
const node = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" })
const write = (file, manifest) => fs.writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)

/**
 * Changesets take a new minor version of a peer for a breaking change of the package that names it, so that every release would be a
 * major one. Here they have one version together, and the ranges `workspace:*` and `workspace:^` need no rewriting.
 */
const withoutOwnPeers = (manifest) => {
  const peers = Object.entries(manifest.peerDependencies ?? {}).filter(([name]) => !name.startsWith("@reflexion/"))
  return { ...manifest, peerDependencies: Object.fromEntries(peers) }
}

const before = manifestsOf(root).filter(({ manifest }) => manifest.peerDependencies !== undefined)
for (const { file, manifest } of before) write(file, withoutOwnPeers(manifest))
try {
  node(tool("@changesets", "cli", "bin.js"), "version")
} finally {
  for (const { file, manifest } of before) {
    write(file, { ...manifest, version: JSON.parse(fs.readFileSync(file, "utf8")).version })
  }
}
const oxfmt = tool("oxfmt", "bin", "oxfmt")
node(oxfmt, ...manifestsOf(root).flatMap(({ file }) => [file, path.join(path.dirname(file), "CHANGELOG.md")]))
fs.writeFileSync(path.join(root, "CHANGELOG.md"), assemble(changelogsOf(root)))
