import { parse } from "unbash"
import type {
  AndOr,
  Assignment,
  Command,
  CompoundList,
  For,
  Function as FunctionNode,
  If,
  ParsedScript,
  Pipeline,
  Redirection,
  Select,
  Statement,
  SyntaxNode,
  While
} from "unbash"
import type { ShellAnalysis } from "../ShellCommand.ts"
import type { Scripts } from "../RepoSignals.ts"
import { empty as noScripts } from "./scripts.ts"
import * as run from "./shellRun.ts"
import type { Arg, Context, Definition, Fails, Leaf, Scope, Walk } from "./shellScope.ts"
import { childScope, mask, negate, rootScope, substitutions, wordArg } from "./shellScope.ts"
import * as status from "./shellStatus.ts"

export const maxLength = 32_768
const maxDepth = 16
const maxSteps = 4_000
const maxLoop = 32

const union = (left: Fails, right: Fails): Fails => {
  if (left === null) return right
  if (right === null) return left
  const first = left[0]
  const second = right[0]
  return first === undefined || second === undefined ? [] : [[...first, ...second]]
}

const walkParsed = (walk: Walk, script: ParsedScript, context: Context, scope: Scope): Fails => {
  if (script.errors !== undefined && script.errors.length > 0) walk.unknown = true
  return walkList(walk, script.commands, context, scope)
}

/** A script in a string: `bash -c`, a package script, a recipe line. */
const walkSource = (walk: Walk, source: string, context: Context, scope: Scope): Fails => {
  if (scope.depth > maxDepth || source.length > maxLength) {
    walk.unknown = true
    return []
  }
  return walkParsed(walk, parse(source), context, { ...scope, source })
}

const walkSubstitutions = (walk: Walk, node: SyntaxNode, context: Context, scope: Scope): Fails => {
  let fails: Fails = null
  for (const script of substitutions(node)) {
    if (scope.depth > maxDepth) {
      walk.unknown = true
      return []
    }
    fails = walkParsed(
      walk,
      script,
      context,
      childScope(scope, { source: script.source ?? scope.source }, { errexit: false })
    )
  }
  return fails
}

/** What can still be claimed once the shell may have ended. */
const afterwards = (context: Context, { shell }: Scope): Context =>
  shell.mayHaveSucceeded || (shell.mayHaveFailed && context === "inverted") ? mask(context) : context

const walkList = (walk: Walk, statements: ReadonlyArray<Statement>, context: Context, scope: Scope): Fails => {
  const plan = status.plan(statements)
  const { shell } = scope
  let fails: Fails = null
  let live: Context = context
  for (const [index, statement] of statements.entries()) {
    const carries = plan.carriers.has(index)
    const errexit = shell.errexit && !shell.tested && !status.exemptFromErrexit(statement)
    const decides = carries || errexit || status.leavesOnFailure(statement)
    const own = decides ? live : plan.echoed.has(index) && live === "implied" ? "echoed" : mask(live)
    const failedBefore = shell.mayHaveFailed
    const result = plan.captures.has(index)
      ? walkNode(walk, withoutLast(statement.command), own, scope)
      : walkStatement(walk, statement, own, scope, plan.member.get(index))
    if (index === plan.end && plan.leaves && live !== "masked") shell.mayHaveFailed = failedBefore
    // `set -e` inside of a compound: what failed after it is not known apart.
    if (!decides && !errexit && shell.errexit && statement.command.type !== "Command") shell.mayHaveFailed = true
    const hands = index === plan.end && plan.carriers.size > 1
    if (decides && !hands && live !== "none") fails = union(fails, result)
    if (index === plan.end) live = "none"
    else live = afterwards(live, scope)
  }
  return shell.mayHaveFailed ? [] : fails
}

/** `X || rc=$?` without the assignment, whose only work is to keep the status of X. */
const withoutLast = (node: SyntaxNode): SyntaxNode => {
  if (node.type !== "AndOr") return node
  const commands = node.commands.slice(0, -1)
  const only = commands.length === 1 ? commands[0] : undefined
  return only ?? { ...node, commands, operators: node.operators.slice(0, -1) }
}

const walkStatement = (
  walk: Walk,
  statement: Statement,
  context: Context,
  scope: Scope,
  member: number | undefined
): Fails => {
  const node = statement.command
  if (statement.background === true) {
    walkNode(walk, node, context === "none" ? "none" : "background", childScope(scope))
    return null
  }
  if (member !== undefined && node.type === "Pipeline") return walkPipeline(walk, node, context, scope, member)
  return walkNode(walk, node, context, scope)
}

