/** Scripts and targets that a command asks a runner for: followed to what they run, or told by their names. */
import type { CommandClass, Facts, Scripts } from "./model.ts"
import { isGate, isOwnSuite, ofName } from "./names.ts"
import { isKnown, listsOnly, narrows, narrowsByVariable, other } from "./programs.ts"
import { lookup } from "./Scripts.ts"
import { either, type Ends, hidden, isPossible, passed } from "./statuses.ts"
import { emit, inShell, newShell, type Place, type Run, script, type Walk } from "./walk.ts"
import { argOf, type Args, has, hasOption, isOption, operands, quoted } from "./words.ts"

/** A script, recipe or target that a runner was asked for. */
interface Call {
  readonly kind: keyof Scripts | null
  readonly name: string
  /** Passed on to the script. */
  readonly args: Args
  /** The runner's own options. */
  readonly options: Args
  readonly runner: string
  /** Of a part of the workspace, or handed words that choose. */
  readonly filtered: boolean
  /** A name that is no script may be a program: `yarn vitest`, `hatch run mypy`. */
  readonly program: boolean
}

interface Runner {
  readonly kind: keyof Scripts | null
  /** Words before the name. */
  readonly verbs?: string
  /** Any other word is the runner's own. */
  readonly strict?: true
  /** Each word is a name; else the first, and the rest its arguments. */
  readonly many?: true
  readonly program?: true
  /** What is run where nothing is named. */
  readonly initial?: string
}

const runners: Readonly<Record<string, Runner>> = {
  make: { kind: "make", many: true, initial: "" },
  just: { kind: "just", initial: "" },
  "task go-task": { kind: "task", many: true, initial: "default" },
  mise: { kind: "mise", verbs: "run r tasks", strict: true },
  "poe taskipy": { kind: "python" },
  "hatch pdm pixi rye poetry pipenv": { kind: "python", verbs: "run", strict: true, program: true },
  composer: { kind: "composer", verbs: "run run-script exec", program: true },
  deno: { kind: "deno", verbs: "task", strict: true },
  npm: { kind: "npm", verbs: "run run-script rum urn", strict: true },
  "pnpm yarn bun": { kind: "npm", verbs: "run run-script", program: true },
  "run-s npm-run-all run-p": { kind: "npm", many: true },
  "turbo lerna moon": { kind: null, verbs: "run exec ci", many: true },
  "rush mage invoke inv doit earthly dagger grunt gulp jake waf scons nuke": { kind: null }
}

/** Commands of the runners' own, which are no scripts. */
const builtins =
  "install i ci add update u up upgrade remove rm uninstall un link dedupe prune rebuild audit outdated view info show ls list ll why explain search pack publish version init create config set get root bin prefix cache login logout whoami help exec x dlx node env store patch fetch import licenses owner dist-tag deprecate pkg pm repl require dump-autoload validate create-project diagnose status daemon gen generate telemetry scan watch"

const values =
  "-C -f --file --makefile --directory -I -o -W -l --justfile -d --working-directory --shell --set -t --taskfile --dir --output --concurrency --cd --jobs -E --env --tool -e --environment --manifest-path -p --project --working-dir -c --config --cwd --filter -F --cache-dir --scope --since --to --only --max-parallel --prefix -w --workspace --loglevel --registry --reporter --workspace-concurrency --include --exclude --target"

/** Options that move to another folder, or to a part of the workspace: the root's scripts do not apply. */
const elsewhere =
  "-C --directory -f --file --makefile --justfile -d --working-directory -t --taskfile --dir --cd --cwd --prefix -p --project --manifest-path --working-dir -w --workspace --workspaces -ws --filter -F -r --recursive --all -A --since --scope"

const ofPart = "-w --workspace --filter -F --since --project --projects -p --scope --affected --to --only"

/** Options with which a failure of one is not the failure of all. */
const lenient = "--no-bail -k --keep-going -i --ignore-errors"

const call = (runner: string, name: string, options: Args, filtered: boolean): Call => ({
  kind: null,
  name,
  args: [],
  options,
  runner,
  filtered,
  program: false
})

/** `nx test web`, `nx run web:test`, `nx run-many -t test lint`. */
const nx = (args: Args): ReadonlyArray<Call> => {
  const [verb = "", target = "", ...more] = args.slice(1).map(({ value }) => value ?? "")
  if (verb === "run") return [call("nx", target.split(":")[1] ?? "", args, true)]
  if (!/^(?:run-many|affected)$/.test(verb))
    return verb === "" || isOption(verb) ? [] : [call("nx", verb, args, target !== "" && !isOption(target))]
  const text = [target, ...more].join(" ").slice(0, 1_000)
  const names = /(?:^| )(?:-t|--targets?)[= ]([^-].*?)(?: -|$)/.exec(text)?.[1]?.split(/[ ,]/) ?? []
  return names.map((name) => call("nx", name, args, verb === "affected" || hasOption(args, "-p --projects")))
}

