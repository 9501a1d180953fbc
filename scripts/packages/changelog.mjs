/** The changelogs of the packages, which changesets write, and the one of this repository, which is made of them. */
import * as fs from "node:fs"
import * as path from "node:path"
import { problem } from "./problems.mjs"

/** Which package comes first, and what it is to a user. */
const titles = {
  "@reflexion/cli": "The command line",
  "@reflexion/opencode": "OpenCode",
  "@reflexion/claude-code": "Claude Code",
  "@reflexion/codex": "Codex",
  "@reflexion/core": "The library",
  "@reflexion/retry": "Retries"
}

const opening = `# Changelog

What is new for users, by version and package. It is made from the packages' own changelogs by \`npm run version-packages\`.
`

/** The manifests of the packages that are published. */
export const manifestsOf = (root) =>
  fs
    .readdirSync(path.join(root, "packages"))
    .map((name) => path.join(root, "packages", name, "package.json"))
    .filter((file) => fs.existsSync(file))
    .map((file) => ({ file, manifest: JSON.parse(fs.readFileSync(file, "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)

/** The text of each package's changelog by its name. */
export const changelogsOf = (root) =>
  new Map(
    manifestsOf(root).map(({ file, manifest }) => {
      const changelog = path.join(path.dirname(file), "CHANGELOG.md")
      return [manifest.name, fs.existsSync(changelog) ? fs.readFileSync(changelog, "utf8") : ""]
    })
  )

/** The items of one list: each begins at the margin with `- `, and goes on with what is indented. */
const itemsOf = (text) =>
  text
    .split(/^- /m)
    .slice(1)
    .map((item) => item.trim())

/** By version the entries of a changelog, without the commits' names and what only says that the version moved. */
const entriesOf = (text) =>
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [version = ""] = section.split("\n", 1)
      const lists = section.split(/^### .*$/m).slice(1)
      const items = lists.flatMap(itemsOf).map((item) => item.replace(/^[0-9a-f]{7,40}: /, ""))
      return { version: version.trim(), items: items.filter((item) => !item.startsWith("Updated dependencies")) }
    })

/** An item as a paragraph: without the indentation of a list. */
const paragraph = (item) => item.replaceAll(/^ {2}/gm, "")

const sectionOf = (version, logs) => {
  const told = new Set()
  const parts = Object.entries(titles).flatMap(([name, title]) => {
    const items = entriesOf(logs.get(name) ?? "")
      .filter((entry) => entry.version === version)
      .flatMap((entry) => entry.items)
      .filter((item) => !told.has(item))
    for (const item of items) told.add(item)
    return items.length === 0 ? [] : [`### ${title} (\`${name}\`)\n\n${items.map(paragraph).join("\n\n")}\n`]
  })
  return `\n## ${version}\n\n${parts.join("\n")}`
}

const numbersOf = (version) => version.split(/[.-]/).map(Number)

/** Newest first. */
const byVersion = (a, b) => numbersOf(b).reduce((sum, part, at) => sum || part - (numbersOf(a)[at] ?? 0), 0)

/** All versions; what is said of several packages is said once, of the first. */
export const assemble = (logs) => {
  const versions = [...new Set([...logs.values()].flatMap((text) => entriesOf(text).map(({ version }) => version)))]
  const sections = versions.toSorted(byVersion).map((version) => sectionOf(version, logs))
  return opening + sections.join("")
}

/** The packages that a changeset names. */
const namesIn = (text) =>
  [...(text.split(/^---$/m)[1] ?? "").matchAll(/^\s*["']?([^"':\s]+)["']?\s*:/gm)].map(([, name]) => name)

const checkPending = (root) => {
  const folder = path.join(root, ".changeset")
  const known = new Set(manifestsOf(root).map(({ manifest }) => manifest.name))
  for (const name of fs.readdirSync(folder).filter((file) => file.endsWith(".md") && file !== "README.md")) {
    const named = namesIn(fs.readFileSync(path.join(folder, name), "utf8"))
    if (named.length === 0) problem(`.changeset/${name} names no package`)
    for (const one of named.filter((wanted) => !known.has(wanted))) {
      problem(
        `.changeset/${name} names ${one}, which is not published: name the packages that carry the change to users`
      )
    }
  }
}

/** Every package says what is new in its version, and the repository's changelog says the same. */
export const checkChangelog = async (root) => {
  const logs = changelogsOf(root)
  for (const { manifest } of manifestsOf(root)) {
    const { name, version } = manifest
    if (titles[name] === undefined) problem(`${name} has no title in scripts/packages/changelog.mjs`)
    const entry = entriesOf(logs.get(name) ?? "").find((one) => one.version === version)
    if (entry === undefined)
      problem(`${name}: CHANGELOG.md has no entry for ${version}: run \`npm run version-packages\``)
  }
  const file = path.join(root, "CHANGELOG.md")
  const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : ""
  if (text !== assemble(logs))
    problem("CHANGELOG.md is not what the packages' changelogs say: run `npm run version-packages`")
  checkPending(root)
}
