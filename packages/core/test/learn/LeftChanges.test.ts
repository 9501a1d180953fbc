import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as LeftChanges from "../../src/learn/changes/LeftChanges.ts"
import { constraints, Mutator } from "../../src/learn/changes/Mutator.ts"
import * as RecommendedAction from "../../src/learn/changes/RecommendedAction.ts"
import * as WorktreeMutator from "../../src/learn/changes/WorktreeMutator.ts"

const long = 60_000

const action = (change: string, target: string | null = "skills/deploy.md", reason = "three runs had no token") => {
  const made = RecommendedAction.make({ target, change, reason })
  assert.isNotNull(made)
  return made
}

const identity = ["-c", "user.name=a", "-c", "user.email=a@b"]

/** A repository with a commit. */
const world = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "left-changes-" }))
  const repository = join(root, "fleet")
  yield* fs.makeDirectory(repository)
  const git = (...words: ReadonlyArray<string>): string =>
    execFileSync("git", ["-C", repository, ...identity, ...words], { encoding: "utf8" }).trim()
  git("init", "--quiet", "--initial-branch=main")
  writeFileSync(join(repository, "deploy.md"), "Push.\n")
  git("add", "--all")
  git("commit", "--quiet", "--message=Begin")
  const agent = (script: string): WorktreeMutator.Agent => ({
    name: "Agent",
    install: "install it",
    program: "/bin/sh",
    env: { TMPDIR: root },
    timeout: "20 seconds",
    invoke: () => Effect.succeed({ words: ["-c", script] }),
    read: () => ({ how: "done", detail: "" })
  })
  const branch = (one: RecommendedAction.RecommendedAction, script: string) =>
    Effect.flatMap(Mutator, ({ propose }) => propose(one, constraints)).pipe(
      Effect.provide(WorktreeMutator.layer({ agent: agent(script), repository }))
    )
  return { branch, git, read: LeftChanges.branches(repository), repository, root }
})

const within = <A, E>(
  test: (given: Effect.Effect.Success<typeof world>) => Effect.Effect<A, E, NodeContext.NodeContext>
) => Effect.scoped(Effect.flatMap(world, test)).pipe(Effect.provide(NodeContext.layer))

describe("LeftChanges", () => {
  it.live(
    "reads back what a mutator's branch is for, with its diff",
    () =>
      within(({ branch, read }) =>
        Effect.gen(function* () {
          const one = action("Log in first.\n\nWhy: nobody did.\n\nThen push.")
          yield* branch(one, "echo Log in. >> deploy.md; echo TOKEN=x > .env")
          const [found, ...others] = yield* read
          assert.lengthOf(others, 0)
          assert.deepStrictEqual(found?.action, one)
          assert.deepInclude(found, {
            name: `reflexion/${one.id}`,
            subject: "Change skills/deploy.md",
            isMerged: false
          })
          assert.isAbove(found?.at ?? 0, Date.UTC(2020, 0))
          assert.strictEqual(found?.changed, "2 files changed, 2 insertions(+)")
          assert.include(found?.diff, "\n Push.\n+Log in.\n")
          // A file that holds keys by its name is none of a report's.
          assert.notInclude(found?.diff, "TOKEN")
        })
      ),
    long
  )

  it.live(
    "tells what was merged, and what a person went on with",
    () =>
      within(({ branch, git, read }) =>
        Effect.gen(function* () {
          const [taken, continued] = [action("Log in first.", null, ""), action("Push later.")]
          const { reference } = yield* branch(taken, "echo a > a.md")
          git("merge", "--quiet", reference)
          const other = (yield* branch(continued, "echo b > b.md")).reference
          git("checkout", "--quiet", other)
          git("commit", "--quiet", "--allow-empty", "--message=Say it better")
          git("checkout", "--quiet", "main")
          const found = new Map((yield* read).map((one) => [one.name, one]))
          assert.deepInclude(found.get(reference), { action: taken, isMerged: true, changed: "", diff: "" })
          assert.deepInclude(found.get(other), { action: null, subject: "Say it better", isMerged: false })
          assert.include(found.get(other)?.diff, "+b")
        })
      ),
    long
  )

  it.live(
    "runs nothing of the repository's, and has nothing where there is no repository",
    () =>
      within(({ branch, git, read, root }) =>
        Effect.gen(function* () {
          yield* branch(action("Log in first."), "echo 'Log in.' >> deploy.md; echo '*.md diff=evil' > .gitattributes")
          const ran = join(root, "ran")
          for (const key of ["diff.external", "diff.evil.textconv", "diff.evil.command", "core.pager"])
            git("config", key, `touch '${ran}'; cat`)
          writeFileSync(join(root, "fleet", ".gitattributes"), "*.md diff=evil\n")
          assert.lengthOf(yield* read, 1)
          assert.isFalse(existsSync(ran))
          assert.deepStrictEqual(yield* LeftChanges.branches(root), [])
        })
      ),
    long
  )

  it.effect("reads back a proposal, whatever its parts say", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped({ prefix: "left-changes-" })
      const all = [
        action("Log in first.\n\n## What to change\n\nAll of it."),
        action("Log in first.\n\nMake the change, or delete this file.", null),
        action("Log in first.", "skills/deploy.md", "")
      ]
      for (const one of all) {
        const { reference } = yield* Effect.flatMap(Mutator, ({ propose }) => propose(one, constraints)).pipe(
          Effect.provide(Mutator.Proposal({ directory }))
        )
        assert.deepStrictEqual(LeftChanges.ofProposal(yield* fs.readFileString(reference)), one)
      }
      for (const text of ["", "# A change", "# Notes\n\n## What to change\n\nNothing.", "Proposal x, by a model \n"])
        assert.isNull(LeftChanges.ofProposal(text), text)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )
})
