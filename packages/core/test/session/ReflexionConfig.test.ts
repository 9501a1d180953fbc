import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, FastCheck as fc, Layer, Schema } from "effect"
import * as ReflexionConfig from "../../src/session/config/ReflexionConfig.ts"

const problems = (text: string): ReadonlyArray<ReflexionConfig.ConfigProblem> =>
  Either.match(ReflexionConfig.parse(text, { file: "config.json" }), {
    onLeft: (error) => error.problems,
    onRight: () => []
  })

const gate = (over: Partial<ReflexionConfig.DeclaredGate>): ReflexionConfig.DeclaredGate => ({
  name: "api",
  command: "npm test",
  paths: [],
  required: true,
  ...over
})

const fromEnv = (env: Record<string, string>) =>
  Layer.provide(
    ReflexionConfig.CurrentConfig.layerFromEnv,
    Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(env)), { pathDelim: "_" }))
  )

const squeezed = (value: string) => value.trim().split(/\s+/).join(" ")

const many = (count: number) => Array.from({ length: count }, (_, index) => gate({ name: `g${index}` }))

/** What is wrong with what is said of todos. */
const wrongTodos = (todos: unknown) =>
  problems(JSON.stringify({ todos })).map(({ key, problem }) => `${key}: ${problem}`)

const globs = (count: number) => JSON.stringify({ gates: [gate({ paths: Array(count).fill("a/**") })] })

const fill = (unit: string): string => unit.repeat(Math.floor((ReflexionConfig.maxLength - 40) / unit.length))

const learned = (memory: NonNullable<ReflexionConfig.PartialConfig["memory"]>) =>
  ReflexionConfig.mergeWorkspace(ReflexionConfig.defaults, { memory }).memory

