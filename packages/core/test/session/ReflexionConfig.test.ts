import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, FastCheck as fc, Layer } from "effect"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"
import { pairs, triples } from "../support/rows.ts"
import { table } from "../support/sessions.ts"
import { works } from "../support/works.ts"

const { defaults, merge, mergeTrusted, mergeWorkspace } = ReflexionConfig

const parse = (text: string) => ReflexionConfig.parse(text, { file: "a/config.json" })

const read = (value: unknown): ReflexionConfig.PartialConfig => Either.getOrThrow(parse(JSON.stringify(value)))

const problems = (text: string): ReadonlyArray<ReflexionConfig.ConfigProblem> =>
  Either.match(parse(text), { onLeft: (error) => error.problems, onRight: () => [] })

const gate = (over: Partial<ReflexionConfig.DeclaredGate> = {}): ReflexionConfig.DeclaredGate => ({
  name: "api",
  command: "npm test",
  paths: [],
  required: true,
  ...over
})

const file = `{
  "profile": "strict", "continueAfterLimit": true, "maxAttempts": 1, "stuck": { "silence": 45, "stall": 300 }, "model": "local/coder",
  "gates": [{ "name": "api", "command": "npm test", "paths": ["api/**"], "required": true }],
  "models": {
    "fallback": ["openai/gpt-5", "openrouter/qwen/qwen3-coder:free"], "fast": { "anthropic": ["claude-haiku-4-5"], "local": [] },
    "weak": ["mini", "*/gemma*"], "timeout": 90, "tokensPerReview": 1000, "tokensPerDay": 50000,
    "providers": { "local": { "api": "chat-completions", "url": "http://localhost:8000/v1" }, "openai": { "api": "openai", "keyEnv": "WORK_KEY" } }
  },
  "crossReview": { "reviewer": "openai/gpt-5", "auditor": "anthropic/claude-opus-4-5" },
  "routing": { "frontend": "google/gemini-3-pro", "default": "openai/gpt-5" },
  "checks": [
    { "name": "tests", "command": "npm test", "timeout": 300 },
    { "name": "lint", "command": "npm run lint", "timeout": 60, "paths": ["docs/**"], "when": "claim" }
  ],
  "todos": {
    "enabled": true, "agents": ["planner"], "delegates": ["coder"], "resetOn": "each-todowrite", "delegateFrom": 4, "largeFrom": 10, "required": true,
    "limits": { "implementation": 0, "no-delegation": 2, "parallel": 1, "large-list": 1, "completed": 0 }
  }
}`

const everything: ReflexionConfig.PartialConfig = JSON.parse(file)

