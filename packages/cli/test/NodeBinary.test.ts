import { assert, describe } from "@effect/vitest"
import { chmodSync, realpathSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { works } from "../../core/test/support/works.ts"
import * as NodeBinary from "../src/install/nodeBinary.ts"
import { folder } from "./runCli.ts"

const real = realpathSync(process.execPath)

describe("NodeBinary", () => {
  works("is the running Node, by its real path", function* () {
    const link = join(yield* folder({ "fnm_multishells/.keep": "" }), "fnm_multishells", "node")
    symlinkSync(process.execPath, link)
    assert.deepInclude(yield* NodeBinary.find(link, { cwd: "/", env: {} }), { lasting: true, path: real })
  })

  works("is a recent, lasting Node from PATH if the running one is temporary", function* () {
    const [running, old] = ["_npx/1/node_modules/node/bin/node", "old/node"]
    const root = yield* folder({ [running]: "#!/bin/sh\necho v22.1.0\n", [old]: "#!/bin/sh\necho v18.20.0\n" })
    for (const name of [running, old]) chmodSync(join(root, name), 0o755)
    const path = [join(root, running), join(root, old), real].map((file) => dirname(file)).join(":")
    const found = yield* NodeBinary.find(join(root, running), { cwd: "/", env: { PATH: path } })
    assert.isTrue(found.lasting)
    assert.notInclude(found.path, root)
  })

  works("is never a Node of the project, neither the running one nor one of PATH", function* () {
    const found = yield* NodeBinary.find(real, { cwd: dirname(real), env: { PATH: dirname(real) } })
    assert.isFalse(found.lasting && dirname(found.path) === dirname(real), found.path)
  })
})
