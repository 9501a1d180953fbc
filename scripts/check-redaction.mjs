/** Looks for texts that redaction removes although they are not secrets. Two in five megabytes are allowed. */
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const mostInFiveMegabytes = 2
const leastMegabytes = 5

const own = ["docs", "evals/src", "evals/test", "examples", "packages", "scripts", "README.md", "CONTRIBUTING.md"]

/** Sources, declarations, compiled code, documentation and data by many authors. */
const dependencies =
  "effect @effect/platform @effect/vitest @types/node fast-check vitest vite undici-types unbash jsonc-parser smol-toml publint"

const ours = "a test or a case of ours hands a made-up secret to what must not show it"
const example = "a key in an example"

/** A part of the value, the end of the file's name, and the reason. */
const expected = [
  ["ghp_R8d2Kq7V", ".ts", ours],
  ["top-secret-of-acme", "core/test/model/ModelCall.test.ts", ours],
  ["committed-value", "core/test/model/SessionDiff.test.ts", ours],
  ["other-value", "core/test/model/SessionDiff.test.ts", ours],
  ["sk-very-secret", "core/test/model/StuckDetector.test.ts", ours],
  ["ghp_16C7e42F", "hooks/test/CompactedTask.test.ts", ours],
  ["ghp_9fK2mQx7", "hooks/test/ReviewStop.test.ts", ours],
  ["sk-proj-Zk3vQ9", ".test.ts", ours],
  ["7f3Kq9Zx2LmVw8Rt5YbN", ".test.ts", ours],
  ["ghp_9sK2mQ7v", "testing/src/contract/faults.ts", ours],
  ["wJalrXUtnFEMI", "testing/src/contract/faults.ts", ours],
  ["kT7-vQz9", "testing/src/contract/faults.ts", ours],
  ["", "core/test/support/secretKinds.ts", "forms of secrets, in which a test puts random values"],
  ["12345-abcde", "/Effect.js", example],
  ["12345-abcde", "/Effect.ts", example],
  ["12345-abcde", "/Effect.d.ts", example],
  ["eW91cl91c2VybmFtZTp5b3VyX3Bhc3N3b3Jk", "platform/README.md", example],
  ["myvalue", "platform/README.md", "a cookie that an example gives to curl"],
  ["key_1234", "vite/dist/node/chunks/config.js", example]
]

const kinds = /\.(?:[cm]?[jt]sx?|json|jsonl|md|ya?ml|html|css)$/
const left = new Set(["node_modules", "dist", ".git", "coverage", "results"])

const filesIn = (place, inDependency) => {
  const stat = fs.lstatSync(place)
  if (stat.isFile()) return kinds.test(place) && stat.size < 2_000_000 ? [place] : []
  if (!stat.isDirectory()) return []
  const names = fs.readdirSync(place).toSorted()
  return names
    .filter((name) => name !== "node_modules" && (inDependency || !left.has(name)))
    .flatMap((name) => filesIn(path.join(place, name), inDependency))
}

/** The folders of pnpm's store, which has all dependencies. */
const installed = fs.readdirSync(path.join(root, "node_modules/.pnpm")).toSorted()

const folderOf = (name) => {
  const found = installed.find((one) => one.startsWith(`${name.replace("/", "+")}@`))
  if (found === undefined) throw new Error(`${name} is not installed: run npm run setup`)
  return path.join(root, "node_modules/.pnpm", found, "node_modules", name)
}

const files = [
  ...own.flatMap((place) => filesIn(path.join(root, place), false)),
  ...dependencies.split(" ").flatMap((name) => filesIn(folderOf(name), true))
]

const { findSecrets } = await import(
  pathToFileURL(path.join(root, "packages/core/dist/base/redaction/Redaction.js")).href
)

const say = (line) => process.stdout.write(`${line}\n`)

const shown = (text) => JSON.stringify(text).slice(1, -1)

/** Some packages publish the same declarations in several forms, so texts are compared. */
const texts = new Map(files.map((file) => [fs.readFileSync(file, "utf8"), file]))
const wrong = []
for (const [text, file] of texts) {
  for (const { end, kind, start } of findSecrets(text)) {
    const value = text.slice(start, end)
    const known = expected.find(([part, place]) => file.endsWith(place) && value.includes(part))
    const line = text.slice(0, start).split("\n").length
    const around = `${shown(text.slice(Math.max(0, start - 50), start))}«${shown(value.slice(0, 80))}»${shown(text.slice(end, end + 20))}`
    say(`${known?.[2] ?? "taken for a secret"}: ${path.relative(root, file)}:${line} ${kind}: ${around}`)
    if (known === undefined) wrong.push(file)
  }
}
const megabytes = [...texts.keys()].reduce((sum, { length }) => sum + length, 0) / 1e6
const most = Math.floor((megabytes / 5) * mostInFiveMegabytes)
say(`${wrong.length} taken for a secret and none, in ${megabytes.toFixed(1)} MB; ${most} would be the most`)
if (megabytes < leastMegabytes || wrong.length > most) process.exitCode = 1
