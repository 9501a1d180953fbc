import { assert, describe, it } from "@effect/vitest"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import { Effect } from "effect"
import { chmodSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Home, loggedIn, modeOf } from "./hooksHome.ts"
import { claudeCode, text, type Turn } from "./sessions.ts"

const bare = (text: string): string => text.replace(/\s+/gu, " ")

const stateOf = ({ home }: Home) => ({ state: join(home, ".local/state/reflexion") })

/** What is kept of each host. */
const kept = (home: Home): Readonly<Record<string, boolean>> =>
  Object.fromEntries(Array.from(OwnModels.read(stateOf(home)), ([host, { asked }]) => [host, asked]))

const question = "Ask it at such stops? [y/N]"

const hosts = ["claude-code", "codex"] as const

const own = ".config/reflexion/config.json"

describe("reflexion install, and the host's own small model", () => {
  it.scopedLive("says what it takes in ten lines at most, and asks it on y or yes alone", () =>
    Effect.gen(function* () {
      for (const host of hosts) {
        for (const answer of ["y", "YES ", " yes"]) {
          const home = yield* loggedIn
          const { code, out } = yield* home.run(`install ${host}`, { answers: [answer], terminal: 80 })
          assert.strictEqual(code, 0)
          assert.strictEqual(out.split(question).length, 2)
          const text = out.slice(out.indexOf("Ask your own small model"), out.indexOf(question)).trimEnd()
          assert.isAtMost(text.split("\n").length, 10, text)
          for (const part of [
            host === "codex" ? "`codex exec`" : "Claude Haiku, by `claude -p`",
            "your login, without tools and hooks",
            "about two in three",
            "at most 20 a day",
            "4,000 tokens in and 300 out",
            "your plan's limits",
            "20 s at most",
            "only reflexion's own words reach the agent",
            host === "codex" ? "`reflection model off`" : "`/reflection model off`",
            '`"model": "off"`',
            `\`reflexion models off ${host}\``
          ]) {
            assert.include(bare(text), part)
          }
          assert.deepStrictEqual(kept(home), { [host]: true })
          assert.strictEqual(modeOf(OwnModels.fileOf(stateOf(home))), 0o600)
        }
      }
    })
  )

  it.scopedLive("keeps a no, and nothing of any other answer", () =>
    Effect.gen(function* () {
      for (const [answer, expected] of [
        ["n", { "claude-code": false }],
        [" No", { "claude-code": false }],
        ["", {}],
        ["yep", {}],
        ["ja", {}],
        ["y n", {}],
        ["1", {}]
      ] as const) {
        const home = yield* loggedIn
        const { code, out } = yield* home.run("install claude-code", { answers: [answer] })
        assert.strictEqual(code, 0)
        assert.deepStrictEqual(kept(home), expected, answer)
        assert.include(bare(out), "`reflexion models on claude-code`")
        const again = yield* home.run("install claude-code", { answers: ["y"] })
        assert.strictEqual(again.out.includes(question), answer.trim() === "" || !/^n/iu.test(answer.trim()))
      }
    })
  )

  it.scopedLive("asks nothing with --yes, in a dry run or without a terminal: one line says how to do it later", () =>
    Effect.gen(function* () {
      for (const [words, given] of [
        ["install codex --yes", { answers: ["y", "y"] }],
        ["install codex --dry-run", { answers: ["y", "y"] }],
        ["install codex", {}],
        ["install codex --yes", {}],
        ["install codex", { stdin: [Buffer.from("y\ny\n")] }]
      ] as const) {
        const home = yield* loggedIn
        const { code, out } = yield* home.run(words, given)
        assert.strictEqual(code, 0)
        assert.include(
          bare(out),
          "A model at stops: off: you were not asked; `reflexion models on codex` says what it takes and turns it on."
        )
        assert.notInclude(out, "[y/N]")
        assert.isFalse(existsSync(OwnModels.fileOf(stateOf(home))))
      }
    })
  )

  it.scopedLive("asks for each host once, and leaves what was said as it was", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      yield* home.run("install claude-code", { answers: ["y"] })
      const upgrade = yield* home.run("install claude-code --yes", { answers: ["n"] })
      assert.match(bare(upgrade.out), /A model at stops: claude-code\/small .*, by your yes of \d{4}-\d\d-\d\d\./)
      const again = yield* home.run("install claude-code", { answers: ["n"] })
      assert.notInclude(again.out, question)
      yield* home.run("install codex", { answers: ["n"] })
      assert.deepStrictEqual(kept(home), { "claude-code": true, codex: false })
      const other = yield* home.run("install codex --project", { answers: ["y"] })
      assert.match(bare(other.out), /A model at stops: off, by your no of [\d-]+: `reflexion models on codex`/)
      assert.deepStrictEqual(kept(home), { "claude-code": true, codex: false })
    })
  )

  it.scopedLive("asks nothing where the configuration says which model is asked", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      home.put(own, '{ "model": "off" }')
      const off = yield* home.run("install claude-code", { answers: ["y"] })
      assert.include(bare(off.out), "A model at stops: off, by ~/.config/reflexion/config.json.")
      const env = { REFLEXION_MODEL: "openai/gpt-5" }
      const named = yield* home.run("install codex", { answers: ["y"], env })
      assert.include(bare(named.out), "A model at stops: openai/gpt-5, named by REFLEXION_MODEL.")
      assert.notInclude(off.out + named.out, "[y/N]")
      assert.deepStrictEqual(kept(home), {})
    })
  )

  it.scopedLive("asks nothing where no login pays, and says why and how to have it all the same", () =>
    Effect.gen(function* () {
      for (const [host, env, why] of [
        ["claude-code", { ANTHROPIC_API_KEY: "sk-ant-0" }, "ANTHROPIC_API_KEY is set"],
        ["claude-code", { CLAUDE_CODE_USE_BEDROCK: "1" }, "CLAUDE_CODE_USE_BEDROCK is set"],
        ["claude-code", { CLAUDE_CODE_USE_VERTEX: "1" }, "CLAUDE_CODE_USE_VERTEX is set"],
        ["claude-code", { CLAUDE_CODE_USE_FOUNDRY: "1" }, "CLAUDE_CODE_USE_FOUNDRY is set"],
        ["codex", { OPENAI_API_KEY: "sk-0" }, "OPENAI_API_KEY is set"]
      ] as const) {
        const home = yield* loggedIn
        const { out } = yield* home.run(`install ${host}`, { answers: ["y"], env })
        assert.include(bare(out), `A model at stops: off: ${why}`)
        assert.include(bare(out), `"model": "${host}/small" in your configuration`)
        assert.notInclude(out, "[y/N]")
        const { code, err } = yield* home.run(`models on ${host}`, { env })
        assert.strictEqual(code, 2)
        assert.include(bare(err), why)
        assert.deepStrictEqual(kept(home), {})
        const list = yield* home.run("models", { env: { ...env, PATH: join(home.home, "bin") } })
        assert.include(bare(list.out), `${host} off: ${why}`)
      }
      const home = yield* loggedIn
      home.put(".claude/settings.json", '{ "apiKeyHelper": "./key.sh" }')
      home.put(".codex/config.toml", 'model_provider = "work"\n')
      for (const [host, why] of [
        ["claude-code", "apiKeyHelper"],
        ["codex", "model_provider"]
      ] as const) {
        const { out } = yield* home.run(`install ${host}`, { answers: ["y"] })
        assert.include(bare(out), `A model at stops: off: ${why}`)
        assert.notInclude(out, "[y/N]")
      }
    })
  )

  it.scopedLive("asks for OpenCode as for the others, and is off until somebody says yes", () =>
    Effect.gen(function* () {
      for (const [given, asked] of [
        [{ answers: ["y"] }, true],
        [{ answers: ["n"] }, false],
        [{}, undefined]
      ] as const) {
        const home = yield* loggedIn
        const config = home.put(".config/opencode/opencode.json", "{}")
        const { out } = yield* home.run("install opencode", { ...given, terminal: 80 })
        assert.strictEqual(out.includes(question), "answers" in given)
        assert.deepStrictEqual(kept(home)["opencode"], asked)
        if ("answers" in given) {
          for (const part of ["the session's provider", "a hidden session", "paid as the session is", "20 a day"])
            assert.include(bare(out), part)
        } else
          assert.include(
            bare(out),
            "A model at stops: off: you were not asked; `reflexion models on opencode` says what it takes"
          )
        const { out: list } = yield* home.run("models --format json", { env: { PATH: join(home.home, "bin") } })
        assert.strictEqual(JSON.parse(list).own[2].on, asked === true)
        const before = readFileSync(config, "utf8")
        yield* home.run("models on opencode")
        assert.deepStrictEqual(kept(home), { opencode: true })
        yield* home.run("models off opencode")
        assert.deepStrictEqual(kept(home), { opencode: false })
        assert.strictEqual(readFileSync(config, "utf8"), before)
      }
    })
  )

  it.scopedLive("does not let a project's file say anything", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      home.put("project/.reflection/config.json", '{ "model": "claude-code/opus" }')
      const { out } = yield* home.run("install claude-code", { answers: ["y"] })
      assert.include(out, question)
    })
  )
})

