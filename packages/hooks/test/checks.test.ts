/** Stops that checks are run for, those that the user configured or allowed in a project, now or after the turn. */
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
import type { HookAnswer, HookEvent } from "../src/input/HookEvent.ts"
import * as Handlers from "../src/process/handlers.ts"
import type { Rest } from "../src/session/Hook.ts"
import * as Support from "./support/session.ts"
import { feedbackOf, noticeOf, reasons, replyOf, scratch, type Scratch, type Session, type } from "./support/session.ts"

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

/** A project with a check that the user allowed there; where nobody is there unless it is said. */
const allowed = Effect.fnUntraced(function* ({
  isGreen = false,
  env = { CI: "1" }
}: {
  isGreen?: boolean
  env?: object
}) {
  const made = yield* scratch
  const scratched: Scratch = { ...made, hook: { ...made.hook, env: { ...env } } }
  const { command, ...rest } = project(scratched, isGreen)
  yield* take(scratched, command)
  return { scratched, ...rest }
})

const said = (scratched: Scratch, words = claim, asked = "Fix the rounding in src/total.ts."): Session =>
  Support.session(scratched, "s1").user(asked).edits("src/total.ts").says(words)

const wait = (answered: () => Promise<HookAnswer>) => Effect.promise(answered)

const stop = (agent: Session, words: string) => wait(() => agent.consulted(words))

const checksRun = ({ hook, root }: Scratch, agent: Session, cwd = root) => {
  const event = agent.event({ kind: "prompt", name: "UserPromptSubmit", prompt: "/reflection checks run", cwd })
  return Effect.map(
    wait(async () => Handlers.handle(hook, event)),
    replyOf
  )
}

const ran = /reflexion ran `echo .*`: failed(?:; whether it failed before the task is not known)?, exit 1, \d+\.\d s/

describe("a stop under checks that the user allowed in the project", () => {
  it.scopedLive("is complete by verification where nobody is there and they pass", () =>
    Effect.gen(function* () {
      const { runs, scratched } = yield* allowed({ isGreen: true })
      const answer = yield* stop(said(scratched, plain), plain)
      assert.match(noticeOf(answer), /reflexion ran `echo .*`: passed, exit 0, \d+\.\d s/)
      const verdict = { "verdict.complete": true, "verdict.source": "verification" }
      assert.deepNestedInclude(Support.record(scratched), verdict)
      assert.strictEqual(runs(), 1)
    })
  )

  it.scopedLive("runs none whose script changed since, which the user is told once, and the agent never", () =>
    Effect.gen(function* () {
      const { npm, runs, scratched } = yield* allowed({})
      yield* take(scratched, npm)
      const bad = join(scratched.home, "bad")
      scratched.put("package.json", JSON.stringify({ scripts: { test: `touch ${bad}` } }))
      const agent = said(scratched)
      const first = yield* stop(agent, claim)
      assert.match(noticeOf(first), /what it runs has changed since you agreed.* `reflexion allow checks`/)
      assert.notInclude(feedbackOf(first), "agreed")
      assert.notInclude(noticeOf(yield* stop(agent.runs("ls", "src").says(plain), plain)), "agreed")
      assert.match(yield* checksRun(scratched, agent), /did not run it now: .* what it runs has changed/)
      assert.deepStrictEqual([existsSync(bad), runs()], [false, 0])
    })
  )

  it.scopedLive("runs none that the workspace adds, changes or allows itself", () =>
    Effect.gen(function* () {
      const { runs, scratched } = yield* allowed({})
      const { hook, put, root } = scratched
      const bad = join(scratched.home, "bad")
      const check = { name: "tests", command: `touch ${bad}` }
      put(".reflection/config.json", JSON.stringify({ checks: [check, { ...check, name: "lint" }] }))
      put(".reflection/taken.json", textOf(root, `touch ${bad}`))
      const first = yield* stop(said(scratched, `${claim} The linter is clean.`), claim)
      assert.include(feedbackOf(first), "rounds half up")
      assert.match(noticeOf(first), ran)
      assert.strictEqual(runs(), 2, "a failure is seen twice")
      // Nor by another project's list, or one that a link leads to.
      const file = TakenFile.fileOf(hook.directories, root)
      writeFileSync(file, textOf("/elsewhere", `touch ${bad}`))
      const other = yield* stop(said(scratched), `${claim} Now.`)
      assert.match(noticeOf(other), /paused until this is fixed: .* is damaged: `reflexion allow checks --revoke`/)
      put("list.json", textOf(root, `touch ${bad}`))
      TakenFile.write(hook.directories, root, null)
      symlinkSync(join(root, "list.json"), file)
      yield* stop(said(scratched), `${claim} At last.`)
      assert.include(reasons(scratched), "is a symbolic link")
      assert.isFalse(existsSync(bad))
    })
  )

  Support.inScratch("is kept for the user alone, instead of a link", ({ hook: { directories }, put, root }) => {
    const file = TakenFile.fileOf(directories, root)
    put("list.json", "theirs")
    mkdirSync(dirname(file), { recursive: true })
    for (const link of [symlinkSync, linkSync]) {
      link(join(root, "list.json"), file)
      TakenFile.write(directories, root, "mine")
      assert.strictEqual(readFileSync(join(root, "list.json"), "utf8"), "theirs")
      assert.strictEqual(TakenFile.read(directories, root)?.text, "mine")
      TakenFile.write(directories, root, null)
    }
    assert.isNull(TakenFile.read(directories, root))
  })
})

