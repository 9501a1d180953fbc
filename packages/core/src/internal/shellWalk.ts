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
import * as Scripts from "./scripts.ts"
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
    fails = walkParsed(walk, script, context, childScope(scope, { source: script.source ?? scope.source }))
  }
  return fails
}

const walkList = (walk: Walk, statements: ReadonlyArray<Statement>, context: Context, scope: Scope): Fails => {
  const plan = status.plan(statements)
  let fails: Fails = null
  let live: Context = context
  for (const [index, statement] of statements.entries()) {
    const carries = plan.carriers.has(index)
    let own = carries ? live : mask(live)
    if (!carries && scope.errexit && !status.exemptFromErrexit(statement)) own = live
    if (!carries && status.leavesOnFailure(statement)) own = live
    if (!carries && own === "masked" && plan.echoed.has(index)) own = "echoed"
    const result = plan.captures.has(index)
      ? walkNode(walk, withoutLast(statement.command), own, scope)
      : walkStatement(walk, statement, own, scope, plan.member.get(index))
    const hands = index === plan.end && plan.carriers.size > 1
    if ((carries || own === live) && !hands && live !== "none") fails = union(fails, result)
    if (index === plan.end) live = "none"
  }
  return fails
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
    walkNode(walk, node, context === "none" ? "none" : "background", childScope(scope, { source: scope.source }))
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
      return walkList(walk, node.body.commands, context, childScope(scope, {}))
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
      walkNode(walk, node.body, context === "none" ? "none" : "background", childScope(scope, {}))
      return null
    case "TestCommand":
    case "ArithmeticCommand":
      walkSubstitutions(walk, node, mask(context), scope)
      return run.emitPlain(walk, [], sliceOf(node, scope), context, scope)
    default:
      return null
  }
}

const walkBody = (walk: Walk, list: CompoundList, context: Context, scope: Scope): Fails => {
  const before = scope.uncertain
  scope.uncertain = true
  const fails = walkList(walk, list.commands, mask(context), scope)
  scope.uncertain = before
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
    const own = contexts[index] ?? mask(context)
    const before = scope.uncertain
    if (index > 0 && node.operators[index - 1] === "||") scope.uncertain = true
    const result = walkNode(walk, command, own, scope)
    scope.uncertain = before
    if (index === 0) fails = result
    else if (node.operators[index - 1] === "&&") fails = union(fails, result)
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
    const carries = member === undefined ? index === last || scope.pipefail : index === member
    const memberContext = carries ? (scope.pipefail && last > 0 && own === "inverted" ? "masked" : own) : mask(own)
    const inner = last > 0 ? childScope(scope, {}) : scope
    const result =
      command.type === "Command"
        ? walkCommand(walk, command, memberContext, inner, index === 0 ? null : (stdin ?? run.unknownInput))
        : walkNode(walk, command, memberContext, inner)
    stdin = command.type === "Command" ? run.outputOf(command, inner) : null
    if (carries) fails = union(fails, index > 0 && run.endsInputEarly(command) && scope.pipefail ? [] : result)
  }
  return negations % 2 === 1 ? negated(fails) : fails
}

/** `! X` fails when X succeeds: no command of it is to blame. */
const negated = (fails: Fails): Fails => (fails === null ? null : [])

const walkIf = (walk: Walk, node: If, context: Context, scope: Scope): Fails => {
  let clause: Context = mask(context)
  if (node.elif.length === 0 && context === "implied") {
    if (status.alwaysFails(node.then)) clause = "inverted"
    else if (node.else !== undefined && status.alwaysFails(node.else)) clause = "implied"
  }
  const tested = walkList(walk, node.clause.commands, clause, scope)
  const then = walkBody(walk, node.then, context, scope)
  let fails = clause === "implied" ? union(tested, then) : then
  for (const branch of node.elif) {
    walkBody(walk, branch.clause, context, scope)
    fails = union(fails, walkBody(walk, branch.then, context, scope))
  }
  if (node.else !== undefined) {
    const otherwise = walkBody(walk, node.else, context, scope)
    if (clause !== "implied") fails = union(fails, otherwise)
  }
  return clause === "inverted" ? [] : fails
}

const walkLoop = (walk: Walk, node: While, context: Context, scope: Scope): Fails => {
  walkBody(walk, node.clause, context, scope)
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
  // The body shares the shell's state, so only what is read of the loop is set apart.
  const inner: Scope = { ...scope, loops: new Map([...scope.loops, [name, known]]) }
  const fails = walkBody(walk, node.body, context, inner)
  Object.assign(scope, { dir: inner.dir, errexit: inner.errexit, pipefail: inner.pipefail })
  return fails
}

const assign = (walk: Walk, node: Assignment, context: Context, scope: Scope): Fails => {
  const fails = walkSubstitutions(walk, node, context, scope)
  const value = node.value
  const plain = value.type === "Word" && node.index === undefined && node.append !== true && !scope.uncertain
  scope.vars.set(node.name, plain ? wordArg(value, scope).value : null)
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
  const prefixScope = bare || node.prefix.length === 0 ? scope : childScope(scope, {})
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
  const definition: Definition = { name: node.name.value, body: node.body, source: scope.source }
  scope.functions.set(definition.name, definition)
  walk.defined.add(definition)
}

const functionNamed = (name: string | null, scope: Scope): Definition | null =>
  name === null || scope.active.includes(name) ? null : (scope.functions.get(name) ?? null)

const callFunction = (walk: Walk, definition: Definition, context: Context, scope: Scope): Fails => {
  walk.called.add(definition)
  return walkNode(walk, definition.body, context, {
    ...scope,
    source: definition.source,
    depth: scope.depth + 1,
    active: [...scope.active, definition.name]
  })
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

let last: { readonly command: string; readonly scripts: Scripts.Scripts; readonly analysis: ShellAnalysis } | null =
  null

/** Several folds ask about the same command in turn: the last answer is kept. */
export const analyze = (command: string, scripts: Scripts.Scripts = Scripts.empty): ShellAnalysis => {
  if (last !== null && last.command === command && last.scripts === scripts) return last.analysis
  const analysis = analyzed(command, scripts)
  last = { command, scripts, analysis }
  return analysis
}

const analyzed = (command: string, scripts: Scripts.Scripts): ShellAnalysis => {
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
