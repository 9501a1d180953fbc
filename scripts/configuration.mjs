/**
 * Fills in the tables of docs/configuration.md from the schema of the configuration: `npm run docs`. What
 * stands outside of the blocks is written by hand.
 */
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const block = /<!-- keys of (\S*?) ?-->\n[\s\S]*?<!-- end of keys -->/gu

const grouped = (text) => text.replace(/\d{4,}/gu, (digits) => digits.replace(/\B(?=(\d{3})+$)/gu, ","))

/** The form in a file: a refinement and a transformation of it are what it is read into. */
const written = (ast) => (AST.isRefinement(ast) || AST.isTransformation(ast) ? written(ast.from) : ast)

const typesOf = (ast) => {
  const form = written(ast)
  if (AST.isUnion(form)) return [...new Set(form.types.flatMap(typesOf))]
  if (AST.isLiteral(form)) return [typeof form.literal === "boolean" ? `${form.literal}` : typeof form.literal]
  if (AST.isTupleType(form)) return [`list of ${form.rest.flatMap(({ type }) => typesOf(type)).join(" or ")}s`]
  return [AST.isTypeLiteral(form) ? "object" : form._tag.replace("Keyword", "").toLowerCase()]
}

/** What the schema's own texts say of a value that is not allowed, from the outermost on. */
const said = (ast) => {
  const text = Option.getOrUndefined(AST.getMessageAnnotation(ast))?.(new ParseResult.Type(ast, undefined))
  const inner = AST.isRefinement(ast) || AST.isTransformation(ast) ? said(ast.from) : []
  return text === undefined ? inner : [(text.message ?? text).replace(/^must be /u, ""), ...inner]
}

/** A list says in one text what it has, and in another how many. */
const allowed = (ast) => {
  const types = typesOf(ast)
  if (types.includes("object") || types.includes("boolean")) return ""
  const texts = said(ast)
  const most = texts.find((text) => /^at most \d/u.test(text))?.match(/^at most \d+/u)?.[0]
  const what = (AST.isTupleType(written(ast)) ? texts.at(-1) : texts[0]) ?? ""
  return grouped(most === undefined ? what : `${what}, ${most}`).replace(/"[^"]+"/gu, (text) => `\`${text}\``)
}

const objectOf = (ast) => {
  const form = written(ast)
  return AST.isUnion(form) ? form.types.map(objectOf).find(Boolean) : AST.isTypeLiteral(form) ? form : undefined
}

/** What decoding uses for a key that is left out. */
const filledIn = (ast, name) => {
  if (AST.isRefinement(ast)) return filledIn(ast.from, name)
  const all = AST.isTransformation(ast) ? (ast.transformation.propertySignatureTransformations ?? []) : []
  return Option.getOrUndefined(all.find(({ from }) => from === name)?.decode(Option.none()) ?? Option.none())
}

/** As it stands in the file, and numbers as people write them. Of an object its own table says it. */
const shown = (value) => {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "none"
  if (typeof value === "object") return ""
  return typeof value === "number" ? grouped(String(value)) : `\`${JSON.stringify(value)}\``
}

const cells = ({ description, fallback, isOptional, name, type }) => {
  const types = typesOf(type).join(" or ")
  return [`\`${name}\``, types, allowed(type), isOptional ? shown(fallback) : "required", description ?? ""]
}

const row = (widths) => (texts) => `| ${texts.map((text, index) => text.padEnd(widths[index] ?? 0)).join(" | ")} |`

const table = (keys) => {
  const head = ["key", "type", "values", "default", "what it does"]
  const body = keys.map((key) => cells(key).map((text) => text.replaceAll("|", "\\|")))
  const widths = head.map((_, index) => Math.max(...[head, ...body].map((texts) => texts[index]?.length ?? 0)))
  return [head, widths.map((width) => "-".repeat(width)), ...body].map(row(widths)).join("\n")
}

const descriptionOf = ({ annotations, type }) =>
  annotations[AST.DescriptionAnnotationId] ?? Option.getOrUndefined(AST.getDescriptionAnnotation(type))

/** Every object that a file may have, the file itself first. `[]` is an item of a list, `*` a name that the user chooses. */
const sectionsOf = (ast, name, fallback) => {
  const form = written(ast)
  if (AST.isTupleType(form)) return form.rest.flatMap(({ type }) => sectionsOf(type, `${name}[]`))
  const object = objectOf(ast)
  // Their names and what they find are on a page of their own: docs/rules.md.
  if (object === undefined || name === "rules") return []
  const below = (key) => (name === "" ? key : `${name}.${key}`)
  const keys = object.propertySignatures.map((key) => ({
    ...key,
    path: below(key.name),
    description: descriptionOf(key),
    fallback: fallback?.[key.name] ?? filledIn(ast, key.name)
  }))
  return [
    ...(keys.length === 0 ? [] : [{ path: name, keys }]),
    ...object.indexSignatures.flatMap(({ type }) => sectionsOf(type, below("*"))),
    ...keys.flatMap((key) => sectionsOf(key.type, key.path, key.fallback))
  ]
}

/** The sections of a schema, with the paths of the keys that have no description. */
export const reference = (schema, defaults) => {
  const sections = sectionsOf(schema.ast, "", defaults)
  const keys = sections.flatMap((section) => section.keys)
  return {
    tables: new Map(sections.map((section) => [section.path === "" ? "the-file" : section.path, table(section.keys)])),
    silent: keys.filter(({ description }) => description === undefined).map((key) => key.path)
  }
}

/** The page with every block filled in. Throws for a table without a block, and for a block without a table. */
export const fill = (page, tables) => {
  const found = [...page.matchAll(block)].map(([, name]) => name)
  for (const name of tables.keys())
    if (!found.includes(name))
      throw new Error(
        `docs/configuration.md says nothing of ${name}: put <!-- keys of ${name} --> and <!-- end of keys --> there`
      )
  return page.replace(block, (_, name) => {
    const text = tables.get(name)
    if (text === undefined)
      throw new Error(`docs/configuration.md has a block for ${name}, which the schema does not know`)
    return `<!-- keys of ${name} -->\n\n${text}\n\n<!-- end of keys -->`
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { PartialConfig, defaults } = await import(
    new URL("../packages/core/dist/session/config/ReflexionConfig.js", import.meta.url)
  )
  const file = path.join(root, "docs", "configuration.md")
  fs.writeFileSync(file, fill(fs.readFileSync(file, "utf8"), reference(PartialConfig, defaults).tables))
}
