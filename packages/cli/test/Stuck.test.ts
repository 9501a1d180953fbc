import { assert, describe, it } from "@effect/vitest"
import { Assessment } from "@reflexion/core/StuckAssessment"
import { Effect, FastCheck as fc, Schema, TestClock } from "effect"
import * as Hosts from "../src/host/Hosts.ts"
import { spec } from "../src/stuck/StuckCommand.ts"
import { folder, runCli, type Surroundings } from "./runCli.ts"
import { claudeCode, codex, failing, passing, text } from "./sessions.ts"
import * as Silences from "./silences.ts"

const Printed = Schema.Struct({ file: Schema.String, ...Assessment.fields })

const one = Schema.decodeUnknownSync(Schema.parseJson(Printed), { onExcessProperty: "error" })

const named = (line: string): string =>
  Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({ file: Schema.String })))(line).file

const files = {
  "working.json": Silences.working,
  "waiting.json": Silences.waiting,
  "complete.json": Silences.complete,
  "stuck.json": Silences.stuck,
  "looping.json": Silences.looping
}

const run = (root: string, words: string, given: Surroundings = {}) =>
  runCli(["stuck", ...words.split(" ").filter(Boolean)], { cwd: root, ...given })

/** A minute after the last event. */
const stuck = (root: string, words: string, given: Surroundings = {}) =>
  run(root, `${words} --now ${Silences.after(60)}`, given)

const piped = (content: string | Uint8Array): Surroundings => ({
  stdin: [typeof content === "string" ? new TextEncoder().encode(content) : content]
})

