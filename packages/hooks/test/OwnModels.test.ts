/** Whether a host's own small model may be asked: who pays it, and what the user said. */
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import { Models } from "@reflexion/core/Models"
import { CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { Effect, Layer } from "effect"
import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as KeptByName from "../src/config/KeptByName.ts"
import * as OwnModels from "../src/config/OwnModels.ts"
import * as Billing from "../src/models/Billing.ts"
import * as ConfiguredModels from "../src/models/ConfiguredModels.ts"
import { inScratch, scratch } from "./support/session.ts"
import { worksWith } from "../../core/test/support/works.ts"

type Env = Readonly<Record<string, string>>

type Files = Readonly<Record<string, unknown>>

const place = Effect.map(scratch, ({ put, root }) => ({
  home: root,
  put: (files: Files): void =>
    Object.entries(files).forEach(([name, one]) => put(name, typeof one === "string" ? one : JSON.stringify(one)))
}))

/** The host, who pays for its model, and the user's files and variables that say so. */
const payments: ReadonlyArray<readonly [host: string, says: string, files: Files, env?: Env]> = JSON.parse(
  `[${readFileSync(new URL("payments.rows.jsonl", import.meta.url), "utf8")
    .trim()
    .replaceAll("\n", ",")}]`
)

describe("who pays a host's own model", () => {
  it.scoped.each(payments)("%s: %s, with %j and %j", ([host, says, files, env = {}]) =>
    Effect.map(place, ({ home, put }) => {
      put(files)
      const variables = JSON.parse(
        JSON.stringify(env).replaceAll('"elsewhere"', JSON.stringify(join(home, "elsewhere")))
      )
      const said = Billing.of(host, { HOME: home, ...variables })
      if (says === Billing.login) assert.strictEqual(said, says)
      else assert.include(said, says)
      assert.notInclude(said, "sk-secret")
    })
  )

  it.scoped("the model is asked only by the user's word, never against it or for money", () =>
    Effect.map(place, ({ home, put }) => {
      put({ ".claude/.credentials.json": { claudeAiOauth: {} } })
      const directories = { state: join(home, "state") }
      const asked = { directories, host: "claude-code", env: { HOME: home }, said: null }
      const said = { ...asked, said: "on" } as const
      assert.deepStrictEqual([asked, said].map(Billing.mayAsk), [null, "claude-code/small"])
      OwnModels.keep(directories, "claude-code", { asked: true, at })
      assert.strictEqual(Billing.mayAsk(asked), "claude-code/small")
      const env = { HOME: home, ANTHROPIC_API_KEY: "k" }
      for (const over of [{ said: "off" } as const, { host: "codex" }, { env }, { ...said, env }])
        assert.isNull(Billing.mayAsk({ ...asked, ...over }))
    })
  )
})

const at = "2026-11-27T10:00:00.000Z"

const keptOf = (read: (value: unknown) => string | null) =>
  KeptByName.make({ file: "kept.json", key: "words", read, remedy: "say it again" })

const codex = `"codex":{"asked":true,"at":"${at}"}`

describe("what the user said of a host's own model", () => {
  inScratch("holds per host, and its file is deleted with the last host", ({ home }) => {
    const directories = { state: join(home, "deeper") }
    const hosts = { "claude-code": { asked: true, at }, codex: { asked: false, at } }
    assert.isFalse(OwnModels.agreed(directories, "codex"))
    for (const [host, word] of Object.entries(hosts)) OwnModels.keep(directories, host, word)
    const agreed = ["claude-code", "codex", "toString"].map((host) => OwnModels.agreed(directories, host))
    assert.deepStrictEqual(agreed, [true, false, false])
    const file = OwnModels.fileOf(directories)
    assert.deepStrictEqual(JSON.parse(readFileSync(file, "utf8")), { version: 1, hosts })
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    OwnModels.forget(directories, "claude-code")
    assert.deepStrictEqual([...OwnModels.read(directories)], [["codex", { asked: false, at }]])
    OwnModels.forget(directories, "codex")
    assert.isFalse(existsSync(file))
  })

  inScratch("is asked for once, until it is forgotten", ({ home: state }) => {
    const offers = () => [1, 2].map(() => OwnModels.mayOffer({ state }, "opencode"))
    assert.deepStrictEqual(offers(), [true, false])
    OwnModels.forget({ state }, "opencode")
    assert.deepStrictEqual(offers(), [true, false])
    OwnModels.forget({ state }, "opencode")
    OwnModels.keep({ state }, "opencode", { asked: false, at })
    assert.deepStrictEqual(offers(), [false, false])
  })

  inScratch("a damaged file or a link counts as no consent, and the damaged file stays", ({ home: state }) => {
    const file = OwnModels.fileOf({ state })
    const hosts = ["[]", '{"codex":{"asked":"yes","at":"now"}}', '{"codex":{"asked":true}}', `{${codex},"x":1}`]
    const texts = ["", "[]", `{"version":2,"hosts":{${codex}}}`, ...hosts.map((one) => `{"version":1,"hosts":${one}}`)]
    for (const text of texts) {
      writeFileSync(file, text)
      assert.isFalse(OwnModels.agreed({ state }, "codex"), text)
      assert.throws(() => OwnModels.read({ state }), file)
      assert.throws(() => OwnModels.keep({ state }, "codex", { asked: true, at }), /remove it/)
      assert.strictEqual(readFileSync(file, "utf8"), text)
    }
    writeFileSync(join(state, "elsewhere"), `{"version":1,"hosts":{${codex}}}`)
    rmSync(file)
    symlinkSync(join(state, "elsewhere"), file)
    assert.isFalse(OwnModels.agreed({ state }, "codex"))
    assert.throws(() => OwnModels.read({ state }), /symbolic link/)
  })

  it.scoped.each(["keep", "forget"] as const)("no other process writes between its reading and writing: %s", (what) =>
    Effect.map(scratch, ({ home: state }) => {
      const plain = keptOf((value) => (typeof value === "string" ? value : null))
      plain.keep({ state }, "a", "one")
      // A forget first looks without the lock whether there is anything to forget.
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

const models = Layer.unwrapEffect(
  Effect.map(ConfiguredModels.ofHosts(defaults, { cwd: "/", env: {} }), (hosts) => Models.layer({ hosts }))
).pipe(Layer.provide(CurrentConfig.layer()), Layer.provide(NodeContext.layer))

describe("the models of hosts on the command line", () => {
  worksWith(models)("OpenCode's need its plugin, and a host's small model is not too weak", function* () {
    const { excluded, named } = yield* Models
    const other = yield* Effect.flip(named("opencode/anthropic/claude"))
    for (const why of [yield* excluded("opencode/default"), other.message])
      assert.match(why ?? "", /only the plugin in OpenCode may ask/)
    for (const host of ["claude-code", "codex"])
      assert.notInclude((yield* excluded(`${host}/small`)) ?? "", "weak", host)
    assert.include(yield* excluded("local/small"), "too weak to judge")
  })
})
