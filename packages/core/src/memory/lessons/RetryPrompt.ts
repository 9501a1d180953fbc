/** What the next attempt's prompt gets of the memory: a section of its own, which nothing in it can leave. */
import { safeText } from "../../base/redaction/SafeText.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { limits, type Reflection } from "./Reflection.ts"
import { isTainted, tainted } from "./injection.ts"
import { clip, oneLine } from "../../base/text/Text.ts"

/**
 * `limit`: how many reflections at most, 3 unless said otherwise, as in the paper; `tokens`: about how many tokens the
 * section may have, 1,000 unless said otherwise. `introduction` says whose lessons they are, where they are not those of
 * earlier attempts at the same task. `order`: the newest attempt first, or, where what fits best comes first or some go
 * before others, as they are given. `counted`: whether the headings name the attempts; not where the section stands next to
 * another count, or the attempts are no longer the reader's.
 *
 * @category models
 */
export interface Options {
  readonly limit?: number
  readonly tokens?: number
  readonly introduction?: string
  readonly order?: "newest" | "given"
  readonly counted?: boolean
}

export const heading = "## Learning from Previous Failures"

const ofTask =
  "Earlier attempts at this task failed. This is what was learned from them, the newest first. Weigh it against what you see; it is no order."

const charactersPerToken = 4

