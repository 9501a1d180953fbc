import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Settings from "../src/Settings.ts"
import { CliProcess } from "../src/CliProcess.ts"
import { hooksHome, type Home } from "./hooksHome.ts"

const config = "project/.reflection/config.json"

const maxAttempts = (home: Home, directory: string) =>
  Effect.gen(function* () {
    const base = yield* Settings.user
    return (yield* Settings.workspace(base, directory)).maxAttempts
  }).pipe(
    Effect.provideService(CliProcess, {
      env: { HOME: home.home, REFLEXION_MAX_ATTEMPTS: "1" },
      cwd: home.home,
      stdin: () => (async function* () {})(),
      stdout: { isTerminal: false, columns: undefined },
      program: { node: "", hooks: "" }
    })
  )

describe("reflexion trust", () => {
  it.scoped("lets a project raise maxAttempts, until its files change", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{ "maxAttempts": 3 }')
      const env = { REFLEXION_MAX_ATTEMPTS: "1" }
      assert.strictEqual(yield* maxAttempts(home, home.project), 1)
      const { code, out } = yield* home.run("trust", { env })
      assert.strictEqual(code, 0)
      assert.include(out, ".reflection/config.json")
      assert.include(out, "maxAttempts 3, where yours is 1")
      assert.strictEqual(yield* maxAttempts(home, join(home.project, "src")), 3)
      assert.include((yield* home.run("trust", { env })).out, "Trusted already")
      home.put(config, '{ "maxAttempts": 2 }')
      assert.strictEqual(yield* maxAttempts(home, home.project), 1)
      assert.include((yield* home.run("trust", { env })).out, "Trusted anew")
      assert.strictEqual(yield* maxAttempts(home, home.project), 2)
    })
  )

  it.scoped("is taken back, once", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{ "maxAttempts": 3 }')
      yield* home.run(`trust ${home.project}`, { cwd: "/" })
      assert.include((yield* home.run("untrust")).out, "No longer trusted")
      assert.strictEqual(yield* maxAttempts(home, home.project), 1)
      assert.include((yield* home.run("untrust")).out, "nothing changes")
    })
  )

  it.scoped("trusts nothing where there is nothing, so that what comes later is not trusted", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      assert.include((yield* home.run("trust")).out, "nothing to trust")
      home.put(config, '{ "maxAttempts": 3 }')
      assert.strictEqual(yield* maxAttempts(home, home.project), 1)
    })
  )

  it.scoped("refuses a link, a configuration with a mistake, and what is no directory", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{ "maxAtempts": 3 }')
      const mistaken = yield* home.run("trust")
      assert.strictEqual(mistaken.code, 2)
      assert.include(mistaken.err, 'config.json:1:3: maxAtempts: unknown key; did you mean "maxAttempts"?')
      rmSync(join(home.project, ".reflection"), { recursive: true })
      mkdirSync(join(home.home, "elsewhere"))
      writeFileSync(join(home.home, "elsewhere", "config.json"), "{}")
      symlinkSync(join(home.home, "elsewhere"), join(home.project, ".reflection"))
      const linked = yield* home.run("trust")
      assert.deepStrictEqual([linked.code, linked.err.includes("symbolic link")], [2, true])
      assert.include((yield* home.run("trust nowhere")).err, "not a directory")
      assert.include((yield* home.run("trust . .")).err, "one directory at a time")
    })
  )
})
