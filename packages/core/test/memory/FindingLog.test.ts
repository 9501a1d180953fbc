/** What a file of findings adds to what all logs of findings do. */
import { NodeContext } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { FindingLog } from "@reflexion/core/FindingLog"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { contract, finding, said } from "../support/findingContract.ts"
import { folder, handle, inMemory, onDisk, table } from "../support/stores.ts"
import { works } from "../support/works.ts"

contract("Live", onDisk(FindingLog.Live))
contract("Memory", inMemory(FindingLog, FindingLog.Memory))
contract(
  "Over",
  Effect.sync(() => FindingLog.Over(table()))
)

describe("a file of findings", () => {
  works("is written when something is found, with lines that are no finding left where they are", function* () {
    const path = join(yield* folder, "findings.jsonl")
    const log = yield* handle(FindingLog, FindingLog.Live({ path }))
    yield* log.append([])
    assert.deepStrictEqual([yield* log.findings(), existsSync(path)], [[], false])
    yield* log.append(finding({ id: "a" }))
    appendFileSync(path, `nonsense\n\n${JSON.stringify({ ...finding({ id: "b" }), severity: "loud" })}\n`)
    yield* log.append(finding({ id: "c" }))
    assert.deepStrictEqual(said(yield* log.findings()), ["a warning", "c warning"])
    assert.strictEqual(yield* log.unreadable, 2)
    assert.include(readFileSync(path, "utf8"), "nonsense")
  })

  works("is held back where git tracks it and nobody said that it is trusted", function* () {
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
    for (const part of [`git tracks ${path}`, "trusted: true"]) assert.include(yield* heldBack(false), part)
    assert.isNull(yield* heldBack(true))
  })
})
