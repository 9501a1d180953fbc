import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { parse } from "jsonc-parser"
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { anotherVersion, hooksHome, modeOf } from "./hooksHome.ts"

const theirs = `{
  "model": "opus", // mine
  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] },
}
`

const settings = ".claude/settings.json"

/** What a user may make of our command at a stop. */
const wrap = (text: string): string =>
  text.replace(/"command": "(\\".*?) StopNow"/, '"command": "nice $1 StopNow; notify-send done"')

describe("reflexion install", () => {
  it.scoped("names the absolute Node and the copied hook at every event", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      const { hooks }: { hooks: Record<string, ReadonlyArray<{ hooks: ReadonlyArray<{ command: string }> }>> } =
        JSON.parse(home.read(settings) ?? "")
      const commands = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks))
      assert.lengthOf(commands, 5)
      for (const { command } of commands) {
        const [, node = "", hook = ""] = /^"([^"]+)" "([^"]+)" \w+$/u.exec(command) ?? []
        assert.isTrue(existsSync(node) && existsSync(hook) && existsSync(join(hook, "../hook.licenses.txt")))
        assert.include(hook, join(home.home, ".local/share/reflexion/hooks/claude-code/0."))
      }
    })
  )

  it.scoped("writes nothing with --dry-run, and shows what it would", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(settings, theirs)
      const names = home.names()
      const { code, out } = yield* home.run("install claude-code --dry-run")
      assert.strictEqual(code, 0)
      assert.include(out, "/hook.cjs")
      assert.deepStrictEqual(home.names(), names)
      assert.strictEqual(home.read(settings), theirs)
      assert.isFalse(existsSync(join(home.home, ".local")))
    })
  )

  it.scoped("watches tool calls only when asked to, and stops when installed without", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      const before = home.read(settings)
      yield* home.run("install claude-code --loop-watch")
      const watching = home.read(settings) ?? ""
      assert.include(watching, 'hook.cjs\\" PostToolUse"')
      assert.notInclude(watching, "TodoList")
      assert.notInclude(watching, "matcher")
      yield* home.run("install claude-code")
      assert.strictEqual(home.read(settings), before)
    })
  )

  it.scoped("keeps a file's mode, and makes a new one for its user alone", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const file = home.put(settings, theirs)
      chmodSync(file, 0o664)
      yield* home.run("install claude-code")
      assert.strictEqual(modeOf(file), 0o664)
      yield* home.run("uninstall claude-code")
      assert.strictEqual(modeOf(file), 0o664)
      yield* home.run("install codex")
      assert.strictEqual(modeOf(join(home.home, ".codex/hooks.json")), 0o600)
    })
  )

  it.scoped("writes through a link in the home directory, refuses one in a project", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const dotfile = home.put("dotfiles/claude.json", theirs)
      mkdirSync(join(home.home, ".claude"))
      symlinkSync(dotfile, join(home.home, settings))
      yield* home.run("install claude-code")
      assert.include(readFileSync(dotfile, "utf8"), "hook.cjs")
      yield* home.run("uninstall claude-code")
      assert.strictEqual(readFileSync(dotfile, "utf8"), theirs)
      symlinkSync(join(home.home, "dotfiles"), join(home.project, ".claude"))
      const { code, err } = yield* home.run("install claude-code --project")
      assert.strictEqual(code, 2)
      assert.include(err, "project/.claude is a symbolic link")
      assert.deepStrictEqual(readdirSync(join(home.home, "dotfiles")), ["claude.json"])
    })
  )

  it.scoped("refuses what it cannot read, with its place, and leaves it as it is", () =>
    Effect.gen(function* () {
      for (const [given, problem] of [
        ['{\n  "a" 1\n}', ":2:7: not valid JSON: colon expected"],
        ["[]", ":1:1: the file should be a JSON object"],
        [`{"a": ${"[".repeat(100_000)}`, ":1:1: it is nested too deeply"],
        ['{"a": 1, "a": 2}', ':1:10: the key "a" is there twice'],
        ['{\n  "hooks": []\n}', ":2:12: hooks should be an object"],
        [new Uint8Array([0x7b, 0xff, 0x7d]), "not UTF-8"]
      ] as const) {
        const home = yield* hooksHome
        const file = home.put(settings, given)
        for (const command of ["install", "uninstall"]) {
          const { code, err, out } = yield* home.run(`${command} claude-code`)
          assert.deepStrictEqual([code, out], [2, ""])
          for (const said of [file, problem]) assert.include(err, said)
          assert.deepStrictEqual(readFileSync(file), Buffer.from(given))
          assert.isFalse(existsSync(join(home.home, ".local/state")))
        }
      }
      const home = yield* hooksHome
      home.put(".claude/x", "")
      symlinkSync(join(home.home, "nowhere"), join(home.home, settings))
      const { code, err } = yield* home.run("install claude-code")
      assert.deepStrictEqual([code, err.includes("leads to no file")], [2, true])
    })
  )

  it.scoped("goes where the user's variables point", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const env = {
        CLAUDE_CONFIG_DIR: join(home.home, "cc"),
        CODEX_HOME: join(home.home, "cx"),
        XDG_DATA_HOME: join(home.home, 'da"ta $x')
      }
      yield* home.run("install claude-code", { env })
      yield* home.run("install codex", { env })
      assert.include(home.read("cc/settings.json") ?? "", 'da\\\\\\"ta \\\\$x')
      assert.include(home.read("cx/hooks.json") ?? "", "Interrupt")
      const again = yield* home.run("install claude-code", { env })
      assert.include(again.out, "nothing changes")
      yield* home.run("uninstall claude-code", { env })
      assert.isNull(home.read("cc/settings.json"))
    })
  )

  it.scoped("installs for a project in the file that is this machine's own, at its root", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const { out } = yield* home.run("install claude-code --project")
      assert.include(home.read("project/.claude/settings.local.json") ?? "", "hook.cjs")
      assert.include(out, "the project ~/project")
      assert.isNull(home.read(settings))
      const codex = yield* home.run("install codex --project")
      assert.include(home.read("project/.codex/hooks.json") ?? "", "hook.cjs")
      assert.include(codex.out, "only if you trust the project")
      const global = yield* home.run("uninstall claude-code --global")
      assert.include(global.out.replaceAll("\n  ", " "), "reflexion is still installed for this project")
      yield* home.run("uninstall")
      assert.isNull(home.read("project/.claude/settings.local.json"))
      assert.isNull(home.read("project/.codex/hooks.json"))
    })
  )

  it.scoped("leaves a command of the user's own", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(".claude/commands/reflection.md", "Reflect.")
      const { out } = yield* home.run("install claude-code")
      assert.include(out, "a command of your own")
      yield* home.run("uninstall claude-code")
      assert.strictEqual(home.read(".claude/commands/reflection.md"), "Reflect.")
    })
  )

  it.scoped("names a file that stands where a folder is needed", () =>
    Effect.gen(function* () {
      for (const blocked of [
        ".claude",
        ".local/state",
        ".local/share/reflexion/hooks",
        ".local/share/reflexion/hooks/claude-code"
      ]) {
        const home = yield* hooksHome
        home.put(blocked, "")
        const { code, err } = yield* home.run("install claude-code")
        assert.strictEqual(code, 2)
        assert.include(err, `${join(home.home, blocked)} is a file where a folder is needed. Move it away`)
        assert.notMatch(err.replaceAll(home.home, "~"), /E[A-Z]{4,}/)
      }
    })
  )

  describe("a command of the user's own that runs the hook", () => {
    it.scoped("stays, and the hook does not run twice", () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        home.put(settings, theirs)
        yield* home.run("install claude-code")
        const before = wrap(home.read(settings) ?? "")
        assert.include(before, "; notify-send")
        home.put(settings, before)
        const again = yield* home.run("install claude-code")
        assert.strictEqual(home.read(settings), before)
        assert.include(again.out.replaceAll("\n  ", " "), "~/.claude/settings.json has a command of your own at Stop")
        assert.include(again.out, "nothing changes")
      })
    )

    it.scoped("stays when the rest goes, which is said", () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        yield* home.run("install claude-code")
        home.put(settings, wrap(home.read(settings) ?? ""))
        const { code, out } = yield* home.run("uninstall claude-code")
        assert.strictEqual(code, 0)
        assert.include(out.replaceAll("\n  ", " "), "until you take it out")
        assert.include(home.read(settings), "; notify-send")
        assert.notInclude(home.read(settings), "SessionStart")
        const hook = /(\/[^"\\]*hook\.cjs)/.exec(home.read(settings) ?? "")?.[1] ?? ""
        assert.isTrue(existsSync(hook))
      })
    )
  })

  describe("another version", () => {
    it.scoped("replaces the command, and keeps the newest two copies", () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        home.put(settings, theirs)
        for (const version of ["a", "b", "c"]) {
          yield* home.run("install claude-code", { hooks: anotherVersion(home, version) })
        }
        const copies = readdirSync(join(home.home, ".local/share/reflexion/hooks/claude-code"))
        const folder = join(home.home, ".local/share/reflexion/hooks/claude-code")
        const whole = copies.filter((name) => readdirSync(join(folder, name)).length > 1)
        assert.deepStrictEqual([copies.length, whole.length], [3, 2])
        const text = home.read(settings) ?? ""
        assert.lengthOf(text.match(/\/hook\.cjs\\" StopNow"/g) ?? [], 1)
        assert.isTrue(copies.some((name) => text.includes(name)))
        yield* home.run("uninstall claude-code")
        assert.strictEqual(home.read(settings), theirs)
        assert.deepStrictEqual(
          copies.map((name) => readdirSync(join(folder, name))),
          copies.map(() => ["hook.cjs"])
        )
        const old = new Date("2026-01-01T00:00:00Z")
        yield* TestClock.setTime(Date.parse("2026-02-10T00:00:00Z"))
        for (const name of copies) utimesSync(join(folder, name), old, old)
        yield* home.run("uninstall claude-code")
        assert.isFalse(existsSync(folder))
      })
    )

    it.scoped("is silent in a session that is open when it is taken out, and leaves no cache", () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        yield* home.run("install claude-code")
        const said: unknown = JSON.parse(home.read(settings) ?? "")
        const command = /"command":"((?:[^"\\]|\\.)* StopNow)"/u.exec(JSON.stringify(said))?.[1] ?? ""
        const line: unknown = JSON.parse(`"${command}"`)
        home.put(".cache/reflexion/code/x.bin", "x")
        home.put(".cache/reflexion/config/x.json", "{}")
        yield* home.run("uninstall claude-code")
        const ran = spawnSync("/bin/sh", ["-c", String(line)], { input: "{}", encoding: "utf8" })
        assert.deepStrictEqual([ran.status, ran.stdout, ran.stderr], [0, "", ""])
        assert.isFalse(existsSync(join(home.home, ".cache/reflexion")))
        yield* home.run("install claude-code")
        assert.isFalse(readFileSync(/"([^"]*hook\.cjs)/u.exec(String(line))?.[1] ?? "", "utf8").includes("Taken out"))
      })
    )

    it.scoped("repairs a damaged copy, and keeps one that another project names", () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        yield* home.run("install claude-code --project")
        const parent = join(home.home, ".local/share/reflexion/hooks/claude-code")
        const [first = ""] = readdirSync(parent)
        for (const version of ["a", "b", "c"]) {
          yield* home.run("install claude-code", { cwd: home.home, hooks: anotherVersion(home, version) })
        }
        assert.include(readdirSync(parent), first)
        writeFileSync(join(parent, first, "hook.cjs"), "broken")
        const { out } = yield* home.run("install claude-code --project")
        assert.include(out, "copied")
        assert.notStrictEqual(readFileSync(join(parent, first, "hook.cjs"), "utf8"), "broken")
      })
    )
  })

  it.scoped("leaves Codex's config.toml alone, and says that the user must approve", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const text = 'model = "x"\nnotify = [\n'
      home.put(".codex/config.toml", text)
      const { code, out } = yield* home.run("install codex")
      assert.deepStrictEqual([code, home.read(".codex/config.toml")], [0, text])
      assert.include(out, "/hooks")
    })
  )

  it.scoped("goes on with the other agents where one cannot be installed", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(settings, "[]")
      const { code, err } = yield* home.run("install claude-code codex")
      assert.deepStrictEqual([code, err.includes("settings.json:1:1")], [2, true])
      assert.include(home.read(".codex/hooks.json"), "hook.cjs")
    })
  )

  it.scoped("without a host installs where an agent is, on a yes alone", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const nobody = yield* home.run("install", { env: { PATH: "" } })
      assert.deepStrictEqual([nobody.code, nobody.err.includes("no agent was found")], [2, true])
      home.put(".claude/x", "")
      for (const [words, answers, installed] of [
        ["install", [], false],
        ["install", ["n"], false],
        ["install", [""], false],
        ["install --dry-run", [], false],
        ["install", ["y"], true]
      ] as const) {
        const { code } = yield* home.run(words, { env: { PATH: "" }, ...(answers.length > 0 && { answers }) })
        assert.deepStrictEqual(
          [home.read(settings) !== null, code],
          [installed, installed || words !== "install" ? 0 : 2]
        )
      }
      assert.isNull(home.read(".codex/hooks.json"))
      yield* home.run("install codex")
      assert.strictEqual((yield* home.run("uninstall", { env: { PATH: "" } })).code, 0)
      assert.deepStrictEqual([home.read(settings), home.read(".codex/hooks.json")], [null, null])
      assert.include((yield* home.run("uninstall")).out, "not installed in any agent")
    })
  )
})

