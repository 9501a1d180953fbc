import { assert, describe, it } from "@effect/vitest"
import type { Reflection } from "@reflexion/core/Reflection"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as LessonTrust from "../src/memory/LessonTrust.ts"
import * as UserDirectories from "../src/places/UserDirectories.ts"

const root = "/repo/shop"

const lesson = (id: string, over: Partial<Reflection> = {}): Reflection => ({
  id,
  sessionId: "s1",
  taskId: "shop",
  subtaskId: "shop/cart",
  attemptNumber: 1,
  category: "root_cause",
  analysis: "The cart was empty.",
  suggestion: "Guard it.",
  actionItems: ["Look."],
  confidence: 0.7,
  createdAt: "2026-03-02T09:00:00.000Z",
  source: "heuristic",
  model: null,
  tags: ["test_failure"],
  ...over
})

const ids = (reflections: ReadonlyArray<Reflection>) => reflections.map(({ id }) => id)

const scratch = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "reflexion-lessons-"))),
    (home) => Effect.sync(() => rmSync(home, { recursive: true, force: true }))
  ),
  (home) => UserDirectories.make({ HOME: home })
)

const inHome = (title: string, work: (at: UserDirectories.UserDirectories) => void) =>
  it.scoped(title, () => Effect.map(scratch, work))

describe("LessonTrust", () => {
  inHome("knows what was learned here in every project, and what is trusted in one", (at) => {
    const all = [lesson("mine"), lesson("theirs")]
    assert.deepStrictEqual(LessonTrust.known(at, root, all), [])
    LessonTrust.own(at, [lesson("mine")])
    assert.deepStrictEqual(ids(LessonTrust.known(at, root, all)), ["mine"])
    LessonTrust.trust(at, root, [lesson("theirs")])
    assert.deepStrictEqual(ids(LessonTrust.known(at, root, all)), ["mine", "theirs"])
    assert.deepStrictEqual(ids(LessonTrust.known(at, "/moved/shop", all)), ["mine"])
    assert.deepStrictEqual([LessonTrust.isTrusted(at, root), LessonTrust.isTrusted(at, "/moved/shop")], [true, false])
    LessonTrust.trust(at, root, [])
    assert.deepStrictEqual(ids(LessonTrust.known(at, root, all)), ["mine"])
    assert.isTrue(LessonTrust.isTrusted(at, root))
    assert.deepStrictEqual([LessonTrust.untrust(at, root), LessonTrust.untrust(at, root)], [true, false])
    assert.strictEqual(statSync(LessonTrust.files(at, root).own).mode & 0o777, 0o600)
  })

  inHome("takes a lesson for another where anything differs that a prompt can show or go by", (at) => {
    LessonTrust.own(at, [lesson("mine")])
    const changes: ReadonlyArray<Partial<Reflection>> = [
      { id: "other" },
      { taskId: "t" },
      { subtaskId: "t" },
      { attemptNumber: 2 },
      { category: "edge_case" },
      { analysis: "The cart was full." },
      { suggestion: "Guard it. " },
      { actionItems: ["Look", "."] },
      { confidence: 1 },
      { createdAt: "2027-03-02T09:00:00.000Z" },
      { tags: [] }
    ]
    for (const change of changes)
      assert.deepStrictEqual(LessonTrust.known(at, root, [lesson("mine", change)]), [], JSON.stringify(change))
    assert.lengthOf(LessonTrust.known(at, root, [lesson("mine", { sessionId: "s2" })]), 1)
  })

  inHome("believes nobody by a state that cannot be read", (at) => {
    const { own } = LessonTrust.files(at, root)
    mkdirSync(dirname(own), { recursive: true })
    mkdirSync(own)
    assert.deepStrictEqual(LessonTrust.known(at, root, [lesson("mine")]), [])
    assert.throws(() => LessonTrust.own(at, [lesson("mine")]), /EISDIR/)
  })
})
