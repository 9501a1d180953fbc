/** Which part of a project a run was of, by its words, and whether what was edited can lie in it. */
import { matchesAny } from "../../ground/text/Text.ts"
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import type { Edit } from "./model.ts"

/** Programs that take the part as an option's value. */
const byOption: ReadonlyArray<readonly [program: RegExp, option: RegExp]> = [
  [/^(?:npm|cnpm|uv)$/, /^(?:-w|--workspace|--package)$/],
  [/^(?:pnpm|bun|turbo)$/, /^(?:--filter|-F)$/],
  [/^(?:nx|lerna)$/, /^(?:-p|--projects?|--scope)$/],
  [/^(?:cargo|cross)$/, /^(?:-p|--package|--manifest-path)$/],
  [/^(?:mvn|mvnw|mvnd)$/, /^(?:-pl|--projects)$/],
  [/^rushx?$/, /^(?:-t|--to|-o|--only|-T)$/],
  [/^mix$/, /^--app$/]
]

/** Programs that take it as a word of its own, and what it looks like there; the group is the part. */
const byWord: ReadonlyArray<readonly [program: RegExp, word: RegExp]> = [
  [/^go$/, /^((?:\.{1,2}\/|[\w-]{1,60}\.\w{2,10}\/)\S{1,200})$/],
  [/^(?:turbo|rush)$/, /^(\S{1,120})#\S{1,80}$/],
  [/^moon$/, /^(\S{1,120}):\S{1,80}$/],
  [/^(?:gradle|gradlew)$/, /^:?([\w.:-]{1,120}):\w{1,80}$/],
  [/^(?:bazel|bazelisk|buck2|plz|pants)$/, /^((?:\/\/)?[\w./-]{1,200}?)(?:::?[\w*.-]{0,120}|\/\.\.\.)$/],
  [/^dotnet$/, /^(\S{0,200}[A-Za-z]\S{0,60}(?:\/|\.[a-z]{2}proj|Tests?))$/]
]

const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat)$/, "")

const wordsIn = (text: string): ReadonlyArray<string> =>
  (text.slice(0, 400).match(/"[^"]{0,200}"|'[^']{0,200}'|[^\s"']{1,200}/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, "")
  )

/** The value of each of the options, whether behind `=` or as the next word. */
const valuesOf = (words: ReadonlyArray<string>, option: RegExp): ReadonlyArray<string> =>
  words.flatMap((word, at) => {
    const [name = "", value] = word.split(/=(.*)/s, 2)
    if (!option.test(name)) return []
    return value ?? words[at + 1] ?? []
  })

/** `nx test cart`, `nx run cart:test`, `yarn workspace cart test`. */
const ofVerb = (program: string, [verb = "", word = ""]: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (word === "" || word.startsWith("-")) return []
  if (program === "yarn") return verb === "workspace" ? [word] : []
  if (program !== "nx" || /^(?:run-many|affected)$/.test(verb)) return []
  return verb === "run" ? [word.split(":")[0] ?? ""] : [word]
}

const generic: ReadonlyArray<RegExp> = [
  /^(?:src|source|lib|tests?|__tests__|specs?|testing|e2e|it|integration|functional|acceptance|unit|fixtures|main|app)$/i,
  /^(?:docs?|scripts?|tools?|build|out|dist|target|bin|ci|docker|deploy|cmake-build\S*|_build)$/i
]

/** Folders that hold the packages of a project, each in one of its own. */
const holders =
  /^(?:packages|apps|services|libs|libraries|crates|modules|projects|plugins|engines|components|internal|pkg|cmd|backends?|workspaces)$/i

const segments = (path: string): ReadonlyArray<string> =>
  path.split("/").filter((part) => part !== "" && part !== "." && part !== "...")

const resolved = (path: string, cwd: string | null): ReadonlyArray<string> => {
  const parts: Array<string> = []
  for (const part of segments(path.startsWith("/") || cwd === null ? path : `${cwd}/${path}`))
    if (part === "..") parts.pop()
    else parts.push(part)
  return parts
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_.]/g, "-")

/** A part's own name: `./api/...`, `@shop/api`, `:services:api`, `tests/Shop.Api.Tests.csproj`. */
const named = (part: string): string =>
  plain(
    (segments(part.replaceAll(":", "/").replaceAll(/^\.{3}\^?|\^?\.{3}$/g, "")).at(-1) ?? "")
      .replace(/\.[a-z]{2}proj$|\.toml$/, "")
      .replace(/[._-](?:Unit|Integration)?[._-]?Tests?$/i, "")
  )

/** `cart` is `shop-cart` as well, and `Shop.Cart` is of `Shop`. */
const isSame = (folder: string, name: string): boolean => {
  const own = plain(folder)
  return (
    own === name ||
    own.endsWith(`-${name}`) ||
    name.endsWith(`-${own}`) ||
    (folder.includes(".") && own.startsWith(`${name}-`))
  )
}

