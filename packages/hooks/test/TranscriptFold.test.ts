import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Judgment from "@reflexion/core/Judgment"
import * as Recordings from "@reflexion/testing/scenarios/Recordings"
import { Effect, FastCheck as fc } from "effect"
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as ClaudeCodeHook from "../src/process/ClaudeCodeHook.ts"
import * as CodexHook from "../src/process/CodexHook.ts"
import * as SessionFile from "../src/session/SessionFile.ts"
import * as TranscriptFold from "../src/session/TranscriptFold.ts"
import { type Scratch, scratch } from "./support/session.ts"

const context = { ...Judgment.defaultContext, cwd: "/home/dev/shop" }

const options = <S>(file: string, decoder: TranscriptFold.RecordDecoder<S>) => ({
  file,
  decoder,
  context: () => context,
  hasTime: () => true
})

/** Saves and loads as two processes would. */
const throughDisk = <S>({ hook }: Scratch, fold: TranscriptFold.Fold<S>): TranscriptFold.Fold<S> | null => {
  const key = { directories: hook.directories, host: "test", sessionId: basename(fold.file), build: "b" }
  const { seen, session } = SessionFile.load<S>(key)
  SessionFile.save<S>(key, { ...session, fold }, seen)
  return SessionFile.load<S>(key).session.fold
}

const whole = <S>(file: string, decoder: TranscriptFold.RecordDecoder<S>) =>
  TranscriptFold.resume({ ...options(file, decoder), saved: null })

/** Reads a record that grows by the given pieces, each time from what was saved. */
const growing = <S>(
  scratched: Scratch,
  bytes: Buffer,
  cuts: ReadonlyArray<number>,
  decoder: TranscriptFold.RecordDecoder<S>
) => {
  const file = join(scratched.home, "growing.jsonl")
  let saved: TranscriptFold.Fold<S> | null = null
  for (const end of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    writeFileSync(file, bytes.subarray(0, end))
    const folded: TranscriptFold.Folded<S> | null = TranscriptFold.resume({ ...options(file, decoder), saved })
    saved = folded === null ? null : throughDisk(scratched, folded.fold)
  }
  return saved
}

const isTheSameInPieces = <S>(host: Recordings.Host, decoder: TranscriptFold.RecordDecoder<S>) =>
  Effect.gen(function* () {
    const scratched = yield* scratch
    const recordings = yield* Recordings.list(host)
    assert.isAbove(recordings.length, 8)
    for (const { file } of recordings) {
      const bytes = readFileSync(file)
      const copy = join(scratched.home, "whole.jsonl")
      writeFileSync(copy, bytes)
      const expected = whole(copy, decoder)?.fold
      const cuts = fc.array(fc.nat(bytes.length), { maxLength: 4 })
      fc.assert(
        fc.property(cuts, (places) => {
          const found = growing(scratched, bytes, places, decoder)
          assert.deepStrictEqual(found?.judgment, expected?.judgment)
          assert.deepStrictEqual(found?.decoder, expected?.decoder)
        }),
        { numRuns: 3 }
      )
    }
  })

const line = (text: string): string =>
  `${JSON.stringify({ type: "user", sessionId: "s", cwd: "/repo", uuid: text, message: { content: text } })}\n`

