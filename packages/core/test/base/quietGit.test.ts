import { assert, describe, vi } from "@effect/vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Effect, Layer, Logger } from "effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { programOf } from "../../src/base/system/QuietGit.ts"
import { works } from "../support/works.ts"

const platform = Layer.merge(NodeFileSystem.layer, NodePath.layer)

const folder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "quiet-git-")))),
  (root) => Effect.sync(() => rmSync(root, { recursive: true }))
)

/** Which git is run where the user's folder and the project's have these programs, and what is said of it. */
const asked = (user: ReadonlyArray<string>, projects: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const root = yield* folder
    const [own, project] = [join(root, "own"), join(root, "project")]
    for (const [at, names] of [[own, user] as const, [project, projects] as const]) {
      mkdirSync(at)
      for (const name of names) writeFileSync(join(at, name), "#!/bin/sh\n", { mode: 0o755 })
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => vi.stubEnv("PATH", `${project}:${own}`)),
      () => Effect.sync(() => vi.unstubAllEnvs())
    )
    const told: Array<string> = []
    const logger = Logger.make(({ message }) => void told.push(String(message)))
    const program = yield* programOf(project).pipe(
      Effect.provide(Layer.merge(platform, Logger.replace(Logger.defaultLogger, logger)))
    )
    return { program, told: told.map((line) => line.replaceAll(root, "")) }
  })

describe("the user's own git", () => {
  works("is run with the user's `env`", function* () {
    const { program, told } = yield* asked(["git", "env"], ["git", "env"])
    assert.deepStrictEqual(told, [])
    assert.match((typeof program === "object" && program?.env) || "", /\/own\/env$/)
  })

  works("is run without one where the project alone has it, which is said", function* () {
    const { program, told } = yield* asked(["git"], ["git", "env"])
    assert.deepInclude(program, { env: null })
    assert.lengthOf(told, 1)
    assert.match(told[0] ?? "", /^git is run with all variables of this process: \/project\/env was not run, /)
    assert.deepStrictEqual((yield* asked(["git"], [])).told, [])
  })
})
