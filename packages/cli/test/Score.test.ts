import { assert, describe, it } from "@effect/vitest"
import { Score } from "@reflexion/core/Score"
import { Effect, Schema } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { folder, runCli, type Surroundings } from "./runCli.ts"
import { claudeCode, codex, failing, neutral, openCode, passing, text } from "./sessions.ts"
import * as Silences from "./silences.ts"

const Printed = Schema.Struct({ file: Schema.String, ...Score.fields })

const one = Schema.decodeUnknownSync(Schema.parseJson(Printed), { onExcessProperty: "error" })
const several = Schema.decodeUnknownSync(Schema.parseJson(Schema.Array(Printed)), { onExcessProperty: "error" })

const score = (root: string, words: string, given: Surroundings = {}) =>
  runCli(["score", ...words.split(" ").filter(Boolean)], { cwd: root, ...given })

const files = { "complete.json": Silences.complete, "waiting.json": Silences.waiting }

describe("reflexion score", () => {
  it.scoped.each([
    ["complete.json", 0],
    ["waiting.json", 0],
    ["complete.json waiting.json", 0],
    ["missing.json", 2],
    ["complete.json missing.json", 2]
  ] as const)("%s: exit %i", ([words, code]) =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      assert.strictEqual((yield* score(root, words)).code, code)
    })
  )

  it.scoped("json has the file, the score and the reasons with what proves them", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      const { err, out } = yield* score(root, "./complete.json --format json")
      const found = one(out)
      assert.deepStrictEqual(
        [found.file, found.host, found.sessionId, found.score, found.source, err],
        ["./complete.json", "other", "s1", 5, "evidence", ""]
      )
      assert.include(found.reasons[0] ?? "", "npm test")
      assert.strictEqual(one((yield* score(root, "waiting.json --format json")).out).score, 2)
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
      const { code, err, out } = yield* score(root, "a.jsonl b.jsonl c.json d.json.gz --format json")
      assert.deepStrictEqual([code, err], [0, ""])
      assert.deepStrictEqual(
        several(out).map(({ host, score }) => [host, score]),
        ["claude-code", "codex", "opencode", "other"].map((host) => [host, 1])
      )
      const stdin = [new TextEncoder().encode(Silences.complete)]
      assert.strictEqual(one((yield* score("/", "- --format json", { stdin })).out).file, "-")
    })
  )

  it.scoped("jsonl prints one score a line", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      const { out } = yield* score(root, "complete.json waiting.json --format jsonl")
      assert.deepStrictEqual(
        out.split("\n").map((line) => one(line).score),
        [5, 2]
      )
    })
  )

  it.scoped("text says the score, what it means and why, and counts several sessions", () =>
    Effect.gen(function* () {
      const root = yield* folder(files)
      const { out } = yield* score(root, "complete.json")
      for (const part of [
        "complete.json",
        "session s1",
        "5 of 5",
        "done and proved",
        "Outcome",
        "Steps",
        "Honesty",
        "npm test"
      ])
        assert.include(out, part)
      const both = yield* score(root, "complete.json waiting.json missing.json")
      assert.strictEqual(
        both.out.split("\n").at(-1),
        "3 sessions: 1 scored 2 · 1 scored 5 · 1 could not be scored; 3.5 on average"
      )
    })
  )

  it.scoped("calls nothing proved of which something cannot be told", () =>
    Effect.gen(function* () {
      const answered = { ask: "What does src/cart.ts do?", runs: [], answer: "It adds up the prices of the cart." }
      const root = yield* folder({ "answered.json": neutral([answered]) })
      const { out } = yield* score(root, "answered.json")
      assert.include(out, "5 of 5")
      assert.include(out, "not all of it can be told")
      assert.notInclude(out, "done and proved")
    })
  )

  it.scoped("a record without the user's words has no score until they are given as --task", () =>
    Effect.gen(function* () {
      const root = yield* folder({ "promptless.json": Silences.promptless(Silences.complete) })
      const { code, err, out } = yield* score(root, "promptless.json")
      assert.deepStrictEqual([code, out], [2, ""])
      assert.include(err, "promptless.json: has no message of a user")
      assert.include(err, "--task")
      const words = ["score", "promptless.json", "--format", "json", "--task", "Fix src/cart.ts and run npm test."]
      assert.strictEqual(one((yield* runCli(words, { cwd: root })).out).score, 5)
    })
  )

  it.scoped("takes the newest session of the directory where no file is named", () =>
    Effect.gen(function* () {
      const project = join(yield* folder({}), "project")
      mkdirSync(project)
      const file = `.claude/projects/${project.replace(/[^a-zA-Z0-9]/g, "-")}/s.jsonl`
      const home = yield* folder({ [file]: text(claudeCode([passing], { cwd: project })) })
      const { code, err, out } = yield* score(project, "--format json", { env: { HOME: home } })
      assert.deepStrictEqual([code, one(out).file], [0, join(home, file)])
      assert.include(err, "reflexion: scoring the newest claude-code session of ")
    })
  )

  it.scoped("lets no control character and no secret of a session through", () =>
    Effect.gen(function* () {
      const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"}`
      const hostile = `Run \u001b[2Jnpm test\u001b]0;owned\u0007 \u009b31m \u202eplease with ${secret}.`
      const root = yield* folder({ "s.json": neutral([{ ...failing, ask: hostile }]) })
      for (const format of ["text", "json", "jsonl"]) {
        const { out } = yield* score(root, `s.json --format ${format}`)
        assert.notMatch(out.replaceAll("\n", ""), /[\p{Cc}\u202e]/u)
        assert.notInclude(out, secret)
      }
    })
  )

  it.effect.each([
    [["--now", "2026-01-31", "a"], "unknown option --now"],
    [["--task", " ", "a"], "--task needs a text"],
    [["--format", "xml", "a"], '--format: "xml" is none of text, json, jsonl']
  ] as const)("%j: exit 2, on standard error, in two lines", ([words, expected]) =>
    Effect.gen(function* () {
      const { code, err, out } = yield* runCli(["score", ...words])
      assert.deepStrictEqual([code, out], [2, ""])
      assert.include(err, expected)
      assert.deepStrictEqual(err.split("\n").slice(1), ["Try 'reflexion score --help'."])
    })
  )
})
