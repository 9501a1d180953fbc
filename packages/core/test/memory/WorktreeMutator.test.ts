import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, type Duration, Effect, Either, Fiber } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { Mutator } from "../../src/memory/changes/Mutator.ts"
import { failure, noUsage } from "../../src/model/calls/ModelFailures.ts"
import * as RecommendedAction from "../../src/memory/changes/RecommendedAction.ts"
import * as WorktreeMutator from "../../src/memory/changes/WorktreeMutator.ts"
import { pairs } from "../support/rows.ts"
import type { Work } from "../support/works.ts"

const action = () => {
  const given = { target: "skills/deploy.md", change: "Log in first.", reason: "three runs had no token" }
  const made = RecommendedAction.make(given)
  assert.isNotNull(made)
  return made
}

const plainly = Object.fromEntries(
  pairs`
    GIT_CONFIG_GLOBAL :: /dev/null ¦ GIT_CONFIG_SYSTEM :: /dev/null ¦ GIT_AUTHOR_NAME :: a ¦ GIT_AUTHOR_EMAIL :: a@b
    GIT_COMMITTER_NAME :: a ¦ GIT_COMMITTER_EMAIL :: a@b
  `
)

interface Proposing {
  readonly folder?: string
  readonly one?: RecommendedAction.RecommendedAction
  readonly timeout?: Duration.DurationInput
  readonly asking?: Readonly<Record<string, string>>
}

const world = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "worktree-mutator-" }))
  const repository = join(root, "fleet")
  const temporary = join(root, "tmp")
  yield* fs.makeDirectory(join(repository, "skills"), { recursive: true })
  yield* fs.makeDirectory(temporary)
  yield* fs.writeFileString(join(repository, "skills", "deploy.md"), "Push.\n")
  yield* fs.writeFileString(join(repository, ".gitignore"), "ignored\n")
  const git = (...words: ReadonlyArray<string>): string =>
    execFileSync("git", ["-C", repository, ...words], { encoding: "utf8", env: { ...process.env, ...plainly } }).trim()
  git("init", "--quiet", "--initial-branch=main")
  git("add", "--all")
  git("commit", "--quiet", "--message=Begin")
  yield* fs.writeFileString(join(repository, "skills", "deploy.md"), "Push. The user is writing this.\n")
  const state = () => [
    git("status", "--porcelain", "--branch"),
    git("for-each-ref", "refs/heads/main", "refs/stash"),
    git("worktree", "list"),
    git("diff")
  ]
  const command = (script: string, more: Partial<WorktreeMutator.Command> = {}): WorktreeMutator.Command => ({
    name: "Agent",
    install: "install it",
    program: "/bin/sh",
    words: Effect.succeed(["-c", script]),
    env: { TMPDIR: temporary, ROOT: root },
    read: ({ code, err }) => (code === 0 ? said("") : Either.left(failure("unavailable", err))),
    ...more
  })
  const propose = (script: string, given: Partial<WorktreeMutator.Command & Proposing> = {}) => {
    const { asking = {}, folder = repository, one = action(), timeout = "20 seconds", ...more } = given
    return Effect.flatMap(Mutator, (mutator) => mutator.propose(one)).pipe(
      Effect.provide(WorktreeMutator.layer(command(script, more), { repository: folder, timeout })),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(asking))))
    )
  }
  const text = (name: string) => fs.readFileString(join(root, name))
  return { fs, git, propose, repository, root, state, text }
})

type World = Effect.Effect.Success<typeof world>

const inWorld = (name: string, work: Work<NodeContext.NodeContext, [World]>): void =>
  it.scopedLive(name, () =>
    Effect.flatMap(world, (given) => Effect.gen(() => work(given))).pipe(Effect.provide(NodeContext.layer))
  )

const said = (text: string) => Either.right({ text, model: null, usage: noUsage })

const edit = 'printf "Log in.\\nPush.\\n" > skills/deploy.md'

// Put together at run time, so that this file has no secret in it.
const accessKey = ["AKIA", "Q3EGZ7XK2LMN4P5R"].join("")
const privateKey = (kind: string) => `-----${kind} RSA PRIVATE KEY-----`

