/** Runs one command: takes wrappers off, follows scripts and strings, and lists what is left. */
import { classify } from "./classify.ts"
import type { CommandClass, Facts } from "./model.ts"
import { other } from "./programs.ts"
import { type Ends, hasFailed, hasPassed, hidden, never, nowhere, passed } from "./statuses.ts"
import { followed, isTrivial } from "./targets.ts"
import { emit, emitWrite, inShell, leave, newShell, type Place, type Run, script, statusIn, type Walk } from "./walk.ts"
import {
  anything,
  argOf,
  type Args,
  basename,
  byWord,
  folderBelow,
  has,
  hasOption,
  joinPath,
  unknownInput
} from "./words.ts"
import { programName, unwrap } from "./wrappers.ts"

type Handler = (walk: Walk, run: Run, place: Place) => Ends | null

const unknown = (walk: Walk, run: Run, place: Place): Ends => emit(walk, run, { ...other, classes: ["unknown"] }, place)

/** A command line that a new process runs. */
const line = (walk: Walk, source: string, place: Place, options: Args = []): Ends => {
  const own = newShell(place.shell.dir)
  setOptions(options, own)
  return inShell({ ...place, isTested: false }, (inner) => script(walk, source, inner), own)
}

/** `-euo pipefail`, `+e`. */
const setOptions = (args: Args, shell: Place["shell"]): void => {
  for (const [at, { value }] of args.entries()) {
    const [, sign, letters = ""] = /^([-+])([a-zA-Z]{1,12})$/.exec(value ?? "") ?? []
    const named = letters.includes("o") ? args[at + 1]?.value : null
    if (letters.includes("e") || named === "errexit") shell.errexit = sign === "-"
    if (named === "pipefail") shell.pipefail = sign === "-"
  }
}

const shell: Handler = (walk, run, place) => {
  const at = run.args.findIndex(
    ({ value }, index) =>
      index > 0 && !/^[-+]/.test(value ?? "") && !/^-\w{0,8}o$/.test(run.args[index - 1]?.value ?? "")
  )
  const file = at < 0 ? undefined : run.args[at]
  const has = (letter: string): boolean =>
    run.args
      .slice(1, at < 0 ? undefined : at)
      .some(({ value }) => /^-\w/.test(value ?? "") && value?.includes(letter) === true)
  if (file !== undefined && file.value === null) return unknown(walk, run, place)
  if (has("c") && file !== undefined) {
    const ends = line(walk, file.value ?? "", place, run.args.slice(1, at))
    emitWrite(walk, run.writes, run.text, place)
    return ends
  }
  if (file !== undefined && !has("s"))
    return emit(
      walk,
      run,
      has("n") ? { ...other, classes: ["lint"], runner: "bash" } : classify(run.args.slice(at), null, true),
      place
    )
  if (run.input === null) return emit(walk, run, other, place)
  return run.input === unknownInput ? unknown(walk, run, place) : line(walk, run.input, place)
}

const masked = (args: Args): Args => args.map((arg) => (arg.value === "{}" ? anything : arg))

/** `find -exec … ;`, and `fd -x`, which takes all that follows. */
const find: Handler = (walk, run, place) => {
  const words = run.args.map(({ value }) => value)
  const isDeleting = words.includes("-delete")
  let start = words.findIndex((word) => has(execs, word)) + 1
  if (start === 0 && !isDeleting) return null
  const classes: ReadonlyArray<CommandClass> = isDeleting ? ["search", "write"] : ["search"]
  const ends = emit(walk, run, { ...other, classes, writes: isDeleting ? ["*"] : [] }, place)
  while (start > 0) {
    const end = words.findIndex((word, at) => at >= start && (word === ";" || word === "+"))
    const args = masked(run.args.slice(start, end < 0 ? undefined : end))
    if (args.length > 0) inShell(place, (own) => walk.run({ args, text: run.text, writes: [], input: null }, own))
    const next = end
    start = end < 0 ? 0 : words.findIndex((word, at) => at > next && has(execs, word)) + 1
  }
  return ends
}

