/**
 * Mutation tests for core: changes one place in a function at a time and reports the changes that no test notices. No
 * file is changed: `vitest.config.ts` changes the module while it loads. `node scripts/mutants.mjs [COUNT] [SEED]
 * [FOLDER...]` tries by default 200 places in session, judge and review.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
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

/** Random numbers from 0 to below 1 (Park and Miller). */
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

const layerOf = ({ file }) => path.relative(path.join(root, "packages/core/src"), file).split(path.sep)[0]

/** In the child: Vitest keeps running, so that only the changed file is read again. */
const tryAll = async () => {
  const { createVitest } = await import("vitest/node")
  let fails = false
  const reporter = {
    onTestCaseResult: (test) => {
      if (test.result().state !== "failed" || fails) return
      fails = true
      void vitest.cancelCurrentRun("test-failure")
    }
  }
  const vitest = await createVitest("test", { root, watch: false, project: ["unit"], reporters: [reporter] })
  const all = (await vitest.globTestSpecifications(["packages/core/test/"])).filter(({ moduleId }) =>
    moduleId.startsWith(path.join(root, "packages/core/test/"))
  )
  const isFailing = async (specifications) => {
    fails = false
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    return fails || unhandledErrors.length > 0 || testModules.some((module) => !module.ok())
  }
  process.on("message", async (one) => {
    globalThis.mutant = one
    vitest.invalidateFile(one.file)
    const own = path.join(root, "packages/core/test", layerOf(one))
    const [near, far] = [true, false].map((isNear) =>
      all.filter(({ moduleId }) => moduleId.startsWith(own + path.sep) === isNear)
    )
    // The tests of the file's own layer come first, because they notice most changes.
    const isNoticed = (await isFailing(near)) || (await isFailing(far))
    globalThis.mutant = null
    vitest.invalidateFile(one.file)
    process.send(isNoticed)
  })
  process.send("ready")
}

/** In ms, for one change. */
const patience = 600_000

/** If a child hangs, the change counts as noticed, and the child is killed. */
const start = async () => {
  const child = spawn(process.execPath, [import.meta.filename], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  await once(child, "message")
  const kill = () => child.exitCode === null && process.kill(-child.pid, "SIGKILL")
  const ask = async (one) => {
    child.send(one)
    const signal = AbortSignal.timeout(patience)
    return once(child, "message", { signal }).then(
      ([isNoticed]) => isNoticed,
      () => null
    )
  }
  return { ask, kill }
}

const main = async () => {
  let unnoticed = 0
  let child = await start()
  for (const one of chosen) {
    const isNoticed = await child.ask(one)
    if (isNoticed === null) {
      child.kill()
      child = await start()
    }
    if (isNoticed !== false) continue
    unnoticed += 1
    const was = fs.readFileSync(one.file, "utf8").slice(one.start, one.end)
    process.stdout.write(`${path.relative(root, one.file)}:${one.line}: ${was} → ${one.by.trim()}\n    ${one.text}\n`)
  }
  child.kill()
  process.stdout.write(`${chosen.length - unnoticed} of ${chosen.length} breaks are noticed (seed ${seed})\n`)
}

await (process.send === undefined ? main() : tryAll())
