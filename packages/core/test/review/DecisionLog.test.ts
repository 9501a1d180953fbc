import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { worksWith } from "../support/works.ts"
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

const append = (file: string, line: Decision.Decision) =>
  Effect.flatMap(DecisionLog, (log) => log.append(line)).pipe(Effect.provide(DecisionLog.Live({ file })))

const works = worksWith(NodeContext.layer)

const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return { fs, root: yield* fs.makeTempDirectoryScoped() }
})

describe("DecisionLog.Live", () => {
  works("adds a line per decision, in a folder that it makes", function* () {
    const { fs, root } = yield* place
    const file = `${root}/reflexion/log.jsonl`
    const decisions = [decision, { ...decision, decision: "notice" as const, attempt: null }]
    for (const one of decisions) yield* append(file, one)
    const lines = (yield* fs.readFileString(file)).trimEnd().split("\n")
    assert.deepStrictEqual(yield* Effect.forEach(lines, (line) => decode(line)), decisions)
  })

  works("begins a new log when the old one is long, goes on where it cannot write, and follows no link", function* () {
    const { fs, root } = yield* place
    const log = `${root}/log.jsonl`
    yield* append("/dev/null/log.jsonl", decision)
    yield* fs.writeFileString(log, "x".repeat(maxBytes))
    yield* append(log, decision)
    assert.sameMembers(yield* fs.readDirectory(root), ["log.jsonl", "log.older.jsonl"])
    assert.strictEqual(yield* fs.readFileString(log), `${Decision.encode(decision)}\n`)
    yield* fs.writeFileString(`${root}/target`, "kept")
    yield* fs.remove(log)
    yield* fs.symlink(`${root}/target`, log)
    yield* append(log, decision)
    assert.strictEqual(yield* fs.readFileString(`${root}/target`), "kept")
  })
})
