import type { Assignment, Command, Function as FunctionNode, ParsedScript, Redirection, SyntaxNode } from "unbash"
import { clip, emitWrite, writtenPaths } from "./emit.ts"
import { childScope, mask, maxDepth, substitutions, unknownInput, wordArg } from "./scope.ts"
import { isMisled, misleading } from "./searchPath.ts"
import type { Arg, Context, Definition, Fails, Scope, Walk } from "./model.ts"

export const walkParsed = (walk: Walk, script: ParsedScript, context: Context, scope: Scope): Fails => {
  if (script.errors !== undefined && script.errors.length > 0) walk.unknown = true
  return walk.list(script.commands, context, scope)
}

export const walkSubstitutions = (walk: Walk, node: SyntaxNode, context: Context, scope: Scope): Fails => {
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

const assign = (walk: Walk, node: Assignment, context: Context, scope: Scope): Fails => {
  const fails = walkSubstitutions(walk, node, context, scope)
  const value = node.value
  const plain = value.type === "Word" && node.index === undefined && node.append !== true && !scope.shell.uncertain
  const known = plain ? wordArg(value, scope).value : null
  if (node.name === "PATH") {
    const path = value.type === "Word" && node.append !== true ? wordArg(value, scope).text : null
    if (path !== null) scope.vars.set("PATH", misleading(path) ? path : null)
    return fails
  }
  // A status kept behind `&&` may not have been kept, which is no matter for a path and much for `exit $rc`.
  scope.vars.set(node.name, known !== null && scope.shell.chained && /^\d{1,3}$/.test(known) ? null : known)
  return fails
}

export const redirections = (
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
    for (const path of writtenPaths(target, scope)) if (!path.startsWith("/dev/")) writes.push(path)
  }
  return writes
}

export const sliceOf = (node: SyntaxNode, scope: Scope): string => clip(scope.source, node.pos, node.end)

export const walkCommand = (walk: Walk, node: Command, context: Context, scope: Scope, stdin: string | null): Fails => {
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
    if (writes.length > 0) return emitWrite(walk, writes, text, context, scope)
    return assigned
  }
  const heredoc = node.redirects.findLast((redirect) => redirect.type === "HereDoc")
  const herestring = node.redirects.findLast((redirect) => redirect.type === "HereString")
  const file = node.redirects.some((redirect) => redirect.type === "Redirect" && redirect.operator === "<")
  const input =
    heredoc?.body.text ??
    (herestring?.target === undefined ? null : (wordArg(herestring.target, scope).value ?? unknownInput)) ??
    (file ? unknownInput : stdin)
  const definition = functionNamed(args[0]?.value ?? null, scope)
  if (definition !== null) return callFunction(walk, definition, context, scope)
  return walk.run(
    { args, text, writes, input },
    context,
    isMisled(prefixScope) ? { ...scope, vars: prefixScope.vars } : scope
  )
}

export const define = (walk: Walk, node: FunctionNode, scope: Scope): void => {
  const definition: Definition = {
    name: node.name.value,
    body: node.body,
    source: scope.source,
    uncertain: scope.shell.uncertain || scope.shell.chained
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
  const fails = walk.node(definition.body, definition.uncertain ? mask(context) : context, {
    ...scope,
    source: definition.source,
    depth: scope.depth + 1,
    calling: [...scope.calling, definition]
  })
  return definition.uncertain ? [] : fails
}
