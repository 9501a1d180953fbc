/** What is measured of the memory: the replay of the Reflexion paper's runs. */
import * as Effect from "effect/Effect"
import * as Corpus from "../sessions/Corpus.ts"
import * as ReplaySuite from "./ReplaySuite.ts"
import { table } from "../measure/Text.ts"

export const names = ["replay"] as const

/** What is recorded of a run: one summary for each memory. */
export type ReplayResults = Effect.Effect.Success<ReturnType<typeof ReplaySuite.run>>

export interface Evaluated {
  readonly results: ReplayResults | null
  readonly failures: ReadonlyArray<string>
}

interface Options {
  readonly isWanted: (suite: string) => boolean
  readonly print: (text: string) => void
}

const header = ["memory", "attempts", "exactly the prompt's memories", "reflections", "kept otherwise", "shortened"]

const row = (
  name: string,
  { altered, attempts, reflections, same, shortened, withMemories }: ReplaySuite.ReplaySummary
): ReadonlyArray<string> => [
  name,
  `${attempts}, ${withMemories} with memories`,
  `${same}`,
  `${reflections}`,
  `${altered}`,
  `${shortened}`
]

const rows = ({ live, memory }: ReplayResults): ReadonlyArray<ReadonlyArray<string>> => [
  header,
  row("ReflexionStore.Memory", memory),
  row("ReflexionStore.Live", live)
]

const failuresOf = (name: string, { attempts, same }: ReplaySuite.ReplaySummary): ReadonlyArray<string> =>
  same === attempts
    ? []
    : [`replay: ${name} gave ${attempts - same} of ${attempts} attempts other memories than stood in the prompt`]

export const evaluate = async (root: string | null, { isWanted, print }: Options): Promise<Evaluated> => {
  if (!names.some(isWanted)) return { results: null, failures: [] }
  if (root === null || !ReplaySuite.isThere(root)) {
    print(`\nReplay of the Reflexion paper's runs (replay) ${Corpus.skipped}`)
    return { results: null, failures: [] }
  }
  const results = await Effect.runPromise(ReplaySuite.run(ReplaySuite.load(root)))
  print(`\nReplay of the Reflexion paper's ALFWorld runs\n\n${table(rows(results))}`)
  return {
    results,
    failures: [
      ...failuresOf("ReflexionStore.Memory", results.memory),
      ...failuresOf("ReflexionStore.Live", results.live)
    ]
  }
}