describe("reflexion uninstall, and the host's own small model", () => {
  it.scopedLive("forgets what was said of that host alone, and a dry run forgets nothing", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      for (const host of hosts) yield* home.run(`install ${host}`, { answers: ["y"] })
      yield* home.run("uninstall codex --dry-run")
      assert.deepStrictEqual(kept(home), { "claude-code": true, codex: true })
      const { out } = yield* home.run("uninstall codex")
      assert.include(bare(out), "What you said about your own small model is forgotten")
      assert.deepStrictEqual(kept(home), { "claude-code": true })
      assert.include((yield* home.run("install codex", { answers: ["n"] })).out, question)
      assert.notInclude((yield* home.run("uninstall opencode")).out, "small model")
    })
  )
})

/** What stands in a host's file of its hook at a stop. */
const shownIn = (text: string): unknown =>
  /"statusMessage": "([^"]{1,200})"|statusMessage = "([^"]{1,200})"/u
    .exec(text)
    ?.slice(1)
    .find((line) => line !== undefined)

describe("the line that a host shows while its hook runs", () => {
  const plain = "reflexion reviews the turn"
  const asking = `${plain}; it may ask claude-code/small`
  const settings = ".claude/settings.json"

  it.scopedLive("names the model from the user's yes on, to their no, and is taken out as it came", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      const before = '{\n  "theme": "dark"\n}\n'
      home.put(settings, before)
      const { out } = yield* home.run("install claude-code", { answers: ["y"] })
      assert.strictEqual(shownIn(home.read(settings) ?? ""), asking)
      assert.include(bare(out), `Claude Code shows "${asking}"`)
      const again = yield* home.run("install claude-code")
      assert.strictEqual(shownIn(home.read(settings) ?? ""), asking)
      assert.notInclude(again.out, "statusMessage")
      assert.include(bare((yield* home.run("models off claude-code")).out), `Claude Code shows "${plain}"`)
      assert.strictEqual(shownIn(home.read(settings) ?? ""), plain)
      assert.notInclude((yield* home.run("models off claude-code")).out, "shows")
      yield* home.run("models on claude-code")
      assert.strictEqual(shownIn(home.read(settings) ?? ""), asking)
      const doctor = yield* home.run("doctor claude-code")
      assert.notMatch(bare(doctor.out), /outdated|older version|another version/)
      assert.strictEqual((yield* home.run("uninstall claude-code")).code, 0)
      assert.strictEqual(home.read(settings) ?? "", before)
    })
  )

  it.scopedLive("stays the user's own where they wrote another, and says nothing where nothing is installed", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      assert.notInclude((yield* home.run("models on claude-code")).out, "shows")
      yield* home.run("install claude-code")
      assert.strictEqual(shownIn(home.read(settings) ?? ""), asking, "installed after the yes")
      home.put(settings, (home.read(settings) ?? "").replace(asking, "thinking"))
      yield* home.run("models off claude-code")
      assert.strictEqual(shownIn(home.read(settings) ?? ""), "thinking")
      yield* home.run("install claude-code")
      assert.strictEqual(shownIn(home.read(settings) ?? ""), "thinking")
    })
  )

  it.scopedLive("is compared by doctor with how it stands, which names what mends it", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      yield* home.run("install claude-code")
      assert.notInclude(bare((yield* home.run("doctor claude-code")).out), "as it stands now")
      home.put(own, '{ "model": "claude-code/small" }')
      const { code, out } = yield* home.run("doctor claude-code")
      assert.strictEqual(code, 1)
      assert.include(
        bare(out),
        `~/.claude/settings.json has "${plain}" shown, and as it stands now that is "${asking}": run \`reflexion install claude-code\``
      )
      yield* home.run("install claude-code")
      assert.strictEqual(shownIn(home.read(settings) ?? ""), asking)
      assert.notInclude(bare((yield* home.run("doctor claude-code")).out), "as it stands now")
      home.put(own, '{ "model": "off" }')
      assert.include(bare((yield* home.run("doctor claude-code")).out), `as it stands now that is "${plain}"`)
      home.put(settings, (home.read(settings) ?? "").replace(asking, "thinking"))
      assert.notInclude(bare((yield* home.run("doctor claude-code")).out), "as it stands now", "the user's own line")
      yield* home.run("install codex")
      home.put(own, '{ "model": "codex/small" }')
      assert.notInclude(bare((yield* home.run("doctor codex")).out), "as it stands now", "approved with its line")
    })
  )
})

