import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { FindingLog } from "@reflexion/core/FindingLog"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { defaults } from "@reflexion/core/ReflexionConfig"
import { NodeContext } from "@effect/platform-node"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Outcomes from "../src/memory/Outcomes.ts"
import type { HookAnswer } from "../src/input/HookEvent.ts"
import { decisions, type Scratch, scratch, session, type Session } from "./support/session.ts"

const { output: failing, task } = SampleFailure

const fileOf = ({ root }: Pick<Scratch, "root">): string => join(root, ".reflection", "findings.jsonl")

const findings = (scratched: Pick<Scratch, "root">): ReadonlyArray<ReflectionFinding> =>
  existsSync(fileOf(scratched))
    ? readFileSync(fileOf(scratched), "utf8")
        .trim()
        .split("\n")
        .map((text): ReflectionFinding => JSON.parse(text))
    : []

const begun = (scratched: Scratch, id: string): Session => {
  scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
  return session(scratched, id).user(task).edits("src/total.ts")
}

const words = "I changed how the total is rounded."

/** A session that works on the task for the first time, and fails. */
const fails = (scratched: Scratch, id: string): HookAnswer =>
  begun(scratched, id)
    .runs("npm test", failing("rounds half up", "45", "44.9"), true)
    .says(words)
    .stop(words)

const completes = (scratched: Scratch, id: string): HookAnswer => {
  const done = "The tests pass."
  return begun(scratched, id).runs("npm test", "Tests  3 passed (3)").says(done).stop(done)
}

const shown = (answer: HookAnswer): string =>
  answer._tag === "push" ? answer.notice : answer._tag === "notice" ? answer.text : ""

const lines = (answers: ReadonlyArray<HookAnswer>): ReadonlyArray<ReadonlyArray<string>> =>
  answers.map((answer) => shown(answer).split("\n").slice(1))

const failures = (scratched: Scratch): ReadonlyArray<string> =>
  decisions(scratched).flatMap(({ decision, reason }) => (decision === "failure" ? [reason] : []))

