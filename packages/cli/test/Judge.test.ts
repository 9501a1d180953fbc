import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { chmodSync, mkdirSync, symlinkSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as Hosts from "../src/host/Hosts.ts"
import { spec } from "../src/judge/JudgeCommand.ts"
import { folder, runCli, type Surroundings } from "./runCli.ts"
import { claudeCode, codex, failing, neutral, openCode, passing, text, undecided } from "./sessions.ts"

const Printed = Schema.Struct({
  version: Schema.Literal(1),
  file: Schema.String,
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  turn: Schema.Struct({ index: Schema.Number, userMessageAt: Schema.NullOr(Schema.String) }),
  status: Schema.String,
  complete: Schema.Boolean,
  shouldContinue: Schema.Boolean,
  reason: Schema.String,
  task: Schema.Struct({ summary: Schema.String, requirements: Schema.Array(Schema.String) }),
  gates: Schema.Array(Schema.Struct({ gate: Schema.String, result: Schema.String }))
})

const one = Schema.decodeUnknownSync(Schema.parseJson(Printed))
const several = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Printed)))

const utf8 = (value: string): Uint8Array => new TextEncoder().encode(value)

const files = {
  "pass.json": neutral([passing]),
  "fail.json": neutral([failing]),
  "unknown.json": neutral([undecided]),
  "turns.jsonl": text(claudeCode([passing, failing, passing]))
}

const judge = (root: string, words: string, given: Surroundings = {}) =>
  runCli(["judge", ...words.split(" ").filter(Boolean)], { cwd: root, ...given })

const workspace = (config: string) =>
  Effect.map(folder({ ".reflection/config.json": config, "package.json": "{}" }), (root) => {
    return { root, session: neutral([failing], { cwd: root }) }
  })

const judgeText = (root: string, session: string, words: string, given: Surroundings = {}) =>
  Effect.map(judge(root, `- --format json ${words}`, { ...given, stdin: [utf8(session)] }), ({ err, out }) => {
    assert.strictEqual(err, "")
    return one(out)
  })

