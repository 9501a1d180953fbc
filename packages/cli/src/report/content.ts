/** The report as data, made of what was read. Pure. */
import { safeText } from "@reflexion/core/internal/base/redaction/SafeText"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { type AskLine, summary } from "@reflexion/core/internal/model/calls/AskLog"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import * as ReportCycle from "./cycle.ts"
import { type Day, limits, type ReportData, type Stop, type Tally, type Tier } from "./model.ts"
import * as ReportMemory from "./memory.ts"
import * as ReportPushes from "./pushes.ts"
import * as ReportTimeline from "./timeline.ts"
import { counted, type effectNames, type Outcome } from "./words.ts"

/**
 * What a report is made of, all of one project. `since` and `now` are epoch ms; `since` is null where everything is looked
 * at. `past` are the judged turns of past sessions, null where nobody asked for them; `questions` were put to models at stops,
 * in any project.
 *
 * @category models
 */
export interface Inputs {
  readonly project: string
  readonly now: number
  readonly since: number | null
  readonly problems: ReadonlyArray<string>
  readonly reviews: ReadonlyArray<Stop>
  readonly past: ReadonlyArray<Stop> | null
  readonly decisions: ReadonlyArray<Decision>
  readonly attempts: Readonly<Record<AttemptOutcome["status"], number>>
  readonly memory: ReportMemory.Remembered
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly proposals: ReadonlyArray<ReportCycle.Proposal>
  readonly questions: ReadonlyArray<AskLine>
}

const text = (given: string): string => safeText(given.slice(0, limits.text))

const mostReasons = 8

type Counts = ReportData["models"]

const byCount = (one: Counts[number], other: Counts[number]): number =>
  other.count - one.count || (one.key < other.key ? -1 : 1)

/** How often each stands there, the most frequent first; those alike are counted under the first of them. */
const frequent = (words: ReadonlyArray<string>, alike = (word: string): string => word): Counts => {
  const found = new Map<string, { readonly key: string; readonly count: number }>()
  for (const word of words) {
    const { count = 0, key = word.slice(0, 160) } = found.get(alike(word)) ?? {}
    found.set(alike(word), { key, count: count + 1 })
  }
  const sorted = [...found.values()].toSorted(byCount)
  const rest = sorted.slice(mostReasons).reduce((sum, { count }) => sum + count, 0)
  return [...sorted.slice(0, mostReasons), ...(rest > 0 ? [{ key: "other reasons", count: rest }] : [])]
}