const walkNode = (walk: Walk, node: SyntaxNode, context: Context, scope: Scope): Fails => {
  walk.budget -= 1
  if (walk.budget < 0 || scope.depth > maxDepth) {
    walk.unknown = true
    walk.truncated ||= walk.budget < 0
    return []
  }
  switch (node.type) {
    case "Command":
      return walkCommand(walk, node, context, scope, null)
    case "AndOr":
      return walkAndOr(walk, node, context, scope)
    case "Pipeline":
      return walkPipeline(walk, node, context, scope, undefined)
    case "Subshell":
      return walkList(walk, node.body.commands, context, childScope(scope))
    case "BraceGroup":
      return walkList(walk, node.body.commands, context, scope)
    case "CompoundList":
      return walkList(walk, node.commands, context, scope)
    case "Redirected": {
      const fails = walkNode(walk, node.command, context, scope)
      const writes = redirections(walk, node.redirects, context, scope)
      if (writes.length > 0) run.emitWrite(walk, writes, sliceOf(node, scope), context, scope)
      return fails
    }
    case "If":
      return walkIf(walk, node, context, scope)
    case "While":
      return walkLoop(walk, node, context, scope)
    case "For":
    case "Select":
      return walkFor(walk, node, context, scope)
    case "ArithmeticFor":
      return walkBody(walk, node.body, context, scope)
    case "Case": {
      walkSubstitutions(walk, node.word, mask(context), scope)
      let fails: Fails = null
      for (const item of node.items) fails = union(fails, walkBody(walk, item.body, context, scope))
      return fails
    }
    case "Function":
      define(walk, node, scope)
      return null
    case "Coproc":
      walkNode(walk, node.body, context === "none" ? "none" : "background", childScope(scope))
      return null
    case "TestCommand":
    case "ArithmeticCommand":
      walkSubstitutions(walk, node, mask(context), scope)
      return run.emitPlain(walk, [], sliceOf(node, scope), context, scope)
    default:
      return null
  }
}

/** Runs with some of the shell's state changed, and puts it back. */
const within = (
  scope: Scope,
  state: { readonly tested?: boolean; readonly uncertain?: boolean; readonly chained?: boolean },
  body: () => Fails
): Fails => {
  const { chained, tested, uncertain } = scope.shell
  scope.shell.tested ||= state.tested === true
  scope.shell.uncertain ||= state.uncertain === true
  scope.shell.chained ||= state.chained === true
  const fails = body()
  scope.shell.tested = tested
  scope.shell.uncertain = uncertain
  scope.shell.chained = chained
  return fails
}

const walkBody = (walk: Walk, list: CompoundList, context: Context, scope: Scope): Fails =>
  within(scope, { uncertain: true }, () => walkList(walk, list.commands, mask(context), scope))

/** A branch that always ends in failure: that it leaves the shell is counted where the branch is taken. */
const walkFailing = (scope: Scope, counted: boolean, body: () => Fails): Fails => {
  const { mayHaveFailed, mayHaveSucceeded } = scope.shell
  const fails = body()
  scope.shell.mayHaveSucceeded = mayHaveSucceeded
  if (counted) scope.shell.mayHaveFailed = mayHaveFailed
  return fails
}

const walkAndOr = (walk: Walk, node: AndOr, context: Context, scope: Scope): Fails => {
  const last = node.commands.length - 1
  const contexts: Array<Context> = []
  let prefix = context
  // Left-associative: the context of a prefix follows from the operators to its right.
  for (let index = last; index > 0; index -= 1) {
    const [left, right] = status.sides(node.operators[index - 1] ?? "&&", prefix, node.commands[index])
    contexts[index] = right
    prefix = left
  }
  contexts[0] = prefix
  let fails: Fails = null
  for (const [index, command] of node.commands.entries()) {
    const operator = node.operators[index - 1]
    const own = contexts[index] ?? mask(context)
    const state = { tested: index < last, uncertain: operator === "||", chained: index > 0 }
    const go = () => within(scope, state, () => walkNode(walk, command, afterwards(own, scope), scope))
    const failing = operator === "||" && status.alwaysFails(command, "failed")
    const result = failing ? walkFailing(scope, index === last && context !== "masked", go) : go()
    if (index === 0) fails = result
    else if (operator === "&&") fails = union(fails, result)
    else if (fails !== null) fails = result === null ? null : [...fails, ...result]
  }
  return fails
}

