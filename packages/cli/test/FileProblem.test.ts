import { assert, describe, it } from "@effect/vitest"
import { InstallError } from "../src/process/CliError.ts"
import { explain } from "../src/process/FileProblem.ts"

const thrown = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: something, open '${path}'`), { code, path })

describe("FileProblem", () => {
  it.each([
    ["EACCES", "/nowhere/settings.json", "/nowhere/settings.json: permission denied."],
    ["EACCES", "/nowhere/.settings.json.123.1a2b", "/nowhere/settings.json: permission denied."],
    ["ENOSPC", "/nowhere/x", "/nowhere/x: the disk is full."],
    ["ENOENT", "/nowhere/x", "/nowhere/x: there is no such file or folder."],
    ["EODD", "/nowhere/x", "/nowhere/x: EODD: something, open '/nowhere/x'."]
  ])("%s of %s", (code, path, expected) => {
    assert.strictEqual(explain(thrown(code, path)).problem, `${expected} Correct that, then run this again.`)
  })

  it("leaves what is explained already, and takes what is no error", () => {
    const known = new InstallError({ problem: "x" })
    assert.strictEqual(explain(known), known)
    assert.strictEqual(explain("odd", "/f").problem, "/f: odd. Correct that, then run this again.")
  })
})
