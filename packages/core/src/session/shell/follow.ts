import * as Scripts from "./Scripts.ts"
import { trivial } from "./programs/Builtins.ts"
import { atRoot, listsOnly, narrows, type Call } from "./call.ts"
import { isKnown } from "./classify.ts"
import { other } from "./describe.ts"
import { emit } from "./emit.ts"
import { isGate, isOwnSuite } from "./names.ts"
import { isMisled } from "./searchPath.ts"
import { mask, processScope, shellQuote, union } from "./scope.ts"
import { has } from "./tool.ts"
import type { CommandClass, Context, Facts, Fails, Leaf, Run, Scope, Walk } from "./model.ts"

/** Runs the scripts and targets that a runner was asked for, or lists it by their names. */
export const followCalls = (
  walk: Walk,
  run: Run,
  wanted: ReadonlyArray<Call>,
  context: Context,
  scope: Scope
): Fails => {
  let fails: Fails = null
  for (const call of wanted) fails = union(fails, follow(walk, run, call, context, scope))
  return fails
}

const bodyOf = (walk: Walk, call: Call, scope: Scope): string | null =>
  call.kind === null || !atRoot(call, scope) || scope.active.includes(`${call.kind}:${call.name}`)
    ? null
    : Scripts.lookup(walk.scripts[call.kind], call.name)

const follow = (walk: Walk, run: Run, call: Call, context: Context, scope: Scope): Fails => {
  const body = bodyOf(walk, call, scope)
  if (body !== null) return followBody(walk, run, call, body, context, scope)
  if (call.program && (isKnown(call.name) || call.classes.length === 0)) {
    const at = run.args.findIndex(({ value }) => value === call.name)
    const layers = (run.layers ?? 0) + 1
    return walk.run({ ...run, args: at < 0 ? run.args : run.args.slice(at), layers }, context, scope)
  }
  const absent = call.ifPresent && call.kind !== null && Object.keys(walk.scripts[call.kind]).length > 0
  return emit(walk, run, nameFacts(call, absent && atRoot(call, scope)), context, scope)
}

const nameFacts = (call: Call, absent: boolean): Facts => ({
  classes: call.classes.length > 0 ? call.classes : ["other"],
  alsoProves: [],
  runner: call.classes.some(isGate) ? call.runner : null,
  filtered: call.filtered || call.part || (call.classes.includes("test") && narrows(call.args)),
  dryRun: call.dryRun || absent || listsOnly(call.args),
  promises: absent ? call.classes.filter(isGate) : [],
  ifPresent: call.ifPresent,
  push: null,
  writes: []
})

/** The command lines that a script's body stands for, and whether a failure of the line counts. */
const linesOf = (
  walk: Walk,
  call: Call,
  body: string
): ReadonlyArray<{ readonly source: string; readonly counts: boolean }> => {
  if (call.kind === "npm") {
    const around = [
      Scripts.lookup(walk.scripts.npm, `pre${call.name}`),
      Scripts.lookup(walk.scripts.npm, `post${call.name}`)
    ]
    const main = [body, ...call.args.map(shellQuote)].join(" ")
    return [around[0], main, around[1]].flatMap((source) => (source == null ? [] : [{ source, counts: true }]))
  }
  if (call.kind === "python" || call.kind === "deno" || call.kind === "composer") {
    return body.split("\n", 200).map((source, index, all) => ({
      source: index === all.length - 1 ? [source, ...call.args.map(shellQuote)].join(" ") : source,
      counts: true
    }))
  }
  if (body.startsWith("#!")) return [{ source: body, counts: true }]
  return body.split("\n", 200).map((text) => {
    const plainLine = text.replace(/^\s{0,40}[@+-]{0,3}/, "")
    return { source: plainLine, counts: !/^\s{0,40}[@+]{0,2}-/.test(text) }
  })
}

const followBody = (walk: Walk, run: Run, call: Call, body: string, context: Context, scope: Scope): Fails => {
  const start = walk.leaves.length
  const changes = { via: scope.via ?? run.text, active: [...scope.active, `${call.kind ?? ""}:${call.name}`] }
  let fails: Fails = null
  for (const { counts, source } of linesOf(walk, call, body)) {
    const result = walk.script(source, counts ? context : mask(context), processScope(scope, changes))
    if (counts) fails = union(fails, result)
  }
  const leaves = walk.leaves.slice(start)
  const narrowed = call.filtered || (call.kind !== "npm" && narrows(call.args))
  // What the script itself leaves out is no part of the project's tests; what is handed to it may leave some out.
  const isWhole = !narrowed && !narrows(call.args) && isOwnSuite(call.name)
  for (const leaf of leaves) {
    leaf.filtered = !isWhole && (leaf.filtered || (narrowed && leaf.classes.includes("test")))
    leaf.dryRun ||= call.dryRun
  }
  if (isMisled(scope)) return fails
  if (!credit(call, leaves) && body.trim() !== "") emit(walk, run, idleFacts(call), context, scope)
  return fails
}

/** What may have done the work: no builtin, no gate of its own. */
const doer = (leaf: Leaf): boolean => {
  const name = leaf.words[0] ?? ""
  return !trivial.has(name) && !has("exit return false", name) && !leaf.classes.some(isGate)
}

/** A script called `test` that only says something, or only lints. */
const idleFacts = (call: Call): Facts => ({ ...other, runner: call.runner, promises: call.classes.filter(isGate) })

/**
 * A script called `test` that runs something unheard of is still a test: its name says so. False where it runs nothing
 * that could be one.
 */
const credit = (call: Call, leaves: ReadonlyArray<Leaf>): boolean => {
  const wanted = call.classes.filter(isGate)
  const known = (one: CommandClass) =>
    leaves.some((leaf) => leaf.classes.includes(one) || leaf.alsoProves.includes(one))
  if (wanted.length === 0 || wanted.some(known)) return true
  const last = leaves.findLast((leaf) => doer(leaf) && leaf.exit !== "none")
  if (last === undefined) return false
  last.classes = wanted
  last.runner = call.runner
  last.dryRun ||= listsOnly(call.args)
  last.filtered = call.filtered || call.part || (wanted.includes("test") && narrows(call.args))
  return true
}