describe("ReflexionConfig", () => {
  describe("parse", () => {
    it("reads keys of earlier versions as what they are called now, and leaves out what is gone", () => {
      const text = `{ "reflexion": { "retentionDays": 7 }, "reflection": { "enabled": false },
        "rules": { "stop/needless-question": "tell", "claims/disproved": "tell", "work/left": "off", "loops/planning": "ask", "loops/rounds": "off" },
        "todos": { "patterns": [] } }`
      assert.deepStrictEqual(Either.getOrThrow(ReflexionConfig.parse(text, { file: "f" })), {
        memory: { retentionDays: 7 },
        cycle: { enabled: false },
        rules: {
          "question/nobody-there": "tell",
          "claims/contradicted": "tell",
          "loops/planning": "tell",
          "loops/repeat": "off"
        },
        todos: {}
      })
      assert.deepStrictEqual(ReflexionConfig.oldKeys(text), [
        { key: "reflexion", now: "memory" },
        { key: "reflection", now: "cycle" },
        { key: "rules.stop/needless-question", now: "rules.question/nobody-there" },
        { key: "rules.claims/disproved", now: "rules.claims/contradicted" },
        { key: "rules.work/left", now: null },
        { key: 'rules.loops/planning: "ask"', now: 'rules.loops/planning: "tell"' },
        { key: "rules.loops/rounds", now: "rules.loops/repeat" },
        { key: "todos.patterns", now: null }
      ])
      assert.deepStrictEqual(ReflexionConfig.oldKeys('{ "memory": {}, "rules": { "work/lefft": "off" } }'), [])
    })

    it("reads JSON with comments and trailing commas", () => {
      const text = `// ours
      { "profile": "strict", /* the API */ "gates": [{ "name": "api", "command": "npm test -w api", "paths": ["api/**"] }], }`
      assert.deepStrictEqual(Either.getOrThrow(ReflexionConfig.parse(text, { file: "f" })), {
        profile: "strict",
        gates: [gate({ command: "npm test -w api", paths: ["api/**"] })]
      })
    })

    it("names an unknown key, its line and the nearest known key", () => {
      const [problem] = problems('{\n  "maxAttempts": 2,\n  "profil": "strict"\n}')
      assert.strictEqual(problem?.line, 3)
      assert.strictEqual(problem?.column, 3)
      assert.strictEqual(problem?.key, "profil")
      assert.include(problem?.problem, '"profile"')
    })

    it("lists the known keys where none is near", () => {
      assert.include(problems('{"zzzzzz": 1}')[0]?.problem, "profile, attended, gates, rules, maxAttempts")
    })

    it("names a key, and a value that is not allowed, inside stuck", () => {
      const found = problems('{"stuck": {\n"silenc": 5,\n"stall": "long"}}')
      assert.deepStrictEqual(
        found.map(({ key, line }) => [key, line]),
        [
          ["stuck.silenc", 2],
          ["stuck.stall", 3]
        ]
      )
      assert.include(found[0]?.problem, '"silence"')
      assert.strictEqual(found[1]?.problem, "must be a number of seconds from 10 to 86400")
      assert.strictEqual(problems('{"stuck": {"silence": 0}}')[0]?.key, "stuck.silence")
      assert.strictEqual(problems('{"stuck": 30}')[0]?.problem, "must be an object with silence or stall")
      assert.deepStrictEqual(problems('{"stuck": {"silence": 45, "stall": 300}}'), [])
    })

    describe("of todos", () => {
      it("reads what is allowed", () => {
        const todos = {
          enabled: true,
          agents: ["planner"],
          delegates: ["coder"],
          limits: { implementation: 0, "no-delegation": 2, parallel: 1, "large-list": 1, completed: 0 },
          resetOn: "each-todowrite" as const,
          delegateFrom: 4,
          largeFrom: 10,
          required: true
        }
        const read = Either.getOrThrow(ReflexionConfig.parse(JSON.stringify({ todos }), { file: "f" }))
        assert.deepStrictEqual(read, { todos })
      })

      it.each([
        [{ agent: ["planner"] }, 'todos.agent: unknown key; did you mean "agents"?'],
        [{ agents: "planner" }, "todos.agents: must be a list of names of agents"],
        [{ agents: [""] }, "todos.agents[0]: must be a text of 1 to 100 characters"],
        [{ resetOn: "restart" }, 'todos.resetOn: must be "completion", "never" or "each-todowrite"'],
        [{ delegateFrom: 0 }, "todos.delegateFrom: must be a whole number from 1 to 100"],
        [{ limits: { paralel: 1 } }, 'todos.limits.paralel: unknown key; did you mean "parallel"?'],
        [{ limits: { parallel: 21 } }, "todos.limits.parallel: must be a whole number from 0 to 20"]
      ])("says of %j that %s", (todos, expected) => {
        assert.deepStrictEqual(wrongTodos(todos), [expected])
      })
    })

    it("names a key inside a gate", () => {
      const [problem] = problems(
        '{"gates": [\n{"name": "a", "command": "x"},\n{"name": "b", "command": "y", "path": []}]}'
      )
      assert.strictEqual(problem?.line, 3)
      assert.strictEqual(problem?.key, "gates[1].path")
      assert.include(problem?.problem, '"paths"')
    })

    it("reports every wrong value once", () => {
      const found = problems('{"profile": "strct",\n"maxAttempts": 4}')
      assert.deepStrictEqual(
        found.map(({ key, line }) => [key, line]),
        [
          ["profile", 1],
          ["maxAttempts", 2]
        ]
      )
    })

    it.each(["", "  // nothing\n", "{", "[]", "null", '{"gates": {}}', '{"gates": [1]}', '{"profile": strict}'])(
      "rejects %j with a place",
      (text) => {
        const found = problems(text)
        assert.isAbove(found.length, 0)
        for (const { line, problem } of found) {
          assert.isAtLeast(line, 1)
          assert.isAbove(problem.length, 0)
        }
      }
    )

    it("puts file, line and key in the message", () => {
      const error = Either.flip(ReflexionConfig.parse('{\n"profil": 1}', { file: "a/config.json" }))
      assert.match(Either.getOrThrow(error).message, /^a\/config\.json:2:1: profil: /)
    })

    it("tells the first five problems and how many there are", () => {
      const text = JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 1])))
      const error = Either.getOrThrow(Either.flip(ReflexionConfig.parse(text, { file: "f" })))
      assert.strictEqual(error.problems.length, 5)
      assert.strictEqual(error.more, 2995)
      assert.strictEqual(error.message.split("\n").length, 6)
      assert.match(error.message, /\n\(and 2995 more\)$/)
    })

    it("refuses a larger file before it reads it", () => {
      const huge = `{"gates": [${'{"name": "a", "command": "b"},'.repeat(2_000_000)}]}`
      assert.deepStrictEqual(problems(huge), [
        { line: 1, column: 1, key: null, problem: "the file is larger than 64 kB" }
      ])
      assert.deepStrictEqual(problems(`{"profile": "strict"}${" ".repeat(60_000)}`), [])
    })

    it("is done soon with the most and the deepest that fits", () => {
      const texts = [
        `{${fill('"a":1,')}}`,
        `{${fill('"\\u0061":1,\n')}}`,
        `{"gates": [${fill("{},")}]}`,
        `{"gates": [${fill('{"x":1},\n')}]}`,
        `{"gates": [${fill('{"name":"a","command":"b"},')}]}`,
        `{"gates": [{"paths": [${fill("1,")}]}]}`,
        `{"${fill("k")}": 1}`,
        `{"gates": [{"${fill("k")}": 1}]}`,
        `{"$schema": [${fill("1,")}]}`,
        fill("["),
        fill('{"a":'),
        `{"$schema": ${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
        fill("/**/"),
        fill('"')
      ]
      for (const text of texts) {
        assert.isAtMost(text.length, ReflexionConfig.maxLength)
        const found = problems(text)
        assert.isAtLeast(found.length, 1)
        assert.isAtMost(found.length, 5)
        for (const { key, problem } of found) assert.isAtMost(`${key}${problem}`.length, 400)
      }
    })

    it("allows no more gates and globs than a project has", () => {
      assert.deepStrictEqual(problems(JSON.stringify({ gates: many(50) })), [])
      const [gates] = problems(JSON.stringify({ gates: many(51) }))
      assert.strictEqual(gates?.key, "gates")
      assert.strictEqual(gates?.problem, "must be at most 50 gates")
      assert.deepStrictEqual(problems(globs(100)), [])
      assert.deepStrictEqual(
        problems(globs(101)).map(({ key, problem }) => [key, problem]),
        [["gates[0].paths", "must be at most 100 globs"]]
      )
    })

    it("shows no control character of a key", () => {
      const [problem] = problems(JSON.stringify({ "a\u001b]0;b\u0007\u202ec": 1 }))
      assert.notMatch(problem?.key ?? "", /[\p{Cc}\u202e]/u)
    })

    it("is total", () => {
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
          assert.isTrue(Either.isEither(ReflexionConfig.parse(text, { file: "f" })))
        })
      )
    })
  })

  describe("merge", () => {
    it("lets the later source win, key by key", () => {
      assert.deepStrictEqual(ReflexionConfig.merge(ReflexionConfig.defaults, { maxAttempts: 1 }), {
        ...ReflexionConfig.defaults,
        maxAttempts: 1
      })
    })

    it("lays one of the times of silence over the other's default", () => {
      const { stuck } = ReflexionConfig.merge(ReflexionConfig.defaults, { stuck: { stall: 600 } })
      assert.deepStrictEqual(stuck, { silence: 30, stall: 600 })
    })

    it("takes the times of silence from no workspace, trusted or not", () => {
      const base = ReflexionConfig.merge(ReflexionConfig.defaults, { stuck: { silence: 60 } })
      const found = { stuck: { silence: 1, stall: 10 }, maxAttempts: 1 } as const
      for (const laid of [ReflexionConfig.mergeTrusted(base, found), ReflexionConfig.mergeWorkspace(base, found)]) {
        assert.deepStrictEqual(laid.stuck, { silence: 60, stall: 180 })
        assert.strictEqual(laid.maxAttempts, 1)
      }
    })

    describe("of todos", () => {
      const base = ReflexionConfig.merge(ReflexionConfig.defaults, {
        todos: {
          agents: ["planner"],
          limits: { parallel: 2 }
        }
      })
      const over = {
        todos: {
          agents: ["lead"],
          limits: { completed: 0 },
          required: true
        }
      }

      it("adds limits up, and lets the later source say the rest", () => {
        const limits = { implementation: 1, "no-delegation": 1, parallel: 2, "large-list": 1, completed: 0 }
        const merged = { ...ReflexionConfig.defaults.todos, agents: ["lead"], limits, required: true }
        assert.deepStrictEqual(ReflexionConfig.merge(base, over).todos, merged)
        assert.deepStrictEqual(ReflexionConfig.mergeTrusted(base, over).todos, merged)
        assert.deepStrictEqual(ReflexionConfig.merge(base, {}).todos, base.todos)
      })

      it("lets a workspace that is not trusted switch it off, and say no word to an agent", () => {
        assert.deepStrictEqual(ReflexionConfig.mergeWorkspace(base, over).todos, base.todos)
        const off = ReflexionConfig.mergeWorkspace(base, { todos: { ...over.todos, enabled: false } })
        assert.deepStrictEqual(off.todos, { ...base.todos, enabled: false })
        const on = ReflexionConfig.mergeWorkspace(off, { todos: { enabled: true } })
        assert.isFalse(on.todos.enabled)
      })
    })

    describe("of the reflection cycle", () => {
      it("has these names and defaults", () => {
        assert.deepStrictEqual(ReflexionConfig.defaults.cycle, {
          enabled: true,
          batch_threshold: 10,
          consecutive_failure_limit: 3,
          lookback_seconds: 86_400,
          min_result_length: 50
        })
      })

      it("lets the later source say what it says, and a workspace that is not trusted only switch it off", () => {
        const base = ReflexionConfig.merge(ReflexionConfig.defaults, { cycle: { batch_threshold: 5 } })
        const over = { cycle: { enabled: false, consecutive_failure_limit: 1 } }
        const merged = { ...base.cycle, enabled: false, consecutive_failure_limit: 1 }
        assert.deepStrictEqual(ReflexionConfig.merge(base, over).cycle, merged)
        assert.deepStrictEqual(ReflexionConfig.mergeTrusted(base, over).cycle, merged)
        const off = ReflexionConfig.mergeWorkspace(base, over)
        assert.deepStrictEqual(off.cycle, { ...base.cycle, enabled: false })
        assert.isFalse(ReflexionConfig.mergeWorkspace(off, { cycle: { enabled: true } }).cycle.enabled)
      })

      it.each([
        [{ batch_treshold: 5 }, 'cycle.batch_treshold: unknown key; did you mean "batch_threshold"?'],
        [{ enabled: 1 }, "cycle.enabled: must be true or false"],
        [{ batch_threshold: 0 }, "cycle.batch_threshold: must be a whole number from 1 to 10000"],
        [{ consecutive_failure_limit: 2.5 }, "cycle.consecutive_failure_limit: must be a whole number from 1 to 100"],
        [{ lookback_seconds: "1 day" }, "cycle.lookback_seconds: must be a whole number from 60 to 31536000"],
        [{ min_result_length: -1 }, "cycle.min_result_length: must be a whole number from 0 to 1000000"],
        [
          [],
          "cycle: must be an object with enabled, batch_threshold, consecutive_failure_limit, lookback_seconds or min_result_length"
        ]
      ])("says of %j that %s", (cycle, expected) => {
        assert.deepStrictEqual(
          problems(JSON.stringify({ cycle })).map(({ key, problem }) => `${key}: ${problem}`),
          [expected]
        )
      })
    })

    it("adds gates up and replaces one of the same name", () => {
      const base = ReflexionConfig.merge(ReflexionConfig.defaults, { gates: [gate({}), gate({ name: "web" })] })
      const merged = ReflexionConfig.merge(base, { gates: [gate({ command: "make api" })] })
      assert.deepStrictEqual(
        merged.gates.map(({ command, name }) => [name, command]),
        [
          ["web", "npm test"],
          ["api", "make api"]
        ]
      )
    })

    it("lets a workspace lower maxAttempts and never raise it", () => {
      const base = ReflexionConfig.merge(ReflexionConfig.defaults, { maxAttempts: 2 })
      assert.strictEqual(ReflexionConfig.mergeWorkspace(base, { maxAttempts: 3 }).maxAttempts, 2)
      assert.strictEqual(ReflexionConfig.mergeWorkspace(base, { maxAttempts: 1 }).maxAttempts, 1)
      assert.strictEqual(ReflexionConfig.mergeWorkspace(base, { profile: "strict" }).maxAttempts, 2)
    })
  })

  it("marks the gates of an untrusted workspace, which no file can, and puts none in the place of the user's own", () => {
    const base = ReflexionConfig.merge(ReflexionConfig.defaults, { gates: [gate({}), gate({ name: "web" })] })
    const laxer = gate({ name: "web", command: "true" })
    const { gates } = ReflexionConfig.mergeWorkspace(base, { gates: [laxer, gate({ name: "docs" })] })
    assert.deepStrictEqual(
      gates.map(({ name, untrusted }) => [name, untrusted]),
      [
        ["api", undefined],
        ["web", undefined],
        ["docs", true]
      ]
    )
    const [problem] = problems('{"gates": [{"name": "a", "command": "b", "untrusted": false}]}')
    assert.strictEqual(problem?.key, "gates[0].untrusted")
  })

  it.each(["tests", "build", "typecheck", "lint", "pr", "ci", "push", "commit"])(
    "lets no untrusted workspace say what proves %s, or that it is not required",
    (name) => {
      const said = { gates: [gate({ name, command: "true", required: false }), gate({ name: `${name}-api` })] }
      const gates = ReflexionConfig.mergeWorkspace(ReflexionConfig.defaults, said).gates
      assert.deepStrictEqual(gates, [{ ...gate({ name: `${name}-api` }), untrusted: true }])
      const own = ReflexionConfig.merge(ReflexionConfig.defaults, { gates: [gate({ name })] })
      assert.deepStrictEqual(ReflexionConfig.mergeWorkspace(own, { gates: said.gates.slice(0, 1) }).gates, own.gates)
      assert.deepStrictEqual(ReflexionConfig.mergeTrusted(own, said).gates, said.gates)
    }
  )

  it("lets an untrusted workspace lower what is learned, raise none of it, and not say how long it is kept", () => {
    const lower = { maxReflectionsPerRetry: 1, generationTimeoutMs: 5000 }
    const { memory } = ReflexionConfig.defaults
    assert.deepStrictEqual(learned(lower), { ...memory, ...lower })
    const higher = { enabled: true, maxReflectionsPerRetry: 10, generationTimeoutMs: 600_000, retentionDays: 3650 }
    assert.deepStrictEqual(learned({ ...higher, crossTask: false }), memory)
    assert.deepStrictEqual(learned({ retentionDays: 7 }), memory)
  })

  it("leaves an untrusted workspace a gate that is called like a property of every object", () => {
    const { gates } = ReflexionConfig.mergeWorkspace(ReflexionConfig.defaults, { gates: [gate({ name: "toString" })] })
    assert.lengthOf(gates, 1)
  })

  describe("matchesCommand", () => {
    it.each([
      ["npm test", "npm test", true],
      ["npm test", "npm test -- --run", false],
      ["npm test*", "npm test -- --run", true],
      ["go test ./api/*", "go  test   ./api/...", true],
      ["*pytest*", "python -m pytest -q", true],
      ["*a*b*", "xbxa", false],
      ["*", "", true],
      ["npm.test", "npm test", false]
    ])("%j on %j is %j", (command, text, expected) => {
      assert.strictEqual(ReflexionConfig.matchesCommand(gate({ command }), text), expected)
    })

    it("matches what the pattern's stars were replaced by", () => {
      const word = fc.stringMatching(/^[a-z ]{0,8}$/)
      fc.assert(
        fc.property(fc.array(word, { minLength: 1 }), fc.array(word), (parts, fills) => {
          const text = parts
            .map((part, index) => part + (index < parts.length - 1 ? (fills[index] ?? "") : ""))
            .join("")
          const pattern = parts.join("*")
          if (squeezed(text).length === text.length && squeezed(pattern).length === pattern.length) {
            assert.isTrue(ReflexionConfig.matchesCommand(gate({ command: pattern }), text))
          }
        })
      )
    })

    it("is fast on a hostile pattern and a megabyte", () => {
      const command = `${"*a".repeat(249)}b*`
      assert.isFalse(ReflexionConfig.matchesCommand(gate({ command }), "a".repeat(1_000_000)))
    })
  })

  describe("matchesPath", () => {
    it.each([
      [["api/**"], "api/src/a.ts", true],
      [["api/**"], "web/api/a.ts", false],
      [["**/*.ts"], "a.ts", true],
      [["**/*.ts"], "web/src/a.ts", true],
      [["*.ts"], "web/a.ts", false],
      [["api"], "api/src/a.ts", true],
      [["api/", "web"], "./web/x", true],
      [[], "anything", true],
      [["a/**/b"], "a/b", true],
      [["a/**/b"], "a/x/y/b", true],
      [["a/**/b"], "a/x/y/c", false]
    ])("%j covers %j: %j", (paths, path, expected) => {
      assert.strictEqual(ReflexionConfig.matchesPath(gate({ paths }), path), expected)
    })
  })

  it("declares a gate required unless it says otherwise", () => {
    assert.isTrue(Schema.decodeSync(ReflexionConfig.DeclaredGate)({ name: "a", command: "b" }).required)
  })

  describe("CurrentConfig", () => {
    it.effect("layer lays a partial configuration over the defaults", () =>
      Effect.gen(function* () {
        const config = yield* ReflexionConfig.CurrentConfig
        assert.deepStrictEqual(config, { ...ReflexionConfig.defaults, profile: "advisory" })
      }).pipe(Effect.provide(ReflexionConfig.CurrentConfig.layer({ profile: "advisory" })))
    )

    it.effect(
      "layerFromEnv reads REFLEXION_PROFILE, REFLEXION_ATTENDED, REFLEXION_MAX_ATTEMPTS and REFLEXION_MODEL",
      () =>
        Effect.gen(function* () {
          const config = yield* ReflexionConfig.CurrentConfig
          assert.deepStrictEqual(config, {
            ...ReflexionConfig.defaults,
            profile: "strict",
            attended: false,
            maxAttempts: 1,
            model: "openai/gpt-5"
          })
        }).pipe(
          Effect.provide(
            fromEnv({
              REFLEXION_PROFILE: "strict",
              REFLEXION_ATTENDED: "false",
              REFLEXION_MAX_ATTEMPTS: "1",
              REFLEXION_MODEL: "openai/gpt-5"
            })
          )
        )
    )

    it.effect("layerFromEnv is the defaults in an empty environment", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* ReflexionConfig.CurrentConfig, ReflexionConfig.defaults)
      }).pipe(Effect.provide(fromEnv({})))
    )

    it.effect("layerFromEnv fails on a wrong value", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          Effect.provide(ReflexionConfig.CurrentConfig, fromEnv({ REFLEXION_PROFILE: "x" }))
        )
        assert.include(String(error), "PROFILE")
      })
    )
  })
})
