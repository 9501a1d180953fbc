import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Schema } from "effect"
import { chmodSync, mkdirSync, symlinkSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { folder, runCli, type Surroundings } from "./runCli.ts"
import { claudeCode, codex, failing, neutral, openCode, passing, text, undecided } from "./sessions.ts"
import * as Silences from "./silences.ts"

const Printed = Schema.Struct({
  version: Schema.Literal(1),
  file: Schema.String,
  host: Schema.String,
  turn: Schema.Struct({ index: Schema.Number }),
  status: Schema.String,
  complete: Schema.Boolean,
  shouldContinue: Schema.Boolean,
  task: Schema.Struct({ summary: Schema.String }),
  gates: Schema.Array(Schema.Struct({ gate: Schema.String, result: Schema.String }))
})

const one = Schema.decodeUnknownSync(Schema.parseJson(Printed))
const several = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Printed)))

const views = ["verdict", "stuck", "compaction", "score"] as const

const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value)

const files = {
  "pass.json": neutral([passing]),
  "fail.json": neutral([failing]),
  "unknown.json": neutral([undecided]),
  "turns.jsonl": text(claudeCode([passing, failing, passing])),
  "working.json": Silences.working,
  "stuck.json": Silences.stuck,
  "looping.json": Silences.looping
}

const judge = (root: string, words: string, given: Surroundings = {}) =>
  runCli(["judge", ...words.split(" ").filter(Boolean)], { cwd: root, ...given })

const testsIn = (out: string) => one(out).gates.find(({ gate }) => gate === "tests")?.result

/** Where Claude Code keeps the sessions of a directory. */
const claudeFolder = (project: string): string => `.claude/projects/${project.replace(/[^a-zA-Z0-9]/g, "-")}`

const id = "5e55105e-0000-4000-8000-000000000001"

const workspace = (config: string) =>
  Effect.map(folder({ ".reflection/config.json": config, "package.json": "{}" }), (root) => ({
    root,
    session: neutral([failing], { cwd: root })
  }))
const judged = (root: string, session: string, words: string, env: Readonly<Record<string, string>> = {}) =>
  Effect.map(judge(root, `- --format json ${words}`, { env, stdin: [utf8(session)] }), ({ out }) => one(out))

const statusOf = (session: string, words: string, env: Readonly<Record<string, string>> = {}) =>
  Effect.map(judged("/", session, words, env), (verdict) => verdict.status)

