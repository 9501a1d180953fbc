/** Stops that checks are run for: those that the user configured, and those that they allowed in a project. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as CheckPrint from "@reflexion/core/internal/checks/CheckPrint"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as TakenFile from "../src/config/TakenFile.ts"
import type { HookAnswer } from "../src/input/HookEvent.ts"
import * as Handlers from "../src/process/handlers.ts"
import {
  configure,
  feedbackOf,
  noticeOf,
  reasons,
  record,
  replyOf,
  scratch,
  type Scratch,
  session,
  type Session,
  task,
  type
} from "./support/session.ts"

const claim = "The rounding is fixed and all tests pass."
const plain = "The rounding is fixed."

const textOf = (root: string, command: string, print = "0"): string =>
  TakenChecks.render({
    version: 1,
    root,
    at: "2026-01-01T00:00:00.000Z",
    checks: [{ name: "tests", command, timeout: 60, print }]
  })

const take = Effect.fnUntraced(function* ({ hook, root }: Scratch, command: string) {
  const print = yield* Effect.provide(CheckPrint.of(root, command), NodeContext.layer)
  TakenFile.write(hook.directories, root, textOf(root, command, print))
})

/** A project whose tests print this, a command that runs them, and how often that was run. */
const project = (scratched: Scratch, isGreen = false) => {
  const [counter, report] = [join(scratched.home, "runs"), join(scratched.home, "report")]
  writeFileSync(report, isGreen ? "Tests  3 passed (3)" : SampleFailure.output("rounds half up", "45", "44.9"))
  scratched.put("package.json", JSON.stringify({ scripts: { test: `cat ${report}; exit ${isGreen ? 0 : 1}` } }))
  execFileSync("git", ["-C", scratched.root, "init", "--quiet"])
  return {
    command: `echo ran >> ${counter}; cat ${report}; exit ${isGreen ? 0 : 1}`,
    npm: `echo ran >> ${counter}; npm test`,
    runs: () => (existsSync(counter) ? readFileSync(counter, "utf8").trim().split("\n").length : 0)
  }
}

const allowed = Effect.fnUntraced(function* (scratched: Scratch, isGreen = false) {
  const made = project(scratched, isGreen)
  yield* take(scratched, made.command)
  return made
})

/** As where nobody is there. */
const away = (scratched: Scratch): Scratch => ({ ...scratched, hook: { ...scratched.hook, env: { CI: "1" } } })

const said = (scratched: Scratch, words = claim, asked = "Fix the rounding in src/total.ts."): Session =>
  session(scratched, "s1").user(asked).edits("src/total.ts").says(words)

const wait = (answered: () => Promise<HookAnswer>) => Effect.promise(answered)

const checksRun = ({ hook, root }: Scratch, agent: Session, cwd = root) =>
  Effect.map(
    wait(async () => {
      const event = { kind: "prompt", name: "UserPromptSubmit", prompt: "/reflection checks run", cwd } as const
      return Handlers.handle(hook, agent.event(event))
    }),
    replyOf
  )

const ran = /reflexion ran `echo .*`: failed(?:; whether it failed before the task is not known)?, exit 1, \d+\.\d s/

