/** Handles scripts and targets of runners. Their commands are read if known; otherwise the names decide. */
import type { CommandClass, Facts, Scripts } from "./model.ts"
import { isGate, isOwnSuite, ofName } from "./names.ts"
import { factsOf, isKnown, listsOnly, narrows, narrowsByVariable, other } from "./programs.ts"
import { lookup } from "./Scripts.ts"
import { either, type Ends, isPossible, passed } from "./statuses.ts"
import { emit, inShell, newShell, type Place, type Run, script, type Walk } from "./walk.ts"
import { argOf, type Args, byWord, has, hasOption, operands, quoted } from "./words.ts"

interface Runner {
  readonly kind: keyof Scripts | null
  /** Words that may stand before the name of the script. */
  readonly verbs?: string
  /** True if a script needs one of the verbs. Every other word is then a command of the runner itself. */
  readonly strict?: true
  /** True if each word is a name. Otherwise the first word is the name and the rest are its arguments. */
  readonly many?: true
  /** True if a name without a script may be a program. For example, `yarn vitest` or `hatch run mypy`. */
  readonly program?: true
  readonly initial?: string
  /** The class of a target whose name does not show a class. */
  readonly means?: CommandClass
  /** Matches the start of a name that selects a part of the workspace. */
  readonly mark?: RegExp
}

const many = { kind: null, many: true } as const

