/**
 * Cuts the shell parser down at bundling: it ships unminified, and a minifier must keep the names of properties because
 * it cannot know which of them others use. Here that is known: the package's types say what it shows.
 */
import { transform } from "esbuild"
import * as fs from "node:fs"
import * as path from "node:path"

const inParser = /[\\/]node_modules[\\/]unbash[\\/]dist[\\/][^\\/]+\.js$/

/** Whose names the language itself may look for, in any object: `toJSON`, `then`, `next`, `length` … */
const builtIns = [
  ..."Array ArrayBuffer BigInt Boolean Date Error Function JSON Map Math Number Object Promise Proxy Reflect RegExp Set"
    .concat(" String Symbol TextDecoder TextEncoder URL Uint8Array WeakMap WeakSet")
    .split(" ")
    .map((name) => globalThis[name]),
  function* () {}
]

const namesAlong = (value) =>
  value === null || value === undefined
    ? []
    : [...Object.getOwnPropertyNames(value), ...namesAlong(Object.getPrototypeOf(value))]

const matches = (text, pattern) => [...text.matchAll(pattern)].map((match) => match[1])

/**
 * The fields and methods of the parser's classes that are its own affair: no type it shows names them, nothing of the
 * language is called so, and no text in its code could be meant for one.
 */
const privateNames = (source, shown) => {
  const kept = new Set([
    ...builtIns.flatMap((one) => [...namesAlong(one), ...namesAlong(one.prototype)]),
    ...matches(shown, /\b([A-Za-z_]\w*)\b/g),
    ...matches(source, /["'`]([A-Za-z_]\w*)["'`]/g)
  ])
  const members = [
    ...matches(source, /^ {4}(?:[gs]et |static )?([A-Za-z_]\w*)\(/gm),
    ...matches(source, /^ {4}(?:static )?([A-Za-z_]\w*)(?: = .*)?;$/gm)
  ]
  return [...new Set(members)].filter((name) => !kept.has(name))
}

const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"]

/** Names that no property in the source has, the shortest for what is used most. */
const shortNames = (source, names) => {
  const uses = new Map(names.map((name) => [name, source.split(new RegExp(`\\b${name}\\b`)).length]))
  const taken = new Set(matches(source, /(?:\.|[{,]\s*|^\s*)([\w$]{1,3})(?![\w$])/gm))
  const pairs = letters.flatMap((first) => letters.map((last) => `${first}_${last}`))
  const short = [...letters, ...letters.flatMap((last) => [`_${last}`, `$${last}`]), ...pairs].filter(
    (name) => !taken.has(name)
  )
  const byUse = names.toSorted((left, right) => uses.get(right) - uses.get(left))
  return Object.fromEntries(byUse.map((name, at) => [name, short[at]]))
}

/** Nobody here reads what a syntax error says: that there is one is enough, and one method of each class tells where. */
const withoutMessages = (code) =>
  code
    .replace(/\bthis\.errors\.push\(\{ message: (?:"[^"\n]*"|`[^`\n]*`), pos: ([^{}\n]*) \}\)/g, "this.failAt($1)")
    .replace(/\bthis\.error\((?:"[^"\n]*"|`[^`\n]*`), /g, "this.failAt(")
    .replace(/^ {4}error\(message, pos\) \{$/m, '    failAt(pos) {\n        const message = "";')
    .replace(
      /^ {4}get errors\(\) \{$/m,
      '    failAt(pos) {\n        this.errors.push({ message: "", pos });\n    }\n$&'
    )
    .replace(/(\bmessage: )(?:"[^"\n]*"|`[^`\n]*`)/g, '$1""')

/** A table of numbers as an enumeration, whose members the bundler writes as the numbers they are. */
const enumerated = (code) =>
  code.replace(
    /\bexport const (\w+)=\{((?:\w+:\d+,?)+)\};/g,
    (_, name, members) => `export enum ${name}{${members.replaceAll(":", "=")}}`
  )

/** The lexer's place and text are its own, though what it makes has a place as well. */
const read = (file) => {
  const text = withoutMessages(fs.readFileSync(file, "utf8"))
  const at = text.indexOf("export class Lexer {")
  if (at < 0) return text
  const own = text
    .slice(at)
    .replace(/\b(this|scanner)\.(pos|src)\b/g, "$1.$2OfLexer")
    .replace(/^( {4})(pos|src);$/gm, "$1$2OfLexer;")
  return text.slice(0, at) + own
}

const plan = (folder) => {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith(".js"))
  const source = files.map((file) => read(path.join(folder, file))).join("\n")
  const names = privateNames(source, fs.readFileSync(path.join(folder, "types.d.ts"), "utf8"))
  return { names, cache: shortNames(source, names) }
}

/** The plugin for the bundler. */
export const compactShellParser = () => ({
  name: "compact-shell-parser",
  setup: (build) => {
    let known
    build.onLoad({ filter: inParser }, async ({ path: file }) => {
      known ??= plan(path.dirname(file))
      const { code } = await transform(read(file), {
        mangleProps: new RegExp(`^(?:${known.names.join("|")})$`),
        mangleCache: { ...known.cache },
        minifyWhitespace: true
      })
      return { contents: enumerated(code), loader: "ts" }
    })
  }
})
