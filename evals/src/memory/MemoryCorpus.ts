/** Reflections for the benchmark of the memory: records of some 600 bytes, and failures to look for what fits them. */
import type { Reflection } from "@reflexion/core/Reflection"
import { generator } from "../measure/Metrics.ts"

const categories = ["root_cause", "misconception", "missing_context", "test_gap", "edge_case"] as const

const verbs = "load save parse render merge split fetch cache check build apply reset find count round sort".split(" ")
const nouns =
  "order cart total price invoice user session token header payload parser buffer stream index cursor offset batch queue worker timer retry schema field column row table cache store config option flag route handler request response socket client server module import export bundle plugin hook event signal state reducer action view form input button label date time zone locale currency tax discount".split(
    " "
  )
const plain =
  "the a of and to was is before after when then because still again first last only every test run change file line value result case read write call name type list check fails expected received missing wrong added removed returned".split(
    " "
  )

type Random = () => number

const pick = (next: Random, words: ReadonlyArray<string>): string => words[Math.floor(next() * words.length)] ?? "a"

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const sentence = (next: Random, count: number): string =>
  Array.from({ length: count }, () => pick(next, next() < 0.35 ? nouns : plain)).join(" ")

const nameOf = (next: Random): string =>
  `${pick(next, verbs)}${capital(pick(next, nouns))}${capital(pick(next, nouns))}`

const began = Date.UTC(2026, 0, 1)

/** How many subtasks are worked on at a time, and how often each is tried. */
const [together, attempts] = [8, 3]

/** The subtask of a record: its attempts stand among those of seven others. */
export const subtaskOf = (index: number): string => {
  const block = Math.floor(index / (together * attempts))
  return `task-${block}/step-${index % together}`
}

/** The `index`-th record, always the same. */
export const record = (index: number): Reflection => {
  const next = generator(index + 1)
  const name = nameOf(next)
  const block = Math.floor(index / (together * attempts))
  return {
    id: `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`,
    sessionId: `session-${String(block).padStart(8, "0")}`,
    taskId: `task-${block}`,
    subtaskId: subtaskOf(index),
    attemptNumber: Math.floor((index % (together * attempts)) / together) + 1,
    category: categories[index % categories.length] ?? "root_cause",
    analysis: `\`${name}\` ${sentence(next, 16)}`,
    suggestion: `In src/${pick(next, nouns)}/${pick(next, nouns)}.ts ${sentence(next, 12)}`,
    actionItems: [sentence(next, 7), sentence(next, 7)],
    confidence: 0.7,
    createdAt: new Date(began + index * 20_000).toISOString(),
    source: "model",
    model: null,
    tags: ["test_failure"]
  }
}

/** A failure, and which of the reflections were learned from its like. */
export interface Sought {
  readonly text: string
  readonly topic: number
}

export interface Retrieval {
  readonly reflections: ReadonlyArray<Reflection>
  readonly queries: ReadonlyArray<Sought>
}

const perTopic = 5

/** Invented words of two to three syllables: domains that a project has names for. */
const invented = (next: Random, count: number): ReadonlyArray<string> => {
  const syllables = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo za".split(" ")
  const words = new Set<string>()
  while (words.size < count)
    words.add(Array.from({ length: 2 + Math.floor(next() * 2) }, () => pick(next, syllables)).join(""))
  return [...words]
}

interface Topic {
  readonly words: ReadonlyArray<string>
  readonly name: ReadonlyArray<string>
}

const camel = ([first = "", ...rest]: ReadonlyArray<string>): string => first + rest.map(capital).join("")

const some = (next: Random, words: ReadonlyArray<string>, share: number): ReadonlyArray<string> =>
  words.filter(() => next() < share)

/** Words as often as in a language: the second half as often as the first, the third a third. */
const frequent = (next: Random, words: ReadonlyArray<string>): string =>
  words[Math.floor(words.length ** next()) - 1] ?? pick(next, words)

const said = (next: Random, topic: Topic, vocabulary: ReadonlyArray<string>, count: number): string => {
  const words = [
    ...some(next, topic.words, 0.6),
    ...Array.from({ length: count }, () => (next() < 0.5 ? pick(next, plain) : frequent(next, vocabulary)))
  ]
  return words.toSorted(() => next() - 0.5).join(" ")
}

/** Several reflections about each of many topics, each in other words; and failures of some topics in others again. */
export const retrieval = (size: number, queries: number): Retrieval => {
  const next = generator(7)
  const vocabulary = invented(next, 3000)
  const topics = Array.from({ length: Math.ceil(size / perTopic) }, () => ({
    words: Array.from({ length: 5 }, () => frequent(next, vocabulary)),
    name: [pick(next, verbs), frequent(next, vocabulary), pick(next, nouns)]
  }))
  const reflections = Array.from({ length: size }, (_, index) => {
    const topic = topics[index % topics.length] ?? { words: [], name: [] }
    const named = next() < 0.7 ? `\`${camel(topic.name)}\` ` : ""
    return {
      ...record(index),
      createdAt: new Date(began).toISOString(),
      analysis: `${named}${said(next, topic, vocabulary, 18)}`,
      suggestion: said(next, topic, vocabulary, 10),
      actionItems: [said(next, { ...topic, words: [] }, vocabulary, 8)]
    }
  })
  const sought = Array.from({ length: queries }, () => {
    const number = Math.floor(next() * topics.length)
    const topic = topics[number] ?? { words: [], name: [] }
    const named = next() < 0.5 ? `at ${next() < 0.5 ? camel(topic.name) : topic.name.join("_")} ` : ""
    return { topic: number, text: `Error: ${named}${said(next, topic, vocabulary, 14)}` }
  })
  return { reflections, queries: sought }
}

/** The topic of a reflection by its place. */
export const topicOf = (index: number, size: number): number => index % Math.ceil(size / perTopic)
