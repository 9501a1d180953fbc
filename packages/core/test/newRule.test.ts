/** `node scripts/newRule.mjs`, in a copy of the core: what it writes type-checks, and its example fails until the rule is filled in. */
import { assert, it } from "@effect/vitest"
import { execFile, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../../..", import.meta.url))

const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc")

const copied = ["package.json", "tsconfig.base.json", "packages/core/package.json", "packages/core/src"]

const examples = "packages/core/test/judge/rules"

/** The core and the examples of its rules, with a configuration that checks the types of both. */
const copy = (): string => {
  const place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "new-rule-")))
  for (const name of [...copied, examples, "packages/core/test/support"])
    fs.cpSync(path.join(root, name), path.join(place, name), { recursive: true })
  for (const name of ["node_modules", "packages/core/node_modules"])
    fs.symlinkSync(path.join(root, name), path.join(place, name))
  const compilerOptions = {
    noEmit: true,
    composite: false,
    incremental: false,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true
  }
  const files = [`${examples}/examples.ts`]
  fs.writeFileSync(
    path.join(place, "tsconfig.json"),
    JSON.stringify({ extends: "./tsconfig.base.json", files, compilerOptions: { ...compilerOptions, types: ["node"] } })
  )
  return place
}

it(
  "new:rule writes a rule that type-checks, is registered, and does not find what its example has",
  { timeout: 120_000 },
  async () => {
    const place = copy()
    const script = path.join(root, "scripts", "newRule.mjs")
    const begin = (id: string) =>
      spawnSync(process.execPath, [script, id, "--root", place], { encoding: "utf8" }).status
    const textOf = (name: string): string => fs.readFileSync(path.join(place, "packages/core", name), "utf8")
    try {
      assert.deepStrictEqual([begin("work/half-done"), begin("work/half-done"), begin("HalfDone")], [0, 2, 2])
      await promisify(execFile)(process.execPath, [tsc, "-p", place])
      assert.match(textOf("src/judge/rules/Rules.ts"), /,\n {2}workHalfDone\n\] as const/u)
      assert.match(textOf("test/judge/rules/examples.ts"), /\.\.\.workHalfDone \}/u)
      assert.include(textOf("src/judge/rules/workHalfDone.ts"), "check: () => []")
      assert.include(textOf("test/judge/rules/workHalfDone.ts"), 'fires: { "TODO: the case"')
    } finally {
      fs.rmSync(place, { recursive: true, force: true })
    }
  }
)
