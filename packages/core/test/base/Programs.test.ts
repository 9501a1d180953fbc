import { assert, describe, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FS from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Programs from "../../src/base/system/Programs.ts"
import { works } from "../support/works.ts"

const program = (file: string): string => {
  FS.writeFileSync(file, "#!/bin/sh\n", { mode: 0o755 })
  return file
}

/** A user's folder of programs, and a project next to it. */
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

/** As a program is looked for, and as the environment of one that starts others is made. */
const asking = (cwd: string, env: Readonly<Record<string, string>>, name = "git") =>
  Effect.sync(() => {
    const found = Programs.find({ cwd, env }, name)
    assert.strictEqual(found.path, Programs.environment({ cwd, env })["PATH"])
    return found
  })

describe("the user's own programs on a disk", () => {
  works("are those that no link of the project's leads to", function* () {
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

  works("are found where the folder that this process works in was removed", function* () {
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
