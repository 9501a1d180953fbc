/** What checks gave on which files: one small file per workspace in the user's state. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CheckResult, keysOf } from "./CheckResult.ts"
import { doing } from "../base/system/Doing.ts"
import * as PlainFiles from "../base/system/PlainFiles.ts"

/** `key` is of the check and the files; `at` in epoch ms. */
const Entry = Schema.Struct({ key: Schema.String, at: Schema.Number, result: CheckResult })

const Saved = Schema.parseJson(Schema.Struct({ version: Schema.Literal(2), entries: Schema.Array(Entry) }))

const maxEntries = 20
const hour = 60 * 60 * 1000

/** What made a check fail may lie elsewhere than in the files; without a result it is run again in any case. */
const lasts: Partial<Readonly<Record<CheckResult["result"], number>>> = {
  passed: 24 * hour,
  failed: hour,
  failed_before: hour,
  flaky: hour
}

/** A damaged one is as good as none. */
const load = (file: string) =>
  doing(() => PlainFiles.read(file) ?? "").pipe(
    Effect.flatMap(Schema.decode(Saved)),
    Effect.map(({ entries }) => entries),
    Effect.orElseSucceed((): ReadonlyArray<typeof Entry.Type> => [])
  )

/** What the check gave on these very files, null if that is not known any more. */
export const find = Effect.fnUntraced(function* (file: string, key: string) {
  const now = yield* Clock.currentTimeMillis
  const entry = (yield* load(file)).find((other) => other.key === key)
  if (entry === undefined || now - entry.at >= (lasts[entry.result.result] ?? 0)) return null
  return { ...entry.result, cached: true }
})

/** Whether the check failed in the same way before a task lately, whatever the other files were. */
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

export const save = Effect.fnUntraced(function* (file: string, key: string, result: CheckResult) {
  if (lasts[result.result] === undefined) return
  const at = yield* Clock.currentTimeMillis
  const others = (yield* load(file)).filter((entry) => entry.key !== key)
  const entries = [...others, { key, at, result }].slice(-maxEntries)
  const text = yield* Schema.encode(Saved)({ version: 2, entries })
  yield* doing(() => PlainFiles.write(file, text))
})
