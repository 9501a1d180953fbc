/** Applies the rules once after a failed attempt. It uses no schema and no service, because a hook has little time. */
import { clip, oneLine } from "../../base/text/Text.ts"
import * as AttemptOutcome from "../outcomes/AttemptOutcome.ts"
import { clean, decode, type ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"

/** Below the project's folder for reviews. */
export const fileName = "findings.jsonl"

/** The last lines of the outcome log, and of the log of findings. */
export interface Lines {
  readonly outcomes: ReadonlyArray<string>
  readonly known: ReadonlyArray<string>
}

/** The current findings that are not in the log yet. */
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

export const encode = (findings: ReadonlyArray<ReflectionFinding>): string =>
  findings.map((one) => `${JSON.stringify(one)}\n`).join("")

/** In characters. */
const most = 200

/** One line with the first finding and the number of other findings. Empty if there are no findings. */
export const notice = ([first, ...rest]: ReadonlyArray<ReflectionFinding>): string => {
  if (first === undefined) return ""
  const end = ` See \`reflexion cycle\`${rest.length === 0 ? "" : ` (${rest.length} more)`}.`
  const begin = "reflexion: "
  return `${begin}${clip(oneLine(first.detail, first.detail.length), most - begin.length - end.length)}${end}`
}