const execs = "-exec -execdir -ok -x -X --exec --exec-batch"

const environment =
  /(?:^|\/)(?:\.?env(?:\.[\w.-]{1,40})?|activate(?:\.\w{1,8})?|\.?\w{0,20}(?:rc|profile)|[\w.-]{0,40}\.env|[\w-]{0,30}env[\w-]{0,30}\.sh|(?:nvm|conda|asdf|sdkman-init|nix)\.sh|setup\.(?:ba|z)?sh)$/

/** A status that is printed says of the commands that it is theirs. */
const echo: Handler = (walk, { args }, place) => {
  const texts = args.flatMap(
    ({ text }) => text.slice(0, 300).match(/\$\{PIPESTATUS\[[\d@*]{1,2}\]\}|\$\{?(?:\?|\w{1,60})\}?/g) ?? []
  )
  for (const text of texts) {
    const status = statusIn(text, place)
    const own = walk.commands.filter(
      (_, id) => status !== null && hasPassed(status.zero, id) && !hasPassed(place.known, id)
    )
    if (status === null || own.length === 0) continue
    walk.echoes += 1
    for (const command of own)
      Object.assign(command, {
        echo: walk.echoes,
        soleEchoed: hasFailed(status.fail, walk.commands.indexOf(command), 1)
      })
  }
  return null
}

/** A builtin that sets something; that it fails is no news. */
const setting =
  (set: (args: Args, place: Place) => void): Handler =>
  (walk, run, place) => {
    const ends = emit(walk, run, other, place, true)
    set(run.args.slice(1), place)
    return ends
  }

const handlers: Readonly<Record<string, Handler>> = {
  "bash sh zsh dash ksh ash fish": shell,
  "find gfind fd fdfind": find,
  "echo printf": echo,
  "break continue": () => nowhere,
  ": true": (walk, run, place) => ({ zero: emit(walk, run, other, place).zero, fail: never }),
  false: (walk, run, place) => ({ zero: never, fail: emit(walk, run, other, place).fail }),
  "ssh mosh vagrant autossh expect": unknown,
  "exit return logout": (walk, run, place) => {
    emit(walk, run, other, place)
    const [, argument] = run.args
    return leave(
      place,
      argument === undefined ? place.shell.last : (statusIn(argument.text, place) ?? hidden(place.known))
    )
  },
  set: (walk, run, place) => {
    if (place.isSure) setOptions(run.args.slice(1), place.shell)
    else walk.isStrict ||= run.args.some(({ value }) => /^[-+]\w*[eo]/.test(value ?? ""))
    return emit(walk, run, other, place, true)
  },
  popd: setting((_, place) => {
    place.shell.dir = null
  }),
  "cd pushd": setting((args, { shell: own }) => {
    const target = args.find(({ value }) => value === null || !/^-[PLe@]$|^--$/.test(value))
    own.dir = folderBelow(own.dir, target)
  }),
  "read unset mapfile": setting((args, { shell: own }) => {
    for (const { text } of args) own.vars.set(text, { text: null, status: null })
  }),
  eval: (walk, run, place) => {
    const words = run.args.slice(1).map(({ value }) => value)
    return words.includes(null) ? unknown(walk, run, place) : script(walk, words.join(" "), place)
  },
  "source .": (walk, run, place) =>
    environment.test((run.args[1]?.text ?? "").slice(-300))
      ? emit(walk, run, other, place, true)
      : unknown(walk, run, place)
}

const handlerOf = byWord(handlers)

/** Programs that only pass their input on, and so do not fail when nothing but their input is given. */
const sinks = "cat tail tee sort uniq wc nl tr cut column less more head sed awk gawk tac fold rev paste strings"

/** `cat > x` and `jq . a > b` write; `npm test > log` is a test all the same. */
const withRedirection = (facts: Facts, { args, writes }: Run): Facts => {
  if (writes.length === 0 || !facts.classes.every((one) => has("read search other vcs", one))) return facts
  return { ...facts, classes: has("cat echo printf : true", args[0]?.value) ? ["write"] : [...facts.classes, "write"] }
}

