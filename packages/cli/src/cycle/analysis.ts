/** What a model makes of the findings of a look: it is asked once about each, and what it said is kept beside them. */
import { FindingLog } from "@reflexion/core/FindingLog"
import * as Mutators from "@reflexion/core/Mutator"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { type Analysis, ReflectionAnalysis } from "@reflexion/core/ReflectionAnalysis"
import { type ReflectionFinding, sessionId } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { ofId, ownId } from "@reflexion/core/internal/memory/cycle/ReflectionLook"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { createHash } from "node:crypto"
import { counted, oneLine } from "../terminal/Layout.ts"
import { refused } from "../outcomes/OutcomesStore.ts"

const analysedBy = "analysed: "

/**
 * What the project's log knows of a finding: whether it is there, and in which analysis of an earlier look it was.
 *
 * @category models
 */
export interface Known {
  readonly isNew: boolean
  readonly analysis: string | null
}

/**
 * What the log knows of findings: by their ids, or by another attempt that showed what goes on. `again` says how often each
 * was found anew since then, of which the last are new.
 *
 * @category reading
 */
export const knownOf = (
  findings: ReadonlyArray<ReflectionFinding>,
  all: ReadonlyArray<ReflectionFinding>,
  again: ReadonlyMap<string, number>
): ReadonlyArray<readonly [ReflectionFinding, Known]> => {
  const byId = new Map(all.map((one) => [one.id, one]))
  const last = new Map(all.map((one) => [ofId(one.id), one]))
  const anew = new Map(again)
  const knownAs = ({ id }: ReflectionFinding): Known => {
    const of = ofId(id)
    const count = anew.get(of) ?? 0
    anew.set(of, count - 1)
    const own = byId.get(ownId(id)) ?? (count > 0 || byId.has(id) ? undefined : last.get(of))
    const done = own?.actionTaken ?? ""
    return {
      isNew: own === undefined && !byId.has(id),
      analysis: done.startsWith(analysedBy) ? done.slice(analysedBy.length) : null
    }
  }
  return findings
    .toReversed()
    .map((finding) => [finding, knownAs(finding)] as const)
    .toReversed()
}

const mostFailed = 50

/** Null where no model answered, which is said. */
const answered = Effect.fnUntraced(function* (findings: ReadonlyArray<ReflectionFinding>, since: number) {
  const service = yield* Effect.serviceOption(ReflectionAnalysis)
  if (Option.isNone(service)) return null
  const { outcomesSince } = yield* OutcomeLog
  const wanted = { status: ["failed", "timeout"], limit: mostFailed } as const
  const failed = yield* Effect.mapError(outcomesSince(since, wanted), refused)
  return yield* service.value
    .analyse({ findings, failed, activeTasks: [] })
    .pipe(
      Effect.catchAll((failure) =>
        Effect.as(Effect.logWarning(`${counted(findings.length, "finding")} not analysed: ${failure.message}`), null)
      )
    )
})

/** Each change is tried once; what fails of it is said. */
const handedOn = Effect.fnUntraced(function* ({ actions }: Analysis) {
  const mutator = yield* Effect.serviceOption(Mutators.Mutator)
  if (Option.isNone(mutator)) return []
  const mutations = yield* Effect.forEach(actions.slice(0, Mutators.limits.perCycle), (action) =>
    Mutators.attempt(mutator.value, action)
  )
  const further = actions.length - Mutators.limits.perCycle
  if (further > 0)
    yield* Effect.logWarning(
      `${counted(further, "further recommended change")} shown and not proposed: at most ${Mutators.limits.perCycle} are at a time`
    )
  return mutations.filter((mutation) => mutation !== null)
})

const said = ({ actions, observations }: Analysis): string => {
  const changes = actions.map(
    ({ change, target }) =>
      `- ${target === null ? "" : `${oneLine(target).slice(0, 100)}: `}${oneLine(change).slice(0, 300)}`
  )
  return changes.length === 0 ? observations : `${observations}\n\nRecommended:\n${changes.join("\n")}`
}

const idOf = (findings: ReadonlyArray<ReflectionFinding>): string => {
  const hash = createHash("sha256").update(JSON.stringify(findings.map(({ id }) => id)))
  return ownId(`analysis-${hash.digest("hex").slice(0, 16)}`)
}

const findingOf = (
  id: string,
  at: number,
  analysis: Analysis,
  mutations: ReadonlyArray<Mutators.Mutation>
): ReflectionFinding => ({
  id,
  at: new Date(at).toISOString(),
  action: "reflection_analysis",
  sessionId,
  rule: "analysis",
  severity: mutations.length > 0 ? "action_taken" : "warning",
  subjectType: "sub_session",
  subjectId: id,
  detail: said(analysis),
  actionTaken:
    mutations.length === 0 ? null : `left ${mutations.map(({ kind, reference }) => `${kind} ${reference}`).join(", ")}`
})

/**
 * Has a model look at what no earlier look had analysed, and keeps what it said; of the others it gives what was said then.
 * `since` is the beginning of the window, in ms since the epoch.
 *
 * @category programs
 */
export const analysedOnce = (found: ReadonlyArray<readonly [ReflectionFinding, Known]>, since: number) =>
  Effect.gen(function* () {
    const log = yield* FindingLog
    const fresh = found.flatMap(([finding, { analysis }]) => (analysis === null ? [finding] : []))
    const ids = new Set(found.flatMap(([, { analysis }]) => (analysis === null ? [] : [analysis])))
    const before = yield* Effect.forEach(ids, (id) => Effect.mapError(log.get(id), refused))
    const earlier = before.flatMap((one) => (one === null ? [] : [{ at: one.at, observations: one.detail }]))
    const analysis = fresh.length === 0 ? null : yield* answered(fresh, since)
    if (analysis === null) return { analysis, mutations: [], earlier }
    const mutations = yield* handedOn(analysis)
    const id = idOf(fresh)
    const marked = fresh.map((finding) => ({ ...finding, id: ownId(finding.id), actionTaken: `${analysedBy}${id}` }))
    const kept = findingOf(id, yield* Clock.currentTimeMillis, analysis, mutations)
    yield* Effect.mapError(log.append([kept, ...marked]), refused)
    return { analysis, mutations, earlier }
  })
