import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@reflexion/core/internal/review/machine/Decision"
import { Effect, Schema } from "effect"
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Hosts from "../src/host/Hosts.ts"
import { type Home, hooksHome } from "./hooksHome.ts"
import { bare, builtHooks } from "./runCli.ts"

const settings = ".claude/settings.json"

const program = (home: Home, name: string, source: string): string => {
  const file = home.put(`bin/${name}`, `#!${process.execPath}\n${source}`)
  chmodSync(file, 0o755)
  return dirname(file)
}

/** Answers the two requests of the doctor, as the real one does. */
const codex = (trustStatus: string): string => `
if (process.argv[2] === "--version") console.log("codex-cli 0.169.0")
else {
  const { readFileSync } = require("node:fs")
  const { join } = require("node:path")
  const file = join(process.env.HOME, ".codex", "hooks.json")
  const events = Object.entries(JSON.parse(readFileSync(file, "utf8")).hooks)
  const hooks = events.map(([eventName, [{ hooks: [{ command }] }]]) => ({ eventName, command, enabled: true, trustStatus: "${trustStatus}" }))
  let input = ""
  process.stdin.on("data", (bytes) => {
    input += bytes
    while (input.includes("\\n")) {
      const line = input.slice(0, input.indexOf("\\n"))
      input = input.slice(line.length + 1)
      const { id, method, params } = JSON.parse(line)
      if (method === "initialize") console.log(JSON.stringify({ id, result: {} }))
      if (method === "hooks/list") {
        console.log(JSON.stringify({ method: "other", params: {} }))
        console.log(JSON.stringify({ id, result: { data: [{ cwd: params.cwds[0], hooks, warnings: [], errors: [] }] } }))
      }
    }
  })
  process.stdin.on("end", () => process.exit(0))
}`

const Manifest = Schema.parseJson(
  Schema.Struct({ dependencies: Schema.Record({ key: Schema.String, value: Schema.String }) })
)

const claude = 'console.log("2.1.330 (Claude Code)")'

const doctor = (home: Home, host: string, given: { readonly hooks?: string } = {}) =>
  home.run(`doctor ${host}`, { ...given, env: { PATH: join(home.home, "bin") } })

const edit = (home: Home, name: string, change: (text: string) => string): void => {
  writeFileSync(join(home.home, name), change(home.read(name) ?? ""))
}

const installed = (home: Home): string => {
  const parent = join(home.home, ".local/share/reflexion/hooks/claude-code")
  return join(parent, readdirSync(parent)[0] ?? "")
}

const withHook = (source: string) =>
  Effect.tap(hooksHome, (home) => Effect.sync(() => writeFileSync(join(home.hooks, "claude-code", "hook.cjs"), source)))