describe("reflexion judge", () => {
  const exits: ReadonlyArray<readonly [words: string, code: number]> = [
    ["pass.json", 0],
    ["fail.json", 1],
    ["unknown.json", 3],
    ["missing.json", 2],
    ["pass.json unknown.json", 3],
    ["pass.json unknown.json fail.json", 1],
    ["pass.json missing.json fail.json", 2],
    ["turns.jsonl", 0],
    ["turns.jsonl --turn all", 0],
    ["turns.jsonl --turn 1", 1],
    ["pass.json --host transcript", 0],
    ["--show stuck working.json", 0],
    [`--show stuck --now ${Silences.after(60)} stuck.json`, 1],
    ["--show stuck looping.json", 1],
    ["--show stuck looping.json missing.json working.json", 2],
    ["--show compaction fail.json pass.json", 0],
    ["--show compaction fail.json missing.json", 2],
    ["--show score fail.json", 0],
    ["--show score fail.json missing.json", 2]
  ]

  it.scoped("exits by what was found, of several sessions by the worst", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      for (const [words, code] of exits) assert.strictEqual((yield* judge(root, words)).code, code, words)
    })
  )

  it.scoped("reads every host's form, gzip, and standard input in pieces, in every view", () =>
    Effect.gen(function* () {
      const root = yield* folder({
        "a.jsonl": text(claudeCode([failing])),
        "b.jsonl": text(codex([failing])),
        "c.json": JSON.stringify(openCode([failing]), null, 2),
        "d.data": gzipSync(neutral([failing]))
      })
      const stdin = [...utf8(text(claudeCode([failing])))].map((byte) => Uint8Array.of(byte))
      for (const view of views) {
        const { err, out } = yield* judge(root, `a.jsonl b.jsonl c.json d.data - --format json --show ${view}`, {
          stdin
        })
        assert.strictEqual(err, "")
        const found: ReadonlyArray<Readonly<Record<string, unknown>>> = JSON.parse(out)
        const name = { verdict: "status", stuck: "reason", compaction: "action", score: "score" }[view]
        assert.deepStrictEqual(
          found.map(({ file, host }) => [file, host]),
          [
            ["a.jsonl", "claude-code"],
            ["b.jsonl", "codex"],
            ["c.json", "opencode"],
            ["d.data", "other"],
            ["-", "claude-code"]
          ]
        )
        // Some hosts tell sooner than others that a session is silent.
        if (view !== "stuck") assert.lengthOf(new Set(found.map((each) => each[name])), 1)
      }
    })
  )

  it.scoped("judges what a cut gzip holds, and says that it is cut", () =>
    Effect.gen(function* () {
      const whole = gzipSync(text(claudeCode(Array.from({ length: 200 }, () => failing))), { level: 0 })
      const root = yield* folder({ "cut.gz": whole.subarray(0, Math.floor(whole.length * 0.9)) })
      const { code, err, out } = yield* judge(root, "cut.gz --format json")
      assert.strictEqual(code, 1)
      assert.isAbove(one(out).turn.index, 100)
      assert.include(err, "damaged or cut off; judged as far as it could be read")
    })
  )

  it.scoped("warns of malformed lines, five and a count, and judges the rest", () =>
    Effect.gen(function* () {
      const [first = "", ...rest] = claudeCode([passing])
      const root = yield* folder({ "s.jsonl": text([first, ...Array<string>(8).fill("{broken"), ...rest]) })
      const { code, err } = yield* judge(root, "s.jsonl")
      const lines = err.split("\n")
      assert.deepStrictEqual([code, lines.length], [0, 6])
      assert.match(lines[0] ?? "", /^reflexion: s\.jsonl: line 2: /)
      assert.match(lines[5] ?? "", /3 more/)
    })
  )

  it.scoped("counts what the subagents of a session ran, with every host", () =>
    Effect.gen(function* () {
      const quiet = { ask: passing.ask, answer: passing.answer }
      const side = claudeCode([passing])
        .slice(1, 3)
        .map((line) => JSON.stringify({ ...JSON.parse(line), isSidechain: true, agentId: "a1" }))
      const [session, agent] = ["01a20000-0000-7000-8000-000000000001", "01a20000-0000-7000-8000-000000000002"]
      const day = "sessions/2026/01/31/rollout-2026-01-31T10-00"
      const ran = codex([passing], { sessionId: agent }).map((line) =>
        line.replace('"payload":{"id":', `"payload":{"session_id":"${session}","parent_thread_id":"${session}","id":`)
      )
      const root = yield* folder({
        [`${id}.jsonl`]: text(claudeCode([quiet]).slice(0, 2)),
        [`${id}/subagents/agent-a1.jsonl`]: text(side),
        [`${day}-00-${session}.jsonl`]: text(codex([quiet], { sessionId: session })),
        [`${day}-01-${agent}.jsonl`]: text(ran),
        "main.json": JSON.stringify(openCode([quiet], { agent: "ses_2" })),
        "main/subagents/1.json": JSON.stringify(openCode([passing], { sessionId: "ses_2" }))
      })
      for (const file of [`${id}.jsonl`, `${day}-00-${session}.jsonl`, "main.json"])
        assert.strictEqual(testsIn((yield* judge(root, `${file} --format json`)).out), "passed", file)
      const alone = yield* judge(root, `${id}/subagents/agent-a1.jsonl`)
      assert.strictEqual(alone.code, 2)
      assert.include(alone.err, `this is a subagent's record, which is read with its session's: judge ${root}`)
    })
  )

  const refusals = [
    ["empty.jsonl", "empty.jsonl: is empty"],
    ["notes.txt", "notes.txt: no session found in it; formats tried: claude-code, codex, opencode, transcript"],
    ["second.json", 'second.json: "version" is 2, and the one that is known is 1: '],
    ["eventless.json", 'eventless.json: "events" is empty: '],
    ["folder", "folder: is a directory"],
    ["missing.jsonl", "missing.jsonl: no such file"],
    ["cut.gz", "gzip data are damaged or cut off"],
    [
      "turns.jsonl --host transcript",
      "no session of transcript found in it; it looks like one of claude-code: give --host claude-code, or leave --host out"
    ],
    ["notes.txt --host codex", "no session found in it; formats tried: codex"],
    ["turns.jsonl --turn 3", "--turn 3: the session has 3 turns, 0 to 2"],
    ["turns.jsonl --now 2001-02-03T04:05:06Z", " is before the session's last event, at "],
    ["--show stuck stuck.json --now 2001-02-03T04:05:06Z", " is before the session's last event, at "],
    ["--show score promptless.json", "promptless.json: has no message of a user, and so no task to score; give what"]
  ] as const

  it.scoped("says in one line why a session cannot be judged", () =>
    Effect.gen(function* () {
      const root = yield* folder({
        ...files,
        "empty.jsonl": "",
        "notes.txt": "dear diary\n",
        "second.json": JSON.stringify({ version: 2, events: [{ type: "user_message", text: "Fix it." }] }),
        "eventless.json": JSON.stringify({ version: 1, events: [] }),
        "folder/inside": "",
        "cut.gz": gzipSync(files["turns.jsonl"]).subarray(0, 200),
        "promptless.json": Silences.promptless(Silences.complete)
      })
      for (const [words, expected] of refusals) {
        const { code, err, out } = yield* judge(root, words)
        assert.deepStrictEqual([code, out, err.split("\n").length], [2, "", 1], words)
        assert.include(err, expected)
      }
    })
  )

  it.scoped("prints one JSON document, an array for several files, or a record a line", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      const alone = yield* judge(root, "./fail.json --format json")
      assert.deepStrictEqual([one(alone.out).file, one(alone.out).complete, alone.err], ["./fail.json", false, ""])
      const two = yield* judge(root, "pass.json missing.json fail.json --format json")
      assert.deepStrictEqual(
        several(two.out).map(({ file }) => file),
        ["pass.json", "fail.json"]
      )
      assert.include(two.err, "missing.json: no such file")
      const lines = (yield* judge(root, "turns.jsonl fail.json --turn all --format jsonl")).out
        .split("\n")
        .map((line) => one(line))
      assert.deepStrictEqual(
        lines.map(({ complete, file, turn }) => [file, turn.index, complete]),
        [
          ["turns.jsonl", 0, true],
          ["turns.jsonl", 1, false],
          ["turns.jsonl", 2, true],
          ["fail.json", 0, false]
        ]
      )
    })
  )

  it.scoped("lets no control character and no secret of a session through, in any view or format", () =>
    Effect.gen(function* () {
      const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"}`
      const hostile = `cat \u001b[2Jsrc \u001b]0;owned\u0007\u009b31m\u202e ${secret}`
      const call = Silences.bash(hostile, { output: hostile })
      const asks = Silences.agent(`Which database should I use, ${hostile}, or SQLite?`)
      const names = { host: "a\u001b[2Jb", sessionId: "s\u009b31m\u202e" }
      const root = yield* folder({
        "loop.json": Silences.session([Silences.ask, call, call, call, call, call, call]),
        "ask.json": Silences.session([Silences.user(hostile), asks], names),
        "turn.json": neutral([{ ...failing, ask: `Run npm test. ${hostile}` }])
      })
      for (const view of views)
        for (const format of ["text", "json", "jsonl"]) {
          const { out } = yield* judge(root, `loop.json ask.json turn.json --format ${format} --show ${view}`)
          assert.notMatch(out.replaceAll("\n", ""), /[\p{Cc}\u202e]/u)
          assert.notInclude(out, secret)
        }
    })
  )

  describe("configuration", () => {
    it.scoped("takes a profile from flag over workspace over environment over the user's file", () =>
      Effect.gen(function* () {
        const plain = yield* folder({ "reflexion/config.json": '{"profile": "advisory"}' })
        const { root, session } = yield* workspace('{"profile": "advisory"}')
        const env = { XDG_CONFIG_HOME: plain, REFLEXION_PROFILE: "balanced" }
        const nudges = (text: string, words: string, over: Record<string, string>) =>
          Effect.map(judged(root, text, words, over), (verdict) => verdict.shouldContinue)
        assert.isTrue(yield* nudges(neutral([failing]), "", {}))
        assert.isFalse(yield* nudges(neutral([failing]), "", { XDG_CONFIG_HOME: plain }))
        assert.isTrue(yield* nudges(neutral([failing]), "", env))
        assert.isFalse(yield* nudges(session, "", env))
        assert.isFalse(yield* nudges(neutral([failing]), `--cwd ${root}`, env))
        assert.isTrue(yield* nudges(session, "--profile balanced", env))
      })
    )

    it.scoped("takes whether somebody is there from flag over environment over the session's record", () =>
      Effect.gen(function* () {
        const answer = "Should I round half up or half even?"
        const session = neutral([{ ask: "Add a function that rounds the invoice total.", runs: [], answer }])
        const away = JSON.stringify({ ...JSON.parse(session), attended: false })
        assert.strictEqual(yield* statusOf(session, ""), "waiting_for_user")
        assert.strictEqual(yield* statusOf(away, ""), "incomplete")
        assert.strictEqual(yield* statusOf(session, "--attended false"), "incomplete")
        assert.strictEqual(yield* statusOf(away, "--attended true"), "waiting_for_user")
        const env = { REFLEXION_ATTENDED: "false" }
        assert.strictEqual(yield* statusOf(session, "", env), "incomplete")
        assert.strictEqual(yield* statusOf(session, "--attended auto", env), "waiting_for_user")
      })
    )

    it.scoped("refuses what is wrong in it, and names file, line and key", () =>
      Effect.gen(function* () {
        const { root, session } = yield* workspace('{\n  // ours\n  "profil": "strict"\n}')
        const { code, err, out } = yield* judge(root, "-", { stdin: [utf8(session)] })
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(
          err,
          `${join(root, ".reflection", "config.json")}:3:3: profil: unknown key; did you mean "profile"?`
        )
        for (const [name, value, expected] of [
          ["REFLEXION_PROFILE", "lax", "must be balanced, strict or advisory"],
          ["REFLEXION_ATTENDED", "no", "must be auto, true or false"],
          ["REFLEXION_MAX_ATTEMPTS", "7", "must be 1, 2 or 3"]
        ] as const) {
          const refused = yield* judge(root, "-", { env: { [name]: value }, stdin: [utf8(neutral([passing]))] })
          assert.deepStrictEqual([refused.code, refused.err], [2, `reflexion: ${name}: ${expected}`])
        }
        const linked = yield* folder({ "package.json": "{}" })
        symlinkSync(root, join(linked, ".reflection"))
        const stdin = [utf8(neutral([failing], { cwd: linked }))]
        assert.include((yield* judge(linked, "-", { stdin })).err, "is a symbolic link")
      })
    )

    it.scoped("judges a gate that it declares", () =>
      Effect.gen(function* () {
        const { root, session } = yield* workspace('{"gates": [{"name": "unit", "command": "npm test*"}]}')
        const { gates } = yield* judged(root, session, "")
        assert.strictEqual(gates.find(({ gate }) => gate === "unit")?.result, "failed")
      })
    )
  })

  describe("without a file", () => {
    it.scoped("takes the newest session of the directory over all hosts, and says which", () =>
      Effect.gen(function* () {
        const project = join(yield* folder({}), "project")
        mkdirSync(project)
        const older = `${claudeFolder(project)}/${id}.jsonl`
        const newer = `.codex/sessions/2026/01/31/rollout-2026-01-31T10-00-00-${id}.jsonl`
        const home = yield* folder({
          [older]: text(claudeCode([failing], { cwd: project })),
          [newer]: text(codex([passing], { cwd: project }))
        })
        utimesSync(join(home, older), 1, 1)
        const env = { HOME: home }
        const { code, err, out } = yield* judge(project, "--format json", { env })
        assert.deepStrictEqual([code, one(out).file], [0, join(home, newer)])
        assert.strictEqual(err, `reflexion: judging the newest codex session of ${project}`)
        const named = yield* judge(project, "--host claude-code --show score --format json", { env })
        assert.strictEqual(named.err, `reflexion: scoring the newest claude-code session of ${project}`)
        assert.include(named.out, JSON.stringify(join(home, older)))
      })
    )

    it.scoped("asks OpenCode for its newest session", () =>
      Effect.gen(function* () {
        const project = yield* folder({})
        const session = openCode([passing], { cwd: project, sessionId: "ses_1" })
        const listed = [{ id: "ses_1", title: "t", directory: project, updated: session.info.time.updated }]
        const home = yield* folder({
          ".local/share/opencode/opencode.db": "",
          "bin/list.json": JSON.stringify(listed),
          "bin/export.json": JSON.stringify(session),
          "bin/opencode": [
            `#!${process.execPath}`,
            'const name = process.argv.includes("list") ? "list" : "export"',
            'process.stdout.write(require("node:fs").readFileSync(`${__dirname}/${name}.json`))'
          ].join("\n")
        })
        chmodSync(join(home, "bin/opencode"), 0o755)
        const env = { HOME: home, PATH: join(home, "bin") }
        const { code, err, out } = yield* judge(project, "--format json", { env })
        assert.deepStrictEqual([code, err], [0, `reflexion: judging the newest opencode session of ${project}`])
        assert.deepStrictEqual([one(out).host, one(out).file], ["opencode", "ses_1"])
      })
    )

    it.scoped("says that there is none", () =>
      Effect.gen(function* () {
        const root = yield* folder({})
        const { code, err, out } = yield* judge(root, "", { env: { HOME: root } })
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(
          err,
          "there is no session of claude-code, codex or opencode for this folder. Name a session's file"
        )
        const host = yield* judge(root, "--host transcript", { env: { HOME: root } })
        assert.strictEqual(host.err, `reflexion: ${root}: name a session's file`)
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

  const steps = fc.array(
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

  const anything = fc
    .oneof(
      fc.string(),
      json.map((value) => JSON.stringify(value)),
      damaged,
      steps.map((events) => JSON.stringify({ version: 1, host: "other", events }))
    )
    .map(utf8)

  it.scoped.prop(
    "whatever is read, it is shown, or one line says why it could not be",
    [fc.array(fc.oneof(fc.uint8Array({ maxLength: 300 }), anything), { minLength: 10, maxLength: 20 })],
    ([contents]) =>
      Effect.gen(function* () {
        const root = yield* folder(Object.fromEntries(contents.map((content, index) => [`f${index}`, content])))
        const names = contents.map((_, index) => `f${index}`)
        for (const view of views) {
          const { code, err, out } = yield* judge(root, `--format jsonl --show ${view} ${names.join(" ")}`)
          const told: ReadonlyArray<string> = out
            .split("\n")
            .flatMap((line) => (line === "" ? [] : JSON.parse(line).file))
          const refused = names.filter((name) => !told.includes(name))
          assert.strictEqual(code === 2, refused.length > 0)
          for (const name of refused) assert.include(err, `reflexion: ${name}: `)
          assert.notMatch(err, /fault of reflexion/u)
          for (const line of err.split("\n").filter(Boolean)) assert.match(line, /^reflexion: f\d+: /u)
        }
      }),
    { fastCheck: { numRuns: 5 } }
  )
})
