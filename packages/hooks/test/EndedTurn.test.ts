import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { OutcomeLog, type Service } from "@reflexion/core/OutcomeLog"
import { NodeContext } from "@effect/platform-node"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Context, Effect, Layer } from "effect"
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { decisions, type Scratch, scratch, session, type Session } from "./support/session.ts"

const { output: failing, task } = SampleFailure

const fileOf = ({ root }: Pick<Scratch, "root">): string => join(root, ".reflection", "outcomes.jsonl")

const outcomes = (scratched: Scratch): ReadonlyArray<AttemptOutcome> =>
  existsSync(fileOf(scratched))
    ? readFileSync(fileOf(scratched), "utf8")
        .trim()
        .split("\n")
        .map((text): AttemptOutcome => JSON.parse(text))
    : []

const opened = (scratched: Scratch) =>
  Effect.map(
    Layer.build(Layer.provide(OutcomeLog.Live({ path: fileOf(scratched) }), NodeContext.layer)),
    (context): Service => Context.get(context, OutcomeLog)
  )

const begun = (scratched: Scratch, id = "s1"): Session => {
  scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
  return session(scratched, id).user(task).edits("src/total.ts")
}

const words = "I changed how the total is rounded."

const fails = (agent: Session): void => {
  const answer = agent
    .runs("npm test", failing("rounds half up", "45", "44.9"), true)
    .says(words)
    .stop(words)
  assert.strictEqual(answer._tag, "push")
  // A second hook at the same stop.
  assert.strictEqual(agent.stop(words)._tag, "nothing")
  agent.told(answer)
}

const failures = (scratched: Scratch): ReadonlyArray<string> =>
  decisions(scratched).flatMap(({ decision, reason }) => (decision === "failure" ? [reason] : []))

const old = (at: string): string =>
  `${JSON.stringify({ id: at, sessionId: "s0", objective: task, status: "failed", durationMs: 1, resultLength: 2, backend: "codex", at })}\n`

describe("the outcome log of a session with hooks", () => {
  it.scoped("gets one outcome for each attempt that a stop ends, which every reader of the log can read", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = begun(scratched)
      fails(agent)
      const done = "The tests pass."
      agent.edits("src/total.ts").runs("npm test", "Tests  3 passed (3)").says(done).stop(done)
      const log = yield* opened(scratched)
      const kept = yield* log.outcomesSince(Number.NEGATIVE_INFINITY)
      assert.deepStrictEqual(kept, outcomes(scratched))
      assert.deepStrictEqual(
        kept.map(({ resultLength, status }) => [status, resultLength]),
        [
          ["failed", words.length],
          ["completed", done.length]
        ]
      )
      const [first] = kept
      assert.deepInclude(first, { taskId: null, sessionId: "s1", objective: task, backend: scratched.hook.host })
      assert.include(first?.tools ?? [], "Bash")
      assert.isAbove(first?.durationMs ?? 0, 0)
      // The hook's clock stands still, and the second began when the agent was sent on.
      assert.isBelow(kept[1]?.durationMs ?? 0, first?.durationMs ?? 0)
      assert.strictEqual(yield* log.unreadable, 0)
      assert.strictEqual(yield* log.failureStreakOf(task), 0)
      assert.deepStrictEqual(failures(scratched), [])
    })
  )

  it.scoped("gets nothing of a stop that ends no attempt, nor where the configuration turns it off", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const asks = "Should totals be rounded to whole cents or to tenths?"
      begun(scratched).says(asks).stop(asks)
      assert.isFalse(existsSync(fileOf(scratched)))
      scratched.put(".reflection/config.json", '{"cycle":{"enabled":false}}')
      fails(begun(scratched, "s2"))
      assert.isFalse(existsSync(fileOf(scratched)))
    })
  )

  it.scoped("puts half a line aside, forgets what is old, and leaves what nobody can read", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      mkdirSync(join(scratched.root, ".reflection"))
      writeFileSync(fileOf(scratched), `${old("2020-01-01T00:00:00.000Z")}no JSON\n`)
      appendFileSync(fileOf(scratched), '{"id":"to')
      fails(begun(scratched))
      const lines = readFileSync(fileOf(scratched), "utf8").split("\n")
      assert.lengthOf(lines, 3)
      assert.strictEqual(lines[0], "no JSON")
      assert.include(lines[1], '"status":"failed"')
      assert.include(readFileSync(`${fileOf(scratched)}.torn`, "utf8"), '{"id":"to')
    })
  )

  it.scoped("writes the log anew only once a tenth more than is kept has come together", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const day = 86_400_000
      const ago = (days: number): string => old(new Date(scratched.hook.now() - days * day).toISOString())
      mkdirSync(join(scratched.root, ".reflection"))
      writeFileSync(fileOf(scratched), `${ago(32)}${ago(31)}${ago(1)}`)
      fails(begun(scratched))
      assert.lengthOf(outcomes(scratched), 4)
      writeFileSync(fileOf(scratched), `${ago(34)}${ago(31)}${ago(1)}`)
      fails(begun(scratched, "s2"))
      assert.lengthOf(outcomes(scratched), 2)
    })
  )

  it.scoped("is left alone where it ends in what is no line of a log, however large that is", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      mkdirSync(join(scratched.root, ".reflection"))
      const whole = old(new Date(scratched.hook.now()).toISOString())
      const said = `the outcome log is left alone: ${fileOf(scratched)} ends in 1 MiB or more without a line break, and is no file of lines: move it away`
      for (const [at, text] of ["", whole, `${whole}{"id":"`].entries()) {
        const content = `${text}${"x".repeat(3 * 1024 * 1024)}`
        writeFileSync(fileOf(scratched), content)
        fails(begun(scratched, `s${at}`))
        assert.deepStrictEqual(failures(scratched).slice(at), [said])
        assert.strictEqual(readFileSync(fileOf(scratched), "utf8"), content)
        assert.isFalse(existsSync(`${fileOf(scratched)}.torn`))
      }
    })
  )

  it.scoped("has half a line of just under a MiB put aside", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      mkdirSync(join(scratched.root, ".reflection"))
      const torn = `{"id":"${"x".repeat(1024 * 1024 - 8)}`
      writeFileSync(fileOf(scratched), `${old(new Date(scratched.hook.now()).toISOString())}${torn}`)
      fails(begun(scratched))
      assert.deepStrictEqual(failures(scratched), [])
      assert.lengthOf(outcomes(scratched), 2)
      assert.strictEqual(readFileSync(`${fileOf(scratched)}.torn`, "utf8"), `${torn}\n`)
    })
  )

  it.scoped("costs the stop nothing where it cannot be written: a line in the decision log", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      mkdirSync(join(scratched.root, ".reflection"))
      symlinkSync(join(scratched.root, "elsewhere"), fileOf(scratched))
      fails(begun(scratched))
      assert.match(failures(scratched).join("\n"), /^the outcome log is left alone: .*outcomes\.jsonl/)
      assert.isFalse(existsSync(join(scratched.root, "elsewhere")))
    })
  )
})
