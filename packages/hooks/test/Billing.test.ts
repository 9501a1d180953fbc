import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as OwnModels from "../src/config/OwnModels.ts"
import * as Billing from "../src/models/Billing.ts"

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "reflexion-billing-"))),
  (home) => Effect.sync(() => rmSync(home, { recursive: true, force: true }))
)

const put = (home: string, name: string, content: unknown): void => {
  const file = join(home, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
}

type Env = Readonly<Record<string, string>>

const claude = (home: string, env: Env = {}): string => Billing.of("claude-code", { HOME: home, ...env })

const codex = (home: string, env: Env = {}): string => Billing.of("codex", { HOME: home, ...env })

describe("how Claude Code's own model is paid", () => {
  it.scoped("is the login where nothing says otherwise", () =>
    Effect.gen(function* () {
      const home = yield* scratch
      assert.include(claude(home), "no login of a Claude plan was found")
      assert.strictEqual(claude(home, { CLAUDE_CODE_OAUTH_TOKEN: "t" }), Billing.login)
      put(home, ".claude.json", { oauthAccount: { billingType: "stripe_subscription" } })
      assert.strictEqual(claude(home), Billing.login)
      put(home, ".claude.json", { oauthAccount: { billingType: "prepaid" } })
      assert.include(claude(home), "no login of a Claude plan was found")
      put(home, ".claude/.credentials.json", { claudeAiOauth: {} })
      assert.strictEqual(claude(home), Billing.login)
      put(home, ".claude/settings.json", { env: { FOO: "1", ANTHROPIC_API_KEY: "" }, forceLoginMethod: "claudeai" })
      put(home, ".claude.json", { oauthAccount: {}, projects: { a: { history: ['"primaryApiKey": "x"'] } } })
      assert.strictEqual(claude(home, { ANTHROPIC_API_KEY: "" }), Billing.login)
    })
  )

  it.scoped("is a key's or another service's by the environment", () =>
    Effect.gen(function* () {
      const home = yield* scratch
      for (const name of [
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_VERTEX",
        "CLAUDE_CODE_USE_FOUNDRY"
      ]) {
        const said = claude(home, { [name]: "sk-secret" })
        assert.include(said, `${name} is set`)
        assert.notInclude(said, "sk-secret")
      }
    })
  )

  it.scoped("is so by the user's settings, wherever they lie, and unknown by damaged ones", () =>
    Effect.gen(function* () {
      const home = yield* scratch
      put(home, ".claude/.credentials.json", { claudeAiOauth: {} })
      put(home, "elsewhere/settings.json", { apiKeyHelper: "/bin/key" })
      assert.strictEqual(claude(home), Billing.login)
      assert.include(claude(home, { CLAUDE_CONFIG_DIR: join(home, "elsewhere") }), "apiKeyHelper")
      for (const [settings, why] of [
        [{ env: { CLAUDE_CODE_USE_VERTEX: "1" } }, "CLAUDE_CODE_USE_VERTEX"],
        [{ forceLoginMethod: "console" }, "forceLoginMethod"],
        ['\uFEFF{"apiKeyHelper":"/bin/key"}', "apiKeyHelper"],
        ["{", "not known"],
        ["[]", "not known"]
      ] as const) {
        put(home, ".claude/settings.json", settings)
        assert.include(claude(home), why)
      }
      put(home, ".claude/settings.json", {})
      put(home, ".claude.json", { primaryApiKey: "sk-secret" })
      assert.include(claude(home), "key of the Console")
      assert.notInclude(claude(home), "sk-secret")
    })
  )
})

const tokens = { OPENAI_API_KEY: null, tokens: { access_token: "t" } }

describe("how Codex's own model is paid", () => {
  it.scoped("is the login where its file has tokens and nothing says otherwise", () =>
    Effect.gen(function* () {
      const home = yield* scratch
      assert.include(codex(home), "not known how Codex is logged in")
      put(home, ".codex/auth.json", tokens)
      put(home, ".codex/config.toml", 'model = "gpt-6-sol"\nmodel_provider = "openai"\n# model_provider = "x"\n')
      assert.strictEqual(codex(home), Billing.login)
      put(home, "other/auth.json", { auth_mode: "chatgpt", ...tokens, OPENAI_API_KEY: "sk-secret" })
      assert.strictEqual(codex(home, { CODEX_HOME: join(home, "other") }), Billing.login)
    })
  )

  it.scoped("is a key's by the environment or by its file", () =>
    Effect.gen(function* () {
      const home = yield* scratch
      put(home, ".codex/auth.json", tokens)
      for (const name of ["OPENAI_API_KEY", "CODEX_API_KEY"])
        assert.include(codex(home, { [name]: "sk-secret" }), `${name} is set`)
      for (const auth of [
        { OPENAI_API_KEY: "sk-secret" },
        { ...tokens, OPENAI_API_KEY: "sk-secret" },
        { ...tokens, auth_mode: "apikey" },
        { auth_mode: "chatgpt" },
        {}
      ]) {
        put(home, ".codex/auth.json", auth)
        assert.include(codex(home), "has a key and no login")
        assert.notInclude(codex(home), "sk-secret")
      }
      put(home, ".codex/auth.json", "{")
      assert.include(codex(home), "not known")
    })
  )

  it.scoped("is another's where the user's configuration names one, in a profile too", () =>
    Effect.gen(function* () {
      const home = yield* scratch
      put(home, ".codex/auth.json", tokens)
      for (const config of [
        'model_provider = "azure"\n',
        '[profiles.work]\n"model_provider"="azure"\n',
        "model_provider = 'ollama'",
        'openai_base_url = "http://localhost/v1"\n',
        'oss_provider = "ollama"\n'
      ]) {
        put(home, ".codex/config.toml", config)
        assert.include(codex(home), "another service", config)
      }
      put(home, ".codex/config.toml", 'forced_login_method = "api"\n')
      assert.include(codex(home), "wants a key")
    })
  )

  it("is the session's own matter in OpenCode, and unknown of any other host", () => {
    assert.strictEqual(Billing.of("opencode", {}), Billing.login)
    assert.notStrictEqual(Billing.of("toString", {}), Billing.login)
  })
})

describe("the host's own model", () => {
  it.scoped(
    "is asked where the user agreed, or said so in the session, and never against their word or for money",
    () =>
      Effect.gen(function* () {
        const home = yield* scratch
        put(home, ".claude/.credentials.json", { claudeAiOauth: {} })
        const directories = { state: join(home, "state") }
        const asked = { directories, host: "claude-code", env: { HOME: home }, said: null }
        assert.isNull(Billing.mayAsk(asked))
        assert.strictEqual(Billing.mayAsk({ ...asked, said: "on" }), "claude-code/small")
        OwnModels.keep(directories, "claude-code", { asked: true, at: "2026-11-27T10:00:00.000Z" })
        assert.strictEqual(Billing.mayAsk(asked), "claude-code/small")
        assert.isNull(Billing.mayAsk({ ...asked, said: "off" }))
        assert.isNull(Billing.mayAsk({ ...asked, host: "codex" }))
        const keyed = { ...asked, env: { HOME: home, ANTHROPIC_API_KEY: "k" } }
        assert.isNull(Billing.mayAsk(keyed))
        assert.isNull(Billing.mayAsk({ ...keyed, said: "on" }))
      })
  )
})