/** The names that a command asks its runner for; empty when it is no such runner, or asks for something of its own. */
const callsOf = (runner: string, args: Args): ReadonlyArray<Call> => {
  if (runner === "nx") return nx(args)
  const spec = Object.entries(runners).find(([names]) => has(names, runner))?.[1]
  if (spec === undefined) return []
  const [verb] = operands(args.slice(1), values)
  const word = verb?.value ?? null
  const at = verb === undefined ? 0 : args.indexOf(verb)
  if (has("workspace workspaces recursive", word)) {
    const rest = args.slice(at + (word === "workspace" ? 2 : 1)).filter(({ value }) => value !== "foreach")
    const option = argOf(word === "workspace" ? "-w" : "-r")
    return callsOf(runner, [argOf(runner), option, ...(option.value === "-w" ? [argOf(".")] : []), ...rest])
  }
  const isVerb = has(spec.verbs, word)
  const isTest = spec.kind === "npm" && has("test t tst start", word) && runner !== "bun"
  const isOwn = spec.strict === true || has(spec.program || spec.kind === null ? builtins : "", word)
  if (!isVerb && !isTest && (isOwn || (runner === "bun" && has("build test", word)))) return []
  if (verb === undefined && spec.initial === undefined) return []
  return named(runner, spec, args.slice(1, isVerb ? at : 1), args.slice(isVerb ? at + 1 : 1))
}