/** A choice by a pattern, by what changed, or of all but one may take in anything. */
const isOpen = (part: string): boolean => /[*[{!$]|^\.{0,3}$/.test(part)

/** Whether a path can be that of a part's file, by the folders in it. The project's own folder is its root package's. */
const isIn = (path: ReadonlyArray<string>, part: string, top: number): boolean => {
  const name = named(part)
  return (
    matchesAny(generic, name) ||
    path.slice(top, -1).some((folder) => isSame(folder, name)) ||
    (top > 0 && plain(path[top - 1] ?? "") === name)
  )
}

/** Whether two paths part below a folder that holds packages, or at the top: then each is of a package of its own. */
const areApart = (one: ReadonlyArray<string>, other: ReadonlyArray<string>, top: number): boolean => {
  const at = one.findIndex((part, index) => part !== other[index])
  const [own, theirs] = [one[at] ?? "", other[at]]
  if (at < top || theirs === undefined || at === other.length - 1) return false
  if (matchesAny(generic, own) || matchesAny(generic, theirs)) return false
  return at === top || holders.test(one[at - 1] ?? "")
}

/** Programs whose words are folders and files to test. */
const byPath =
  /^(?:pytest|py\.test|vitest|jest|mocha|ava|rspec|phpunit|pest|mix|node|deno|bun|playwright|cypress|rails)$/

const isPath = (word: string): boolean => /^[^-@].{0,300}\//.test(word)

/** Of a script only what is handed on to it. */
const pathsIn = (program: string, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const from = byPath.test(program) ? 0 : /^(?:npm|pnpm|yarn)$/.test(program) ? words.indexOf("test") + 1 : words.length
  return words.filter((word, at) => at >= from && isPath(word) && !/^-(?!-(?:test|run)?$)./.test(words[at - 1] ?? ""))
}

/** What a run was of, as its words have it: named parts, and paths. */
interface Parts {
  readonly names: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
}

/** What a command is restricted to; a script's own words are not looked at, for it is run by its name. */
export const partsOf = ({ text, via }: Pick<SimpleCommand, "text" | "via">): Parts => {
  const words = wordsIn(via ?? text)
  const names: Array<string> = []
  const paths: Array<string> = []
  for (const [at, word] of words.entries()) {
    const program = nameOf(word)
    const rest = words.slice(at + 1)
    for (const [own, option] of byOption) if (own.test(program)) names.push(...valuesOf(rest, option))
    for (const [own, pattern] of byWord)
      if (own.test(program))
        names.push(...rest.flatMap((one) => (one.startsWith("-") ? [] : (pattern.exec(one)?.[1] ?? []))))
    names.push(...ofVerb(program, rest))
    paths.push(...pathsIn(program, rest))
  }
  return { names: names.flatMap((name) => name.split(",")).filter((name) => isOpen(name) || named(name) !== ""), paths }
}

const topOf = (cwd: string | null): number => (cwd === null ? 0 : segments(cwd).length)

/** Whether edited code lies in the part that a task is of: `cart:test`, `//cart:cart_test`, `example.com/shop/cart`. */
export const isOf = (task: string, edits: ReadonlyArray<Edit>, cwd: string | null): boolean => {
  const part = task.replaceAll(/^:|[:#][^:#/]*$/g, "")
  const name = named(part)
  return (
    name !== "" &&
    !matchesAny(generic, name) &&
    edits.some((edit) => isCode(edit) && isIn(resolved(edit.path, cwd), part, topOf(cwd)))
  )
}

const isCode = ({ kind }: Edit): boolean =>
  kind === "source" || kind === "test" || kind === "conflict" || kind === "unknown"

/**
 * The part that a run was of, where no code that was edited can lie in it; null where some can. `folder` is where it ran.
 */
export const otherPart = (
  simple: Pick<SimpleCommand, "text" | "via">,
  folder: string | undefined,
  all: ReadonlyArray<Edit>,
  cwd: string | null
): string | null => {
  const edits = all.filter(isCode)
  if (edits.length === 0 || edits.some(({ path }) => path === "*")) return null
  const top = topOf(cwd)
  const changed = edits.map(({ path }) => resolved(path, cwd))
  const { names, paths } = partsOf(simple)
  if (names.length > 0 && !names.some((part) => isOpen(part) || changed.some((path) => isIn(path, part, top))))
    return names[0] ?? null
  const known = folder === undefined || /^[~$%]|^\w:|\\/.test(folder) ? "" : folder
  const isFolder = known !== "" && names.length === 0
  const own = isFolder ? resolved(known, cwd) : []
  if (isFolder && changed.every((path) => areApart(own, path, top))) return known
  const base = isFolder && !known.startsWith("/") ? `${known}/` : ""
  const tested = paths.filter((path) => !isOpen(path)).map((path) => resolved(`${base}${path}`, cwd))
  return tested.length > 0 && tested.every((one) => changed.every((path) => areApart(one, path, top)))
    ? (paths[0] ?? null)
    : null
}
