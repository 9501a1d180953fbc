import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Mutator from "../../src/memory/changes/Mutator.ts"
import * as RecommendedAction from "../../src/memory/changes/RecommendedAction.ts"

const action = (change: string, target: string | null = "deploy") => {
  const made = RecommendedAction.make({ target, change, reason: "three runs had no token" })
  assert.isNotNull(made)
  return made
}

const workspace = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped())

const propose = (directory: string, one: RecommendedAction.RecommendedAction) =>
  Effect.flatMap(Mutator.Mutator, (mutator) => mutator.propose(one)).pipe(
    Effect.provide(Mutator.Mutator.Proposal({ directory }))
  )

describe("Mutator.Proposal", () => {
  it.scoped("writes what to change and why, for the user alone and out of git's sight", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const root = yield* workspace
      const one = action("Log in first.")
      const mutation = yield* propose(root, one)
      assert.deepStrictEqual(mutation, {
        actionId: one.id,
        kind: "proposal",
        reference: `${root}/.reflection/proposals/${one.id}.md`,
        detail: "written for a person to read"
      })
      assert.strictEqual(
        yield* fs.readFileString(mutation.reference),
        `# A change of deploy

Proposal ${one.id}, by a model that looked at how the runs of many tasks ended. Nothing was changed.

## What to change

Log in first.

## Why

three runs had no token

Make the change, or delete this file.
`
      )
      assert.strictEqual(Number((yield* fs.stat(mutation.reference)).mode) & 0o777, 0o600)
      assert.include(yield* fs.readFileString(`${root}/.reflection/.gitignore`), "*")
      assert.sameMembers(yield* fs.readDirectory(`${root}/.reflection`), [".gitignore", "proposals"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("leaves a proposal as it is where the same was proposed before", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const root = yield* workspace
      const { reference } = yield* propose(root, action("Log in first."))
      yield* fs.writeFileString(reference, "I'll do that on Monday.")
      assert.strictEqual((yield* propose(root, action("Log in first."))).detail, "the same was proposed before")
      assert.strictEqual(yield* fs.readFileString(reference), "I'll do that on Monday.")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("writes through no symbolic link", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const one = action("Log in first.")
      const elsewhere = yield* workspace
      for (const place of [".reflection", ".reflection/proposals"]) {
        const root = yield* workspace
        if (place !== ".reflection") yield* fs.makeDirectory(`${root}/.reflection`)
        yield* fs.symlink(elsewhere, `${root}/${place}`)
        const error = yield* Effect.flip(propose(root, one))
        assert.strictEqual(error.reason, "failed")
        assert.include(error.message, "symbolic link")
        assert.deepStrictEqual(yield* fs.readDirectory(elsewhere), [])
      }
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect("makes no workspace that is not there", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(propose("/repo/that/is/not/there", action("Log in first.")))
      assert.strictEqual(error.reason, "failed")
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
