/**
 * What an analysis of many runs recommends to change: in a skill, a file that agents load, or a task's own definition.
 */
import * as Schema from "effect/Schema"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import * as AnalysisJson from "./json.ts"
import { saysNothing } from "./nothing.ts"
import { paragraphs } from "./paragraphs.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import { clip, oneLine } from "../../base/text/Text.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import { redact } from "../../base/redaction/Redaction.ts"

/**
 * The most that is kept of an answer: characters of its observations, and of an action's `change`, `target` and `reason`,
 * and how many actions.
 */
export const limits = { observations: 4000, actions: 10, change: 2000, target: 200, reason: 1000 } as const

/**
 * `target` is what is to be changed, a skill or file by its name, null where the analysis names none; `change` says what
 * to do, `reason` why, empty where nothing is said. The same target and change have the same `id`, which is safe as a
 * file's name and as a part of a branch's.
 *
 * @category models
 */
export const RecommendedAction = Schema.Struct({
  id: Schema.NonEmptyString,
  target: Schema.NullOr(Schema.String),
  change: Schema.NonEmptyString,
  reason: Schema.String
}).annotations({ identifier: "RecommendedAction" })

export type RecommendedAction = typeof RecommendedAction.Type

/**
 * What a model's answer comes to.
 *
 * @category models
 */
export interface Answered {
  readonly observations: string
  readonly actions: ReadonlyArray<RecommendedAction>
}

/**
 * `known` are the names of skills and files that the answer may be about: where an action names no target of its own, the
 * first of them that stands in its text is one.
 *
 * @category models
 */
export interface Options {
  readonly known?: ReadonlyArray<string>
}

/** However the words are set. */
const idOf = (target: string | null, change: string): string => {
  const said = `${target ?? ""}\n${change}`.toLowerCase().replaceAll(/\s+/g, " ").trim()
  const part = (salt: string): string => KeyHash.ofText(`${salt}${said}`).toString(36).padStart(7, "0")
  return `act-${part("")}${part("2:")}`
}

/** A model's words, without secrets and without places to go to, which nobody but it has named. */
const shown = (text: string): string => redact(withoutUnnamed(PlainText.clean(text), [])).trim()

/**
 * An action as it is kept: without secrets, within `limits`, with its id. Null where it says nothing to do.
 *
 * @category constructors
 */
export const make = ({ change, reason, target }: Omit<RecommendedAction, "id">): RecommendedAction | null => {
  const what = clip(shown(change), limits.change)
  if (what === "" || saysNothing(what)) return null
  const name = target === null ? "" : oneLine(redact(target), limits.target)
  const which = name === "" || saysNothing(name) ? null : name
  return {
    id: idOf(which, what),
    target: which,
    change: what,
    reason: clip(shown(reason), limits.reason)
  }
}

/** Of alphabets that part words: where a sign is a word, names stand next to each other. */
const letter = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_]/u

const isInWord = (text: string, at: number): boolean => letter.test(text.charAt(at - 1)) && letter.test(text.charAt(at))

const isWordIn = (text: string, name: string): boolean => {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isInWord(text, at) && !isInWord(text, at + name.length)) return true
  return false
}

/** The first of those that stand in the text; what stands there as a part of another is that one. */
const mentioned = (text: string, known: ReadonlyArray<string>): string | null => {
  const [first = null, ...others] = known.filter((name) => name.length > 2 && isWordIn(text, name))
  return first === null ? null : (others.find((name) => name.includes(first)) ?? first)
}

/** A name in other letters is the name that is known. */
const resolved = (said: AnalysisJson.Said, known: ReadonlyArray<string>): string | null => {
  const { change, reason, target } = said
  if (target === null) return mentioned(`${change.slice(0, limits.change)}\n${reason.slice(0, limits.reason)}`, known)
  const same = known.find((name) => name.toLowerCase() === target.trim().toLowerCase())
  return same ?? target
}

/** Many times what an answer has that was asked for a few paragraphs. */
const maxRead = 100_000

const fence = /\n?[ \t]{0,12}`{3,8}[\w-]{0,20}[ \t]{0,12}\n?$/

const withoutFence = (text: string): string => text.trimEnd().replace(fence, "").trim()

/**
 * What an answer says, whatever its form: `SKILL_ACTION:` paragraphs among prose, or JSON at its end, in any language. An
 * answer without any action is one of observations alone; an action that is said twice counts once.
 *
 * @category parsing
 */
export const parse = (text: string, { known = [] }: Options = {}): Answered => {
  const plain = PlainText.clean(redactedHead(text, maxRead))
  const tail = AnalysisJson.tail(plain)
  const before = withoutFence(plain.slice(0, tail.at))
  const prose = [before, tail.observations ?? ""].map(paragraphs)
  const said = [...prose.flatMap((part) => part.actions), ...tail.actions]
  const rest = prose.flatMap((part) => (part.rest.trim() === "" ? [] : [part.rest])).join("\n\n")
  const actions = said.flatMap((one) => make({ ...one, target: resolved(one, known) }) ?? [])
  return {
    observations: clip(
      withoutUnnamed(rest, [])
        .replaceAll(/\n{3,}/g, "\n\n")
        .trim(),
      limits.observations
    ),
    actions: [...new Map(actions.map((action) => [action.id, action])).values()].slice(0, limits.actions)
  }
}
