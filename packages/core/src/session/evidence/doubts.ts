/**
 * What in a command may replace, skip or hide the check that it is called after. It says nothing of a run that shows a runner's
 * own summary, unless that may be another's; and it matters only after a run that failed.
 */
import * as RunnerOutput from "../output/RunnerOutput.ts"
import type { ShellAnalysis, SimpleCommand } from "../shell/ShellCommand.ts"

/** Where a person's own set-up lies, or a virtual environment's. */
const setUp =
  /^(?:~|\$\{?HOME\b|\/(?!tmp\/|var\/tmp\/|dev\/))|(?:^|\/)activate(?:\.\w{1,5})?$|(?:^|\/)(?:nvm|sdkman-init|conda|asdf|emsdk_env|setup)\.(?:sh|bash)$/

/** Whether another command of the call may have put something else in the check's place, or made its exit status. */
const replaces = ({ text, words: [program = "", first] }: SimpleCommand): boolean =>
  program === "source" || program === "."
    ? !setUp.test(first ?? "")
    : program === "hash"
      ? !/^-(?:-|r)?$/.test(first ?? "")
      : /^(?:alias|enable|eval)\b|^shopt\b.*expand_aliases|^trap\b.*\bexit\b|^p?npm (?:config )?set |^(?:p?npm|yarn) (?:config|pkg) set /.test(
          text
        )

/** Options with which a check skips its work, or passes whatever it finds. */
const skipping: ReadonlyArray<RegExp> = [
  /^--(?:if-present|ignore-scripts|script-shell|dry-?run|pass-?with-?no-?tests|exit-zero|no-fail|fail-never|no-exit-code|no-bail|keep-going|no-run|co|collect-only)(?![\w-]|=false)/i,
  /^--(?:suppress-|allow-(?:empty|no-tests|failures?)|ignore-(?:errors|failures)|do-not-fail)/i,
  /^-(?:fn$|D(?:skip\w{0,20}|maven\.test\.(?:failure\.ignore|skip)|testFailureIgnore)|P?ignoreTestFailures)(?!=false)/i
]

/** Of make: touch, ignore errors, take a file for old. */
const makeSkipping = /^-(?!-)[a-zA-Z]{0,6}[tio]|^--(?:touch|ignore-errors|old-file|assume-old|eval)/

/** A variable may hand options, a shell or other code to what is run. */
const assigned = /(?:^|[\s;&|(])([A-Za-z_]\w{0,60})=/

/** A container without anything of this machine's in it, and whose image the command does not make. */
const isBareContainer = (text: string): boolean =>
  /\b(?:docker|podman|nerdctl) (?:container )?run\b/.test(text) &&
  !/\s(?:-v|--volume|--mount|--volumes-from)\b|\b(?:docker|podman|nerdctl|buildx) (?:image )?build\b|--build\b/.test(
    text
  )

const doubtIn = (command: string, simple: SimpleCommand, { commands }: ShellAnalysis): string | null => {
  if (commands.some(replaces)) return "something else may have been put in its place"
  const name = assigned.exec(command)?.[1]
  if (name !== undefined) return `\`${name}\` may have made it do something else`
  const words = `${simple.via ?? ""} ${simple.text}`.replaceAll(/["']/g, "").trim().split(/\s+/, 200)
  const options = words.some((word) => /^(?:g|b)?make$/.test(word)) ? [...skipping, makeSkipping] : skipping
  return words.some((word) => options.some((option) => option.test(word)))
    ? "an option lets it pass whatever it does"
    : null
}

/** An output without the lines that the command has in itself, and so may have printed itself. */
const withoutOwn = (output: string, command: string): string => {
  if (!/\b(?:echo|printf|cat|print)\b/.test(command)) return output
  const own = command.replaceAll(/["'`]/g, "")
  return output
    .split("\n")
    .filter((line) => line.trim().length < 4 || !own.includes(line.trim()))
    .join("\n")
}

/** Why a run of a check that passed may not be its own word; null where it is. */
export const doubtOf = (
  whole: string,
  simple: SimpleCommand,
  analysis: ShellAnalysis,
  output: string,
  kind: RunnerOutput.Kind
): string | null => {
  const command = whole.slice(0, 4000)
  const shows = (text: string): boolean =>
    RunnerOutput.summarize(text, { kind, runner: simple.runner })?.outcome === "passed"
  const rest = withoutOwn(output, command)
  if (rest !== output && shows(output) && !shows(rest)) return "its summary stands in the command itself"
  if (isBareContainer(command)) return "it ran in a container that need not have the change"
  const doubt = doubtIn(command, simple, analysis)
  return doubt === null || shows(rest) ? null : doubt
}
