/** Whose turn it is: what a final text says that the agent goes on after, or that stands in its way. */
import { isRisky } from "./irreversibleActions.ts"
import { needsHuman } from "./HumanAction.ts"
import * as rows from "./waitRows.ts"
import { type Row, takes } from "../../ground/text/Rows.ts"
import type { Prose } from "../../ground/text/AgentSentences.ts"

/**
 * `act`: only a person can do it; `word`: the user's answer or leave, or a thing of the user's; `blocked`: what stands in the
 * way; `risk`: nothing, and what the agent goes on to do cannot be undone.
 */
export interface Dependence {
  readonly kind: "act" | "word" | "blocked" | "risk"
  readonly text: string
}

/** What nobody but a person at a keyboard or a device does. */
export const isPersonal = (text: string): boolean => {
  const kind = needsHuman(text)
  return kind === "login" || kind === "device"
}

const needsPerson = (text: string): boolean => {
  const kind = needsHuman(text)
  return kind !== null && kind !== "approval"
}

const ownCheck =
  /\b(?:run|re-?run|execute|try|write|verify|check)\b[^.?!]{0,40}\b(?:tests?|suite|lint\w{0,4}|build|checks?|type ?check\w{0,3})\b/i

/** Why it would rather ask, even for what it was told to run. */
const reason = /\b(?:because|since|as) (?:it|they|that)\b/i

/** Leave for a check of the agent's own work is nothing to wait for, unless it says what harm that does. */
const waits = (sentence: string): boolean =>
  takes(rows.waits, sentence) ||
  (takes(rows.leave, sentence) && (!ownCheck.test(sentence) || reason.test(sentence) || isRisky(sentence)))

/** A look at what is done, or an act for another day. */
const leisure =
  /^(?:if|when(?:ever)?|users?|to (?!continue|proceed|go on|finish))\b|\b(?:to|and) (?:see|try|test|view|check|verify)\b|\bbefore (?:you|\w+ing)\b/i

/** The user is asked for what needs a person; "it" stands for what the sentence before names. */
const isAct = (said: ReadonlyArray<string>, at: number): boolean => {
  const sentence = said[at] ?? ""
  if (leisure.test(sentence)) return false
  if (!waits(sentence) && !takes(rows.bids, sentence) && !takes(rows.orders, said.slice(at, at + 2).join(" ")))
    return false
  return needsPerson(sentence) || (/\bit\b/i.test(sentence) && isPersonal(said[at - 1] ?? ""))
}

/** It could do nothing, and goes on when it is given something. */
const isHeldUp = (said: ReadonlyArray<string>, at: number): boolean =>
  rows.onGiving.pattern.test(said.slice(Math.max(0, at - 1), at + 1).join(" "))

/** A step of the agent's own that is yet to come. */
const comes = /\b(?:i(?:'ll| will|'m (?:about|going) to| am (?:about|going) to)|let me)\b|^(?:the )?next\b/i

const of =
  (some: ReadonlyArray<Row>) =>
  (sentence: string): boolean =>
    takes(some, sentence)

/** What the end of the text hangs on, if it is the user's: an act before a word, and the last of its kind. */
export const dependence = (prose: Prose, english: boolean): Dependence | null => {
  const said = prose.closing.slice(-6).map((sentence) => sentence.slice(0, 400))
  const last = (kind: Dependence["kind"], is: (sentence: string, at: number) => boolean): Dependence | null => {
    const text = said.findLast(is)
    return text === undefined ? null : { kind, text: text.slice(0, 300) }
  }
  const plea = last("word", of(rows.pleas))
  if (!english) return plea
  return (
    last("act", (_, at) => isAct(said, at)) ??
    last("word", (sentence, at) => waits(sentence) || isHeldUp(said, at)) ??
    last("blocked", of(rows.blocks)) ??
    last("risk", (sentence, at) => at >= said.length - 2 && comes.test(sentence) && isRisky(sentence)) ??
    plea
  )
}
