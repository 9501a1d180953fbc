/** Asks a model about new findings. Each finding is asked about once, and the answer is saved with it. */
import { FindingLog } from "@reflexion/core/FindingLog"
import * as FindingsAnalysis from "@reflexion/core/internal/memory/cycle/FindingsAnalysis"
import type { FindingHistory } from "@reflexion/core/internal/memory/rules/ReflectionRules"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { ConfigurationError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as Settings from "../process/Settings.ts"
import { oneLine } from "../terminal/Layout.ts"

/** Null if there is none. It cannot be in a project, because then anyone who can push could write to the model. */
export const userPrompt = Effect.gen(function* () {
  const file = join(UserDirectories.make((yield* CliProcess).env).config, "analysis-prompt.md")
  const text = yield* Settings.onFile(file, () => PlainFiles.read(file, { follow: true, maxBytes: 64 * 1024 }))
  if (text?.trim() !== "") return text
  const problem = `${oneLine(file)}: the file is empty. Delete it to use the default prompt.`
  return yield* new ConfigurationError({ problem })
})

const analysedBy = "analysed: "

/** The id of the analysis in which a model was asked about the finding, or null. */
const analysisOf = ({ known }: FindingHistory): string | null =>
  known.flatMap(({ actionTaken }) =>
    actionTaken?.startsWith(analysedBy) === true ? [actionTaken.slice(analysedBy.length)] : []
  )[0] ?? null

/** Returns the earlier answers for findings that were analysed before. `since` is in ms since the epoch. */
export const analysedOnce = Effect.fnUntraced(function* (found: ReadonlyArray<FindingHistory>, since: number) {
  const log = yield* FindingLog
  const fresh = found.flatMap((one) =>
    analysisOf(one) === null ? [{ ...one.finding, id: one.known.at(-1)?.id ?? one.finding.id }] : []
  )
  const ids = new Set(found.flatMap((one) => analysisOf(one) ?? []))
  const before = yield* Effect.forEach(ids, (id) => log.get(id))
  const earlier = before.flatMap((one) => (one === null ? [] : [{ at: one.at, observations: one.detail }]))
  const said = fresh.length === 0 ? null : yield* FindingsAnalysis.ask({ findings: fresh, activeTasks: [], since })
  if (said === null) return { analysis: null, mutations: [], earlier }
  const mutations = yield* FindingsAnalysis.handOn(said)
  yield* log.append(fresh.map((finding) => ({ ...finding, actionTaken: `${analysedBy}${said.finding.id}` })))
  return { analysis: said.analysis, mutations, earlier }
})
