/** What a final text says that the agent goes on after: an act that only the user can do, or something of the user's. */
import { needsHuman } from "../HumanAction.ts"
import type { Prose } from "./prose.ts"

export interface Dependence {
  readonly kind: "act" | "word"
  readonly text: string
}

const kinds: ReadonlySet<string> = new Set(["consent", "login", "second factor", "captcha", "device"])

const prompts =
  /\b(?:passphrase|sudo|keychain|your (?:pin|password)|enter (?:\w+ ){0,2}code|(?:device|login|browser|system) (?:prompt|dialog|page)|browser (?:window|tab)|your browser|(?:logged|signed) in)\b|\/device\b/i

/** What nobody but a person at a keyboard or a device does. */
export const isPersonal = (text: string): boolean => prompts.test(text) || kinds.has(needsHuman(text) ?? "")

const polite =
  /\b(?:please|need you to|(?:can|could|would|will) you) [a-z]|\b(?:on|at|from) your (?:side|end)\b|^(?:touch|tap|solve|approve|unlock)\b/i

const bidden =
  /(?:^|[,:;] |\byou(?:'ll)? (?:need|have) to |\byou must )(?:(?:now|next|then|first|just|so|and)[,:]? )?(?:run|type|approve|accept|enter|finish|complete|log|sign|open|visit|unlock|confirm|authori[sz]e|authenticate|click|scan|plug)\b|^\w+ (?:\w+ )?login`|\b(?:once|when|after|as soon as|until) (?:you|it)\b/i

/** What the user is then to say, or the agent to do. */
const returns =
  /\b(?:let me know(?! if)|tell me|(?:then|please) (?:say|reply)|(?:then|and|so|that|before|until) i\b|i(?:'ll| will) (?!not\b|leave|be\b|never))/i

/** A look at what is done, or an act for another day. */
const leisurely =
  /^(?:to|if|when(?:ever)?|users?)\b|\bto (?:see|try|test|view|check|verify)\b|\band (?:check|verify|see|look|try|test)\b|\b(?:before|when) (?:\w+ing\b|you (?:deploy|publish|release))|\b(?:later|optionally)\b/i

const isAct = (said: ReadonlyArray<string>, at: number): boolean => {
  const sentence = said[at] ?? ""
  const direct = polite.test(sentence)
  if (leisurely.test(sentence) || !(direct || bidden.test(sentence))) return false
  if (!isPersonal(sentence)) return returns.test(sentence) && isPersonal(said[at - 1] ?? "")
  return direct || returns.test(said.slice(at, at + 3).join(" "))
}

/** The agent says that it goes on with something that the user has; its leave to do so is no such thing. */
const relies =
  /\bi(?:'ll| will)? (?:\w{3,5} )?need (?:your\b|you to (?!run|try|test|check|verify|review)\w|(?!to\b)[^.?!]{1,120} from you(?:r side|r end)?\b)|(?:\bi(?:'ll| will|'m| am) (?!keep|leave|also)[^.?!]{1,160} |^holding |^(?=[^.?!]{1,200}\bi(?:'ll| will) ))(?:once|when|as soon as|after|until) (?:you(?:'ve| have)? (?!'|confirm|approv|agree|say|want|need|like|are|run|have|review|deploy)\w|i (?:have|hear|get|receive) [^.?!]{0,60}(?:from you|your))|(?:^|\bi(?:'m| am|'ll| will) (?:now |still )?)(?:wait|await|hold|blocked|paused)[^.?!;,]{0,80} (?:you|your)\b|\b(?:depends|hinges) on (?:you|your (?:answer|decision|choice|reply|input))\b|^(?:please )?(?:send|share|paste|upload|give|provide|attach|answer|reply)\b[^.?!]{1,160} i(?:'ll| will| can)\b/i

/** What the end of the text hangs on, if it is the user's: an act before a thing, and the last of its kind. */
export const dependence = (prose: Prose): Dependence | null => {
  const said = prose.closing.slice(-5).map((sentence) => sentence.slice(0, 400))
  const act = said[said.findLastIndex((_, at) => isAct(said, at))]
  if (act !== undefined) return { kind: "act", text: act.slice(0, 300) }
  const word = said.findLast((sentence) => relies.test(sentence))
  return word === undefined ? null : { kind: "word", text: word.slice(0, 300) }
}
