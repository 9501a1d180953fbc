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

const nearly = 0.6

const isSame = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean => {
  let both = 0
  for (const word of left) if (right.has(word)) both += 1
  return both / (left.size + right.size - both) >= nearly
}

/** A list is another once more than half of it changed; the share is that of the longer one's todos. */
export const areAlike = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean => {
  const rest = right.map((text) => new Set(wordsIn(text)))
  for (const text of left) {
    const words = new Set(wordsIn(text))
    const at = rest.findIndex((other) => isSame(words, other))
    if (at >= 0) rest.splice(at, 1)
  }
  return right.length - rest.length >= Math.max(left.length, right.length) / 2
}

/**
 * Whether a list that was done goes on: all of it is there, as it was or with more behind what is still done. By the same
 * words, for the next task's list often has most of them: its tests are run and its change is committed.
 */
export const isReopened = (list: ReadonlyArray<string>, todos: ReadonlyArray<Todo>): boolean => {
  const texts = contentsOf(todos)
  const isThere = list.every((text) => texts.includes(text))
  return (
    isThere &&
    (texts.length === list.length || todos.some((todo, at) => list.includes(texts[at] ?? "") && !isOpen(todo)))
  )
}
