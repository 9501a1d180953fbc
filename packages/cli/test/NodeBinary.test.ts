import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, realpathSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import * as NodeBinary from "../src/install/nodeBinary.ts"
import { folder } from "./runCli.ts"

const printing = (version: string): string => `#!/bin/sh\necho v${version}\n`

const binaries = Effect.map(
  folder({
    "_npx/1/node_modules/node/bin/node": printing("22.1.0"),
    "old/node": printing("18.20.0"),
    "new/node": printing("22.1.0")
  }),
  (root) => {
    for (const name of ["_npx/1/node_modules/node/bin", "old", "new"]) chmodSync(join(root, name, "node"), 0o755)
    return root
  }
)

describe("NodeBinary", () => {
  it.scoped("is the running one, by the path that it really has", () =>
    Effect.gen(function* () {
      const root = yield* folder({ "fnm_multishells/.keep": "" })
      const link = join(root, "fnm_multishells", "node")
      symlinkSync(process.execPath, link)
      const found = yield* NodeBinary.find(link, { cwd: "/", env: {} })
      assert.isTrue(found.lasting)
      assert.strictEqual(realpathSync(found.path), realpathSync(process.execPath))
      assert.notInclude(found.path, root)
    })
  )

  it.scoped("is another one of PATH where the running one goes away: recent, and itself there to stay", () =>
    Effect.gen(function* () {
      const root = yield* binaries
      const running = join(root, "_npx/1/node_modules/node/bin/node")
      const path = [dirname(running), dirname(realpathSync(process.execPath))].join(":")
      const found = yield* NodeBinary.find(running, { cwd: "/", env: { PATH: path } })
      assert.isTrue(found.lasting)
      assert.notInclude(found.path, root)
    })
  )

  it.scoped("is never the project's, neither the running one nor one of PATH", () =>
    Effect.gen(function* () {
      const running = realpathSync(process.execPath)
      const project = dirname(running)
      const found = yield* NodeBinary.find(running, { cwd: project, env: { PATH: project } })
      assert.isFalse(found.lasting && dirname(found.path) === project, found.path)
    })
  )
})
