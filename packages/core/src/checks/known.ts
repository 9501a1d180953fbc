/** Stores check results by the state of the files, in one small file per workspace in the user's state. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CheckResult, keysOf } from "./CheckResult.ts"
import { doing } from "../base/system/Doing.ts"
import * as PlainFiles from "../base/system/PlainFiles.ts"

const Entry = Schema.Struct({
  check: Schema.String,
  /** A fingerprint of the check and the files. */
  key: Schema.String,
  /** In epoch ms. */
  at: Schema.Number,
  /** In ms. The check did not finish within this time. */
  limit: Schema.optionalWith(Schema.Number, { exact: true }),
  printed: Schema.optionalWith(Schema.String, { exact: true }),
  result: CheckResult
})

type Entry = typeof Entry.Type

const Saved = Schema.parseJson(Schema.Struct({ version: Schema.Literal(3), entries: Schema.Array(Entry) }))

const maxEntries = 20
const hour = 60 * 60 * 1000

/**
 * How long results are kept, in ms. Results other than `passed` expire sooner, because their cause may be outside the
 * files. A result that is not listed is never stored.
 */
const lasts: Partial<Readonly<Record<CheckResult["result"], number>>> = {
  passed: 24 * hour,
  failed: hour,
  failed_before: hour,
  flaky: hour,
  timed_out: hour
}

/** A damaged file counts as empty. */
const load = (file: string) =>
  doing(() => PlainFiles.read(file) ?? "").pipe(
    Effect.flatMap(Schema.decode(Saved)),
    Effect.map(({ entries }) => entries),
    Effect.orElseSucceed((): ReadonlyArray<Entry> => [])
  )

/** The first key with a valid result counts. Null if no key has a valid result. */
export const find = Effect.fnUntraced(function* (file: string, keys: ReadonlyArray<string>) {
  const now = yield* Clock.currentTimeMillis
  const fresh = (yield* load(file)).filter(({ at, result }) => now - at < (lasts[result.result] ?? 0))
  const entry = keys.flatMap((key) => fresh.find((other) => other.key === key) ?? [])[0]
  if (entry === undefined) return null
  return { ...entry, result: { ...entry.result, cached: true } }
})

/** True if a recent result shows the same failures from before a task. The files may have been different. */
export const isOld = Effect.fnUntraced(function* (file: string, { command, gate, old = [], ...result }: CheckResult) {
  const now = yield* Clock.currentTimeMillis
  const keys = keysOf({ ...result, failing: old }).join()
  return (yield* load(file)).some(
    ({ at, result: other }) =>
      now - at < hour &&
      other.result === "failed_before" &&
      other.gate === gate &&
      other.command === command &&
      keysOf({ ...other, failing: other.old ?? [] }).join() === keys
  )
})

/** The highest number of tests in an earlier run, for any files. Null if no run counted tests. */
export const mostTests = (file: string, check: string) =>
  Effect.map(load(file), (entries) =>
    entries.reduce<number | null>(
      (most, { check: other, result: { tests } }) =>
        other === check && tests !== undefined ? Math.max(most ?? 0, tests) : most,
      null
    )
  )

export const save = Effect.fnUntraced(function* (file: string, given: Omit<Entry, "at">) {
  if (lasts[given.result.result] === undefined) return
  const at = yield* Clock.currentTimeMillis
  const others = (yield* load(file)).filter(({ key }) => key !== given.key)
  const entries = [...others, { ...given, at }].slice(-maxEntries)
  const text = yield* Schema.encode(Saved)({ version: 3, entries })
  yield* doing(() => PlainFiles.write(file, text))
})
