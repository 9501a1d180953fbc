/** The answers to the user's commands. They have their own module, because the end of a turn needs no answers. */
import { safeText } from "../../base/redaction/SafeText.ts"
import * as CheckResult from "../../checks/CheckResult.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { oneLineOfWords } from "../../base/text/Text.ts"
import type { Attended, ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import * as TakenChecks from "../../session/config/TakenChecks.ts"
import * as DoneWhen from "../../session/donewhen/DoneWhen.ts"
import type { ReviewState } from "../machine/ReviewState.ts"
import * as Notice from "./Notice.ts"

/** The name of the command in this host. */
interface Typed {
  readonly command?: string
}

/**
 * The answer if there is no check to run.
 *
 * @category checks
 */
export const noCheck =
  "reflexion has no check that it may run here. Run `reflexion allow checks` in a terminal in the project: it shows the project's checks and asks whether to run them. You can name other checks under `checks` in your configuration."

/**
 * The answer if the host's sandbox does not work.
 *
 * @category checks
 */
export const unconfined =
  "reflexion ran nothing: the sandbox of this host does not work here, and without it no check is run."

const mostNamed = 5

const failing = ({ failing: all }: CheckResult.CheckResult): string => {
  const names = all.slice(0, mostNamed).map(({ file, name }) => (file === null ? name : `${name} (${file})`))
  return names.length === 0 ? "" : `\n  failing: ${names.join("; ")}${all.length > mostNamed ? "; …" : ""}`
}

/**
 * Describes the result of each check: its command, how it ended, how long it took, and what failed.
 *
 * @category checks
 */
export const checked = (results: ReadonlyArray<CheckResult.CheckResult>): string => {
  const lines = results.map((result) => {
    const ran = CheckResult.ran([result]) ?? `reflexion did not run the check now: ${CheckResult.describe(result)}`
    return `${ran}.${failing(result)}`
  })
  return [...lines, "The agent does not see these results."].join("\n")
}

const whens: Readonly<Record<NonNullable<ReflexionConfig["checks"][number]["when"]>, string>> = {
  stop: "",
  claim: ", only if the check is required or the agent says that the check passes",
  ask: ", only if you ask for the check"
}

/**
 * The answer to an unknown word after `checks`.
 *
 * @category checks
 */
export const checksWords = ({ command = "/reflection" }: Typed): string =>
  `After \`${command} checks\` you can write run, on or off.`

/**
 * Lists the checks that may run in a session. `isOff` is true if the user turned checks off in that session.
 *
 * @category checks
 */
export const checks = (
  { checks: all }: Pick<ReflexionConfig, "checks">,
  { command = "/reflection", isOff }: Typed & { readonly isOff: boolean }
): string => {
  if (all.length === 0) return noCheck
  const lines = all.map(
    ({ command: words, name, print, when = "stop" }) =>
      `  ${name}: \`${oneLineOfWords(safeText(words), 200)}\`, ${print === undefined ? "from your configuration" : "which you allowed in this project"}${whens[when]}`
  )
  const [standing, other] = isOff
    ? ["You turned these checks off in this session:", `\`${command} checks on\` turns them on again`]
    : [
        "reflexion runs these checks when the agent stops after a change:",
        `\`${command} checks off\` turns them off in this session`
      ]
  const ways = `\`${command} checks run\` runs them now; ${other}; \`reflexion allow checks\`, in a terminal, allows more checks or forbids them again.`
  return [standing, ...lines, ways].join("\n")
}

const allowed = (config: Pick<ReflexionConfig, "checks">): string => {
  const commands = TakenChecks.of(config).map(({ command }) => `\`${oneLineOfWords(safeText(command), 80)}\``)
  return commands.length === 0
    ? ""
    : ` reflexion may run ${commands.join(", ")}, which you allowed in this project: \`reflexion allow checks --revoke\` revokes this.`
}

/**
 * Describes the state of reflexion in a session. `problem` is the error in the configuration, or null.
 *
 * @category status
 */
export const standing = (
  { attempts, enabled }: Pick<ReviewState, "attempts" | "enabled">,
  given: Typed & {
    readonly config: Pick<ReflexionConfig, "maxAttempts" | "profile" | "checks">
    readonly problem: string | null
    readonly tellsOnly?: boolean | undefined
  }
): string => {
  const { command = "/reflection", config, tellsOnly = false } = given
  const problem = given.problem === null ? null : Notice.problem(given.problem)
  if (enabled && problem !== null) return problem
  const words =
    enabled && (tellsOnly || config.profile === "advisory")
      ? `reflexion is on in this session and only tells you${tellsOnly ? "" : ": the profile is advisory"}. \`${command} stop\` turns it off.`
      : Notice.render({ ...config, notice: enabled ? "on" : "off", verdict: null, attempts, command })
  return `${words}${allowed(config)}${problem === null ? "" : ` And ${problem}`}`
}

/**
 * The maximum number of characters kept of the user's conditions.
 *
 * @category conditions
 */
export const maxConditions = 8000

const how = ({ command }: DoneWhen.AcceptanceItem): string =>
  command === null
    ? "; a model decides, if you have configured one"
    : "; the command must pass after the last edit, and reflexion runs it where checks are allowed"

/**
 * Lists the conditions that were understood, one per line.
 *
 * @category conditions
 */
export const conditions = (text: string, { command = "/reflection" }: Typed): string => {
  const items = DoneWhen.parse(text)
  if (items.length > 0)
    return [
      "reflexion now calls the task of this session done when:",
      ...items.map((item) => `- ${redact(DoneWhen.describe(item))}${how(item)}`),
      `\`${command} done-when\` without a text removes these conditions.`
    ].join("\n")
  return text.trim() === ""
    ? "reflexion has removed this session's own conditions for a done task."
    : `reflexion found no condition in your text. Write one condition per line, for example: \`${command} done-when\` and "\`npm test\` passes".`
}

/**
 * The answer when the user says that they are present or away. The configured `setting` overrides the user's word.
 *
 * @category presence
 */
export const presence = (
  isHere: boolean,
  { command = "/reflection", setting }: Typed & { readonly setting: Attended }
): string => {
  if (setting !== "auto" && setting !== isHere)
    return `reflexion: your configuration says \`"attended": ${setting}\`, which overrides what you say here.`
  return isHere
    ? `reflexion assumes in this session that you are there: the agent may ask. \`${command} away\` says that nobody is there.`
    : `reflexion assumes in this session that nobody is there: the agent decides by itself where it can, and does not ask. \`${command} here\` undoes that.`
}
