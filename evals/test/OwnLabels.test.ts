import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "@reflexion/core/Judgment"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { encode, labelOf } from "../../packages/cli/src/report/labels.ts"
import * as Corpus from "../src/sessions/Corpus.ts"
import * as Sessions from "../src/sessions/Sessions.ts"
import * as StopSuite from "../src/stops/StopSuite.ts"

const recordings = fileURLToPath(new URL("../../packages/testing/recordings/", import.meta.url))

/** A stop that the judge pushes at, in each host's own form. */
const recorded = {
  "claude-code": "claim-contradicted.jsonl",
  codex: "claim-contradicted.jsonl",
  opencode: "claim-contradicted.json"
} as const

const inReport = <A>(file: string, lines: string, use: (folder: string) => A): A => {
  const root = mkdtempSync(join(tmpdir(), "reflexion-evals-"))
  const folder = join(root, Corpus.own)
  const { sessionId } = Sessions.decode(Corpus.bytes(file))
  try {
    mkdirSync(join(folder, "sessions"), { recursive: true })
    cpSync(file, join(folder, "sessions", `${sessionId}${extname(file)}`))
    writeFileSync(join(folder, "stops.jsonl"), lines)
    return use(folder)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

describe.each(Object.entries(recorded))("the labels of a report on a session of %s", (host, name) => {
  const file = join(recordings, host, name)
  const verdict = Judgment.judge(Sessions.decode(Corpus.bytes(file)))
  const label = labelOf(
    {
      sessionId: verdict.sessionId ?? "",
      turn: verdict.turn.index,
      userMessageAt: verdict.turn.userMessageAt,
      stoppedAt: verdict.turn.stoppedAt,
      kind: verdict.stop.kind,
      reason: verdict.reason
    },
    { right: true, kind: null, note: "The tests fail." }
  )

  it("are read beside its record, and the push that they call right is found", () => {
    assert.strictEqual(verdict.host, host)
    assert.isTrue(verdict.shouldContinue)
    if (label === null) assert.fail("no label")
    const result = inReport(file, encode([label]), StopSuite.judge)
    assert.deepStrictEqual(result.unmatched, [])
    const { judge } = StopSuite.summary(result)
    assert.deepStrictEqual([judge.stops, judge.labelledPush, judge.foundPushes, judge.kindAgreement], [1, 1, 1, 1])
  })

  it("that are of no stop on record are counted as such", () => {
    if (label === null) assert.fail("no label")
    const other = { ...label, stoppedAt: "2001-01-01T00:00:00.000Z" }
    const { rows, unmatched } = inReport(file, encode([other]), StopSuite.judge)
    assert.deepStrictEqual([rows.length, unmatched], [0, [`${label.session}:${label.turn}`]])
  })
})
