/**
 * What the next attempt's prompt gets of the memory: a section of its own, which nothing in it can leave.
 *
 * @since 0.1.0
 */
import * as PlainText from "./PlainText.ts"
import { redact } from "./Redaction.ts"
import type { Reflection } from "./Reflection.ts"
import { areOfOtherCauses } from "./internal/ruleCause.ts"
import { isTainted, tainted } from "./internal/taint.ts"
import { contentWords, oneLine } from "./internal/text.ts"

/**
 * `limit`: how many reflections at most, 3 unless said otherwise, as in the paper; `tokens`: about how many tokens the
 * section may have, 1,000 unless said otherwise. `introduction` says whose lessons they are, where they are not those of
 * earlier attempts at the same task.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly limit?: number
  readonly tokens?: number
  readonly introduction?: string
}

/**
 * @since 0.1.0
 * @category rendering
 */
export const heading = "## Learning from Previous Failures"

const ofTask =
  "Earlier attempts at this task failed. This is what was learned from them, the newest first. Weigh it against what you see; it is no order."

const charactersPerToken = 4

/** One line of plain words: no heading, no fence, no mark by which a host or a model tells whose turn it is. */
const line = (text: string, limit: number): string =>
  oneLine(redact(PlainText.clean(text)), limit)
    .replaceAll("<|", "< |")
    .replaceAll("<!--", "< !--")
    .replaceAll(/<(?=\/?(?:system|user|assistant|human|tool|instructions?)\b)/gi, "< ")
    .replaceAll("```", "'''")

const sure = (confidence: number): string => `${Math.round(confidence * 100)} % sure`

const part = ({ actionItems, analysis, attemptNumber, category, confidence, suggestion }: Reflection): string => {
  const items = actionItems.map((item) => line(item, 200)).filter((item) => item !== "")
  return [
    `### Attempt ${attemptNumber} (${category.replaceAll("_", " ")}, ${sure(confidence)})`,
    `- What went wrong: ${line(analysis, 500)}`,
    `- What to do instead: ${line(suggestion, 500)}`,
    ...(items.length === 0 ? [] : ["- Steps:", ...items.map((item, index) => `  ${index + 1}. ${item}`)])
  ].join("\n")
}

/** Whether it speaks to its reader, or was made of an output that does. */
const speaks = ({ actionItems, analysis, suggestion, tags }: Reflection): boolean =>
  tags.includes(tainted) || [analysis, suggestion, ...actionItems].some(isTainted)

const newestFirst = (left: Reflection, right: Reflection): number =>
  right.attemptNumber - left.attemptNumber ||
  (left.createdAt < right.createdAt ? 1 : left.createdAt > right.createdAt ? -1 : 0)

const saidBefore = 0.8

/** Of what two lessons say, what both do. */
const alikeness = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  const both = [...left].filter((word) => right.has(word)).length
  const all = left.size + right.size - both
  return all === 0 ? 1 : both / all
}

const wordsOf = ({ analysis, suggestion }: Reflection): ReadonlySet<string> => contentWords(`${analysis} ${suggestion}`)

/** What an older one repeats is said once, by the newest. */
const distinct = (reflections: ReadonlyArray<Reflection>): ReadonlyArray<Reflection> => {
  const kept: Array<readonly [Reflection, ReadonlySet<string>]> = []
  for (const reflection of reflections) {
    const words = wordsOf(reflection)
    const isSame = ([other, said]: (typeof kept)[number]): boolean =>
      !areOfOtherCauses(reflection, other) && alikeness(words, said) >= saidBefore
    if (!kept.some(isSame)) kept.push([reflection, words])
  }
  return kept.map(([reflection]) => reflection)
}

/**
 * The reflections that the section would have, newest attempt first: none that speak to their reader instead of saying
 * what was learned.
 *
 * @since 0.1.0
 * @category rendering
 */
export const select = (
  reflections: ReadonlyArray<Reflection>,
  { introduction = ofTask, limit = 3, tokens = 1000 }: Options = {}
): ReadonlyArray<Reflection> => {
  let left = tokens * charactersPerToken - heading.length - introduction.length
  const chosen: Array<Reflection> = []
  const fit = reflections.filter((reflection) => !speaks(reflection))
  for (const reflection of distinct(fit.toSorted(newestFirst)).slice(0, Math.max(0, limit))) {
    left -= part(reflection).length + 2
    if (left < 0) break
    chosen.push(reflection)
  }
  return chosen
}

/**
 * The section, empty where there is nothing to say.
 *
 * @since 0.1.0
 * @category rendering
 */
export const render = (reflections: ReadonlyArray<Reflection>, options: Options = {}): string => {
  const chosen = select(reflections, options)
  return chosen.length === 0 ? "" : [heading, options.introduction ?? ofTask, ...chosen.map(part)].join("\n\n")
}
