/** Whether a host's own small model may be asked: who pays it, and what the user said. */
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import { Models } from "@reflexion/core/Models"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { Effect, Layer } from "effect"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as KeptByName from "../src/config/KeptByName.ts"
import * as OpenCodeSettings from "../src/config/OpenCodeSettings.ts"
import * as OwnModels from "../src/config/OwnModels.ts"
import * as Billing from "../src/models/Billing.ts"
import * as ConfiguredModels from "../src/models/ConfiguredModels.ts"

const place = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "reflexion-own-"))),
  (home) => Effect.sync(() => rmSync(home, { recursive: true, force: true }))
)

const inHome = (title: string, work: (home: string) => void) => it.scoped(title, () => Effect.map(place, work))

type Env = Readonly<Record<string, string>>

type Files = Readonly<Record<string, unknown>>

const put = (home: string, files: Files): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), typeof content === "string" ? content : JSON.stringify(content))
  }
}

const plan = { ".claude/.credentials.json": { claudeAiOauth: {} } }

/** The host, how that is paid, and the user's files and variables that say so. */
const payments = readFileSync(new URL("payments.rows.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line): readonly [host: string, says: string, files: Files, env?: Env] => JSON.parse(line))

describe("who pays a host's own model", () => {
  it.scoped.each(payments)("%s: %s, with %j and %j", ([host, says, files, env = {}]) =>
    Effect.map(place, (home) => {
      put(home, files)
      const placed = Object.entries(env).map(([name, value]) => [
        name,
        value === "elsewhere" ? join(home, value) : value
      ])
      const said = Billing.of(host, { HOME: home, ...Object.fromEntries(placed) })
      if (says === Billing.login) assert.strictEqual(said, says)
      else assert.include(said, says)
      assert.notInclude(said, "sk-secret")
    })
  )

  inHome("is asked where the user agreed or said so, and never against their word or for money", (home) => {
    put(home, plan)
    const directories = { state: join(home, "state") }
    const asked = { directories, host: "claude-code", env: { HOME: home }, said: null }
    assert.isNull(Billing.mayAsk(asked))
    assert.strictEqual(Billing.mayAsk({ ...asked, said: "on" }), "claude-code/small")
    OwnModels.keep(directories, "claude-code", { asked: true, at })
    assert.strictEqual(Billing.mayAsk(asked), "claude-code/small")
    const keyed = { ...asked, env: { HOME: home, ANTHROPIC_API_KEY: "k" } }
    for (const none of [
      { ...asked, said: "off" } as const,
      { ...asked, host: "codex" },
      keyed,
      { ...keyed, said: "on" } as const
    ])
      assert.isNull(Billing.mayAsk(none))
  })
})

const at = "2026-11-27T10:00:00.000Z"

const keptOf = (read: (value: unknown) => string | null) =>
  KeptByName.make({ file: "kept.json", key: "words", read, remedy: "say it again" })

describe("what the user said of a host's own model", () => {
  inHome("holds for each host by itself, and goes with the last one", (home) => {
    const directories = { state: join(home, "deeper") }
    assert.isFalse(OwnModels.agreed(directories, "codex"))
    OwnModels.keep(directories, "claude-code", { asked: true, at })
    OwnModels.keep(directories, "codex", { asked: false, at })
    assert.deepStrictEqual(
      ["claude-code", "codex", "toString"].map((host) => OwnModels.agreed(directories, host)),
      [true, false, false]
    )
    const hosts = { "claude-code": { asked: true, at }, codex: { asked: false, at } }
    const file = OwnModels.fileOf(directories)
    assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), { version: 1, hosts })
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    OwnModels.forget(directories, "claude-code")
    assert.deepStrictEqual([...OwnModels.read(directories)], [["codex", { asked: false, at }]])
    OwnModels.forget(directories, "codex")
    assert.isFalse(existsSync(file))
  })

  inHome("is asked for once, until it is forgotten", (state) => {
    const offers = () => [1, 2].map(() => OwnModels.mayOffer({ state }, "opencode"))
    assert.deepStrictEqual(offers(), [true, false])
    OwnModels.forget({ state }, "opencode")
    assert.deepStrictEqual(offers(), [true, false])
    OwnModels.forget({ state }, "opencode")
    OwnModels.keep({ state }, "opencode", { asked: false, at })
    assert.deepStrictEqual(offers(), [false, false])
  })

  it.scoped.each([
    "",
    "[]",
    '{"version":2,"hosts":{}}',
    '{"version":1,"hosts":[]}',
    `{"version":1,"hosts":{"codex":{"asked":"yes","at":"${at}"}}}`,
    '{"version":1,"hosts":{"codex":{"asked":true}}}',
    `{"version":1,"hosts":{"codex":{"asked":true,"at":"${at}"},"x":1}}`
  ])("has nobody asked by a damaged file, which stays: %j", (text) =>
    Effect.map(place, (state) => {
      const file = OwnModels.fileOf({ state })
      writeFileSync(file, text)
      assert.isFalse(OwnModels.agreed({ state }, "codex"))
      assert.throws(() => OwnModels.read({ state }), file)
      assert.throws(() => OwnModels.keep({ state }, "codex", { asked: true, at }), /remove it/)
      assert.strictEqual(readFileSync(file, "utf8"), text)
    })
  )

  inHome("has nobody asked by a link", (state) => {
    writeFileSync(join(state, "elsewhere"), `{"version":1,"hosts":{"codex":{"asked":true,"at":"${at}"}}}`)
    symlinkSync(join(state, "elsewhere"), OwnModels.fileOf({ state }))
    assert.isFalse(OwnModels.agreed({ state }, "codex"))
    assert.throws(() => OwnModels.read({ state }), /symbolic link/)
  })

  it.scoped.each(["keep", "forget"] as const)("is written by nobody else between reading and writing: %s", (what) =>
    Effect.map(place, (state) => {
      const plain = keptOf((value) => (typeof value === "string" ? value : null))
      plain.keep({ state }, "a", "one")
      // Before it takes the lock, a forget looks whether there is anything.
      let looks = what === "forget" ? -1 : 0
      const meanwhile = keptOf((value) => {
        looks += 1
        if (looks > 0) assert.throws(() => plain.keep({ state }, "b", "two"), FileLock.Busy)
        return typeof value === "string" ? value : null
      })
      if (what === "keep") meanwhile.keep({ state }, "c", "three")
      else meanwhile.forget({ state }, "a")
      assert.strictEqual(looks, 1)
    })
  )
})

