import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryTrust from "@reflexion/core/internal/memory/log/MemoryTrust"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as MemoryPlace from "../src/memory/MemoryPlace.ts"

const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()

const scratch = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "reflexion-tracked-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A repository in which `shared.jsonl` is tracked and `own.jsonl` is not, and a folder next to it that is not. */
const world = Effect.map(scratch, (folder) => {
  const root = join(folder, "shop")
  const git = (...words: ReadonlyArray<string>) => execFileSync(real, words, { cwd: root, stdio: "pipe" })
  mkdirSync(root)
  git("init", "--quiet")
  for (const name of ["shared.jsonl", "own.jsonl"]) writeFileSync(join(root, name), "{}\n")
  git("add", "shared.jsonl")
  writeFileSync(join(folder, "apart.jsonl"), "{}\n")
  return { folder, root, git }
})

/** A folder with a git that takes every repository for another user's. */
const strangers = (folder: string): string => {
  const bin = join(folder, "bin")
  mkdirSync(bin)
  writeFileSync(join(bin, "git"), `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "${real}" "$@"\n`)
  chmodSync(join(bin, "git"), 0o755)
  return bin
}

/** This process's environment, for as long as the scope. */
const set = (env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = { ...process.env }
      Object.assign(process.env, env)
      return before
    }),
    (before) =>
      Effect.sync(() => {
        for (const name of Object.keys(env)) delete process.env[name]
        Object.assign(process.env, before)
      })
  )

/** What a hook, the logs and the memory say of the same file. */
const asked = (root: string, file: string) =>
  Effect.all({
    hook: Effect.sync(() => MemoryPlace.tracked(root, file, process.env) !== null),
    logs: Effect.provide(MemoryTrust.isTrackedAt(file), NodeContext.layer),
    memory: Effect.provide(MemoryTrust.isTracked({ directory: root, file }), NodeContext.layer)
  })

const all = (answer: boolean) => ({ hook: answer, logs: answer, memory: answer })

describe.sequential("whether git tracks a file", () => {
  it.scoped("is answered alike wherever it is asked", () =>
    Effect.gen(function* () {
      const { folder, root } = yield* world
      assert.deepStrictEqual(yield* asked(root, join(root, "shared.jsonl")), all(true))
      assert.deepStrictEqual(yield* asked(root, join(root, "own.jsonl")), all(false))
      assert.deepStrictEqual(yield* asked(folder, join(folder, "apart.jsonl")), all(false))
    })
  )

  it.scoped("is asked of another user's repository too", () =>
    Effect.gen(function* () {
      const { folder, root } = yield* world
      yield* set({ PATH: `${strangers(folder)}:${process.env["PATH"]}` })
      assert.throws(() => execFileSync("git", ["status"], { cwd: root, stdio: "pipe" }), /dubious ownership/)
      assert.deepStrictEqual(yield* asked(root, join(root, "shared.jsonl")), all(true))
      assert.deepStrictEqual(yield* asked(root, join(root, "own.jsonl")), all(false))
    })
  )

  it.scoped("is asked of the file's own repository, whatever the shell has set for another", () =>
    Effect.gen(function* () {
      const { git, root } = yield* world
      const other = yield* world
      other.git("rm", "--quiet", "--force", "shared.jsonl")
      yield* set({
        GIT_DIR: join(other.root, ".git"),
        GIT_WORK_TREE: other.root,
        GIT_INDEX_FILE: join(other.root, ".git", "index"),
        GIT_LITERAL_PATHSPECS: "1"
      })
      assert.strictEqual(git("ls-files").toString(), "")
      assert.deepStrictEqual(yield* asked(root, join(root, "shared.jsonl")), all(true))
      assert.deepStrictEqual(yield* asked(root, join(root, "own.jsonl")), all(false))
    })
  )

  it.scoped("is asked where there is no program but git", () =>
    Effect.gen(function* () {
      const { folder, root } = yield* world
      const bin = join(folder, "only")
      mkdirSync(bin)
      symlinkSync(real, join(bin, "git"))
      yield* set({ PATH: bin })
      assert.throws(() => execFileSync("env", { stdio: "pipe" }), /ENOENT/)
      assert.deepStrictEqual(yield* asked(root, join(root, "shared.jsonl")), all(true))
      yield* set({ PATH: "/nowhere" })
      assert.deepStrictEqual(yield* asked(root, join(root, "shared.jsonl")), all(false))
      // The project's own git is none, and then nobody knows.
      const own = join(root, "node_modules", ".bin")
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, "git"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
      yield* set({ PATH: own })
      assert.deepStrictEqual(yield* asked(root, join(root, "own.jsonl")), all(true))
    })
  )

  it.scoped("runs nothing that the repository names", () =>
    Effect.gen(function* () {
      const { folder, git, root } = yield* world
      const ran = join(folder, "ran")
      const program = join(folder, "program.sh")
      writeFileSync(program, `#!/bin/sh\ntouch "${ran}"\ncat\n`)
      chmodSync(program, 0o755)
      writeFileSync(join(root, ".gitattributes"), "*.jsonl filter=own\n")
      for (const key of ["core.fsmonitor", "core.pager", "filter.own.clean", "filter.own.process"])
        git("config", key, program)
      writeFileSync(join(root, "shared.jsonl"), "[]\n")
      assert.deepStrictEqual(yield* asked(root, join(root, "shared.jsonl")), all(true))
      assert.isFalse(existsSync(ran))
      git("status")
      assert.isTrue(existsSync(ran))
    })
  )
})
