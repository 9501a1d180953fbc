/** What an analysis of many runs recommends to change: in a skill, a file that agents load, or a task's own definition. */
import * as Schema from "effect/Schema"
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import { clip, oneLine } from "../../base/text/Text.ts"

/**
 * The most that is kept of an answer: characters of its observations, and of an action's `change`, `target` and `reason`,
 * and how many actions.
 */
export const limits = { observations: 4000, actions: 10, change: 2000, target: 200, reason: 1000 } as const

/**
 * `target` is what is to be changed, a skill, file or task by its name, null where the analysis names none; `change` says
 * what to do, `reason` why, empty where nothing is said. The same target and change have the same `id`, which is safe as a
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
export interface ActionAnswer {
  readonly observations: string
  readonly actions: ReadonlyArray<RecommendedAction>
}

/** However the words are set. */
const idOf = (target: string | null, change: string): string => {
  const said = `${target ?? ""}\n${change}`.toLowerCase().replaceAll(/\s+/g, " ").trim()
  const part = (salt: string): string => KeyHash.ofText(`${salt}${said}`).toString(36).padStart(7, "0")
  return `act-${part("")}${part("2:")}`
}

/** A model's words, without secrets and without places to go to, which nobody but it has named. */
const shown = (text: string, limit: number): string =>
  clip(redact(withoutUnnamed(PlainText.clean(text), [])).trim(), limit)

/** A model that has nothing to recommend may still fill the form. */
const nothing = /^\P{L}*(?:(?:none|nothing|n\/?a)\P{L}*)?$/iu

/** What begins an action, with the emphasis that a model may put around it. */
const marker = /^[\s>#*_`-]{0,8}SKILL_ACTION[*_`]{0,4}:[\s*_`]{0,8}/

/** A paragraph ends at an empty line, or where the next one says what to change. */
const paragraph = /\n[ \t]*\n|\n(?=[>#*_` -]{0,8}SKILL_ACTION[*_`]{0,4}:)/

const named = /^["'`*]{0,4}([^\s:"'`*]{1,200})["'`*]{0,4}:[*_`]{0,4}\s/

const because = /\n\s{0,8}[*_]{0,2}Why[*_]{0,2}:/i

/**
 * An action as it is kept: without secrets, within `limits`, with its id. Null where it says nothing to do.
 *
 * @category constructors
 */
export const make = (given: Omit<RecommendedAction, "id">): RecommendedAction | null => {
  const target = given.target === null ? null : oneLine(redact(given.target), limits.target)
  const change = shown(given.change, limits.change)
  if (nothing.test(change)) return null
  return { id: idOf(target, change), target, change, reason: shown(given.reason, limits.reason) }
}

const actionOf = (text: string): RecommendedAction | null => {
  const [all = "", target = null] = named.exec(text) ?? []
  const [change = "", reason = ""] = text.slice(all.length).split(because)
  return make({ target, change, reason })
}

/** Many times what an answer has that was asked for a few paragraphs. */
const maxRead = 100_000

/**
 * What an answer says: paragraphs that begin with `SKILL_ACTION:` are actions, `NAME: what to change` and a line `Why:`, the
 * others observations. An action that is said twice counts once.
 *
 * @category parsing
 */
export const parse = (text: string): ActionAnswer => {
  const parts = PlainText.clean(redactedHead(text, maxRead)).split(paragraph)
  const actions = parts.flatMap((part) => (marker.test(part) ? (actionOf(part.replace(marker, "")) ?? []) : []))
  const rest = parts.filter((part) => part.trim() !== "" && !marker.test(part)).join("\n\n")
  return {
    observations: shown(rest, limits.observations),
    actions: [...new Map(actions.map((action) => [action.id, action])).values()].slice(0, limits.actions)
  }
}
