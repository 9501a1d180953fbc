import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SessionDiff from "../../src/model/crossreview/SessionDiff.ts"
import type { Work } from "../support/works.ts"

const git = (directory: string, args: ReadonlyArray<string>, at = "2026-01-01T10:00:00Z") =>
  Command.make("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", ...args).pipe(
    Command.workingDirectory(directory),
    Command.env({ GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at }),
    Command.string
  )

const since = "2026-01-01T11:00:00Z"

/** A repository with one commit of ten o'clock, in which `a.txt` says "one". */
const repository = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped()
  const write = (name: string, text: string) => fs.writeFileString(`${directory}/${name}`, text)
  const commit = (hour: string) =>
    Effect.zipRight(git(directory, ["add", "."]), git(directory, ["commit", "-qm", "c"], `2026-01-01T${hour}:00Z`))
  yield* git(directory, ["init", "-q"])
  yield* write("a.txt", "one\n")
  yield* commit("10:00")
  const diffOf = (from: string | null, ...edited: ReadonlyArray<string>) =>
    SessionDiff.ofDirectory(directory, { since: from, edited: edited.map((name) => `${directory}/${name}`) })
  return { directory, write, commit, diffOf, fs }
})

type Repository = Effect.Effect.Success<typeof repository>

const inRepository = (title: string, work: Work<NodeContext.NodeContext, [Repository]>) =>
  it.scopedLive(title, () =>
    Effect.flatMap(repository, (given) => Effect.gen(() => work(given))).pipe(Effect.provide(NodeContext.layer))
  )

const includes = (text: string | null, ...parts: ReadonlyArray<string>) => {
  for (const part of parts) assert.include(text, part)
}

const lacks = (text: string | null, ...parts: ReadonlyArray<string>) => {
  for (const part of parts) assert.notInclude(text, part)
}

