/**
 * What may stand in a configuration file: each key with its type, its allowed values and its default, from the Schema that
 * reads the file, and what it does. `docs/configuration.md` is generated from it.
 */
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { words, type Words } from "./descriptions.ts"
import { defaults } from "./ReflexionConfig.ts"
import { PartialConfig } from "./model.ts"
import * as TodoOptions from "./TodoOptions.ts"

/**
 * A key of an object. `type`: that of its JSON value; `allowed`: which values of that type, empty for all of them;
 * `fallback`: the default value, undefined where there is none. Without `words` nobody has said what it does.
 *
 * @category models
 */
export interface Key {
  readonly name: string
  readonly path: string
  readonly type: string
  readonly allowed: string
  readonly isRequired: boolean
  readonly fallback: unknown
  readonly words: Words | undefined
}

/**
 * An object with its keys. In a `path`, empty for the whole file, `[]` stands for an item of a list and `*` for a name that
 * the user chooses.
 *
 * @category models
 */
export interface Section {
  readonly path: string
  readonly keys: ReadonlyArray<Key>
}

/** The form in a file: a refinement and a transformation of it are what it is read into. */
const written = (ast: AST.AST): AST.AST =>
  AST.isRefinement(ast) || AST.isTransformation(ast) ? written(ast.from) : ast

const kinds = (ast: AST.AST): ReadonlyArray<string> => {
  const form = written(ast)
  if (AST.isUnion(form)) return [...new Set(form.types.flatMap(kinds))]
  if (AST.isLiteral(form)) return [typeof form.literal === "boolean" ? `${form.literal}` : typeof form.literal]
  if (AST.isTupleType(form)) return [`list of ${form.rest.flatMap(({ type }) => kinds(type)).join(" or ")}s`]
  if (AST.isTypeLiteral(form)) return ["object"]
  return [form._tag.replace("Keyword", "").toLowerCase()]
}

/** What the schema's own texts say of a value that is not allowed, from the outermost on. */
const said = (ast: AST.AST): ReadonlyArray<string> => {
  const text = Option.map(AST.getMessageAnnotation(ast), (message) => message(new ParseResult.Type(ast, undefined)))
  const own = Option.match(text, {
    onNone: () => null,
    onSome: (one) => (Predicate.isString(one) ? one : Predicate.hasProperty(one, "message") ? one.message : null)
  })
  const inner = AST.isRefinement(ast) || AST.isTransformation(ast) ? said(ast.from) : []
  return Predicate.isString(own) ? [own.replace(/^must be /u, ""), ...inner] : inner
}

/** A list says in one text what it has, and in another how many. */
const allowedBy = (ast: AST.AST): string => {
  if (AST.isBooleanKeyword(written(ast))) return ""
  const texts = said(ast)
  const what = (AST.isTupleType(written(ast)) ? texts.at(-1) : texts[0]) ?? ""
  const most = texts.map((text) => /^at most (\d+)/u.exec(text)?.[1]).find((count) => count !== undefined)
  return most === undefined ? what : `${what}, at most ${most}`
}

const objectOf = (ast: AST.AST): AST.TypeLiteral | null => {
  const form = written(ast)
  if (AST.isTypeLiteral(form)) return form
  return AST.isUnion(form) ? (form.types.map(objectOf).find((one) => one !== null) ?? null) : null
}

/** What decoding uses for a key that is left out. */
const filledIn = (ast: AST.AST, name: string): unknown => {
  if (AST.isRefinement(ast)) return filledIn(ast.from, name)
  if (!AST.isTransformation(ast) || !AST.isTypeLiteralTransformation(ast.transformation)) return undefined
  const { propertySignatureTransformations: all } = ast.transformation
  const found = all.find(({ from }) => from === name)
  return found === undefined ? undefined : Option.getOrUndefined(found.decode(Option.none()))
}

const at = (value: unknown, name: string): unknown => (Predicate.hasProperty(value, name) ? value[name] : undefined)

interface Place {
  readonly ast: AST.AST
  readonly path: string
  readonly fallback: unknown
}

const sectionsOf = ({ ast, fallback, path }: Place): ReadonlyArray<Section> => {
  const form = written(ast)
  if (AST.isTupleType(form))
    return form.rest.flatMap(({ type }) => sectionsOf({ ast: type, path: `${path}[]`, fallback: undefined }))
  const object = objectOf(ast)
  // Their names and what they find are on a page of their own: docs/rules.md.
  if (object === null || path === "rules") return []
  const below = (name: string) => (path === "" ? name : `${path}.${name}`)
  const named = object.indexSignatures.flatMap(({ type }) =>
    sectionsOf({ ast: type, path: below("*"), fallback: undefined })
  )
  const keys = object.propertySignatures.map(({ isOptional, name, type }) => {
    const key = String(name)
    const value = at(fallback, key) ?? filledIn(ast, key)
    return { ast: type, name: key, path: below(key), isRequired: !isOptional, fallback: value }
  })
  const own: Section = {
    path,
    keys: keys.map(({ ast, ...key }) => ({
      ...key,
      type: kinds(ast).join(" or "),
      allowed: allowedBy(ast),
      words: words[key.path]
    }))
  }
  return [...(own.keys.length === 0 ? [] : [own]), ...named, ...keys.flatMap(sectionsOf)]
}

/**
 * Every object that a configuration file may have, the file itself first.
 *
 * @category constants
 */
export const sections: ReadonlyArray<Section> = sectionsOf({
  ast: PartialConfig.ast,
  path: "",
  fallback: { ...defaults, todos: TodoOptions.defaults }
})

/**
 * The paths of which something is said.
 *
 * @category constants
 */
export const described: ReadonlyArray<string> = Object.keys(words)
