/** A change that the analysis of many runs recommends: to a skill, a file that agents load, or a task's definition. */
import * as Schema from "effect/Schema"
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import * as KeyHash from "../../base/system/KeyHash.ts"
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import * as PlainText from "../../base/text/PlainText.ts"
import { clip, oneLine } from "../../base/text/Text.ts"

/** How much of an answer is kept. `actions` is a number of actions; all other limits are in characters. */
export const limits = { observations: 4000, actions: 10, change: 2000, target: 200, reason: 1000 } as const

/** @category models */
export const RecommendedAction = Schema.Struct({
  /** Depends only on the target and the change. Safe in file names and branch names. */
  id: Schema.NonEmptyString,
  /** The skill, file or task to change. Null if the analysis names none. */
  target: Schema.NullOr(Schema.String),
  change: Schema.NonEmptyString,
  /** Empty if the analysis gives no reason. */
  reason: Schema.String
}).annotations({ identifier: "RecommendedAction" })

export type RecommendedAction = typeof RecommendedAction.Type

/** @category models */
export interface ActionAnswer {
  readonly observations: string
  readonly actions: ReadonlyArray<RecommendedAction>
}

/** Differences in case and white space do not change the id. */
const idOf = (target: string | null, change: string): string => {
  const said = `${target ?? ""}\n${change}`.toLowerCase().replaceAll(/\s+/g, " ").trim()
  const part = (salt: string): string => KeyHash.ofText(`${salt}${said}`).toString(36).padStart(7, "0")
  return `act-${part("")}${part("2:")}`
}

/** Links are removed too, because only the model named them. */
const shown = (text: string, limit: number): string =>
  clip(redact(withoutUnnamed(PlainText.clean(text), [])).trim(), limit)

/** If a model recommends nothing, it may write an action such as "none" or "n/a". */
const nothing = /^\P{L}*(?:(?:none|nothing|n\/?a)\P{L}*)?$/iu

/** A model may put emphasis marks around the marker. */
const marker = /^[\s>#*_`-]{0,8}SKILL_ACTION[*_`]{0,4}:[\s*_`]{0,8}/

/** A paragraph ends at an empty line, or before the marker of an action. */
const paragraph = /\n[ \t]*\n|\n(?=[>#*_` -]{0,8}SKILL_ACTION[*_`]{0,4}:)/

const named = /^["'`*]{0,4}([^\s:"'`*]{1,200})["'`*]{0,4}:[*_`]{0,4}\s/

const because = /\n\s{0,8}[*_]{0,2}Why[*_]{0,2}:/i

/**
 * Removes secrets, applies `limits` and adds the id. Null if the action names nothing to do.
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

/** In characters, far more than an answer needs. */
const maxRead = 100_000

/**
 * Reads a model's answer. A paragraph `SKILL_ACTION: NAME: what to change`, with a line `Why:`, is an action. All other
 * paragraphs are observations. A repeated action counts once.
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
