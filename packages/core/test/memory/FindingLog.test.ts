import { assert, describe, it } from "@effect/vitest"
import { FindingLog, FindingRecord, type Service } from "@reflexion/core/FindingLog"
import type { StorageError } from "@reflexion/core/StorageError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { finding } from "../support/findings.ts"
import { folder, light } from "../support/stores.ts"
import * as Backend from "./contract/Backend.ts"
import { contract } from "./contract/FindingLog.ts"

type Opened = Effect.Effect<Service, StorageError, Scope.Scope>

const built = <E>(layer: Layer.Layer<FindingLog, E>): Effect.Effect<Service, E, Scope.Scope> =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, FindingLog))

const live = (path: string): Opened => built(Layer.provide(FindingLog.Live({ path }), NodeContext.layer))

contract({
  name: "Live",
  place: Effect.map(light, (place) =>
    Layer.provide(FindingLog.Live({ path: join(place, ".reflection", "findings.jsonl") }), NodeContext.layer)
  )
})
contract(Backend.alone("Memory", FindingLog.Memory))
contract(Backend.alone("Test", FindingLog.Test))
contract({ name: "Over", place: Effect.sync(() => FindingLog.Over(Backend.table())) })

describe("FindingLog.Live", () => {
  const opened = Effect.gen(function* () {
    const path = join(yield* folder, "findings.jsonl")
    return { path, log: yield* live(path) }
  })

  it.scoped("says whether anybody who may push can write it", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const path = join(place, "findings.jsonl")
      const git = (...words: ReadonlyArray<string>) => execFileSync("git", words, { cwd: place, stdio: "pipe" })
      const heldBack = (trusted: boolean) =>
        Effect.flatMap(FindingLog, (log) => log.heldBack).pipe(
          Effect.provide(FindingLog.Live({ path, trusted })),
          Effect.provide(NodeContext.layer)
        )
      git("init", "--quiet")
      writeFileSync(path, "")
      assert.isNull(yield* heldBack(false))
      git("add", "findings.jsonl")
      assert.include(yield* heldBack(false), `git tracks ${path}`)
      assert.isNull(yield* heldBack(true))
    })
  )

  it.scoped("sees what another process adds", () =>
    Effect.gen(function* () {
      const { log, path } = yield* opened
      const other = yield* live(path)
      yield* log.append(finding({ id: "a" }))
      yield* other.append(finding({ id: "b" }))
      yield* log.append(finding({ id: "a", severity: "action_taken", actionTaken: "paused the task" }))
      for (const one of [log, other])
        assert.deepStrictEqual(
          (yield* one.findings()).map(({ id, severity }) => [id, severity]),
          [
            ["a", "action_taken"],
            ["b", "warning"]
          ]
        )
    })
  )

  it.scoped("writes nothing until something is found", () =>
    Effect.gen(function* () {
      const { log, path } = yield* opened
      yield* log.append([])
      assert.deepStrictEqual(yield* log.findings(), [])
      assert.isFalse(existsSync(path))
    })
  )

  it.scoped("leaves lines that are no finding where they are", () =>
    Effect.gen(function* () {
      const { log, path } = yield* opened
      yield* log.append(finding({ id: "a" }))
      appendFileSync(path, `nonsense\n\n${JSON.stringify({ ...finding({ id: "b" }), severity: "loud" })}\n`)
      yield* log.append(finding({ id: "c" }))
      assert.deepStrictEqual(
        (yield* log.findings()).map(({ id }) => id),
        ["a", "c"]
      )
      assert.strictEqual(yield* log.unreadable, 2)
      assert.include(readFileSync(path, "utf8"), "nonsense")
    })
  )

  it.scoped("puts the torn end of a line aside", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "findings.jsonl")
      writeFileSync(path, `${JSON.stringify(finding({ id: "a" }))}\n{"id":"b","at`)
      const log = yield* live(path)
      yield* log.append(finding({ id: "c" }))
      assert.deepStrictEqual(
        (yield* log.findings()).map(({ id }) => id),
        ["a", "c"]
      )
    })
  )
})

it.effect("FindingLog.Test shows what it was told", () =>
  Effect.gen(function* () {
    const log = yield* FindingLog
    const record = yield* FindingRecord
    yield* log.append(finding({ id: "a" }))
    yield* log.append([finding({ id: "c" })])
    assert.deepStrictEqual(
      (yield* record.appended).map(({ id }) => id),
      ["a", "c"]
    )
  }).pipe(Effect.provide(FindingLog.Test))
)