describe("a stop under checks that the user configured", () => {
  const configured = Effect.map(scratch, (scratched) => {
    const { command, runs } = project(scratched)
    configure(scratched, { checks: [{ name: "tests", command }] })
    return { scratched, runs, agent: said(scratched, claim, task) }
  })

  it.scopedLive("tells the agent the failing test's name, and runs nothing again where nothing changed", () =>
    Effect.gen(function* () {
      const { agent, runs, scratched } = yield* configured
      const first = yield* wait(() => agent.consulted(claim))
      assert.include(feedbackOf(first), "rounds half up")
      assert.strictEqual(runs(), 2)
      const checked = { "evidence.checks[0].failing[0].name": "rounds half up", progress: null }
      assert.deepNestedInclude(record(scratched), checked)
      agent.told(first).says("It is as I said.")
      const second = yield* wait(() => agent.consulted("It is as I said."))
      assert.strictEqual(second._tag, "notice")
      assert.strictEqual(runs(), 2)
      assert.deepNestedInclude(record(scratched), { "evidence.checks[0].cached": true, "progress.followed": "none" })
    })
  )

  it.scopedLive("is looked at by one hook alone, however many there are", () =>
    Effect.gen(function* () {
      const { agent, runs } = yield* configured
      const first = agent.consulted(claim)
      assert.strictEqual((yield* wait(() => agent.consulted(claim)))._tag, "nothing")
      assert.strictEqual((yield* wait(() => first))._tag, "nudge")
      assert.strictEqual(runs(), 2)
    })
  )

  const meanwhile: ReadonlyArray<readonly [string, string, (scratched: Scratch, agent: Session) => void]> = [
    [
      "has written on",
      "the user wrote on while the stop was judged",
      (_, agent) => void agent.user("Never mind the tests, what does total do?").says("It adds up.")
    ],
    [
      "has stopped reflexion",
      "the user stopped reflexion in this session",
      (scratched, agent) => void type(scratched, agent, "/reflection stop")
    ],
    [
      "has interrupted the agent",
      "the user interrupted the agent",
      (_, agent) => void agent.user("[Request interrupted by user]")
    ]
  ]

  it.scopedLive.each(meanwhile)("says and counts nothing where the user %s meanwhile", ([, reason, happens]) =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
      configure(scratched, { checks: [{ name: "tests", command: "sleep 60" }] })
      const agent = said(scratched)
      const first = agent.consulted(claim)
      happens(scratched, agent)
      assert.strictEqual((yield* wait(() => first))._tag, "nothing")
      assert.include(reasons(scratched), `abstain: ${reason}`)
      assert.notInclude(reasons(scratched), "nudge")
    })
  )
})

describe("a stop under checks that the user allowed in the project", () => {
  it.scopedLive("is nudged where nobody is there and one fails, with what fails, which is shown and kept", () =>
    Effect.gen(function* () {
      const scratched = away(yield* scratch)
      const { runs } = yield* allowed(scratched)
      const answer = yield* wait(() => said(scratched).consulted(claim))
      assert.include(feedbackOf(answer), "rounds half up")
      assert.match(noticeOf(answer), ran)
      assert.match(reasons(scratched), /nudge: .*\[reflexion ran `echo .*`: failed/)
      assert.strictEqual(runs(), 2, "a failure is seen twice")
      const checked = { "evidence.checks[0].exitCode": 1, "evidence.checks[0].result": "failed" }
      assert.deepNestedInclude(record(scratched), checked)
    })
  )

  it.scopedLive("is complete by verification where nobody is there and they pass", () =>
    Effect.gen(function* () {
      const scratched = away(yield* scratch)
      const { runs } = yield* allowed(scratched, true)
      const answer = yield* wait(() => said(scratched, plain).consulted(plain))
      assert.strictEqual(answer._tag, "notice")
      assert.match(noticeOf(answer), /reflexion ran `echo .*`: passed, exit 0, \d+\.\d s/)
      assert.deepNestedInclude(record(scratched), { "verdict.complete": true, "verdict.source": "verification" })
      assert.strictEqual(runs(), 1)
    })
  )

  it.scopedLive("is told to the user where they are there and nobody knows since when it fails", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      yield* allowed(scratched)
      const answer = yield* wait(() => said(scratched, plain).consulted(plain))
      assert.strictEqual(answer._tag, "notice")
      assert.match(noticeOf(answer), ran)
    })
  )

  it.scopedLive("runs none whose script changed since, which the user is told once, and the agent never", () =>
    Effect.gen(function* () {
      const scratched = away(yield* scratch)
      const { npm, runs } = project(scratched)
      yield* take(scratched, npm)
      const bad = join(scratched.home, "bad")
      scratched.put("package.json", JSON.stringify({ scripts: { test: `touch ${bad}` } }))
      const agent = said(scratched)
      const first = yield* wait(() => agent.consulted(claim))
      assert.match(noticeOf(first), /what it runs has changed since you agreed.* `reflexion allow checks`/)
      assert.notInclude(feedbackOf(first), "agreed")
      const again = yield* wait(() => agent.runs("ls", "src").says(plain).consulted(plain))
      assert.notInclude(noticeOf(again), "agreed")
      assert.match(yield* checksRun(scratched, agent), /did not run it now: .* what it runs has changed/)
      assert.isFalse(existsSync(bad))
      assert.strictEqual(runs(), 0)
    })
  )

  it.scopedLive("runs none that the workspace adds, changes or allows itself", () =>
    Effect.gen(function* () {
      const scratched = away(yield* scratch)
      const { runs } = yield* allowed(scratched)
      const bad = join(scratched.home, "bad")
      const check = { name: "tests", command: `touch ${bad}` }
      scratched.put(".reflection/config.json", JSON.stringify({ checks: [check, { ...check, name: "lint" }] }))
      scratched.put(".reflection/taken.json", textOf(scratched.root, `touch ${bad}`))
      yield* wait(() => said(scratched, `${claim} The linter is clean.`).consulted(claim))
      assert.strictEqual(runs(), 2)
      // Nor by another project's list, or one that a link leads to.
      const file = TakenFile.fileOf(scratched.hook.directories, scratched.root)
      writeFileSync(file, textOf("/elsewhere", `touch ${bad}`))
      const other = yield* wait(() => said(scratched).consulted(`${claim} Now.`))
      assert.match(noticeOf(other), /paused until this is fixed: .* is damaged: `reflexion allow checks --revoke`/)
      scratched.put("list.json", textOf(scratched.root, `touch ${bad}`))
      TakenFile.write(scratched.hook.directories, scratched.root, null)
      symlinkSync(join(scratched.root, "list.json"), file)
      yield* wait(() => said(scratched).consulted(`${claim} At last.`))
      assert.include(reasons(scratched), "is a symbolic link")
      assert.isFalse(existsSync(bad))
    })
  )

  it.scoped("is kept for the user alone, instead of a link", () =>
    Effect.map(scratch, (scratched) => {
      const { directories } = scratched.hook
      const file = TakenFile.fileOf(directories, scratched.root)
      const theirs = join(scratched.root, "list.json")
      scratched.put("list.json", "theirs")
      mkdirSync(dirname(file), { recursive: true })
      for (const link of [symlinkSync, linkSync]) {
        link(theirs, file)
        TakenFile.write(directories, scratched.root, "mine")
        assert.strictEqual(readFileSync(theirs, "utf8"), "theirs")
        assert.strictEqual(TakenFile.read(directories, scratched.root)?.text, "mine")
        TakenFile.write(directories, scratched.root, null)
      }
      assert.isNull(TakenFile.read(directories, scratched.root))
    })
  )
})

