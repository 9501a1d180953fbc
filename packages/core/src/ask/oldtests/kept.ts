/** What old tests gave on which files: one small file in the user's state. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { writeWhole } from "../../ground/system/PlainFiles.ts"
import { OldTests } from "./model.ts"

const Entry = Schema.Struct({ key: Schema.String, at: Schema.Number, result: OldTests })

const Saved = Schema.parseJson(Schema.Struct({ version: Schema.Literal(1), entries: Schema.Array(Entry) }))

const maxEntries = 20
const day = 24 * 60 * 60 * 1000

const lasts: Readonly<Record<OldTests["result"], number>> = { passed: day, failed: day / 24, unknown: day / 24 / 6 }

const load = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(file).pipe(
    Effect.flatMap(Schema.decode(Saved)),
    Effect.map(({ entries }) => entries),
    Effect.orElseSucceed((): ReadonlyArray<typeof Entry.Type> => [])
  )
})

/** What is known of them, null where nothing is any more. */
export const find = Effect.fnUntraced(function* (file: string, key: string) {
  const now = yield* Clock.currentTimeMillis
  const entry = (yield* load(file)).find((other) => other.key === key)
  return entry === undefined || now - entry.at >= lasts[entry.result.result] ? null : entry.result
})

export const save = Effect.fnUntraced(function* (file: string, key: string, result: OldTests) {
  const at = yield* Clock.currentTimeMillis
  const others = (yield* load(file)).filter((entry) => entry.key !== key)
  const entries = [...others, { key, at, result }].slice(-maxEntries)
  yield* writeWhole(file, yield* Schema.encode(Saved)({ version: 1, entries }))
}, Effect.ignore)