describe("reflexion doctor", () => {
  it.scoped("says that all is well", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      program(home, "claude", claude)
      yield* home.run("install claude-code")
      const { code, err, out } = yield* doctor(home, "claude-code")
      assert.deepStrictEqual([code, err], [0, ""])
      assert.include(out, "All is well.")
      assert.include(bare(out), "2.1.330, ~/bin/claude (the version it was tried with)")
      assert.match(out, /run +exit 0 after \d+ ms, no output/)
    })
  )

  it.each(Hosts.all)(
    "was tried with the version of $title that the host tests run",
    ({ installation: { tried }, name }) => {
      const manifest = new URL(`../../testing/hosts/${name}/package.json`, import.meta.url)
      const { dependencies } = Schema.decodeUnknownSync(Manifest)(readFileSync(manifest, "utf8"))
      assert.deepStrictEqual(Object.values(dependencies), [tried])
    }
  )

  it.scoped("leaves no trace", () =>
    Effect.gen(function* () {
      const home = yield* withHook(`
        const { join } = require("node:path")
        const { mkdirSync, writeFileSync } = require("node:fs")
        const state = join(process.env.XDG_STATE_HOME ?? join(process.env.HOME, ".local/state"), "reflexion")
        mkdirSync(state, { recursive: true })
        writeFileSync(join(state, "log.jsonl"), ${JSON.stringify(
          `${Decision.encode({
            at: "2026-01-31T12:00:00Z",
            host: "claude-code",
            sessionId: "doctor",
            directory: null,
            event: "Stop",
            decision: "abstain",
            reason: "there is no transcript",
            status: null,
            severity: null,
            attempt: null,
            maxAttempts: null,
            durationMs: 1
          })}\n`
        )})`)
      yield* home.run("install claude-code")
      const state = join(home.home, ".local/state/reflexion")
      const before = readdirSync(state)
      const scratch = dirname(home.put("scratch/.keep", ""))
      const { out } = yield* home.run("doctor claude-code", { env: { TMPDIR: scratch } })
      assert.include(out, "decided: abstain, there is no transcript")
      assert.deepStrictEqual(readdirSync(state), before)
      assert.deepStrictEqual(readdirSync(scratch), [".keep"])
    })
  )

  it.scoped.each(["claude-code", "codex"])("runs the hook that is shipped for %s, which abstains", (host) =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      program(home, "codex", codex("trusted"))
      yield* home.run(`install ${host}`, { hooks: builtHooks })
      const { code, out } = yield* doctor(home, host, { hooks: builtHooks })
      assert.strictEqual(code, 0)
      assert.match(
        bare(out),
        /exit 0 after \d+ ms, no output; decided: abstain, the session's record does not exist, as it should: the sample has none/
      )
      assert.deepStrictEqual(readdirSync(join(home.home, ".local/state/reflexion")), ["installed"])
    })
  )

  it.scoped("tells what is not installed, with and without a host's name", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      const none = yield* doctor(home, "")
      assert.deepStrictEqual([none.code, none.out.includes("\n\n1 thing needs you.")], [1, true])
      assert.match(none.out, /✗ installed +in no agent: `reflexion install` finds those that you use/)
      assert.match(none.out, /– hooks +not installed: run `reflexion install codex`/)
      yield* home.run("install claude-code")
      assert.strictEqual((yield* doctor(home, "")).code, 0)
      const one = yield* doctor(home, "codex")
      assert.strictEqual(one.code, 1)
      assert.include(one.out, "no codex on PATH")
      const unsure = yield* doctor(home, "claude-code")
      assert.include(unsure.out, "\n\n1 thing could not be checked.")
      assert.notInclude(unsure.out, "All is well")
      assert.strictEqual((yield* doctor(home, "emacs")).code, 2)
    })
  )

  it.scoped.each([
    ["process.stderr.write('boom'); process.exit(3)", 'ended with exit status 3, after .* ms standard error: "boom"'],
    ["console.log('hello')", 'printed what is no answer: "hello"'],
    ["process.kill(process.pid, 'SIGKILL')", "ended with (a signal|exit status 137)"]
  ] as const)("runs the hook: %s", ([source, expected]) =>
    Effect.gen(function* () {
      const home = yield* withHook(source)
      yield* home.run("install claude-code")
      const { code, out } = yield* doctor(home, "claude-code")
      assert.strictEqual(code, 1)
      assert.match(bare(out), new RegExp(expected))
    })
  )

  describe("what is installed", () => {
    const harms: ReadonlyArray<readonly [what: string, harm: (home: Home) => void, said: string]> = [
      [
        "a Node that is gone",
        (home) => edit(home, settings, (text) => text.replaceAll(/\\"\/[^"\\]*node\\"/g, '\\"/gone/node\\"')),
        "/gone/node is gone"
      ],
      ["a damaged copy", (home) => writeFileSync(join(installed(home), "hook.cjs"), "// nothing"), "is damaged"],
      ["a missing copy", (home) => rmSync(installed(home), { recursive: true }), "its files are gone"],
      [
        "a missing event",
        (home) => edit(home, settings, (text) => text.replace("UserPromptSubmit", "Other")),
        "lacks a hook at UserPromptSubmit"
      ],
      [
        "an older form of the hooks at a stop",
        (home) => edit(home, settings, (text) => text.replace("StopNow", "Stop").replace("StopLater", "Stop")),
        "lacks a hook at Stop: run"
      ],
      [
        "no hook after the turn",
        (home) => edit(home, settings, (text) => text.replace("StopLater", "StopNow")),
        "lacks a hook at Stop: run"
      ],
      [
        "hooks turned off",
        (home) => edit(home, settings, (text) => text.replace("{", '{ "disableAllHooks": true,')),
        "disableAllHooks"
      ],
      [
        "a comment in the settings",
        (home) => edit(home, settings, (text) => text.replace("{", "{ // mine")),
        "Claude Code ignores the whole file"
      ],
      [
        "no command file",
        (home) => rmSync(join(home.home, ".claude/commands/reflection.md")),
        "does not know the command"
      ]
    ]

    it.scoped("has what is missing or damaged named, and is right again by another install", () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        for (const [what, harm, said] of harms) {
          yield* home.run("install claude-code")
          harm(home)
          const { code, out } = yield* doctor(home, "claude-code")
          assert.deepStrictEqual([code, bare(out).includes(said)], [1, true], `${what}: ${out}`)
          yield* home.run("uninstall claude-code")
          rmSync(join(home.home, ".claude"), { recursive: true, force: true })
        }
      })
    )

    it.scoped("a file that cannot be read: it could not look", () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        home.put(settings, '{\n  "a" 1 }')
        const { code, out } = yield* doctor(home, "claude-code")
        assert.strictEqual(code, 2)
        assert.include(bare(out), "settings.json:2:7: not valid JSON: colon expected: correct the file")
      })
    )
  })

  it.scoped("shows a mistake in the configuration with its place, and trust that is void", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      home.put("project/.reflection/config.json", '{ "maxAttempts": 3 }')
      yield* home.run("allow workspace --yes")
      assert.include((yield* doctor(home, "claude-code")).out, "is trusted")
      home.put("project/.reflection/config.json", '{ "maxAttempt": 3 }')
      const { code, out } = yield* doctor(home, "claude-code")
      assert.strictEqual(code, 1)
      assert.include(bare(out).replaceAll(" ", ""), 'config.json:1:3:maxAttempt:unknownkey;didyoumean"maxAttempts"?')
      assert.include(bare(out), "has changed since you trusted it")
    })
  )

  it.scoped("reflexion alone: a broken configuration → what to correct comes first", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put(".config/reflexion/config.json", '{ "maxAttempts": 9 }')
      const { out } = yield* home.run("")
      assert.match(bare(out), /✗ configuration .*maxAttempts.* Next: correct what is marked ✗ above/)
    })
  )

  it.scoped("names a rule that there is not", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      home.put("project/.reflection/config.json", '{ "rules": { "work/lefft": "off" } }')
      const { code, out } = yield* doctor(home, "")
      assert.deepStrictEqual([code, bare(out).includes("no rule is called `work/lefft`")], [1, true])
    })
  )

  it.scoped("shows the last failure, and sessions that the user stopped", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      const base: Decision.Decision = {
        at: "2026-01-31T12:00:00Z",
        host: "claude-code",
        sessionId: "0123456789",
        directory: null,
        event: "Stop",
        decision: "failure",
        reason: "the disk is full",
        status: null,
        severity: null,
        attempt: null,
        maxAttempts: null,
        durationMs: 1
      }
      const log = (...kinds: ReadonlyArray<Decision.Decision["decision"]>) =>
        home.put(
          ".local/state/reflexion/log.jsonl",
          kinds.map((decision) => `${Decision.encode({ ...base, decision })}\n`).join("")
        )
      log("none", "failure", "stop")
      const past = yield* doctor(home, "claude-code")
      assert.strictEqual(past.code, 0)
      assert.include(bare(past.out), "1 of the last 3 decisions failed")
      assert.include(past.out, "session 01234567;")
      assert.include(bare(past.out), "`/reflection start` there turns it on again")
      log("stop", "start", "failure")
      const now = yield* doctor(home, "claude-code")
      assert.strictEqual(now.code, 1)
      assert.include(bare(now.out), "the disk is full")
      assert.notInclude(now.out, "01234567")
    })
  )

  it.scoped("runs no wrapper of the user's own, and counts it as installed", () =>
    Effect.gen(function* () {
      const home = yield* hooksHome
      yield* home.run("install claude-code")
      edit(home, settings, (text) =>
        text.replace(/"command": "(.*?) StopNow"/, `"command": "touch ${home.root}/ran; $1 StopNow"`)
      )
      const { code, out } = yield* doctor(home, "claude-code")
      assert.strictEqual(code, 0)
      assert.include(bare(out), "4 events, Stop by a command of your own")
      assert.include(bare(out), "not run: ~/.claude/settings.json has a command of your own")
      assert.isFalse(existsSync(join(home.root, "ran")))
    })
  )

  describe("Codex's approval", () => {
    it.scoped.each([
      ["untrusted", 1, "untrusted, and skipped without a word: all 4"],
      ["modified", 1, "modified since you approved it"],
      ["trusted", 0, "trusted by you: all 4"]
    ] as const)("%s", ([status, expected, text]) =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        program(home, "codex", codex(status))
        yield* home.run("install codex")
        const { code, out } = yield* doctor(home, "codex")
        assert.include(bare(out), text)
        assert.strictEqual(code, expected)
      })
    )

    it.scoped("is unknown without Codex, and not seen where it gives no answer", () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        yield* home.run("install codex")
        const absent = yield* doctor(home, "codex")
        assert.deepStrictEqual([absent.code, bare(absent.out).includes("unknown: there is no codex")], [2, true])
        assert.include(absent.out, "\n\n2 things could not be checked.")
        program(home, "codex", "process.exit(1)")
        const silent = yield* doctor(home, "codex")
        assert.deepStrictEqual([silent.code, bare(silent.out).includes("it gave no answer")], [2, true])
      })
    )

    it.scoped("sees that hooks are installed twice", () =>
      Effect.gen(function* () {
        const home = yield* hooksHome
        program(home, "codex", codex("trusted"))
        yield* home.run("install codex")
        yield* home.run("install codex --project")
        const { code, out } = yield* doctor(home, "codex")
        assert.deepStrictEqual([code, bare(out).includes("run once for each")], [1, true])
      })
    )
  })
})
