/**
 * Writes the tables of rooms in docs/architecture.md from `house.mjs` and from what is in the folders: `npm run docs:rooms`;
 * with `--check` it only says whether they are up to date.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { rooms } from "./house.mjs"

const root = path.dirname(import.meta.dirname)
const page = path.join(root, "docs", "architecture.md")

const sourceOf = (name) => path.join(root, name === "evals" ? name : path.join("packages", name), "src")

const foldersOf = (source) =>
  fs
    .readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => path.relative(source, entry.parentPath ?? entry.path).replaceAll(path.sep, "/"))
    .filter((folder) => folder !== "")

const facesOf = (folder) =>
  fs
    .readdirSync(folder)
    .filter((name) => /^[A-Z].*\.ts$/.test(name))
    .map((name) => `\`${name.slice(0, -3)}\``)
    .join(", ")

const table = (name) => {
  const source = sourceOf(name)
  const there = new Set(foldersOf(source))
  const wrong = [...there].filter((folder) => !(folder in rooms[name]))
  const gone = Object.keys(rooms[name]).filter((folder) => !there.has(folder))
  if (wrong.length + gone.length > 0) {
    throw new Error(
      `scripts/house.mjs, rooms of ${name}: add ${wrong.join(", ") || "nothing"}, remove ${gone.join(", ") || "nothing"}`
    )
  }
  const body = Object.entries(rooms[name]).map(([room, what]) => [
    `\`${room}\``,
    what,
    facesOf(path.join(source, room))
  ])
  const all = [["room", "what it is", "faces"], ...body]
  const widths = [0, 1, 2].map((at) => Math.max(...all.map((texts) => texts[at].length)))
  const row = (texts) => `| ${texts.map((text, at) => text.padEnd(widths[at])).join(" | ")} |`
  return [row(all[0]), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body.map(row)].join("\n")
}

const before = fs.readFileSync(page, "utf8")
const after = before.replaceAll(
  /<!-- rooms of (\w+) -->\n[\s\S]*?<!-- end of rooms -->/g,
  (_, name) => `<!-- rooms of ${name} -->\n\n${table(name)}\n\n<!-- end of rooms -->`
)
if (after === before) process.exit(0)
if (process.argv.includes("--check")) {
  process.stderr.write("docs/architecture.md: the tables of rooms are not up to date. Run `npm run docs:rooms`.\n")
  process.exit(1)
}
fs.writeFileSync(page, after)
