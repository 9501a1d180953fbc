import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, type Duration, Effect, Either, Fiber } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { type Mutation, Mutator } from "../../src/memory/changes/Mutator.ts"
import { failure, noUsage } from "../../src/model/calls/ModelFailures.ts"
import * as RecommendedAction from "../../src/memory/changes/RecommendedAction.ts"
import * as WorktreeMutator from "../../src/memory/changes/WorktreeMutator.ts"

const action = () => {
  const made = RecommendedAction.make({
    target: "skills/deploy.md",
    change: "Log in first.",
    reason: "three runs had no token"
  })
  assert.isNotNull(made)
  return made
}

const plainly = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b"
}

interface Proposing {
  readonly folder?: string
  readonly one?: RecommendedAction.RecommendedAction
  readonly timeout?: Duration.DurationInput
  readonly env?: Readonly<Record<string, string>>
}

/** A repository with a commit, and a change of its user's that is not committed. */
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
  /** All that must stay as it is. */
  const state = () => [
    git("status", "--porcelain", "--branch"),
    git("rev-parse", "HEAD", "main"),
    git("worktree", "list"),
    git("stash", "list"),
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
  const propose = (
    script: string,
    more: Partial<WorktreeMutator.Command> = {},
    { folder = repository, one = action(), timeout = "20 seconds", env = {} }: Proposing = {}
  ) =>
    Effect.flatMap(Mutator, (mutator) => mutator.propose(one)).pipe(
      Effect.provide(WorktreeMutator.layer(command(script, more), { repository: folder, timeout })),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(env))))
    )
  const text = (name: string) => fs.readFileString(join(root, name))
  return { fs, git, propose, repository, root, state, text }
})

const live = <A, E>(name: string, test: Effect.Effect<A, E, never>) => it.live(name, () => test)

const within = <A, E>(
  test: (given: Effect.Effect.Success<typeof world>) => Effect.Effect<A, E, NodeContext.NodeContext>
) => Effect.scoped(Effect.flatMap(world, test)).pipe(Effect.provide(NodeContext.layer))

const said = (text: string) => Either.right({ text, model: null, usage: noUsage })

const edit = 'printf "Log in.\\nPush.\\n" > skills/deploy.md'

// Put together here, so that this file has none.
const accessKey = ["AKIA", "Q3EGZ7XK2LMN4P5R"].join("")
const privateKey = (kind: string) => `-----${kind} RSA PRIVATE KEY-----`

const leaks = (script: string) => [script, {}, "failed", /nothing was committed$/, {}] as const

