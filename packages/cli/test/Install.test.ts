import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "jsonc-parser"
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Home, hooksHome } from "./hooksHome.ts"
import { scenes } from "./scenes.ts"

const theirs = String.raw`{\n  "model": "opus", // mine\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] },\n}\n`

const settings = ".claude/settings.json"

const copies = ({ home }: Home): string => join(home, ".local/share/reflexion/hooks/claude-code")

const copiesOf = (home: Home): ReadonlyArray<string> => readdirSync(copies(home))

const filesIn = (home: Home): ReadonlyArray<string> =>
  copiesOf(home).map((name) => readdirSync(join(copies(home), name)).join())

const lenient = (text: string): unknown => parse(text, [], { allowTrailingComma: true })

describe("reflexion install and uninstall", () => {
  scenes(
    String.raw`
    # every hook names the absolute Node and the copy, which has its licences
    $ install claude-code ¦ commands 5

    # a dry run writes nothing, and shows what it would
    put {settings} {theirs} ¦ start
    $ install claude-code --dry-run ¦ + /hook.cjs ¦ same ¦ .local gone

    # tool calls are watched only when that is asked for, and a second install keeps that
    $ install claude-code ¦ {settings} - hook.cjs\\" PostToolUse"
    $ install claude-code --loop-watch ¦ {settings} + hook.cjs\\" PostToolUse" ¦ {settings} - TodoList ¦ {settings} - matcher
    start
    $ install claude-code ¦ + Already installed; nothing changes ¦ same

    # Claude Code ignores a file with comments → it is written, but not active
    put {settings} {theirs}
    $ install claude-code ¦ + Written, but not active: ~/.claude/settings.json has comments or trailing commas, and Claude Code ignores such a file
    - Installed

    # a file keeps its mode, and a new one is its user's alone
    put {settings} {theirs} ¦ mode {settings} 664
    $ install claude-code ¦ {settings} mode 664
    $ uninstall claude-code ¦ {settings} mode 664
    $ install codex ¦ .codex/hooks.json mode 600

    # a link is written through in the home directory, and refused in a project
    put dotfiles/claude.json {theirs} ¦ link {settings} -> dotfiles/claude.json ¦ start
    $ install claude-code ¦ dotfiles/claude.json + hook.cjs
    $ uninstall claude-code ¦ dotfiles/claude.json = {theirs}
    link project/.claude -> dotfiles ¦ start
    $2 install claude-code --project ¦ ! project/.claude is a symbolic link ¦ same

    # a link that leads to nothing is refused
    put .claude/x ¦ link {settings} -> nowhere
    $2 install claude-code ¦ ! is a symbolic link whose target does not exist

    # the user's variables say where
    $ CLAUDE_CONFIG_DIR={home}/cc "XDG_DATA_HOME={home}/da\"ta $x" install claude-code ¦ cc/settings.json + da\\\\\\"ta \\\\$x
    $ CODEX_HOME={home}/cx install codex ¦ cx/hooks.json + Interrupt
    $ COPILOT_HOME={home}/co install copilot ¦ + They only tell you ¦ co/hooks/reflexion.json + UserPromptSubmit
    $ COPILOT_HOME={home}/co uninstall copilot ¦ co/hooks/reflexion.json gone
    $ CLAUDE_CONFIG_DIR={home}/cc "XDG_DATA_HOME={home}/da\"ta $x" install claude-code ¦ + nothing changes
    $ CLAUDE_CONFIG_DIR={home}/cc "XDG_DATA_HOME={home}/da\"ta $x" uninstall claude-code ¦ cc/settings.json gone

    # a project has it in the file that is this machine's own, at its root
    start
    $ install claude-code --project ¦ + the project ~/project ¦ project/.claude/settings.local.json + hook.cjs ¦ {settings} gone
    $ install codex --project ¦ + only if you trust the project ¦ project/.codex/hooks.json + hook.cjs
    $ install copilot --project ¦ + only if you trust the folder ¦ project/.github/copilot/settings.local.json + SessionStart
    $ uninstall claude-code --global ¦ + reflexion is still installed for this project
    $ uninstall ¦ same

    # a command of the user's own of that name stays
    put .claude/commands/reflection.md Reflect. ¦ start
    $ install claude-code ¦ + .claude/commands/reflection.md is your own command and stays
    $ uninstall claude-code ¦ same

    # another version replaces the command, and the newest two copies stay, each for a month as a file that says nothing
    put {settings} {theirs} ¦ now 2026-02-10
    $ HOOKS=a install claude-code
    $ HOOKS=b install claude-code
    $ HOOKS=c install claude-code ¦ copies LICENCED LICENCED hook.cjs ¦ named
    $ uninstall claude-code ¦ {settings} = {theirs} ¦ copies hook.cjs hook.cjs hook.cjs ¦ older 2026-01-01
    $ uninstall claude-code ¦ .local/share/reflexion/hooks/claude-code gone

    # what is taken out says nothing in an open session, and leaves no cache; installed again it is whole
    put .cache/reflexion/code/x.bin x ¦ put .cache/reflexion/config/x.json {}
    $ install claude-code ¦ silent-after uninstall claude-code ¦ .cache/reflexion gone
    $ install claude-code ¦ copies LICENCED

    # a damaged copy is repaired, and one that another project names is kept
    $ install claude-code --project
    $ @. HOOKS=a install claude-code
    $ @. HOOKS=b install claude-code
    $ @. HOOKS=c install claude-code ¦ break-named project/.claude/settings.local.json
    $ install claude-code --project ¦ + copied ¦ whole-named project/.claude/settings.local.json

    # Codex's config.toml stays as it is, and its user must approve
    put .codex/config.toml model = "x"\nnotify = [\n
    $ install codex ¦ + /hooks ¦ .codex/config.toml = model = "x"\nnotify = [\n

    # Gemini CLI's time limits are in milliseconds, its hooks end with 0, and its comments stay
    put .gemini/settings.json {\n  // mine\n  "model": {}\n}\n ¦ start
    $ install gemini ¦ .gemini/settings.json + "timeout": 660000 ¦ .gemini/settings.json + hook.cjs\\" AfterAgent || true" ¦ .gemini/settings.json + "name": "reflexion" ¦ .gemini/settings.json + // mine
    $ install gemini ¦ + Already installed; nothing changes
    sub .gemini/settings.json 660000 ==> 5000
    $ install gemini ¦ .gemini/settings.json - "timeout": 5000
    $ uninstall gemini ¦ same

    # where one agent cannot be installed, the others are
    put {settings} []
    $2 install claude-code codex ¦ ! settings.json:1:1 ¦ .codex/hooks.json + hook.cjs

    # without a host it goes where an agent is, on a yes alone
    $2 PATH= install ¦ ! no agent was found
    put .claude/x
    $2 PATH= install
    $2 PATH= install ? n
    $2 PATH= install ?
    $ PATH= install --dry-run ¦ {settings} gone
    $ PATH= install ? y ¦ {settings} there ¦ .codex/hooks.json gone
    $ install codex
    $ PATH= uninstall ¦ {settings} gone ¦ .codex/hooks.json gone
    $ uninstall ¦ + not installed in any agent

    # uninstalling leaves all files, and the folders, as they were
    put project/.claude/x ¦ start
    $ install claude-code codex
    $ install claude-code codex --project
    $ uninstall claude-code codex
    $ uninstall claude-code codex --project ¦ same

    # what came into a file and a folder of ours stays
    $ install claude-code
    sub {settings} "hooks": { ==> "model": "opus",\n  "hooks": { ¦ put .claude/commands/mine.md x
    $ uninstall claude-code ¦ {settings} = {\n  "model": "opus"\n}\n ¦ .claude/commands/mine.md = x ¦ .claude/commands/reflection.md gone

    # the command goes though the settings are broken, and the rest once they are right again
    $ install claude-code
    add {settings} }
    $2 uninstall claude-code ¦ ! settings.json: ¦ .claude/commands/reflection.md gone ¦ {settings} + hook.cjs
    sub {settings} }\n} ==> }\n
    $ uninstall claude-code ¦ {settings} gone

    # without its records the value is as it was, and the comment stays
    put {settings} {theirs}
    $ install claude-code
    rm .local/state
    $ uninstall claude-code ¦ like-theirs ¦ {settings} + // mine ¦ .claude/commands/reflection.md gone
    `,
    {
      words: { settings, theirs },
      verbs: {
        commands: (count, home) => {
          const all = [...(home.read(settings) ?? "").matchAll(/"command": "\\"([^"]+)\\" \\"([^"]+)\\" \w+"/g)]
          assert.lengthOf(all, Number(count))
          for (const [, node = "", hook = ""] of all) {
            assert.isTrue(existsSync(node) && existsSync(hook) && existsSync(join(hook, "../hook.licenses.txt")))
            assert.include(hook, `${copies(home)}/0.`)
          }
        },
        copies: (expected, home) =>
          assert.sameMembers(
            [...filesIn(home)],
            expected.replaceAll("LICENCED", "hook.cjs,hook.licenses.txt").split(" ")
          ),
        named: (_, home) => {
          const text = home.read(settings) ?? ""
          assert.lengthOf(text.match(/\/hook\.cjs\\" StopNow"/g) ?? [], 1)
          assert.isTrue(copiesOf(home).some((name) => text.includes(name)))
        },
        older: (day, home) => {
          for (const name of copiesOf(home)) utimesSync(join(copies(home), name), new Date(day), new Date(day))
        },
        "silent-after": (words, home) => {
          const [, command] = /"command": ("(?:[^"\\]|\\.)* StopNow")/u.exec(home.read(settings) ?? "") ?? []
          const line: string = JSON.parse(command ?? "")
          return Effect.map(home.run(words), () => {
            const ran = spawnSync("/bin/sh", ["-c", line], { input: "{}", encoding: "utf8" })
            assert.deepStrictEqual([ran.status, ran.stdout, ran.stderr], [0, "", ""])
          })
        },
        "break-named": (file, home) =>
          writeFileSync(/(\/[^"\\]*hook\.cjs)/.exec(home.read(file) ?? "")?.[1] ?? "", "broken"),
        "whole-named": (file, home) =>
          assert.notInclude(
            readFileSync(/(\/[^"\\]*hook\.cjs)/.exec(home.read(file) ?? "")?.[1] ?? "", "utf8"),
            "broken"
          ),
        "like-theirs": (_, home) =>
          assert.deepStrictEqual(lenient(home.read(settings) ?? ""), lenient(theirs.replaceAll("\\n", "\n")))
      }
    }
  )

  it.scoped.each([
    [":2:7: not valid JSON: colon expected", '{\n  "a" 1\n}'],
    [":1:1: the file should be a JSON object", "[]"],
    [":1:1: the file is nested too deeply", `{"a": ${"[".repeat(100_000)}`],
    [':1:10: the key "a" is there twice', '{"a": 1, "a": 2}'],
    [":2:12: hooks should be an object", '{\n  "hooks": []\n}'],
    ["not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])]
  ] as const)("what cannot be read is refused, and stays: %s", ([problem, given]) =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const file = home.put(settings, given)
      for (const command of ["install", "uninstall"]) {
        const { code, err, out } = yield* home.run(`${command} claude-code`)
        assert.deepStrictEqual([code, out], [2, ""])
        for (const said of [file, problem]) assert.include(err, said)
        assert.deepStrictEqual(readFileSync(file), Buffer.from(given))
        assert.isFalse(existsSync(join(home.home, ".local/state")))
      }
    })
  )

  it.scoped.each([
    ".claude",
    ".local/state",
    ".local/share/reflexion/hooks",
    ".local/share/reflexion/hooks/claude-code"
  ])("a file stands where a folder is needed → its name, and no code of the system's: %s", (blocked) =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(blocked, "")
      const { code, err } = yield* home.run("install claude-code")
      assert.strictEqual(code, 2)
      assert.include(err, `${join(home.home, blocked)} is a file where a folder is needed. Move it away`)
      assert.notMatch(err.replaceAll(home.home, "~"), /E[A-Z]{4,}/)
    })
  )
})
