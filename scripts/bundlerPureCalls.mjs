/** Marks calls as pure, like babel's annotate-pure-calls, so that the bundler leaves out unused calls. */
import * as fs from "node:fs"
import ts from "typescript"

const mark = "/* @__PURE__ */ "

const mayCall = [
  ts.isSpreadElement,
  ts.isSpreadAssignment,
  ts.isBinaryExpression,
  ts.isTemplateExpression,
  ts.isElementAccessExpression
]

/** True for the function of a call, because the call's mark covers it. */
const isCallee = (node) =>
  (ts.isCallExpression(node.parent) || ts.isNewExpression(node.parent)) && node.parent.expression === node

/** True if the bundler sees an effect although the calls are marked: a spread list, a sum, or a property of a value. */
const looksImpure = (node, namespaces) => {
  if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return false
  if (mayCall.some((is) => is(node))) return true
  if (ts.isPropertyAccessExpression(node) && !isCallee(node)) {
    return !(ts.isIdentifier(node.expression) && namespaces.has(node.expression.text))
  }
  return ts.forEachChild(node, (one) => looksImpure(one, namespaces)) ?? false
}

const namespacesOf = (source) =>
  new Set(
    source.statements.flatMap((one) => {
      const bindings = ts.isImportDeclaration(one) ? one.importClause?.namedBindings : undefined
      return bindings !== undefined && ts.isNamespaceImport(bindings) ? [bindings.name.text] : []
    })
  )

/** Marks only calls that run while the module loads, not calls inside functions. */
const editsOf = (source) => {
  const namespaces = namespacesOf(source)
  const edits = new Map()
  const calls = (node) => {
    if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return
    if (ts.isClassLike(node)) return classOf(node)
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) edits.set(node.getStart(source), mark)
    ts.forEachChild(node, calls)
  }
  const value = (node) => {
    if (ts.isFunctionLike(node)) return
    if (!looksImpure(node, namespaces)) return calls(node)
    edits.set(node.getStart(source), `${mark}(() => (`)
    edits.set(node.end, "))()")
  }
  const classOf = (node) => {
    // TypeScript treats an `extends` clause as a type, so `calls` would skip it.
    for (const { types } of node.heritageClauses ?? []) for (const { expression } of types) calls(expression)
    for (const member of node.members) {
      if (ts.isPropertyDeclaration(member) && ts.hasStaticModifier(member) && member.initializer)
        value(member.initializer)
    }
  }
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { initializer } of statement.declarationList.declarations) if (initializer) value(initializer)
    }
    if (ts.isClassDeclaration(statement)) classOf(statement)
  }
  return [...edits].toSorted(([one], [other]) => other - one)
}

export const markedText = (text, file = "module.ts") => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  return editsOf(source).reduce((all, [at, edit]) => `${all.slice(0, at)}${edit}${all.slice(at)}`, text)
}

/** Caches texts, because a module is in many bundles. */
const known = new Map()

export const pureCalls = {
  name: "pure-calls",
  setup: (build) => {
    build.onLoad({ filter: /[\\/](?:packages[\\/][^\\/]+|evals)[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const contents = known.get(path) ?? markedText(fs.readFileSync(path, "utf8"), path)
      known.set(path, contents)
      return { contents, loader: "ts" }
    })
  }
}
