import type { CommandClass } from "../ShellCommand.ts"
import type { Scripts } from "../RepoSignals.ts"
import { ofName } from "./shellNames.ts"
import type { Arg, Scope } from "./shellScope.ts"
import { has } from "./shellTool.ts"

type Kind = keyof Scripts

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

interface Parsed {
  readonly words: ReadonlyArray<Arg>
  readonly options: ReadonlyArray<string>
  readonly rest: ReadonlyArray<Arg>
}

/** Options before the first `count` words, those words, and what follows them. */
const parse = (args: ReadonlyArray<Arg>, values: string, count: number): Parsed => {
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

const any = (options: ReadonlyArray<string>, names: string): boolean =>
  options.some((option) => has(names, option) || has(names, option.slice(0, Math.max(0, option.indexOf("=")))))

const npmValues =
  "-C --prefix --dir --cwd -w --workspace --filter -F --loglevel --registry --script-shell --reporter --concurrency --workspace-concurrency -j --jobs --include --exclude --top-level"
const elsewhereOptions =
  "-C --prefix --dir --cwd -w --workspace --workspaces -ws --filter -F -r --recursive --all -A --since --project -p"
const partOptions = "-w --workspace --filter -F --since --project --projects -p --scope --affected"

const npmBuiltins =
  "install i ci add update up upgrade remove rm uninstall un link unlink dedupe prune rebuild audit outdated view info show ls list ll why explain search pack publish version init create config set get root bin prefix cache login logout whoami ping doctor fund help exec x dlx node env store patch patch-commit fetch import licenses setup self-update completion repo bugs owner token team access dist-tag deprecate hook profile star stars stage pkg query sbom plugin constraints cacache global policies unplug autoclean upgrade-interactive pm repl shell"

/** Options after an npm script's name are npm's own up to `--`; the other runners hand everything on. */
const handOn = (
  runner: string,
  parsed: Parsed
): { readonly args: ReadonlyArray<Arg>; readonly options: ReadonlyArray<string> } => {
  const dashes = parsed.rest.findIndex(({ value }) => value === "--")
  if (runner !== "npm") return { args: dashes === 0 ? parsed.rest.slice(1) : parsed.rest, options: parsed.options }
  const own = parse(dashes < 0 ? parsed.rest : parsed.rest.slice(0, dashes), npmValues, parsed.rest.length)
  const after = dashes < 0 ? [] : parsed.rest.slice(dashes + 1)
  return { args: [...own.words, ...after], options: [...parsed.options, ...own.options] }
}

const npmCall = (runner: string, name: string, parsed: Parsed, program: boolean): Call => {
  const { args, options } = handOn(runner, parsed)
  const { classes, part } = ofName(name)
  return {
    kind: "npm",
    name,
    args,
    elsewhere: any(options, elsewhereOptions),
    filtered: any(options, partOptions),
    dryRun: any(options, "--help -h --dry-run"),
    ifPresent: any(options, "--if-present"),
    runner,
    classes,
    part,
    program
  }
}

const aliases: ReadonlyMap<string, string> = new Map([
  ["t", "test"],
  ["tst", "test"]
])

/** `npm test`, `pnpm -r run build`, `yarn workspace web lint`, `bun run x`. */
const npm = (runner: string, args: ReadonlyArray<Arg>): ReadonlyArray<Call> => {
  const parsed = parse(args.slice(1), npmValues, 1)
  const verb = parsed.words[0]
  if (verb === undefined || verb.value === null) return []
  const word = verb.value
  if (runner === "yarn" && word === "workspace") return inPart(npm(runner, [verb, ...parsed.rest.slice(1)]))
  if (word === "workspaces" || word === "recursive" || word === "multi") {
    const inner = parse(parsed.rest, npmValues, 1)
    const skip = inner.words[0]?.value === "foreach" ? inner.rest : parsed.rest
    return npm(runner, [verb, ...skip]).map((call) => ({ ...call, elsewhere: true }))
  }
  if (has("run run-script rum urn", word)) {
    const inner = parse(parsed.rest, npmValues, 1)
    const name = inner.words[0]?.value ?? null
    return name === null
      ? []
      : [npmCall(runner, name, { ...inner, options: [...parsed.options, ...inner.options] }, false)]
  }
  if (has("test t tst start stop restart", word)) {
    return runner === "bun" && has("test t", word) ? [] : [npmCall(runner, aliases.get(word) ?? word, parsed, false)]
  }
  if (runner === "npm" || has(npmBuiltins, word) || (runner === "bun" && word === "build")) return []
  return [npmCall(runner, word, parsed, true)]
}

const inPart = (calls: ReadonlyArray<Call>): ReadonlyArray<Call> =>
  calls.map((call) => ({ ...call, elsewhere: true, filtered: true }))

const unknownChecks: ReadonlyMap<string, ReadonlyArray<CommandClass>> = new Map([
  ["check", ["test"]],
  ["tests", ["test"]],
  ["all", ["build"]],
  ["", ["build"]]
])

interface Recipes {
  readonly kind: Kind | null
  readonly values: string
  readonly elsewhere: string
  readonly dry: string
  /** Words before the targets. */
  readonly verbs?: string
  /** Only the first word is a target, the rest its arguments. */
  readonly single?: true
  readonly program?: true
  readonly part?: string
  readonly fallback?: ReadonlyMap<string, ReadonlyArray<CommandClass>>
  readonly initial?: string
  /** Words that are not scripts, for a runner whose scripts need no verb. */
  readonly own?: string
}

const makeLike: Recipes = {
  kind: "make",
  values: "-f --file --makefile -C --directory -I -j_ -o -W -l",
  elsewhere: "-C --directory -f --file --makefile",
  dry: "-n --dry-run --just-print --recon -q --question -p --print-data-base -h --help -v --version",
  fallback: unknownChecks,
  initial: ""
}

const recipes: ReadonlyMap<string, Recipes> = new Map(
  Object.entries({
    "make gmake mingw32-make remake bmake": makeLike,
    just: {
      kind: "just",
      values: "-f --justfile -d --working-directory --shell --set",
      elsewhere: "-f --justfile -d --working-directory",
      dry: "-n --dry-run -l --list --summary --show -s --dump --evaluate --fmt --choose -h --help -V --version",
      single: true,
      initial: ""
    },
    "task go-task": {
      kind: "task",
      values: "-t --taskfile -d --dir -o --output -C --concurrency",
      elsewhere: "-t --taskfile -d --dir",
      dry: "-n --dry -l --list -a --list-all --summary --status -h --help --version",
      initial: "default"
    },
    "mise rtx": {
      kind: "mise",
      values: "-C --cd -j --jobs -E --env -t --tool -o --output",
      elsewhere: "-C --cd",
      dry: "-n --dry-run -h --help",
      verbs: "run r tasks",
      single: true
    },
    "poe taskipy": { kind: "python", values: "-C -e", elsewhere: "-C", dry: "-d --dry-run -h --help", single: true },
    "hatch pdm pixi rye poetry pipenv": {
      kind: "python",
      values: "-e --environment --manifest-path -p --project",
      elsewhere: "-p --project --manifest-path",
      dry: "-l --list -h --help",
      verbs: "run",
      single: true,
      program: true
    },
    composer: {
      kind: "composer",
      values: "-d --working-dir",
      elsewhere: "-d --working-dir",
      dry: "-h --help",
      verbs: "run run-script exec",
      own: "install i update u upgrade require r remove rm dump-autoload dumpautoload validate show info outdated audit init create-project global config diagnose self-update search status archive licenses why why-not bump check-platform-reqs fund home browse suggests reinstall about list help",
      single: true,
      program: true
    },
    deno: {
      kind: "deno",
      values: "-c --config --cwd",
      elsewhere: "--cwd",
      dry: "-h --help",
      verbs: "task",
      single: true
    },
    turbo: {
      kind: null,
      values: "--filter -F --concurrency --cache-dir --output-logs --log-order --env-mode",
      elsewhere: "",
      dry: "--dry-run --dry --graph -h --help",
      verbs: "run",
      own: "login logout link unlink prune daemon info ls query gen generate telemetry scan config watch boundaries bin",
      part: "--filter -F --affected --since"
    },
    lerna: {
      kind: null,
      values: "--scope --since --concurrency",
      elsewhere: "",
      dry: "",
      verbs: "run exec",
      part: "--scope --since",
      single: true
    },
    moon: { kind: null, values: "-c", elsewhere: "", dry: "", verbs: "run ci check" },
    "rush rushx": {
      kind: null,
      values: "-t --to -o --only -T",
      elsewhere: "",
      dry: "",
      part: "-t --to -o --only",
      single: true
    },
    "run-s npm-run-all run-p npm-run-all2 wireit": { kind: "npm", values: "--max-parallel", elsewhere: "", dry: "" },
    "mage invoke inv doit earthly dagger grunt gulp jake waf scons redo xmake b2 premake nuke cake": {
      kind: null,
      values: "-f -c -d",
      elsewhere: "",
      dry: "-l --list --list-tasks -n --dry-run -h --help --tasks",
      single: true
    }
  } satisfies Record<string, Recipes>).flatMap(([names, found]) =>
    names.split(" ").map((name) => [name, found] as const)
  )
)

const isVariable = (word: string): boolean => /^[A-Za-z_][\w.-]{0,60}[:+?]?=/.test(word)
export const narrowingVariable =
  /^(?:TESTS?|TEST_?(?:FILES?|ARGS|PATH|NAME|FILTER|FLAGS|CASE)|T|FILES?|PKGS?|PACKAGES?|RUN|FILTER|ARGS|K|ONLY|SPEC|SUITE|PYTEST_ADDOPTS|TESTARGS)[:+?]?=/i

const recipe = (runner: string, spec: Recipes, args: ReadonlyArray<Arg>): ReadonlyArray<Call> => {
  let words = args.slice(1)
  const options: Array<string> = []
  if (spec.verbs !== undefined) {
    const head = parse(words, spec.values, 1)
    const verb = head.words[0]?.value ?? null
    options.push(...head.options)
    if (verb === null) return []
    if (has(spec.verbs, verb))
      words = verb === "tasks" && head.rest[0]?.value === "run" ? head.rest.slice(1) : [...head.rest]
    else if (spec.own === undefined || has(spec.own, verb)) return []
  }
  const targets: Array<Arg> = []
  const passed: Array<Arg> = []
  let narrowed = false
  for (let index = 0; index < words.length; index += 1) {
    const arg = words[index]
    if (arg === undefined) break
    const word = arg.value
    if (spec.single === true && targets.length > 0) passed.push(arg)
    else if (word === "--") {
      passed.push(...words.slice(index + 1))
      break
    } else if (word === null) narrowed = true
    else if (word.startsWith("-") && word.length > 1) {
      options.push(word)
      if (has(spec.values, word)) index += 1
    } else if (isVariable(word)) narrowed ||= narrowingVariable.test(word)
    else targets.push(arg)
  }
  if (targets.length === 0 && spec.initial !== undefined && !narrowed)
    targets.push({ value: spec.initial, text: spec.initial })
  const elsewhere = any(options, spec.elsewhere)
  return targets.flatMap(({ value }) => {
    if (value === null) return []
    const name = spec.single === true || spec.kind !== null ? value : value.slice(value.indexOf("#") + 1)
    const { classes, part } = ofName(name)
    return [
      {
        kind: spec.kind,
        name,
        args: passed,
        elsewhere,
        filtered: narrowed || any(options, spec.part ?? "") || (spec.kind === null && value.includes("#")),
        dryRun: any(options, spec.dry),
        ifPresent: false,
        runner,
        classes: spec.fallback?.get(name) ?? classes,
        part,
        program: spec.program === true
      }
    ]
  })
}

/** `nx test web`, `nx run web:test`, `nx run-many -t test lint`. */
const nx = (args: ReadonlyArray<Arg>): ReadonlyArray<Call> => {
  const words = args.slice(1).map(({ value }) => value ?? "")
  const call = (name: string, filtered: boolean): Call => ({
    kind: null,
    name,
    args: [],
    elsewhere: true,
    filtered,
    dryRun: any(words, "--help --graph --dry-run"),
    ifPresent: false,
    runner: "nx",
    ...ofName(name),
    program: false
  })
  const verb = words[0] ?? ""
  if (verb === "run") return [call((words[1] ?? "").split(":")[1] ?? "", true)]
  if (verb !== "run-many" && verb !== "affected")
    return verb === "" || verb.startsWith("-") ? [] : [call(verb, words[1] !== undefined)]
  const at = words.findIndex((word) => /^(?:-t|--targets?)(?:=|$)/.test(word))
  const first = words[at] ?? ""
  const names = first.includes("=") ? [first.slice(first.indexOf("=") + 1)] : []
  if (at >= 0 && names.length === 0) {
    const rest = words.slice(at + 1, at + 17)
    const end = rest.findIndex((word) => word.startsWith("-"))
    names.push(...(end < 0 ? rest : rest.slice(0, end)))
  }
  const part = verb === "affected" || any(words, "-p --projects")
  return names.flatMap((name) => name.split(",")).map((name) => call(name, part))
}

const npmRunners = new Set(["npm", "pnpm", "yarn", "bun", "cnpm", "npr", "nr"])

/** The scripts and targets that a command asks its runner for; empty when it is no such runner. */
export const calls = (name: string, args: ReadonlyArray<Arg>): ReadonlyArray<Call> => {
  if (npmRunners.has(name)) return name === "nr" ? npm("yarn", args) : npm(name, args)
  if (name === "nx") return nx(args)
  const spec = recipes.get(name)
  return spec === undefined ? [] : recipe(name, spec, args)
}

/** Whether the scripts of the start folder apply where this command runs. */
export const atRoot = (call: Call, scope: Scope): boolean =>
  !call.elsewhere && (scope.shell.dir === "" || scope.shell.dir?.startsWith("/") === true)
