/**
 * One look at what many runs show, for what does not last as long as a `ReflectionCycle`: `reflexion cycle`, and a host's
 * adapter when an attempt has failed. Pure, without a schema and without a service, so that a hook can afford it.
 */
import { clip, oneLine } from "../../base/text/Text.ts"
import * as OutcomeLine from "../outcomes/OutcomeLine.ts"
import * as Text from "../rules/FindingText.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"

/** The file of findings below a project's folder for reviews. */
export const fileName = "findings.jsonl"

/**
 * The id by which a look keeps a finding, apart from that of a program's cycle, which is to tell and to do what it would
 * have done.
 */
export const ownId = (id: string): string => `${Text.byHand}${id}`

const decoded = <A>(lines: ReadonlyArray<string>, read: (line: string) => A | null): ReadonlyArray<A> =>
  lines.flatMap((line) => read(line) ?? [])

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
  const [outcomes, known] = [decoded(lines.outcomes, OutcomeLine.read), decoded(lines.known, Text.read)]
  return ReflectionRules.look(options, { outcomes, known, now })
    .filter((seen) => seen.completedAt === null && seen.known.length === 0)
    .map(({ finding }) => Text.clean({ ...finding, id: ownId(finding.id) }))
}

/** A line of the log for each, with its break. */
export const encode = (findings: ReadonlyArray<ReflectionFinding>): string => findings.map(Text.encode).join("")

/** As long as any other notice. */
const most = 200

/** What was to be done is cut before what became of it. */
const shortened = (detail: string, limit: number): string => {
  const text = oneLine(detail, Math.max(limit, detail.length))
  const at = Math.max(text.lastIndexOf('" '), text.lastIndexOf(") "))
  const rest = at < 0 ? "" : text.slice(at)
  return text.length <= limit || rest.length > limit / 2
    ? clip(text, limit)
    : `${clip(text.slice(0, at), limit - rest.length)}${rest}`
}

/** What the user is told of findings, in one line: the first, and how many more there are. Empty for none. */
export const notice = ([first, ...rest]: ReadonlyArray<ReflectionFinding>): string => {
  if (first === undefined) return ""
  const end = ` See \`reflexion cycle\`${rest.length === 0 ? "" : ` (${rest.length} more)`}.`
  const begin = "reflexion: "
  return `${begin}${shortened(first.detail, most - begin.length - end.length)}${end}`
}
