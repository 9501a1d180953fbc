/** The shelf of an outcome log on disk. */
import * as Effect from "effect/Effect"
import { encode } from "./AttemptOutcome.ts"
import type { AttemptOutcome, OutcomeView, Shelf } from "./model.ts"
import type { Keeps } from "../log/AppendLog.ts"
import { LogDisk, type LogFile } from "../log/LogDisk.ts"
import * as LineLog from "../log/LineLog.ts"
import * as OutcomeLine from "./line.ts"
import * as OutcomeRows from "./rows.ts"

const decoder = new TextDecoder()

const lineOf = (bytes: Uint8Array): OutcomeLine.Line => OutcomeLine.parse(decoder.decode(bytes))

export const open = Effect.fnUntraced(function* ({ path }: { readonly path: string }) {
  const disk = yield* LogDisk
  const rows = OutcomeRows.make()
  const reset = (file: LogFile | null): number => {
    rows.reset(file)
    return 0
  }
  const lines = yield* LineLog.open({ path, follower: { reset, line: rows.line } }, (error) => error)

  const drop: Shelf["drop"] = (plan) => {
    let count = 0
    const keeps = (): Keeps | null => {
      const isDoomed = plan(rows.view)
      const offsets = new Set<number>()
      count = 0
      for (let row = 0; row < rows.view.end; row += 1) {
        const isAlive = rows.view.isAlive(row)
        if (isAlive && !isDoomed(row)) continue
        if (isAlive) count += 1
        // What repeats an id goes too: without its first it would be back.
        offsets.add(rows.offsetOf(row))
      }
      return count === 0 ? null : (_, at) => !offsets.has(at)
    }
    return Effect.map(lines.log.rewrite(keeps), () => count)
  }

  const read = Effect.gen(function* () {
    const ids = new Set<string>()
    const found = { outcomes: 0, blank: 0 }
    const invalid = yield* lines.check((bytes) => {
      const line = lineOf(bytes)
      if (line._tag === "invalid") return line.problem
      if (line._tag === "blank") found.blank += 1
      else {
        found.outcomes += 1
        ids.add(line.outcome.id)
      }
      return null
    })
    return { outcomes: ids.size, repeated: found.outcomes - ids.size, blank: found.blank, ...invalid }
  })

  yield* lines.look(() => undefined)

  return {
    look: <A>(ask: (view: OutcomeView) => A) => lines.look(() => ask(rows.view)),
    add: (outcomes: ReadonlyArray<AttemptOutcome>) => lines.log.append(outcomes.map(encode).join("")),
    drop,
    watch: (watcher) => lines.orRefused(() => disk.watch(path, watcher)),
    verify: (options = {}) =>
      Effect.tap(read, ({ invalidCount }) =>
        options.repair === true && invalidCount > 0
          ? lines.reject((line) => lineOf(line)._tag === "invalid")
          : Effect.void
      )
  } satisfies Shelf
})
