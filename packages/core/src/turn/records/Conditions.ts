/** What the user is told of the conditions for being done that they gave in a session. */
import * as DoneWhen from "../../session/donewhen/DoneWhen.ts"
import { redact } from "../../base/redaction/Redaction.ts"

/**
 * Most characters of what is kept of them.
 *
 * @category limits
 */
export const maxLength = 8000

const how = ({ command }: DoneWhen.AcceptanceItem): string =>
  command === null
    ? "; a model tells, where you have configured one"
    : "; it must pass after the last edit, and is run by reflexion where checks may be run"

/**
 * What was understood, an item in a line; `command` is what the user types before a word of it.
 *
 * @category formatting
 */
export const answer = (text: string, { command }: { readonly command: string }): string => {
  const items = DoneWhen.parse(text)
  if (items.length === 0)
    return text.trim() === ""
      ? "reflexion no longer has conditions of this session's own for its task being done."
      : `reflexion understood no condition in that. One in a line, as in: \`${command} done-when\` and "\`npm test\` passes".`
  const lines = items.map((item) => `- ${redact(DoneWhen.describe(item))}${how(item)}`)
  return [
    "reflexion takes the task of this session to be done when:",
    ...lines,
    `\`${command} done-when\` without a text takes that back.`
  ].join("\n")
}

/**
 * Whether a text has nothing to keep: it takes back what was said before.
 *
 * @category predicates
 */
export const isEmpty = (text: string): boolean => DoneWhen.parse(text).length === 0