const walkPipeline = (
  walk: Walk,
  node: Pipeline,
  context: Context,
  scope: Scope,
  member: number | undefined
): Fails => {
  let own = context
  let negations = 0
  for (const prefix of node.prefixes) if (prefix.type === "Negation") negations += 1
  if (negations % 2 === 1) own = negate(context)
  const last = node.commands.length - 1
  let fails: Fails = null
  let stdin: string | null | undefined
  for (const [index, command] of node.commands.entries()) {
    const carries = member === undefined ? index === last || scope.shell.pipefail : index === member
    const memberContext = carries
      ? scope.shell.pipefail && last > 0 && own === "inverted"
        ? "masked"
        : own
      : mask(own)
    const inner = last > 0 ? childScope(scope) : scope
    const input = index === 0 ? null : (stdin ?? run.unknownInput)
    const result = within(inner, { tested: negations > 0 }, () =>
      command.type === "Command"
        ? walkCommand(walk, command, memberContext, inner, input)
        : walkNode(walk, command, memberContext, inner)
    )
    stdin = command.type === "Command" ? run.outputOf(command, inner) : null
    if (carries) fails = union(fails, index > 0 && run.endsInputEarly(command) && scope.shell.pipefail ? [] : result)
  }
  // `! X` fails when X succeeds: no command of it is to blame.
  return negations % 2 === 1 ? [] : fails
}

const walkTest = (walk: Walk, list: CompoundList, context: Context, scope: Scope): Fails =>
  within(scope, { tested: true }, () => walkList(walk, list.commands, context, scope))

/** What the clause of an `if` must have given when the whole exits 0: a branch that always fails was not taken. */
const clauseContext = (node: If, context: Context): Context => {
  if (node.elif.length > 0 || context !== "implied") return mask(context)
  if (status.alwaysFails(node.then, "unknown")) return "inverted"
  return node.else !== undefined && status.alwaysFails(node.else, "failed") ? "implied" : mask(context)
}

const walkIf = (walk: Walk, node: If, context: Context, scope: Scope): Fails => {
  const clause = clauseContext(node, context)
  const tested = walkTest(walk, node.clause, clause, scope)
  const branch = (list: CompoundList, failing: boolean) =>
    failing
      ? walkFailing(scope, true, () => walkBody(walk, list, context, scope))
      : walkBody(walk, list, context, scope)
  const then = branch(node.then, clause === "inverted")
  let fails = clause === "implied" ? union(tested, then) : then
  for (const elif of node.elif) {
    within(scope, { uncertain: true }, () => walkTest(walk, elif.clause, mask(context), scope))
    fails = union(fails, walkBody(walk, elif.then, context, scope))
  }
  if (node.else !== undefined) {
    const otherwise = branch(node.else, clause === "implied")
    if (clause !== "implied") fails = union(fails, otherwise)
  }
  return clause === "inverted" ? [] : fails
}

const walkLoop = (walk: Walk, node: While, context: Context, scope: Scope): Fails => {
  walkTest(walk, node.clause, mask(context), scope)
  return walkBody(walk, node.body, context, scope)
}

const walkFor = (walk: Walk, node: For | Select, context: Context, scope: Scope): Fails => {
  for (const word of node.wordlist ?? []) walkSubstitutions(walk, word, mask(context), scope)
  const name = node.name.value
  const words = (node.wordlist ?? []).map((word) => wordArg(word, scope).value)
  const known = words.filter((word) => word !== null)
  const whole = known.length === words.length && known.length > 0 && known.length <= maxLoop
  scope.vars.set(name, whole && known.length === 1 ? (known[0] ?? null) : null)
  if (!whole) return walkBody(walk, node.body, context, scope)
  return walkBody(walk, node.body, context, { ...scope, loops: new Map([...scope.loops, [name, known]]) })
}

const assign = (walk: Walk, node: Assignment, context: Context, scope: Scope): Fails => {
  const fails = walkSubstitutions(walk, node, context, scope)
  const value = node.value
  const plain = value.type === "Word" && node.index === undefined && node.append !== true && !scope.shell.uncertain
  const known = plain ? wordArg(value, scope).value : null
  // A status kept behind `&&` may not have been kept, which is no matter for a path and much for `exit $rc`.
  scope.vars.set(node.name, known !== null && scope.shell.chained && /^\d{1,3}$/.test(known) ? null : known)
  return fails
}

const redirections = (
  walk: Walk,
  redirects: ReadonlyArray<Redirection>,
  context: Context,
  scope: Scope
): ReadonlyArray<string> => {
  const writes: Array<string> = []
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") {
      walkSubstitutions(walk, redirect, mask(context), scope)
      continue
    }
    if (redirect.target === undefined) continue
    walkSubstitutions(walk, redirect.target, mask(context), scope)
    if (redirect.type === "HereString" || redirect.operator === "<" || redirect.operator === "<&") continue
    const target = wordArg(redirect.target, scope)
    if (redirect.operator === ">&" && /^(?:\d{1,4}-?|-)$/.test(target.text)) continue
    if (redirect.target.parts?.[0]?.type === "ProcessSubstitution") continue
    for (const path of run.writtenPaths(target, scope)) if (!path.startsWith("/dev/")) writes.push(path)
  }
  return writes
}

