import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer, Logger, Schema } from "effect"
import * as ArtifactFiles from "../../src/review/records/ArtifactFiles.ts"
import { Artifacts } from "../../src/review/records/Artifacts.ts"
import * as Judgment from "../../src/judge/verdict/Judgment.ts"
import { checkResult } from "../support/checkResult.ts"
import { transcript } from "../support/events.ts"
import { list } from "../support/rows.ts"
import { session } from "../support/sessions.ts"
import { type Work, worksWith } from "../support/works.ts"
import * as Decision from "../../src/review/machine/Decision.ts"
import { DecisionLog, maxBytes } from "../../src/review/records/DecisionLog.ts"

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`

const verdict = Judgment.judge(
  transcript(session("> Fix the bug and run the tests. / edit /repo/src/a.ts / $1 npm test / Done."))
)

const id = "4f1c9a2e-1111-4222-8333-444455556666"
const time = 1_700_000_000_000

const review = (over: Partial<ArtifactFiles.Review> = {}): ArtifactFiles.Review => ({
  sessionId: id,
  timestamp: time,
  verdict,
  decision: { kind: "nudge", reason: "tests were not run", attempt: 1, maxAttempts: 3, notice: null },
  ...over
})

const parsed = (file: ArtifactFiles.ArtifactFile | undefined): Record<string, unknown> => JSON.parse(file?.text ?? "")

const namesOf = (sessionId: string) => ArtifactFiles.files(review({ sessionId })).map(({ name }) => name)

describe("ArtifactFiles.files", () => {
  it("has the record first, then the signals that announce it to other tools", () => {
    const files = ArtifactFiles.files(review())
    const [record, signal, short] = files
    const names = [`${id}_${time}.json`, `verdict_${id}.json`, "verdict_4f1c9a2e.json"]
    const found = files.map(({ name }) => name)
    assert.deepStrictEqual(found, names)
    const said = { sessionId: id, status: "incomplete", complete: false, severity: "HIGH", timestamp: time }
    assert.deepStrictEqual(parsed(signal), said)
    assert.strictEqual(short?.text, signal?.text)
    const { cost, decision, evidence, selfAssessment, ...rest } = parsed(record)
    assert.deepStrictEqual(
      Object.keys(rest),
      list`version ¦ sessionId ¦ host ¦ timestamp ¦ task ¦ acceptance ¦ verdict ¦ progress ¦ crossReview ¦ routing`
    )
    const { contradictions, gates } = verdict
    const told = [cost, decision, evidence, selfAssessment]
    assert.deepStrictEqual(told, [verdict.cost, review().decision, { gates, contradictions, checks: [] }, null])
  })

  it("records checks, reviewers and the model's opinion, without any secret", () => {
    const asked = {
      promptVersion: 1,
      model: "small-1",
      by: null,
      problem: `it said ${token}`,
      answer: null,
      unproved: [],
      contradicted: [],
      shown: 0,
      end: "failed" as const,
      question: null,
      told: null
    }
    const files = ArtifactFiles.files(
      review({
        asked,
        checks: [checkResult({ output: token })],
        crossReview: { consensus: null, problem: `git says ${token}` },
        verdict: { ...verdict, reason: `export TOKEN=${token}`, missing: [`curl -H "Bearer ${token}"`] },
        decision: { ...review().decision, reason: `used ${token}` }
      })
    )
    const record = parsed(files[0])
    assert.deepInclude(record["selfAssessment"], { promptVersion: 1, model: "small-1", by: null })
    assert.deepNestedInclude(record, {
      "evidence.checks[0].failing[0].name": "cart › empties",
      "crossReview.consensus": null
    })
    for (const { text } of files) assert.notInclude(text, token)
  })

  it("a record that would be too long: shortens its texts, and stays valid JSON", () => {
    const text = "ü\u0000\ud800 ".repeat(6000)
    const long = { ...verdict, reason: text, missing: Array.from({ length: 60 }, () => text), feedback: text }
    for (const file of ArtifactFiles.files(review({ verdict: long }))) {
      assert.isAtMost(new TextEncoder().encode(file.text).length, ArtifactFiles.maxBytes)
      assert.isObject(parsed(file))
    }
  })

  it("file names of any id stay in the folder, differ, and are recognized again", () => {
    const part = fc.constantFrom(...list`.. ¦ / ¦ \\ ¦ a ¦ A1 ¦ verdict_ ¦ _ ¦ - ¦ . ¦ con ¦ é`, "\0", "x".repeat(90))
    const parts = fc.array(part, { maxLength: 6 }).map((all) => all.join(""))
    const id = fc.oneof(parts, fc.string(), fc.fullUnicodeString({ maxLength: 120 }))
    fc.assert(
      fc.property(id, id, (left, right) => {
        const names = namesOf(left)
        for (const name of names) assert.match(name, /^[A-Za-z0-9_][A-Za-z0-9._-]{0,120}\.json$/)
        if (left !== right) for (const name of names.slice(0, 2)) assert.notInclude(namesOf(right), name)
      }),
      { numRuns: 100 }
    )
    fc.assert(
      fc.property(fc.fullUnicodeString({ maxLength: 120 }), (sessionId) => {
        const names = namesOf(sessionId)
        assert.sameMembers([...ArtifactFiles.prune(names, { perSession: 0, total: 0 })], names)
      })
    )
  })
})

describe("ArtifactFiles.prune", () => {
  it("keeps a session's newest twenty records, and signals that still have a record", () => {
    const names = Array.from({ length: 23 }, (_, index) => `s1_${time + index}.json`)
    const others = list`verdict_s1.json ¦ config.json ¦ .gitignore ¦ reflections.jsonl ¦ s1.json ¦ notes_2024.json`
    assert.deepStrictEqual(ArtifactFiles.prune([...others, ...names]).toSorted(), names.slice(0, 3))
  })

  it("keeps two hundred records in all, and drops a session's signals with its last record", () => {
    const names = Array.from({ length: 201 }, (_, index) => `session-${index}_${time + index}.json`)
    const signals = list`verdict_session-0.json ¦ verdict_session-.json ¦ verdict_session-1.json ¦ verdict_foreign.json`
    const gone = ArtifactFiles.prune([...signals, ...names]).toSorted()
    assert.deepStrictEqual(gone, [`session-0_${time}.json`, "verdict_session-0.json"])
  })
})

const plain = (sessionId = "s1", timestamp = time): ArtifactFiles.Review => review({ sessionId, timestamp })

const workspace = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const artifacts = yield* Artifacts
  const root = yield* fs.makeTempDirectoryScoped()
  const write = Effect.fnUntraced(function* (given = plain(), place = root) {
    const said: Array<string> = []
    const logger = Logger.make(({ message }) => said.push(String(message)))
    yield* Effect.provide(artifacts.write(place, given), Logger.replace(Logger.defaultLogger, logger))
    return said
  })
  return { fs, root, folder: `${root}/.reflection`, write }
})

const onDisk = Artifacts.Live.pipe(Layer.provideMerge(NodeContext.layer))

type Place = Effect.Effect.Success<typeof workspace>

const inPlace = (name: string, work: Work<Effect.Effect.Context<typeof workspace>, [Place]>) =>
  it.scoped(name, () =>
    Effect.flatMap(workspace, (place) => Effect.gen(() => work(place))).pipe(Effect.provide(onDisk))
  )

describe("Artifacts.Live", () => {
  inPlace("writes a review's files for the user alone, and git ignores them", function* ({ folder, fs, write }) {
    assert.deepStrictEqual(yield* write(plain("session-one")), [])
    const files = ArtifactFiles.files(plain("session-one"))
    assert.sameMembers(yield* fs.readDirectory(folder), [".gitignore", ...files.map(({ name }) => name)])
    for (const { name, text } of files) {
      assert.strictEqual(yield* fs.readFileString(`${folder}/${name}`), text)
      assert.strictEqual((yield* fs.stat(`${folder}/${name}`)).mode & 0o777, 0o600)
    }
    assert.strictEqual(yield* fs.readFileString(`${folder}/.gitignore`), ArtifactFiles.gitignore)
    yield* fs.writeFileString(`${folder}/.gitignore`, "mine\n")
    yield* write()
    assert.strictEqual(yield* fs.readFileString(`${folder}/.gitignore`), "mine\n", "what the user has stays")
  })

  inPlace("replaces the signal, keeps the records, and prunes the oldest", function* ({ folder, fs, write }) {
    yield* write(plain("s1", time))
    for (let index = 1; index < 21; index++) yield* fs.writeFileString(`${folder}/s1_${time + index}.json`, "{}")
    yield* write(plain("s1", time + 21))
    const names = (yield* fs.readDirectory(folder)).filter((name) => name.startsWith("s1_"))
    assert.lengthOf(names, 20)
    assert.notInclude(names, "s1_1700000000001.json")
    assert.include(yield* fs.readFileString(`${folder}/verdict_s1.json`), "1700000000021")
  })

  inPlace("follows no symbolic link at the path of the folder or a file", function* ({ folder, fs, root, write }) {
    const elsewhere = yield* fs.makeTempDirectoryScoped()
    yield* fs.symlink(elsewhere, folder)
    assert.match((yield* write()).join(), /symbolic link/)
    assert.deepStrictEqual(yield* fs.readDirectory(elsewhere), [])
    const other = `${root}/other`
    yield* fs.makeDirectory(`${other}/.reflection`, { recursive: true })
    yield* fs.writeFileString(`${elsewhere}/target`, "kept")
    yield* fs.symlink(`${elsewhere}/target`, `${other}/.reflection/verdict_s1.json`)
    assert.deepStrictEqual(yield* write(plain(), other), [])
    assert.strictEqual(yield* fs.readFileString(`${elsewhere}/target`), "kept")
    assert.include(yield* fs.readFileString(`${other}/.reflection/verdict_s1.json`), "s1")
  })

  inPlace("warns if it cannot write, goes on, and leaves no partial file", function* ({ folder, fs, root, write }) {
    assert.lengthOf(yield* write(plain(), `${root}/gone`), 1)
    assert.isFalse(yield* fs.exists(`${root}/gone`), "a workspace that is gone does not come back")
    yield* fs.writeFileString(folder, "a file")
    assert.lengthOf(yield* write(), 1)
    assert.strictEqual(yield* fs.readFileString(folder), "a file")
    yield* fs.remove(folder)
    yield* fs.makeDirectory(`${folder}/verdict_s1.json/mine`, { recursive: true })
    assert.match((yield* write()).join(), /EISDIR|EPERM/)
    assert.sameMembers(yield* fs.readDirectory(folder), [".gitignore", "s1_1700000000000.json", "verdict_s1.json"])
    assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/verdict_s1.json`), ["mine"])
  })
})

