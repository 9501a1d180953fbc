import { other } from "./describe.ts"
import { isGate } from "./names.ts"
import { isMisled } from "./searchPath.ts"
import { join } from "./scope.ts"
import { pathsOf } from "./writes.ts"
import type { Arg, Context, Facts, Fails, Leaf, Run, Scope, Walk } from "./model.ts"

const maxText = 200

export const clip = (source: string, from: number, to: number): string => {
  const text = source
    .slice(from, Math.min(to, from + 4 * maxText))
    .replace(/\s+/g, " ")
    .trim()
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
}

export const writtenPaths = (arg: Arg, scope: Scope): ReadonlyArray<string> =>
  pathsOf(arg).map((path) => (path === "*" ? path : join(scope.shell.dir, path)))

export const unknownFacts: Facts = { ...other, classes: ["unknown"] }

const writeFacts: Facts = { ...other, classes: ["write"] }

const maxLeaves = 1_000

const maxWords = 256

/** Lists a command, and says what its failure would mean. */
export const emit = (walk: Walk, run: Run, given: Facts, context: Context, scope: Scope): Fails => {
  // Whose program runs is not known: it may be another than its name says.
  const facts = isMisled(scope) && given.classes.some(isGate) ? other : given
  if (walk.leaves.length >= maxLeaves) {
    walk.unknown = true
    walk.truncated = true
    return []
  }
  const leaf: Leaf = {
    words: run.args.slice(0, maxWords).map(({ value }) => value),
    text: run.text,
    via: scope.via,
    classes: facts.classes,
    alsoProves: facts.alsoProves,
    runner: facts.runner,
    exit: context === "echoed" ? "masked" : context,
    echoesStatus: context === "echoed",
    echo: 0,
    soleEchoed: false,
    soleSuspect: false,
    besideEdits: false,
    filtered: facts.filtered,
    dryRun: facts.dryRun,
    promises: facts.promises,
    ifPresent: facts.ifPresent,
    dir: scope.shell.dir,
    push: facts.push,
    writes: run.writes.length === 0 ? facts.writes : [...run.writes, ...facts.writes],
    step: walk.step
  }
  walk.step += 1
  walk.leaves.push(leaf)
  return [[leaf]]
}

export const emitWrite = (
  walk: Walk,
  writes: ReadonlyArray<string>,
  text: string,
  context: Context,
  scope: Scope
): Fails => {
  emit(walk, { args: [], text, writes, input: null }, writeFacts, context, scope)
  return null
}

export const emitPlain = (walk: Walk, args: ReadonlyArray<Arg>, text: string, context: Context, scope: Scope): Fails =>
  emit(walk, { args, text, writes: [], input: null }, other, context, scope)

/** Lists a command of which nothing is known. */
export const unknown = (walk: Walk, run: Run, context: Context, scope: Scope): Fails => {
  walk.unknown = true
  return emit(walk, run, unknownFacts, context, scope)
}
