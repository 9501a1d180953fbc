import { NodeContext } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { HostBinaries } from "@reflexion/testing"
import { Effect, Schema } from "effect"
import { symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Spawn from "../src/process/Spawn.ts"
import { type Home, hooksHome } from "../test/hooksHome.ts"
import { scenes } from "../test/scenes.ts"

/** The home directory of somebody who has Codex on PATH. */
const withCodex = Effect.gen(function* () {
  const home = yield* hooksHome
  const bin = dirname(home.put("bin/.keep", ""))
  symlinkSync(yield* HostBinaries.codexBinary, join(bin, "codex"))
  return home
}).pipe(Effect.provide(NodeContext.layer))

const env = ({ home }: Home) => ({ PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}` })

const Hook = Schema.Struct({ key: Schema.String, currentHash: Schema.String })
const Listed = Schema.parseJson(
  Schema.Struct({ result: Schema.Struct({ data: Schema.Array(Schema.Struct({ hooks: Schema.Array(Hook) })) }) })
)

/** What Codex itself writes once its user has approved the hooks. */
const approve = Effect.fnUntraced(function* (home: Home) {
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "test", title: null, version: "0" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [home.project] } }
  ]
  const { out } = yield* Spawn.run({
    program: join(home.home, "bin/codex"),
    words: ["app-server"],
    cwd: home.project,
    env: { HOME: home.home, ...env(home) },
    stdin: messages.map((message) => `${JSON.stringify(message)}\n`).join(""),
    timeout: 20_000,
    enough: (text) => text.includes('"id":2')
  })
  const { result } = yield* Schema.decode(Listed)(out.split("\n").find((one) => one.includes('"id":2')) ?? "")
  const tables = result.data.flatMap(({ hooks }) =>
    hooks.map(({ currentHash, key }) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`)
  )
  home.put(".codex/config.toml", tables.join("\n"))
})

describe("the real Codex", () => {
  scenes(
    String.raw`
    # Codex: untrusted, trusted and modified hooks are told apart
    $ install codex ¦ $1 doctor codex ¦ + untrusted, so Codex skips them silently: all 5
    approve ¦ $ doctor codex ¦ + trusted by you: all 5 ¦ + All is well.
    modify ¦ $1 doctor codex ¦ + modified since you approved them, so Codex skips them: Stop;

    # Codex: reads hooks.json next to hooks in its TOML, which stays as it is
    put .codex/config.toml {toml} ¦ $ install codex ¦ $1 doctor codex ¦ + untrusted, so Codex skips them silently: all 5
    $ uninstall codex ¦ .codex/config.toml = {toml}

    `,
    {
      live: true,
      home: withCodex,
      env,
      words: { toml: String.raw`# mine\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n` },
      verbs: {
        approve: (_, home) => Effect.orDie(approve(home)),
        modify: (_, home) => {
          const text = home.read(".codex/hooks.json") ?? assert.fail("there is no hooks.json")
          home.put(".codex/hooks.json", text.replace('"timeout": 660', '"timeout": 661'))
        }
      }
    }
  )
})
