import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Decision from "../../src/review/machine/Decision.ts"
import { DecisionLog, maxBytes } from "../../src/review/records/DecisionLog.ts"

const decision: Decision.Decision = {
  at: "2026-03-02T09:00:00.000Z",
  host: "opencode",
  sessionId: "s1",
  directory: "/repo",
  event: "session.idle",
  decision: "nudge",
  reason: "tests were not run",
  status: "incomplete",
  severity: "LOW",
  attempt: 1,
  maxAttempts: 3,
  durationMs: 12
}

const decode = Schema.decodeUnknown(Schema.parseJson(Decision.Decision))

const folder = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

const append = (file: string, line: Decision.Decision) =>
  Effect.flatMap(DecisionLog, (log) => log.append(line)).pipe(Effect.provide(DecisionLog.Live({ file })))

describe("DecisionLog.Live", () => {
  it.scoped("adds a line per decision, in a folder that it makes", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = `${yield* folder}/reflexion/log.jsonl`
      yield* append(file, decision)
      yield* append(file, { ...decision, decision: "notice", attempt: null })
      const lines = (yield* fs.readFileString(file)).trimEnd().split("\n")
      assert.deepStrictEqual(yield* Effect.forEach(lines, (line) => decode(line)), [
        decision,
        { ...decision, decision: "notice", attempt: null }
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("begins a new log when the old one is long, and keeps that", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const root = yield* folder
      yield* fs.writeFileString(`${root}/log.jsonl`, "x".repeat(maxBytes))
      yield* append(`${root}/log.jsonl`, decision)
      assert.sameMembers(yield* fs.readDirectory(root), ["log.jsonl", "log.older.jsonl"])
      assert.strictEqual(yield* fs.readFileString(`${root}/log.jsonl`), `${Decision.encode(decision)}\n`)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("goes on where it cannot write, and follows no link", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const root = yield* folder
      yield* append("/dev/null/log.jsonl", decision)
      yield* fs.writeFileString(`${root}/target`, "kept")
      yield* fs.symlink(`${root}/target`, `${root}/log.jsonl`)
      yield* append(`${root}/log.jsonl`, decision)
      assert.strictEqual(yield* fs.readFileString(`${root}/target`), "kept")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
