import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SessionDiff } from "../src/index.ts"

const git = (directory: string, args: ReadonlyArray<string>, at = "2026-01-01T10:00:00Z") =>
  Command.make("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", ...args).pipe(
    Command.workingDirectory(directory),
    Command.env({ GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }),
    Command.string
  )

/** A repository with one commit of ten o'clock, in which `a.txt` says "one". */
const repository = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped()
  const write = (name: string, text: string) => fs.writeFileString(`${directory}/${name}`, text)
  const commit = (at: string) =>
    Effect.zipRight(git(directory, ["add", "."]), git(directory, ["commit", "-qm", "c"], at))
  yield* git(directory, ["init", "-q"])
  yield* write("a.txt", "one\n")
  yield* commit("2026-01-01T10:00:00Z")
  return { directory, write, commit, fs }
})

const since = "2026-01-01T11:00:00Z"

describe("SessionDiff.ofDirectory", () => {
  it.scopedLive("has what was committed since the task, what was not, and new files", () =>
    Effect.gen(function* () {
      const { commit, directory, write } = yield* repository
      yield* write("a.txt", "two\n")
      yield* commit("2026-01-01T12:00:00Z")
      yield* write("a.txt", "three\n")
      yield* write("new file.txt", "fresh\n")
      const diff = (yield* SessionDiff.ofDirectory(directory, since)) ?? ""
      for (const line of ["--- a/a.txt", "-one", "+three", "+++ b/new file.txt", "+fresh"]) assert.include(diff, line)
      assert.notInclude(diff, "two")
      const later = (yield* SessionDiff.ofDirectory(directory, null)) ?? ""
      assert.include(later, "-two")
      assert.notInclude(later, "-one")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("begins with nothing where there was no commit before", () =>
    Effect.gen(function* () {
      const { directory } = yield* repository
      assert.include(yield* SessionDiff.ofDirectory(directory, "2025-01-01T00:00:00Z"), "+one")
      const fresh = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      yield* git(fresh, ["init", "-q"])
      yield* (yield* FileSystem.FileSystem).writeFileString(`${fresh}/b.txt`, "first\n")
      assert.include(yield* SessionDiff.ofDirectory(fresh, since), "+first")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("leaves out what git ignores, and runs nothing that the repository configures", () =>
    Effect.gen(function* () {
      const { directory, fs, write } = yield* repository
      const ran = `${directory}/.git/ran`
      yield* git(directory, ["config", "diff.external", `touch ${ran}; true`])
      yield* git(directory, ["config", "core.fsmonitor", `touch ${ran}; false`])
      yield* git(directory, ["config", "diff.x.textconv", `touch ${ran}; cat`])
      yield* write(".gitattributes", "*.txt diff=x\n")
      yield* write(".gitignore", "secret.env\n")
      yield* write("secret.env", "KEY=1\n")
      yield* write("a.txt", "two\n")
      yield* fs.remove(ran, { force: true })
      const diff = (yield* SessionDiff.ofDirectory(directory, since)) ?? ""
      assert.include(diff, "+two")
      assert.notInclude(diff, "KEY=1")
      assert.isFalse(yield* fs.exists(ran))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is bounded, and says so", () =>
    Effect.gen(function* () {
      const { directory, write } = yield* repository
      yield* write("a.txt", "long line of text\n".repeat(100_000))
      for (let number = 0; number < 52; number++) yield* write(`new${number}.txt`, "x\n")
      const diff = (yield* SessionDiff.ofDirectory(directory, since)) ?? ""
      assert.isAtMost(diff.length, SessionDiff.maxLength + 200)
      assert.include(diff, "the rest is left out")
      assert.include(diff, "2 more new files")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is null outside of a working copy and where there is no such directory", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      assert.isNull(yield* SessionDiff.ofDirectory(directory, null))
      assert.isNull(yield* SessionDiff.ofDirectory(`${directory}/none`, null))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
