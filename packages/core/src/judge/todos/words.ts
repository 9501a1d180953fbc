/** Reads the text of a todo: is it given to another agent, and is it about writing code? */
import { asPattern } from "../../base/text/Text.ts"

/** Only the beginning of a todo is read, because the important words are there. */
const most = 400

const shown = (content: string): string => content.slice(0, most)

/** Matches `@explore look …`, but no e-mail address, decorator or package name. */
const mention = /(?:^|[\s(:>-])@[a-z][\w-]{1,40}(?![\w/.@(-])/i

const handedOn =
  /\bdelegat(?:e|ed|es|ing)\b|\bsub-?agents?\b|\bagent: {0,3}\w|\b(?:ask|have|let|use|via|launch|spawn|start|run|hand|assign|give|send|pass)\b.{0,80}\bagents?\b/i

const named = (content: string, agents: ReadonlyArray<string>): boolean =>
  agents.some((name) =>
    new RegExp(`(?:^|\\b(?:to|by|via|for|with)\\s|[@([])${asPattern(name)}(?=$|[\\s:)\\],.-])`, "i").test(content)
  )

export const isDelegated = (content: string, agents: ReadonlyArray<string> = []): boolean => {
  const text = shown(content)
  return mention.test(text) || handedOn.test(text) || named(text, agents)
}

/** Signs before the words of a todo: bullets, boxes, numbers, emphasis or "Step 2:". */
const lead = /^(?:[\s*_#>•-]|\[[ x]\]|\d{1,3}[.):]|(?:step|task|phase|todo)\s{0,2}\d{0,3}[:.)-])*/i

/** The stems of verbs: "update", "updates", "updated" and "updating". */
const writing =
  /^(?:re(?:factor|plac|mov|nam|structur)|(?:re)?(?:implement|writ|cod|add|fix|build|creat|develop|modif|chang|edit|port|migrat|delet|extend|patch|debug|updat|optimi[sz]))(?:[gy]?ing|i?e[sd]|[esy])?\b/i

/** Writing one of these is not writing code. */
const prose =
  /\b(?:reviews?|plan|summary|report|notes?|spec(?:ification)?|issues?|tickets?|outline|proposal|brief|prompts?|docs?|documentation|readme|changelog|todos?|questions?|checklist|roadmap|message)\b/i

export const isImplementation = (content: string): boolean => {
  const text = shown(content).replace(lead, "")
  const head = text.split(/\s+/, 8).join(" ")
  return writing.test(head) && !prose.test(head)
}