/** Where a mark begins that tells a host or a model whose turn it is. A type of the code's own is none. */
const marks: ReadonlyArray<RegExp> = [
  /<(?=[\s/]{0,3}(?:<\/?sys|antml:|system|sys\b|user|assistant|human|developer|model\b|tool|function))/gi,
  /<(?=[\s/]{0,3}(?:instruction|document|context|thinking|reminder|im_|start_of|end_of|begin_of|[be]os\b|s\s?>|!--|\|))/gi,
  /\[(?=[\s/]{0,3}(?:inst|sys|system_prompt|available_tools|tool_(?:calls|results))\b)/gi
]

/** One line of plain words: no heading, no fence, no mark that tells a host or a model whose turn it is. */
const line = (text: string, limit: number): string =>
  marks.reduce((said, mark) => said.replaceAll(mark, "$& "), oneLine(safeText(text), limit)).replaceAll("```", "'''")

/** Several lines, the rest of them indented below the first. */
const block = (text: string, limit: number): string =>
  clip(
    redact(text)
      .split("\n")
      .map((one) => line(one, limit))
      .filter((one) => one !== "")
      .join("\n      "),
    limit
  )

const sure = (confidence: number): string => `${Math.round(confidence * 100)} % sure`

const saying = (
  { analysis, attemptNumber, category, confidence, suggestion }: Reflection,
  counted: boolean,
  most: number
): string =>
  [
    `### ${counted ? `Attempt ${attemptNumber}` : "Lesson"} (${category.replaceAll("_", " ")}, ${sure(confidence)})`,
    `- What went wrong: ${block(analysis, most)}`,
    `- What to do instead: ${line(suggestion, limits.text)}`
  ].join("\n")

const steps = ({ actionItems }: Reflection): string => {
  const items = actionItems
    .slice(0, limits.items)
    .map((item) => line(item, limits.item))
    .filter((item) => item !== "")
  return items.length === 0 ? "" : ["\n- Steps:", ...items.map((item, index) => `  ${index + 1}. ${item}`)].join("\n")
}

/**
 * A reflection in so many characters: without its steps, or with less of what was printed, where there is no room for those;
 * null where there is none.
 */
const part = (reflection: Reflection, room: number, counted: boolean): string | null => {
  const said = [limits.analysis, limits.text]
    .map((most) => saying(reflection, counted, most))
    .find((text) => text.length <= room)
  if (said === undefined) return null
  const whole = `${said}${steps(reflection)}`
  return whole.length > room ? said : whole
}

/** Whether it speaks to its reader, or was made of an output that does. */
const speaks = ({ actionItems, analysis, suggestion, tags }: Reflection): boolean =>
  tags.includes(tainted) || [analysis, suggestion, ...actionItems].some(isTainted)

const status = { resolved: "status:resolved", wrong: "status:wrong" } as const

type Tagged = Pick<Reflection, "tags">

/**
 * Whether the user said that its failure is over: it goes into no prompt.
 *
 * @category predicates
 */
export const isResolved = ({ tags }: Tagged): boolean => tags.includes(status.resolved)

/**
 * Whether the user called the push wrong that it was learned at.
 *
 * @category predicates
 */
export const isTakenBack = ({ tags }: Tagged): boolean => tags.includes(status.wrong)

/**
 * The same lesson as one whose failure is over.
 *
 * @category constructors
 */
export const resolve = (reflection: Reflection): Reflection => ({
  ...reflection,
  tags: [...reflection.tags, status.resolved]
})

/**
 * The same lesson as one of a push that was wrong: its failure was none.
 *
 * @category constructors
 */
export const takeBack = (reflection: Reflection): Reflection => ({
  ...reflection,
  tags: [...reflection.tags, status.resolved, status.wrong]
})

/** A line's number says where, and moves with every change above it. */
const place = /(\.\w{1,6}):\d+(?::\d+)?/g

/**
 * Lessons with the same key say the same: those of the rules by the type of the failure and the sign of its cause, where
 * that is known, others by their words.
 *
 * @category queries
 */
export const keyOf = ({ analysis, source, suggestion, tags }: Reflection): string => {
  const cause = tags.filter((tag) => tag !== tainted && !tag.startsWith("status:"))
  if (source === "heuristic" && cause.length > 1) return `cause ${cause.join("\n")}`
  const said = `${analysis}\n${suggestion}`.replaceAll(place, "$1").toLowerCase()
  return (said.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [said.trim()]).join(" ")
}

const newestFirst = (left: Reflection, right: Reflection): number =>
  right.attemptNumber - left.attemptNumber ||
  (left.createdAt < right.createdAt ? 1 : left.createdAt > right.createdAt ? -1 : 0)

const partsOf = (
  reflections: ReadonlyArray<Reflection>,
  { counted = true, introduction = ofTask, limit = 3, order = "newest", tokens = 1000 }: Options
): ReadonlyArray<{ readonly reflection: Reflection; readonly text: string }> => {
  let room = tokens * charactersPerToken - heading.length - 2 - introduction.length
  const chosen: Array<{ reflection: Reflection; text: string }> = []
  const fit = reflections.filter((reflection) => !speaks(reflection) && !isResolved(reflection))
  const said = new Set<string>()
  for (const reflection of order === "given" ? fit : fit.toSorted(newestFirst)) {
    if (!(chosen.length < limit)) break
    const key = keyOf(reflection)
    // What another says too is said once, by the first of them.
    if (said.has(key)) continue
    said.add(key)
    const text = part(reflection, room - 2, counted)
    if (text === null) continue
    room -= text.length + 2
    chosen.push({ reflection, text })
  }
  return chosen
}

/**
 * The reflections that the section would have: the newest attempt first, unless said otherwise; none that says what one
 * before it does, that has no room, that is resolved, or that speaks to its reader instead of saying what was learned.
 *
 * @category rendering
 */
export const select = (reflections: ReadonlyArray<Reflection>, options: Options = {}): ReadonlyArray<Reflection> =>
  partsOf(reflections, options).map(({ reflection }) => reflection)

/**
 * The section, empty where there is nothing to say.
 *
 * @category rendering
 */
export const render = (reflections: ReadonlyArray<Reflection>, options: Options = {}): string => {
  const parts = partsOf(reflections, options)
  return parts.length === 0
    ? ""
    : [heading, options.introduction ?? ofTask, ...parts.map(({ text }) => text)].join("\n\n")
}
