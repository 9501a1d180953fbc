import { NodeContext } from "@effect/platform-node"
import { assert, describe, vi } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as FS from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Programs from "../../src/base/system/Programs.ts"
import { programOf } from "../../src/base/system/QuietGit.ts"
import { works } from "../support/works.ts"

const program = (file: string): string => {
  FS.writeFileSync(file, "#!/bin/sh\n", { mode: 0o755 })
  return file
}

const world = Effect.acquireRelease(
  Effect.sync(() => {
    const root = FS.realpathSync(FS.mkdtempSync(join(tmpdir(), "programs-")))
    const [bin, usr, project] = [join(root, "bin"), join(root, "usr"), join(root, "project")]
    for (const folder of [bin, usr, project, join(project, ".git")]) FS.mkdirSync(folder)
    FS.writeFileSync(join(project, ".git", "HEAD"), "")
    return { root, bin, usr, project, env: { HOME: root } }
  }),
  ({ root }) => Effect.sync(() => FS.rmSync(root, { recursive: true }))
)

/** Looks for a program, and compares the path with that in the environment for programs that start others. */
const asking = (cwd: string, env: Readonly<Record<string, string>>, name = "git") =>
  Effect.sync(() => {
    const found = Programs.find({ cwd, env }, name)
    assert.strictEqual(found.path, Programs.environment({ cwd, env })["PATH"])
    return found
  })

describe("the user's own programs on a disk", () => {
  works("programs reached through a link of the project are passed over", function* () {
    const { bin, env, project, usr } = yield* world
    const git = program(join(usr, "git"))
    FS.symlinkSync(git, join(project, "mid"))
    FS.symlinkSync("../project/mid", join(bin, "git"))
    FS.symlinkSync("../usr/git", join(usr, "other"))
    const found = yield* asking(project, { ...env, PATH: `${bin}:${usr}` })
    assert.deepStrictEqual(found.own, [git])
    assert.deepStrictEqual(found.passedOver, [join(bin, "git")])
    assert.strictEqual(found.path, usr)
    assert.lengthOf((yield* asking(project, { ...env, PATH: usr }, "other")).own, 1)
  })

  works("programs are found even if the working directory of this process was removed", function* () {
    const { env, project, usr } = yield* world
    const git = program(join(usr, "git"))
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        vi.spyOn(process, "cwd").mockImplementation(() => {
          throw new Error("ENOENT: process.cwd failed, uv_cwd")
        })
      ),
      (spy) => Effect.sync(() => spy.mockRestore())
    )
    const path = { ...env, PATH: `${project}:${usr}` }
    program(join(project, "git"))
    assert.deepStrictEqual((yield* asking(project, path)).own, [git])
    assert.deepStrictEqual((yield* asking("sub", path)).own.at(-1), git)
  })
})

/** Which git is run if the user's folder and the project have these programs, and the message about it. */
const runOf = (user: ReadonlyArray<string>, projects: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { bin, project, root } = yield* world
    for (const name of user) program(join(bin, name))
    for (const name of projects) program(join(project, name))
    yield* Effect.acquireRelease(
      Effect.sync(() => vi.stubEnv("PATH", `${project}:${bin}`)),
      () => Effect.sync(() => vi.unstubAllEnvs())
    )
    const told: Array<string> = []
    const logger = Logger.make(({ message }) => void told.push(String(message).replaceAll(root, "")))
    const git = yield* programOf(project).pipe(
      Effect.provide(NodeContext.layer),
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    return { git, told }
  })

describe("the user's own git", () => {
  works("git is run with the user's `env`", function* () {
    const { git, told } = yield* runOf(["git", "env"], ["git", "env"])
    assert.deepStrictEqual(told, [])
    assert.match((typeof git === "object" && git?.env) || "", /\/bin\/env$/)
  })

  works("git runs without `env` if only the project has one, and a message says so", function* () {
    const { git, told } = yield* runOf(["git"], ["git", "env"])
    assert.deepInclude(git, { env: null })
    assert.lengthOf(told, 1)
    assert.match(told[0] ?? "", /^git is run with all variables of this process: \/project\/env was not run, /)
    assert.deepStrictEqual((yield* runOf(["git"], [])).told, [])
  })
})
