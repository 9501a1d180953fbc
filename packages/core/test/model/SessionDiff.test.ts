import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SessionDiff from "../../src/model/crossreview/SessionDiff.ts"

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

/** The diff of a session that wrote these files. */
const diffOf = (directory: string, from: string | null, ...edited: ReadonlyArray<string>) =>
  SessionDiff.ofDirectory(directory, { since: from, edited: edited.map((name) => `${directory}/${name}`) })

describe("SessionDiff.ofDirectory", () => {
  it.scopedLive("has what was committed since the task, what was not, and new files", () =>
    Effect.gen(function* () {
      const { commit, directory, write } = yield* repository
      yield* write("a.txt", "two\n")
      yield* commit("2026-01-01T12:00:00Z")
      yield* write("a.txt", "three\n")
      yield* write("new file.txt", "fresh\n")
      const diff = (yield* diffOf(directory, since, "new file.txt")) ?? ""
      for (const line of ["--- a/a.txt", "-one", "+three", "+++ b/new file.txt", "+fresh"]) assert.include(diff, line)
      assert.notInclude(diff, "two")
      const later = (yield* diffOf(directory, null)) ?? ""
      assert.include(later, "-two")
      assert.notInclude(later, "-one")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("leaves out what the user had changed before the task, and nobody since", () =>
    Effect.gen(function* () {
      const { commit, directory, fs, write } = yield* repository
      const names = ["users.txt", "both.txt", "agents.txt", "told.txt"]
      for (const name of names) yield* write(name, "one\n")
      yield* commit("2026-01-01T10:30:00Z")
      for (const name of names) yield* write(name, `changed ${name}\n`)
      const before = new Date("2026-01-01T10:45:00Z")
      for (const name of ["users.txt", "told.txt"]) yield* fs.utimes(`${directory}/${name}`, before, before)
      yield* fs.remove(`${directory}/a.txt`)
      const diff = (yield* diffOf(directory, since, "told.txt")) ?? ""
      for (const line of ["+changed both.txt", "+changed agents.txt", "+changed told.txt", "-one"])
        assert.include(diff, line)
      assert.notInclude(diff, "users.txt")
      assert.include(diff, "(left out: 1 changed before the task, and not since)")
      assert.include(yield* diffOf(directory, null), "+changed users.txt")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive(
    "shows of the files that git does not know those alone that the session wrote, and none that hold keys",
    () =>
      Effect.gen(function* () {
        const { commit, directory, fs, write } = yield* repository
        yield* write(".gitignore", "ignored.txt\n")
        yield* fs.makeDirectory(`${directory}/config`)
        yield* write("config/.env.production", "TOKEN=committed-value\n")
        yield* commit("2026-01-01T10:30:00Z")
        yield* write("config/.env.production", "TOKEN=other-value\n")
        const names = ["made.txt", "ignored.txt", ".env", "server.key", "notes.txt"]
        for (const name of names) yield* write(name, `text of ${name}\n`)
        yield* fs.symlink("/etc/passwd", `${directory}/made-link`)
        const edited = ["made.txt", "ignored.txt", ".env", "server.key", "made-link"]
        const diff = (yield* diffOf(directory, since, ...edited)) ?? ""
        assert.include(diff, "+text of made.txt")
        for (const name of names.slice(1)) assert.notInclude(diff, `text of ${name}`)
        for (const word of ["TOKEN", "committed-value", "other-value", "root:"]) assert.notInclude(diff, word)
        assert.include(diff, "1 that may hold keys")
        assert.include(diff, "(left out: 1 new, and not known")
      }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("runs nothing that the repository configures, wherever git would", () =>
    Effect.gen(function* () {
      const { commit, directory, fs, write } = yield* repository
      const ran = `${directory}/.git/ran`
      const touch = `echo "$0 $*" >> ${ran};`
      const filters = ["clean", "smudge", "process"].map((kind) => [`filter.od d.${kind}`, `${touch} cat`] as const)
      yield* write(".gitattributes", "*.txt diff=x filter=evil\n*.md filter=multi\n")
      yield* write("b.md", "one\n")
      yield* commit("2026-01-01T10:30:00Z")
      const module = `${directory}/module`
      yield* fs.makeDirectory(module)
      yield* git(module, ["init", "-q"])
      yield* fs.writeFileString(`${module}/a.txt`, "one\n")
      yield* git(module, ["add", "."])
      yield* git(module, ["commit", "-qm", "c"])
      yield* git(directory, ["-c", "advice.addEmbeddedRepo=false", "add", "module"])
      yield* git(directory, ["commit", "-qm", "m"], "2026-01-01T10:40:00Z")
      const configured: ReadonlyArray<readonly [string, string]> = [
        ...filters,
        ["filter.evil.clean", `${touch} cat`],
        ["filter.evil.required", "true"],
        ["filter.multi.process", `${touch} cat`],
        ["filter.multi.required", "true"],
        ["diff.external", `${touch} true`],
        ["diff.x.command", `${touch} true`],
        ["diff.x.textconv", `${touch} cat`],
        ["core.fsmonitor", `${touch} false`],
        ["core.pager", `${touch} cat`],
        ["pager.diff", `${touch} cat`],
        ["core.hooksPath", `${directory}/.git/evil`],
        ["core.alternateRefsCommand", `${touch} true`],
        ["core.sshCommand", `${touch} true`],
        ["diff.ignoreSubmodules", "none"],
        ["diff.submodule", "diff"]
      ]
      yield* fs.makeDirectory(`${directory}/.git/evil`)
      for (const hook of ["post-index-change", "fsmonitor-watchman", "pre-auto-gc"]) {
        yield* fs.writeFileString(`${directory}/.git/evil/${hook}`, `#!/bin/sh\n${touch}\n`)
        yield* fs.chmod(`${directory}/.git/evil/${hook}`, 0o755)
      }
      for (const [key, value] of configured) yield* git(directory, ["config", key, value])
      yield* git(module, ["config", "filter.evil.clean", `${touch} cat`])
      yield* git(module, ["config", "core.fsmonitor", `${touch} false`])
      yield* fs.writeFileString(`${module}/.gitattributes`, "*.txt filter=evil\n")
      yield* fs.writeFileString(`${module}/a.txt`, "two\n")
      yield* fs.writeFileString(`${directory}/.git/info/attributes`, "*.js filter=evil\n")
      for (const [name, text] of [
        ["a.txt", "two\n"],
        ["b.md", "two\n"],
        ["new.txt", "new\n"],
        ["c.js", "3\n"]
      ] as const)
        yield* write(name, text)
      yield* fs.remove(ran, { force: true })
      yield* git(directory, ["diff"])
      assert.isTrue(yield* fs.exists(ran), "git itself runs them")
      yield* fs.remove(ran, { force: true })
      const diff = (yield* diffOf(directory, since, "new.txt", "c.js")) ?? ""
      for (const line of ["+two", "+new", "+3", "--- a/b.md"]) assert.include(diff, line)
      assert.isFalse(yield* fs.exists(ran), yield* Effect.orElseSucceed(fs.readFileString(ran), () => ""))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("says nothing rather than run a filter that no override can name", () =>
    Effect.gen(function* () {
      const { directory, fs, write } = yield* repository
      const ran = `${directory}/.git/ran`
      yield* git(directory, ["config", "filter.a=b.clean", `touch ${ran}; cat`])
      yield* write(".gitattributes", "*.txt filter=a=b\n")
      yield* write("a.txt", "two\n")
      yield* git(directory, ["diff"])
      assert.isTrue(yield* fs.exists(ran), "git itself runs it")
      yield* fs.remove(ran)
      assert.isNull(yield* diffOf(directory, since))
      assert.isFalse(yield* fs.exists(ran))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("looks at no working copy that is said to be elsewhere", () =>
    Effect.gen(function* () {
      const { directory, fs } = yield* repository
      const other = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${other}/a.txt`, "of somebody else\n")
      yield* git(directory, ["config", "core.worktree", other])
      assert.isNull(yield* diffOf(directory, since, "a.txt"))
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("asks git in the sandbox where there is one", () =>
    Effect.gen(function* () {
      const { directory, fs, write } = yield* repository
      const box = `${directory}/.git/box`
      yield* fs.writeFileString(box, `#!/bin/sh\necho "$*" >> ${box}.log\nexec "$@"\n`)
      yield* fs.chmod(box, 0o755)
      yield* write("a.txt", "two\n")
      assert.include(yield* SessionDiff.ofDirectory(directory, { since, edited: [], within: [box] }), "+two")
      const asked = (yield* fs.readFileString(`${box}.log`)).trim().split("\n")
      assert.isAbove(asked.length, 3)
      for (const line of asked) assert.match(line, /^\/\S*\/git /)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is bounded, and says so", () =>
    Effect.gen(function* () {
      const { directory, write } = yield* repository
      yield* write("a.txt", "long line of text\n".repeat(100_000))
      const names = Array.from({ length: 52 }, (_, number) => `new${number}.txt`)
      for (const name of names) yield* write(name, "x\n")
      const diff = (yield* diffOf(directory, since, ...names)) ?? ""
      assert.isAtMost(diff.length, SessionDiff.maxLength + 300)
      assert.include(diff, "the rest is left out")
      assert.include(diff, "(left out: 2 new")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is null outside of a working copy and where there is no such directory", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const directory = yield* fs.makeTempDirectoryScoped()
      assert.isNull(yield* diffOf(directory, null))
      assert.isNull(yield* diffOf(`${directory}/none`, null))
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