describe("reflexion judge", () => {
  it("offers every host that can be read", () => {
    const choices = spec.options.find(({ name }) => name === "host")?.choices
    assert.deepStrictEqual(choices, ["auto", ...Hosts.decoders.map(({ host }) => host)])
  })

  describe("exit status", () => {
    it.scoped.each([
      ["pass.json", 0],
      ["fail.json", 1],
      ["unknown.json", 3],
      ["missing.json", 2],
      ["pass.json unknown.json", 3],
      ["pass.json unknown.json fail.json", 1],
      ["pass.json missing.json fail.json", 2],
      ["turns.jsonl", 0],
      ["turns.jsonl --turn all", 0],
      ["turns.jsonl --turn 1", 1]
    ] as const)("%s: %i", ([words, code]) =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        assert.strictEqual((yield* judge(root, words)).code, code)
      })
    )
  })

  describe("input", () => {
    it.scoped("reads gzip by its content, whatever its name", () =>
      Effect.gen(function* () {
        const root = yield* folder({ "packed.jsonl": gzipSync(files["turns.jsonl"]) })
        const { code, out } = yield* judge(root, "packed.jsonl --format json")
        assert.strictEqual(code, 0)
        assert.strictEqual(one(out).turn.index, 2)
      })
    )

    it.scoped("judges what a cut gzip holds, and says that it is cut", () =>
      Effect.gen(function* () {
        const whole = gzipSync(text(claudeCode(Array.from({ length: 200 }, () => failing))), { level: 0 })
        const root = yield* folder({ "cut.gz": whole.subarray(0, Math.floor(whole.length * 0.9)) })
        const { code, err, out } = yield* judge(root, "cut.gz --format json")
        assert.strictEqual(code, 1)
        assert.isAbove(one(out).turn.index, 100)
        assert.include(err, "damaged or cut off")
        const nothing = yield* judge(yield* folder({ "cut.gz": whole.subarray(0, 12) }), "cut.gz")
        assert.strictEqual(nothing.code, 2)
      })
    )

    it.effect("reads standard input, in pieces of any size, gzip or not", () =>
      Effect.gen(function* () {
        for (const content of [utf8(files["turns.jsonl"]), gzipSync(files["turns.jsonl"])]) {
          const stdin = [...content].map((byte) => Uint8Array.of(byte))
          const { code, out } = yield* judge("/", "- --format json", { stdin })
          assert.strictEqual(code, 0)
          assert.strictEqual(one(out).file, "-")
          assert.strictEqual(one(out).turn.index, 2)
        }
      })
    )

    it.scoped("judges the same in every form of the same session", () =>
      Effect.gen(function* () {
        const root = yield* folder({
          "a.jsonl": text(claudeCode([failing])),
          "b.json": neutral([failing]),
          "c.jsonl": text(codex([failing]))
        })
        const [left, right] = several((yield* judge(root, "a.jsonl b.json --format json")).out)
        assert.strictEqual(left?.host, "claude-code")
        assert.strictEqual(right?.host, "other")
        assert.strictEqual(left?.status, "incomplete")
        assert.strictEqual(right?.status, "incomplete")
        const [rollout] = several((yield* judge(root, "c.jsonl a.jsonl --format json")).out)
        assert.deepStrictEqual([rollout?.host, rollout?.status], ["codex", "incomplete"])
      })
    )

    it.scoped("warns of malformed lines, five and a count, and judges the rest", () =>
      Effect.gen(function* () {
        const [first = "", ...rest] = claudeCode([passing])
        const root = yield* folder({ "s.jsonl": text([first, ...Array<string>(8).fill("{broken"), ...rest]) })
        const { code, err, out } = yield* judge(root, "s.jsonl --format json")
        assert.strictEqual(code, 0)
        assert.strictEqual(one(out).status, "complete")
        const lines = err.split("\n")
        assert.strictEqual(lines.length, 6)
        assert.match(lines[0] ?? "", /^reflexion: s\.jsonl: line 2: /)
        assert.match(lines[5] ?? "", /3 more/)
      })
    )

    it.scoped("reads the subagents of a Claude Code session", () =>
      Effect.gen(function* () {
        const id = "5e55105e-0000-4000-8000-000000000001"
        const [ask = "", answer = ""] = claudeCode([{ ask: passing.ask, answer: passing.answer }])
        const agent = claudeCode([passing])
          .slice(1, 3)
          .map((line) => {
            const value: unknown = JSON.parse(line)
            return JSON.stringify({ ...Object(value), isSidechain: true, agentId: "a1" })
          })
        const root = yield* folder({
          [`${id}.jsonl`]: text([ask, answer]),
          [`${id}/subagents/agent-a1.jsonl`]: text(agent)
        })
        const { gates } = one((yield* judge(root, `${id}.jsonl --format json`)).out)
        assert.strictEqual(gates.find(({ gate }) => gate === "tests")?.result, "passed")
      })
    )

    it.scoped("counts what the agents of a Codex session ran", () =>
      Effect.gen(function* () {
        const [session, agent] = ["01a20000-0000-7000-8000-000000000001", "01a20000-0000-7000-8000-000000000002"]
        const day = "sessions/2026/01/31/rollout-2026-01-31T10-00"
        const [own, others] = [`${day}-00-${session}.jsonl`, `${day}-01-${agent}.jsonl`]
        const main = codex([{ ask: passing.ask, answer: passing.answer }], { sessionId: session })
        const ran = codex([passing], { sessionId: agent }).map((line) =>
          line.replace('"payload":{"id":', `"payload":{"session_id":"${session}","parent_thread_id":"${session}","id":`)
        )
        const tests = (files: Readonly<Record<string, string>>) =>
          Effect.gen(function* () {
            const { code, err, out } = yield* judge(
              yield* folder({ [own]: text(main), ...files }),
              `${own} --format json`
            )
            return [code, err, one(out).gates.find(({ gate }) => gate === "tests")?.result]
          })
        assert.deepStrictEqual(yield* tests({ [others]: text(ran) }), [0, "", "passed"])
        assert.notInclude(yield* tests({}), "passed")
      })
    )

    it.scoped("reads an export of OpenCode", () =>
      Effect.gen(function* () {
        const root = yield* folder({ "export.json": JSON.stringify(openCode([failing]), null, 2) })
        const { code, err, out } = yield* judge(root, "export.json --format json")
        assert.deepStrictEqual([code, err], [1, ""])
        assert.deepStrictEqual(
          [one(out).host, one(out).status, one(out).file],
          ["opencode", "incomplete", "export.json"]
        )
      })
    )

    it.scoped("counts what the agents of an OpenCode session ran, whose exports lie beside its own", () =>
      Effect.gen(function* () {
        const main = openCode([{ ask: passing.ask, answer: passing.answer }], { agent: "ses_2" })
        const tests = (files: Readonly<Record<string, string>>) =>
          Effect.gen(function* () {
            const root = yield* folder({ "main.json": JSON.stringify(main), ...files })
            const { gates } = one((yield* judge(root, "main.json --format json")).out)
            return gates.find(({ gate }) => gate === "tests")?.result
          })
        const agent = JSON.stringify(openCode([passing], { sessionId: "ses_2" }))
        assert.strictEqual(yield* tests({ "main/subagents/1.json": agent }), "passed")
        assert.notStrictEqual(yield* tests({}), "passed")
      })
    )

    it.scoped.each([
      ["empty.jsonl", "empty.jsonl: is empty"],
      ["blank.jsonl", "formats tried: claude-code, codex, opencode, transcript"],
      ["notes.txt", "notes.txt: no session found in it; formats tried: claude-code, codex, opencode, transcript"],
      ["other.json", "formats tried: claude-code, codex, opencode, transcript"],
      ["second.json", 'second.json: "version" is 2, and the one that is known is 1: '],
      ["none.json", 'none.json: "version" is missing, and the one that is known is 1: '],
      ["eventless.json", 'eventless.json: "events" is empty: '],
      ["folder", "folder: is a directory"],
      ["missing.jsonl", "missing.jsonl: no such file"],
      ["cut.gz", "gzip data are damaged or cut off"],
      ["damaged.gz", "gzip data are damaged or cut off"],
      [
        "turns.jsonl --host transcript",
        "no session of transcript found in it; it looks like one of claude-code: give --host claude-code, or leave --host out"
      ],
      ["notes.txt --host codex", "no session found in it; formats tried: codex"]
    ] as const)("%s: exit 2, %s", ([words, expected]) =>
      Effect.gen(function* () {
        const root = yield* folder({
          ...files,
          "empty.jsonl": "",
          "blank.jsonl": "\n\n  \n",
          "notes.txt": "dear diary\n",
          "other.json": '{"a": 1}\n[1, 2]\n',
          "second.json": JSON.stringify({ version: 2, events: [{ type: "user_message", text: "Fix it." }] }),
          "none.json": JSON.stringify({ events: [{ type: "user_message", text: "Fix it." }] }),
          "eventless.json": JSON.stringify({ version: 1, events: [] }),
          "folder/inside": "",
          "cut.gz": gzipSync(files["turns.jsonl"]).subarray(0, 200),
          "damaged.gz": Uint8Array.of(0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9)
        })
        const { code, err, out } = yield* judge(root, words)
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(err, expected)
        assert.strictEqual(err.split("\n").length, 1)
      })
    )
  })

  describe("--format", () => {
    it.scoped("json prints one verdict, with the file as given", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { err, out } = yield* judge(root, "./fail.json --format json")
        const verdict = one(out)
        assert.deepStrictEqual([verdict.file, verdict.host, verdict.complete, err], ["./fail.json", "other", false, ""])
      })
    )

    it.scoped("json prints an array for several files, without those that could not be judged", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { err, out } = yield* judge(root, "pass.json missing.json fail.json --format json")
        assert.deepStrictEqual(
          several(out).map(({ file }) => file),
          ["pass.json", "fail.json"]
        )
        assert.include(err, "missing.json: no such file")
      })
    )

    it.scoped("jsonl prints one verdict a line", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { out } = yield* judge(root, "turns.jsonl fail.json --turn all --format jsonl")
        assert.deepStrictEqual(
          out.split("\n").map((line) => [one(line).file, one(line).turn.index, one(line).complete]),
          [
            ["turns.jsonl", 0, true],
            ["turns.jsonl", 1, false],
            ["turns.jsonl", 2, true],
            ["fail.json", 0, false]
          ]
        )
      })
    )

    it.scoped("text is for people: plain in a pipe, coloured on a terminal, as NO_COLOR and FORCE_COLOR say", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const coloured = (given: Surroundings) =>
          Effect.map(judge(root, "fail.json", given), ({ out }) => out.includes("\u001b["))
        assert.isFalse(yield* coloured({}))
        assert.isTrue(yield* coloured({ terminal: 80 }))
        assert.isFalse(yield* coloured({ terminal: 80, env: { NO_COLOR: "1" } }))
        assert.isTrue(yield* coloured({ env: { FORCE_COLOR: "1" } }))
      })
    )

    it.scoped("text shows the gate, the verdict and what the agent would get", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { out } = yield* judge(root, "fail.json")
        for (const part of ["fail.json", "Fix the failing test", "✗ tests", "npm test", "NOT COMPLETE", "│ "]) {
          assert.include(out, part)
        }
      })
    )

    it.scoped("lets no control character of a session through, in text or JSON", () =>
      Effect.gen(function* () {
        const hostile = "Run \u001b[2Jnpm test\u001b]0;owned\u0007 \u009b31m \u202eplease."
        const root = yield* folder({ "s.json": neutral([{ ...passing, ask: hostile }]) })
        for (const format of ["text", "json", "jsonl"]) {
          const { out } = yield* judge(root, `s.json --format ${format}`)
          assert.notMatch(out.replaceAll("\n", ""), /[\p{Cc}\u202e]/u)
        }
      })
    )

    it.scoped("prints no secret", () =>
      Effect.gen(function* () {
        const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"}`
        const turn = { ...failing, ask: `Run npm test with the token ${secret}.` }
        const root = yield* folder({ "s.json": neutral([turn]) })
        for (const format of ["text", "json", "jsonl"]) {
          assert.notInclude((yield* judge(root, `s.json --format ${format}`)).out, secret)
        }
      })
    )
  })

  describe("--now", () => {
    it.scoped("lies after what happened: before the last event judged it is an error", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { code, err, out } = yield* judge(root, "turns.jsonl --format json --now 2001-02-03T04:05:06Z")
        assert.deepStrictEqual([code, out], [2, ""])
        assert.match(err, /turns\.jsonl: --now: 2001-02-03T04:05:06\S* is before the session's last event, at /)
        assert.notStrictEqual((yield* judge(root, "turns.jsonl --format json --now 2099-01-01T00:00:00Z")).code, 2)
      })
    )
  })

  describe("--turn", () => {
    it.scoped("N is judged on the events up to its stop", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { out } = yield* judge(root, "turns.jsonl --turn 1 --format json")
        assert.deepStrictEqual([one(out).turn.index, one(out).status], [1, "incomplete"])
      })
    )

    it.scoped("a turn that does not exist: says how many there are", () =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { code, err, out } = yield* judge(root, "turns.jsonl --turn 3")
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(err, "--turn 3: the session has 3 turns, 0 to 2")
      })
    )
  })

  describe("configuration", () => {
    it.scoped("a profile comes from flag over workspace over environment over the user's file", () =>
      Effect.gen(function* () {
        const plain = yield* folder({ "reflexion/config.json": '{"profile": "advisory"}' })
        const { root, session } = yield* workspace('{"profile": "advisory"}')
        const env = { XDG_CONFIG_HOME: plain, REFLEXION_PROFILE: "balanced" }
        const elsewhere = neutral([failing])
        const pushes = (text: string, words: string, over: Record<string, string>) =>
          Effect.map(judgeText(root, text, words, { env: over }), (verdict) => verdict.shouldContinue)
        assert.isTrue(yield* pushes(elsewhere, "", {}))
        assert.isFalse(yield* pushes(elsewhere, "", { XDG_CONFIG_HOME: plain }))
        assert.isTrue(yield* pushes(elsewhere, "", env))
        assert.isFalse(yield* pushes(session, "", env))
        assert.isTrue(yield* pushes(session, "--profile balanced", env))
      })
    )

    it.scoped("whether somebody is there comes from flag over environment over the session's record", () =>
      Effect.gen(function* () {
        const root = yield* folder({})
        const session = neutral([
          {
            ask: "Add a function that rounds the invoice total.",
            runs: [],
            answer: "Should I round half up or half even?"
          }
        ])
        const away = JSON.stringify({ ...JSON.parse(session), attended: false })
        const status = (text: string, words: string, env: Record<string, string> = {}) =>
          Effect.map(judgeText(root, text, words, { env }), (verdict) => verdict.status)
        assert.strictEqual(yield* status(session, ""), "waiting_for_user")
        assert.strictEqual(yield* status(away, ""), "incomplete")
        assert.strictEqual(yield* status(session, "--attended false"), "incomplete")
        assert.strictEqual(yield* status(away, "--attended true"), "waiting_for_user")
        assert.strictEqual(yield* status(session, "", { REFLEXION_ATTENDED: "false" }), "incomplete")
        assert.strictEqual(
          yield* status(session, "--attended auto", { REFLEXION_ATTENDED: "false" }),
          "waiting_for_user"
        )
      })
    )

    it.scoped("an unknown key judges nothing and names file, line, key and the nearest known one", () =>
      Effect.gen(function* () {
        const { root, session } = yield* workspace('{\n  // ours\n  "profil": "strict"\n}')
        const { code, err, out } = yield* judge(root, "-", { stdin: [utf8(session)] })
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(
          err,
          `${join(root, ".reflection", "config.json")}:3:3: profil: unknown key; did you mean "profile"?`
        )
      })
    )

    it.scoped.each([
      ["REFLEXION_PROFILE", "lax", "REFLEXION_PROFILE: must be balanced, strict or advisory"],
      ["REFLEXION_ATTENDED", "no", "REFLEXION_ATTENDED: must be auto, true or false"],
      ["REFLEXION_MAX_ATTEMPTS", "7", "REFLEXION_MAX_ATTEMPTS: must be 1, 2 or 3"]
    ] as const)("%s=%s: exit 2", ([name, value, expected]) =>
      Effect.gen(function* () {
        const root = yield* folder(files)
        const { code, err } = yield* judge(root, "pass.json", { env: { [name]: value } })
        assert.strictEqual(code, 2)
        assert.include(err, expected)
      })
    )

    it.scoped("a symbolic link in a workspace is refused", () =>
      Effect.gen(function* () {
        const target = yield* folder({ "config.json": '{"profile": "advisory"}' })
        const root = yield* folder({ "package.json": "{}" })
        symlinkSync(target, join(root, ".reflection"))
        const stdin = [utf8(neutral([failing], { cwd: root }))]
        const linked = yield* judge(root, "-", { stdin })
        assert.strictEqual(linked.code, 2)
        assert.include(linked.err, "is a symbolic link")
      })
    )

    it.scoped("a declared gate is judged", () =>
      Effect.gen(function* () {
        const { root, session } = yield* workspace('{"gates": [{"name": "unit", "command": "npm test*"}]}')
        const { gates } = yield* judgeText(root, session, "")
        assert.strictEqual(gates.find(({ gate }) => gate === "unit")?.result, "failed")
      })
    )

    it.scoped("--cwd takes the place of the session's directory", () =>
      Effect.gen(function* () {
        const { root } = yield* workspace('{"profile": "advisory"}')
        const verdict = yield* judgeText("/", neutral([failing]), `--cwd ${root}`)
        assert.isFalse(verdict.shouldContinue)
      })
    )
  })

  it.scoped("--cwd must be a directory", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      const { code, err } = yield* judge(root, "pass.json --cwd nowhere")
      assert.strictEqual(code, 2)
      assert.include(err, '--cwd: "nowhere" is not a directory')
    })
  )

  it.scoped("--task takes the place of the prompt", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      const { out } = yield* runCli(["judge", "pass.json", "--format", "json", "--task", "Open a pull request."], {
        cwd: root
      })
      assert.include(one(out).task.summary, "Open a pull request")
    })
  )

  it.scoped("--host transcript reads the neutral form", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      assert.strictEqual((yield* judge(root, "pass.json --host transcript")).code, 0)
    })
  )

  describe("without a file", () => {
    const id = "5e55105e-0000-4000-8000-000000000001"

    it.scoped("judges the newest session of the directory and says which", () =>
      Effect.gen(function* () {
        const root = yield* folder({})
        const project = join(root, "project")
        mkdirSync(project)
        const home = `.claude/projects/${project.replace(/[^a-zA-Z0-9]/g, "-")}`
        const claude = yield* folder({
          [`${home}/old.jsonl`]: text(claudeCode([failing], { cwd: project })),
          [`${home}/${id}.jsonl`]: text(claudeCode([passing], { cwd: project }))
        })
        utimesSync(join(claude, home, "old.jsonl"), 1, 1)
        const { code, err, out } = yield* judge(project, "--format json", { env: { HOME: claude } })
        assert.strictEqual(code, 0)
        assert.include(err, "newest claude-code session")
        assert.strictEqual(one(out).file, join(claude, home, `${id}.jsonl`))
        const read = yield* judge(project, "", { env: { HOME: claude } })
        assert.strictEqual(`${read.err}\n${read.out}`.split(`${id}.jsonl`).length, 2, "its path is printed once")
      })
    )

    it.scoped("takes the newest over all hosts", () =>
      Effect.gen(function* () {
        const root = yield* folder({})
        const project = join(root, "project")
        mkdirSync(project)
        const older = `.claude/projects/${project.replace(/[^a-zA-Z0-9]/g, "-")}/${id}.jsonl`
        const newer = `.codex/sessions/2026/01/31/rollout-2026-01-31T10-00-00-${id}.jsonl`
        const home = yield* folder({
          [older]: text(claudeCode([failing], { cwd: project })),
          [newer]: text(codex([passing], { cwd: project }))
        })
        utimesSync(join(home, older), 1, 1)
        const { code, err, out } = yield* judge(project, "--format json", { env: { HOME: home } })
        assert.strictEqual(code, 0)
        assert.include(err, "newest codex session")
        assert.deepStrictEqual([one(out).host, one(out).file], ["codex", join(home, newer)])
      })
    )

    /** A home whose OpenCode has this session, with the program that prints it. */
    const openCodeHome = Effect.fnUntraced(function* (project: string, over: Readonly<Record<string, string>> = {}) {
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
        ].join("\n"),
        ...over
      })
      chmodSync(join(home, "bin/opencode"), 0o755)
      return { home, env: { HOME: home, PATH: join(home, "bin") } }
    })

    it.scoped("asks OpenCode for its newest session", () =>
      Effect.gen(function* () {
        const project = yield* folder({})
        const { env } = yield* openCodeHome(project)
        const { code, err, out } = yield* judge(project, "--format json", { env })
        assert.deepStrictEqual([code, err], [0, `reflexion: judging the newest opencode session of ${project}`])
        assert.deepStrictEqual([one(out).host, one(out).file], ["opencode", "ses_1"])
      })
    )

    it.scoped("looks for the sessions of the host that is named", () =>
      Effect.gen(function* () {
        const project = yield* folder({})
        const file = `.claude/projects/${project.replace(/[^a-zA-Z0-9]/g, "-")}/${id}.jsonl`
        const { env } = yield* openCodeHome(project, { [file]: text(claudeCode([failing], { cwd: project })) })
        assert.include((yield* judge(project, "--host opencode", { env })).err, "newest opencode session")
        assert.include((yield* judge(project, "--host claude-code", { env })).err, "newest claude-code session")
        const { code, err } = yield* judge(project, "--host transcript", { env })
        assert.deepStrictEqual([code, err], [2, `reflexion: ${project}: name a session's file`])
      })
    )

    it.scoped("says that there is none", () =>
      Effect.gen(function* () {
        const root = yield* folder({})
        const { code, err, out } = yield* judge(root, "", { env: { HOME: root } })
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(err, "has no session of claude-code, codex or opencode; name a session's file, or with --cwd")
      })
    )
  })

  describe("usage", () => {
    it.effect.each([
      [["judge", "--bogus"], "unknown option --bogus"],
      [["judge", "--turn", "x", "a"], '--turn: "x"'],
      [["judge", "--now", "soon", "a"], '--now: "soon"'],
      [["judge", "--host", "emacs", "a"], '--host: "emacs"'],
      [["juge"], "unknown command juge; did you mean judge?"],
      [["--vesion"], "unknown option --vesion; did you mean --version?"],
      [["--completions", "tcsh"], "--completions"]
    ] as const)("%j: exit 2, on standard error, in two lines", ([words, expected]) =>
      Effect.gen(function* () {
        const { code, err, out } = yield* runCli(words)
        assert.deepStrictEqual([code, out], [2, ""])
        assert.include(err, expected)
        assert.strictEqual(err.split("\n").length, 2)
      })
    )

    it.effect.each([
      [["--help"], "Commands"],
      [[], "Commands"],
      [["help"], "Commands"],
      [["help", "judge"], "--turn"],
      [["judge", "--help"], "--turn"],
      [["judge", "a", "-h", "--bogus"], "Exit status"],
      [["--version"], "reflexion 0."],
      [["--completions", "bash"], "--format"],
      [["--completions=zsh"], "judge"]
    ] as const)("%j: exit 0, on standard output", ([words, expected]) =>
      Effect.gen(function* () {
        const { code, err, out } = yield* runCli(words)
        assert.deepStrictEqual([code, err], [0, ""])
        assert.include(out, expected)
        assert.notInclude(out, "\u001b")
      })
    )
  })
})
