import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { HostBinaries } from "@reflexion/testing"
import { Effect, Schema } from "effect"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import * as Spawn from "../src/process/Spawn.ts"
import { type Home, hooksHome } from "../test/hooksHome.ts"

const bare = (text: string): string => text.replace(/\s+/gu, " ")

/** The home directory of somebody who has this binary on PATH. */
const homeWith = (name: string, file: string) =>
  Effect.tap(hooksHome, (home) => Effect.sync(() => symlinkSync(file, join(home.put("bin/.keep", ""), "..", name))))

const env = (home: Home) => ({ PATH: `${join(home.home, "bin")}:${process.env["PATH"] ?? ""}` })

const doctor = (home: Home, host: string) => home.run(`doctor ${host}`, { env: env(home) })

const Listed = Schema.parseJson(
  Schema.Struct({
    id: Schema.Literal(2),
    result: Schema.Struct({
      data: Schema.Array(
        Schema.Struct({ hooks: Schema.Array(Schema.Struct({ key: Schema.String, currentHash: Schema.String })) })
      )
    })
  })
)

/** What Codex itself writes once its user has approved the hooks. */
const approve = Effect.fnUntraced(function* (home: Home, codex: string) {
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "test", title: null, version: "0" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [home.project] } }
  ]
  const { out } = yield* Spawn.run({
    program: codex,
    words: ["app-server"],
    cwd: home.project,
    env: { HOME: home.home, ...env(home) },
    stdin: messages.map((message) => `${JSON.stringify(message)}\n`).join(""),
    timeout: 20_000,
    enough: (text) => text.includes('"id":2')
  })
  const line = out.split("\n").find((one) => one.includes('"id":2')) ?? ""
  const { result } = yield* Schema.decode(Listed)(line)
  const hooks = result.data.flatMap((one) => one.hooks)
  const tables = hooks.map(
    ({ currentHash, key }) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`
  )
  home.put(".codex/config.toml", tables.join("\n"))
})

describe("the real hosts", () => {
  it.scopedLive("Codex: untrusted, trusted and modified hooks are told apart", () =>
    Effect.gen(function* () {
      const codex = yield* HostBinaries.codexBinary
      const home = yield* homeWith("codex", codex)
      yield* home.run("install codex")

      const untrusted = yield* doctor(home, "codex")
      assert.strictEqual(untrusted.code, 1)
      assert.include(bare(untrusted.out), "untrusted, and skipped without a word: all 4")

      yield* approve(home, codex)
      const trusted = yield* doctor(home, "codex")
      assert.include(bare(trusted.out), "trusted by you: all 4")
      assert.include(trusted.out, "All is well.")
      assert.strictEqual(trusted.code, 0)

      home.put(".codex/hooks.json", (home.read(".codex/hooks.json") ?? "").replace('"timeout": 660', '"timeout": 661'))
      const modified = yield* doctor(home, "codex")
      assert.strictEqual(modified.code, 1)
      assert.include(bare(modified.out), "modified since you approved it, and skipped: Stop;")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("Codex: reads hooks.json next to hooks in its TOML, which stays as it is", () =>
    Effect.gen(function* () {
      const home = yield* homeWith("codex", yield* HostBinaries.codexBinary)
      const toml = '# mine\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n'
      home.put(".codex/config.toml", toml)
      yield* home.run("install codex")
      const { out } = yield* doctor(home, "codex")
      assert.include(bare(out), "untrusted, and skipped without a word: all 4")
      yield* home.run("uninstall codex")
      assert.strictEqual(home.read(".codex/config.toml"), toml)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("Claude Code: tells its version", () =>
    Effect.gen(function* () {
      const home = yield* homeWith("claude", yield* HostBinaries.claudeCodeBinary)
      yield* home.run("install claude-code")
      const { code, out } = yield* doctor(home, "claude-code")
      assert.match(out, /binary +\d+\.\d+\.\d+, ~\/bin\/claude/)
      assert.strictEqual(code, 0)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
