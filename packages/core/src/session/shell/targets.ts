import { includesAny, narrowingVariable, parse, type Call, type Kind } from "./call.ts"
import { ofName } from "./names.ts"
import { npm } from "./programs/npm.ts"
import { has } from "./tool.ts"
import type { Arg, CommandClass } from "./model.ts"

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
  const elsewhere = includesAny(options, spec.elsewhere)
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
        filtered: narrowed || includesAny(options, spec.part ?? "") || (spec.kind === null && value.includes("#")),
        dryRun: includesAny(options, spec.dry),
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
    dryRun: includesAny(words, "--help --graph --dry-run"),
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
  const part = verb === "affected" || includesAny(words, "-p --projects")
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
