/**
 * Looks for regular expressions that a hostile text can make slow. Runs at night, because it takes more than an hour.
 * `node scripts/check-patterns.mjs redaction` checks only files with `redaction` in their names.
 */
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import ts from "typescript"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const packages = path.join(root, "packages")
const core = path.join(packages, "core", "dist")

const say = (line) => process.stdout.write(`${line}\n`)

/** The checker is not a dependency: npx puts its folder at the front of PATH. */
const checker = () => {
  const bins = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder.endsWith("/node_modules/.bin"))
  for (const bin of bins) {
    const folder = path.join(path.dirname(bin), "recheck")
    if (fs.existsSync(folder)) return createRequire(path.join(folder, "package.json"))(folder)
  }
  throw new Error("the checker is not there: run it by `npm run nightly -- patterns`")
}

/** The length of the texts for an expression: it reads whole outputs, or clipped lines and sentences. */
const lengthOf = ({ name }) => (/redaction|PlainText/.test(name) ? 100_000 : 2000)

/** The maximum processor time for a text of that length, in seconds. */
const most = 1

/** In ms: the checker's time for one expression, and the time for one trial on a busy machine. */
const patience = { checker: 10_000, trial: 120_000 }

const below = (folder, ending) =>
  fs
    .readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name))
    .toSorted()

const ofLiteral = (text) => {
  const end = text.lastIndexOf("/")
  return { source: text.slice(1, end), flags: text.slice(end + 1) }
}

const ofConstructor = (node, tree) => {
  if (!ts.isNewExpression(node) || node.expression.getText(tree) !== "RegExp") return null
  const [pattern, flags] = node.arguments ?? []
  if (pattern === undefined || !ts.isStringLiteralLike(pattern)) return null
  return { source: pattern.text, flags: flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : "" }
}

const literalsOf = (file) => {
  const tree = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  const found = []
  const visit = (node) => {
    const one =
      node.kind === ts.SyntaxKind.RegularExpressionLiteral ? ofLiteral(node.getText(tree)) : ofConstructor(node, tree)
    if (one !== null) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      found.push({ name: `${path.relative(root, file)}:${line + 1}`, ...one })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

const load = (name) => import(pathToFileURL(path.join(core, `${name}.js`)).href)

/** Uses the code that builds expressions on first use. */
const useAll = async () => {
  ;(await load("base/redaction/Redaction")).redact("password=abc пароль a\u200bb")
  ;(await load("session/output/RunnerOutput")).summarize("none", { kind: "tests", runner: null })
  const { readProse } = await load("base/text/Sentences")
  ;(await load("session/claims/Claims")).readClaims(readProse("All tests pass."))
  ;(await load("session/shell/writes")).writtenByCode("open('a', 'w')")
  ;(await load("session/task/Orders")).asksOf("Don't run the tests.")
  const stop = await load("session/stop/StopSignal")
  stop.read({ ...stop.initial, spokeLast: true, text: "The tests are not implemented yet." })
  const { empty } = await load("session/shell/Scripts")
  ;(await load("session/project/Instructions")).instructedGates("Always run `npm test`.", empty)
}

const placeOf = (stack = "") => /\/core\/dist\/([^:)]+)/.exec(stack)?.[1] ?? "core"

const builtInCore = async () => {
  const found = []
  const Native = globalThis.RegExp
  globalThis.RegExp = new Proxy(Native, {
    construct: (target, [source, flags]) => {
      if (typeof source === "string")
        found.push({ name: `core, built in ${placeOf(new Error("here").stack)}`, source, flags: flags ?? "" })
      return new target(source, flags ?? "")
    }
  })
  // Compiled files of an earlier build have no source any more.
  const sources = path.join(packages, "core", "src")
  const files = below(sources, ".ts")
    .filter((file) => path.basename(file) !== "index.ts")
    .map((file) => path.join(core, path.relative(sources, file).replace(/ts$/, "js")))
  await Promise.all(files.map((file) => import(pathToFileURL(file).href)))
  await useAll()
  globalThis.RegExp = Native
  return found
}

/** An expression cannot become slow if no part of it repeats eight times or more. */
const mayBeSlow = ({ source }) => /[*+]|\{\d*,\}|\{\d*,?(?:[89]|\d{2,})\}/.test(source)

const trial = `
const { source, flags, text } = JSON.parse(require("node:fs").readFileSync(0, "utf8"))
const expression = new RegExp(source, flags)
const from = process.cpuUsage()
if (expression.global) text.replaceAll(expression, "")
else expression.test(text)
const { system, user } = process.cpuUsage(from)
process.stdout.write(String((system + user) / 1e6))
`

/** The processor seconds for a text. Infinite if the expression does not finish. */
const tried = ({ flags, source }, text) =>
  new Promise((resolve, reject) => {
    const child = execFile(process.execPath, ["-e", trial], { timeout: patience.trial }, (error, out) => {
      if (error === null) resolve(Number(out))
      else if (error.killed === true) resolve(Infinity)
      else reject(error)
    })
    child.stdin?.end(JSON.stringify({ source, flags, text }))
  })

const { check } = checker()

const judged = async (one) => {
  const maxAttackStringSize = lengthOf(one)
  const options = { timeout: patience.checker, randomSeed: 1, recallTimeout: -1, maxAttackStringSize }
  const { attack, complexity, status } = await check(one.source, one.flags, options)
  if (status !== "vulnerable") return { ...one, status }
  const took = await tried(one, attack.string.slice(0, maxAttackStringSize))
  const why = `${complexity.summary}: ${attack.pattern.slice(0, 120)}`
  return { ...one, status: took <= most ? "safe" : "slow", took, why }
}

const wanted = process.argv[2] ?? ""
const literals = fs
  .readdirSync(packages)
  .map((name) => path.join(packages, name, "src"))
  .filter((folder) => fs.existsSync(folder))
  .flatMap((folder) => below(folder, ".ts").flatMap(literalsOf))
const all = [...literals, ...(await builtInCore())]
const once = [...new Map(all.map((one) => [`${one.source}/${one.flags}`, one])).values()]
const chosen = once.filter((one) => one.name.includes(wanted) && mayBeSlow(one))
say(`${all.length} expressions, ${once.length} of them different; ${chosen.length} repeat something and are attacked`)

const count = { safe: 0, unknown: 0, slow: 0 }
let next = 0
const work = async () => {
  while (next < chosen.length) {
    const { flags, name, source, status, took, why } = await judged(chosen[next++])
    count[status] += 1
    if (status === "slow") say(`slow: ${name} /${source}/${flags}\n  ${took} s of processor time; ${why}`)
  }
}
await Promise.all(Array.from({ length: os.availableParallelism() }, work))
say(`${count.safe} safe, ${count.unknown} not decided in time, ${count.slow} slow`)
if (count.slow > 0 || chosen.length === 0) process.exitCode = 1