const sliceOf = (node: SyntaxNode, scope: Scope): string => run.clip(scope.source, node.pos, node.end)

const walkCommand = (walk: Walk, node: Command, context: Context, scope: Scope, stdin: string | null): Fails => {
  walk.budget -= 1
  if (walk.budget < 0) {
    walk.unknown = true
    walk.truncated = true
    return []
  }
  let assigned: Fails = null
  const bare = node.name === undefined
  // An assignment before a command lasts for that command only.
  const prefixScope = bare || node.prefix.length === 0 ? scope : childScope(scope)
  for (const item of node.prefix) {
    if (item.type === "Assignment") assigned = assign(walk, item, bare ? context : mask(context), prefixScope)
  }
  const args: Array<Arg> = []
  if (node.name !== undefined) {
    walkSubstitutions(walk, node.name, mask(context), scope)
    args.push(wordArg(node.name, scope))
  }
  for (const item of node.args) {
    if (item.type === "Assignment") {
      assign(walk, item, mask(context), scope)
      args.push({ value: null, text: item.text })
    } else {
      walkSubstitutions(walk, item, mask(context), scope)
      args.push(wordArg(item, scope))
    }
  }
  const writes = redirections(walk, node.redirects, context, scope)
  const text = sliceOf(node, scope)
  if (bare) {
    if (writes.length > 0) return run.emitWrite(walk, writes, text, context, scope)
    return assigned
  }
  const heredoc = node.redirects.findLast((redirect) => redirect.type === "HereDoc")
  const herestring = node.redirects.findLast((redirect) => redirect.type === "HereString")
  const file = node.redirects.some((redirect) => redirect.type === "Redirect" && redirect.operator === "<")
  const input =
    heredoc?.body.text ??
    (herestring?.target === undefined ? null : (wordArg(herestring.target, scope).value ?? run.unknownInput)) ??
    (file ? run.unknownInput : stdin)
  const definition = functionNamed(args[0]?.value ?? null, scope)
  if (definition !== null) return callFunction(walk, definition, context, scope)
  return run.command(walk, { args, text, writes, input }, context, scope)
}

const define = (walk: Walk, node: FunctionNode, scope: Scope): void => {
  const definition: Definition = {
    name: node.name.value,
    body: node.body,
    source: scope.source,
    uncertain: scope.shell.uncertain
  }
  scope.functions.set(definition.name, definition)
  walk.defined.add(definition)
}

const functionNamed = (name: string | null, scope: Scope): Definition | null =>
  name === null ? null : (scope.functions.get(name) ?? null)

const callFunction = (walk: Walk, definition: Definition, context: Context, scope: Scope): Fails => {
  walk.called.add(definition)
  if (scope.calling.includes(definition)) {
    walk.unknown = true
    scope.shell.mayHaveSucceeded = true
    scope.shell.mayHaveFailed = true
    return []
  }
  const fails = walkNode(walk, definition.body, definition.uncertain ? mask(context) : context, {
    ...scope,
    source: definition.source,
    depth: scope.depth + 1,
    calling: [...scope.calling, definition]
  })
  return definition.uncertain ? [] : fails
}

/** Functions that nothing called: what they would run is listed, and never ran. */
const walkUncalled = (walk: Walk): void => {
  for (const definition of walk.defined) {
    if (!walk.called.has(definition)) walkNode(walk, definition.body, "none", rootScope(definition.source))
  }
}

const settle = (walk: Walk, fails: Fails): ReadonlyArray<Leaf> => {
  for (const clause of fails ?? []) {
    const only = clause[0]
    if (only !== undefined && only.exit !== "none" && clause.every((leaf) => leaf === only)) only.soleSuspect = true
  }
  return walk.leaves
}

const nothing: ShellAnalysis = { commands: [], unknown: false, truncated: false }

let last: { readonly command: string; readonly scripts: Scripts; readonly analysis: ShellAnalysis } | null = null

/** Several folds ask about the same command in turn: the last answer is kept. */
export const analyze = (command: string, scripts: Scripts = noScripts): ShellAnalysis => {
  if (last !== null && last.command === command && last.scripts === scripts) return last.analysis
  const analysis = analyzed(command, scripts)
  last = { command, scripts, analysis }
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
    script: (text, context, scope) => walkSource(walk, text, context, scope)
  }
  const fails = walkParsed(walk, parse(source), truncated ? "masked" : "implied", rootScope(source))
  walkUncalled(walk)
  const commands = settle(walk, truncated ? [] : fails)
  return { commands, unknown: walk.unknown, truncated: walk.truncated }
}
