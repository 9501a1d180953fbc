import { parse } from "unbash"
import type { Context, Fails, Leaf, Scope, Scripts, ShellAnalysis, Walk } from "./model.ts"
import { empty as noScripts } from "./Scripts.ts"
import { isOwnSuite } from "./names.ts"
import { command as runCommand } from "./run.ts"
import { maxDepth, rootScope, suspects } from "./scope.ts"
import { walkParsed } from "./simple.ts"
import { walkList, walkNode } from "./walk.ts"

export const maxLength = 32_768

const maxSteps = 4_000

/** A script in a string: `bash -c`, a package script, a recipe line. */
const walkSource = (walk: Walk, source: string, context: Context, scope: Scope): Fails => {
  if (scope.depth > maxDepth || source.length > maxLength) {
    walk.unknown = true
    return []
  }
  return walkParsed(walk, parse(source), context, { ...scope, source })
}

/** Functions that nothing called: what they would run is listed, and never ran. */
const walkUncalled = (walk: Walk): void => {
  for (const definition of walk.defined) {
    if (!walk.called.has(definition)) walkNode(walk, definition.body, "none", rootScope(definition.source))
  }
}

const bare = (text: string): string =>
  text
    .replaceAll(/\s\d?>{1,2}&?\s?[\w./-]{1,80}/g, "")
    .replaceAll(/["']/g, "")
    .trim()
    .replace(/^(?:npx|bunx|uvx|(?:pnpm|yarn|npm|bundle) exec(?: --)?|(?:uv|poetry|pipenv|hatch|pdm) run|yarn) /, "")

/** Typed out, a script of the project's is still all of its tests. */
const isOwnScript = ({ dir, text, via }: Leaf, scripts: Scripts): boolean =>
  via === null &&
  dir === "" &&
  Object.values(scripts).some((all: Scripts[keyof Scripts]) =>
    Object.entries(all).some(([name, body]) => isOwnSuite(name) && bare(body) === bare(text))
  )

const settle = (walk: Walk, fails: Fails): ReadonlyArray<Leaf> => {
  for (const leaf of walk.leaves) if (leaf.filtered && isOwnScript(leaf, walk.scripts)) leaf.filtered = false
  for (const only of suspects(fails)) if (only.exit !== "none") only.soleSuspect = true
  const beside =
    fails?.map((clause) => clause.filter(({ classes }) => !classes.every((name) => name === "write"))) ?? []
  for (const only of suspects(beside)) if (only.exit !== "none") only.besideEdits = true
  return walk.leaves
}

const nothing: ShellAnalysis = { commands: [], unknown: false, truncated: false }

const maxKept = 256

const kept = new WeakMap<Scripts, Map<string, ShellAnalysis>>()

const keptOf = (scripts: Scripts): Map<string, ShellAnalysis> => {
  const known = kept.get(scripts)
  if (known !== undefined && known.size < maxKept) return known
  const fresh = new Map<string, ShellAnalysis>()
  kept.set(scripts, fresh)
  return fresh
}

/** Several folds ask about the same command, and agents run the same ones again and again. */
export const analyze = (command: string, scripts: Scripts = noScripts): ShellAnalysis => {
  const before = keptOf(scripts)
  const known = before.get(command)
  if (known !== undefined) return known
  const analysis = analyzed(command, scripts)
  before.set(command, analysis)
  return analysis
}

const analyzed = (command: string, scripts: Scripts): ShellAnalysis => {
  if (command.trim() === "") return nothing
  const truncated = command.length > maxLength
  const source = truncated ? command.slice(0, maxLength) : command
  const walk: Walk = {
    leaves: [],
    defined: new Set(),
    called: new Set(),
    scripts,
    unknown: truncated,
    truncated,
    budget: maxSteps,
    echoes: 0,
    step: 0,
    script: (text, context, scope) => walkSource(walk, text, context, scope),
    run: (run, context, scope) => runCommand(walk, run, context, scope),
    node: (node, context, scope) => walkNode(walk, node, context, scope),
    list: (statements, context, scope) => walkList(walk, statements, context, scope)
  }
  const fails = walkParsed(walk, parse(source), truncated ? "masked" : "implied", rootScope(source))
  walkUncalled(walk)
  const commands = settle(walk, truncated ? [] : fails)
  return { commands, unknown: walk.unknown, truncated: walk.truncated }
}