describe("WorktreeMutator", () => {
  live(
    "leaves one commit on a branch of its own, made from the last commit, and all else as it was",
    within(({ git, propose, root, state, text }) =>
      Effect.gen(function* () {
        const before = state()
        const asks = 'cat > "$ROOT/asked"; env > "$ROOT/env"; cat skills/deploy.md > "$ROOT/seen"'
        const commits = "git add -A; git -c user.name=x -c user.email=x@y commit -qm Mine"
        const mutation = yield* propose(`${asks}; ${edit}; ${commits}; echo new > skills/login.md; echo x > ignored`)
        const { id } = action()
        const expected: Mutation = {
          actionId: id,
          kind: "branch",
          reference: `reflexion/${id}`,
          detail: "2 files changed, 2 insertions(+)"
        }
        assert.deepStrictEqual(mutation, expected)
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
    )
  )

  live(
    "works in the folder that was named, and runs nothing where the branch is there",
    within(({ git, propose, repository, text }) =>
      Effect.gen(function* () {
        const given = { folder: join(repository, "skills") }
        const words = { read: () => said("Half of\nit.") }
        const first = yield* propose('echo x >> "$ROOT/runs"; echo "Log in." > deploy.md', words, given)
        assert.match(first.detail, /^1 file changed, .*; it said: Half of it\.$/)
        const again = yield* propose('echo x >> "$ROOT/runs"; echo "Log out." > deploy.md', {}, given)
        assert.strictEqual(again.detail, "the same was made before")
        assert.strictEqual(yield* text("runs"), "x\n")
        assert.strictEqual(git("show", `${again.reference}:skills/deploy.md`), "Log in.")
      })
    )
  )

  live(
    "runs no hook, filter or program of the repository's or of a .git that the agent made, and signs nothing",
    within(({ fs, git, propose, repository, root }) =>
      Effect.gen(function* () {
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
    )
  )

  type Row = readonly [script: string, Partial<WorktreeMutator.Command>, reason: string, says: RegExp, Proposing]
  const rows: Readonly<Record<string, Row>> = {
    "changes nothing": ["true", {}, "unchanged", /changed no file of the repository$/, {}],
    "says why it changes nothing": [
      "true",
      { read: () => said("It is\nnot here.") },
      "unchanged",
      /repository; it said: It is not here\.$/,
      {}
    ],
    fails: [`${edit}; echo "no key" >&2; exit 3`, {}, "failed", /no key/, {}],
    "is not there": [
      "",
      { program: "/nowhere/agent" },
      "unavailable",
      /Agent was not found as "\/nowhere\/agent": install it/,
      {}
    ],
    hangs: [`${edit}; sleep 60`, {}, "timed_out", /not done within 1s/, { timeout: "1 second" }],
    "takes a key along": leaks(`printf "Log in.\\nWith ${accessKey}\\n" > skills/deploy.md`),
    "takes a private key along": leaks(
      `mkdir new; printf "\\n\\n${privateKey("BEGIN")}\\nMIIEpAIBAAKCAQEA7bq3fWcVvq\\n${privateKey("END")}\\n" > 'new/a b\n"c.txt'`
    ),
    "links to a key": leaks(`ln -s ${accessKey} link`),
    "hides keys in binary files": leaks(`for i in 1 2 3; do printf "${accessKey}\\n\\0" > f$i; done`),
    "would leave a bad branch": [edit, {}, "failed", /is no name of a branch/, { one: { ...action(), id: "../x" } }],
    "would leave a branch of two lines": [edit, {}, "failed", /is no name/, { one: { ...action(), id: "x\ny" } }],
    "was asked itself": [edit, {}, "unavailable", /hands no change to another/, { env: { REFLEXION_ASKING: "1" } }],
    "has no commit to begin with": [edit, {}, "failed", /empty has no commit to begin with/, { folder: "empty" }]
  }
  for (const [name, [script, more, reason, says, given]] of Object.entries(rows))
    live(
      `leaves no branch and no work tree of an agent that ${name}`,
      within(({ fs, git, propose, root, state }) =>
        Effect.gen(function* () {
          const before = state()
          execFileSync("git", ["init", "--quiet", join(root, "empty")])
          const folder = given.folder === undefined ? {} : { folder: join(root, given.folder) }
          const error = yield* Effect.flip(propose(script, more, { ...given, ...folder }))
          assert.strictEqual(error.reason, reason)
          assert.match(error.message, says)
          assert.notInclude(error.message, accessKey)
          assert.deepStrictEqual(state(), before)
          assert.strictEqual(git("branch", "--list", "reflexion/*"), "")
          assert.deepStrictEqual(yield* fs.readDirectory(join(root, "tmp")), [])
        })
      )
    )

  live(
    "lets a secret stand, or be moved, that the repository had before",
    within(({ fs, git, propose, repository }) =>
      Effect.gen(function* () {
        yield* fs.writeFileString(join(repository, "fixture.txt"), `key ${accessKey}\n`)
        git("add", "fixture.txt")
        git("commit", "--quiet", "--message=Fixture")
        const { reference } = yield* propose("mkdir test; echo more >> fixture.txt; git mv fixture.txt test/key.txt")
        assert.include(git("show", `${reference}:test/key.txt`), accessKey)
      })
    )
  )

  live(
    "leaves nothing when it is interrupted",
    within(({ fs, propose, root, state }) =>
      Effect.gen(function* () {
        const before = state()
        const fiber = yield* Effect.fork(propose(`${edit}; touch "$ROOT/begun"; sleep 60`))
        while (!(yield* fs.exists(join(root, "begun")))) yield* Effect.sleep("20 millis")
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(state(), before)
      })
    )
  )
})
