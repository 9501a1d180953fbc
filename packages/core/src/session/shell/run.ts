/** Runs one command in the analysis: removes wrappers, follows scripts and command strings, and lists what remains. */
import { classify, isOwnFile } from "./classify.ts"
import type { CommandClass, Facts } from "./model.ts"
import { other } from "./programs.ts"
import { type Ends, hasFailed, hasPassed, hidden, never, nowhere } from "./statuses.ts"
import { followed, isTrivial } from "./targets.ts"
import { emit, emitWrite, inShell, leave, newShell, type Place, type Run, script, statusIn, type Walk } from "./walk.ts"
import { anything, argOf, type Args, byWord, folderBelow, has, hasOption, joinPath, unknownInput } from "./words.ts"
import { programName, unwrap } from "./wrappers.ts"

type Handler = (walk: Walk, run: Run, place: Place) => Ends | null

const unknown = (walk: Walk, run: Run, place: Place): Ends => emit(walk, run, { ...other, classes: ["unknown"] }, place)

const line = (walk: Walk, source: string, place: Place): Ends =>
  inShell(place, (inner) => script(walk, source, inner), newShell(place.shell.dir))

/** True for strict mode. For example, `set -euo pipefail` or `bash -e`. */
const isStrict = (args: Args): boolean => args.some(({ value }) => /^-\w{0,8}[eo]/.test(value ?? ""))

const shell: Handler = (walk, run, place) => {
  const at = run.args.findIndex(
    ({ value }, index) =>
      index > 0 && !/^[-+]/.test(value ?? "") && !/^-\w{0,8}o$/.test(run.args[index - 1]?.value ?? "")
  )
  const options = run.args.slice(1, at < 0 ? undefined : at)
  const isSet = (letter: string): boolean =>
    options.some(({ value }) => /^-\w/.test(value ?? "") && value?.includes(letter) === true)
  const file = run.args[at]
  if (file === undefined || isSet("s")) {
    if (run.input === null) return emit(walk, run, other, place)
    return run.input === unknownInput ? unknown(walk, run, place) : line(walk, run.input, place)
  }
  if (file.value === null) return unknown(walk, run, place)
  if (!isSet("c")) {
    const facts = isSet("n") ? { ...other, classes: lint, runner: "bash" } : classify(run.args.slice(at), null, true)
    return emit(walk, run, facts, place)
  }
  walk.isStrict ||= isStrict(options)
  const ends = line(walk, file.value, place)
  emitWrite(walk, run.writes, run.text, place)
  return ends
}

const lint: ReadonlyArray<CommandClass> = ["lint"]