/** A configuration, and the problem that is reported. Without a problem, it is read. */
const rows = String.raw`
  {"profil":1} :: profil: unknown key; did you mean "profile"? ¦ {"profile":"strct"} :: profile: must be "balanced", "strict" or "advisory"
  {"maxAttempts":4} :: maxAttempts: must be ¦ {"gates":[{"name":"b","command":"y","path":[]}]} :: gates[0].path: unknown key; did you mean "paths"?
  {"gates":[{"name":"a","command":"b","untrusted":false}]} :: gates[0].untrusted: unknown key ¦ {"gates":[1]} :: gates[0]:
  {"stuck":{"silenc":5}} :: stuck.silenc: unknown key; did you mean "silence"?
  {"stuck":{"stall":"long"}} :: stuck.stall: must be a number of seconds from 10 to 86400 ¦ {"stuck":30} :: stuck: must be an object with silence or stall
  {"todos":{"agent":["planner"]}} :: todos.agent: unknown key; did you mean "agents"?
  {"todos":{"agents":"planner"}} :: todos.agents: must be a list of names of agents
  {"todos":{"agents":[""]}} :: todos.agents[0]: must be a text of 1 to 100 characters
  {"todos":{"resetOn":"restart"}} :: todos.resetOn: must be "completion", "never" or "each-todowrite"
  {"todos":{"delegateFrom":0}} :: todos.delegateFrom: must be a whole number from 1 to 100
  {"todos":{"limits":{"paralel":1}}} :: todos.limits.paralel: unknown key; did you mean "parallel"?
  {"cycle":{"batch_treshold":5}} :: cycle.batch_treshold: unknown key; did you mean "batch_threshold"?
  {"cycle":{"enabled":1}} :: cycle.enabled: must be true or false
  {"cycle":{"batch_threshold":0}} :: cycle.batch_threshold: must be a whole number from 1 to 10000
  {"cycle":{"consecutive_failure_limit":2.5}} :: cycle.consecutive_failure_limit: must be a whole number from 1 to 100
  {"cycle":{"lookback_seconds":"1 day"}} :: cycle.lookback_seconds: must be a whole number from 60 to 31536000
  {"cycle":[]} :: cycle: must be an object with enabled, batch_threshold, consecutive_failure_limit, lookback_seconds or min_result_length ¦ {"model":"off"}
  {"model":"openrouter/meta/llama:free"} ¦ {"model":"on"} :: model: must be "off", "auto" or "provider/model"
  {"model":"openai/"} :: model: must be "off", "auto" or "provider/model" ¦ {"model":null} :: model: must be "off", "auto" or "provider/model"
  {"checks":"npm test"} :: checks: must be a list of checks
  {"checks":[{"name":"tests","comand":"x","command":"x"}]} :: checks[0].comand: unknown key; did you mean "command"?
  {"checks":[{"name":"tests","command":" "}]} :: checks[0].command: must be a command of 1 to 500 characters
  {"checks":[{"name":"tests","command":"x","when":"never"}]} :: checks[0].when: must be "stop", "claim" or "ask"
  {"checks":[{"name":"tests","command":"x","timeout":"5m"}]} :: checks[0].timeout: must be a number of seconds from 1 to 3600, or a text such as "5 minutes"
  {"checks":[{"name":"tests","command":"x","timeout":"2 hours"}]} :: checks[0].timeout: must be a number
  {"checks":[{"name":"tests","command":"x","timeout":0}]} :: checks[0].timeout: must be a number
  {"models":{"fallbak":[]}} :: models.fallbak: unknown key; did you mean "fallback"?
  {"models":{"timeout":0}} :: models.timeout: must be a number of seconds from 1 to 600
  {"models":{"tokensPerDay":1.5}} :: models.tokensPerDay: must be a whole number of tokens, at least 1
  {"models":{"fallback":["gpt"]}} :: models.fallback[0]: must be a name such as
  {"models":{"providers":{"x":{"api":"openai","urll":"y"}}}} :: models.providers.x.urll: unknown key; did you mean "url"?
  {"models":{"providers":{"Not This":{"api":"openai"}}}} :: models.providers.Not This: not a name that is allowed here
  {"models":{"providers":{"x":{"api":"gemini"}}}} :: models.providers.x.api: must be "anthropic", "openai" or "chat-completions"
  {"models":{"providers":{"x":{"api":"openai","url":"file:///etc/passwd"}}}} :: models.providers.x.url: must be an http or https address without a user, a password,
  {"models":{"providers":{"x":{"api":"openai","url":"https://me:secret@host/v1"}}}} :: models.providers.x.url: must be an http
  {"models":{"providers":{"x":{"api":"openai","url":"http://h/v1?key=x"}}}} :: models.providers.x.url: must be an http
  {"models":{"providers":{"x":{"api":"anthropic","keyEnv":"sk-ant-api03-0123456789abcdefghij"}}}} :: models.providers.x.keyEnv: must be the name of an environment variable that has the key, never the key itself
  {"routing":{"backnd":"a/b"}} :: routing.backnd: unknown key; did you mean "backend"?
  {"crossReview":{"reviewer":"auto"}} :: crossReview.reviewer: must be a name such as
  {"crossReview":true} :: crossReview: must be an object with reviewer or auditor
`

const unknown = JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 1])))

