/**
 * Lists the simple commands in a shell command. Says the purpose of each command, and what the whole exit status proves
 * about it.
 * Anything that cannot be known is reported as unknown, never as absent.
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
 * The longest command that is analysed completely, in characters. The rest of a longer command is cut off.
 *
 * @category limits
 */
export const maxLength: number = longest

const maxSteps = 4_000

/** True if the command puts a folder of the session first in `PATH`. Then `npm` may be any program. */
const misleads = (source: string): boolean =>
  [...source.matchAll(/\bPATH=["']?([^:\s"';&|]{1,400})/g)].some(([, folder = ""]) => isOwnFolder(folder))

const bare = (text: string): string =>
  text
    .replaceAll(/\s\d?>{1,2}&?\s?[\w./-]{1,80}|["']/g, "")
    .trim()
    .replace(/^(?:npx|bunx|uvx|(?:pnpm|yarn|npm|bundle) exec(?: --)?|(?:uv|poetry|pipenv|hatch|pdm) run|yarn) /, "")

/** True if the agent typed the body of the project's own test script. This command runs the whole test suite. */
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
 * Returns every simple command that the shell would run, in order. `scripts` maps names such as `npm test` to their
 * commands. Without `scripts`, only the names count. Never throws, and the amount of work is bounded.
 *
 * @category analysis
 */
export const analyze = (command: string, scripts: Scripts = noScripts): ShellAnalysis => {
  const before = kept.get(scripts)
  // The results are cached, because several parts of the judge ask about the same command, and agents repeat commands.
  const known = before?.get(command)
  if (known !== undefined) return known
  const analysis = analyzed(command, scripts)
  if (before === undefined || before.size >= maxKept) kept.set(scripts, new Map([[command, analysis]]))
  else before.set(command, analysis)
  return analysis
}
