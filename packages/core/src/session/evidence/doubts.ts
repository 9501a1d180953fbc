/**
 * What in a command may replace, skip or hide the check that it is called after. It says nothing of a run that shows a runner's
 * own summary, unless that may be another's; and it matters only after a run that failed.
 */
import { matchesAny } from "../../ground/text/Text.ts"
import * as RunnerOutput from "../output/RunnerOutput.ts"
import type { Kind } from "../output/RunnerOutput.ts"
import type { ShellAnalysis, SimpleCommand } from "../shell/ShellCommand.ts"

/** Where a person's own set-up lies, or a virtual environment's. */
const setUp =
  /^(?:~|\$\{?HOME\b|\/(?!tmp\/|var\/tmp\/|dev\/))|(?:^|\/)activate(?:\.\w{1,5})?$|(?:^|\/)(?:nvm|sdkman-init|conda|asdf|emsdk_env|setup)\.(?:sh|bash)$/

const replacing: ReadonlySet<string> = new Set(["alias", "hash", "trap", "enable", "eval", "shopt"])

const reset: ReadonlySet<string> = new Set(["-r", "-", "--"])

/** Options with which a check skips its work, or passes whatever it finds. */
const skipping: ReadonlyArray<RegExp> = [
  /^--(?:if-present|ignore-scripts|script-shell|dry-?run|pass-?with-?no-?tests|exit-zero|no-fail|fail-never|no-exit-code|no-bail|keep-going|no-run|co|collect-only)(?:=(?!false\b)\S{0,200})?$/i,
  /^--(?:suppress-\S{1,40}|allow-(?:empty|no-tests|failures?)|ignore-(?:errors|failures)|do-not-fail\S{0,40})(?:=(?!false\b)\S{0,200})?$/i,
  /^-(?:fn|D(?:skip\w{0,20}|maven\.test\.(?:failure\.ignore|skip)|testFailureIgnore)|P?ignoreTestFailures)(?:=(?!false\b)\S{0,200})?$/i
]

/** Of make: touch, ignore errors, take a file for old. */
const makeSkipping = /^-(?!-)[a-zA-Z]{0,6}[tio]|^--(?:touch|ignore-errors|old-file|assume-old|eval)/

/** Variables that hand options, a shell or other code to what is run. */
const steering: ReadonlyArray<RegExp> = [
  /^(?:p?npm_config_|yarn_|DYLD_|PERL5|(?:BASH_ENV|ENV|SHELL|LD_PRELOAD|PYTHON(?:PATH|STARTUP)|NODE_(?:OPTIONS|PATH)|RUBY(?:OPT|LIB))$)/i,
  /^(?:CARGO_TARGET_\w{1,80}_RUNNER|RUSTC_WRAPPER|MAKEFLAGS|GOFLAGS|MAVEN_ARGS)$|^(?:SKIP|NO|DISABLE)_/i,
  /(?:OPTS|OPTIONS|ADDOPTS|ARGS|FLAGS|SKIP|ONLY|DRY_?RUN|PRELOAD|WRAPPER|NO_?TESTS?|DISABLE_?TESTS?)(?:_|$)/i
]

const assigned = /(?:^|[\s;&|(])([A-Za-z_]\w{0,60})=/g

const variables = (command: string): ReadonlyArray<string> =>
  [...command.slice(0, 4000).matchAll(assigned)].slice(0, 32).map((match) => match[1] ?? "")

const program = (simple: SimpleCommand): string => simple.words[0] ?? ""

const has = (simple: SimpleCommand, patterns: ReadonlyArray<RegExp>): boolean =>
  `${simple.via ?? ""} ${simple.text}`
    .split(/\s+/, 200)
    .some((word) => matchesAny(patterns, word.replaceAll(/["']/g, "")))

/** A container without anything of this machine's in it, and whose image the command does not make. */
const isBareContainer = (text: string): boolean =>
  /\b(?:docker|podman|nerdctl) (?:container )?run\b/.test(text) &&
  !/\s(?:-v|--volume|--mount|--volumes-from)\b/.test(text) &&
  !/\b(?:docker|podman|nerdctl|buildx) (?:image )?build\b|--build\b/.test(text)

/** What replaces the check, or the shell around it. */
const replacedBy = (one: SimpleCommand): string | null => {
  const name = program(one)
  if (name === "trap") return /\bexit\b/.test(one.text) ? "a trap may have made its exit status" : null
  if (name === "shopt" ? /expand_aliases/.test(one.text) : replacing.has(name) && !reset.has(one.words[1] ?? ""))
    return `\`${name}\` may have put something else in its place`
  if ((name === "source" || name === ".") && !setUp.test(one.words[1] ?? ""))
    return "a script that was read before it may have put something else in its place"
  if (/^(?:npm|pnpm|yarn) (?:config set|set|config|pkg set) /.test(one.text))
    return "a setting that was changed before it may have put something else in its place"
  return null
}

interface Doubt {
  readonly why: string
  /** Even a summary may be another's. */
  readonly whatever: boolean
}

const doubtIn = (command: string, simple: SimpleCommand, { commands }: ShellAnalysis): Doubt | null => {
  if (isBareContainer(command.slice(0, 4000)))
    return { why: "it ran in a container that need not have the change", whatever: true }
  for (const one of commands) {
    const why = replacedBy(one)
    if (why !== null) return { why, whatever: false }
  }
  const variable = variables(command).find((name) => matchesAny(steering, name))
  if (variable !== undefined) return { why: `\`${variable}\` may have made it do something else`, whatever: false }
  const isMake = /^(?:g|b)?make$/.test((simple.via ?? simple.text).split(/\s/, 1)[0] ?? "")
  if (has(simple, skipping) || (isMake && has(simple, [makeSkipping])))
    return { why: "an option lets it pass whatever it does", whatever: false }
  return null
}

/** An output without the lines that the command has in itself, and so may have printed itself. */
const withoutOwn = (output: string, command: string): string => {
  if (!/\b(?:echo|printf|cat|print)\b/.test(command)) return output
  const own = command.slice(0, 8000).replaceAll(/["'`]/g, "")
  return output
    .split("\n")
    .filter((line) => line.trim().length < 4 || !own.includes(line.trim()))
    .join("\n")
}

/** Why a run of a check that passed may not be its own word; null where it is. */
export const doubtOf = (
  command: string,
  simple: SimpleCommand,
  analysis: ShellAnalysis,
  output: string,
  kind: Kind
): string | null => {
  const shows = (text: string): boolean =>
    RunnerOutput.summarize(text, { kind, runner: simple.runner })?.outcome === "passed"
  const rest = withoutOwn(output, command)
  if (rest !== output && shows(output) && !shows(rest)) return "its summary stands in the command itself"
  const doubt = doubtIn(command, simple, analysis)
  return doubt === null || (!doubt.whatever && shows(rest)) ? null : doubt.why
}