const globs = (count: number) => JSON.stringify({ gates: [gate({ paths: Array(count).fill("a/**") })] })

const fill = (unit: string) => unit.repeat(Math.floor((ReflexionConfig.maxLength - 40) / unit.length))

const many = (count: number) =>
  JSON.stringify({ gates: Array.from({ length: count }, (_, at) => gate({ name: `g${at}` })) })

describe("a configuration file", () => {
  it.each(table(rows))("%s: %s", (text = "", said) => {
    const found = problems(text).map(({ key, problem }) => `${key}: ${problem}`)
    if (said === undefined) assert.deepStrictEqual(found, [])
    else {
      assert.lengthOf(found, 1)
      assert.isTrue(found[0]?.startsWith(said), found[0])
      assert.notInclude(found[0], "sk-ant-api03")
    }
  })

  it("is read with every key, with comments and trailing commas", () => {
    assert.deepStrictEqual(Either.getOrThrow(parse(file)), everything)
    const commented = Either.getOrThrow(parse('// ours\n{ "profile": "strict", /* x */ "gates": [], }'))
    assert.deepStrictEqual(commented, { profile: "strict", gates: [] })
  })

  it.each(pairs`5 minutes :: 300 ¦ 90 seconds :: 90 ¦ 1 hour :: 3600 ¦ 1.5 minutes :: 90`)(
    "the time %s is %s seconds",
    (timeout, seconds) => {
      const [check] = read({ checks: [{ name: "tests", command: "x", timeout }] }).checks ?? []
      assert.strictEqual(check?.timeout, Number(seconds))
    }
  )

  it.each(["", "  // nothing\n", "{", "[]", "null", '{"profile": strict}'])(
    "is rejected with a line number: %j",
    (text) => {
      const found = problems(text)
      assert.isNotEmpty(found)
      for (const { line, problem } of found) assert.isTrue(line >= 1 && problem !== "")
    }
  )

  it("problems name file, line and key: five at most, and how many more", () => {
    const [first, second] = problems('{\n"profil": 1,\n  "zzzzzz": 1}')
    assert.include(first, { line: 2, column: 1, key: "profil" })
    assert.include(second, { line: 3, column: 3 })
    assert.include(second?.problem, "profile, attended, gates, rules, maxAttempts")
    const error = Either.getOrThrow(Either.flip(parse(unknown)))
    assert.deepStrictEqual([error.problems.length, error.more], [5, 2995])
    assert.match(error.message, /^a\/config\.json:1:2: k0: [^]*\n\(and 2995 more\)$/)
  })

  it("up to 50 gates, 100 globs and 64 kB are read; larger files are refused", () => {
    assert.deepStrictEqual([problems(many(50)), problems(globs(100))], [[], []])
    assert.deepInclude(problems(many(51))[0], { key: "gates", problem: "must be at most 50 gates" })
    assert.deepInclude(problems(globs(101))[0], { key: "gates[0].paths", problem: "must be at most 100 globs" })
    const [large] = problems(`{"gates": [${'{"name": "a"},'.repeat(100_000)}]}`)
    assert.strictEqual(large?.problem, "the file is larger than 64 kB")
    const long = [`{${fill('"a":1,')}}`, `{"gates": [${fill("{},")}]}`, `{"${fill("k")}": 1}`, fill("["), fill('"')]
    for (const text of long) {
      const found = problems(text)
      assert.isTrue(found.length >= 1 && found.length <= 5)
      for (const { key, problem } of found) assert.isAtMost(`${key}${problem}`.length, 400)
    }
  })

  it("problems show no control characters, and any text is read or refused", () => {
    const [problem] = problems(JSON.stringify({ "a\u001b]0;b\u0007\u202ec": 1 }))
    assert.notMatch(problem?.key ?? "", /[\p{Cc}\u202e]/u)
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => assert.isTrue(Either.isEither(parse(text)))))
  })
})

const names = (all: ReadonlyArray<{ readonly name: string }>) => all.map(({ name }) => name).join()

