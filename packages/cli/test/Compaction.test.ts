import { assert, describe, it } from "@effect/vitest"
import { CompactionAssessment } from "@reflexion/core/Compaction"
import { Effect, Schema } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { folder, runCli, type Surroundings } from "./runCli.ts"
import { claudeCode, codex, failing, neutral, openCode, passing, text } from "./sessions.ts"
import * as Silences from "./silences.ts"

const Printed = Schema.Struct({ file: Schema.String, ...CompactionAssessment.fields })

const one = Schema.decodeUnknownSync(Schema.parseJson(Printed), { onExcessProperty: "error" })
const several = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Printed)), { onExcessProperty: "error" })

const compaction = (root: string, words: string, given: Surroundings = {}) =>
  runCli(["compaction", ...words.split(" ").filter(Boolean)], { cwd: root, ...given })

const compacted = Silences.session([
  Silences.user("Add a --json flag to the export command in src/export.ts."),
  Silences.bash("cat src/export.ts", { output: "export const run = () => {}" }),
  { type: "notice", kind: "compacted", detail: "auto" }
])

const files = { "compacted.json": compacted, "complete.json": Silences.complete }

describe("reflexion compaction", () => {
  it.scoped.each([
    ["compacted.json", 0],
    ["complete.json", 0],
    ["compacted.json complete.json", 0],
    ["missing.json", 2],
    ["compacted.json missing.json", 2]
  ] as const)("%s: exit %i", ([words, code]) =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      assert.strictEqual((yield* compaction(root, words)).code, code)
    })
  )

  it.scoped("json has the file, the action and the text with the task", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      const { err, out } = yield* compaction(root, "./compacted.json --format json")
      const found = one(out)
      assert.deepStrictEqual(
        [found.file, found.host, found.sessionId, found.action, err],
        ["./compacted.json", "other", "s1", "continue_task", ""]
      )
      assert.include(found.text, "--json flag")
      assert.strictEqual(one((yield* compaction(root, "complete.json --format json")).out).action, "task_complete")
    })
  )

  it.scoped("reads every form of the same session, and standard input", () =>
    Effect.gen(function* () {
      const root = yield* folder({
        "a.jsonl": text(claudeCode([failing])),
        "b.jsonl": text(codex([failing])),
        "c.json": JSON.stringify(openCode([failing])),
        "d.json.gz": gzipSync(neutral([failing]))
      })
      const { code, err, out } = yield* compaction(root, "a.jsonl b.jsonl c.json d.json.gz --format json")
      assert.deepStrictEqual([code, err], [0, ""])
      assert.deepStrictEqual(
        several(out).map(({ action, host }) => [host, action]),
        ["claude-code", "codex", "opencode", "other"].map((host) => [host, "continue_task"])
      )
      const stdin = [new TextEncoder().encode(compacted)]
      assert.strictEqual(one((yield* compaction("/", "- --format json", { stdin })).out).file, "-")
    })
  )

  it.scoped("jsonl prints one assessment a line", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      const { out } = yield* compaction(root, "compacted.json complete.json --format jsonl")
      assert.deepStrictEqual(
        out.split("\n").map((line) => one(line).file),
        ["compacted.json", "complete.json"]
      )
    })
  )

  it.scoped("text says what is next and what the agent would be told, and counts several sessions", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      const { out } = yield* compaction(root, "compacted.json")
      for (const part of ["compacted.json", "session s1", "GO ON WITH THE TASK", "confidence", "│ ", "--json flag"])
        assert.include(out, part)
      const both = yield* compaction(root, "compacted.json complete.json missing.json")
      assert.strictEqual(
        both.out.split("\n").at(-1),
        "3 sessions: 1 go on with the task · 1 done · 1 could not be assessed"
      )
    })
  )

  it.scoped("--task takes the place of the prompt, also where the record has none", () =>
    Effect.gen(function* () {
      const root = yield* folder({
        ...files,
        "promptless.json": Silences.promptless(compacted)
      })
      for (const file of ["compacted.json", "promptless.json"]) {
        const words = ["compaction", file, "--format", "json", "--task", "Write the changelog."]
        const { out } = yield* runCli(words, { cwd: root })
        assert.include(one(out).text, "Write the changelog")
      }
    })
  )

  it.scoped("takes the newest session of the directory where no file is named", () =>
    Effect.gen(function* () {
      const project = join(yield* folder({}), "project")
      mkdirSync(project)
      const file = `.claude/projects/${project.replace(/[^a-zA-Z0-9]/g, "-")}/s.jsonl`
      const home = yield* folder({ [file]: text(claudeCode([passing], { cwd: project })) })
      const { code, err, out } = yield* compaction(project, "--format json", { env: { HOME: home } })
      assert.deepStrictEqual([code, one(out).file], [0, join(home, file)])
      assert.include(err, "reflexion: assessing the newest claude-code session of ")
    })
  )

  it.scoped("lets no control character and no secret of a session through", () =>
    Effect.gen(function* () {
      const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"}`
      const hostile = `Run \u001b[2Jnpm test\u001b]0;owned\u0007 \u009b31m \u202eplease with ${secret}.`
      const root = yield* folder({ "s.json": neutral([{ ...failing, ask: hostile }]) })
      for (const format of ["text", "json", "jsonl"]) {
        const { out } = yield* compaction(root, `s.json --format ${format}`)
        assert.notMatch(out.replaceAll("\n", ""), /[\p{Cc}\u202e]/u)
        assert.notInclude(out, secret)
      }
    })
  )

  it.effect.each([
    [["--now", "2026-01-31", "a"], "unknown option --now"],
    [["--task", " ", "a"], "--task needs a text"],
    [["--profile", "lax", "a"], '--profile: "lax" is none of balanced, strict, advisory']
  ] as const)("%j: exit 2, on standard error, in two lines", ([words, expected]) =>
    Effect.gen(function* () {
      const { code, err, out } = yield* runCli(["compaction", ...words])
      assert.deepStrictEqual([code, out], [2, ""])
      assert.include(err, expected)
      assert.deepStrictEqual(err.split("\n").slice(1), ["Try 'reflexion compaction --help'."])
    })
  )
})
