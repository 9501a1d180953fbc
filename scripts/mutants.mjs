/**
 * Mutation tests for core: changes functions at one place at a time and reports the changes that no test notices. A
 * place is a comparison, a condition, a negation, a boolean or a number inside a function. Tables are left out. No file
 * is changed: `vitest.config.ts` changes the module while it loads. `node scripts/mutants.mjs [COUNT] [SEED]
 * [FOLDER...]` tries by default 200 places in session, judge and review.
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import ts from "typescript"

const root = path.dirname(import.meta.dirname)
const [count = "200", seed = "1", ...folders] = process.argv.slice(2)
const roots = folders.length > 0 ? folders : ["session", "judge", "review"].map((name) => `packages/core/src/${name}`)

const swapped = new Map(
  [
    ["<", "<="],
    ["<=", "<"],
    [">", ">="],
    [">=", ">"],
    ["===", "!=="],
    ["!==", "==="],
    ["&&", "||"],
    ["||", "&&"],
    ["??", "&&"]
  ].map(([from, to]) => [from, ` ${to} `])
)

/** Returns the range to replace and the new text. Null if the node cannot be mutated. */
const mutation = (node, source) => {
  const text = (one) => one.getText(source)
  const range = (one, by) => ({ start: one.getStart(source), end: one.getEnd(), by })
  if (ts.isBinaryExpression(node) && swapped.has(text(node.operatorToken)))
    return range(node.operatorToken, swapped.get(text(node.operatorToken)))
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return range(node, text(node.operand))
  if (ts.isConditionalExpression(node)) return range(node.condition, `!(${text(node.condition)})`)
  if (ts.isIfStatement(node)) return range(node.expression, `!(${text(node.expression)})`)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return range(node, "false")
  if (node.kind === ts.SyntaxKind.FalseKeyword) return range(node, "true")
  if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent)) return range(node, `${Number(node.text) + 1}`)
  return null
}

const placesOf = (file) => {
  const source = ts.createSourceFile(file, fs.readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  const places = []
  const walk = (node, isInside) => {
    if (ts.isTypeNode(node)) return
    const found = isInside ? mutation(node, source) : null
    if (found !== null) {
      const { line } = source.getLineAndCharacterOfPosition(found.start)
      places.push({ ...found, file, line: line + 1, text: source.text.split("\n")[line].trim() })
    }
    ts.forEachChild(node, (child) => walk(child, isInside || ts.isFunctionLike(node)))
  }
  walk(source, false)
  return places
}

/** Returns random numbers from 0 to below 1 for a seed (Park and Miller). */
const numbers = (from) => {
  let state = from
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const all = roots.flatMap((folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .toSorted()
    .flatMap((name) => placesOf(path.join(root, folder, name)))
)
const next = numbers(Number(seed) + 7919)
const chosen = Array.from({ length: Math.min(Number(count), all.length) }, () => {
  const [one] = all.splice(Math.floor(next() * all.length), 1)
  return one
})

/** True if a test in a folder fails. A run that hangs has noticed the change too. It is killed with its children. */
const fails = ({ by, end, file, start }, folder) =>
  new Promise((resolve) => {
    const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs")
    const flags = ["related", file, "--run", "--project", "unit", "--dir", folder, "--bail", "1"]
    const child = spawn(process.execPath, [vitest, ...flags], {
      cwd: root,
      detached: true,
      stdio: "ignore",
      env: { ...process.env, REFLEXION_MUTANT: JSON.stringify({ by, end, file, start }) }
    })
    const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 600_000)
    child.on("close", (status) => {
      clearTimeout(timer)
      resolve(status !== 0)
    })
  })

/** The tests of the file's own layer come first, because they notice most changes. */
const isNoticed = async (one) => {
  const layer = path.relative(path.join(root, "packages/core/src"), one.file).split(path.sep)[0]
  return (await fails(one, `packages/core/test/${layer}`)) || fails(one, "packages/core")
}

let unnoticed = 0
for (const one of chosen) {
  if (await isNoticed(one)) continue
  unnoticed += 1
  const was = fs.readFileSync(one.file, "utf8").slice(one.start, one.end)
  process.stdout.write(`${path.relative(root, one.file)}:${one.line}: ${was} → ${one.by.trim()}\n    ${one.text}\n`)
}
process.stdout.write(`${chosen.length - unnoticed} of ${chosen.length} breaks are noticed (seed ${seed})\n`)