it("a later file overrides key by key, and adds gates, checks, providers and limits", () => {
  assert.deepStrictEqual([defaults.model, defaults.checks, defaults.routing], ["off", [], {}])
  assert.deepStrictEqual(merge(defaults, { maxAttempts: 1 }), { ...defaults, maxAttempts: 1 })
  assert.deepStrictEqual(merge(defaults, { stuck: { stall: 600 } }).stuck, { silence: 30, stall: 600 })
  const both = merge(merge(defaults, everything), {
    gates: [gate({ name: "web" }), gate({ command: "make api" })],
    models: { fast: { openai: ["gpt-6-mini"] }, providers: { other: { api: "openai" } } },
    routing: { backend: "openai/gpt-6" },
    checks: [{ name: "build", command: "make", timeout: 60 }],
    todos: { agents: ["lead"], limits: { completed: 1 } },
    cycle: { batch_threshold: 5 }
  })
  assert.deepStrictEqual([names(both.gates), names(both.checks)], ["web,api", "tests,lint,build"])
  assert.strictEqual(both.gates[1]?.command, "make api")
  assert.deepStrictEqual(Object.keys(both.models.providers), ["local", "openai", "other"])
  assert.deepStrictEqual([both.models.fast["openai"], both.models.timeout], [["gpt-6-mini"], 90])
  assert.deepStrictEqual(both.routing, { ...everything.routing, backend: "openai/gpt-6" })
  assert.deepInclude(both.todos.limits, { "no-delegation": 2, completed: 1 })
  assert.deepStrictEqual(both.cycle, { ...defaults.cycle, batch_threshold: 5 })
})

describe("a workspace", () => {
  it("a trusted workspace sets everything except `stuck`", () => {
    const { stuck: _, ...rest } = everything
    assert.deepStrictEqual(mergeTrusted(defaults, everything), merge(defaults, rest))
  })

  it("an untrusted workspace sets no model, check, command or text to an agent", () => {
    const { checks, continueAfterLimit, crossReview, model, models, routing, stuck, todos } = everything
    const costly = { checks, continueAfterLimit, crossReview, model, models, routing }
    const said = { ...costly, stuck, todos } as ReflexionConfig.PartialConfig
    assert.deepStrictEqual(mergeWorkspace(defaults, said), defaults)
    const own = merge(defaults, { ...everything, model: "auto" })
    assert.deepStrictEqual(mergeWorkspace(own, { model: "off", checks: [] }), own)
    const profiles = (["advisory", "strict"] as const).map(
      (profile) => mergeWorkspace({ ...defaults, profile }, { profile: "balanced" }).profile
    )
    assert.deepStrictEqual(profiles, ["advisory", "balanced"])
  })

  it("an untrusted workspace can switch off, lower and shorten settings, and raise none", () => {
    const base = merge(defaults, { maxAttempts: 2 })
    const found = [3, 1].map((maxAttempts) => mergeWorkspace(base, { maxAttempts }).maxAttempts)
    assert.deepStrictEqual(found, [2, 1])
    const off = mergeWorkspace(base, { todos: { enabled: false }, cycle: { enabled: false, batch_threshold: 1 } })
    assert.deepStrictEqual(off.todos, { ...base.todos, enabled: false })
    assert.deepStrictEqual(off.cycle, { ...base.cycle, enabled: false })
    const on = mergeWorkspace(off, { todos: { enabled: true }, cycle: { enabled: true } })
    assert.deepStrictEqual([on.todos.enabled, on.cycle.enabled], [false, false])
    const memory = (said: NonNullable<ReflexionConfig.PartialConfig["memory"]>) =>
      mergeWorkspace(defaults, { memory: said }).memory
    const lower = { maxReflectionsPerRetry: 1, generationTimeoutMs: 5000 }
    assert.deepStrictEqual(memory(lower), { ...defaults.memory, ...lower })
    const higher = { enabled: true, maxReflectionsPerRetry: 10, generationTimeoutMs: 600_000, retentionDays: 3650 }
    assert.deepStrictEqual(memory({ ...higher, crossTask: false }), defaults.memory)
  })

  it("an untrusted workspace adds gates marked as untrusted, and replaces none of the user's", () => {
    const own = merge(defaults, { gates: [gate(), gate({ name: "web" })] })
    const said = { gates: [gate({ name: "web", command: "true" }), gate({ name: "toString" })] }
    const got = mergeWorkspace(own, said).gates.map(({ command, name, untrusted }) => `${name} ${command} ${untrusted}`)
    assert.deepStrictEqual(got, ["api npm test undefined", "web npm test undefined", "toString npm test true"])
  })

  it.each(["tests", "build", "typecheck", "lint", "pr", "ci", "push", "commit"])(
    "an untrusted workspace can neither define nor waive the gate %s",
    (name) => {
      const said = { gates: [gate({ name, command: "true", required: false })] }
      assert.deepStrictEqual(mergeWorkspace(defaults, said).gates, [])
      const own = merge(defaults, { gates: [gate({ name })] })
      assert.deepStrictEqual(mergeWorkspace(own, said).gates, own.gates)
      assert.deepStrictEqual(mergeTrusted(own, said).gates, said.gates)
    }
  )
})

