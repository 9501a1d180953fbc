import { assert, describe } from "@effect/vitest"
import * as OwnModels from "@reflexion/hooks/config/OwnModels"
import * as TakenFile from "@reflexion/hooks/config/TakenFile"
import { Effect } from "effect"
import { join, relative } from "node:path"
import { type Home, loggedIn } from "./hooksHome.ts"
import { scenes } from "./scenes.ts"

const stateOf = ({ home }: Home) => ({ state: join(home, ".local/state/reflexion") })

/** The file of the commands that the user agreed to, relative to the home directory. */
const taken = (home: Home): string => relative(home.home, TakenFile.fileOf(stateOf(home), home.project))

const config = ".config/reflexion/config.json"
const agents = ["CLAUDECODE", "CODEX_THREAD_ID", "OPENCODE"]

describe("reflexion allow model, for a host's own small model", () => {
  scenes(
    String.raw`
    # the answer at install: y ¦ $ install codex ? y ¦ asked once ¦ kept {"codex":true}
    # the answer at install: YES ¦ $ install codex ?  YES  ¦ asked once ¦ kept {"codex":true}
    # the answer at install: n ¦ $ install codex ? n ¦ asked once ¦ kept {"codex":false}
    # the answer at install: No ¦ $ install codex ?  No ¦ asked once ¦ kept {"codex":false}
    # the answer at install: none ¦ $ install codex ? ¦ asked once ¦ kept {}
    # the answer at install: yep ¦ $ install codex ? yep ¦ asked once ¦ kept {}
    # the answer at install: 1 ¦ $ install codex ? 1 ¦ asked once ¦ kept {}

    # nobody is asked with --yes ¦ $ install codex --yes ? y ¦ asked never ¦ + off: you were not asked yet ¦ kept {}
    # nobody is asked in a dry run ¦ $ install codex --dry-run ? y ¦ asked never ¦ + off: you were not asked yet ¦ kept {}
    # nobody is asked without a terminal
    $ install codex ¦ asked never ¦ + {tick}reflexion allow model codex{tick} explains it and asks you ¦ kept {}
    # nobody is asked if a key would pay
    put .codex/auth.json { "OPENAI_API_KEY": "sk" } ¦ $ OPENAI_API_KEY=sk install codex ? y
    asked never ¦ + "model": "codex/small" in your configuration ¦ kept {}
    # nobody is asked if the configuration says no
    put {config} { "model": "off" } ¦ $ install codex ? y ¦ asked never ¦ + off, by ~/.config/reflexion/config.json ¦ kept {}

    # a user who agreed is not asked again, and the file is private to them
    $ install codex ? y ¦ .local/state/reflexion/own-models.json mode 600
    $ install codex ? n ¦ asked never

    # the model is allowed and revoked later, and forgotten when the host is uninstalled
    $2 allow model claude-code ¦ kept {}
    $ allow model claude-code ? y ¦ kept {"claude-code":true}
    $ doctor --show models ¦ ~ claude-code claude-code/small .*, as you agreed on
    $ allow model claude-code --revoke ¦ kept {"claude-code":false}
    $ install claude-code
    $ allow model codex --yes
    $ uninstall claude-code --dry-run ¦ kept {"claude-code":false,"codex":true}
    $ uninstall claude-code ¦ kept {"codex":true}

    # allowing a model before reflexion is installed in its host says so
    $ allow model opencode --yes ¦ + reflexion is not installed in OpenCode yet: run {tick}reflexion install opencode{tick}. ¦ kept {"opencode":true}
    $ install opencode
    $ allow model opencode --yes ¦ - not installed

    # an agent cannot allow the model, nor a user without a login that pays
    ${agents.map((name) => `$2 ${name}=1 allow model codex --yes`).join("\n")}
    rm .codex
    $2 allow model codex --yes ¦ ! "model": "codex/small" ¦ kept {}

    # the list of models shows its state, also if the file is damaged
    $ allow model codex --yes
    $ doctor --show models --format json ¦ json own.*.host ["claude-code","codex","opencode","kilo","copilot","gemini"]
    json own.*.on [false,true,false,false,false,false] ¦ json own.*.state ["unasked","said","unasked","unasked","none","none"]
    put .local/state/reflexion/own-models.json {
    $1 doctor --show models ¦ + own-models.json is damaged

    # no yes → nothing is sent; no answer → nothing is saved; a damaged file stays
    put {config} { "models": { "timeout": 2, "providers": { "gone": { "api": "chat-completions", "url": "http://127.0.0.1:9/v1" } } } }
    $2 allow model gone/medium ? ¦ ! reflexion: nobody agreed. Nothing was sent or saved.
    $2 allow model gone/medium ¦ ! reflexion: nobody can be asked here: add --yes to agree. Nothing was sent or saved.
    $2 allow model gone/medium --yes ¦ !~ ^reflexion: gone/medium: .*did not answer.* Nothing is saved\.$ ¦ {grades} gone
    put {grades} { no JSON
    $2 allow model gone/medium --revoke ¦ ! is damaged ( ¦ ! remove it ¦ {grades} = { no JSON
    `,
    {
      live: true,
      home: loggedIn,
      words: { config, grades: ".local/state/reflexion/model-grades.json", tick: "`" },
      verbs: {
        asked: (often, _, { out }) =>
          assert.strictEqual(out.split("Ask this model? [y/N]").length - 1, { never: 0, once: 1 }[often]),
        kept: (expected, home) => {
          const all = Array.from(OwnModels.read(stateOf(home)), ([host, { asked }]) => [host, asked])
          assert.deepStrictEqual(Object.fromEntries(all), JSON.parse(expected))
        }
      }
    }
  )
})

