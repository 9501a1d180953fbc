import type { Arg, CommandClass, Scope, Scripts } from "./model.ts"
import { has } from "./tool.ts"

export type Kind = keyof Scripts

/** A script, recipe or target that a runner was asked for. */
export interface Call {
  readonly kind: Kind | null
  readonly name: string
  /** Passed on to the script. */
  readonly args: ReadonlyArray<Arg>
  /** Runs in another folder or in a part of the workspace: the root's scripts do not apply. */
  readonly elsewhere: boolean
  readonly filtered: boolean
  readonly dryRun: boolean
  readonly ifPresent: boolean
  /** What the runner calls itself. */
  readonly runner: string
  /** What its name says, where nothing better is known. */
  readonly classes: ReadonlyArray<CommandClass>
  /** Its name names a part of the code. */
  readonly part: boolean
  /** A name that is no script may be a program: `yarn vitest`, `poe`, `hatch run mypy`. */
  readonly program: boolean
}

export interface Parsed {
  readonly words: ReadonlyArray<Arg>
  readonly options: ReadonlyArray<string>
  readonly rest: ReadonlyArray<Arg>
}

/** Options before the first `count` words, those words, and what follows them. */
export const parse = (args: ReadonlyArray<Arg>, values: string, count: number): Parsed => {
  const words: Array<Arg> = []
  const options: Array<string> = []
  let index = 0
  for (; index < args.length && words.length < count; index += 1) {
    const arg = args[index]
    if (arg === undefined) break
    const word = arg.value
    if (word !== null && word.startsWith("-") && word.length > 1) {
      if (word === "--") continue
      options.push(word)
      if (has(values, word)) index += 1
    } else words.push(arg)
  }
  return { words, options, rest: args.slice(index) }
}

const narrowing =
  "-t -k -g -m --grep --testNamePattern --testPathPattern --filter --run-tests -run --only --spec --tests --shard --project"

/** Whether words handed to an unknown test script restrict it. */
export const narrows = (args: ReadonlyArray<Arg>): boolean =>
  args.some(({ value }) => {
    if (value === null || value === "" || value === "--") return value === null
    if (!value.startsWith("-")) return !/^\d{1,9}$/.test(value)
    const equals = value.indexOf("=")
    return has(narrowing, equals < 0 ? value : value.slice(0, equals))
  })

/** Options with which the runners in use list the tests and run none. */
const listing =
  "--listTests --list-tests --list --list-files --collect-only --co -list --help --version --dry-run --showConfig"

/** Whether the words handed to an unknown test script make it run nothing. */
export const listsOnly = (args: ReadonlyArray<Arg>): boolean =>
  args.some(({ value }) => value !== null && has(listing, value.split("=", 1)[0] ?? ""))

export const includesAny = (options: ReadonlyArray<string>, names: string): boolean =>
  options.some((option) => has(names, option) || has(names, option.slice(0, Math.max(0, option.indexOf("=")))))

export const narrowingVariable =
  /^(?:TESTS?|TEST_?(?:FILES?|ARGS|PATH|NAME|FILTER|FLAGS|CASE)|T|FILES?|PKGS?|PACKAGES?|RUN|FILTER|ARGS|K|ONLY|SPEC|SUITE|PYTEST_ADDOPTS|TESTARGS|(?:GO_?|GO_?TEST_?|TEST_?|PYTEST_?|CARGO_?)?(?:FLAGS|OPTS)|EXTRA_?ARGS|PYTEST_?ARGS|CARGO_?ARGS)[:+?]?=/i

/** Whether the scripts of the start folder apply where this command runs. */
export const atRoot = (call: Call, scope: Scope): boolean =>
  !call.elsewhere && (scope.shell.dir === "" || scope.shell.dir?.startsWith("/") === true)
