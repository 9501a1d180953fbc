/**
 * What the heuristic reflection names of failures that really happened, and what of it the next attempt's prompt carries;
 * beside it what plain pieces of the output would have carried.
 */
import type { FailureContext } from "@reflexion/core/FailureContext"
import type { Reflection } from "@reflexion/core/Reflection"
import * as ReflectionHeuristic from "@reflexion/core/internal/memory/lessons/ReflectionHeuristic"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import type { Written } from "../case/CaseSuite.ts"
import { type Fact, factsIn, wrongIn } from "./facts.ts"
import * as RetryOutputs from "./RetryOutputs.ts"
import type { RetryTask } from "./RetryTask.ts"
import { suites } from "./RetryTasks.ts"
import * as Times from "../measure/Times.ts"

/** A text that the next attempt could be given, and the facts that it carries. */
export interface Carried {
  readonly facts: ReadonlyArray<Fact>
  readonly characters: number
}

export interface RetryResult extends Written<RetryTask> {
  /** The section of the second attempt's prompt. */
  readonly prompt: string
  readonly carried: Readonly<Record<string, Carried>>
  /** Whether the reflection on the second attempt says that it failed for the same cause. */
  readonly saidSame: boolean
  /** What the reflection names and is not so. */
  readonly wrong: ReadonlyArray<string>
}

/** The names under which the texts are compared: the reflection's own first, then the plain pieces of the output. */
export const own = { reflection: "the reflection", prompt: "the retry prompt" } as const

const lastLines = (output: string, count: number): string => output.trimEnd().split("\n").slice(-count).join("\n")

/** Four characters a token: as many as the section of the prompt may have. */
const room = 4000

export const baselines: Readonly<Record<string, (output: string) => string>> = {
  "last 20 lines of the output": (output) => lastLines(output, 20),
  "last 4,000 characters of the output": (output) => output.slice(-room),
  "the whole output": (output) => output
}

const failureOf = (task: RetryTask, attempt: 1 | 2, errorOutput: string): FailureContext => ({
  id: `failure-${attempt}`,
  sessionId: "retry",
  taskId: task.id,
  subtaskId: task.id,
  subtaskDescription: task.id,
  attemptNumber: attempt,
  failureType: task.failureType,
  errorOutput,
  filesModified: [],
  previousReflections: [],
  createdAt: "2026-03-02T09:00:00.000Z"
})

const record = (attempt: 1 | 2) => ({ id: `reflection-${attempt}`, createdAt: `2026-03-02T09:0${attempt}:00.000Z` })

const wordsOf = ({ actionItems, analysis, suggestion }: Reflection): string =>
  [analysis, suggestion, ...actionItems].join("\n")

const carriedBy = (task: RetryTask, text: string): Carried => ({
  facts: factsIn(text, task.failures),
  characters: text.length
})

const missing = ({ facts }: Carried): ReadonlyArray<string> =>
  facts.filter(({ named }) => !named).map(({ kind, value }) => `the prompt does not name the ${kind}, ${value}`)

const repeated = ({ repeats }: RetryTask, saidSame: boolean): ReadonlyArray<string> =>
  saidSame === repeats ? [] : [`the second failure is ${saidSame ? "" : "not "}said to be the same`]

/** Reflects on both attempts of a task. */
export const assess = (suite: string, task: RetryTask): RetryResult => {
  const output = RetryOutputs.read(task.id, 1)
  const first = ReflectionHeuristic.make(failureOf(task, 1, output), record(1))
  const again = failureOf(task, 2, RetryOutputs.read(task.id, 2))
  const second = ReflectionHeuristic.make(again, { ...record(2), previous: [first] })
  const prompt = RetryPrompt.render([first])
  const saidSame = RetryPrompt.render([second, first]).includes("failed the same way")
  const inPrompt = carriedBy(task, prompt)
  const wrong = wrongIn(first.analysis, task.failures)
  return {
    suite,
    case: task,
    prompt,
    carried: {
      [own.reflection]: carriedBy(task, wordsOf(first)),
      [own.prompt]: inPrompt,
      ...Object.fromEntries(Object.entries(baselines).map(([name, cut]) => [name, carriedBy(task, cut(output))]))
    },
    saidSame,
    wrong,
    differences: [...missing(inPrompt), ...wrong, ...repeated(task, saidSame)]
  }
}

export const assessAll = (): ReadonlyArray<RetryResult> =>
  Object.entries(suites).flatMap(([suite, tasks]) =>
    tasks.map((task) => Times.measure("retry", task.id, () => assess(suite, task)))
  )
