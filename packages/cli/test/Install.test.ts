import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "jsonc-parser"
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { ofTwo } from "../src/install/Plan.ts"
import { type Home, hooksHome } from "./hooksHome.ts"
import { scenes } from "./scenes.ts"
import { works } from "../../core/test/support/works.ts"

const theirs = String.raw`{\n  "model": "opus", // mine\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] },\n}\n`

const settings = ".claude/settings.json"

const copies = ({ home }: Home): string => join(home, ".local/share/reflexion/hooks/claude-code")

const copiesOf = (home: Home): ReadonlyArray<string> => readdirSync(copies(home))

const filesIn = (home: Home): ReadonlyArray<string> =>
  copiesOf(home).map((name) => readdirSync(join(copies(home), name)).join())

/** The copy that a file names. */
const namedIn = (home: Home, file: string): string => /(\/[^"\\]*hook\.cjs)/.exec(home.read(file) ?? "")?.[1] ?? ""

const lenient = (text: string): unknown => parse(text, [], { allowTrailingComma: true })

describe("reflexion install and uninstall", () => {
  scenes(
    String.raw`
    # every hook names the absolute Node and the copy, which has its licences
    $ install claude-code ¦ commands 5

    # a dry run writes nothing, and shows what it would write
    put {settings} {theirs} ¦ start
    $ install claude-code --dry-run ¦ + /hook.cjs ¦ same ¦ .local gone

    # tool calls are watched only with --loop-watch, and a second install keeps that
    $ install claude-code ¦ {settings} - hook.cjs\\" PostToolUse"
    $ install claude-code --loop-watch ¦ {settings} + hook.cjs\\" PostToolUse" ¦ {settings} - TodoList ¦ {settings} - matcher
    start
    $ install claude-code ¦ + Already installed; nothing changes ¦ same

    # Claude Code ignores a file with comments → it is written, but not active
    put {settings} {theirs}
    $ install claude-code ¦ + Written, but not active: ~/.claude/settings.json has comments or trailing commas, and Claude Code ignores such a file
    - Installed

    # a file keeps its mode, and a new file is private to its user
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

    # the user's environment variables decide where files go
    $ CLAUDE_CONFIG_DIR={home}/cc "XDG_DATA_HOME={home}/da\"ta $x" install claude-code ¦ cc/settings.json + da\\\\\\"ta \\\\$x
    $ CODEX_HOME={home}/cx install codex ¦ cx/hooks.json + Interrupt
    $ COPILOT_HOME={home}/co install copilot ¦ + They only tell you ¦ co/hooks/reflexion.json + UserPromptSubmit
    $ COPILOT_HOME={home}/co uninstall copilot ¦ co/hooks/reflexion.json gone
    $ CLAUDE_CONFIG_DIR={home}/cc "XDG_DATA_HOME={home}/da\"ta $x" install claude-code ¦ + nothing changes
    $ CLAUDE_CONFIG_DIR={home}/cc "XDG_DATA_HOME={home}/da\"ta $x" uninstall claude-code ¦ cc/settings.json gone

    # --project installs into the machine's own settings file at the project's root
    start
    $ install claude-code --project ¦ + the project ~/project ¦ project/.claude/settings.local.json + hook.cjs ¦ {settings} gone
    $ install codex --project ¦ + only if you trust the project ¦ project/.codex/hooks.json + hook.cjs
    $ install copilot --project ¦ + only if you trust the folder ¦ project/.github/copilot/settings.local.json + SessionStart
    $ uninstall claude-code --global ¦ + reflexion is still installed for this project
    $ uninstall ¦ same

    # the user's own command of the same name stays
    put .claude/commands/reflection.md Reflect. ¦ start
    $ install claude-code ¦ + .claude/commands/reflection.md is your own command and stays
    $ uninstall claude-code ¦ same

    # a new version replaces the command; two newest copies stay, others are silent a month
    put {settings} {theirs} ¦ now 2026-02-10
    $ HOOKS=a install claude-code
    $ HOOKS=b install claude-code
    $ HOOKS=c install claude-code ¦ copies LICENCED LICENCED hook.cjs ¦ named
    $ uninstall claude-code ¦ {settings} = {theirs} ¦ copies hook.cjs hook.cjs hook.cjs ¦ older 2026-01-01
    $ uninstall claude-code ¦ .local/share/reflexion/hooks/claude-code gone

    # after uninstalling, open sessions stay silent and no cache is left; reinstalling restores the copy
    put .cache/reflexion/code/x.bin x ¦ put .cache/reflexion/config/x.json {}
    $ install claude-code ¦ silent-after uninstall claude-code ¦ .cache/reflexion gone
    $ install claude-code ¦ copies LICENCED

    # a damaged copy is repaired, and one that another project names is kept
    $ install claude-code --project
    $ @. HOOKS=a install claude-code
    $ @. HOOKS=b install claude-code
    $ @. HOOKS=c install claude-code ¦ break-named project/.claude/settings.local.json
    $ install claude-code --project ¦ + copied ¦ whole-named project/.claude/settings.local.json

    # Codex's config.toml stays unchanged, and the user must approve the hooks
    put .codex/config.toml model = "x"\nnotify = [\n
    $ install codex ¦ + /hooks ¦ .codex/config.toml = model = "x"\nnotify = [\n

    # Gemini CLI's time limits are in milliseconds, its hooks end with 0, and its comments stay
    put .gemini/settings.json {\n  // mine\n  "model": {}\n}\n ¦ start
    $ install gemini ¦ .gemini/settings.json + "timeout": 660000 ¦ .gemini/settings.json + hook.cjs\\" AfterAgent || true" ¦ .gemini/settings.json + "name": "reflexion" ¦ .gemini/settings.json + // mine
    $ install gemini ¦ + Already installed; nothing changes
    sub .gemini/settings.json 660000 ==> 5000
    $ install gemini ¦ .gemini/settings.json - "timeout": 5000
    $ uninstall gemini ¦ same

    # if reflexion cannot be installed in one agent, it is in the others
    put {settings} []
    $2 install claude-code codex ¦ ! settings.json:1:1 ¦ .codex/hooks.json + hook.cjs

    # without a host it installs into the agents it finds, only after a yes
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

    # what others added to our file and folder stays
    $ install claude-code
    sub {settings} "hooks": { ==> "model": "opus",\n  "hooks": { ¦ put .claude/commands/mine.md x
    $ uninstall claude-code ¦ {settings} = {\n  "model": "opus"\n}\n ¦ .claude/commands/mine.md = x ¦ .claude/commands/reflection.md gone

    # broken settings: uninstalling removes the command now, and the rest once they are repaired
    $ install claude-code
    add {settings} }
    $2 uninstall claude-code ¦ ! settings.json: ¦ .claude/commands/reflection.md gone ¦ {settings} + hook.cjs
    sub {settings} }\n} ==> }\n
    $ uninstall claude-code ¦ {settings} gone

    # uninstalling without records restores the settings' value and keeps the comment
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
        copies: (expected, home) => {
          const names = expected.replaceAll("LICENCED", "hook.cjs,hook.licenses.txt").split(" ")
          assert.sameMembers([...filesIn(home)], names)
        },
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
        "break-named": (file, home) => writeFileSync(namedIn(home, file), "broken"),
        "whole-named": (file, home) => assert.notInclude(readFileSync(namedIn(home, file), "utf8"), "broken"),
        "like-theirs": (_, home) =>
          assert.deepStrictEqual(lenient(home.read(settings) ?? ""), lenient(theirs.replaceAll("\\n", "\n")))
      }
    }
  )

  for (const [problem, given] of [
    [":2:7: not valid JSON: colon expected", '{\n  "a" 1\n}'],
    [":1:1: the file should be a JSON object", "[]"],
    [":1:1: the file is nested too deeply", `{"a": ${"[".repeat(100_000)}`],
    [':1:10: the key "a" is there twice', '{"a": 1, "a": 2}'],
    [":2:12: hooks should be an object", '{\n  "hooks": []\n}'],
    ["not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])]
  ] as const)
    works(`an unreadable settings file is refused, and stays: ${problem}`, function* () {
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

  for (const blocked of [
    ".claude",
    ".local/state",
    ".local/share/reflexion/hooks",
    ".local/share/reflexion/hooks/claude-code"
  ])
    works(`a file where a folder is needed → its name, without a system error code: ${blocked}`, function* () {
      const home = yield* hooksHome
      home.put(blocked, "")
      const { code, err } = yield* home.run("install claude-code")
      assert.strictEqual(code, 2)
      assert.include(err, `${join(home.home, blocked)} is a file where a folder is needed. Move it away`)
      assert.notMatch(err.replaceAll(home.home, "~"), /E[A-Z]{4,}/)
    })
})

const fresh = ".config/opencode/opencode.json"

const config = String.raw`{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "theme": "system",\n  "plugin": ["./mine.js"], // please\n}\n`

/** How a configuration names a copy: the path of the next version's copy, or of this one's. */
const copy =
  (isNext: boolean) =>
  ({ home }: Home): string => {
    const folder = join(home, ".local/share/reflexion/hooks/opencode")
    const all = readdirSync(folder).map((id) => pathToFileURL(join(folder, id, "server.js")).href)
    return all.find((one) => readFileSync(fileURLToPath(one), "utf8").includes("// next") === isNext) ?? ""
  }

const withOptions = (one: string): string =>
  String.raw`{\n  "plugin": [\n    ["${one}", { "maxAttempts": 1 }] // few\n  ]\n}\n`

const listing = (plugins: string): string =>
  String.raw`{\n  // mine\n  "plugin": [${plugins}],\n  "theme": "system"\n}\n`

const mine = '"./mine.js", "@reflexion/opencode-theme"'

const taken = (
  [
    ["{fresh}", "", " --project"],
    ["project/opencode.json", " --project", " --global"]
  ] as const
).map(
  ([file, scope, other]) => String.raw`
    # uninstalling removes only our package from ${file}
    put ${file} ${listing(`${mine}, ["@reflexion/opencode@0.1.0", { "maxAttempts": 2 }]`)}
    $ uninstall opencode${scope} --dry-run ¦ + Run it without --dry-run to remove this.
    $ uninstall opencode${scope} ¦ + The plugin is removed.
    ${file} = ${listing(mine)}
    $ uninstall opencode${scope} ¦ + Not installed here; nothing changes.
    put ${file} ${listing('"@reflexion/opencode"')} ¦ start
    $ uninstall opencode${other}
    + ${"`"}reflexion uninstall opencode${scope}${"`"} removes it.
    same`
)

/** Every file that OpenCode reads. */
const read = [
  ".opencode/opencode.json",
  ".config/opencode/config.json",
  "project/src/opencode.json",
  "project/src/.opencode/opencode.jsonc",
  "project/opencode.json"
]

describe("reflexion install opencode", () => {
  scenes(
    String.raw`
    # the copy joins the user's plugins, and uninstalling restores every byte
    put {config} {theirs} ¦ start
    $ install opencode ¦ {config} + server.js ¦ {config} + // please ¦ + OpenCode loads plugins when it starts: restart it if it is running. ¦ - hooks of
    $ install opencode ¦ + nothing changes
    $ uninstall opencode ¦ + The plugin is removed. If OpenCode is running, restart it. ¦ + The records stay until you delete them ¦ same ¦ .local/share/reflexion/hooks/opencode gone

    # an absolute XDG_CONFIG_HOME decides where the file goes
    $ XDG_CONFIG_HOME={home}/etc install opencode ¦ etc/opencode/opencode.json + server.js
    $ XDG_CONFIG_HOME=relative install opencode ¦ {fresh} + server.js

    # another version replaces the copy, and its options stay
    $ install opencode
    put {fresh} ${withOptions("{copy}")}
    $ HOOKS=next install opencode ¦ {fresh} = ${withOptions("{next}")}
    $ uninstall opencode ¦ {fresh} gone

    # Kilo has its own copies, files and schema
    put .config/kilo/kilo.jsonc {theirs} ¦ put project/opencode.json {package} ¦ start
    $ install kilo ¦ .config/kilo/kilo.jsonc + hooks/kilo/ ¦ + Kilo loads plugins when it starts: restart it if it is running.
    $ install opencode --project ¦ + ~/project/opencode.json names the package @reflexion/opencode
    $ uninstall kilo ¦ same ¦ .local/share/reflexion/hooks/kilo gone
    put project/.kilo/agent/a.md
    $ install kilo --project ¦ project/.kilo/kilo.json + https://app.kilo.ai/config.json
    put .kilocode/kilo.json { "plugin": ["@reflexion/opencode"] }
    $ install kilo ¦ + ~/.kilocode/kilo.json names the package @reflexion/opencode, which Kilo

    # if two files name the copy, one keeps it
    $ install opencode
    put {config} {text}
    $ install opencode ¦ {config} + server.js ¦ {fresh} gone

    # uninstalling removes the copies from every file that OpenCode reads
    $ install opencode
    ${read.map((file) => `put ${file} {themed}`).join("\n")}
    $ uninstall opencode
    $ uninstall opencode --project
    ${read.map((file) => `value ${file} {"$schema":"https://opencode.ai/config.json","theme":"x"}`).join("\n")}

    # our package stays if a file names it: the user's
    put {fresh} {package} ¦ start ¦ $ install opencode ¦ + Already installed: ~/{fresh} names the package @reflexion/opencode ¦ + {two} ¦ same
    .local/share/reflexion/hooks/opencode gone
    # our package stays if a file names it: the home directory's
    put .opencode/opencode.json {package} ¦ start ¦ $ install opencode ¦ + ~/.opencode/opencode.json names the package @reflexion/opencode ¦ same
    # our package stays if a file names it: a folder's
    put project/src/opencode.json {package} ¦ start ¦ $ install opencode ¦ + ~/project/src/opencode.json names the package @reflexion/opencode ¦ same
    # our package stays if a file names it: the project's
    put project/opencode.json {package} ¦ start ¦ $ install opencode ¦ + ~/project/opencode.json names the package @reflexion/opencode ¦ same
    # our package stays if a file names it: the project's own
    put project/.opencode/opencode.jsonc {package} ¦ start ¦ $ install opencode ¦ + ~/project/.opencode/opencode.jsonc names the package @reflexion/opencode ¦ same
    ${taken.join("")}

    # --project uses the project's existing file, else its .opencode folder or its root
    $ install opencode --project ¦ project/opencode.json + server.js ¦ {fresh} gone
    $ uninstall opencode --project
    put project/.opencode/agent/a.md
    $ install opencode --project ¦ project/.opencode/opencode.json + server.js
    $ uninstall opencode --project
    put project/opencode.jsonc {theirs}
    $ install opencode --project ¦ project/opencode.jsonc + server.js
    $ uninstall opencode --project ¦ project/opencode.jsonc = {theirs}

    # a faulty file stays unchanged, and is named
    put {config} {\n  "plugin": {}\n} ¦ start
    $2 install opencode ¦ ! opencode.jsonc:2:13: plugin should be a list ¦ same

    # uninstalling removes only our line from a file that was changed since
    $ install opencode
    sub {fresh} "plugin": [ ==> "theme": "x",\n  "plugin": ["a", 
    $ uninstall opencode ¦ value {fresh} {"$schema":"https://opencode.ai/config.json","theme":"x","plugin":["a"]}
    `,
    {
      words: {
        theirs: config,
        fresh,
        two: ofTwo,
        package: '{ "plugin": [["@reflexion/opencode@0.1.0", {}]] }',
        config: ".config/opencode/opencode.jsonc",
        copy: copy(false),
        next: copy(true),
        text: (home) => home.read(fresh) ?? "",
        themed: (home) => (home.read(fresh) ?? "").replace('"plugin"', '"theme": "x", "plugin"')
      },
      verbs: {
        value: (rest, home) => {
          const [name = "", ...json] = rest.split(" ")
          assert.deepStrictEqual(JSON.parse(home.read(name) ?? ""), JSON.parse(json.join(" ")))
        }
      }
    }
  )
})
