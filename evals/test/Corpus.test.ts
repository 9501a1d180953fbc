import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Corpus from "../src/sessions/Corpus.ts"
import * as NudgeSuite from "../src/watch/NudgeSuite.ts"
import * as Floors from "../src/report/Floors.ts"
import * as WatchEval from "../src/watch/WatchEval.ts"

const said: Array<string> = []

const options = { isWanted: () => true, print: (text: string) => said.push(text), floors: Floors.load(), listed: false }

const only = (name: string) => ({ ...options, isWanted: (suite: string) => suite === name })

describe("a corpus that lacks a folder", () => {
  it("has the others, and no labels where there are none", () => {
    const root = mkdtempSync(join(tmpdir(), "reflexion-evals-"))
    try {
      mkdirSync(join(root, "codex"))
      writeFileSync(join(root, "codex", "stops.jsonl"), '{"session":"s","turn":0}\n')
      assert.deepStrictEqual(Corpus.present(root), ["codex"])
      assert.deepStrictEqual(Corpus.stops(join(root, "claude-code")), [])
      assert.lengthOf(Corpus.stops(join(root, "codex")), 1)
      assert.deepStrictEqual(NudgeSuite.run(root), [])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})

describe("without a corpus", () => {
  it("the nudges of real stops are skipped by name", () => {
    assert.isNull(WatchEval.evaluate(null, only("nudges")).results.nudges)
    assert.match(said.join("\n"), /nudges\) skipped: no corpus/u)
  })
})