type Row = readonly [
  of: string,
  script: string,
  reason: string,
  says: RegExp,
  Partial<WorktreeMutator.Command & Proposing>?
]
const leaks = (of: string, script: string): Row => [of, script, "failed", /nothing was committed$/]
describe("WorktreeMutator", () => {
  inWorld("leaves one commit on its own branch, and all else alone", function* ({ git, propose, root, state, text }) {
    const before = state()
    const asks = 'cat > "$ROOT/asked"; env > "$ROOT/env"; cat skills/deploy.md > "$ROOT/seen"'
    const commits = "git add -A; git -c user.name=x -c user.email=x@y commit -qm Mine"
    const mutation = yield* propose(`${asks}; ${edit}; ${commits}; echo new > skills/login.md; echo x > ignored`)
    const { id } = action()
    const detail = "2 files changed, 2 insertions(+)"
    assert.deepStrictEqual(mutation, { actionId: id, kind: "branch", reference: `reflexion/${id}`, detail })
    assert.deepStrictEqual(state(), before)
    assert.strictEqual(git("show", `${mutation.reference}:skills/deploy.md`), "Log in.\nPush.")
    assert.strictEqual(git("rev-parse", `${mutation.reference}^`), git("rev-parse", "main"))
    const message = git("log", "-1", "--format=%an %s %b", mutation.reference)
    for (const part of ["reflexion Change skills/deploy.md", "Log in first.", "Why: three runs had no token"])
      assert.include(message, part)
    const files = git("ls-tree", "-r", "--name-only", mutation.reference).split("\n")
    assert.includeMembers(files, ["skills/login.md"])
    assert.notInclude(files, "ignored")
    const asked = yield* text("asked")
    assert.match(asked, /<(change-\w+)>\nWhat: skills\/deploy\.md\n\nChange: Log in first\.[^]*\n<\/\1>$/)
    assert.include(asked, "You have 5 rounds")
    assert.notInclude(asked, root)
    assert.include(yield* text("env"), "REFLEXION_ASKING=1")
    assert.strictEqual(yield* text("seen"), "Push.\n")
  })

  inWorld("works in the named folder, and makes the same change once", function* ({ git, propose, repository, text }) {
    const given = { folder: join(repository, "skills") }
    const first = yield* propose('echo x >> "$ROOT/runs"; echo "Log in." > deploy.md', {
      ...given,
      read: () => said("Half of\nit.")
    })
    assert.match(first.detail, /^1 file changed, .*; the agent said: Half of it\.$/)
    const again = yield* propose('echo x >> "$ROOT/runs"; echo "Log out." > deploy.md', given)
    assert.strictEqual(again.detail, "the same change was made before")
    assert.strictEqual(yield* text("runs"), "x\n")
    assert.strictEqual(git("show", `${again.reference}:skills/deploy.md`), "Log in.")
  })

  inWorld("runs no hook and no filter, and signs nothing", function* ({ fs, git, propose, repository, root }) {
    const trap = (name: string) => `sh -c 'touch "${root}/${name}"; cat'`
    yield* fs.writeFileString(join(repository, ".gitattributes"), "*.md filter=trap\n")
    git("add", ".gitattributes")
    git("commit", "--quiet", "--message=Attributes")
    for (const hook of ["post-checkout", "pre-commit", "post-commit", "reference-transaction"])
      yield* fs.writeFileString(join(repository, ".git", "hooks", hook), `#!/bin/sh\ntouch "${root}/${hook}"\n`, {
        mode: 0o755
      })
    git("config", "filter.trap.clean", trap("clean"))
    git("config", "filter.trap.smudge", trap("smudge"))
    git("config", "core.fsmonitor", trap("fsmonitor"))
    git("config", "commit.gpgSign", "true")
    git("config", "gpg.program", trap("gpg"))
    const config = `[core]\\n\\trepositoryformatversion = 0\\n[filter "x"]\\n\\tclean = touch ${root}/x\\n`
    const made = `git init -q other; printf '${config}' >> other/.git/config; echo "* filter=x" > .gitattributes`
    yield* propose(`${made}; rm .git; mv other/.git .git; rm -rf other; ${edit}`)
    assert.sameMembers(yield* fs.readDirectory(root), ["fleet", "tmp"])
    git("config", "core.fsmonitor", "false")
    assert.lengthOf(git("worktree", "list").split("\n"), 1)
    assert.include(git("branch", "--list", "reflexion/*"), action().id)
  })

  const key = `\\n\\n${privateKey("BEGIN")}\\nMIIEpAIBAAKCAQEA7bq3fWcVvq\\n${privateKey("END")}\\n`
  const rows: ReadonlyArray<Row> = [
    ["changes nothing", "true", "unchanged", /changed no file of the repository$/],
    ["says why", "true", "unchanged", /repository; the agent said: It is so\.$/, { read: () => said("It is\nso.") }],
    ["fails", `${edit}; echo "no key" >&2; exit 3`, "failed", /no key/],
    ["is missing", "", "unavailable", /Agent was not found as "\/nowhere\/x": install it/, { program: "/nowhere/x" }],
    ["hangs", `${edit}; sleep 60`, "timed_out", /did not finish within 1s/, { timeout: "1 second" }],
    leaks("takes a key along", `printf "Log in.\\nWith ${accessKey}\\n" > skills/deploy.md`),
    leaks("takes a private key along", `mkdir new; printf "${key}" > 'new/a b\n"c.txt'`),
    leaks("links to a key", `ln -s ${accessKey} link`),
    leaks("hides keys in binary files", `for i in 1 2 3; do printf "${accessKey}\\n\\0" > f$i; done`),
    ["would leave a bad branch", edit, "failed", /is not a branch name/, { one: { ...action(), id: "../x" } }],
    ["would leave a branch of two lines", edit, "failed", /is not a branch name/, { one: { ...action(), id: "x\ny" } }],
    ["was asked", edit, "unavailable", /may not start another agent for it/, { asking: { REFLEXION_ASKING: "1" } }],
    ["has no commit to start from", edit, "failed", /empty has no commit to start from/, { folder: "empty" }]
  ]
  inWorld("an agent that fails, changes nothing or leaks leaves no branch and no work tree", function* (given) {
    const { fs, git, propose, root, state } = given
    const before = state()
    execFileSync("git", ["init", "--quiet", join(root, "empty")])
    for (const [of, script, reason, says, { folder, ...more } = {}] of rows) {
      const asked = propose(script, { ...more, ...(folder !== undefined && { folder: join(root, folder) }) })
      const error = yield* Effect.flip(asked)
      assert.strictEqual(error.reason, reason, of)
      assert.match(error.message, says, of)
      assert.notInclude(error.message, accessKey, of)
      assert.deepStrictEqual(state(), before, of)
      assert.strictEqual(git("branch", "--list", "reflexion/*"), "", of)
      assert.deepStrictEqual(yield* fs.readDirectory(join(root, "tmp")), [], of)
    }
  })

  inWorld("a secret that was committed before may stay or be moved", function* ({ fs, git, propose, repository }) {
    yield* fs.writeFileString(join(repository, "fixture.txt"), `key ${accessKey}\n`)
    git("add", "fixture.txt")
    git("commit", "--quiet", "--message=Fixture")
    const { reference } = yield* propose("mkdir test; echo more >> fixture.txt; git mv fixture.txt test/key.txt")
    assert.include(git("show", `${reference}:test/key.txt`), accessKey)
  })

  inWorld("leaves nothing when it is interrupted", function* ({ fs, propose, root, state }) {
    const before = state()
    const fiber = yield* Effect.fork(propose(`${edit}; touch "$ROOT/begun"; sleep 60`))
    while (!(yield* fs.exists(join(root, "begun")))) yield* Effect.sleep("20 millis")
    yield* Fiber.interrupt(fiber)
    assert.deepStrictEqual(state(), before)
  })
})
