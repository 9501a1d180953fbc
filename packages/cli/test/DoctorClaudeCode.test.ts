import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Home, hooksHome } from "./hooksHome.ts"
import { bare } from "./runCli.ts"

const doctor = (home: Home) => home.run("doctor claude-code")

const user = ".claude/settings.json"
const project = "project/.claude/settings.json"
const local = "project/.claude/settings.local.json"

const off = '{ "disableAllHooks": true }'
const on = '{ "disableAllHooks": false }'

/** As Claude Code 2.1.330 leaves it after `claude plugin install`. */
const plugin = (home: Home, version = "0.1.0") => {
  home.put(
    ".claude/plugins/installed_plugins.json",
    JSON.stringify({
      version: 2,
      plugins: {
        "reflexion@reflexion": [
          { scope: "user", installPath: `${home.home}/.claude/plugins/cache/reflexion/reflexion/${version}`, version }
        ]
      }
    })
  )
  home.put(user, '{ "enabledPlugins": { "reflexion@reflexion": true } }')
}

describe("reflexion doctor, on which of Claude Code's settings holds", () => {
  it.scoped.each([
    ["the user's file", {}, false],
    ["nobody's, for the project's file says otherwise", { [project]: on }, true],
    ["nobody's, for the project's local file says otherwise", { [project]: off, [local]: on }, true],
    ["the project's file", { [project]: off }, false],
    ["the project's local file", { [project]: on, [local]: off }, false]
  ] as const)("sees the hooks turned off by %s", ([name, files, runs]) =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      const said = name === "the user's file" || runs
      const text = home.read(user) ?? ""
      if (said) home.put(user, text.replace("{", '{ "disableAllHooks": true,'))
      for (const [file, content] of Object.entries(files)) home.put(file, content)
      const { code, out } = yield* doctor(home)
      assert.strictEqual(out.includes("turned off"), !runs, out)
      if (!runs) assert.strictEqual(code, 1)
      if (!runs && name !== "the user's file") {
        assert.include(
          bare(out),
          `${name.includes("local") ? "settings.local.json" : ".claude/settings.json"} says "disableAllHooks": true`
        )
      }
    })
  )
})

describe("reflexion doctor, on the plugin that Claude Code installed itself", () => {
  it.scoped("knows it, and misses no hooks and no command", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      plugin(home)
      const { out } = yield* doctor(home)
      assert.include(
        bare(out),
        "plugin reflexion 0.1.0, by Claude Code's own `claude plugin`, turned on in ~/.claude/settings.json"
      )
      assert.notInclude(out, "not installed")
      assert.notInclude(out, "does not know the command")
      assert.include(bare(out), "log nothing decided yet")
      assert.notInclude((yield* home.run("doctor")).out, "in no agent")
    })
  )

  it.scoped("says that it is turned off in a project, and that another version comes with this reflexion", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      plugin(home, "0.0.9")
      const older = yield* doctor(home)
      assert.strictEqual(older.code, 1)
      assert.include(bare(older.out), "reflexion 0.0.9 is the plugin, this reflexion is")
      assert.include(bare(older.out), "`claude plugin update reflexion@reflexion`")
      home.put(local, '{ "enabledPlugins": { "reflexion@reflexion": false } }')
      const { out } = yield* doctor(home)
      assert.include(bare(out), "settings.local.json turns it off")
      assert.include(bare(out), "not installed: run `reflexion install claude-code`")
    })
  )

  it.scoped("says that hooks and plugin together decide each stop once", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      plugin(home)
      yield* home.run("install claude-code")
      const { out } = yield* doctor(home)
      assert.include(bare(out), "and hooks are installed too: each stop is decided once")
    })
  )
})