describe("a gate", () => {
  it.each(triples`
    npm test :: npm test :: true ¦ npm test :: npm test -- --run :: false ¦ npm test* :: npm test -- --run :: true
    go test ./api/* :: go  test   ./api/... :: true ¦ *pytest* :: python -m pytest -q :: true ¦ *a*b* :: xbxa :: false ¦ npm.test :: npm test :: false
  `)("with the command %j matches %j: %s", (command, text, expected) => {
    assert.strictEqual(String(ReflexionConfig.matchesCommand(gate({ command }), text)), expected)
  })

  it("a pattern is matched fast, and a gate without paths covers every file", () => {
    assert.isTrue(ReflexionConfig.matchesPath(gate(), "anything"))
    assert.isFalse(ReflexionConfig.matchesCommand(gate({ command: `${"*a".repeat(249)}b*` }), "a".repeat(100_000)))
  })

  it.each(triples`
    api/** :: api/src/a.ts :: true ¦ api/** :: web/api/a.ts :: false ¦ **/*.ts :: a.ts :: true ¦ *.ts :: web/a.ts :: false ¦ api :: api/src/a.ts :: true
    api/ web :: ./web/x :: true ¦ a/**/b :: a/b :: true ¦ a/**/b :: a/x/y/c :: false
  `)("with the paths %j covers %j: %s", (paths, path, expected) => {
    const self = gate({ paths: paths.split(" ").filter(Boolean) })
    assert.strictEqual(String(ReflexionConfig.matchesPath(self, path)), expected)
  })
})

const fromEnv = (env: Record<string, string>) =>
  Layer.provide(
    ReflexionConfig.CurrentConfig.layerFromEnv,
    Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(env)), { pathDelim: "_" }))
  )

works("environment variables set profile, attended, attempts and model, or nothing", function* () {
  const names = { PROFILE: "strict", ATTENDED: "false", MAX_ATTEMPTS: "1", MODEL: "openai/gpt-5" }
  const env = Object.fromEntries(Object.entries(names).map(([key, value]) => [`REFLEXION_${key}`, value]))
  const said = { profile: "strict", attended: false, maxAttempts: 1, model: "openai/gpt-5" } as const
  const all = yield* Effect.provide(ReflexionConfig.CurrentConfig, fromEnv(env))
  assert.deepStrictEqual(all, { ...defaults, ...said })
  assert.deepStrictEqual(yield* Effect.provide(ReflexionConfig.CurrentConfig, fromEnv({})), defaults)
  const wrong = Effect.provide(ReflexionConfig.CurrentConfig, fromEnv({ REFLEXION_PROFILE: "x" }))
  assert.include(String(yield* Effect.flip(wrong)), "PROFILE")
})