describe("reflexion uninstall", () => {
  it.scoped("leaves the files, and the folders, as they were", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put("project/.claude/x", "")
      const names = home.names()
      for (const words of ["claude-code", "claude-code --project", "codex", "codex --project"]) {
        yield* home.run(`install ${words}`)
        const { code } = yield* home.run(`uninstall ${words}`)
        assert.strictEqual(code, 0)
        assert.deepStrictEqual(home.names(), names)
      }
    })
  )

  it.scoped("keeps what came into a file and a folder of ours", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      home.put(settings, (home.read(settings) ?? "").replace("{", '{\n  "model": "opus",'))
      home.put(".claude/commands/mine.md", "x")
      yield* home.run("uninstall claude-code")
      assert.strictEqual(home.read(settings), '{\n  "model": "opus"\n}\n')
      assert.strictEqual(home.read(".claude/commands/mine.md"), "x")
      assert.isNull(home.read(".claude/commands/reflection.md"))
    })
  )

  it.scoped("takes the command out though the settings are broken", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      home.put(settings, `${home.read(settings) ?? ""}}`)
      const { code, err } = yield* home.run("uninstall claude-code")
      assert.strictEqual(code, 2)
      assert.include(err, "settings.json:")
      assert.isNull(home.read(".claude/commands/reflection.md"))
      assert.include(home.read(settings), "hook.cjs")
      home.put(settings, (home.read(settings) ?? "").replace(/\}$/, ""))
      assert.strictEqual((yield* home.run("uninstall claude-code")).code, 0)
      assert.isNull(home.read(settings))
    })
  )

  it.scoped("works without its records", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(settings, theirs)
      yield* home.run("install claude-code")
      rmSync(join(home.home, ".local/state"), { recursive: true })
      yield* home.run("uninstall claude-code")
      const left = home.read(settings) ?? ""
      assert.deepStrictEqual(
        parse(left, [], { allowTrailingComma: true }),
        parse(theirs, [], { allowTrailingComma: true })
      )
      assert.include(left, "// mine")
      assert.isNull(home.read(".claude/commands/reflection.md"))
    })
  )
})