describe("the rules of the reflection cycle in a host with hooks", () => {
  it.scopedLive("find once what three failing attempts of a task show, and tell the user then, not the agent", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const answers = ["s1", "s2", "s3", "s4"].map((id) => fails(scratched, id))
      const [, , told, ...more] = lines(answers)
      assert.lengthOf(told ?? [], 1)
      assert.match(
        told?.[0] ?? "",
        /^reflexion: The task ".*" failed 3 times in a row since .*Z\. See `reflexion cycle`\.$/
      )
      assert.deepStrictEqual([...lines(answers).slice(0, 2), ...more], [[], [], []])
      for (const answer of answers) if (answer._tag === "push") assert.notInclude(answer.feedback, "reflexion cycle")
      const found = findings(scratched)
      assert.deepStrictEqual(
        found.map(({ actionTaken, rule, severity, subjectId }) => ({ actionTaken, rule, severity, subjectId })),
        [{ actionTaken: null, rule: "consecutive_failures", severity: "warning", subjectId: "s3" }]
      )
      assert.match(found[0]?.id ?? "", /^consecutive_failures-/)
      assert.deepStrictEqual(failures(scratched), [])
      const log = FindingLog.Live({ path: fileOf(scratched) }).pipe(Layer.provide(NodeContext.layer))
      const read = yield* Effect.provide(
        Effect.flatMap(FindingLog, (all) => all.findings()),
        log
      )
      assert.deepStrictEqual(read, found)
    })
  )

  it.scoped("find the same task again once it has completed in between, and look at no success", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      for (const id of ["s1", "s2"]) fails(scratched, id)
      completes(scratched, "s3")
      for (const id of ["s4", "s5"]) fails(scratched, id)
      assert.isFalse(existsSync(fileOf(scratched)))
      fails(scratched, "s6")
      assert.lengthOf(findings(scratched), 1)
      completes(scratched, "s7")
      assert.lengthOf(findings(scratched), 1)
    })
  )

  it.scoped("look at nothing where the configuration turns them off, and go by its limit", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      scratched.put(".reflection/config.json", '{"cycle":{"enabled":false}}')
      for (const id of ["s1", "s2", "s3"]) fails(scratched, id)
      assert.deepStrictEqual(findings(scratched), [])
      scratched.put(".reflection/config.json", "{}")
      scratched.put("../.config/reflexion/config.json", '{"cycle":{"consecutive_failure_limit":2}}')
      for (const id of ["s4", "s5"]) fails(scratched, id)
      assert.lengthOf(findings(scratched), 1)
    })
  )

  it.scoped("find all the same where what is old cannot be forgotten, which one line says", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      for (const id of ["s1", "s2"]) fails(scratched, id)
      const log = join(scratched.root, ".reflection", "outcomes.jsonl")
      const [first = ""] = readFileSync(log, "utf8").split("\n")
      const old = JSON.stringify({ ...JSON.parse(first), id: "old", at: "2020-01-01T00:00:00.000Z" })
      writeFileSync(log, `${old}\n${readFileSync(log, "utf8")}`)
      mkdirSync(`${log}.next`)
      fails(scratched, "s3")
      assert.lengthOf(findings(scratched), 1)
      assert.lengthOf(failures(scratched), 1)
      assert.match(failures(scratched)[0] ?? "", /^old outcomes were not forgotten: .*outcomes\.jsonl\.next/)
      assert.include(readFileSync(log, "utf8"), '"id":"old"')
    })
  )

  it.scoped("find what several processes find at once one time", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      for (const id of ["s1", "s2"]) fails(scratched, id)
      const asked = { root: scratched.root, now: scratched.hook.now(), settings: defaults.cycle }
      const log = join(scratched.root, ".reflection", "outcomes.jsonl")
      const [first = ""] = readFileSync(log, "utf8").split("\n")
      appendFileSync(log, `${JSON.stringify({ ...JSON.parse(first), id: "other", sessionId: "s3" })}\n`)
      const told = [1, 2, 3].map(() => Outcomes.look(asked)).filter((line) => line !== "")
      assert.lengthOf(told, 1)
      assert.lengthOf(findings(scratched), 1)
    })
  )

  it.scoped(
    "cost the stop nothing where they cannot be kept, or where git tracks the logs: a line in the decision log",
    () =>
      Effect.gen(function* () {
        const linked = yield* scratch
        for (const id of ["s1", "s2"]) fails(linked, id)
        symlinkSync(join(linked.root, "elsewhere"), fileOf(linked))
        assert.strictEqual(fails(linked, "s3")._tag, "push")
        assert.match(failures(linked).join("\n"), /^the rules look at no outcome: .*findings\.jsonl/)
        assert.isFalse(existsSync(join(linked.root, "elsewhere")))

        const led = yield* scratch
        mkdirSync(join(led.home, "elsewhere"))
        symlinkSync(join(led.home, "elsewhere"), join(led.root, ".reflection"))
        const kept: AttemptOutcome = JSON.parse(
          readFileSync(join(linked.root, ".reflection/outcomes.jsonl"), "utf8").split("\n")[0] ?? ""
        )
        const given = { root: led.root, outcome: kept, now: led.hook.now(), retentionDays: 30 }
        assert.throws(() => Outcomes.add(given), /symbolic link/)
        assert.deepStrictEqual(readdirSync(join(led.home, "elsewhere")), [])

        const tracked = yield* scratch
        const git = (...all: ReadonlyArray<string>) => execFileSync("git", ["-C", tracked.root, ...all])
        for (const id of ["s1", "s2"]) fails(tracked, id)
        git("init", "--quiet")
        git("add", "--force", ".reflection/outcomes.jsonl")
        assert.strictEqual(shown(fails(tracked, "s3")).split("\n").length, 1)
        assert.match(failures(tracked).join("\n"), /^the rules look at no outcome: git tracks .*outcomes\.jsonl/)
        assert.deepStrictEqual(findings(tracked), [])
      })
  )
})
