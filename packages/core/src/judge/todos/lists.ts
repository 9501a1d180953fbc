/** When two todo lists are one that went on: by what they say, for hosts give a todo another id whenever they like. */
import type { Todo } from "../../session/transcript/Transcript.ts"
import { oneLine } from "../../base/text/Text.ts"

const mostTodos = 100
const mostText = 160

/** What is kept of a list to know it by. */
export const contentsOf = (todos: ReadonlyArray<Todo>): ReadonlyArray<string> =>
  todos.slice(0, mostTodos).map(({ content }) => oneLine(content, mostText).toLowerCase())

export const isOpen = ({ status }: Todo): boolean => status === "pending" || status === "in_progress"

const wordsIn = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{N}_]+/gu) ?? [text]

const wordsOf = (text: string): ReadonlySet<string> => new Set(wordsIn(text))

const nearly = 0.6

const isSame = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean => {
  let both = 0
  for (const word of left) if (right.has(word)) both += 1
  return both / (left.size + right.size - both) >= nearly
}

/** How many of the longer list's todos the other one has, as a share. */
const shared = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): number => {
  const rest = right.map(wordsOf)
  let found = 0
  for (const words of left.map(wordsOf)) {
    const at = rest.findIndex((other) => isSame(words, other))
    if (at < 0) continue
    rest.splice(at, 1)
    found += 1
  }
  return found / Math.max(left.length, right.length)
}

/** A list of which more than half changed is another, be it exchanged, new or gone. */
export const areAlike = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  shared(left, right) >= 0.5

/**
 * Whether a list that was done goes on: opened again as it was or nearly all of it, or with more behind what is still done.
 * By the same words, for the list of the next task often has most of them: its tests are run and its change is committed.
 */
export const isReopened = (list: ReadonlyArray<string>, todos: ReadonlyArray<Todo>): boolean => {
  const texts = contentsOf(todos).map((text) => wordsIn(text).join(" "))
  const found = list.flatMap((text) => {
    const at = texts.indexOf(wordsIn(text).join(" "))
    if (at >= 0) texts[at] = "\n"
    return at < 0 ? [] : [at]
  })
  const isGrown = found.length === list.length && found.some((at) => todos[at] !== undefined && !isOpen(todos[at]))
  return isGrown || (found.length === texts.length && found.length > list.length / 2)
}
