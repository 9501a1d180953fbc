/** Lists every key of the configuration from its schema: allowed values, default and description. */
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

export interface Key {
  /** The path of the key. `[]` means an item of a list, and `*` means a name that the user chooses. */
  readonly key: string
  /** True if the key is below `[]` or `*`, so it has no single value. */
  readonly isItem: boolean
  readonly type: string
  readonly values: string
  readonly required: boolean
  readonly default: unknown
  readonly here: unknown
  readonly description: string | null
}

/** The schema of the value as written in a file. */
const written = (ast: AST.AST): AST.AST =>
  AST.isRefinement(ast) || AST.isTransformation(ast) ? written(ast.from) : ast

const typesOf = (ast: AST.AST): ReadonlyArray<string> => {
  const form = written(ast)
  if (AST.isUnion(form)) return [...new Set(form.types.flatMap(typesOf))]
  if (AST.isLiteral(form)) return [typeof form.literal === "boolean" ? `${form.literal}` : typeof form.literal]
  if (AST.isTupleType(form)) return [`list of ${form.rest.flatMap(({ type }) => typesOf(type)).join(" or ")}s`]
  return [AST.isTypeLiteral(form) ? "object" : form._tag.replace("Keyword", "").toLowerCase()]
}

/** The messages about a wrong value, the outermost schema first. */
const said = (ast: AST.AST): ReadonlyArray<string> => {
  const made: unknown = Option.getOrUndefined(AST.getMessageAnnotation(ast))?.(new ParseResult.Type(ast, undefined))
  const message = Predicate.hasProperty(made, "message") ? made.message : made
  const inner = AST.isRefinement(ast) || AST.isTransformation(ast) ? said(ast.from) : []
  return typeof message === "string" ? [message.replace(/^must be /u, ""), ...inner] : inner
}

/** A list's schema has one message about its items and another about their maximum number. */
const valuesOf = (ast: AST.AST): string => {
  const types = typesOf(ast)
  if (types.includes("object") || types.includes("boolean")) return ""
  const texts = said(ast)
  const most = texts.find((text) => /^at most \d/u.test(text))?.match(/^at most \d+/u)?.[0]
  const what = (AST.isTupleType(written(ast)) ? texts.at(-1) : texts[0]) ?? ""
  return most === undefined ? what : `${what}, ${most}`
}

const objectOf = (ast: AST.AST): AST.TypeLiteral | undefined => {
  const form = written(ast)
  if (AST.isUnion(form)) return form.types.map(objectOf).find((one) => one !== undefined)
  return AST.isTypeLiteral(form) ? form : undefined
}

/** Returns the value that decoding uses if the key is missing. */
const filledIn = (ast: AST.AST, name: PropertyKey): unknown => {
  if (AST.isRefinement(ast)) return filledIn(ast.from, name)
  if (!AST.isTransformation(ast) || !AST.isTypeLiteralTransformation(ast.transformation)) return undefined
  const found = ast.transformation.propertySignatureTransformations.find(({ from }) => from === name)
  return Option.getOrUndefined(found?.decode(Option.none()) ?? Option.none())
}

const at = (value: unknown, name: PropertyKey): unknown =>
  Predicate.hasProperty(value, name) ? value[name] : undefined

interface Values {
  readonly path: string
  readonly isItem: boolean
  readonly usual: unknown
  readonly here: unknown
}

const keysOf = (ast: AST.AST, { here, isItem, path, usual }: Values): ReadonlyArray<Key> => {
  const form = written(ast)
  const item = { isItem: true, usual: undefined, here: undefined }
  if (AST.isTupleType(form)) return form.rest.flatMap(({ type }) => keysOf(type, { ...item, path: `${path}[]` }))
  const object = objectOf(ast)
  // The rules have their own list.
  if (object === undefined || path === "rules") return []
  const below = (name: string): string => (path === "" ? name : `${path}.${name}`)
  const own = object.propertySignatures.flatMap((property): ReadonlyArray<Key> => {
    const { isOptional, name, type } = property
    if (name === "$schema") return []
    const values: Values = {
      path: below(String(name)),
      isItem,
      usual: at(usual, name) ?? filledIn(ast, name),
      here: at(here, name)
    }
    const inner = keysOf(type, values)
    const described = Option.orElse(AST.getDescriptionAnnotation(property), () => AST.getDescriptionAnnotation(type))
    const key: Key = {
      key: values.path,
      isItem,
      type: typesOf(type).join(" or "),
      values: valuesOf(type),
      required: !isOptional,
      default: values.usual,
      here: values.here,
      description: Option.getOrNull(described)
    }
    return inner.length > 0 && !AST.isTupleType(written(type)) ? inner : [key, ...inner]
  })
  return [...own, ...object.indexSignatures.flatMap(({ type }) => keysOf(type, { ...item, path: below("*") }))]
}

export const of = (schema: Schema.Schema.AnyNoContext, defaults: object, here: object): ReadonlyArray<Key> =>
  keysOf(schema.ast, { path: "", isItem: false, usual: defaults, here })
