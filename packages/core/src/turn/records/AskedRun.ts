/** What the user is told who asked for the checks to be run. */
import * as CheckResult from "../../ask/checks/CheckResult.ts"
import { clean } from "../../base/text/PlainText.ts"
import { oneLineOfWords } from "../../base/text/Text.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import * as TakenChecks from "../../session/config/TakenChecks.ts"

/**
 * There is nothing to run.
 *
 * @category rendering
 */
export const none =
  "reflexion has no check that it may run here: `reflexion checks add`, in a terminal in the project, shows those that the project has and asks whether to take them; `verify` in your configuration names others."

/**
 * There is no place to run it in.
 *
 * @category rendering
 */
export const unconfined =
  'reflexion ran nothing: this host has no sandbox for a check, which runs what the agent wrote. `"verify": { "unsandboxed": true }` in your own configuration lets it run without one.'

const mostNamed = 5

const failing = ({ failing: all }: CheckResult.CheckResult): string => {
  const names = all.slice(0, mostNamed).map(({ file, name }) => (file === null ? name : `${name} (${file})`))
  return names.length === 0 ? "" : `\n  failing: ${names.join("; ")}${all.length > mostNamed ? "; …" : ""}`
}

const lineOf = (result: CheckResult.CheckResult): string => {
  const ran = CheckResult.ran([result])
  return `${ran ?? `reflexion did not run it now: ${CheckResult.describe(result)}`}.${failing(result)}`
}

/**
 * How each went: its command, how it ended, how long it took, and what failed.
 *
 * @category rendering
 */
export const told = (results: ReadonlyArray<CheckResult.CheckResult>): string =>
  [...results.map(lineOf), "The agent was told nothing."].join("\n")

/**
 * What there is to say of the checks that were taken, behind how reflexion stands in a session; empty where none were.
 *
 * @category rendering
 */
export const standing = (config: Pick<ReflexionConfig, "verify">): string => {
  const commands = TakenChecks.of(config).map(({ command }) => `\`${oneLineOfWords(redact(clean(command)), 80)}\``)
  return commands.length === 0
    ? ""
    : ` Where nobody is there it may run ${commands.join(", ")}, which you took for this project: \`reflexion checks remove\` turns that off.`
}
