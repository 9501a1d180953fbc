import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { hooksHome, type Home } from "./hooksHome.ts"
import type { Surroundings } from "./runCli.ts"

const key = "sk-test-0123456789abcdefghijklmnop"

const file = ".config/reflexion/config.json"

const bare = (text: string): string => text.replace(/\s+/gu, " ")

/** Run where no host is on PATH. */
const models = (home: Home, words: string, given: Surroundings = {}) =>
  home.run(`models ${words}`, { ...given, env: { PATH: join(home.home, "bin"), ...given.env } })

/** A configuration with a model for every answer there is. */
const everything = {
  model: "work/large",
  models: {
    fallback: ["work/small-mini", "gone/large", "keyless/x", "nobody/x"],
    fast: { work: ["small-mini"] },
    providers: {
      work: { api: "chat-completions", url: "http://127.0.0.1:9/v1", keyEnv: "WORK_KEY" },
      gone: { api: "chat-completions", url: "http://127.0.0.1:9/v1" },
      keyless: { api: "openai", keyEnv: "KEYLESS_KEY" }
    },
    tokensPerDay: 1000
  },
  crossReview: { reviewer: "work/large", auditor: "work/small-mini" },
  routing: { frontend: "work/large" }
}

describe("reflexion models", () => {
  it.scopedLive("says of every model whether it can be asked, and why not", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(file, JSON.stringify(everything))
      const { code, err, out } = yield* models(home, "--format json", { env: { WORK_KEY: key } })
      assert.strictEqual(`${code} ${err}`, "0 ")
      const found = JSON.parse(out)
      assert.deepStrictEqual(
        found.judging.map(({ name, reason, role, state }: Record<string, string>) => [name, role, state, reason]),
        [
          ["work/large", "model", "ready", null],
          ["work/small-mini", "fallback", "excluded", 'too weak to judge ("mini" in models.weak)'],
          ["gone/large", "fallback", "ready", null],
          ["keyless/x", "fallback", "excluded", "KEYLESS_KEY is not set"],
          ["nobody/x", "fallback", "excluded", 'no provider "nobody" is known: add it to models.providers']
        ]
      )
      assert.deepStrictEqual(found.fast, [{ role: "fast", name: "work/small-mini", state: "ready", reason: null }])
      assert.deepStrictEqual(
        found.reviewers.map(({ role, state }: Record<string, string>) => [role, state]),
        [
          ["reviewer", "ready"],
          ["auditor", "excluded"]
        ]
      )
      assert.deepStrictEqual(found.limits, {
        timeout: 60,
        tokensPerReview: 60_000,
        tokensPerDay: 1000,
        tokensToday: 0,
        callsPerDay: 20,
        questionsToday: { calls: 0, attended: 0, answered: 0, medianMs: null, inputTokens: 0, outputTokens: 0 }
      })
      const text = (yield* models(home, "", { env: { WORK_KEY: key } })).out
      assert.include(bare(text), "✓ work/large is asked first")
      assert.include(bare(text), "✓ work/large reviewer: not of turns that it has judged itself")
      assert.include(bare(text), "0 of 1,000 tokens spent today")
      assert.notInclude(out + text, key)
    })
  )

  it.scopedLive("exits with 1 where a model is configured and none can be asked", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const env = { REFLEXION_MODEL: "anthropic/claude-sonnet-4-5" }
      const { code, out } = yield* models(home, "", { env })
      assert.strictEqual(code, 1)
      assert.include(bare(out), "– anthropic/claude-sonnet-4-5 ANTHROPIC_API_KEY is not set")
      const auto = yield* models(home, "", { env: { REFLEXION_MODEL: "auto" } })
      assert.strictEqual(auto.code, 1)
      assert.include(bare(auto.out), "no key is in the environment (ANTHROPIC_API_KEY")
    })
  )

  it.scopedLive("says how to have a model where they are off, and exits with 0", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const { code, out } = yield* models(home, "")
      assert.strictEqual(code, 0)
      assert.include(bare(out), "Model off: no model is asked.")
      assert.include(out, "REFLEXION_MODEL")
    })
  )

  it.scopedLive("takes no model and no provider from a project that is not trusted", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const { routing: _, ...said } = everything
      home.put("project/.reflection/config.json", JSON.stringify(said))
      const before = JSON.parse((yield* models(home, "--format json", { env: { WORK_KEY: key } })).out)
      assert.deepStrictEqual([before.model, before.judging, before.reviewers], ["off", [], []])
      yield* home.run("trust")
      const after = JSON.parse((yield* models(home, "--format json", { env: { WORK_KEY: key } })).out)
      assert.deepStrictEqual([after.model, after.judging[0].state], ["work/large", "ready"])
    })
  )

  it.scopedLive("names the hosts whose models can be asked, and runs none of a project's programs", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      for (const name of ["bin/codex", "project/node_modules/.bin/claude"])
        chmodSync(home.put(name, "#!/bin/sh\ntouch ~/was-run\n"), 0o755)
      const PATH = [join(home.project, "node_modules/.bin"), join(home.home, "bin")].join(":")
      const env = { PATH, REFLEXION_MODEL: "claude-code/sonnet" }
      const found = JSON.parse((yield* models(home, "--format json", { env })).out)
      const claude = join(home.project, "node_modules/.bin/claude")
      const passedOver = `${claude} was not run, for it lies in the project or in a folder that PATH names relatively; no other claude is on PATH`
      assert.deepStrictEqual(found.judging[0].reason, passedOver)
      assert.isNull(home.read("was-run"))
      const own = { PATH, REFLEXION_MODEL: "codex/default" }
      assert.include(bare((yield* models(home, "", { env: own })).out), "✓ codex/default is asked first")
      const within = yield* models(home, "", { env: { ...own, REFLEXION_ASKING: "1" } })
      assert.include(bare(within.out), "codex/default reflexion was started by a model that it asked")
      assert.strictEqual(within.code, 1)
    })
  )

  it.scopedLive("fits into a narrow terminal", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(file, JSON.stringify(everything))
      for (const terminal of [40, 60, 100]) {
        const { out } = yield* models(home, "", { terminal, env: { WORK_KEY: key, NO_COLOR: "1" } })
        for (const line of out.split("\n")) assert.isAtMost(line.length, terminal)
      }
    })
  )

  it.scopedLive("names the file, the line and the key that are wrong, and exits with 2", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const path = home.put(file, '{\n  "model": "gpt-5"\n}')
      const { code, err } = yield* models(home, "")
      assert.strictEqual(code, 2)
      assert.strictEqual(err, `reflexion: ${path}:2:3: model: must be "off", "auto" or "provider/model"`)
      assert.isNotEmpty(readFileSync(path, "utf8"))
      assert.strictEqual((yield* models(home, "", { env: { REFLEXION_MODEL: "x" } })).code, 2)
      assert.strictEqual((yield* models(home, "--format xml")).code, 2)
    })
  )
})
