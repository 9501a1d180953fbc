import type * as Decision from "@reflexion/core/internal/review/machine/Decision"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { chmodSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Hosts from "../src/host/Hosts.ts"
import { ofTwo } from "../src/install/Plan.ts"
import { type Home, quietHook, quietPlugin, withHosts } from "./hooksHome.ts"
import { escaped, scenes } from "./scenes.ts"

const Manifest = Schema.parseJson(
  Schema.Struct({ dependencies: Schema.Record({ key: Schema.String, value: Schema.String }) })
)

const where = {
  at: "2026-01-31T12:00:00Z",
  host: "claude-code",
  sessionId: "0123456789",
  directory: null,
  event: "Stop"
}
const rest = { status: null, severity: null, attempt: null, maxAttempts: null, durationMs: 1 }
const decision: Omit<Decision.Decision, "decision"> = { ...where, ...rest, reason: "the disk is full" }

const settings = ".claude/settings.json"
const local = "project/.claude/settings.local.json"

/** The copy that is installed for all projects, relative to the home directory. */
const copyOf =
  (host: string, name: string) =>
  ({ home }: Home): string => {
    const folder = `.local/share/reflexion/hooks/${host}`
    return `${folder}/${readdirSync(join(home, folder))[0]}/${name}`
  }

/** The file of installed plugins, as Claude Code 2.1.330 writes it at `claude plugin install`. */
const plugin = (version: string): string => {
  const one = { scope: "user", installPath: `{home}/.claude/plugins/cache/reflexion/reflexion/${version}`, version }
  return String.raw`put .claude/plugins/installed_plugins.json ${JSON.stringify({ version: 2, plugins: { "reflexion@reflexion": [one] } })}
    put {settings} { "enabledPlugins": { "reflexion@reflexion": true } }`
}

const hosts = { home: withHosts, env: ({ home }: Home) => ({ PATH: join(home, "bin") }) }

describe("reflexion doctor", () => {
  it.each(Hosts.all)(
    "names as tried the version of $title that the host tests run",
    ({ installation: { tried }, name }) => {
      const manifest = new URL(`../../testing/hosts/${name}/package.json`, import.meta.url)
      const { dependencies } = Schema.decodeUnknownSync(Manifest)(readFileSync(manifest, "utf8"))
      assert.deepStrictEqual(Object.values(dependencies), [tried])
    }
  )

  scenes(
    String.raw`
    # the shipped hook runs and abstains, and leaves no trace
    put scratch/.keep
    $ HOOKS=built install claude-code
    $ HOOKS=built TMPDIR={home}/scratch doctor claude-code
    ~ exit 0 after \d+ ms, no output; decided: abstain, the session's record does not exist, which is right: the sample session has no record
    names scratch .keep ¦ names .local/state/reflexion installed

    # Gemini CLI runs no hook in an untrusted folder
    put scratch/.keep
    $ HOOKS=built install gemini
    $* HOOKS=built TMPDIR={home}/scratch doctor gemini ¦ + is not trusted yet
    ~ exit 0 after \d+ ms, no output; decided: abstain, the session's record does not exist
    put .gemini/trustedFolders.json {"{home}/project":"DO_NOT_TRUST"}
    $* doctor gemini ¦ + is untrusted, so no hook runs here
    put .gemini/trustedFolders.json {"{home}":"TRUST_FOLDER"}
    $* doctor gemini ¦ + you trust
    sub .gemini/settings.json "hooks": { ==> "hooksConfig": { "enabled": false },\n  "hooks": {
    $* doctor gemini ¦ + "hooksConfig": { "enabled": false }

    # a missing installation is reported, with and without a host's name
    $1 doctor ¦ + 1 thing needs you. ¦ + ✗ installed not installed in any agent: {tick}reflexion install{tick} finds the agents that you use
    + – hooks not installed: run {tick}reflexion install codex{tick}
    $ install claude-code
    $ doctor
    $1 doctor codex ¦ + no codex on PATH
    $ doctor claude-code ¦ + All is well.

    # a missing agent program counts as not checked
    rm bin/claude ¦ $ install claude-code
    $2 doctor claude-code ¦ + ? binary no claude on PATH ¦ + 1 thing could not be checked. ¦ - All is well

    # harmed: Node ¦ $ install claude-code ¦ sub {settings} {node} ==> /gone/node ¦ $1 doctor claude-code ¦ + /gone/node is gone
    # harmed: the copy ¦ $ install claude-code ¦ put {copy} // nothing ¦ $1 doctor claude-code ¦ + is damaged
    # harmed: the files ¦ $ install claude-code ¦ rm {copy} ¦ $1 doctor claude-code ¦ + its files are gone
    # harmed: an event ¦ $ install claude-code ¦ sub {settings} UserPrompt ==> X ¦ $1 doctor claude-code ¦ + has no hook for UserPromptSubmit
    # harmed: an older stop ¦ $ install claude-code ¦ sub {settings} StopNow ==> Stop ¦ $1 doctor claude-code ¦ + has no hook for Stop: run
    # harmed: a stop ¦ $ install claude-code ¦ sub {settings} StopLater ==> StopNow ¦ $1 doctor claude-code ¦ + has no hook for Stop: run
    # harmed: a comment ¦ $ install claude-code ¦ sub {settings} "hooks": { ==> "hooks": { // mine
    $1 doctor claude-code ¦ + Claude Code ignores the whole file
    # harmed: the command ¦ $ install claude-code ¦ rm .claude/commands/reflection.md ¦ $1 doctor claude-code ¦ + does not know the command

    # a hook that fails ¦ hook process.stderr.write('boom'); process.exit(3) ¦ $ install claude-code
    $1 doctor claude-code ¦ ~ ended with exit status 3, after .* ms standard error: "boom"
    # a hook that prints ¦ hook console.log('hello') ¦ $ install claude-code ¦ $1 doctor claude-code ¦ + printed something that is not an answer: "hello"
    # a hook that is killed ¦ hook process.kill(process.pid, 'SIGKILL') ¦ $ install claude-code
    $1 doctor claude-code ¦ ~ ended with (a signal|exit status 137)

    # an unreadable settings file → the doctor could not check
    put {settings} {\n  "a" 1 }
    $2 doctor claude-code ¦ + settings.json:2:7: not valid JSON: colon expected: correct the file

    # a mistake in the configuration is shown with its place, and voids trust
    $ install claude-code
    put project/.reflection/config.json { "maxAttempts": 3 }
    $ allow workspace --yes
    $ doctor claude-code ¦ + is trusted
    put project/.reflection/config.json { "maxAttempt": 3 }
    $1 doctor claude-code ¦ ~ config\.json:1:3: ?maxAttempt: unknown key; did you mean "maxAttempts"\? ¦ + has changed since you trusted it

    # reflexion without a command: a broken configuration → what to correct comes first
    put .config/reflexion/config.json { "maxAttempts": 9 }
    $ ¦ ~ ✗ configuration .*maxAttempts.* Next: correct what is marked ✗ above

    # reflexion without a command: the host ignores the file → installed, with a problem
    $ install claude-code ¦ $ ¦ + ✓ Claude Code installed; ¦ sub {settings} "hooks": { ==> "hooks": { // mine
    $ ¦ ~ ✗ Claude Code installed, with a problem: ~/\.claude/settings\.json is not plain JSON .* Next: correct what is marked ✗ above

    # reflexion without a command: the hook's files are gone → installed, with a problem
    $ install claude-code ¦ rm {copy}
    $ ¦ ~ ✗ Claude Code installed, with a problem: .*its files are gone.* Next: correct what is marked ✗ above

    # an unknown rule is named
    put project/.reflection/config.json { "rules": { "work/lefft": "off" } }
    $1 doctor ¦ + unknown rule {tick}work/lefft{tick}

    # a past failure and a session that the user stopped are shown
    $ install claude-code ¦ log none failure stop
    $ doctor claude-code ¦ + 1 of the last 3 decisions failed ¦ + session 01234567; {tick}/reflection start{tick} in that session turns reflexion on again
    log stop start failure
    $1 doctor claude-code ¦ + the disk is full ¦ - 01234567

    # Codex's approval is unknown without Codex, or if Codex gives no answer
    $ install codex
    $2 doctor codex ¦ + unknown: codex was not found ¦ + 2 things could not be checked.
    program bin/codex process.exit(1)
    $2 doctor codex ¦ + it gave no answer

    # Copilot's hooks are installed twice, and Copilot runs both
    $ install copilot ¦ $2 doctor copilot ¦ + ~/.copilot/hooks/reflexion.json (all your projects): 3 events ¦ + none: in Copilot CLI, reflexion only tells you what is missing
    $ install copilot --project ¦ $2 doctor copilot ¦ + so it runs twice

    # Codex's hooks are installed twice
    $ install codex
    $ install codex --project
    $2 doctor codex ¦ + ✗ twice installed in ~/.codex/hooks.json and ~/project/.codex/hooks.json, so it runs twice

    # hooks are turned off by the user
    $ install claude-code ¦ sub {settings} "hooks": { ==> "disableAllHooks": true, "hooks": {
    $1 doctor claude-code ¦ + .claude/settings.json says "disableAllHooks": true
    put project/.claude/settings.json { "disableAllHooks": false } ¦ $ doctor claude-code ¦ - turned off
    put project/.claude/settings.json { "disableAllHooks": true } ¦ put {local} { "disableAllHooks": false } ¦ $ doctor claude-code ¦ - turned off

    # hooks are turned off by a project
    $ install claude-code ¦ put project/.claude/settings.json { "disableAllHooks": true }
    $1 doctor claude-code ¦ + project/.claude/settings.json says "disableAllHooks": true
    put project/.claude/settings.json { "disableAllHooks": false } ¦ put {local} { "disableAllHooks": true }
    $1 doctor claude-code ¦ + settings.local.json says "disableAllHooks": true

    # with Claude Code's own plugin, no hooks and no command are missing
    ${plugin("0.1.0")}
    $ doctor claude-code ¦ + plugin reflexion 0.1.0, installed with {tick}claude plugin{tick}, turned on in ~/.claude/settings.json
    - not installed ¦ - does not know the command ¦ + log no decision yet
    $ doctor ¦ - not installed in any agent
    $ install claude-code
    $ doctor claude-code ¦ + and hooks are installed too: each stop is decided once

    # the plugin is of another version, and turned off in a project
    ${plugin("0.0.9")}
    $1 doctor claude-code ¦ + the plugin is reflexion 0.0.9, but this is reflexion ¦ + {tick}claude plugin update reflexion@reflexion{tick}
    put {local} { "enabledPlugins": { "reflexion@reflexion": false } }
    $1 doctor claude-code ¦ + settings.local.json turns the plugin off ¦ + not installed: run {tick}reflexion install claude-code{tick}

    # a project's command that looks like ours is not run (all forms: HookLines)
    $ install claude-code ¦ put project/hook.cjs require("node:fs").writeFileSync("{root}/ran", "")
    stops touch {root}/ran # {hooks}/../../../../anything/hook.cjs Stop ¦ $1 doctor claude-code --project ¦ + not installed for this project ¦ ../ran gone
    stops "{node}" "{hooks}/claude-code/../../../../../project/hook.cjs" Stop ¦ $1 doctor claude-code --project ¦ + not installed for this project ¦ ../ran gone
    stops "{evil}" "{home}/{copy}" Stop ¦ $1 doctor claude-code --project ¦ + not run: ¦ ../ran gone
    stops NODE_OPTIONS=--require={evil} "{node}" "{home}/{copy}" Stop ¦ $1 doctor claude-code --project ¦ + not installed for this project ¦ ../ran gone
    stops "{node}" "{home}/{copy}" "$({evil})" ¦ $1 doctor claude-code --project ¦ + not installed for this project ¦ ../ran gone

    # a command of ours that is missing in the user's records is not run
    $ install claude-code
    stops "{node}" "{home}/{copy}" Stop
    $1 doctor claude-code ¦ ~ exit 0 after \d+ ms ¦ + not run: ~/project/.claude/settings.local.json ¦ + reflexion install claude-code --project

    # a hook that the user installed for the project runs, until it is changed
    $ install claude-code --project
    $ doctor claude-code ¦ ~ exit 0 after \d+ ms ¦ - not run
    sub {local} {node} ==> {evil}
    $1 doctor claude-code ¦ + not run: ¦ ../ran gone

    # a Node inside the project is never run, whatever the records say
    $ install claude-code --project ¦ forge {evil}
    $1 doctor claude-code ¦ + its Node is in the project ¦ ../ran gone

    # a copy that differs from the installed one is not run
    $ install claude-code
    put {copy} require("node:child_process").execFileSync("{evil}")${escaped(quietHook)}
    $1 doctor claude-code ¦ + is damaged ¦ ../ran gone

    # a program of the project is not run for its version
    $ install claude-code
    program project/node_modules/.bin/claude require("node:fs").writeFileSync("{root}/ran", "")
    $2 PATH={project}/node_modules/.bin doctor claude-code ¦ + ~/project/node_modules/.bin/claude was not run, because it is in the project ¦ ../ran gone
    `,
    {
      words: {
        copy: copyOf("claude-code", "hook.cjs"),
        settings,
        local,
        tick: "`",
        hooks: "{home}/.local/share/reflexion/hooks",
        evil: (home) => {
          const file = home.put("project/evil.sh", `#!/bin/sh\ntouch ${home.root}/ran\n`)
          chmodSync(file, 493)
          return file
        }
      },
      ...hosts,
      verbs: {
        hook: (source, home) => home.put("../hooks/claude-code/hook.cjs", source),
        stops: (command, home) =>
          home.put(local, JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } })),
        names: (rest, home) => {
          const [folder = "", ...names] = rest.split(" ")
          assert.deepStrictEqual(readdirSync(join(home.home, folder)), names)
        },
        log: (kinds, home) => {
          const lines = kinds.split(" ").map((kind) => `${JSON.stringify({ ...decision, decision: kind })}\n`)
          home.put(".local/state/reflexion/log.jsonl", lines.join(""))
        },
        forge: (evil, home) => {
          const records = ".local/state/reflexion/installed"
          const names = readdirSync(join(home.home, records)).map((name) => `${records}/${name}`)
          for (const name of [local, ...names])
            home.put(name, (home.read(name) ?? "").replaceAll(process.execPath, evil))
        }
      }
    }
  )
})