const decision: Decision.Decision = {
  at: "2026-03-02T09:00:00.000Z",
  host: "opencode",
  sessionId: "s1",
  directory: "/repo",
  event: "session.idle",
  decision: "nudge",
  reason: "tests were not run",
  status: "incomplete",
  severity: "LOW",
  attempt: 1,
  maxAttempts: 3,
  durationMs: 12
}

const decode = Schema.decodeUnknown(Schema.parseJson(Decision.Decision))

const append = (file: string, line: Decision.Decision) =>
  Effect.flatMap(DecisionLog, (log) => log.append(line)).pipe(Effect.provide(DecisionLog.Live({ file })))

const works = worksWith(NodeContext.layer)

const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return { fs, root: yield* fs.makeTempDirectoryScoped() }
})

describe("DecisionLog.Live", () => {
  works("adds a line per decision, and creates the folder", function* () {
    const { fs, root } = yield* place
    const file = `${root}/reflexion/log.jsonl`
    const decisions = [decision, { ...decision, decision: "notice" as const, attempt: null }]
    for (const one of decisions) yield* append(file, one)
    const lines = (yield* fs.readFileString(file)).trimEnd().split("\n")
    assert.deepStrictEqual(yield* Effect.forEach(lines, (line) => decode(line)), decisions)
  })

  works("starts a new log after a long one, survives failed writes, and follows no link", function* () {
    const { fs, root } = yield* place
    const log = `${root}/log.jsonl`
    yield* append("/dev/null/log.jsonl", decision)
    yield* fs.writeFileString(log, "x".repeat(maxBytes))
    yield* append(log, decision)
    assert.sameMembers(yield* fs.readDirectory(root), ["log.jsonl", "log.older.jsonl"])
    assert.strictEqual(yield* fs.readFileString(log), `${Decision.encode(decision)}\n`)
    yield* fs.writeFileString(`${root}/target`, "kept")
    yield* fs.remove(log)
    yield* fs.symlink(`${root}/target`, log)
    yield* append(log, decision)
    assert.strictEqual(yield* fs.readFileString(`${root}/target`), "kept")
  })
})
