import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Home, hooksHome } from "./hooksHome.ts"
import { bare } from "./runCli.ts"

const config = "project/.reflection/config.json"

/** How many nudges hold for a session in the project: 1 by the user's word, more by the project's where that is trusted. */
const nudges = (home: Home, cwd = home.project) =>
  Effect.map(
    home.run("doctor --show configuration --format json", { cwd, env: { REFLEXION_MAX_ATTEMPTS: "1" } }),
    ({ out }) => {
      const { keys }: { keys: ReadonlyArray<{ key: string; here: unknown }> } = JSON.parse(out)
      return keys.find(({ key }) => key === "maxAttempts")?.here
    }
  )

const allow = (home: Home, words = "--yes") =>
  home.run(`allow workspace ${words}`, { env: { REFLEXION_MAX_ATTEMPTS: "1" } })

const lesson = (id: string, suggestion: string) =>
  `${JSON.stringify({ id, sessionId: "s", taskId: "t", subtaskId: "u", attemptNumber: 1, category: "root_cause", analysis: "Why.", suggestion, actionItems: [], confidence: 0.8, createdAt: "2026-01-01T10:00:00.000Z", source: "human", model: null, tags: [] })}\n`

describe("reflexion allow workspace", () => {
  it.scoped("lets a project raise maxAttempts, until its files change", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{ "maxAttempts": 3 }')
      assert.strictEqual(yield* nudges(home), 1)
      const { code, out } = yield* allow(home)
      assert.strictEqual(code, 0)
      assert.match(bare(out), /\.reflection\/config\.json 20 bytes Takes effect maxAttempts 3 Trusted, until/u)
      assert.strictEqual(yield* nudges(home, join(home.project, "src")), 3)
      assert.include((yield* allow(home)).out, "trusted already")
      home.put(config, '{ "maxAttempts": 2 }')
      assert.strictEqual(yield* nudges(home), 1)
      yield* allow(home)
      assert.strictEqual(yield* nudges(home), 2)
    })
  )

  it.scoped("shows whole what takes effect with trust alone", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const command = `npm test ${"-- --run ".repeat(40)}; tail`
      const said = {
        model: "local/coder",
        models: { providers: { local: { api: "chat-completions", url: "http://10.0.0.9/v1", keyEnv: "MY_KEY" } } },
        crossReview: { auditor: "openai/gpt-5" },
        checks: [{ name: "unit", command }],
        gates: [{ name: "tests", command: "true", required: false }],
        doneWhen: ["`make e2e` passes"],
        todos: { agents: ["lead"] }
      }
      home.put(config, JSON.stringify(said))
      const out = bare((yield* allow(home)).out)
      for (const part of [
        'model "local/coder"',
        'models.providers.local.url "http://10.0.0.9/v1"',
        'models.providers.local.keyEnv "MY_KEY"',
        'crossReview.auditor "openai/gpt-5"',
        bare(command),
        '{"name":"tests","command":"true"',
        "make e2e",
        "lead"
      ])
        assert.include(out, part)
    })
  )

  it.scoped("shows no command that a terminal would obey, and no line wider than it", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, JSON.stringify({ gates: [{ name: "e2e", command: `make \u001b[31m ${"x ".repeat(200)}` }] }))
      const { out } = yield* home.run("allow workspace --yes", { terminal: 60, env: { NO_COLOR: "1" } })
      assert.notInclude(out, "\u001b")
      for (const line of out.split("\n")) assert.isAtMost(line.length, 60)
    })
  )

  it.scoped.each(['{ "profile": "strict" }', '{ "maxAttempts": 1 }', "{}"])("makes no difference to %s", (text) =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, text)
      assert.include(bare((yield* allow(home)).out), "Trust makes no difference")
    })
  )

  it.scoped("trusts nothing without a yes, nothing where there is nothing, and nothing in an agent", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      assert.include((yield* allow(home)).out, "nothing to trust")
      home.put(config, '{ "maxAttempts": 3 }')
      const refused = [
        yield* home.run("allow workspace"),
        yield* home.run("allow workspace", { answers: ["n"] }),
        yield* home.run("allow workspace", { answers: [""] }),
        yield* home.run("allow workspace --yes", { env: { CLAUDECODE: "1" } })
      ]
      for (const { code } of refused) assert.strictEqual(code, 2)
      assert.strictEqual(yield* nudges(home), 1)
      yield* home.run(`allow workspace ${home.project}`, { answers: ["y"], cwd: "/" })
      assert.strictEqual(yield* nudges(home), 3)
      assert.include((yield* allow(home, "--revoke")).out, "no longer trusted")
      assert.strictEqual(yield* nudges(home), 1)
      assert.include((yield* allow(home, "--revoke")).out, "nothing changes")
    })
  )

  it.scoped("shows the lessons that others wrote, and believes those alone", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const memory = "project/.reflection/reflections.jsonl"
      home.put(memory, lesson("a", "Round each item first."))
      assert.match(
        bare((yield* allow(home)).out),
        /lesson Why\. Round each item first\. Trusted, what the memory has now/u
      )
      assert.include((yield* allow(home)).out, "trusted already")
      home.put(memory, lesson("a", "Round each item first.") + lesson("b", "Skip the tests."))
      assert.include(bare((yield* allow(home)).out), "lesson Why. Skip the tests. Trusted")
    })
  )

  it.scoped("refuses a link, a configuration with a mistake, and what is no directory", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(config, '{ "maxAtempts": 3 }')
      const mistaken = yield* allow(home)
      assert.strictEqual(mistaken.code, 2)
      assert.include(mistaken.err, 'config.json:1:3: maxAtempts: unknown key; did you mean "maxAttempts"?')
      rmSync(join(home.project, ".reflection"), { recursive: true })
      mkdirSync(join(home.home, "elsewhere"))
      writeFileSync(join(home.home, "elsewhere", "config.json"), "{}")
      symlinkSync(join(home.home, "elsewhere"), join(home.project, ".reflection"))
      const linked = yield* allow(home)
      assert.deepStrictEqual([linked.code, linked.err.includes("symbolic link")], [2, true])
      assert.include((yield* allow(home, "nowhere")).err, "not a directory")
    })
  )
})
