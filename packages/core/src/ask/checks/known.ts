/** What checks gave on which files: one small file per workspace in the user's state. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CheckResult } from "./CheckResult.ts"
import { fileKind, hasKnownEnding } from "../../base/system/Paths.ts"
import { writeWhole } from "../../base/system/PlainFiles.ts"
import type { Tree } from "./sameFiles.ts"

/** `trees`: the files before the run and, if that was only what a run leaves behind, after it. `at` in epoch ms. */
const Entry = Schema.Struct({
  check: Schema.String,
  trees: Schema.Array(Schema.String),
  at: Schema.Number,
  result: CheckResult
})

const Saved = Schema.parseJson(Schema.Struct({ version: Schema.Literal(1), entries: Schema.Array(Entry) }))

const maxEntries = 20
const day = 24 * 60 * 60 * 1000

/**
 * What made a check fail may lie elsewhere than in the files, and what ended it without a result may be gone soon. That
 * the time was short says nothing of a longer one.
 */
const lasts: Readonly<Record<CheckResult["result"], number>> = {
  passed: day,
  failed: day / 24,
  timed_out: 0,
  unavailable: day / 24 / 6
}

/** A damaged one is as good as none. */
const load = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(file).pipe(
    Effect.flatMap(Schema.decode(Saved)),
    Effect.map(({ entries }) => entries),
    Effect.orElseSucceed((): ReadonlyArray<typeof Entry.Type> => [])
  )
})

/** What the check gave on this very tree, null if that is not known any more. */
export const find = Effect.fnUntraced(function* (file: string, check: string, tree: Tree) {
  const now = yield* Clock.currentTimeMillis
  const entry = (yield* load(file)).find((other) => other.check === check && other.trees.includes(tree.key))
  if (entry === undefined || now - entry.at >= lasts[entry.result.result]) return null
  return { ...entry.result, cached: true }
})

const work: ReadonlySet<string> = new Set(["source", "test", "config", "script"])

const leftBehind =
  /(?:^|\/)(?:build|coverage|dist|logs?|out|reports?|target|te?mp|test-results|\.nyc_output)\/|\.(?:lcov|log|map|out|tmp)$/i

const isWork = (line: string): boolean => {
  const path = line.slice(line.indexOf("\t") + 1)
  return hasKnownEnding(path) && work.has(fileKind(path)) && !leftBehind.test(path.slice(-500))
}

/** Whether only files that a run leaves behind differ. Someone may have edited while it ran: that was not checked. */
const isSame = (before: Tree, after: Tree): boolean =>
  [...before.files].every((line) => after.files.has(line) || !isWork(line))

export interface Ran {
  readonly check: string
  readonly before: Tree
  readonly after: Tree | null
  readonly result: CheckResult
}

export const save = Effect.fnUntraced(function* (file: string, { after, before, check, result }: Ran) {
  if (lasts[result.result] === 0) return
  const at = yield* Clock.currentTimeMillis
  const trees = after !== null && isSame(before, after) ? [before.key, after.key] : [before.key]
  const others = (yield* load(file)).filter((entry) => entry.check !== check)
  const entries = [...others, { check, trees, at, result }].slice(-maxEntries)
  yield* writeWhole(file, yield* Schema.encode(Saved)({ version: 1, entries }))
})