describe("reflexion models on and off", () => {
  it.scopedLive("shows what it takes and agrees without a terminal; off takes it back", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      for (const host of hosts) {
        const { code, out } = yield* home.run(`models on ${host}`)
        assert.strictEqual(code, 0)
        assert.include(bare(out), "4,000 tokens in and 300 out")
        assert.include(bare(out), "is asked from the next stop on")
        assert.notInclude(out, "[y/N]")
      }
      assert.deepStrictEqual(kept(home), { "claude-code": true, codex: true })
      const { code, out } = yield* home.run("models off codex")
      assert.strictEqual(
        `${code} ${bare(out)}`,
        "0 No model is asked; evidence alone decides. `reflexion models on codex` changes that."
      )
      assert.deepStrictEqual(kept(home), { "claude-code": true, codex: false })
    })
  )

  it.scopedLive("refuses what is no host, no word, or too much, and changes nothing", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      for (const [words, problem] of [
        ["models on", "on: name a host: claude-code, codex or opencode"],
        ["models off", "off: name a host: claude-code, codex or opencode"],
        ["models on codex claude-code", "one host at a time"],
        [
          "models on claude-cod",
          '"claude-cod" is no host; there are claude-code, codex and opencode; did you mean claude-code?'
        ],
        ["models onn codex", '"onn" is none of on, off; did you mean on?'],
        ["models on codex --format json", "--format is for the list"]
      ] as const) {
        const { code, err } = yield* home.run(words)
        assert.strictEqual(code, 2, words)
        assert.include(bare(err), problem)
      }
      assert.deepStrictEqual(kept(home), {})
    })
  )

  it.scopedLive("shows how each host stands, in the list and as JSON", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      const env = { PATH: join(home.home, "bin") }
      yield* home.run("models on codex")
      const { code, out } = yield* home.run("models", { env })
      assert.strictEqual(code, 0)
      assert.match(bare(out), /At stops .*claude-code +off: you were not asked; `reflexion models on claude-code`/)
      assert.match(bare(out), /codex +codex\/small \(gpt-6-luna, by `codex exec`\), by your yes of [\d-]+/)
      assert.match(bare(out), /opencode +off: you were not asked; `reflexion models on opencode`/)
      const json = JSON.parse((yield* home.run("models --format json", { env })).out)
      assert.deepStrictEqual(
        json.own.map(({ host, on, state }: Record<string, unknown>) => [host, on, state]),
        [
          ["claude-code", false, "unasked"],
          ["codex", true, "said"],
          ["opencode", false, "unasked"]
        ]
      )
      home.put(own, '{ "model": "off" }')
      const off = yield* home.run("models", { env })
      assert.match(bare(off.out), /codex +off, by ~\/\.config\/reflexion\/config\.json/)
    })
  )
})

