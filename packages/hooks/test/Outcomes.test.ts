/** A project's outcome log and the rules over it, as a session with hooks keeps them. */
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { defaults } from "@reflexion/core/ReflexionConfig"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { HookAnswer } from "../src/input/HookEvent.ts"
import * as Outcomes from "../src/memory/Outcomes.ts"
import { edited, failures, inScratch, noticeOf, scratch, type Scratch, task } from "./support/session.ts"

const words = "I changed how the total is rounded."

const fileOf = ({ root }: Scratch, name = "outcomes.jsonl"): string => join(root, ".reflection", name)

const linesOf = <A>(scratched: Scratch, name: string): ReadonlyArray<A> =>
  existsSync(fileOf(scratched, name))
    ? readFileSync(fileOf(scratched, name), "utf8")
        .trim()
        .split("\n")
        .map((text): A => JSON.parse(text))
    : []

const outcomes = (scratched: Scratch) => linesOf<AttemptOutcome>(scratched, "outcomes.jsonl")

const findings = (scratched: Scratch) => linesOf<ReflectionFinding>(scratched, "findings.jsonl")

/** A session that works on the task for the first time, and fails. */
const fails = (scratched: Scratch, id: string): HookAnswer => {
  const red = SampleFailure.output("rounds half up", "45", "44.9")
  return edited(scratched, id).runs("npm test", red, true).says(words).stop(words)
}

/** What the user is shown below the first line. */
const added = (answer: HookAnswer): ReadonlyArray<string> => noticeOf(answer).split("\n").slice(1)

const old = (at: string): string => {
  const told = { sessionId: "s0", objective: task, status: "failed", durationMs: 1, resultLength: 2, backend: "codex" }
  return `${JSON.stringify({ id: at, ...told, at })}\n`
}

const ago = ({ hook }: Scratch, days: number): string => old(new Date(hook.now() - days * 86_400_000).toISOString())

const put = (scratched: Scratch, text: string): void => {
  mkdirSync(join(scratched.root, ".reflection"), { recursive: true })
  writeFileSync(fileOf(scratched), text)
}

describe("the outcome log of a session with hooks", () => {
  it.scoped("gets one outcome for each attempt that a stop ends, which a program reads as well", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = edited(scratched)
        .runs("npm test", SampleFailure.output("rounds", "2", "1"), true)
        .says(words)
      const answer = agent.stop(words)
      // A second hook at the same stop.
      assert.strictEqual(agent.stop(words)._tag, "nothing")
      const done = "The tests pass."
      agent.told(answer).edits("src/total.ts").runs("npm test", "Tests  3 passed (3)").says(done).stop(done)
      const log = Layer.provide(OutcomeLog.Live({ path: fileOf(scratched) }), NodeContext.layer)
      const kept = yield* Effect.provide(
        Effect.flatMap(OutcomeLog, ({ outcomesSince }) => outcomesSince(Number.NEGATIVE_INFINITY)),
        log
      )
      assert.deepStrictEqual(kept, outcomes(scratched))
      assert.deepStrictEqual(
        kept.map(({ resultLength, status }) => [status, resultLength]),
        [
          ["failed", words.length],
          ["completed", done.length]
        ]
      )
      const [first, second] = kept
      assert.deepInclude(first, { taskId: null, sessionId: "s1", objective: task, backend: scratched.hook.host })
      assert.include(first?.tools ?? [], "Bash")
      // The hook's clock stands still, and the second began when the agent was sent on.
      assert.isBelow(second?.durationMs ?? 0, first?.durationMs ?? 0)
      assert.strictEqual(statSync(fileOf(scratched)).mode & 0o777, 0o600)
      assert.deepStrictEqual(failures(scratched), [])
    })
  )

  inScratch("puts half a line aside, forgets what is old, and leaves what nobody can read", (scratched) => {
    put(scratched, `${old("2020-01-01T00:00:00.000Z")}no JSON\n{"id":"to`)
    fails(scratched, "s1")
    const lines = readFileSync(fileOf(scratched), "utf8").split("\n")
    assert.lengthOf(lines, 3)
    assert.strictEqual(lines[0], "no JSON")
    assert.include(lines[1], '"status":"failed"')
    assert.include(readFileSync(`${fileOf(scratched)}.torn`, "utf8"), '{"id":"to')
  })

  inScratch("is written again only once a tenth more than is kept has come together", (scratched) => {
    put(scratched, [32, 31, 1].map((days) => ago(scratched, days)).join(""))
    fails(scratched, "s1")
    assert.lengthOf(outcomes(scratched), 4)
    put(scratched, [34, 31, 1].map((days) => ago(scratched, days)).join(""))
    fails(scratched, "s2")
    assert.lengthOf(outcomes(scratched), 2)
  })

  inScratch("is left alone where it ends in what is no line, or cannot be written, which the log says", (scratched) => {
    put(scratched, "x".repeat(3 * 1024 * 1024))
    assert.strictEqual(fails(scratched, "s1")._tag, "nudge")
    assert.match(failures(scratched)[0] ?? "", /^the outcome log is left alone: .* ends in 1 MiB or more .*: move it/)
    assert.isFalse(existsSync(`${fileOf(scratched)}.torn`))
    put(scratched, "")
    execFileSync("rm", [fileOf(scratched)])
    symlinkSync(join(scratched.root, "elsewhere"), fileOf(scratched))
    assert.strictEqual(fails(scratched, "s2")._tag, "nudge")
    assert.match(failures(scratched)[1] ?? "", /^the outcome log is left alone: .*outcomes\.jsonl/)
    assert.isFalse(existsSync(join(scratched.root, "elsewhere")))
  })
})

