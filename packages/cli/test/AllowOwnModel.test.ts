import { assert, describe, it } from "@effect/vitest"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import { Effect } from "effect"
import { join } from "node:path"
import { type Home, hooksHome, loggedIn, modeOf } from "./hooksHome.ts"
import { bare } from "./runCli.ts"

const stateOf = ({ home }: Home) => ({ state: join(home, ".local/state/reflexion") })

/** What is kept of each host. */
const kept = (home: Home): Readonly<Record<string, boolean>> =>
  Object.fromEntries(Array.from(OwnModels.read(stateOf(home)), ([host, { asked }]) => [host, asked]))

const question = "Ask it at such stops? [y/N]"

const own = ".config/reflexion/config.json"

const nothing = (): void => {}

describe("a host's own small model", () => {
  it.scopedLive.each([
    ["y", { codex: true }],
    [" YES", { codex: true }],
    ["n", { codex: false }],
    [" No", { codex: false }],
    ["", {}],
    ["yep", {}],
    ["1", {}]
  ] as const)("is asked by the answer %j at install", ([answer, expected]) =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      const { code, out } = yield* home.run("install codex", { answers: [answer] })
      assert.deepStrictEqual([code, out.split(question).length, kept(home)], [0, 2, expected])
      if (answer !== "y") return
      assert.strictEqual(modeOf(OwnModels.fileOf(stateOf(home))), 0o600)
      assert.notInclude((yield* home.run("install codex", { answers: ["n"] })).out, question)
    })
  )

  it.scopedLive(
    "is not asked for with --yes, in a dry run, without a terminal, or where something speaks against it",
    () =>
      Effect.gen(function* () {
        const rows = [
          ["install codex --yes", { answers: ["y"] }, nothing, "off: you were not asked"],
          ["install codex --dry-run", { answers: ["y"] }, nothing, "off: you were not asked"],
          ["install codex", {}, nothing, "`reflexion allow model codex` says what it takes and asks you"],
          [
            "install codex",
            { answers: ["y"], env: { OPENAI_API_KEY: "sk" } },
            (home: Home) => home.put(".codex/auth.json", '{ "OPENAI_API_KEY": "sk" }'),
            '"model": "codex/small" in your configuration'
          ],
          [
            "install codex",
            { answers: ["y"] },
            (home: Home) => home.put(own, '{ "model": "off" }'),
            "off, by ~/.config/reflexion/config.json"
          ]
        ] as const
        for (const [words, given, change, said] of rows) {
          const home = yield* loggedIn
          change(home)
          const { code, out } = yield* home.run(words, given)
          assert.strictEqual(code, 0)
          assert.notInclude(out, question)
          assert.include(bare(out), said)
          assert.deepStrictEqual(kept(home), {})
        }
      })
  )

  it.scopedLive("is allowed and taken back later, and forgotten with the host", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      const nobody = yield* home.run("allow model claude-code")
      assert.deepStrictEqual([nobody.code, kept(home)], [2, {}])
      const { out } = yield* home.run("allow model claude-code", { answers: ["y"] })
      for (const part of ["Claude Haiku, by `claude -p`", "4,000 tokens in and 300 out", "20 s at most", question])
        assert.include(bare(out), part)
      assert.deepStrictEqual(kept(home), { "claude-code": true })
      assert.match(
        bare((yield* home.run("doctor --show models")).out),
        /claude-code claude-code\/small .* by your yes of/u
      )
      yield* home.run("allow model claude-code --revoke")
      assert.deepStrictEqual(kept(home), { "claude-code": false })
      yield* home.run("install claude-code")
      yield* home.run("allow model codex --yes")
      yield* home.run("uninstall claude-code --dry-run")
      assert.deepStrictEqual(kept(home), { "claude-code": false, codex: true })
      yield* home.run("uninstall claude-code")
      assert.deepStrictEqual(kept(home), { codex: true })
    })
  )

  it.scopedLive("is refused where no login pays, and by an agent", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const { code, err } = yield* home.run("allow model codex --yes")
      assert.deepStrictEqual([code, bare(err).includes('"model": "codex/small"')], [2, true])
      const logged = yield* loggedIn
      for (const name of ["CLAUDECODE", "CODEX_THREAD_ID", "OPENCODE"]) {
        const inside = yield* logged.run("allow model codex --yes", { env: { [name]: "1" } })
        assert.deepStrictEqual([inside.code, kept(logged)], [2, {}])
      }
    })
  )

  it.scopedLive("stands in the list of models, with what a file that cannot be read makes of it", () =>
    Effect.gen(function* () {
      const home = yield* loggedIn
      yield* home.run("allow model codex --yes")
      const { code, out } = yield* home.run("doctor --show models --format json")
      const { own: all }: { own: ReadonlyArray<{ host: string; on: boolean; state: string }> } = JSON.parse(out)
      assert.deepStrictEqual(
        [code, all.map(({ host, on, state }) => [host, on, state].join(" "))],
        [0, ["claude-code false unasked", "codex true said", "opencode false unasked"]]
      )
      home.put(".local/state/reflexion/own-models.json", "{")
      const broken = yield* home.run("doctor --show models")
      assert.deepStrictEqual([broken.code, bare(broken.out).includes("own-models.json is damaged")], [1, true])
    })
  )
})
