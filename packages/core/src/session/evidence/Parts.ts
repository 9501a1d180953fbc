/** Finds out which part of a project a run covered, and whether the edited code can be in that part. */
import { matchesAny } from "../../base/text/Text.ts"
import type { SimpleCommand } from "../shell/ShellCommand.ts"
import { mayBeCode } from "./Edits.ts"
import type { Edit } from "./model.ts"

/** `before`: the option or word in front of the part. `word`: matches one word, and its group is the part. */
const rows: ReadonlyArray<readonly [program: RegExp, before: RegExp | null, word: RegExp | null]> = [
  [/^(?:npm|uv)$/, /^(?:-w|--workspace|--package)$/, null],
  [/^(?:pnpm|bun|turbo)$/, /^(?:--filter|-F)$/, /^(\S{1,120})#\S{1,80}$/],
  [/^yarn$/, /^workspace$/, null],
  [/^nx$/, /^(?:-p|--projects?|test)$/, /^([\w@/.-]{1,120}):[\w-]{1,80}$/],
  [/^(?:lerna|rush)$/, /^(?:--scope|--to|--only|-[toT])$/, null],
  [/^moon$/, null, /^(\S{1,120}):\S{1,80}$/],
  [/^cargo$/, /^(?:-p|--package)$/, null],
  [/^mvnw?$/, /^(?:-pl|--projects)$/, null],
  [/^go$/, null, /^((?:\.{1,2}\/|[\w-]{1,60}\.\w{2,10}\/)\S{1,200})$/],
  [/^gradlew?$/, null, /^:?([\w.:-]{1,120}):\w{1,80}$/],
  [/^(?:bazel|bazelisk|buck2|pants)$/, null, /^((?:\/\/)?[\w./-]{1,200}?)(?:::?[\w*.-]{0,120}|\/\.\.\.)$/],
  [/^dotnet$/, null, /^(\S{0,200}[A-Za-z]\S{0,60}(?:\/|\.[a-z]{2}proj|Tests?))$/]
]

/** Options that name a program's working folder, or a file in that folder. */
const placed: ReadonlyArray<readonly [program: RegExp, option: RegExp]> = [
  [/^cargo$/, /^--manifest-path$/],
  [/^mvnw?$/, /^(?:-f|--file)$/],
  [/^make$/, /^(?:-f|--file|--makefile)$/],
  [/^gradlew?$/, /^(?:-p|--project-dir)$/],
  [/^(?:composer|just|task)$/, /^(?:-d|--dir|--working-dir(?:ectory)?)$/],
  [/^(?:vitest|jest|playwright)$/, /^--(?:root|rootDir|dir|project-dir)$/]
]

const folderOf = (value: string): string | null => {
  const folder = value.replace(/[^/]*\.(?:toml|xml)$|(?:GNU)?[Mm]akefile$/, "").replace(/^\.\/|\/$/g, "")
  // A makefile with another name says nothing about the folder of the run.
  return folder === "" || folder === "." || folder.endsWith(".mk") ? null : folder
}

/** Programs whose arguments are the folders and files to test. */
const byPath = /^(?:pytest|py\.test|vitest|jest|mocha|rspec|phpunit|node|deno|bun|playwright|cypress)$/
const byScript = /^(?:npm|pnpm|yarn)$/

const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat)$/, "")

export const wordsIn = (text: string): ReadonlyArray<string> =>
  (text.slice(0, 400).match(/"[^"]{0,200}"|'[^']{0,200}'|[^\s"']{1,200}/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, "")
  )

export const valuesOf = (words: ReadonlyArray<string>, option: RegExp): ReadonlyArray<string> =>
  words
    .flatMap((word, at) => {
      const [name = "", value] = word.split(/=(.*)/s, 2)
      return option.test(name) ? (value ?? words[at + 1] ?? []) : []
    })
    .filter((value) => !value.startsWith("-"))

const isPath = (word: string): boolean => /^[^-@].{0,300}\//.test(word)

interface Parts {
  readonly names: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
}

/** The body of a script is not read, because the agent called the script by name. */
export const partsOf = ({ text, via }: Pick<SimpleCommand, "text" | "via">): Parts => {
  const words = wordsIn(via ?? text)
  const names: Array<string> = []
  const paths: Array<string> = []
  for (const [at, program] of words.map(nameOf).entries()) {
    const rest = words.slice(at + 1)
    for (const [own, before, pattern] of rows) {
      if (!own.test(program)) continue
      if (before !== null) names.push(...valuesOf(rest, before))
      if (pattern !== null)
        names.push(...rest.flatMap((word) => (word.startsWith("-") ? [] : (pattern.exec(word)?.[1] ?? []))))
    }
    for (const [own, option] of placed)
      if (own.test(program)) paths.push(...valuesOf(rest, option).flatMap((value) => folderOf(value) ?? []))
    const handedOn = byPath.test(program) ? rest : byScript.test(program) ? rest.slice(rest.indexOf("test") + 1) : []
    if (byPath.test(program) || rest.includes("test"))
      paths.push(
        ...handedOn.filter((word, index) => isPath(word) && !/^-(?!-(?:test|run)?$)./.test(handedOn[index - 1] ?? ""))
      )
  }
  return { names: names.flatMap((name) => name.split(",")).filter((name) => isOpen(name) || named(name) !== ""), paths }
}