const named = (runner: string, spec: Runner, before: Args, rest: Args): ReadonlyArray<Call> => {
  const dashes = rest.findIndex(({ value }) => value === "--")
  const own = dashes < 0 ? rest : rest.slice(0, dashes)
  const all = operands(own, values).filter(({ value }) => spec.kind !== "mise" || value !== "run")
  const names = all.filter(({ text }) => spec.many !== true || !/^[A-Za-z_][\w.-]{0,60}[:+?]?=/.test(text))
  const [first] = names
  const at = spec.many === true || first === undefined ? own.length : own.indexOf(first) + 1
  // Options behind the name of an npm script are npm's own up to `--`; the other runners hand everything on.
  const passed = runner === "npm" ? operands(own.slice(at), values) : own.slice(at)
  const options = [...before, ...(runner === "npm" ? own : own.slice(0, at))]
  const narrowed = all.some((arg) => !names.includes(arg) && narrowsByVariable(arg.text))
  const wanted = spec.many === true ? names : names.slice(0, 1)
  const targets = wanted.length === 0 && spec.initial !== undefined ? [argOf(spec.initial)] : wanted
  return targets.flatMap(({ value }) => {
    if (value === null) return []
    const part = spec.kind === null ? /^(.*)[#:](.*)$/.exec(value) : null
    const isPart = part !== null && (runner === "moon" || value.includes("#"))
    return {
      kind: spec.kind,
      name: isPart ? (part[2] ?? value) : has("t tst", value) && spec.kind === "npm" ? "test" : value,
      args: [...passed, ...(dashes < 0 ? [] : rest.slice(dashes + 1))],
      options,
      runner,
      filtered: narrowed || isPart || (spec.kind !== "make" && hasOption(options, ofPart)),
      program: spec.program === true
    }
  })
}

/** What a name says; make's usual targets say more than others of their names. */
const classesOf = ({ kind, name }: Call): ReadonlyArray<CommandClass> => {
  if (kind === "make" && /^(?:check|tests?)$/.test(name)) return ["test"]
  return kind === "make" && /^(?:all)?$/.test(name) ? ["build"] : ofName(name).classes
}

const isDry = ({ args, kind, options }: Call): boolean =>
  listsOnly(args) ||
  listsOnly(options) ||
  (kind !== "npm" && hasOption(options, "-n -l -q --just-print --recon --summary --show"))

/** Runs the scripts and targets that a command asks its runner for, one after the other; null where it is no such command. */
export const followed = (walk: Walk, name: string, run: Run, place: Place): Ends | null => {
  const calls = callsOf(name, run.args)
  return calls.length === 0 ? null : inTurn(place, calls, (one, own) => follow(walk, run, one, own))
}

/** One after the other; each must succeed. */
const inTurn = <A>(place: Place, all: ReadonlyArray<A>, body: (one: A, place: Place) => Ends): Ends =>
  all.reduce<Ends>((ends, one) => {
    if (!isPossible(ends.zero)) return ends
    const next = body(one, { ...place, known: ends.zero })
    return { zero: next.zero, fail: either(ends.fail, next.fail) }
  }, passed(place.known))

const maxScripts = 6

const follow = (walk: Walk, run: Run, one: Call, place: Place): Ends => {
  const { kind, name, options } = one
  const classes = classesOf(one)
  const isLenient = hasOption(options, lenient) && kind !== "just" && kind !== "mise"
  const atRoot = !hasOption(options, elsewhere) && (place.shell.dir === "" || place.shell.dir?.startsWith("/") === true)
  const key = `${kind ?? ""}:${name}`
  const isOpen = kind !== null && atRoot && !place.active.includes(key) && place.active.length < maxScripts
  const body = isOpen ? lookup(walk.scripts[kind], name) : null
  if (body !== null) {
    const ends = ofBody(walk, run, one, body, { ...place, via: place.via ?? run.text, active: [...place.active, key] })
    return kind === "make" && isLenient ? hidden(place.known) : ends
  }
  const at = run.args.findIndex(({ value }, index) => index > 0 && value === name)
  if (one.program && at > 0 && (isKnown(name) || classes.length === 0))
    return walk.run({ ...run, args: run.args.slice(at) }, place)
  const isAbsent =
    hasOption(options, "--if-present") && kind !== null && Object.keys(walk.scripts[kind]).length > 0 && atRoot
  const facts: Facts = {
    ...other,
    ...byName(one),
    classes: classes.length > 0 ? classes : other.classes,
    dryRun: isAbsent || isDry(one),
    promises: isAbsent ? classes.filter(isGate) : []
  }
  const ends = emit(walk, run, facts, place)
  return isLenient ? hidden(place.known) : ends
}

const byName = (one: Call): Pick<Facts, "classes" | "filtered" | "runner"> => {
  const classes = classesOf(one)
  return {
    classes,
    runner: classes.some(isGate) ? one.runner : null,
    filtered: one.filtered || ofName(one.name).part || (classes.includes("test") && narrows(one.args))
  }
}

/** The command lines that a script's body stands for. */
const linesOf = (walk: Walk, { args, kind, name }: Call, body: string): ReadonlyArray<string> => {
  const handed = args.map(quoted)
  if (kind === "npm") {
    const [before, behind] = [lookup(walk.scripts.npm, `pre${name}`), lookup(walk.scripts.npm, `post${name}`)]
    return [before, [body, ...handed].join(" "), behind].filter((line) => line !== null)
  }
  if (body.startsWith("#!")) return [body]
  const lines = body.split("\n", 200)
  return has("python deno composer", kind) ? [...lines.slice(0, -1), [lines.at(-1), ...handed].join(" ")] : lines
}

const ofBody = (walk: Walk, run: Run, one: Call, body: string, place: Place): Ends => {
  const start = walk.commands.length
  const ends = inTurn(place, linesOf(walk, one, body), (line, own) => {
    const [, mark = "", source = line] = one.kind === "npm" ? [] : (/^\s{0,40}([@+-]{0,3})(.*)$/s.exec(line) ?? [])
    const result = inShell({ ...own, isTested: false }, (inner) => script(walk, source, inner), newShell(own.shell.dir))
    return mark.includes("-") ? passed(own.known) : result
  })
  const commands = walk.commands.slice(start)
  const narrowed = one.filtered || (one.kind !== "npm" && narrows(one.args))
  // What the script itself leaves out is no part of the project's tests; what is handed to it may leave some out.
  const isWhole = !narrowed && !narrows(one.args) && isOwnSuite(one.name)
  for (const command of commands) {
    command.filtered = !isWhole && (command.filtered || (narrowed && command.classes.includes("test")))
    command.dryRun ||= isDry(one)
  }
  const wanted = classesOf(one).filter(isGate)
  const does = commands.some(({ alsoProves, classes }) =>
    [...classes, ...alsoProves].some((name) => wanted.includes(name))
  )
  if (wanted.length === 0 || does || walk.isMisled || body.trim() === "") return ends
  // A script called `test` that runs something unheard of is still a test: its name says so.
  const doer = commands.findLast(
    ({ classes, words: [word] }) => !isTrivial(word ?? "") && !has("exit return false", word) && !classes.some(isGate)
  )
  if (doer === undefined) emit(walk, run, { ...other, runner: one.runner, promises: wanted }, place)
  else Object.assign(doer, byName(one), { classes: wanted, dryRun: doer.dryRun || listsOnly(one.args) })
  return ends
}

/** A command that sets something up, or says something: its failure is no news. */
export const isTrivial = (name: string): boolean =>
  has(
    "cd pushd popd export echo printf set true : unset local declare readonly typeset shopt umask sleep alias pwd date clear trap ulimit hash setopt sync wait disown read",
    name
  )
