/**
 * One look at what many runs show, for a host's adapter when an attempt has failed: without a schema and without a service, so
 * that a hook can afford it.
 */
import { clip, oneLine } from "../../base/text/Text.ts"
import * as AttemptOutcome from "../outcomes/AttemptOutcome.ts"
import { clean, decode, type ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"

/** The file of findings below a project's folder for reviews. */
export const fileName = "findings.jsonl"

/** Lines of a project's files: `outcomes` has the end of its outcome log, `known` that of its findings. */
export interface Lines {
  readonly outcomes: ReadonlyArray<string>
  readonly known: ReadonlyArray<string>
}

/** What goes on and is not among the findings yet, as it is to be kept there. */
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

/** A line of the log for each, with its break. */
export const encode = (findings: ReadonlyArray<ReflectionFinding>): string =>
  findings.map((one) => `${JSON.stringify(one)}\n`).join("")

/** As long as any other notice. */
const most = 200

/** What the user is told of findings, in one line: the first, and how many more there are. Empty for none. */
export const notice = ([first, ...rest]: ReadonlyArray<ReflectionFinding>): string => {
  if (first === undefined) return ""
  const end = ` See \`reflexion cycle\`${rest.length === 0 ? "" : ` (${rest.length} more)`}.`
  const begin = "reflexion: "
  return `${begin}${clip(oneLine(first.detail, first.detail.length), most - begin.length - end.length)}${end}`
}