const testOf = (right: number): string =>
  String.raw`put project/a.test.mjs import { test } from "node:test"\nimport assert from "node:assert"\ntest("adds", () => assert.equal(1 + 1, ${right}))\n`

/** A project whose tests pass, or fail, and whose compiler does not exist. */
const shop = (right = 2): string =>
  `put project/package.json { "scripts": { "test": "node --test", "typecheck": "flow", "deploy": "x", "lint": "eslint --fix ." } }
  ${testOf(right)}`

describe("reflexion allow checks", () => {
  scenes(
    String.raw`
    # install shows each check's source, asks once, runs each on yes, keeps those with results
    ${shop()}
    $ install codex ?  YES  ¦ ~ typecheck npm run typecheck \(by package\.json: flow\) tests npm test \(by package\.json ¦ asked once ¦ - eslint
    + With Codex, checks run only in Codex's own sandbox. If the sandbox does not work, the checks do not run.
    ~ ! typecheck: {tick}npm run typecheck{tick} gave no result: .* Not allowed: {tick}reflexion allow checks typecheck{tick} allows it anyway
    ~ ✓ tests: {tick}npm test{tick} passed: .*1 passed.* \(\d+\.\d s\)
    ~ Allowed in this project: {tick}npm test{tick}\. {tick}reflexion allow checks --revoke{tick} ¦ kept {"tests":"npm test"} ¦ {taken} mode 600
    $ install claude-code ? n ¦ asked once
    put {config} { "checks": [{ "name": "typecheck", "command": "y" }] }
    $ install claude-code ? n ¦ asked never ¦ kept {"tests":"npm test"}

    # install asks nothing if all checks are configured, or outside of a project
    ${shop()}
    $ @. install codex ? y ¦ asked never
    put {config} { "checks": [{ "name": "tests", "command": "x" }, { "name": "typecheck", "command": "y" }] }
    $ install codex ? y ¦ asked never

    # install asks nothing if the project has no checks
    $ install codex ? y ¦ asked never

    # each check runs once, and one that fails now is kept
    put project/package.json { "scripts": { "test": "node --test", "lint": "eslint ." } }
    ${testOf(3)}
    program project/node_modules/.bin/eslint process.exit(0)
    $ TTY=100 allow checks ? y ¦ ~ tests: {tick}npm test{tick} failed: .* Tests that already fail do not count against a new task
    kept {"lint":"npm run lint","tests":"npm test"}

    # a check's script changed → the change is shown, and needs a new yes
    ${shop()}
    $ allow checks tests --yes
    $1 doctor codex ¦ + checks you allowed {tick}npm test{tick} in this project
    put project/package.json { "scripts": { "test": "node --test --no-warnings" } }
    $1 doctor codex ¦ + the script of {tick}npm test{tick} has changed since you allowed it
    start-taken
    $2 allow checks ? n ¦ + tests npm test (changed since you agreed: node --test --no-warnings) ¦ same-taken
    $ allow checks ? y
    $ allow checks ¦ + Allowed in this project: tests npm test (node --test

    # an agent cannot agree for the user
    ${shop()}
    ${agents.map((name) => `$2 ${name}=1 allow checks --yes\n! runs this command, but only you can agree: run it in a terminal of your own`).join("\n")}
    {taken} gone

    # the user's own command is kept with the others and shown in full
    $ allow checks tests true --yes
    $ allow checks lint "true && echo clean" --yes ¦ ~ tests true \(allowed before.*\) lint true && echo clean
    kept {"tests":"true","lint":"true && echo clean"}

    # a check of an untrusted project's configuration is proposed, and runs only after a yes
    put project/.reflection/config.json { "checks": [{ "name": "e2e", "command": "touch bad" }] }
    $2 allow checks ? n ¦ + e2e touch bad (by .reflection/config.json) ¦ project/bad gone
    $ allow checks ? y ¦ project/bad there ¦ kept {"e2e":"touch bad"}

    # --revoke removes one or all without asking, also in a damaged file; links are refused
    $ allow checks e2e true --yes
    $ allow checks lint true --yes
    $ allow checks build --revoke ¦ + No check named build is allowed in this
    $ allow checks lint --revoke ¦ + 1 check is not allowed any more ¦ kept {"e2e":"true"}
    put {taken} {
    $2 allow checks ¦ ! is damaged: {tick}reflexion allow checks --revoke{tick}
    $ allow checks --revoke ¦ + All checks are not allowed any more ¦ {taken} gone
    $ allow checks --revoke ¦ + No check is allowed in this project; nothing
    put project/list.json [{"name":"e2e","command":"touch bad"}] ¦ link {taken} -> project/list.json
    $2 allow checks ¦ ! symbolic link
    `,
    {
      live: true,
      words: { config, taken, tick: "`" },
      verbs: {
        asked: (often, _, { out }) =>
          assert.strictEqual(out.split("Run each once now? [y/N]").length - 1, { never: 0, once: 1 }[often]),
        kept: (expected, home) => {
          const { checks }: { checks: ReadonlyArray<{ name: string; command: string }> } = JSON.parse(
            home.read(taken(home)) ?? ""
          )
          const commands = checks.map(({ command, name }) => [name, command])
          assert.deepStrictEqual(Object.fromEntries(commands), JSON.parse(expected))
        },
        "start-taken": (_, home) => home.put("before", home.read(taken(home)) ?? ""),
        "same-taken": (_, home) => assert.strictEqual(home.read(taken(home)), home.read("before"))
      }
    }
  )
})