describe("/reflection checks", () => {
  it.scopedLive("shows them, and turns them off and on in the session", () =>
    Effect.gen(function* () {
      const { runs, scratched } = yield* allowed({ env: {} })
      const agent = said(scratched)
      const say = (words: string) => replyOf(type(scratched, agent, `/reflection ${words}`))
      assert.match(say("checks"), /^reflexion runs these .*\n  tests: `.*`, which you allowed in this project\n/)
      assert.match(say("status"), /It may run `.*`, .* `reflexion allow checks --revoke`/)
      assert.match(say("checks off"), /^You turned these checks off in this session/)
      yield* stop(agent, claim)
      assert.strictEqual(runs(), 0)
      assert.match(say("checks on"), /^reflexion runs these/)
      // However many hooks there are, one alone looks.
      agent.says(plain)
      const [first, second] = [agent.consulted(plain), agent.consulted(plain)]
      assert.strictEqual((yield* wait(() => second))._tag, "nothing")
      // The user is there, and nobody knows since when it fails.
      const told = yield* wait(() => first)
      assert.strictEqual(told._tag, "notice")
      assert.match(noticeOf(told), ran)
      assert.strictEqual(runs(), 2)
    })
  )

  it.scopedLive("run: runs them at the project's root, and says how they ended; the agent is told nothing", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = said(scratched)
      assert.match(yield* checksRun(scratched, agent), /has no check .*reflexion allow checks/)
      const { command } = project(scratched)
      yield* take(scratched, `pwd > ${scratched.home}/where; ${command}`)
      scratched.put("src/deep/.keep", "")
      const text = yield* checksRun(scratched, agent, join(scratched.root, "src/deep"))
      assert.strictEqual(readFileSync(`${scratched.home}/where`, "utf8").trim(), scratched.root)
      assert.match(text, /failed, exit 1, \d+\.\d s[^]*failing: rounds half up[^]*The agent was told nothing\./)
      assert.match(reasons(scratched), /^(?![^]*nudge)[^]*none: the user asked for the checks: reflexion ran/)
    })
  )
})

const resting: Rest = { over: () => null, hasBegun: () => true }

/** A stop that takes longer to look at, by the hook at the stop and by the one after the turn. */
const opening = Effect.gen(function* () {
  const scratched = yield* scratch
  const { command } = project(scratched)
  Support.configure(scratched, { checks: [{ name: "tests", command }] })
  const agent = said(scratched, claim, Support.task)
  const told = (part: Scratch["hook"]["part"], rest: Rest | null, event: HookEvent) =>
    wait(async () => Handlers.handle({ ...scratched.hook, part, rest: () => rest }, event))
  const answer = (part: Scratch["hook"]["part"], rest: Rest | null) =>
    told(part, rest, agent.event({ message: claim, turnId: "t1" }))
  const prompted = (prompt: string) => {
    const asked = told("all", resting, agent.event({ prompt, kind: "prompt", name: "UserPromptSubmit" }))
    return Effect.map(asked, noticeOf)
  }
  return { scratched, answer, prompted }
})

describe("a stop that takes longer to look at", () => {
  it.scopedLive("is left by the hook at the stop, and the one after the turn wakes the agent", () =>
    Effect.gen(function* () {
      const { answer, prompted, scratched } = yield* opening
      assert.deepStrictEqual(yield* answer("now", resting), { _tag: "nothing" })
      assert.include(reasons(scratched), "none: what takes longer is looked at after the turn")
      // Hooks of the user's own still run.
      let looks = 0
      const later = yield* answer("later", { over: () => null, hasBegun: () => ++looks > 20 })
      assert.include(feedbackOf(later), "rounds half up")
      assert.deepStrictEqual(yield* answer("later", resting), { _tag: "nothing" })
      assert.match(yield* prompted("<task-notification>\n…"), /^reflexion asked the agent to go on \(1 of 3\)/)
      assert.strictEqual(yield* prompted("Thanks."), "(nothing)")
    })
  )

  it.scopedLive("is looked at whole by the hook at the stop where nobody can be reached later", () =>
    Effect.gen(function* () {
      const { answer } = yield* opening
      assert.strictEqual((yield* answer("now", null))._tag, "nudge")
      assert.deepStrictEqual(yield* answer("later", null), { _tag: "nothing" })
    })
  )

  it.scopedLive("is told of by the record alone at the next prompt, where nothing came after the turn", () =>
    Effect.gen(function* () {
      const { answer, prompted } = yield* opening
      yield* answer("now", resting)
      const said = /^reflexion did not look at the last stop after its turn\. By the record alone: /
      assert.match(yield* prompted("And now?"), said)
    })
  )

  it.scopedLive.each([
    [0, "the user went on before the turn had ended"],
    [2, "the user went on meanwhile"]
  ] as const)("says and counts nothing where the user went on after %i looks", ([after, reason]) =>
    Effect.gen(function* () {
      const { answer, prompted, scratched } = yield* opening
      yield* answer("now", resting)
      let looks = 0
      const over = () => (looks++ < after ? null : "the user went on meanwhile")
      assert.deepStrictEqual(yield* answer("later", { over, hasBegun: () => after > 0 }), { _tag: "nothing" })
      assert.include(reasons(scratched), `abstain: ${reason}`)
      assert.notInclude(reasons(scratched), "nudge:")
      if (after > 0) assert.strictEqual(yield* prompted("Thanks."), "(nothing)")
    })
  )
})