describe("the rules of the reflection cycle in a host with hooks", () => {
  inScratch("find all the same where what is old cannot be forgotten, which one line says", (scratched) => {
    for (const id of ["s1", "s2"]) fails(scratched, id)
    put(scratched, old("2020-01-01T00:00:00.000Z") + readFileSync(fileOf(scratched), "utf8"))
    mkdirSync(`${fileOf(scratched)}.next`)
    fails(scratched, "s3")
    assert.lengthOf(findings(scratched), 1)
    assert.match(failures(scratched).join("\n"), /^old outcomes were not forgotten: .*outcomes\.jsonl\.next/)
    assert.include(readFileSync(fileOf(scratched), "utf8"), '"2020-01-01')
  })

  inScratch("find what several processes find at once one time", (scratched) => {
    for (const id of ["s1", "s2"]) fails(scratched, id)
    const asked = { root: scratched.root, now: scratched.hook.now(), settings: defaults.cycle }
    appendFileSync(
      fileOf(scratched),
      `${JSON.stringify({ ...outcomes(scratched)[0], id: "other", sessionId: "s3" })}\n`
    )
    assert.lengthOf(
      [1, 2, 3].map(() => Outcomes.look(asked)).filter((line) => line !== ""),
      1
    )
    assert.lengthOf(findings(scratched), 1)
  })

  it.scoped.each<readonly [string, RegExp, (scratched: Scratch) => void]>([
    [
      "they cannot be kept",
      /^the rules look at no outcome: .*findings\.jsonl/,
      (scratched) => symlinkSync(join(scratched.root, "elsewhere"), fileOf(scratched, "findings.jsonl"))
    ],
    [
      "git tracks the logs",
      /^the rules look at no outcome: git tracks .*outcomes\.jsonl/,
      ({ root }) => {
        execFileSync("git", ["-C", root, "init", "--quiet"])
        execFileSync("git", ["-C", root, "add", "--force", ".reflection/outcomes.jsonl"])
      }
    ]
  ])("cost the stop nothing where %s", ([, reason, before]) =>
    Effect.map(scratch, (scratched) => {
      for (const id of ["s1", "s2"]) fails(scratched, id)
      before(scratched)
      assert.deepStrictEqual(added(fails(scratched, "s3")), [])
      assert.match(failures(scratched).join("\n"), reason)
      assert.deepStrictEqual(findings(scratched), [])
      assert.isFalse(existsSync(join(scratched.root, "elsewhere")))
    })
  )
})
