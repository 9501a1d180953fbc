import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Settings from "../src/process/Settings.ts"
import { CliProcess } from "../src/process/CliProcess.ts"
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
      ask: null,
      stdout: { isTerminal: false, columns: undefined },
      stderr: { isTerminal: false, columns: undefined, write: () => {} },
      program: { node: "", hooks: "" }
    })
  )

const bare = (text: string): string => text.replace(/\s+/gu, " ")

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

  it.scoped("says whose commands the agent is told with trust", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{ "gates": [{ "name": "e2e", "command": "make e2e" }] }')
      const { out } = yield* home.run("trust")
      assert.include(bare(out), "Takes effect: • gate e2e: texts to you and the agent show its command, `make e2e`")
      assert.notInclude(out, "no difference")
      assert.include((yield* home.run("trust")).out, "`make e2e`")
    })
  )

  it.scoped("says which gate of the user's, or of every project, another takes the place of with trust alone", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{ "gates": [{ "name": "tests", "command": "true", "required": false }] }')
      const { out } = yield* home.run("trust")
      assert.include(
        bare(out),
        "• gate tests: `true` becomes a run of it, and it is not required, in the place of what holds without trust"
      )
      assert.notInclude(out, "no difference")
    })
  )

  it.scoped("says which models are asked, where what is asked goes, and every command that may run, whole", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const command = `npm test ${"-- --run ".repeat(40)}; tail`
      const said = {
        model: "local/coder",
        models: { providers: { local: { api: "chat-completions", url: "http://10.0.0.9/v1", keyEnv: "MY_KEY" } } },
        crossReview: { auditor: "openai/gpt-5" },
        checks: [{ name: "tests", command }],
        todos: {
          agents: ["lead"]
        }
      }
      home.put(config, JSON.stringify(said))
      const out = bare((yield* home.run("trust")).out)
      assert.include(out, "• model local/coder is asked")
      assert.include(
        out,
        "• provider local: what is asked goes to http://10.0.0.9/v1, and what MY_KEY has is sent there"
      )
      assert.include(out, "• crossReview.auditor openai/gpt-5")
      assert.include(out, `• check tests: \`${bare(command)}\` is run after a change of what it covers`)
      assert.include(out, '• todos.agents ["lead"]')
    })
  )

  it.scoped("shows no command that a terminal would obey, and no line wider than it", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const command = `make \u001b[31m ${"x ".repeat(200)}`
      home.put(config, JSON.stringify({ gates: [{ name: "e2e", command }] }))
      const { out } = yield* home.run("trust", { terminal: 60, env: { NO_COLOR: "1" } })
      assert.notInclude(out, "\u001b")
      for (const line of out.split("\n")) assert.isAtMost(line.length, 60)
    })
  )

  it.scoped.each(['{ "profile": "strict" }', '{ "maxAttempts": 1 }', "{}"])("makes no difference to %s", (text) =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, text)
      assert.include(bare((yield* home.run("trust")).out), "Trust makes no difference")
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
