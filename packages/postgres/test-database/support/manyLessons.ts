/** Many lessons and questions about them. Their words have the frequencies of a language's words, by Zipf's law. */
import type { Reflection } from "@reflexion/core/Reflection"
import { bare } from "../../../core/test/support/bare.ts"

/** Numbers from 0 to 1 that are the same in each run. */
const randomOf = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split(" ")

const wordOf = (rank: number): string => {
  let [word, left] = ["", rank + 400]
  for (; left > 0; left = Math.floor(left / syllables.length)) word += syllables[left % syllables.length] ?? ""
  return word
}

const vocabulary = 30_000

export const generator = (seed: number) => {
  const random = randomOf(seed)
  const word = () => wordOf(Math.floor(vocabulary ** random()) - 1)
  const text = (least: number, most: number) =>
    Array.from({ length: least + Math.floor(random() * (most - least)) }, word).join(" ")
  const lesson = (index: number): Reflection =>
    bare({
      id: `lesson-${index}`,
      taskId: `task-${Math.floor(random() * 500)}`,
      subtaskId: `subtask-${Math.floor(random() * 20_000)}`,
      analysis: `${text(20, 80)} src/${word()}.ts:${Math.floor(random() * 500)}`,
      suggestion: text(10, 30),
      actionItems: [text(5, 12), text(5, 12)],
      tags: ["test_failure"]
    })
  /** A question made of some words of a lesson and some other words. */
  const question = ({ analysis, suggestion }: Reflection): string =>
    [...`${analysis} ${suggestion}`.split(" ").filter(() => random() < 0.15), text(4, 8)].join(" ")
  return { lesson, question, pick: <A>(all: ReadonlyArray<A>) => all[Math.floor(random() * all.length)] }
}
