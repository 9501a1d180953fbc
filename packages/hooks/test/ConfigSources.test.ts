/** Which of several sources decides about the model and about the options of OpenCode's plugin. */
import { assert, describe, it } from "@effect/vitest"
import type * as ReflexionConfig from "@reflexion/core/ReflexionConfig"
import { Effect, Either } from "effect"
import { join } from "node:path"
import { works } from "../../core/test/support/works.ts"
import * as ConfigSources from "../src/config/ConfigSources.ts"
import { running } from "@reflexion/opencode/internal/decoder/Program"
import * as OpenCodeSettings from "../src/config/OpenCodeSettings.ts"
import * as Trust from "../src/config/Trust.ts"
import { scratch } from "./support/session.ts"

type Said = ReflexionConfig.PartialConfig

interface Sources {
  readonly user?: Said
  readonly env?: string
  readonly plugin?: Said
  readonly project?: Said
  readonly trusted?: Said
  readonly own?: string
}

/** Resolves the sources in a new project whose configuration is on the disk. */
const resolve = ({ env, own, plugin, project, trusted, user }: Sources) =>
  Effect.map(scratch, ({ hook: { directories }, put, root }) => {
    const workspace = trusted ?? project
    if (workspace !== undefined) put(".reflection/config.json", JSON.stringify(workspace))
    if (trusted !== undefined) Trust.trust(directories, Trust.Workspace.at(directories, root))
    return ConfigSources.resolve({
      user: user === undefined ? null : { file: "f", text: JSON.stringify(user) },
      env: env === undefined ? {} : { REFLEXION_MODEL: env },
      ...(plugin !== undefined && { host: plugin }),
      ...(own !== undefined && { own }),
      workspace: Trust.Workspace.at(directories, root)
    })
  })

const small = "opencode/small"

/** What each source says, and the model in force. `own` is the host's own small model, if it may be asked. */
const models = `
  : off
  user=auto: auto
  user=auto env=openai/gpt-5: openai/gpt-5
  own=opencode/small: opencode/small
  own=opencode/small user=: opencode/small
  own=opencode/small user=openai/gpt-5: openai/gpt-5
  own=opencode/small user=off: off
  own=opencode/small env=off: off
  own=opencode/small plugin=off: off
  plugin=off user=auto: off
  own=opencode/small project=off: off
  own=opencode/small trusted=off: off
  own=opencode/small plugin=opencode/small user=off: off
  own=opencode/small user=a/b project=off: a/b
  own=opencode/small project=openai/gpt-5: opencode/small
  project=opencode/small: off
  project=auto: off
  trusted=auto: auto
  own=opencode/small plugin=x/y trusted=a/b: a/b
  own=opencode/small plugin=x/y env=openai/gpt-5: openai/gpt-5
  user=opencode/small: opencode/small`
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => [line.slice(0, line.lastIndexOf(":")).trim(), line.slice(line.lastIndexOf(":") + 2)] as const)

const sourcesOf = (text: string): Sources =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)=(\S*)/g)].map(([, source = "", model = ""]) => [
      source,
      source === "own" || source === "env" ? model : model === "" ? { maxAttempts: 2 } : { model }
    ])
  )

const fallbacks = (sources: Sources) => Effect.map(resolve(sources), (one) => Either.getOrThrow(one).models.fallback)

const load = (options: unknown) =>
  Effect.map(scratch, ({ hook: { directories, env }, root }) =>
    OpenCodeSettings.load({ directories, env, root, options, build: "test" })
  )

describe("the model in force", () => {
  it.scoped.each(models)("with %s → %s", ([text, expected]) =>
    Effect.map(resolve(sourcesOf(text)), (found) => assert.strictEqual(Either.getOrThrow(found).model, expected))
  )

  works("the host's own model gets no fallback, unless the user named the model", function* () {
    const user = { models: { fallback: ["openai/gpt-5"] } }
    assert.deepStrictEqual(yield* fallbacks({ own: "codex/small", user }), [])
    assert.deepStrictEqual(yield* fallbacks({ user: { ...user, model: "codex/small" } }), ["openai/gpt-5"])
  })

  for (const name of ["auto", "elsewhere/large", small])
    works(`cannot be set to ${name} by a plugin's options, which may be a project's`, function* () {
      for (const said of [{}, { project: { model: "auto" } }, { trusted: { maxAttempts: 1 } }] as const) {
        const problem = Either.getOrThrow(Either.flip(yield* resolve({ own: small, plugin: { model: name }, ...said })))
        assert.include(problem, `${JSON.stringify(name)} is not used, because a project can set these options too`)
      }
    })

  it.scoped.each(["on", "gpt-5", "openai/"])("an invalid REFLEXION_MODEL is refused: %s", (env) =>
    Effect.map(resolve({ env }), (found) =>
      assert.deepStrictEqual(found, Either.left("REFLEXION_MODEL: must be off, auto or provider/model"))
    )
  )
})

