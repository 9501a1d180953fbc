import { narrowingVariable } from "./call.ts"
import { classesOfName, isGate } from "./names.ts"
import { has, subcommands, type Tool } from "./tool.ts"
import type { Arg, CommandClass, Facts } from "./model.ts"

export const other: Facts = {
  classes: ["other"],
  alsoProves: [],
  runner: null,
  filtered: false,
  dryRun: false,
  promises: [],
  ifPresent: false,
  push: null,
  writes: []
}

const named: ReadonlyArray<CommandClass> = [
  "test",
  "build",
  "typecheck",
  "lint",
  "format",
  "install",
  "write",
  "read",
  "search",
  "ci",
  "deploy",
  "process",
  "other"
]

const byName: ReadonlyMap<string, CommandClass> = new Map(named.map((one) => [one, one]))

const lists = new Map<string, ReadonlyArray<CommandClass>>()

const classList = (text: string | undefined): ReadonlyArray<CommandClass> => {
  if (text === undefined || text === "") return []
  const cached = lists.get(text)
  if (cached !== undefined) return cached
  const found = text.split(" ").flatMap((word) => byName.get(word) ?? [])
  lists.set(text, found)
  return found
}

interface Found {
  readonly tool: Tool
  readonly rest: ReadonlyArray<Arg>
  readonly path: string
}

const isOption = (word: string): boolean => word.startsWith("-") && word.length > 1

/** Down the subcommands as far as the words name them. */
const descend = (tool: Tool, args: ReadonlyArray<Arg>, path: string): Found => {
  if (tool.subs === undefined) return { tool, rest: args, path }
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index]?.value ?? null
    if (word === null) break
    if (word.startsWith("+")) continue
    if (isOption(word)) {
      if (has(tool.values, word)) index += 1
      continue
    }
    const sub = subcommands(tool.subs).get(word)
    return sub === undefined ? { tool, rest: args, path } : descend(sub, args.slice(index + 1), `${path} ${word}`)
  }
  return { tool, rest: args, path }
}

/** `-Dtest=X`, `--filter=X`, `-only-testing:X`. */
const stem = (word: string): string => {
  const end = word.search(/[=:]/)
  return end < 0 ? word : word.slice(0, end)
}

/** Short options with their value attached, as in `-kname`. */
const attached = (narrow: string | undefined, word: string): boolean =>
  /^-[a-zA-Z][^-]/.test(word) && has(narrow, word.slice(0, 2)) && !has(narrow, word) && /^-[kmtgER]\w/.test(word)

interface Scan {
  readonly narrowed: boolean
  readonly dry: boolean
  readonly flags: ReadonlyArray<string>
  readonly targets: ReadonlyArray<string>
}

const testFolders = "test tests spec specs __tests__ testing"

/** A target that leaves nothing out: a folder of all tests, in whatever spelling, or a glob of all that is in it. */
const isWholeOf = ({ whole }: Tool, word: string): boolean => {
  if (whole === "*" || has(whole, word) || /^\d{1,9}$|\.slnx?$/.test(word)) return true
  const folder = word.replace(/^\.\//, "").replace(/\/(?:\*\*|(?:\*\*\/)?\*(?:\.[\w{},]{1,30}){0,3})?$/, "")
  return folder !== word && (has(whole, folder) || has(testFolders, folder))
}

const alwaysDry = "--help --version --dry-run --dryrun"

const scan = (tool: Tool, rest: ReadonlyArray<Arg>): Scan => {
  let narrowed = false
  let dry = false
  let literal = false
  const flags: Array<string> = []
  const targets: Array<string> = []
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index]?.value ?? null
    if (word === null) {
      narrowed = true
      continue
    }
    if (word === "") continue
    if (word === "--") {
      literal = true
      continue
    }
    if (isOption(word)) {
      const name = stem(word)
      if (has(tool.narrow, word) || has(tool.narrow, name) || attached(tool.narrow, word)) narrowed = true
      if (!literal && (has(alwaysDry, word) || word === "-h" || has(tool.dry, name))) dry = true
      // `cargo test -- --list`: behind the dashes only what cannot be meant for the tests themselves.
      if (literal && name.length > 2 && has(tool.dry, name)) dry = true
      flags.push(word, name)
      if (has(tool.values, word)) {
        flags.push(rest[index + 1]?.value ?? "")
        index += 1
      }
    } else {
      if (narrowingVariable.test(word)) narrowed = true
      targets.push(word)
      if (has(tool.dry, word)) dry = true
      if (!isWholeOf(tool, word)) narrowed = true
    }
  }
  return { narrowed, dry, flags, targets }
}

