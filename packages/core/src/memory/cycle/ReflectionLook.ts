/**
 * Applies the rules once, for a host's adapter after a failed attempt. This code uses no schema and no service, so it
 * is fast enough for a hook.
 */
import { clip, oneLine } from "../../base/text/Text.ts"
import * as AttemptOutcome from "../outcomes/AttemptOutcome.ts"
import { clean, decode, type ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"

/** The name of the file with the findings. The file lies below the project's folder for reviews. */
export const fileName = "findings.jsonl"

/** The last lines of two files of a project. */
export interface Lines {
  /** From the outcome log. */
  readonly outcomes: ReadonlyArray<string>
  /** From the log of findings. */
  readonly known: ReadonlyArray<string>
}

/** Returns the current findings that are not in the log yet, in the log's form. */
export const fresh = (
  options: ReflectionRules.Options,
  lines: Lines,
  now: number
): ReadonlyArray<ReflectionFinding> => {
  const outcomes = lines.outcomes.flatMap((line) => AttemptOutcome.decode(line) ?? [])
  const known = lines.known.flatMap((line) => decode(line) ?? [])
  return ReflectionRules.look(options, { outcomes, known, now })
    .filter((seen) => seen.known.length === 0)
    .map(({ finding }) => clean(finding))
}

/** Returns one line of the log for each finding, with its line break. */
export const encode = (findings: ReadonlyArray<ReflectionFinding>): string =>
  findings.map((one) => `${JSON.stringify(one)}\n`).join("")

/** The maximum length of the notice. Every notice has the same limit. */
const most = 200

/**
 * Tells the user about findings in one line: the first finding, and the number of further ones. Empty if there are no
 * findings.
 */
export const notice = ([first, ...rest]: ReadonlyArray<ReflectionFinding>): string => {
  if (first === undefined) return ""
  const end = ` See \`reflexion cycle\`${rest.length === 0 ? "" : ` (${rest.length} more)`}.`
  const begin = "reflexion: "
  return `${begin}${clip(oneLine(first.detail, first.detail.length), most - begin.length - end.length)}${end}`
}
