/** What reviewers said of which change, so that nobody pays twice for one: a small file in the user's state. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Consensus } from "./model.ts"
import * as Schemas from "./model.ts"
import * as Panel from "./Panel.ts"
import { writeWhole } from "../../base/system/PlainFiles.ts"

const Entry = Schema.Struct({ key: Schema.String, at: Schema.Number, consensus: Schemas.Consensus })

type Entry = typeof Entry.Type

const Saved = Schema.parseJson(Schema.Struct({ version: Schema.Literal(1), entries: Schema.Array(Entry) }))

const encode = Schema.encode(Saved)
const decode = Schema.decode(Saved)

const maxEntries = 20
const lasts = 24 * 60 * 60 * 1000

const fileIn = (directory: string) => Effect.map(Path.Path, (path) => path.join(directory, "reviews.json"))

/** A damaged one is as good as none. */
const load = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(file).pipe(
    Effect.flatMap(decode),
    Effect.map(({ entries }) => entries),
    Effect.orElseSucceed((): ReadonlyArray<Entry> => [])
  )
})

/** What was said of this very change, for nothing; null if that is not known any more. */
export const find = Effect.fnUntraced(function* (directory: string, key: string) {
  const now = yield* Clock.currentTimeMillis
  const entry = (yield* load(yield* fileIn(directory))).find((other) => other.key === key)
  if (entry === undefined || now - entry.at > lasts) return null
  const consensus: Consensus = { ...entry.consensus, cost: { modelCalls: 0, inputTokens: 0, outputTokens: 0 } }
  return consensus
})

/** Nobody was left out whose opinion might be had by asking again. */
const isOver = ({ leftOut }: Consensus): boolean => leftOut.every(Panel.isForGood)

/** Of a review in which somebody was not heard, the next one is to ask again. */
export const save = Effect.fnUntraced(function* (directory: string, key: string, consensus: Consensus) {
  if (!isOver(consensus)) return
  const fs = yield* FileSystem.FileSystem
  const file = yield* fileIn(directory)
  const at = yield* Clock.currentTimeMillis
  const others = (yield* load(file)).filter((entry) => entry.key !== key)
  yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
  yield* writeWhole(
    file,
    yield* encode({ version: 1, entries: [...others, { key, at, consensus }].slice(-maxEntries) })
  )
}, Effect.ignore)
