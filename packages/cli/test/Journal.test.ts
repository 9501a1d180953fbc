import { assert, describe, it } from "@effect/vitest"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as NodeLogDisk from "@reflexion/node/NodeLogDisk"
import { Effect, Exit, Layer, Scope } from "effect"
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as MemoryReport from "../src/memory/MemoryReport.ts"
import { folder, runCli } from "./runCli.ts"

const journal = { after: 2, bytes: 64 * 1024 }

const reflection = (id: string) => ({
  id,
  sessionId: "s1",
  taskId: "t1",
  subtaskId: "t1.1",
  attemptNumber: 1,
  category: "edge_case" as const,
  analysis: `The ${id} was empty.`.padEnd(400, "."),
  suggestion: `Look at an empty ${id} first.`,
  actionItems: [],
  confidence: 0.5,
  createdAt: "2026-01-01T00:00:00.000Z",
  source: "human" as const,
  model: null,
  tags: []
})

/** A memory whose last line a power cut took: it is in the journal that the killed program left. */
const cut = Effect.gen(function* () {
  const root = yield* folder({ "shop/.git/HEAD": "", "home/.keep": "" })
  const path = join(root, "shop", ".reflection", "reflections.jsonl")
  mkdirSync(dirname(path))
  // Some file systems get no journal by themselves; one that is there is written to on all.
  writeFileSync(`${path}.journal`, new Uint8Array(journal.bytes))
  const scope = yield* Scope.make()
  const layer = Layer.provide(ReflexionStore.Live({ path }), NodeLogDisk.layerWith({ journal }))
  const store = yield* Effect.provide(ReflexionStore, yield* Layer.buildWithScope(layer, scope))
  // The opening settled the empty one.
  writeFileSync(`${path}.journal`, new Uint8Array(journal.bytes))
  for (let index = 0; index < 8; index += 1) yield* store.append(reflection(`r${index}`))
  const left = readFileSync(`${path}.journal`)
  yield* Scope.close(scope, Exit.void)
  writeFileSync(`${path}.journal`, left, { mode: 0o600 })
  const { length } = readFileSync(path)
  truncateSync(path, readFileSync(path, "latin1").lastIndexOf("\n", length - 2) + 1)
  const run = (words: string) =>
    runCli(words.split(" "), { cwd: join(root, "shop"), env: { HOME: join(root, "home"), PATH: "" } })
  return { path, lost: length - statSync(path).size, run }
})

const bare = (text: string): string => text.replace(/\s+/gu, " ")

describe("a memory that a power cut left behind its journal", () => {
  it.scoped("is named by the doctor, which changes nothing, until `verify` has put back what it lost", () =>
    Effect.gen(function* () {
      const { lost, path, run } = yield* cut
      const { size } = statSync(path)
      const found = yield* run("doctor claude-code")
      assert.include(bare(found.out), `lacks ${lost} bytes of whole lines that`)
      assert.include(bare(found.out).replaceAll(" ", ""), "reflections.jsonl.journalhas")
      assert.strictEqual(statSync(path).size, size)
      const verified = yield* run("verify --format json")
      assert.strictEqual(verified.code, 0)
      assert.include(verified.err, `had lost ${lost} bytes of whole lines`)
      assert.deepInclude(JSON.parse(verified.out), { reflections: 8, invalidCount: 0, unsettled: 0 })
      assert.notInclude((yield* run("doctor claude-code")).out, "lacks")
    })
  )

  it("is not well where it could not be put back", () => {
    const found = { reflections: 7, replaced: 0, events: 0, blank: 0, invalidCount: 0, invalid: [] }
    const style = { color: false, unicode: true, width: 100 }
    const given = { path: "/shop/reflections.jsonl", repair: true }
    const text = MemoryReport.verification(style, found, { ...given, unsettled: 403 })
    assert.include(text, "✗ /shop/reflections.jsonl: 7 reflections")
    assert.include(text, "lacks 403 bytes of whole lines that /shop/reflections.jsonl.journal has")
    assert.notInclude(MemoryReport.verification(style, found, { ...given, unsettled: 0 }), "journal")
  })
})