const isPath = (name: string) => name === "OPENCODE_CONFIG" || name === "XDG_CONFIG_HOME"

describe("what the user's own files of OpenCode call small", () => {
  it.scoped.each<readonly [Files, Env, ReadonlyArray<string>]>([
    [
      {
        ".config/opencode/opencode.json": '{ "small_model": "a/json" }',
        ".config/opencode/opencode.jsonc": '{\n  // mine\n  "small_model": "a/jsonc",\n}',
        "mine.json": '{ "small_model": "a/named" }'
      },
      { OPENCODE_CONFIG: "mine.json", OPENCODE_CONFIG_CONTENT: '{ "small_model": "a/content" }' },
      ["a/json", "a/jsonc", "a/named", "a/content"]
    ],
    [{ "xdg/opencode/config.json": '{ "small_model": "a/xdg" }' }, { XDG_CONFIG_HOME: "xdg" }, ["a/xdg"]],
    [{}, {}, []],
    [
      { ".config/opencode/config.json": "{", ".config/opencode/opencode.json": '{ "small_model": 3 }' },
      { OPENCODE_CONFIG_CONTENT: "no" },
      []
    ]
  ])("%j and %j: %j", ([files, env, expected]) =>
    Effect.map(place, (home) => {
      put(home, files)
      const placed = Object.entries(env).map(([name, value]) => [name, isPath(name) ? join(home, value) : value])
      assert.deepStrictEqual(OpenCodeSettings.smallModels({ HOME: home, ...Object.fromEntries(placed) }), expected)
    })
  )
})

describe("the models of hosts on the command line", () => {
  it.effect("say where those of OpenCode are asked, and are not too weak where they are a host's own small ones", () =>
    Effect.gen(function* () {
      const { excluded, named } = yield* Models
      assert.match((yield* excluded("opencode/default")) ?? "", /asked by the plugin there/)
      assert.match((yield* Effect.flip(named("opencode/anthropic/claude"))).message, /asked by the plugin there/)
      for (const host of ["claude-code", "codex"])
        assert.notInclude((yield* excluded(`${host}/small`)) ?? "", "weak", host)
      assert.include(yield* excluded("local/small"), "too weak to judge")
    }).pipe(
      Effect.provide(
        Layer.unwrapEffect(
          Effect.map(ConfiguredModels.ofHosts(defaults, { cwd: "/", env: {} }), (hosts) => Models.layer({ hosts }))
        ).pipe(Layer.provide(Layer.succeed(CurrentConfig, defaults)), Layer.provide(NodeContext.layer))
      )
    )
  )
})