/** Folder names that occur in any package. */
const generic: ReadonlyArray<RegExp> = [
  /^(?:src|source|lib|tests?|__tests__|specs?|testing|e2e|it|integration|functional|acceptance|unit|fixtures|main|app)$/i,
  /^(?:docs?|scripts?|tools?|build|out|dist|target|bin|ci|docker|deploy|cmake-build\S*|_build)$/i
]

/** Folders that contain the packages of a project, each in its own folder. */
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

/** Parts are written as `./api/...`, `@shop/api`, `:services:api` or `tests/Shop.Api.Tests.csproj`. */
const named = (part: string): string =>
  plain(
    (segments(part.replaceAll(":", "/").replaceAll(/^\.{3}\^?|\^?\.{3}$/g, "")).at(-1) ?? "")
      .replace(/\.[a-z]{2}proj$|\.toml$/, "")
      .replace(/[._-](?:Unit|Integration)?[._-]?Tests?$/i, "")
  )

/** `cart` also matches `shop-cart`, and the folder `Shop.Cart` matches the part `Shop`. */
const isSame = (folder: string, name: string): boolean => {
  const own = plain(folder)
  const isWithin = folder.includes(".") && own.startsWith(`${name}-`)
  return own === name || own.endsWith(`-${name}`) || name.endsWith(`-${own}`) || isWithin
}

/** True for a pattern, a selection by changes, or an exclusion. Such a selection may include anything. */
const isOpen = (part: string): boolean => /[*[{!$]|^\.{0,3}$/.test(part)

/** True if a path is in a part. The name of the project's folder means the root package. */
const isIn = (path: ReadonlyArray<string>, part: string, top: number): boolean => {
  const name = named(part)
  return (
    matchesAny(generic, name) ||
    path.slice(top, -1).some((folder) => isSame(folder, name)) ||
    (top > 0 && plain(path[top - 1] ?? "") === name)
  )
}

/** True if two paths first differ directly below the project, or below a folder that holds packages. */
const areApart = (one: ReadonlyArray<string>, other: ReadonlyArray<string>, top: number): boolean => {
  const at = one.findIndex((part, index) => part !== other[index])
  const [own, theirs] = [one[at] ?? "", other[at]]
  if (at < top || theirs === undefined || at === other.length - 1) return false
  const isPart = !matchesAny(generic, own) && !matchesAny(generic, theirs)
  return isPart && (at === top || holders.test(one[at - 1] ?? ""))
}

const topOf = (cwd: string | null): number => (cwd === null ? 0 : segments(cwd).length)

/** True if a task such as `cart:test`, `//cart:cart_test` or `example.com/shop/cart` is about edited code. */
export const isOf = (task: string, edits: ReadonlyArray<Edit>, cwd: string | null): boolean => {
  const part = task.replaceAll(/^:|[:#][^:#/]*$/g, "")
  const name = named(part)
  return (
    name !== "" &&
    !matchesAny(generic, name) &&
    edits.some((edit) => mayBeCode(edit) && isIn(resolved(edit.path, cwd), part, topOf(cwd)))
  )
}

/** If no edited code can be in the part that a run covered, returns that part. `folder` is the folder of the run. */
export const otherPart = (
  simple: Pick<SimpleCommand, "text" | "via">,
  folder: string | undefined,
  all: ReadonlyArray<Edit>,
  cwd: string | null
): string | null => {
  const edits = all.filter(mayBeCode)
  if (edits.length === 0 || edits.some(({ path }) => path === "*")) return null
  const top = topOf(cwd)
  const changed = edits.map(({ path }) => resolved(path, cwd))
  const { names, paths } = partsOf(simple)
  if (names.length > 0 && !names.some((part) => isOpen(part) || changed.some((path) => isIn(path, part, top))))
    return names[0] ?? null
  const known = folder === undefined || /^[~$%]|^\w:|\\/.test(folder) || names.length > 0 ? "" : folder
  if (known !== "" && changed.every((path) => areApart(resolved(known, cwd), path, top))) return known
  const base = known === "" || known.startsWith("/") ? "" : `${known}/`
  const tested = paths.filter((path) => !isOpen(path)).map((path) => resolved(`${base}${path}`, cwd))
  const isOther = tested.length > 0 && tested.every((one) => changed.every((path) => areApart(one, path, top)))
  return isOther ? (paths[0] ?? null) : null
}