describe("TranscriptFold", () => {
  it.scoped("comes to the same in pieces, through saved states, as at once: Claude Code", () =>
    Effect.provide(isTheSameInPieces("claude-code", ClaudeCodeHook.decoder), NodeContext.layer)
  )

  it.scoped("comes to the same in pieces, through saved states, as at once: Codex", () =>
    Effect.provide(isTheSameInPieces("codex", CodexHook.decoder), NodeContext.layer)
  )

  it.scoped("reads only what is new, and everything once the record is another", () =>
    Effect.gen(function* () {
      const { home } = yield* scratch
      const file = join(home, "s.jsonl")
      let steps = 0
      const decoder: typeof ClaudeCodeHook.decoder = {
        ...ClaudeCodeHook.decoder,
        step: (state, value) => {
          steps += 1
          return ClaudeCodeHook.decoder.step(state, value)
        }
      }
      const read = (saved: ReturnType<typeof whole<typeof decoder.initial>>) => {
        steps = 0
        return TranscriptFold.resume({ ...options(file, decoder), saved: saved?.fold ?? null })
      }
      writeFileSync(file, `${line("one")}${line("two")}`)
      const first = read(null)
      assert.strictEqual(steps, 2)
      writeFileSync(file, `${line("one")}${line("two")}${line("three")}`)
      const second = read(first)
      assert.strictEqual(steps, 1)
      writeFileSync(file, `${line("One")}${line("two")}${line("three")}${line("four")}`)
      const third = read(second)
      assert.strictEqual(steps, 4)
      writeFileSync(file, line("one"))
      assert.strictEqual(read(third)?.fold.judgment.task.turn, 0)
      assert.strictEqual(steps, 1)
    })
  )

  it.scoped("folds anew when the scripts or gates changed by which it was folded", () =>
    Effect.gen(function* () {
      const { home } = yield* scratch
      const file = join(home, "s.jsonl")
      cpSync(join(Recordings.folder("claude-code"), "fixed-and-tested.jsonl"), file)
      const first = whole(file, ClaudeCodeHook.decoder)
      const gates = [{ name: "smoke", command: "make smoke", paths: [], required: true }]
      const changed = { ...context, config: { ...context.config, gates } }
      const second = TranscriptFold.resume({
        ...options(file, ClaudeCodeHook.decoder),
        context: () => changed,
        saved: first?.fold ?? null
      })
      assert.notStrictEqual(second?.fold.context, first?.fold.context)
      assert.deepStrictEqual(second?.fold.judgment.task, first?.fold.judgment.task)
      assert.strictEqual(second?.fold.judgment.evidence.order, first?.fold.judgment.evidence.order)
    })
  )

  it.scoped("takes in what subagents did, once, as their files grow", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const from = Recordings.folder("claude-code")
      const file = join(scratched.home, "subagent.jsonl")
      cpSync(join(from, "subagent.jsonl"), file)
      const alone = whole(file, ClaudeCodeHook.decoder)
      cpSync(join(from, "subagent"), join(scratched.home, "subagent"), { recursive: true })
      const together = whole(file, ClaudeCodeHook.decoder)
      const saved = together === null ? null : throughDisk(scratched, together.fold)
      const again = TranscriptFold.resume({ ...options(file, ClaudeCodeHook.decoder), saved })
      const orders = [alone, together, again].map((folded) => folded?.fold.judgment.evidence.order ?? 0)
      assert.isAbove(orders[1] ?? 0, orders[0] ?? 0)
      assert.strictEqual(orders[2], orders[1])
      assert.deepStrictEqual(again?.fold.judgment, together?.fold.judgment)
    })
  )

  it.scoped("finds the agents of a Codex session where Codex keeps them: beside it, or in a later day's folder", () =>
    Effect.gen(function* () {
      const { home } = yield* scratch
      const from = Recordings.folder("codex")
      const [agent = ""] = readdirSync(join(from, "subagent/subagents"))
      const month = join(home, "sessions/2026/11")
      const [day, later] = [join(month, "22"), join(month, "23")]
      const record = join(day, "rollout-2026-11-22T02-02-15-01a200fd-6346-76b2-9d8e-0b38bfb9f41a.jsonl")
      cpSync(join(from, "subagent.jsonl"), record)
      assert.deepStrictEqual(CodexHook.decoder.subagents?.list(record), [])
      for (const folder of [day, later]) cpSync(join(from, "subagent/subagents", agent), join(folder, agent))
      cpSync(join(from, "tests-failing.jsonl"), join(day, "rollout-2026-11-22T03-00-00-other.jsonl"))
      const expected = [day, later].map((folder) => join(folder, agent))
      assert.deepStrictEqual(CodexHook.decoder.subagents?.list(record), expected)
    })
  )

  it("answers null where there is no record", () => {
    assert.isNull(whole("/nowhere/at/all.jsonl", ClaudeCodeHook.decoder))
  })
})