describe("SessionDiff.ofDirectory", () => {
  inRepository("shows changes since the task, committed or not, and new files", function* ({ commit, diffOf, write }) {
    yield* write("a.txt", "two\n")
    yield* commit("12:00")
    yield* write("a.txt", "three\n")
    yield* write("new file.txt", "fresh\n")
    const diff = yield* diffOf(since, "new file.txt")
    includes(diff, "--- a/a.txt", "-one", "+three", "+++ b/new file.txt", "+fresh")
    lacks(diff, "two")
    const later = yield* diffOf(null)
    includes(later, "-two")
    lacks(later, "-one")
  })

  inRepository("leaves out files that only the user had changed", function* ({ commit, directory, diffOf, fs, write }) {
    const names = ["users.txt", "both.txt", "told.txt"]
    for (const name of names) yield* write(name, "one\n")
    yield* commit("10:30")
    for (const name of names) yield* write(name, `changed ${name}\n`)
    const before = new Date("2026-01-01T10:45:00Z")
    for (const name of ["users.txt", "told.txt"]) yield* fs.utimes(`${directory}/${name}`, before, before)
    yield* fs.remove(`${directory}/a.txt`)
    const diff = yield* diffOf(since, "told.txt")
    includes(diff, "+changed both.txt", "+changed told.txt", "-one")
    includes(diff, "(left out: 1 changed before the task, and not since)")
    lacks(diff, "users.txt")
    includes(yield* diffOf(null), "+changed users.txt")
  })

  inRepository("shows no new files of others, and no keys", function* ({ commit, directory, diffOf, fs, write }) {
    yield* write(".gitignore", "ignored.txt\n")
    yield* fs.makeDirectory(`${directory}/config`)
    yield* write("config/.env.production", "TOKEN=committed-value\n")
    yield* commit("10:30")
    yield* write("config/.env.production", "TOKEN=other-value\n")
    const names = ["made.txt", "ignored.txt", ".env", "server.key", "notes.txt"]
    for (const name of names) yield* write(name, `text of ${name}\n`)
    yield* fs.symlink("/etc/passwd", `${directory}/made-link`)
    const diff = yield* diffOf(since, "made.txt", "ignored.txt", ".env", "server.key", "made-link")
    includes(diff, "+text of made.txt", "1 that may hold keys", "(left out: 1 new, and not known")
    lacks(diff, ...names.slice(1).map((name) => `text of ${name}`))
    lacks(diff, "TOKEN", "committed-value", "other-value", "root:")
  })

  inRepository("runs no program that the repository configures", function* ({ commit, directory, diffOf, fs, write }) {
    const ran = `${directory}/.git/ran`
    const touch = `echo "$0 $*" >> ${ran};`
    const filters = ["clean", "smudge", "process"].map((kind) => [`filter.od d.${kind}`, `${touch} cat`] as const)
    yield* write(".gitattributes", "*.txt diff=x filter=evil\n*.md filter=multi\n")
    yield* write("b.md", "one\n")
    yield* commit("10:30")
    const module = `${directory}/module`
    yield* fs.makeDirectory(module)
    yield* git(module, ["init", "-q"])
    yield* fs.writeFileString(`${module}/a.txt`, "one\n")
    yield* git(module, ["add", "."])
    yield* git(module, ["commit", "-qm", "c"])
    yield* git(directory, ["-c", "advice.addEmbeddedRepo=false", "add", "module"])
    yield* git(directory, ["commit", "-qm", "m"], "2026-01-01T10:40:00Z")
    const evil = `${touch} true`
    const cats = `${touch} cat`
    const configured: ReadonlyArray<readonly [string, string]> = [
      ...filters,
      ...["filter.evil.clean", "filter.multi.process", "diff.x.textconv", "core.pager", "pager.diff"].map(
        (key) => [key, cats] as const
      ),
      ...["diff.external", "diff.x.command", "core.alternateRefsCommand", "core.sshCommand"].map(
        (key) => [key, evil] as const
      ),
      ["filter.evil.required", "true"],
      ["filter.multi.required", "true"],
      ["core.fsmonitor", `${touch} false`],
      ["core.hooksPath", `${directory}/.git/evil`],
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
    for (const text of ["a.txt two", "b.md two", "new.txt new", "c.js 3"])
      yield* write(text.split(" ")[0] ?? "", `${text.split(" ")[1]}\n`)
    yield* fs.remove(ran, { force: true })
    yield* git(directory, ["diff"])
    assert.isTrue(yield* fs.exists(ran), "git itself runs them")
    yield* fs.remove(ran, { force: true })
    includes(yield* diffOf(since, "new.txt", "c.js"), "+two", "+new", "+3", "--- a/b.md")
    assert.isFalse(yield* fs.exists(ran), yield* Effect.orElseSucceed(fs.readFileString(ran), () => ""))
  })

  inRepository("gives no diff if a filter cannot be overridden", function* ({ directory, diffOf, fs, write }) {
    const ran = `${directory}/.git/ran`
    yield* git(directory, ["config", "filter.a=b.clean", `touch ${ran}; cat`])
    yield* write(".gitattributes", "*.txt filter=a=b\n")
    yield* write("a.txt", "two\n")
    yield* git(directory, ["diff"])
    assert.isTrue(yield* fs.exists(ran), "git itself runs it")
    yield* fs.remove(ran)
    assert.isNull(yield* diffOf(since))
    assert.isFalse(yield* fs.exists(ran))
  })

  inRepository("runs git in the sandbox if there is one", function* ({ directory, fs, write }) {
    const box = `${directory}/.git/box`
    yield* fs.writeFileString(box, `#!/bin/sh\necho "$*" >> ${box}.log\nexec "$@"\n`)
    yield* fs.chmod(box, 0o755)
    yield* write("a.txt", "two\n")
    includes(yield* SessionDiff.ofDirectory(directory, { since, edited: [], within: [box] }), "+two")
    const asked = (yield* fs.readFileString(`${box}.log`)).trim().split("\n")
    assert.isAbove(asked.length, 3)
    for (const line of asked) assert.match(line, /^\/\S*\/git /)
  })

  inRepository("has a length limit, and says what is left out", function* ({ diffOf, write }) {
    yield* write("a.txt", "long line of text\n".repeat(100_000))
    const names = Array.from({ length: 52 }, (_, number) => `new${number}.txt`)
    for (const name of names) yield* write(name, "x\n")
    const diff = (yield* diffOf(since, ...names)) ?? ""
    assert.isAtMost(diff.length, SessionDiff.maxLength + 300)
    includes(diff, "the rest is left out", "(left out: 2 new")
  })

  inRepository("is null outside a working copy, or if its tree is elsewhere", function* ({ directory, diffOf, fs }) {
    const other = yield* fs.makeTempDirectoryScoped()
    yield* fs.writeFileString(`${other}/a.txt`, "of somebody else\n")
    for (const place of [other, `${other}/none`])
      assert.isNull(yield* SessionDiff.ofDirectory(place, { since: null, edited: [] }))
    yield* git(directory, ["config", "core.worktree", other])
    assert.isNull(yield* diffOf(since, "a.txt"))
  })
})
