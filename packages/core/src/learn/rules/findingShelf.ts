/** The findings that are known, by their ids and by what they are about; on disk, and as long as the process lasts. */
import * as JsonScan from "../../base/json/JsonScan.ts"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { LogDiskError } from "../log/LogDisk.ts"
import { clean } from "./FindingText.ts"
import * as LineLog from "../log/LineLog.ts"
import { ReflectionFinding, byHand, type Service, type Subject, type Wanted } from "./model.ts"

const mostKnown = 5000

interface Rows {
  readonly byId: Map<string, ReflectionFinding>
  readonly bySubject: Map<string, ReflectionFinding>
}

const makeRows = (): Rows => ({ byId: new Map(), bySubject: new Map() })

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

const know = ({ byId, bySubject }: Rows, finding: ReflectionFinding): void => {
  // One that is said again stays in its place.
  byId.set(finding.id, finding)
  if (finding.id.startsWith(byHand)) return forget(byId)
  const key = subjectKey(finding)
  const before = bySubject.get(key)
  if (before !== undefined && before.id !== finding.id && Date.parse(before.at) > Date.parse(finding.at)) return
  bySubject.delete(key)
  bySubject.set(key, finding)
  forget(byId)
  forget(bySubject)
}

const wanted = ({ byId }: Rows, { limit = mostKnown, rule, since }: Wanted): ReadonlyArray<ReflectionFinding> => {
  const most = limit > 0 ? Math.floor(limit) : 0
  const all = [...byId.values()].filter(
    (one) => (rule === undefined || one.rule === rule) && (since === undefined || Date.parse(one.at) >= since)
  )
  return all.slice(Math.max(0, all.length - most))
}

const decode = Schema.decodeUnknownEither(ReflectionFinding)

type Line =
  | { readonly _tag: "finding"; readonly finding: ReflectionFinding }
  | { readonly _tag: "blank" }
  | { readonly _tag: "invalid"; readonly problem: string }

const problemOf = (error: ParseResult.ParseError): string => {
  const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
  return first === undefined ? "it is no finding" : [first.path.join("."), first.message].filter(Boolean).join(": ")
}

const decoder = new TextDecoder()

const lineOf = (bytes: Uint8Array): Line => {
  const text = decoder.decode(bytes)
  if (text.trim() === "") return { _tag: "blank" }
  try {
    const read = decode(JsonScan.strict(text))
    return Either.isRight(read)
      ? { _tag: "finding", finding: read.right }
      : { _tag: "invalid", problem: problemOf(read.left) }
  } catch (cause) {
    return { _tag: "invalid", problem: `it is no JSON: ${cause instanceof Error ? cause.message : ""}` }
  }
}

const newIn = ({ byId }: Rows, given: ReadonlyArray<ReflectionFinding>): ReadonlyArray<ReflectionFinding> =>
  listed(given).filter(({ id }) => !byId.has(id))

const idsOf = (all: ReadonlyArray<ReflectionFinding>): ReadonlySet<string> => new Set(all.map(({ id }) => id))

const textOf = (all: ReadonlyArray<ReflectionFinding>): string =>
  all.map((finding) => `${JSON.stringify(finding)}\n`).join("")

const listed = (given: ReflectionFinding | ReadonlyArray<ReflectionFinding>): ReadonlyArray<ReflectionFinding> =>
  ("id" in given ? [given] : given).map(clean)

type Look = <A>(read: (rows: Rows) => A) => Effect.Effect<A, LogDiskError>

const queries = (look: Look): Pick<Service, "get" | "latest" | "findings"> => ({
  get: (id) => look(({ byId }) => byId.get(id) ?? null),
  latest: (subject) => look(({ bySubject }) => bySubject.get(subjectKey(subject)) ?? null),
  findings: (which = {}) => look((rows) => wanted(rows, which))
})

const pruning =
  (prune: (before: number) => Effect.Effect<number, LogDiskError>): Service["prune"] =>
  ({ maxAge }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => prune(now - Duration.toMillis(maxAge)))