const targetClasses = (tool: Tool, targets: ReadonlyArray<string>): ReadonlyArray<CommandClass> => {
  const found: Array<CommandClass> = []
  for (const target of targets) {
    const name = tool.leads === undefined ? target : target.slice(target.lastIndexOf(tool.leads) + 1)
    const listed =
      tool.targets?.[target] ?? (Object.hasOwn(tool.targets ?? {}, name) ? tool.targets?.[name] : undefined)
    for (const one of listed === undefined ? classesOfName(name) : classList(listed))
      if (!found.includes(one)) found.push(one)
  }
  return found
}

const skipsTests = ({ flags }: Scan): boolean =>
  flags.some((flag, index) => {
    if (/^-D(?:skipTests|maven\.test\.skip|skipITs)$/.test(flag)) return !flags.includes(`${flag}=false`)
    return flag === "test" && /^(?:-x|--exclude-task)$/.test(flags[index - 1] ?? "")
  })

/** Flags that say a Go test run runs none of its tests. */
const runsNone = (rest: ReadonlyArray<Arg>): boolean =>
  rest.some(({ value }, index) => {
    const pattern =
      value === "-run" || value === "--run" ? rest[index + 1]?.value : /^--?run=(.{0,40})$/.exec(value ?? "")?.[1]
    return pattern !== undefined && pattern !== null && /^(?:\^\$|XXX|NONE|\^#)$/i.test(pattern)
  })

/** `tox -e lint` runs no tests. */
const sessionClasses = (
  options: string,
  rest: ReadonlyArray<Arg>,
  classes: ReadonlyArray<CommandClass>
): ReadonlyArray<CommandClass> => {
  const at = rest.findIndex(({ value }) => value !== null && has(options, value))
  const names = (at < 0 ? "" : (rest[at + 1]?.value ?? "")).split(",")
  const found = names.map(classesOfName)
  return found.every((one) => one.length > 0 && !one.includes("test")) ? [...new Set(found.flat())] : classes
}

const classesOf = (tool: Tool, found: Scan, rest: ReadonlyArray<Arg>): ReadonlyArray<CommandClass> => {
  let classes = classList(tool.is)
  for (const flag of found.flags) {
    const replaced = tool.flags?.[flag]
    if (replaced !== undefined && Object.hasOwn(tool.flags ?? {}, flag)) classes = classList(replaced)
  }
  if (tool.bare !== undefined && found.targets.length === 0 && rest.length === 0) return classList(tool.bare)
  if (tool.sessions !== undefined) classes = sessionClasses(tool.sessions, rest, classes)
  if (tool.targets !== undefined) {
    const wanted = targetClasses(tool, found.targets)
    classes = wanted.length > 0 ? wanted : classes
  }
  if (classes.includes("test") && skipsTests(found)) classes = classes.filter((one) => one !== "test")
  if (classes.includes("test") && tool.runner === "go test" && runsNone(rest)) classes = ["build"]
  return classes
}

const describe = ({ path, rest, tool }: Found): Facts => {
  const found = scan(tool, rest)
  const classes = classesOf(tool, found, rest)
  const gate = classes.some(isGate)
  const part =
    tool.targets !== undefined &&
    found.targets.some((target) => /^:?[\w-]{1,80}:/.test(target) && !Object.hasOwn(tool.targets ?? {}, target))
  return {
    ...other,
    classes: classes.length > 0 ? classes : other.classes,
    alsoProves: classList(tool.also).filter((one) => !classes.includes(one)),
    runner: gate ? (tool.runner ?? path) : null,
    filtered: classes.includes("test") && (found.narrowed || part),
    dryRun: (found.dry || tool.lists === true) && (gate || classes.includes("deploy"))
  }
}

/** What a tool of the tables does with these words. */
export const factsOf = (tool: Tool, name: string, args: ReadonlyArray<Arg>): Facts =>
  describe(descend(tool, args.slice(1), name))