const plain = (walk: Walk, run: Run, name: string, place: Place): Ends => {
  const facts = classify(run.args, run.input === unknownInput ? null : run.input, false)
  const writes = facts.writes.map((path) => joinPath(place.shell.dir, path))
  const hands = run.input !== null && has(sinks, name)
  const isWait = name === "wait" && run.args.length > 1
  const hardlyFails =
    (isTrivial(name) && !isWait) || hands || (name === "mkdir" && run.args.some(({ value }) => value === "-p"))
  return emit(walk, run, withRedirection({ ...facts, writes }, run), place, hardlyFails)
}

/** Folders of the session's own: for scratch, or below the one it works in. */
const near = /^(?:(?:\/private)?\/(?:var\/)?tmp|\$\{?(?:TMPDIR|PWD)\}?|\$\(pwd\))(?:\/|$)|^(?![/~$%]|\w:)./

/** Whether a folder may hold a program that only bears another's name: `./fake/npm` is not npm. */
export const isOwnFolder = (folder: string): boolean =>
  near.test(folder) && !/(?:^|\/)\.?(?:s?bin|Scripts|shims)\/?$/.test(folder)

const runners =
  "npm npx pnpm pnpx yarn bun bunx deno make just task uv uvx poetry pipenv hatch pdm tox nox cargo go mvn gradle bundle rake composer dotnet python node ruby php"

/** Calls joined by `&&`, which mean the same in every shell; backslashes are of paths. */
const plainLine = /^(?:[\w \t./\\:@=,"'+-]|&&|; *exit \$LASTEXITCODE){1,2000}$/i

const maxLayers = 60

export const runCommand = (walk: Walk, run: Run, outer: Place): Ends => {
  const place = { ...outer, depth: outer.depth + 1 }
  walk.budget -= 1
  const [first, ...rest] = run.args
  if (first === undefined || walk.budget < 0 || place.depth > maxLayers) return unknown(walk, run, place)
  // `"$VENV/bin/pytest"` is known by its last part.
  const word = first.value ?? /^\$\{?\w{1,60}\}?(?:\/[\w.@+-]{1,80}){1,12}$/.exec(first.text.slice(0, 1_200))?.[0]
  if (word === undefined) return unknown(walk, run, place)
  const name = programName(word)
  const own = { ...run, args: [argOf(word), ...rest] }
  const folder = word.slice(0, Math.max(0, word.lastIndexOf("/")))
  if (isOwnFolder(folder) && has(runners, basename(word))) return plain(walk, own, word, place)
  const done = handlerOf.get(name)?.(walk, own, place) ?? followed(walk, name, own, place)
  if (done !== null) return done
  const isLookup = name === "command" && rest.some(({ value }) => value === "-v" || value === "-V")
  const wrapped = isLookup ? null : unwrap(own.args)
  if (wrapped === null)
    return has("cmd powershell pwsh", name) ? unknown(walk, run, place) : plain(walk, own, name, place)
  const { args, hides, isForeign, isLines } = wrapped
  const text = args.map(({ value }) => value ?? "$").join(" ")
  if (isForeign && !plainLine.test(text)) return unknown(walk, run, place)
  const lines = isForeign ? [argOf(text.replace(/; *exit \$LASTEXITCODE;?$/i, "").replaceAll("\\", "/"))] : args
  const ends =
    isLines || isForeign
      ? lines.reduce<Ends>(
          (_, { value }) => (value === null ? unknown(walk, run, place) : line(walk, value, place)),
          passed(place.known)
        )
      : walk.run({ ...run, args: name === "xargs" ? [...masked(args), anything] : args }, place)
  const mayNotRun = name === "xargs" && hasOption(rest, "-r --no-run-if-empty")
  return hides || mayNotRun ? hidden(place.known) : ends
}
