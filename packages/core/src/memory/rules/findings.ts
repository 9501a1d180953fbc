/** The service over whatever keeps the records: what is known by its id, and by what it is about. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Fold, Format, Records } from "../log/Records.ts"
import { clean, read } from "./FindingText.ts"
import { ReflectionFinding, byHand, type Service, type Subject, type Wanted } from "./model.ts"

export const format: Format<ReflectionFinding> = { read, schema: () => ReflectionFinding }

const mostKnown = 5000

const subjectKey = ({ rule, subjectId, subjectType }: Subject): string => JSON.stringify([rule, subjectType, subjectId])

const forget = (map: Map<string, ReflectionFinding>): void => {
  for (const oldest of map.keys()) {
    if (map.size <= mostKnown) return
    map.delete(oldest)
  }
}

/** Nothing was found in the future: what says so would hide what is found until then. */
const notAfter = (finding: ReflectionFinding, now: number): ReflectionFinding =>
  Date.parse(finding.at) > now ? { ...finding, at: new Date(now).toISOString() } : finding

const listed = (given: ReflectionFinding | ReadonlyArray<ReflectionFinding>): ReadonlyArray<ReflectionFinding> =>
  ("id" in given ? [given] : given).map(clean)

/** Of two lines of an id the later one counts: both go, or none. */
const goneBefore = (all: ReadonlyArray<ReflectionFinding>, before: number) => {
  const last = new Map(all.map((one) => [one.id, one]))
  const old = new Set([...last.values()].filter(({ at }) => Date.parse(at) < before).map(({ id }) => id))
  return { rows: new Set(all.filter(({ id }) => old.has(id))), count: old.size }
}

export const make = Effect.fnUntraced(function* (open: (fold: Fold<ReflectionFinding>) => Records<ReflectionFinding>) {
  const byId = new Map<string, ReflectionFinding>()
  const bySubject = new Map<string, ReflectionFinding>()
  const clock = yield* Effect.clock

  const know = (finding: ReflectionFinding): void => {
    // One that is said again stays in its place.
    byId.set(finding.id, finding)
    forget(byId)
    if (finding.id.startsWith(byHand)) return
    const key = subjectKey(finding)
    const before = bySubject.get(key)
    if (before !== undefined && before.id !== finding.id && Date.parse(before.at) > Date.parse(finding.at)) return
    bySubject.delete(key)
    bySubject.set(key, finding)
    forget(bySubject)
  }

  const records = open({
    reset: () => {
      byId.clear()
      bySubject.clear()
    },
    take: (finding) => know(notAfter(finding, clock.unsafeCurrentTimeMillis()))
  })

  const wanted = ({ limit = mostKnown, rule, since }: Wanted): ReadonlyArray<ReflectionFinding> => {
    const most = limit > 0 ? Math.floor(limit) : 0
    const all = [...byId.values()].filter(
      (one) => (rule === undefined || one.rule === rule) && (since === undefined || Date.parse(one.at) >= since)
    )
    return all.slice(Math.max(0, all.length - most))
  }

  // A file that cannot be read says so when it is opened.
  yield* records.look(() => undefined)

  return {
    append: (given) => {
      const all = listed(given)
      return all.length === 0 ? Effect.void : records.add(() => all)
    },
    appendNew: Effect.fnUntraced(function* (given) {
      let added: ReadonlyArray<ReflectionFinding> = []
      const fresh = () => (added = listed(given).filter(({ id }) => !byId.has(id)))
      if (given.length > 0) yield* records.add(fresh)
      return new Set(added.map(({ id }) => id))
    }),
    get: (id) => records.look(() => byId.get(id) ?? null),
    latest: (subject) => records.look(() => bySubject.get(subjectKey(subject)) ?? null),
    findings: (which = {}) => records.look(() => wanted(which)),
    heldBack: Effect.succeed(null),
    prune: Effect.fn("FindingLog.prune")(function* ({ maxAge }: { readonly maxAge: Duration.DurationInput }) {
      const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(maxAge)
      let count = 0
      yield* records.drop((all) => {
        const gone = goneBefore(all, before)
        count = gone.count
        return gone.rows
      })
      return count
    }),
    verify: Effect.fn("FindingLog.verify")(function* (options?: { readonly repair?: boolean }) {
      const { records: all, ...found } = yield* records.check(options)
      const findings = new Set(all.map(({ id }) => id)).size
      return { findings, replaced: all.length - findings, ...found }
    })
  } satisfies Service
})