export const onDisk = Effect.fnUntraced(function* ({ path }: { readonly path: string }) {
  const rows = makeRows()
  const clock = yield* Effect.clock
  const follower = {
    reset: () => {
      rows.byId.clear()
      rows.bySubject.clear()
      return 0
    },
    line: (chunk: Uint8Array, from: number, to: number) => {
      const line = lineOf(chunk.subarray(from, to))
      if (line._tag === "finding") know(rows, notAfter(line.finding, clock.unsafeCurrentTimeMillis()))
    }
  }
  const lines = yield* LineLog.open({ path, follower }, (error) => error)

  const read = Effect.gen(function* () {
    const ids = new Set<string>()
    const found = { lines: 0, blank: 0 }
    const invalid = yield* lines.check((bytes) => {
      const line = lineOf(bytes)
      if (line._tag === "invalid") return line.problem
      if (line._tag === "blank") found.blank += 1
      else {
        found.lines += 1
        ids.add(line.finding.id)
      }
      return null
    })
    return { findings: ids.size, replaced: found.lines - ids.size, blank: found.blank, ...invalid }
  })

  const prune = (before: number): Effect.Effect<number, LogDiskError> =>
    Effect.suspend(() => {
      const gone = new Set<string>()
      const isOld = (bytes: Uint8Array): boolean => {
        const line = lineOf(bytes)
        if (line._tag !== "finding") return false
        // Of two lines of an id the later one counts: both go, or none.
        const isGone = Date.parse((rows.byId.get(line.finding.id) ?? line.finding).at) < before
        if (isGone) gone.add(line.finding.id)
        return isGone
      }
      return Effect.map(
        lines.log.rewrite(() => (bytes) => !isOld(bytes)),
        () => gone.size
      )
    })

  yield* lines.look(() => undefined)

  return {
    prune: pruning(prune),
    ...queries((ask) => lines.look(() => ask(rows))),
    append: (given) => {
      const all = listed(given)
      return all.length === 0 ? Effect.void : lines.log.append(textOf(all))
    },
    appendNew: Effect.fnUntraced(function* (given) {
      if (given.length === 0) return new Set<string>()
      let added: ReadonlyArray<ReflectionFinding> = []
      yield* lines.log.appendAfter(() => textOf((added = newIn(rows, given))))
      return idsOf(added)
    }),
    verify: (options = {}) =>
      Effect.tap(read, ({ invalidCount }) =>
        options.repair === true && invalidCount > 0
          ? lines.reject((line) => lineOf(line)._tag === "invalid")
          : Effect.void
      )
  } satisfies Omit<Service, "heldBack">
})

export const held: Effect.Effect<Service> = Effect.map(Effect.clock, (clock) => {
  const rows = makeRows()
  let replaced = 0
  return {
    ...queries((ask) => Effect.sync(() => ask(rows))),
    append: (given) =>
      Effect.sync(() => {
        for (const finding of listed(given)) {
          if (rows.byId.has(finding.id)) replaced += 1
          know(rows, notAfter(finding, clock.unsafeCurrentTimeMillis()))
        }
      }),
    appendNew: (given) =>
      Effect.sync(() => {
        const added = newIn(rows, given)
        for (const finding of added) know(rows, notAfter(finding, clock.unsafeCurrentTimeMillis()))
        return idsOf(added)
      }),
    heldBack: Effect.succeed(null),
    prune: pruning((before) =>
      Effect.sync(() => {
        const kept = [...rows.byId.values()].filter(({ at }) => Date.parse(at) >= before)
        const gone = rows.byId.size - kept.length
        rows.byId.clear()
        rows.bySubject.clear()
        for (const finding of kept) know(rows, finding)
        return gone
      })
    ),
    verify: () => Effect.sync(() => ({ findings: rows.byId.size, replaced, blank: 0, invalidCount: 0, invalid: [] }))
  }
})

/** What a test's log says that is made to fail. */
export const full = new LogDiskError({
  path: "findings.jsonl",
  operation: "append",
  code: "ENOSPC",
  detail: "the test's disk is full"
})
