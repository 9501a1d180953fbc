import type { AndOr, CompoundList, For, If, Pipeline, Select, Statement, SyntaxNode, While } from "unbash"
import { endsInputEarly, outputOf } from "./programs/Builtins.ts"
import { emitPlain, emitWrite } from "./emit.ts"
import { childScope, mask, maxDepth, negate, suspects, union, unknownInput, wordArg } from "./scope.ts"
import { define, redirections, sliceOf, walkCommand, walkSubstitutions } from "./simple.ts"
import * as status from "./status.ts"
import type { Context, Fails, Scope, Walk } from "./model.ts"

const maxLoop = 32

/** What can still be claimed once the shell may have ended. */
const afterwards = (context: Context, { shell }: Scope): Context =>
  shell.mayHaveSucceeded || (shell.mayHaveFailed && context === "inverted") ? mask(context) : context

export const walkList = (walk: Walk, given: ReadonlyArray<Statement>, context: Context, scope: Scope): Fails => {
  const statements = status.awaited(given)
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
    const start = walk.leaves.length
    const result = plan.captures.has(index)
      ? walkNode(walk, withoutLast(statement.command), own, scope)
      : walkStatement(walk, statement, own, scope, plan.member.get(index))
    if (own === "echoed") numberEcho(walk, start, result)
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

/** Says of what ran since `start` which of the printed statuses is theirs, and whose failure it would show. */
const numberEcho = (walk: Walk, start: number, fails: Fails): void => {
  walk.echoes += 1
  for (const leaf of walk.leaves.slice(start)) if (leaf.echoesStatus) leaf.echo = walk.echoes
  for (const leaf of suspects(fails)) leaf.soleEchoed = true
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

export const walkNode = (walk: Walk, node: SyntaxNode, context: Context, scope: Scope): Fails => {
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
      if (writes.length > 0) emitWrite(walk, writes, sliceOf(node, scope), context, scope)
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
      return emitPlain(walk, [], sliceOf(node, scope), context, scope)
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
  // A status with which the shell is left is not turned round.
  if (negations > 0 && last === 0 && node.commands.some((command) => status.mayLeave(command))) own = mask(context)
  let fails: Fails = null
  let stdin: string | null | undefined
  const first = walk.step
  let behind = first
  for (const [index, command] of node.commands.entries()) {
    // All members of a pipeline begin at once.
    walk.step = first
    const carries = member === undefined ? index === last || scope.shell.pipefail : index === member
    const memberContext = carries
      ? scope.shell.pipefail && last > 0 && own === "inverted"
        ? "masked"
        : own
      : mask(own)
    const inner = last > 0 ? childScope(scope) : scope
    const input = index === 0 ? null : (stdin ?? unknownInput)
    const result = within(inner, { tested: negations > 0 }, () =>
      command.type === "Command"
        ? walkCommand(walk, command, memberContext, inner, input)
        : walkNode(walk, command, memberContext, inner)
    )
    behind = Math.max(behind, walk.step)
    stdin = command.type === "Command" ? outputOf(command, inner) : null
    if (carries) fails = union(fails, index > 0 && endsInputEarly(command) && scope.shell.pipefail ? [] : result)
  }
  walk.step = behind
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