/** Evidence leaves it open: a model that may be asked would be. */
const unchanged: Turn = {
  ask: "Add a retry to the fetch helper in src/http.ts.",
  runs: [{ command: "cat src/http.ts", exitCode: 0, output: "export const get = retry(3, fetch)" }],
  answer: "The helper in src/http.ts already retries three times, so there is nothing to add."
}

/** A host that leaves word that it was asked, and answers nothing of use. */
const asking = Effect.map(loggedIn, (home) => {
  const asked = join(home.home, "asked")
  for (const name of ["claude", "codex"]) {
    const file = home.put(
      `bin/${name}`,
      `#!${process.execPath}\nrequire("node:fs").appendFileSync(${JSON.stringify(asked)}, process.argv.slice(2).join(" ") + "\\n")\n`
    )
    chmodSync(file, 0o755)
  }
  home.put("project/src/open.jsonl", text(claudeCode([unchanged])))
  const run = (words: string) => home.run(words, { env: { PATH: join(home.home, "bin") } })
  return { home, run, asked: () => home.read("asked") }
})

describe("a session that is over, and the host's own small model", () => {
  it.scopedLive.each([
    "judge open.jsonl",
    "judge open.jsonl --model off",
    "judge open.jsonl --model auto",
    "judge open.jsonl --checks",
    "judge open.jsonl --model auto --host claude-code",
    "score open.jsonl",
    "stuck open.jsonl",
    "compaction open.jsonl",
    "report",
    "cycle --analyse"
  ])("is not asked by `reflexion %s`, though the user agreed", (words) =>
    Effect.gen(function* () {
      const { asked, run } = yield* asking
      for (const host of hosts) yield* run(`models on ${host}`)
      yield* run(words)
      assert.isNull(asked())
    })
  )

  it.scopedLive("is asked where --model names it, also without consent: naming it is the user's word", () =>
    Effect.gen(function* () {
      const { asked, run } = yield* asking
      yield* run("judge open.jsonl --model claude-code/small")
      assert.match(asked() ?? "", /^-p .*--model /)
    })
  )
})
