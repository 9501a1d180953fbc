/** The question that ends a final text, and what is asked by it. */
import type { Prose } from "../../ground/text/AgentSentences.ts"
import { isDanger, isOutward, isRisky } from "./irreversibleActions.ts"
import * as rows from "./questionRows.ts"
import { takes } from "../../ground/text/Rows.ts"
import { isHeading, isListItem, plain, sentences } from "../../ground/text/Text.ts"
import type { Question } from "./model.ts"

/** "Shall I?", "Approve?" */
export const bare = /^(?:so,? )?(?:(?:shall|should|may|can) i|approved?|ok(?:ay)?|deal)\W{1,3}(?:\[?y\/n\]?)?$/i

/** "Which branch shall I push to?", "Before I go on: what should it be called?" */
export const wh =
  /^(?:[^?]{0,60}[:,] |so |and |but |also )?(?:which|what(?! (?:else|do you think|about))|where|who|when|how (?:should|do you|would you|many|much|long|often))\b/i

/** What would be done names something that cannot be taken back; a bare "Shall I?" asks for what stands before it. */
const isRiskyStep = (text: string, before: string): boolean =>
  isRisky(text) || ((takes(rows.goesOn, text) || bare.test(text)) && isDanger(before))

/** Whether a sentence asks leave for a step of the agent's own, or offers it. */
export const isOffer = (text: string): boolean => takes(rows.offers, text) || takes(rows.stated, text)

const kindOf = (text: string, options: boolean, before: string): Question["kind"] => {
  const offers = takes(rows.offers, text)
  if (takes(rows.consents, text) || isRiskyStep(text, before) || (offers && isOutward(text))) return "risk"
  if (/^(?:is there )?anything else\b/i.test(text)) return "extra"
  if (!offers || wh.test(text) || takes(rows.plans, text)) return "choice"
  if (takes(rows.extras, text)) return "extra"
  return options || takes(rows.either, text) ? "choice" : "offer"
}

/** "Should the branch contain:" before a list of options is a question as well. */
const asksByList = (sentence: string, options: number): boolean =>
  options > 1 && /^(?:question:?\s)?(?:should|which|would you|do you|shall)\b.{0,300}:$/i.test(sentence)

/** What a user of the program chooses is none of the agent's business. */
const inProgram = /\b(?:in|from|under) (?:the (?!following)|your )\w|\bto (?:see|try|test)\b/i

const chooses = (sentence: string): boolean => takes(rows.picks, sentence) && !inProgram.test(sentence)

/** Whether a sentence ends as a question. */
export const isQuestion = (sentence: string): boolean => /[?？]["')\]*`\s]{0,4}$/.test(sentence.slice(-12))

const unbalanced = (sentence: string, mark: string): boolean => sentence.split(mark).length % 2 === 0

const quoted = (sentence: string): boolean =>
  unbalanced(sentence, "`") ||
  unbalanced(sentence, '"') ||
  /^["'`“]/.test(sentence) ||
  /^\?\s/.test(sentence) ||
  /["“'`][^"“”'`]{2,300}[?？]["”'`]/.test(sentence.slice(-600))

/** What the agent does not know it cannot have answered. */
const unknown = /n't\b|\b(?:not|no|nothing|unknown|unclear|depends)\b/i

/** A question that the text answers itself in the next breath. */
const answered = (sentence: string, next: string | undefined): boolean =>
  next !== undefined &&
  (/^(?:because\b|(?:yes|no)[.,!:;])/i.test(next) ||
    (/^(?:why|what|how)\b/i.test(sentence) &&
      !/\b(?:you|your|we|i|me|should|shall)\b/i.test(sentence) &&
      !/[?]$/.test(next) &&
      !unknown.test(next)))

/**
 * The question that ends a text. One that is followed by more than a closing remark or a list of options is not put
 * to the user; a quoted one, or one inside a list of facts, is somebody else's.
 */
export const findQuestion = (prose: Prose): Question | null => {
  const last = prose.paragraphs.slice(-4)
  let after = 0
  let options = 0
  for (let at = last.length - 1; at >= 0; at--) {
    const lines = last[at] ?? []
    for (let row = lines.length - 1; row >= 0; row--) {
      const line = lines[row] ?? ""
      const said = sentences(plain(line))
      for (let index = said.length - 1; index >= 0; index--) {
        const sentence = said[index] ?? ""
        if (isHeading(line) && after > 0) return null
        if (
          (isQuestion(sentence) || asksByList(sentence, options)) &&
          !quoted(sentence) &&
          !answered(sentence, said[index + 1])
        ) {
          const item = isListItem(line) && !takes(rows.offers, sentence)
          if (item && !asksInList(lines, row)) return null
          const listed = options > 1 || hasOptions(last.slice(0, at + 1))
          const before = said[index - 1] ?? sentences(plain(lines[row - 1] ?? last[at - 1]?.at(-1) ?? "")).at(-1)
          return {
            text: sentence.slice(0, 300),
            kind: kindOf(sentence.slice(0, 400), listed, (before ?? "").slice(0, 400))
          }
        }
        if (!isListItem(line) && !quoted(sentence) && chooses(sentence.slice(0, 300)))
          return { text: sentence.slice(0, 300), kind: "choice" }
        if (isListItem(line)) continue
        after += 1
      }
      if (isListItem(line)) options += 1
      if (after > 2 || isHeading(line)) return null
    }
  }
  return offeredWithout(prose)
}

/** What the last sentence offers to do, with the one before where it only says "it"; no extra. */
export const offered = ({ closing, last }: Prose): string | null => {
  if (!takes([...rows.stated, ...rows.forTheAsking], last.slice(0, 300)) || takes(rows.extras, last.slice(0, 300)))
    return null
  return /\b(?:it|that|this|so)\b/i.test(last) ? `${closing.at(-2) ?? ""} ${last}` : last
}

const offeredWithout = (prose: Prose): Question | null => {
  const found = prose.closing
    .slice(-2)
    .map((sentence) => sentence.slice(0, 300))
    .find((sentence) => takes(rows.stated, sentence))
  if (found === undefined) return null
  return { text: found, kind: isOutward(found) ? "risk" : takes(rows.extras, found) ? "extra" : "offer" }
}

const asksInList = (lines: ReadonlyArray<string>, row: number): boolean =>
  lines.slice(row).every((line) => isListItem(line) || line.startsWith(" ")) &&
  /\?/.test((lines[lines.length - 1] ?? "").slice(0, 2000))

/** Whether the end of a text lists what is to be chosen from. */
export const listsOptions = ({ paragraphs }: Prose): boolean => hasOptions(paragraphs)

const hasOptions = (before: ReadonlyArray<ReadonlyArray<string>>): boolean =>
  before
    .slice(-3)
    .some(
      (paragraph) =>
        paragraph.filter((line) => /^\s{0,8}(?:\*\*)?(?:option\s)?(?:\d{1,2}|[a-d])[.):]/i.test(line.slice(0, 40)))
          .length > 1
    )