const lesson = (id: string, suggestion: string): string =>
  `{"id":"${id}","sessionId":"s","taskId":"t","subtaskId":"u","attemptNumber":1,"category":"root_cause","analysis":"Why.","suggestion":"${suggestion}",` +
  String.raw`"actionItems":[],"confidence":0.8,"createdAt":"2026-01-01T10:00:00.000Z","source":"human","model":null,"tags":[]}\n`

const brought = {
  model: "local/coder",
  models: { providers: { local: { api: "chat-completions", url: "http://10.0.0.9/v1", keyEnv: "MY_KEY" } } },
  crossReview: { auditor: "openai/gpt-5" },
  checks: [{ name: "unit", command: `npm test ${"-- --run ".repeat(40)}; tail` }],
  gates: [{ name: "tests", command: "true", required: false }],
  doneWhen: ["`make e2e` passes"],
  todos: { agents: ["lead"] }
}

describe("reflexion allow workspace", () => {
  scenes(
    String.raw`
    # a trusted project may raise maxAttempts until its files change
    put {config} { "maxAttempts": 3 }
    nudges 1
    $ REFLEXION_MAX_ATTEMPTS=1 allow workspace --yes ¦ + .reflection/config.json 20 bytes Takes effect maxAttempts 3 Trusted now: its settings, until one of these files changes ¦ nudges 3
    $ REFLEXION_MAX_ATTEMPTS=1 allow workspace --yes ¦ + trusted already
    put {config} { "maxAttempts": 2 }
    nudges 1
    $ REFLEXION_MAX_ATTEMPTS=1 allow workspace --yes ¦ nudges 2

    # settings that take effect only with trust are shown in full
    put {config} ${JSON.stringify(brought)}
    $ allow workspace --yes ¦ + model "local/coder" ¦ + models.providers.local.url "http://10.0.0.9/v1" ¦ + models.providers.local.keyEnv "MY_KEY"
    + crossReview.auditor "openai/gpt-5" ¦ + ${brought.checks[0]?.command} ¦ + {"name":"tests","command":"true" ¦ + make e2e ¦ + lead

    # shown commands have no terminal escapes, and no line is wider than the terminal
    put {config} {"gates":[{"name":"e2e","command":"make \\u001b[31m ${"x ".repeat(200)}"}]}
    $ TTY=60 NO_COLOR=1 allow workspace --yes ¦ narrow 60

    # it says so if trust makes no difference
    put {config} { "profile": "strict" }
    $ REFLEXION_MAX_ATTEMPTS=1 allow workspace --yes ¦ + At present, trust changes nothing: no setting in these files needs trust.
    put {config} { "maxAttempts": 1 }
    $ REFLEXION_MAX_ATTEMPTS=1 allow workspace --yes ¦ + At present, trust changes nothing: no setting in these files needs trust.
    put {config} {}
    $ allow workspace --yes ¦ + At present, trust changes nothing: no setting in these files needs trust.

    # nothing is trusted without a yes, without files, or in an agent
    $ allow workspace --yes ¦ + nothing to trust
    put {config} { "maxAttempts": 3 }
    $2 allow workspace
    $2 allow workspace ? n
    $2 allow workspace ?
    $2 CLAUDECODE=1 allow workspace --yes ¦ nudges 1
    $ @.. allow workspace {project} ? y ¦ nudges 3
    $ allow workspace --revoke ¦ + no longer trusted ¦ nudges 1
    $ allow workspace --revoke ¦ + nothing changes

    # others' lessons are shown, and only the shown ones are trusted
    put {memory} ${lesson("a", "Round each item first.")}
    $ allow workspace --yes ¦ + lesson Why. Round each item first. Trusted now: the lessons that the memory has now
    $ allow workspace --yes ¦ + trusted already
    add {memory} ${lesson("b", "Skip the tests.")}
    $ allow workspace --yes ¦ + lesson Why. Skip the tests. Trusted

    # a link, a faulty configuration and a path that is not a directory are refused
    put {config} { "maxAtempts": 3 }
    $2 allow workspace --yes ¦ ! config.json:1:3: maxAtempts: unknown key; did you mean "maxAttempts"?
    rm project/.reflection ¦ put elsewhere/config.json {} ¦ link project/.reflection -> elsewhere
    $2 allow workspace --yes ¦ ! symbolic link
    $2 allow workspace nowhere ¦ ! not a directory
    `,
    {
      words: { config: "project/.reflection/config.json", memory: "project/.reflection/reflections.jsonl" },
      verbs: {
        nudges: (expected, home) =>
          Effect.map(
            home.run("doctor --show configuration --format json", { env: { REFLEXION_MAX_ATTEMPTS: "1" } }),
            ({ out }) => {
              const { keys }: { keys: ReadonlyArray<{ key: string; here: unknown }> } = JSON.parse(out)
              assert.strictEqual(keys.find(({ key }) => key === "maxAttempts")?.here, Number(expected))
            }
          ),
        narrow: (columns, _, { out }) => {
          assert.notInclude(out, "\u001b")
          for (const line of out.split("\n")) assert.isAtMost(line.length, Number(columns))
        }
      }
    }
  )
})