describe("/reflection checks", () => {
  it.scopedLive("shows them, and turns them off and on in the session", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const { runs } = yield* allowed(scratched)
      const agent = said(scratched)
      const say = (words: string) => replyOf(type(scratched, agent, `/reflection ${words}`))
      assert.match(say("checks"), /^reflexion runs these .*\n  tests: `.*`, which you allowed in this project\n/)
      assert.match(say("status"), /It may run `.*`, .* `reflexion allow checks --revoke`/)
      assert.match(say("checks off"), /^You turned these checks off in this session/)
      yield* wait(() => agent.consulted(claim))
      assert.strictEqual(runs(), 0)
      assert.match(say("checks on"), /^reflexion runs these/)
      yield* wait(() => agent.says(`${claim} Now.`).consulted(`${claim} Now.`))
      assert.strictEqual(runs(), 2)
    })
  )

  it.scopedLive("run: runs them at the project's root, and says how they ended; the agent is told nothing", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = said(scratched)
      assert.match(yield* checksRun(scratched, agent), /has no check .*reflexion allow checks/)
      configure(scratched, { checks: [{ name: "tests", command: "exit 3" }] })
      assert.match(yield* checksRun(scratched, agent), /reflexion ran `exit 3`: failed, exit 3, \d+\.\d s/)
      configure(scratched, {})
      const { command, runs } = project(scratched)
      yield* take(scratched, `pwd > ${scratched.home}/where; ${command}`)
      scratched.put("src/deep/.keep", "")
      const text = yield* checksRun(scratched, agent, join(scratched.root, "src/deep"))
      assert.strictEqual(readFileSync(`${scratched.home}/where`, "utf8").trim(), scratched.root)
      assert.include(text, "failing: rounds half up")
      assert.include(text, "The agent was told nothing.")
      assert.strictEqual(runs(), 2)
      assert.match(reasons(scratched), /none: the user asked for the checks: reflexion ran/)
      assert.notInclude(reasons(scratched), "nudge")
    })
  )
})