describe("reflexion stuck", () => {
  it("offers every host that can be read", () => {
    const choices = spec.options.find(({ name }) => name === "host")?.choices
    assert.deepStrictEqual(choices, ["auto", ...Hosts.decoders.map(({ host }) => host)])
  })

  describe("exit status", () => {
    it.scoped.each([
      ["working.json", 0],
      ["waiting.json", 0],
      ["complete.json", 0],
      ["stuck.json", 1],
      ["looping.json", 1],
      ["missing.json", 2],
      ["working.json complete.json", 0],
      ["working.json stuck.json waiting.json", 1],
      ["stuck.json missing.json working.json", 2]
    ] as const)("%s: %i", ([words, code]) =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        assert.strictEqual((yield* stuck(root, words)).code, code)
      })
    )
  })

  describe("the assessment", () => {
    it.scoped.each([
      ["working.json", "working"],
      ["waiting.json", "waiting_for_user"],
      ["complete.json", "complete"],
      ["stuck.json", "genuinely_stuck"]
    ] as const)("of %s is %s", ([file, reason]) =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { err, out } = yield* stuck(root, `${file} --format json`)
        const found = one(out)
        assert.deepStrictEqual([found.file, found.reason, found.silence, err], [file, reason, 60, ""])
        assert.strictEqual(found.stuck, reason === "genuinely_stuck")
        assert.strictEqual(found.shouldNudge, found.stuck)
        assert.strictEqual(found.nudge !== null, found.shouldNudge)
        assert.strictEqual(found.source, "evidence")
        assert.isNotEmpty(found.evidence)
      })
    )

    it.scoped("names the calls of a loop, its period and its count", () =>
      Effect.gen(function* () {
        const root = yield* folder({ ...files, "turns.json": Silences.alternating })
        const [same] = one((yield* stuck(root, "looping.json --format json")).out).loops
        assert.deepStrictEqual([same?.pattern, same?.period, same?.count], ["same_result", 1, 9])
        assert.deepStrictEqual(same?.calls, [{ tool: "bash", summary: "cat src/cart.ts" }])
        const [turns] = one((yield* stuck(root, "turns.json --format json")).out).loops
        assert.deepStrictEqual([turns?.pattern, turns?.period, turns?.count], ["cycle", 2, 6])
        assert.deepStrictEqual(
          turns?.calls.map(({ summary }) => summary),
          ["npm test", "git status"]
        )
      })
    )
  })

  describe("--now", () => {
    it.scoped("ends the silence: nobody is nudged before it has lasted long enough", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const at = (seconds: number) =>
          Effect.map(run(root, `stuck.json --format json --now ${Silences.after(seconds)}`), ({ out }) => one(out))
        assert.deepStrictEqual([(yield* at(5)).silence, (yield* at(5)).shouldNudge], [5, false])
        assert.deepStrictEqual([(yield* at(45)).silence, (yield* at(45)).shouldNudge], [45, true])
        assert.strictEqual((yield* at(0)).silence, 0)
      })
    )

    it.scoped("lies after what happened: before the last event it is an error", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { code, err, out } = yield* run(root, `stuck.json --format json --now ${Silences.after(-45)}`)
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(err, `stuck.json: --now: ${Silences.after(-45)} is before the session's last event, at `)
      })
    )

    it.scoped("the user's configuration says how long is long enough", () =>
      Effect.gen(function* () {
        const root = yield* folder({ ...files, "reflexion/config.json": '{"stuck": {"silence": 90}}' })
        const nudged = (env: Record<string, string>) =>
          Effect.map(stuck(root, "stuck.json --format json", { env }), ({ out }) => one(out).shouldNudge)
        assert.deepStrictEqual([yield* nudged({}), yield* nudged({ XDG_CONFIG_HOME: root })], [true, false])
      })
    )

    it.scoped("is the present where it is not given", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        yield* TestClock.setTime(new Date(Silences.after(90)))
        assert.strictEqual(one((yield* run(root, "stuck.json --format json")).out).silence, 90)
      })
    )

    it.scoped("a record without times has no silence, and nobody is nudged", () =>
      Effect.gen(function* () {
        const untimed = Silences.stuck.replace(/"at":"[^"]{1,40}",/gu, "")
        const { out } = yield* stuck("/", "- --format json", piped(untimed))
        assert.deepStrictEqual([one(out).silence, one(out).shouldNudge], [null, false])
        const shown = yield* stuck("/", "-", piped(untimed))
        assert.include(shown.out, "its record has no times")
      })
    )
  })

  describe("input", () => {
    it.scoped.each([
      ["empty.jsonl", "empty.jsonl: is empty"],
      ["notes.txt", "notes.txt: no session found in it; formats tried: claude-code, codex, opencode, transcript"],
      ["binary", "binary: no session found in it"],
      ["second.json", 'second.json: "version" is 2, and the one that is known is 1: '],
      ["none.json", 'none.json: "version" is missing, and the one that is known is 1: '],
      ["eventless.json", 'eventless.json: "events" is empty: '],
      ["folder", "folder: is a directory"],
      ["missing.jsonl", "missing.jsonl: no such file"],
      ["stuck.json --host codex", "it looks like one of transcript"]
    ] as const)("%s: exit 2, %s", ([words, expected]) =>
      Effect.gen(function* () {
        const root = yield* folder({
          ...files,
          "empty.jsonl": "",
          "notes.txt": "dear diary\n",
          "second.json": JSON.stringify({ version: 2, events: [{ type: "user_message", text: "Fix it." }] }),
          "none.json": JSON.stringify({ events: [{ type: "user_message", text: "Fix it." }] }),
          "eventless.json": JSON.stringify({ version: 1, events: [] }),
          binary: Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256),
          "folder/inside": ""
        })
        const { code, err, out } = yield* stuck(root, words)
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(err, expected)
        assert.strictEqual(err.split("\n").length, 1)
      })
    )

    it.scoped("takes the task that was given for the prompt where the record has none", () =>
      Effect.gen(function* () {
        const root = yield* folder({ "s.json": Silences.promptless(Silences.stuck) })
        const without = one((yield* stuck(root, "s.json --format json")).out)
        assert.isFalse(without.shouldNudge)
        const words = ["stuck", "s.json", "--format", "json", "--now", Silences.after(60)]
        const { out } = yield* runCli([...words, "--task", "Fix the rounding and run npm test."], { cwd: root })
        assert.deepStrictEqual([one(out).reason, one(out).shouldNudge], ["genuinely_stuck", true])
      })
    )

    it.scoped("an advisory profile nudges nobody, whether flag, workspace or environment say so", () =>
      Effect.gen(function* () {
        const root = yield* folder({
          ...files,
          ".reflection/config.json": '{"profile": "advisory"}',
          "package.json": "{}"
        })
        const nudges = (words: string, env: Record<string, string> = {}) =>
          Effect.map(stuck(root, `stuck.json --format json ${words}`, { env }), ({ out }) => one(out).shouldNudge)
        assert.isTrue(yield* nudges(""))
        assert.isFalse(yield* nudges("--profile advisory"))
        assert.isFalse(yield* nudges(`--cwd ${root}`))
        assert.isFalse(yield* nudges("", { REFLEXION_PROFILE: "advisory" }))
      })
    )
  })

  describe("--format", () => {
    it.scoped.each([
      ["working.json", ["… WORKING  silent for 1 min", "the agent would be left alone", "nothing to say"]],
      ["waiting.json", ["? WAITING FOR YOU  silent for 1 min", "Which database"]],
      ["complete.json", ["✓ DONE  silent for 1 min"]],
      ["stuck.json", ["✗ STUCK  silent for 1 min", "the agent would be nudged", "│ [reflexion 1/3]"]],
      ["looping.json", ["in a loop", "✗ same result", "9 times", "bash  cat src/cart.ts"]]
    ] as const)("text of %s says %j", ([file, parts]) =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { out } = yield* stuck(root, file)
        for (const part of [file, "session s1", "last event 2026-01-31 10:10 UTC", ...parts]) assert.include(out, part)
      })
    )

    it.scoped("lets no control character and no secret of a session through", () =>
      Effect.gen(function* () {
        const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"}`
        const hostile = `cat \u001b[2Jsrc \u001b]0;owned\u0007\u009b31m\u202e ${secret}`
        const call = Silences.bash(hostile, { output: hostile })
        const asks = Silences.agent(`Which database should I use, ${hostile}, or SQLite?`)
        const root = yield* folder({
          "loop.json": Silences.session([Silences.ask, call, call, call, call, call, call]),
          "ask.json": Silences.session([Silences.user(hostile), asks], {
            host: "a\u001b[2Jb",
            sessionId: "s\u009b31m\u202e"
          })
        })
        for (const format of ["text", "json", "jsonl"]) {
          const { out } = yield* stuck(root, `loop.json ask.json --format ${format}`)
          assert.notMatch(out.replaceAll("\n", ""), /[\p{Cc}\u202e]/u)
          assert.notInclude(out, secret)
        }
      })
    )
  })

  describe("usage", () => {
    it.effect.each([
      [["--now", "soon", "a"], '--now: "soon" is not an ISO 8601 time'],
      [["--now", "2026-02-30T00:00:00Z", "a"], "--now: "],
      [["--now", "2026-01-31", "--now", "2026-02-01", "a"], "--now is given more than once"],
      [["--now"], "--now needs a value: ISO"],
      [["--turn", "1", "a"], "unknown option --turn"],
      [["--format", "yaml", "a"], '--format: "yaml" is none of text, json, jsonl'],
      [["-", "-"], "standard input can be read only once"],
      [["a", "--cwd", "/nowhere/at/all"], '--cwd: "/nowhere/at/all" is not a directory']
    ] as const)("%j: exit 2, on standard error, in two lines", ([words, expected]) =>
      Effect.gen(function* () {
        const { code, err, out } = yield* runCli(["stuck", ...words])
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(err, expected)
        assert.deepStrictEqual(err.split("\n").slice(1), ["Try 'reflexion stuck --help'."])
      })
    )
  })

  const json = fc.jsonValue({ maxDepth: 4 })

  const damaged = fc
    .tuple(
      fc.constantFrom(Silences.stuck, Silences.looping, text(claudeCode([failing])), text(codex([failing, passing]))),
      fc.array(fc.tuple(fc.nat(5000), fc.nat(30), fc.string({ maxLength: 8 })), { minLength: 1, maxLength: 4 })
    )
    .map(([whole, cuts]) =>
      cuts.reduce((left, [at, length, put]) => left.slice(0, at) + put + left.slice(at + length), whole)
    )

  const events = fc
    .array(
      fc.record(
        {
          type: fc.constantFrom("user_message", "assistant_message", "tool_call", "todo_update", "notice", "odd"),
          at: fc.oneof(fc.constantFrom("2026-01-31T10:00:00Z", "soon", ""), json),
          text: fc.oneof(fc.string(), json),
          tool: fc.oneof(fc.constantFrom("bash", "edit"), json),
          input: json,
          output: json,
          todos: json,
          kind: fc.constantFrom("aborted", "compacted", "api_error", "odd")
        },
        { requiredKeys: ["type"] }
      )
    )
    .map((steps) => JSON.stringify({ version: 1, host: "other", events: steps }))

  const anything = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .oneof(
        fc.string(),
        json.map((value) => JSON.stringify(value)),
        damaged,
        events
      )
      .map((content) => new TextEncoder().encode(content))
  )

  it.scoped.prop(
    "whatever is read, it is assessed, or one line says why it could not be",
    [fc.array(anything, { minLength: 10, maxLength: 20 })],
    ([contents]) =>
      Effect.gen(function* () {
        const root = yield* folder(Object.fromEntries(contents.map((content, index) => [`f${index}`, content])))
        for (const command of ["stuck", "compaction"]) {
          const names = contents.map((_, index) => `f${index}`)
          const { code, err, out } = yield* runCli([command, "--format", "jsonl", ...names], { cwd: root })
          const told = out.split("\n").filter(Boolean).map(named)
          const refused = names.filter((name) => !told.includes(name))
          assert.strictEqual(code === 2, refused.length > 0)
          for (const name of refused) assert.include(err, `reflexion: ${name}: `)
          assert.notMatch(err, /fault of reflexion/u)
          for (const line of err.split("\n").filter(Boolean)) assert.match(line, /^reflexion: f\d+: /u)
        }
      }),
    { fastCheck: { numRuns: 6 } }
  )
})
