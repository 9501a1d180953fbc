/**
 * What a shell command does: every simple command in it, what it is for, and what the exit status of the whole says
 * about it. Parsed with a real shell parser; what cannot be known is reported as unknown, never as absent.
 */
import { isOwnFolder } from "./classify.ts"
import type { Scripts, ShellAnalysis, SimpleCommand } from "./model.ts"
import { isOwnSuite } from "./names.ts"
import { runCommand } from "./run.ts"
import { empty as noScripts } from "./Scripts.ts"
import { eitherEnds, hasFailed, hasPassed, hidden, never, nothing } from "./statuses.ts"
import { maxLength as longest, newShell, type Place, script, type Walk } from "./walk.ts"

export type { CommandClass, Exit, Push, ShellAnalysis, SimpleCommand } from "./model.ts"
export { isTrivial } from "./targets.ts"

/**
 * Longest command that is analysed whole, in characters.
 *
 * @category limits
 */
export const maxLength: number = longest

const maxSteps = 4_000

/** Where the search path begins with a folder of the session's own, `npm` may be anything. */
const misleads = (source: string): boolean =>
  [...source.matchAll(/\bPATH=["']?([^:\s"';&|]{1,400})/g)].some(([, folder = ""]) => isOwnFolder(folder))

const bare = (text: string): string =>
  text
    .replaceAll(/\s\d?>{1,2}&?\s?[\w./-]{1,80}|["']/g, "")
    .trim()
    .replace(/^(?:npx|bunx|uvx|(?:pnpm|yarn|npm|bundle) exec(?: --)?|(?:uv|poetry|pipenv|hatch|pdm) run|yarn) /, "")

/** Typed out, a script of the project's is still all of its tests. */
const isOwnScript = ({ dir, text, via }: SimpleCommand, scripts: Scripts): boolean =>
  via === null &&
  dir === "" &&
  Object.values(scripts).some((all: Scripts[keyof Scripts]) =>
    Object.entries(all).some(([name, body]) => isOwnSuite(name) && bare(body) === bare(text))
  )

const analyzed = (source: string, scripts: Scripts): ShellAnalysis => {
  const isCut = source.length > maxLength
  const text = source.slice(0, maxLength)
  const walk: Walk = {
    commands: [],
    scripts,
    isMisled: misleads(text),
    unknown: isCut,
    isCut,
    isStrict: false,
    budget: maxSteps,
    echoes: 0,
    step: 0,
    run: (run, place) => runCommand(walk, run, place)
  }
  const place: Place = {
    shell: newShell(""),
    frame: { zero: never, fail: never },
    known: nothing,
    isSure: true,
    background: false,
    source: text,
    via: null,
    active: [],
    depth: 0
  }
  const ends = script(walk, text, place)
  const { fail, zero } = walk.isCut ? hidden(nothing) : eitherEnds(place.frame, ends)
  for (const [id, command] of walk.commands.entries()) {
    if (hasPassed(zero, id)) command.exit = "implied"
    else if (!walk.isStrict && hasFailed(zero, id, 0)) command.exit = "inverted"
    if (command.exit !== "masked" || walk.isCut) Object.assign(command, { echo: 0, soleEchoed: false })
    command.soleEchoed &&= !walk.isStrict
    command.soleSuspect = !walk.isStrict && hasFailed(fail, id, 1)
    command.besideEdits = !walk.isStrict && hasFailed(fail, id, 2)
    if (command.filtered && isOwnScript(command, scripts)) command.filtered = false
  }
  return { commands: walk.commands, unknown: walk.unknown }
}

const maxKept = 256

const kept = new WeakMap<Scripts, Map<string, ShellAnalysis>>()

/**
 * Every simple command that the shell would run, in order. `scripts` resolves `npm test`, `make check` and the like to
 * what they run; without it their names decide. Total: it never throws, and its work is bounded.
 *
 * @category analysis
 */
export const analyze = (command: string, scripts: Scripts = noScripts): ShellAnalysis => {
  const before = kept.get(scripts)
  // Several folds ask about the same command, and agents run the same ones again and again.
  const known = before?.get(command)
  if (known !== undefined) return known
  const analysis = analyzed(command, scripts)
  if (before === undefined || before.size >= maxKept) kept.set(scripts, new Map([[command, analysis]]))
  else before.set(command, analysis)
  return analysis
}