const table: Readonly<Record<string, Runner>> = {
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
  "turbo lerna": { ...many, verbs: "run exec ci", mark: /^.*#/ },
  moon: { ...many, verbs: "run exec ci", mark: /^.*[:#]/ },
  nx: { kind: null, verbs: "run", mark: /^[^:]*:/ },
  "gradle mvn": { ...many, initial: "", mark: /^:?[\w-]{1,80}:(?:.*:)?/ },
  "tox nox": { ...many, initial: "", means: "test" },
  "ninja xcodebuild": { ...many, initial: "", means: "build" },
  "rake ant sbt mill": { ...many, initial: "default" },
  "rush mage invoke inv doit earthly dagger grunt gulp jake waf scons nuke": { kind: null }
}

const runners = byWord(table)

const builtins =
  "install i ci add update u up upgrade remove rm uninstall un link dedupe prune rebuild audit outdated view info show ls list ll why explain search pack publish version init create config set get root bin prefix cache login logout whoami help exec x dlx node env store patch fetch import licenses owner dist-tag deprecate pkg pm repl require dump-autoload validate create-project diagnose status daemon gen generate telemetry scan watch"

const values =
  "-C -f --file --makefile --directory -I -o -W -l --justfile -d --working-directory --shell --set -t --taskfile --dir --output --concurrency --cd --jobs -E --env --tool -e -s --session --sessions --environment --manifest-path -p --project --projects --working-dir -c --config --cwd --filter -F --cache-dir --scope --since --to --only --max-parallel --prefix -w --workspace --loglevel --registry --reporter --workspace-concurrency --include --exclude --target -x --exclude-task -scheme -project -workspace -destination -configuration -sdk -pl --tests"

/** Options that move to another folder or to a part of the workspace. The scripts of the root do not apply there. */
const elsewhere =
  "-C --directory -f --file --makefile --justfile -d --working-directory -t --taskfile --dir --cd --cwd --prefix -p --project --manifest-path --working-dir -w --workspace --workspaces -ws --filter -F -r --recursive --all -A --since --scope"

const ofPart =
  "-Dtest -Dit.test --tests -w --workspace --filter -F --since --project --projects -p -pl --scope --affected --to --only"

interface Call {
  readonly spec: Runner
  readonly runner: string
  readonly name: string
  readonly args: Args
  readonly options: Args
  /** True if the call runs only a part of the workspace, or gives its own words to a command that may select a part. */
  readonly filtered: boolean
}

/** Matches lists of targets. For example, `nx run-many -t test lint` or `tox -e lint,py312`. */
const listed = /(?:^| )(?:-t|--targets?|-e|-s|--env|--sessions?)[= ]([^-].*?)(?: -|$)/

/** Empty if the program is no runner, or if the command belongs to the runner itself. */
const callsOf = (runner: string, args: Args): ReadonlyArray<Call> => {
  const spec = runners.get(runner)
  if (spec === undefined) return []
  const [verb] = operands(args.slice(1), values)
  const word = verb?.value ?? null
  const at = verb === undefined ? 0 : args.indexOf(verb)
  if (has("workspace workspaces recursive", word)) {
    const rest = args.slice(at + (word === "workspace" ? 2 : 1)).filter(({ value }) => value !== "foreach")
    return callsOf(runner, [argOf(runner), argOf(word === "workspace" ? "--workspace=." : "-r"), ...rest])
  }
  const isMany = runner === "nx" && has("run-many affected", word)
  const text = isMany || has("tox nox", runner) ? args.map(({ value }) => value ?? "").join(" ") : ""
  const names = listed.exec(text.slice(0, 1_000))?.[1]?.split(/[ ,]/)
  if (names !== undefined)
    return names.flatMap((name) => named(runner, spec, args.slice(1, isMany ? at + 1 : 1), [argOf(name)]))
  const isVerb = has(spec.verbs ?? "", word)
  const isTest = spec.kind === "npm" && has("t test tst start", word) && runner !== "bun"
  const isOwn = spec.strict === true || has(spec.program || spec.kind === null ? builtins : "", word)
  if (isMany || (!isVerb && !isTest && (isOwn || (runner === "bun" && has("build test", word))))) return []
  if (verb === undefined && spec.initial === undefined) return []
  return named(runner, spec, args.slice(1, isVerb ? at : 1), args.slice(isVerb ? at + 1 : 1))
}

const named = (runner: string, spec: Runner, before: Args, rest: Args): ReadonlyArray<Call> => {
  const dashes = rest.findIndex(({ value }) => value === "--")
  const [own, behind] = dashes < 0 ? [rest, []] : [rest.slice(0, dashes), rest.slice(dashes + 1)]
  const all = operands(own, values).filter(({ value }) => spec.kind !== "mise" || value !== "run")
  const names = spec.many ? all.filter(({ text }) => !/^[A-Za-z_][\w.-]{0,60}[:+?]?=/.test(text)) : all.slice(0, 1)
  const at = spec.many || names[0] === undefined ? own.length : own.indexOf(names[0]) + 1
  // npm itself takes the options between the script's name and `--`. The other runners pass everything on.
  const passed = runner === "npm" ? operands(own.slice(at), values) : own.slice(at)
  const options = [...before, ...(runner === "npm" ? own : own.slice(0, at))]
  const narrowed = all.some((arg) => !names.includes(arg) && narrowsByVariable(arg.text))
  const targets = names.length === 0 && spec.initial !== undefined ? [argOf(spec.initial)] : names
  return targets.flatMap(({ value }) => {
    if (value === null) return []
    const isPart = spec.mark?.test(value) === true && factsOf(runner, [argOf(runner), argOf(value)]) === null
    const name = isPart
      ? value.replace(spec.mark ?? "", "")
      : spec.kind === "npm" && has("t tst", value)
        ? "test"
        : value
    const filtered = narrowed || isPart || (spec.kind !== "make" && hasOption(options, ofPart))
    return { spec, runner, name, args: [...passed, ...behind], options, filtered }
  })
}

/** The table of programs decides, or else the name. For make, `all` means a build, and `check` means a test. */
const factsOfName = ({ args, filtered, name, options, runner, spec: { kind, means } }: Call): Facts => {
  const own = kind === null ? factsOf(runner, [argOf(runner), argOf(name), ...options]) : null
  const { classes: said, part } = ofName(name)
  const usual: CommandClass | undefined =
    kind !== "make"
      ? said.length === 0
        ? means
        : undefined
      : /^(?:all)?$/.test(name)
        ? "build"
        : name === "check"
          ? "test"
          : undefined
  const classes = own?.classes ?? (usual === undefined ? said : [usual])
  const isDry = kind !== "npm" && kind !== null && hasOption(options, "-n -l -q --just-print --recon --summary --show")
  return {
    ...(own ?? other),
    classes,
    runner: classes.some(isGate) ? (runner === "mvn" ? "maven" : runner) : null,
    filtered: filtered || (own === null && part) || (classes.includes("test") && narrows(args)),
    dryRun: isDry || listsOnly(args) || listsOnly(options)
  }
}

export const followed = (walk: Walk, name: string, run: Run, place: Place): Ends | null => {
  const calls = callsOf(name, run.args)
  return calls.length === 0 ? null : inTurn(place, calls, (one, own) => follow(walk, run, one, own))
}

const inTurn = <A>(place: Place, all: ReadonlyArray<A>, body: (one: A, place: Place) => Ends): Ends =>
  all.reduce<Ends>((ends, one) => {
    if (!isPossible(ends.zero)) return ends
    const next = body(one, { ...place, known: ends.zero })
    return { zero: next.zero, fail: either(ends.fail, next.fail) }
  }, passed(place.known))

const maxScripts = 6

const follow = (walk: Walk, run: Run, one: Call, place: Place): Ends => {
  const { name, options, spec } = one
  const facts = factsOfName(one)
  const { classes } = facts
  const atRoot = !hasOption(options, elsewhere) && (place.shell.dir === "" || place.shell.dir?.startsWith("/") === true)
  const scripts = spec.kind === null || !atRoot ? {} : walk.scripts[spec.kind]
  const key = `${spec.kind ?? ""}:${name}`
  const isOpen = !place.active.includes(key) && place.active.length < maxScripts
  const body = isOpen ? lookup(scripts, name) : null
  if (body !== null)
    return ofBody(walk, run, one, facts, body, { ...place, via: place.via ?? run.text, active: [...place.active, key] })
  const at = run.args.findIndex(({ value }, index) => index > 0 && value === name)
  if (spec.program === true && at > 0 && (isKnown(name) || classes.length === 0))
    return walk.run({ ...run, args: run.args.slice(at) }, place)
  return emit(walk, run, { ...facts, classes: classes.length > 0 ? classes : other.classes }, place)
}

const linesOf = (walk: Walk, { args, name, spec: { kind } }: Call, body: string): ReadonlyArray<string> => {
  const handed = args.map(quoted)
  if (kind === "npm") {
    const [before, behind] = [lookup(walk.scripts.npm, `pre${name}`), lookup(walk.scripts.npm, `post${name}`)]
    return [before, [body, ...handed].join(" "), behind].filter((line) => line !== null)
  }
  if (body.startsWith("#!")) return [body]
  const lines = body.split("\n", 200)
  return has("python deno composer", kind) ? [...lines.slice(0, -1), [lines.at(-1), ...handed].join(" ")] : lines
}

const ofBody = (walk: Walk, run: Run, one: Call, facts: Facts, body: string, place: Place): Ends => {
  const start = walk.commands.length
  const ends = inTurn(place, linesOf(walk, one, body), (line, own) => {
    const [, mark = "", source = line] = one.spec.kind === "npm" ? [] : (/^\s{0,40}([@+-]{0,3})(.*)$/s.exec(line) ?? [])
    const result = inShell(own, (inner) => script(walk, source, inner), newShell(own.shell.dir))
    return mark.includes("-") ? passed(own.known) : result
  })
  const commands = walk.commands.slice(start)
  const isHandedPart = narrows(one.args)
  const narrowed = one.filtered || (one.spec.kind !== "npm" && isHandedPart)
  // The project's own test script is the whole suite, even if it leaves tests out.
  // Words that are passed to that script may leave tests out.
  const isWhole = !narrowed && !isHandedPart && isOwnSuite(one.name)
  for (const command of commands) {
    command.filtered = !isWhole && (command.filtered || (narrowed && command.classes.includes("test")))
    command.dryRun ||= facts.dryRun
  }
  const wanted = facts.classes.filter(isGate)
  const does = commands.flatMap(({ alsoProves, classes }) => [...classes, ...alsoProves])
  if (wanted.length === 0 || does.some((name) => wanted.includes(name)) || walk.isMisled || body.trim() === "")
    return ends
  // If a script called `test` runs an unknown program, it counts as a test because of its name.
  const doer = commands.findLast(
    ({ classes, words: [word] }) => !isTrivial(word ?? "") && !has("exit return false", word) && !classes.some(isGate)
  )
  const { filtered, runner } = facts
  if (doer === undefined) emit(walk, run, { ...other, runner, promises: wanted }, place)
  else Object.assign(doer, { classes: wanted, filtered, runner, dryRun: doer.dryRun || listsOnly(one.args) })
  return ends
}

/** True for a command that only sets something up or prints something. A failure of such a command is not important. */
export const isTrivial = (name: string): boolean =>
  has(
    "cd pushd popd export echo printf set true : unset local declare readonly typeset shopt umask sleep alias pwd date clear trap ulimit hash setopt sync wait disown read",
    name
  )