describe("the options of OpenCode's plugin", () => {
  works("choose neither providers nor commands", function* () {
    const providers = { openai: { api: "openai", url: "https://elsewhere.example" } } as const
    const plugin = { models: { providers }, checks: [{ name: "tests", command: "curl x", timeout: 60 }] }
    const { checks, models: given } = Either.getOrThrow(yield* resolve({ plugin }))
    assert.deepStrictEqual([given.providers, checks], [{}, []])
  })

  works("leave the provider's small model to the user's consent, unless they turn it off", function* () {
    for (const options of [undefined, {}, { maxAttempts: 2, profile: "advisory" }])
      assert.deepInclude(yield* load(options), { byConsent: true, problem: null })
    for (const options of [{ model: "off" }, { modle: "off" }]) {
      const { byConsent, config } = yield* load(options)
      assert.deepStrictEqual([byConsent, config.model], [false, "off"])
    }
  })

  it.scoped.each<readonly [options: unknown, says: RegExp]>([
    [{ maxAtempts: 2 }, /: maxAtempts: unknown key; did you mean "maxAttempts"\?$/],
    [{ model: "x" }, /: model: must be "off", "auto" or "provider\/model"$/],
    ["strict", /: [^:]+$/],
    [Object.fromEntries("abcdefgh".split("").map((name) => [name, 1])), /\n\(and 3 more\)$/]
  ])("that cannot be used are reported without a place in a file: %j", ([options, says]) =>
    Effect.map(load(options), ({ problem }) => {
      assert.match(problem ?? "", /^the plugin's options in OpenCode's configuration: /)
      assert.match(problem ?? "", says)
    })
  )

  const mine = ".config/opencode"
  it.scoped.each<readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>, ReadonlyArray<string>]>([
    [
      {
        [`${mine}/opencode.json`]: '{ "small_model": "a/json" }',
        [`${mine}/opencode.jsonc`]: '{\n  // mine\n  "small_model": "a/jsonc",\n}',
        "mine.json": '{ "small_model": "a/named" }'
      },
      { OPENCODE_CONFIG: "mine.json", OPENCODE_CONFIG_CONTENT: '{ "small_model": "a/content" }' },
      ["a/json", "a/jsonc", "a/named", "a/content"]
    ],
    [{ "xdg/opencode/config.json": '{ "small_model": "a/xdg" }' }, { XDG_CONFIG_HOME: "xdg" }, ["a/xdg"]],
    [
      {
        ".config/kilo/kilo.jsonc": '{ "small_model": "a/kilo" }',
        [`${mine}/opencode.json`]: '{ "small_model": "a/b" }'
      },
      { KILO_CONFIG_CONTENT: '{ "small_model": "a/content" }', KILO_PID: "1" },
      ["a/kilo", "a/content"]
    ],
    [
      { [`${mine}/config.json`]: "{", [`${mine}/opencode.json`]: '{ "small_model": 3 }' },
      { OPENCODE_CONFIG_CONTENT: "no" },
      []
    ]
  ])("the user's OpenCode files and variables name the small models: %j and %j → %j", ([files, env, expected]) =>
    Effect.map(scratch, ({ put, root }) => {
      for (const [name, text] of Object.entries(files)) put(name, text)
      const placed = Object.entries(env).map(([name, value]) => [
        name,
        /(CONFIG|HOME)$/.test(name) ? join(root, value) : value
      ])
      const at: Readonly<Record<string, string>> = { HOME: root, ...Object.fromEntries(placed) }
      assert.deepStrictEqual(OpenCodeSettings.smallModels(at, running(at, 1)), expected)
    })
  )
})
