/** `npm run new:rule`, in a copy of the core: what it writes type-checks, and its test fails until it is filled in. */
import { assert, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const binOf = (name: string, bin: string): string =>
  path.join(path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), bin)

const copied = [
  "package.json",
  "tsconfig.base.json",
  "docs/rules.md",
  "scripts/rules.mjs",
  "packages/core/package.json",
  "packages/core/tsconfig.src.json",
  "packages/core/src",
  "packages/core/test/judge/rules",
  "packages/core/test/support"
]

const copy = (): string => {
  const place = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "new-rule-")))
  for (const name of copied) fs.cpSync(path.join(root, name), path.join(place, name), { recursive: true })
  for (const name of ["node_modules", "packages/core/node_modules"])
    fs.symlinkSync(path.join(root, name), path.join(place, name))
  return place
}

it("new:rule writes a rule that type-checks, and whose test fails until it is filled in", { timeout: 240_000 }, () => {
  const place = copy()
  const script = path.join(root, "scripts", "newRule.mjs")
  const begin = (id: string) => spawnSync(process.execPath, [script, id, "--root", place], { encoding: "utf8" })
  try {
    assert.strictEqual(begin("work/half-done").status, 0)
    assert.strictEqual(begin("work/half-done").status, 2, "it is there already")
    assert.strictEqual(begin("HalfDone").status, 2, "no name of a rule")
    execFileSync(process.execPath, [
      binOf("typescript", "bin/tsc"),
      "-p",
      path.join(place, "packages/core/tsconfig.src.json"),
      "--noEmit"
    ])
    const tests = spawnSync(
      process.execPath,
      [binOf("vitest", "vitest.mjs"), "run", "packages/core/test/judge/rules", "-t", "work/half-done"],
      { cwd: place, encoding: "utf8", env: { PATH: process.env["PATH"], NO_COLOR: "1" } }
    )
    assert.strictEqual(tests.status, 1)
    const failed = `${tests.stdout}${tests.stderr}`
    assert.include(failed, "work/half-done > fires: TODO: the case")
    assert.notInclude(failed, "work/half-done > spares: TODO: a near miss\nAssertionError")
  } finally {
    fs.rmSync(place, { recursive: true, force: true })
  }
})