const pluginOf = (body: string): string =>
  `export default { id: "reflexion", server: async ({ client }) => { ${body} } }`

/** A plugin that writes a file when it runs. */
const evilPlugin = pluginOf('(await import("node:fs")).writeFileSync("{root}/ran", "")')

/** What a plugin does at the doctor's trial, and what the doctor says of it. */
const trials = (
  [
    [pluginOf('throw new Error("no luck")'), "could not be started: Error: no luck"],
    ["export default {", "could not be started: SyntaxError"],
    ["process.exit(3)", "ended with exit status 3"],
    [`${quietPlugin}console.error("hello")`, 'printed text that would disturb the host\'s screen: "hello"']
  ] as const
).map(
  ([source, said]) => `
    # a plugin that ${said}
    put ../hooks/opencode/server.js ${escaped(source)}
    $ install opencode
    $1 doctor opencode
    + ${said}`
)

describe("reflexion doctor opencode", () => {
  scenes(
    String.raw`
    # all is well
    $ install opencode
    $ doctor opencode ¦ + 1.18.33, ~/bin/opencode ¦ + ~/.config/opencode/opencode.json (all your projects) ¦ + the version of this reflexion
    + loaded and started, and printed nothing ¦ + All is well.

    # the shipped plugin starts, and leaves no trace
    put scratch/.keep
    $ HOOKS=built install opencode
    start
    $ HOOKS=built TMPDIR={home}/scratch doctor opencode ¦ + loaded and started, and printed nothing
    same ¦ state installed
    ${trials.join("")}

    # a damaged copy is not loaded, and another version's copy is reported
    $ install opencode
    put {copy} {evil}
    $1 doctor opencode ¦ + is damaged: run {tick}reflexion install opencode{tick} ¦ ../ran gone
    rm {folder}
    $1 doctor opencode ¦ + its files are gone: run {tick}reflexion install opencode{tick}
    $ install opencode
    $ doctor opencode
    $1 HOOKS=next doctor opencode ¦ + is installed, but this reflexion has

    # two different copies are reported, one copy that is named twice is not
    $ install opencode
    $ install opencode --project
    $ doctor opencode
    put project/.opencode/opencode.json { "plugin": ["@reflexion/opencode"] }
    $1 doctor opencode ¦ ~ twice ~/\.config/opencode/opencode\.json and .+ load different copies ¦ + ${ofTwo}

    # only the named scope is checked, except for two plugins that conflict
    $ install opencode --project
    $ doctor opencode --project ¦ + ~/project/opencode.json (this project)
    $1 doctor opencode --global ¦ + not installed for all your projects: run {tick}reflexion install opencode{tick} ¦ - project/opencode.json
    $ uninstall opencode --project
    put {config} { "plugin": ["@reflexion/opencode"] }
    $1 doctor opencode --project ¦ + not installed for this project: run {tick}reflexion install opencode --project{tick} ¦ - @reflexion/opencode
    $ doctor opencode --global
    put {local} { "plugin": ["@reflexion/opencode@0.1.0", "file:///elsewhere/server.js"] }
    $ doctor opencode --project
    put {local} {
    $2 doctor opencode --project
    $ doctor opencode --global

    # a missing installation and an unreadable file are reported
    $1 doctor opencode ¦ + not installed: run {tick}reflexion install opencode{tick}
    put {config} {
    $2 doctor opencode ¦ + opencode.json:1:2: not valid JSON

    # a plugin that only the project names is not loaded
    $ install opencode ¦ put project/server.js {evil} ¦ put .local/share/reflexion/hooks/1/server.js {evil}
    put {local} {"plugin":["{project}/server.js"]} ¦ $ doctor opencode ¦ ../ran gone
    put {local} {"plugin":["{home}/.local/share/reflexion/hooks/opencode/../1/server.js"]} ¦ $ doctor opencode ¦ ../ran gone
    put {local} {"plugin":["@reflexion/opencode-evil"]} ¦ $ doctor opencode ¦ ../ran gone

    # a copy of ours is not loaded for a project whose user did not install it there
    $ install opencode
    put {local} {text}
    $1 doctor opencode ¦ + not run: ~/project/opencode.json belongs to the project ¦ + run {tick}reflexion install opencode --project{tick}

    # a plugin installed for a project is loaded, without the options that the project sets
    put ../hooks/opencode/server.js {picky}
    $ install opencode --project
    $ doctor opencode ¦ + ~/project/opencode.json (this project) ¦ + loaded and started
    put {local} {"plugin":[["file://{home}/{copy}",{"x":"y"}]]}
    $ doctor opencode ¦ + loaded and started
    `,
    {
      words: {
        copy: copyOf("opencode", "server.js"),
        local: "project/opencode.json",
        config: ".config/opencode/opencode.json",
        evil: evilPlugin,
        folder: (home) => dirname(copyOf("opencode", "server.js")(home)),
        tick: "`",
        text: (home) => home.read(".config/opencode/opencode.json") ?? "",
        picky: escaped(
          quietPlugin.replace(
            "async () => ({ event })",
            "async (_, options) => { if (options.x) throw options.x; return { event } }"
          )
        )
      },
      ...hosts,
      verbs: {
        state: (names, home) =>
          assert.deepStrictEqual(readdirSync(join(home.home, ".local/state/reflexion")), names.split(" "))
      }
    }
  )
})
