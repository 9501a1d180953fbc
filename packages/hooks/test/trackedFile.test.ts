import { NodeContext } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import * as MemoryTrust from "@reflexion/core/internal/memory/log/MemoryTrust"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { works } from "../../core/test/support/works.ts"
import * as MemoryPlace from "../src/memory/MemoryPlace.ts"
import * as Clones from "./support/clones.ts"

const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim()

/**
 * A repository in which `shared.jsonl` is tracked and `own.jsonl` is not, and a folder next to it that is no
 * repository.
 */
const world = Effect.map(Clones.place, (folder) => {
  const root = join(folder, "shop")
  const git = (words: string, env: object = {}) =>
    execFileSync("git", words.split(" "), { cwd: root, stdio: "pipe", env: { ...process.env, ...env } }).toString()
  mkdirSync(root)
  git("init --quiet")
  for (const name of ["shared.jsonl", "own.jsonl"]) writeFileSync(join(root, name), "{}\n")
  git("add shared.jsonl")
  writeFileSync(join(folder, "apart.jsonl"), "{}\n")
  const program = (name: string, text: string): string => {
    mkdirSync(join(folder, "bin"), { recursive: true })
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    return join(folder, "bin")
  }
  return { folder, root, git, program }
})

type World = Effect.Effect.Success<typeof world>

/** Sets variables of this process until the scope ends. */
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
const asked = (root: string, name: string) => {
  const file = join(root, name)
  return Effect.all([
    Effect.sync(() => MemoryPlace.tracked(root, file, process.env) !== null),
    Effect.provide(MemoryTrust.isTrackedAt(file), NodeContext.layer),
    Effect.provide(MemoryTrust.isTracked({ directory: root, file }), NodeContext.layer)
  ])
}

const all = (answer: boolean) => [answer, answer, answer]

const shells: Readonly<Record<string, (one: World, other: World) => Readonly<Record<string, string>>>> = {
  "where another user owns the repository": ({ git, program }) => {
    const PATH = `${program("git", `GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "${real}" "$@"`)}:${process.env["PATH"]}`
    assert.throws(() => git("status", { PATH }), /dubious ownership/)
    return { PATH }
  },
  "whatever the shell has set for another repository": ({ git }, other) => {
    other.git("rm --quiet --force shared.jsonl")
    const repository = { GIT_DIR: join(other.root, ".git"), GIT_INDEX_FILE: join(other.root, ".git", "index") }
    const env = { ...repository, GIT_WORK_TREE: other.root, GIT_LITERAL_PATHSPECS: "1" }
    assert.strictEqual(git("ls-files", env), "")
    return env
  },
  "where there is no program but git": ({ folder }) => {
    mkdirSync(join(folder, "only"))
    symlinkSync(real, join(folder, "only", "git"))
    return { PATH: join(folder, "only") }
  }
}

describe.sequential("whether git tracks a file", () => {
  for (const [where, shell] of Object.entries(shells))
    works(`hook, logs and memory give the same answer, ${where}`, function* () {
      const made = yield* world
      assert.deepStrictEqual(yield* asked(made.folder, "apart.jsonl"), all(false))
      yield* set(shell(made, yield* world))
      assert.deepStrictEqual(yield* asked(made.root, "shared.jsonl"), all(true))
      assert.deepStrictEqual(yield* asked(made.root, "own.jsonl"), all(false))
    })

  works("only the project has git → counts as tracked; no git → not tracked", function* () {
    const { root } = yield* world
    yield* set({ PATH: "/nowhere" })
    assert.deepStrictEqual(yield* asked(root, "shared.jsonl"), all(false))
    mkdirSync(join(root, "bin"))
    writeFileSync(join(root, "bin", "git"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
    yield* set({ PATH: join(root, "bin") })
    assert.deepStrictEqual(yield* asked(root, "own.jsonl"), all(true))
  })

  works("runs no program that the repository names", function* () {
    const { folder, git, program, root } = yield* world
    const ran = join(folder, "ran")
    const filter = join(program("filter", `touch "${ran}"\ncat`), "filter")
    writeFileSync(join(root, ".gitattributes"), "*.jsonl filter=own\n")
    for (const key of ["core.fsmonitor", "core.pager", "filter.own.clean", "filter.own.process"])
      git(`config ${key} ${filter}`)
    writeFileSync(join(root, "shared.jsonl"), "[]\n")
    assert.deepStrictEqual(yield* asked(root, "shared.jsonl"), all(true))
    assert.isFalse(existsSync(ran))
    git("status")
    assert.isTrue(existsSync(ran))
  })
})
