/** Finds parts of a command that may replace, skip or hide the check. A runner's own summary removes such a doubt. */
import * as RunnerOutput from "../output/RunnerOutput.ts"
import type { ShellAnalysis, SimpleCommand } from "../shell/ShellCommand.ts"

/** Paths of a person's own set-up or of a virtual environment. */
const setUp =
  /^(?:~|\$\{?HOME\b|\/(?!tmp\/|var\/tmp\/|dev\/))|(?:^|\/)activate(?:\.\w{1,5})?$|(?:^|\/)(?:nvm|sdkman-init|conda|asdf|emsdk_env|setup)\.(?:sh|bash)$/

/** True if another command of the call may have replaced the check or set its exit status. */
const replaces = ({ text, words: [program = "", first] }: SimpleCommand): boolean =>
  program === "source" || program === "."
    ? !setUp.test(first ?? "")
    : program === "hash"
      ? !/^-(?:-|r)?$/.test(first ?? "")
      : /^(?:alias|enable|eval)\b|^shopt\b.*expand_aliases|^trap\b.*\bexit\b|^p?npm (?:config )?set |^(?:p?npm|yarn) (?:config|pkg) set /.test(
          text
        )

/** Options with which a check skips its work, or always passes. */
const skipping: ReadonlyArray<RegExp> = [
  /^--(?:if-present|ignore-scripts|script-shell|dry-?run|pass-?with-?no-?tests|exit-zero|no-fail|fail-never|no-exit-code|no-bail|keep-going|no-run|co|collect-only)(?![\w-]|=false)/i,
  /^--(?:suppress-|allow-(?:empty|no-tests|failures?)|ignore-(?:errors|failures)|do-not-fail)/i,
  /^-(?:fn$|D(?:skip\w{0,20}|maven\.test\.(?:failure\.ignore|skip)|testFailureIgnore)|P?ignoreTestFailures)(?!=false)/i
]

/** Options of make that touch targets, ignore errors, or treat a file as old. */
const makeSkipping = /^-(?!-)[a-zA-Z]{0,6}[tio]|^--(?:touch|ignore-errors|old-file|assume-old|eval)/

/** An assignment. The variable may pass options, a shell or other code to the program. */
const assigned = /(?:^|[\s;&|(])([A-Za-z_]\w{0,60})=/

/** True if the container shares no files with this machine and the command does not build the image. */
const isBareContainer = (text: string): boolean =>
  /\b(?:docker|podman|nerdctl) (?:container )?run\b/.test(text) &&
  !/\s(?:-v|--volume|--mount|--volumes-from)\b|\b(?:docker|podman|nerdctl|buildx) (?:image )?build\b|--build\b/.test(
    text
  )

const doubtIn = (command: string, simple: SimpleCommand, { commands }: ShellAnalysis): string | null => {
  if (commands.some(replaces)) return "another program may have replaced it"
  const name = assigned.exec(command)?.[1]
  if (name !== undefined) return `\`${name}\` may have made it do something else`
  const words = `${simple.via ?? ""} ${simple.text}`.replaceAll(/["']/g, "").trim().split(/\s+/, 200)
  const options = words.some((word) => /^(?:g|b)?make$/.test(word)) ? [...skipping, makeSkipping] : skipping
  return words.some((word) => options.some((option) => option.test(word))) ? "an option lets it pass in any case" : null
}

/** Removes lines that also occur in the command, because the command may have printed these lines itself. */
const withoutOwn = (output: string, command: string): string => {
  if (!/\b(?:echo|printf|cat|print)\b/.test(command)) return output
  const own = command.replaceAll(/["'`]/g, "")
  return output
    .split("\n")
    .filter((line) => line.trim().length < 4 || !own.includes(line.trim()))
    .join("\n")
}

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
  if (rest !== output && shows(output) && !shows(rest)) return "the command itself contains the summary"
  if (isBareContainer(command)) return "it ran in a container that may lack the change"
  const doubt = doubtIn(command, simple, analysis)
  return doubt === null || shows(rest) ? null : doubt
}