/** A reason without what is the single stop's own. */
const general = (reason: string): string =>
  reason
    .replaceAll(/`[^`]{0,400}`|"[^"]{0,400}"/gu, "…")
    .replaceAll(/\d+/gu, "n")
    .slice(0, 90)
    .trim()

const whys = (stops: ReadonlyArray<Stop>, outcome: Outcome): Counts =>
  frequent(
    stops.flatMap((stop) => (stop.outcome === outcome ? [why(stop)] : [])),
    general
  )

const tallyOf = (stops: ReadonlyArray<Stop>): Tally => ({
  stops: stops.length,
  outcomes: counted(stops.map(({ outcome }) => outcome)),
  abstained: whys(stops, "abstained"),
  left: whys(stops, "left")
})

/** Why it was left: the decision says so unless it only repeats the verdict. */
const why = ({ decision, origin, reason }: Stop): string =>
  origin === "session" || decision === "" ? reason : decision

const tierOf = (stop: Stop): Tier["tier"] => {
  if (stop.reviewers !== null) return "cross_review"
  if (stop.asked !== null || stop.usage.modelCalls > 0) return "model"
  return stop.checks.length > 0 ? "checks" : "evidence"
}

const sum = (stops: ReadonlyArray<Stop>, of: (stop: Stop) => number): number =>
  stops.reduce((total, stop) => total + of(stop), 0)

const tiersOf = (stops: ReadonlyArray<Stop>): ReadonlyArray<Tier> =>
  (["evidence", "checks", "model", "cross_review"] as const).map((tier) => {
    const own = stops.filter((stop) => tierOf(stop) === tier)
    return {
      tier,
      reviews: own.length,
      modelCalls: sum(own, ({ usage }) => usage.modelCalls),
      inputTokens: sum(own, ({ usage }) => usage.inputTokens),
      outputTokens: sum(own, ({ usage }) => usage.outputTokens),
      durationMs: sum(own, ({ durationMs }) => durationMs)
    }
  })

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const day = 86_400_000

const maxDays = 400

/** Days between the first and the last, those without a stop among them. */
const daysOf = (stops: ReadonlyArray<Stop>, { now, since }: Pick<Inputs, "now" | "since">): ReadonlyArray<Day> => {
  const times = stops.flatMap(({ at }) => (at === null ? [] : [at]))
  const [first] = times
  if (first === undefined) return []
  const begin = Math.max(since ?? Math.min(...times), now - maxDays * day)
  const found: Array<Day> = []
  const end = since === null ? Math.max(...times) : now
  for (let at = Date.parse(dayOf(begin)); at <= end; at += day) {
    const own = stops.filter((stop) => stop.at !== null && dayOf(stop.at) === dayOf(at))
    found.push({
      day: dayOf(at),
      outcomes: counted(own.map(({ outcome }): Outcome => outcome)),
      inputTokens: sum(own, ({ usage }) => usage.inputTokens),
      outputTokens: sum(own, ({ usage }) => usage.outputTokens)
    })
  }
  return found
}

/** Of the questions of all projects those of this one's sessions. */
const questionsOf = (inputs: Inputs): ReportData["questions"] => {
  const within = isSince(inputs)
  const known = new Set([
    ...inputs.reviews.map(({ sessionId }) => sessionId),
    ...inputs.decisions.flatMap(({ sessionId }) => (sessionId === null ? [] : [text(sessionId)]))
  ])
  const own = inputs.questions.filter(({ at, session }) => known.has(text(session)) && within(Date.parse(at)))
  const hosts = [...new Set(own.map(({ host }) => host))].toSorted()
  return {
    all: { host: "all", ...summary(own) },
    hosts: hosts.map((host) => ({ host: text(host), ...summary(own.filter((line) => line.host === host)) }))
  }
}

const byTime = (one: Stop, other: Stop): number => (one.at ?? 0) - (other.at ?? 0)

const isSince =
  ({ now, since }: Pick<Inputs, "now" | "since">) =>
  (at: number | null): boolean =>
    since === null || (at !== null && at >= since && at <= now)

/** What was reviewed when it happened is not counted again as a past session's. */
const unreviewed = (past: ReadonlyArray<Stop>, reviews: ReadonlyArray<Stop>): ReadonlyArray<Stop> => {
  const known = new Set(reviews.map(({ sessionId, turn }) => `${turn} ${sessionId}`))
  return past.filter(({ sessionId, turn }) => !known.has(`${turn} ${sessionId}`))
}

const effectsOf = (pushes: ReportData["pushes"]): ReportData["effects"] => {
  const counts = { green: 0, some: 0, nothing: 0, unknown: 0 } satisfies Record<keyof typeof effectNames, number>
  for (const { effect } of pushes) counts[effect] += 1
  return counts
}

const logged = (inputs: Inputs) => {
  const within = isSince(inputs)
  const own = inputs.decisions.filter(({ at }) => within(Date.parse(at)))
  const failures = own.filter(({ decision }) => decision === "failure")
  return {
    reminders: own.filter(({ decision }) => decision === "reminder").length,
    marked: own.filter(({ decision }) => decision === "wrong").length,
    failures: failures.slice(-limits.failures).map(({ at, reason }) => ({ at: text(at), reason: text(reason) })),
    failuresLeftOut: Math.max(0, failures.length - limits.failures)
  }
}

const switchedOff = (decisions: ReadonlyArray<Decision>): ReadonlyArray<ReportPushes.SwitchedOff> =>
  decisions.flatMap(({ at, decision, sessionId }) =>
    decision === "stop" && sessionId !== null ? [{ sessionId: text(sessionId), at: Date.parse(at) }] : []
  )

const findingsOf = (inputs: Inputs) => {
  const within = isSince(inputs)
  const own = inputs.findings.filter((one) => !ReportCycle.isAnalysis(one) && within(Date.parse(one.at)))
  const shown = own
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, limits.findings)
    .map(({ actionTaken, at, detail, id, rule, severity, subjectId, subjectType }) => ({
      id: text(id),
      at,
      rule,
      severity,
      subjectType,
      subjectId: text(subjectId),
      detail: text(detail),
      actionTaken: actionTaken === null ? null : text(actionTaken)
    }))
  return { findings: shown, findingsLeftOut: own.length - shown.length }
}

export const make = (inputs: Inputs): ReportData => {
  const within = isSince(inputs)
  const reviews = inputs.reviews.filter(({ at }) => within(at)).toSorted(byTime)
  const past =
    inputs.past === null
      ? null
      : unreviewed(
          inputs.past.filter(({ at }) => within(at)),
          inputs.reviews
        )
  const stops = [...reviews, ...(past ?? [])].toSorted(byTime)
  const pushes = ReportPushes.of(stops, switchedOff(inputs.decisions))
  const real = new Set(reviews.map(({ id }) => id))
  const own = pushes.filter(({ stop }) => real.has(stop))
  const { leftOut, sessions } = ReportTimeline.sessions(stops)
  return {
    version: 1,
    project: text(inputs.project),
    madeAt: new Date(inputs.now).toISOString(),
    since: inputs.since === null ? null : new Date(inputs.since).toISOString(),
    problems: inputs.problems.map(text),
    tally: tallyOf(reviews),
    days: daysOf(reviews, inputs),
    tiers: tiersOf(reviews),
    models: frequent(reviews.flatMap(({ asked }) => (asked?.model == null ? [] : [asked.model]))),
    questions: questionsOf(inputs),
    stops,
    pushes,
    effects: effectsOf(own),
    byGate: ReportPushes.byGate(own),
    past: past === null ? null : tallyOf(past),
    sessions,
    sessionsLeftOut: leftOut,
    attempts: inputs.attempts,
    memory: ReportMemory.make(inputs.memory, { now: inputs.now, since: inputs.since ?? Number.NEGATIVE_INFINITY }),
    ...findingsOf(inputs),
    cycle: ReportCycle.make(inputs.findings, inputs.proposals, within),
    ...logged(inputs)
  }
}
