import { builtin, isTrivial } from "./programs/Builtins.ts"
import { classify } from "./classify.ts"
import { emit, unknown } from "./emit.ts"
import { followCalls } from "./follow.ts"
import { handlers, line } from "./programs/handlers.ts"
import { basename, join, mask, union, unknownInput } from "./scope.ts"
import { calls } from "./targets.ts"
import { has } from "./tool.ts"
import { programName, unwrap } from "./programs/wrappers.ts"
import { isOwnProgram, withSearchPath } from "./searchPath.ts"
import type { Arg, CommandClass, Context, Facts, Fails, Run, Scope, Walk } from "./model.ts"

const maxLayers = 12

/** Programs that run others, which a project has no script of the name of. */
const programs =
  /^(?:c?npm|npx|pnpm|pnpx|yarn|bunx?|deno|make|gmake|just|task|uv|uvx|poetry|pipenv|hatch|pdm|tox|nox|cargo|go|mvn|gradle|bundle|rake|composer|dotnet|python|node|ruby|php)$/

/** `"$VENV/bin/pytest"` is known by its last part. */
const programPath = ({ text }: Arg): Arg | null =>
  /^\$\{?\w{1,60}\}?(?:\/[\w.@+-]{1,80}){1,12}$/.test(text.slice(0, 1_200)) ? { value: text, text } : null

const isLookup = (name: string, args: ReadonlyArray<Arg>): boolean =>
  name === "command" && args.slice(1).some(({ value }) => value === "-v" || value === "-V")

/** Runs one command: takes wrappers off, follows scripts and strings, and lists what is left. */
export const command = (walk: Walk, run: Run, context: Context, scope: Scope): Fails => {
  walk.budget -= 1
  const first = run.args[0]
  const layers = (run.layers ?? 0) + 1
  if (first === undefined || walk.budget < 0 || layers > maxLayers) return unknown(walk, run, context, scope)
  if (first.value === null) {
    const path = programPath(first)
    if (path === null) return unknown(walk, run, context, scope)
    return command(walk, { ...run, args: [path, ...run.args.slice(1)], layers }, context, scope)
  }
  if (isOwnProgram(first.value) && programs.test(programName(first.value)))
    return plain(walk, run, first.value, context, scope)
  const name = programName(first.value)
  builtin(name, run.args, scope)
  const handled = handlers.get(name)?.(walk, run, context, scope)
  if (handled !== undefined) return handled
  const wanted = calls(name, run.args)
  if (wanted.length > 0) return followCalls(walk, run, wanted, context, scope)
  const wrapped = isLookup(name, run.args) ? null : unwrap(run.args)
  if (wrapped === null) return plain(walk, run, name, context, scope)
  const own = wrapped.exit === undefined || context === "none" ? context : mask(context)
  if (wrapped.kind === "args") {
    const path = run.args.find(({ text }) => text.startsWith("PATH="))?.text.slice(5)
    const inner = path === undefined ? scope : { ...scope, vars: withSearchPath(scope.vars, path) }
    return command(walk, { ...run, args: wrapped.args, layers }, own, inner)
  }
  let fails: Fails = null
  for (const { value } of wrapped.lines) {
    fails = union(fails, value === null ? unknown(walk, run, own, scope) : line(walk, value, own, scope))
  }
  return fails
}

const plain = (walk: Walk, run: Run, name: string, context: Context, scope: Scope): Fails => {
  const facts = classify(run.args, run.input === unknownInput ? null : run.input, false)
  const located =
    facts.writes.length === 0
      ? facts
      : { ...facts, writes: facts.writes.map((path) => (path === "*" ? path : join(scope.shell.dir, path))) }
  const fails = emit(walk, run, withRedirection(located, run), context, scope)
  if (facts.classes[0] === "unknown") walk.unknown = true
  return isTrivial(name, run) ? null : fails
}

const quiet = new Set<CommandClass>(["read", "search", "other", "vcs"])

/** `cat > x` and `jq . a > b` write; `npm test > log` is a test all the same. */
const withRedirection = (facts: Facts, run: Run): Facts => {
  if (run.writes.length === 0 || facts.classes.includes("write") || !facts.classes.every((one) => quiet.has(one))) {
    return facts
  }
  const name = basename(run.args[0]?.value ?? "")
  const only = has("cat echo printf : true", name)
  return { ...facts, classes: only ? ["write"] : [...facts.classes, "write"] }
}