/** Calls joined by `&&`. Such calls mean the same in every shell, and a backslash only separates folders. */
const plainLine = /^(?:[\w \t./\\:@=,"'+-]|&&|; *exit \$LASTEXITCODE){1,2000}$/i

/** Handles shells of Windows. For example, `cmd /c "npm test"` or `pwsh -Command 'dotnet test; exit $LASTEXITCODE'`. */
const foreign: Handler = (walk, run, place) => {
  const at = run.args.findIndex(({ value }) => /^(?:\/{1,2}c|\/k|-c(?:ommand)?)$/i.test(value ?? ""))
  const words = at < 0 ? [] : run.args.slice(at + 1)
  const text = words.map(({ value }) => value ?? "$").join(" ")
  if (!plainLine.test(text)) return unknown(walk, run, place)
  return line(walk, text.replace(/; *exit \$LASTEXITCODE;?$/i, "").replaceAll("\\", "/"), place)
}

const masked = (args: Args): Args => args.map((arg) => (arg.value === "{}" ? anything : arg))

/** Handles `find -exec … ;`. Also handles `fd -x`, which uses all words after it as the command. */
const find: Handler = (walk, run, place) => {
  const at = run.args.findIndex(({ value }) => has("-exec -execdir -ok -x -X --exec --exec-batch", value))
  if (at < 0) return null
  const ends = plain(walk, run, place)
  const rest = run.args.slice(at + 1)
  const end = rest.findIndex(({ value }) => value === ";" || value === "+")
  const args = masked(rest.slice(0, end < 0 ? undefined : end))
  if (args.length > 0) inShell(place, (own) => walk.run({ args, text: run.text, writes: [], input: null }, own))
  return ends
}

const environment =
  /(?:^|\/)(?:\.?env(?:\.[\w.-]{1,40})?|activate(?:\.\w{1,8})?|\.?\w{0,20}(?:rc|profile)|[\w.-]{0,40}\.env|[\w-]{0,30}env[\w-]{0,30}\.sh|(?:nvm|conda|asdf|sdkman-init|nix)\.sh|setup\.(?:ba|z)?sh)$/

/** If the command prints an exit status, marks the commands that this status is about. */
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

const handlers: Readonly<Record<string, Handler>> = {
  "bash sh zsh dash ksh ash fish": shell,
  "find gfind fd fdfind": find,
  "cmd powershell pwsh": foreign,
  "echo printf": echo,
  "break continue": () => nowhere,
  ": true": (walk, run, place) => ({ zero: emit(walk, run, other, place).zero, fail: never }),
  false: (walk, run, place) => ({ zero: never, fail: emit(walk, run, other, place).fail }),
  "exit return logout": (walk, run, place) => {
    emit(walk, run, other, place)
    const [, argument] = run.args
    return leave(
      place,
      argument === undefined ? place.shell.last : (statusIn(argument.text, place) ?? hidden(place.known))
    )
  },
  set: (walk, run, place) => {
    walk.isStrict ||= isStrict(run.args)
    return emit(walk, run, other, place, true)
  },
  "cd pushd popd": (walk, run, place) => {
    const ends = emit(walk, run, other, place, true)
    const [name, ...args] = run.args
    const target = args.find(({ value }) => value === null || !/^-[PLe@]$|^--$/.test(value))
    place.shell.dir = name?.value === "popd" ? null : folderBelow(place.shell.dir, target)
    return ends
  },
  "read unset mapfile": (walk, run, place) => {
    for (const { text } of run.args) place.shell.vars.set(text, { text: null, status: null })
    return emit(walk, run, other, place, true)
  },
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

/** Programs that only pass their input on. With a given input, such a program hardly ever fails. */
const sinks = "cat tail tee sort uniq wc nl tr cut column less more head sed awk gawk tac fold rev paste strings"

/** `cat > x` and `jq . a > b` write, but `npm test > log` remains a test. */
const withRedirection = (facts: Facts, { args, writes }: Run): Facts => {
  if (writes.length === 0 || !facts.classes.every((one) => has("read search other vcs", one))) return facts
  return { ...facts, classes: has("cat echo printf : true", args[0]?.value) ? ["write"] : [...facts.classes, "write"] }
}

const plain = (walk: Walk, run: Run, place: Place): Ends => {
  const facts = classify(run.args, run.input === unknownInput ? null : run.input, false)
  const writes = facts.writes.map((path) => joinPath(place.shell.dir, path))
  const name = programName(run.args[0]?.value ?? "")
  const isIdle = isTrivial(name) && !(name === "wait" && run.args.length > 1)
  const hands = run.input !== null && has(sinks, name)
  const isSetUp = name === "mkdir" && run.args.some(({ value }) => value === "-p")
  return emit(walk, run, withRedirection({ ...facts, writes }, run), place, isIdle || hands || isSetUp)
}

const maxLayers = 60

export const runCommand = (walk: Walk, run: Run, outer: Place): Ends => {
  const place = { ...outer, depth: outer.depth + 1 }
  walk.budget -= 1
  const [first, ...rest] = run.args
  if (first === undefined || walk.budget < 0 || place.depth > maxLayers) return unknown(walk, run, place)
  // `"$VENV/bin/pytest"` is recognised by its last part.
  const word = first.value ?? /^\$\{?\w{1,60}\}?(?:\/[\w.@+-]{1,80}){1,12}$/.exec(first.text.slice(0, 1_200))?.[0]
  if (word === undefined) return unknown(walk, run, place)
  const own = { ...run, args: [argOf(word), ...rest] }
  if (isOwnFile(word)) return plain(walk, own, place)
  const name = programName(word)
  const done = handlerOf.get(name)?.(walk, own, place) ?? followed(walk, name, own, place)
  if (done !== null) return done
  const isLookup = name === "command" && rest.some(({ value }) => value === "-v" || value === "-V")
  const wrapped = isLookup ? null : unwrap(name, own.args)
  if (wrapped === null) return plain(walk, own, place)
  const { args, hides, isLine } = wrapped
  const isXargs = name === "xargs"
  const [source] = args
  const ends = !isLine
    ? walk.run({ ...run, args: isXargs ? [...masked(args), anything] : args }, place)
    : source?.value == null
      ? unknown(walk, run, place)
      : line(walk, source.value, place)
  return hides || (isXargs && hasOption(rest, "-r --no-run-if-empty")) ? hidden(place.known) : ends
}
