import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as CheckPrint from "@reflexion/core/internal/checks/CheckPrint"
import * as TakenChecks from "@reflexion/core/internal/session/config/TakenChecks"
import { Effect } from "effect"
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Handlers from "../src/process/handlers.ts"
import type { HookAnswer } from "../src/input/HookEvent.ts"
import * as TakenFile from "../src/config/TakenFile.ts"
import {
  configure,
  noticeOf,
  reasons,
  record,
  replyOf,
  scratch,
  type Scratch,
  session,
  type Session,
  type
} from "./support/session.ts"

const task = "Fix the rounding in src/total.js."
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

const testOf = (right: number): string => `import { test } from "node:test"
import assert from "node:assert"
test("rounds half up", () => assert.equal(1, ${right}))
`

/** A project with one test, whose check is allowed and counts its runs where nothing of the project is. */
const project = Effect.fnUntraced(function* (scratched: Scratch, { isGreen = false } = {}) {
  const counter = join(scratched.home, "runs")
  scratched.put("package.json", '{"type":"module","scripts":{"test":"node --test"}}')
  scratched.put("test/total.test.js", testOf(isGreen ? 1 : 2))
  yield* take(scratched, `echo ran >> ${counter}; npm test`)
  return { runs: () => (existsSync(counter) ? readFileSync(counter, "utf8").trim().split("\n").length : 0) }
})

const away = (scratched: Scratch): Scratch => ({ ...scratched, hook: { ...scratched.hook, env: { CI: "1" } } })

const said = (scratched: Scratch, words: string): Session =>
  session(scratched, "s1").user(task).edits("src/total.js").says(words)

const wait = (answered: () => Promise<HookAnswer>) => Effect.promise(answered)

const verify = ({ hook, root }: Scratch, agent: Session, cwd = root) =>
  wait(async () =>
    Handlers.handle(
      hook,
      agent.event({ kind: "prompt", name: "UserPromptSubmit", prompt: "/reflection checks run", cwd })
    )
  )

const ran =
  /reflexion ran `.*npm test`: failed(?:; whether it failed before the task is not known)?, exit 1, \d+\.\d s \(/

describe("checks that were taken for a project", () => {
  it.scopedLive(
    "are run where nobody is there and the agent claims them: red is pushed with what fails, and shown",
    () =>
      Effect.gen(function* () {
        const scratched = away(yield* scratch)
        const { runs } = yield* project(scratched)
        const agent = said(scratched, claim)
        const answer = yield* wait(() => agent.consulted(claim))
        assert.strictEqual(answer._tag, "push")
        assert.include(answer._tag === "push" ? answer.feedback : "", "rounds half up")
        assert.match(noticeOf(answer), ran)
        assert.match(
          reasons(scratched),
          /push: .*\[reflexion ran `.*npm test`: failed(?:; whether it failed before the task is not known)?, exit 1/
        )
        assert.strictEqual(runs(), 2, "a failure is seen twice")
        const checked = { "evidence.checks[0].exitCode": 1, "evidence.checks[0].result": "failed" }
        assert.deepNestedInclude(record(scratched), checked)
      })
  )

  it.scopedLive("are run where nobody is there and nothing was run since: green is complete, by verification", () =>
    Effect.gen(function* () {
      const scratched = away(yield* scratch)
      const { runs } = yield* project(scratched, { isGreen: true })
      const answer = yield* wait(() => said(scratched, plain).consulted(plain))
      assert.strictEqual(answer._tag, "notice")
      assert.match(noticeOf(answer), /reflexion ran `.*npm test`: passed, exit 0, \d+\.\d s/)
      assert.deepNestedInclude(record(scratched), { "verdict.complete": true, "verdict.source": "verification" })
      assert.strictEqual(runs(), 1)
    })
  )
})

describe("a check whose script changed since it was allowed", () => {
  it.scopedLive("is not run, which the user is told once, and the agent never", () =>
    Effect.gen(function* () {
      const scratched = away(yield* scratch)
      const { runs } = yield* project(scratched)
      const bad = join(scratched.home, "bad")
      scratched.put("package.json", JSON.stringify({ scripts: { test: `touch ${bad}` } }))
      const agent = said(scratched, claim)
      const first = yield* wait(() => agent.consulted(claim))
      assert.match(noticeOf(first), /what it runs has changed since you agreed.* `reflexion allow checks`/)
      assert.notInclude(first._tag === "push" ? first.feedback : "", "agreed")
      const again = yield* wait(() => agent.runs("ls", "src").says(plain).consulted(plain))
      assert.notInclude(noticeOf(again), "agreed")
      const asked = yield* verify(scratched, agent)
      assert.match(replyOf(asked), /did not run it now: .* what it runs has changed/)
      assert.isFalse(existsSync(bad))
      assert.strictEqual(runs(), 0)
    })
  )
})

describe("what a workspace cannot do", () => {
  it.scopedLive("add a check, change one, or take one", () =>
    Effect.gen(function* () {
      const scratched = away(yield* scratch)
      const { runs } = yield* project(scratched)
      const bad = join(scratched.home, "bad")
      const check = { name: "tests", command: `touch ${bad}` }
      scratched.put(".reflection/config.json", JSON.stringify({ checks: [check, { ...check, name: "lint" }] }))
      scratched.put(".reflection/taken.json", textOf(scratched.root, `touch ${bad}`))
      yield* wait(() => said(scratched, `${claim} The linter is clean.`).consulted(claim))
      assert.isFalse(existsSync(bad))
      assert.strictEqual(runs(), 2)
    })
  )

  it.scopedLive("have its checks taken by a list of another project's, or by one that a link leads to", () =>
    Effect.gen(function* () {
      const scratched = away(yield* scratch)
      yield* project(scratched)
      const bad = join(scratched.home, "bad")
      const file = TakenFile.fileOf(scratched.hook.directories, scratched.root)
      writeFileSync(file, textOf("/elsewhere", `touch ${bad}`))
      const other = yield* wait(() => said(scratched, claim).consulted(claim))
      assert.match(
        noticeOf(other),
        /reflexion is paused until this is fixed: .* is damaged: `reflexion allow checks --revoke`/
      )
      scratched.put("list.json", textOf(scratched.root, `touch ${bad}`))
      TakenFile.write(scratched.hook.directories, scratched.root, null)
      symlinkSync(join(scratched.root, "list.json"), file)
      yield* wait(() => said(scratched, claim).consulted(`${claim} Now.`))
      assert.isFalse(existsSync(bad))
      assert.include(reasons(scratched), "is a symbolic link")
    })
  )
})

describe("/reflection checks", () => {
  it.scopedLive("shows them, and turns them off and on in the session", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const { runs } = yield* project(scratched)
      const agent = said(scratched, claim)
      const say = (prompt: string) => replyOf(type(scratched, agent, prompt))
      assert.match(
        say("/reflection checks"),
        /^reflexion runs these .*\n  tests: `.*`, which you allowed in this project\n/
      )
      assert.match(say("/reflection checks off"), /^You turned these checks off in this session/)
      yield* wait(() => agent.consulted(claim))
      assert.strictEqual(runs(), 0)
      assert.match(say("/reflection checks on"), /^reflexion runs these/)
      yield* wait(() => agent.says(`${claim} Now.`).consulted(`${claim} Now.`))
      assert.strictEqual(runs(), 2)
    })
  )
})

describe("/reflection checks run", () => {
  it.scopedLive(
    "runs what was taken at once, and says how it ended and how long it took; the agent is told nothing",
    () =>
      Effect.gen(function* () {
        const scratched = yield* scratch
        const { runs } = yield* project(scratched)
        const agent = said(scratched, claim)
        const answer = yield* verify(scratched, agent)
        assert.strictEqual(answer._tag, "reply")
        const text = replyOf(answer)
        assert.match(text, ran)
        assert.include(text, "failing: rounds half up")
        assert.include(text, "The agent was told nothing.")
        assert.strictEqual(runs(), 2)
        assert.match(reasons(scratched), /none: the user asked for the checks: reflexion ran/)
        assert.notInclude(reasons(scratched), "push")
      })
  )

  it.scopedLive("runs what is configured, and says where there is nothing to run", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = said(scratched, claim)
      const none = yield* verify(scratched, agent)
      assert.match(replyOf(none), /has no check .*reflexion allow checks/)
      configure(scratched, { checks: [{ name: "tests", command: "exit 3" }] })
      assert.match(replyOf(yield* verify(scratched, agent)), /reflexion ran `exit 3`: failed, exit 3, \d+\.\d s/)
      // At the project's root, whatever folder the session is in.
      configure(scratched, {})
      scratched.put("package.json", "{}")
      yield* take(scratched, `pwd > ${scratched.home}/where`)
      scratched.put("src/deep/.keep", "")
      yield* verify(scratched, agent, join(scratched.root, "src/deep"))
      assert.strictEqual(readFileSync(`${scratched.home}/where`, "utf8").trim(), scratched.root)
    })
  )
})

describe("TakenFile", () => {
  it.scopedLive("writes for the user alone, in place of a link", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const { directories } = scratched.hook
      const file = TakenFile.fileOf(directories, scratched.root)
      scratched.put("list.json", "theirs")
      mkdirSync(dirname(file), { recursive: true })
      symlinkSync(join(scratched.root, "list.json"), file)
      TakenFile.write(directories, scratched.root, "mine")
      assert.strictEqual(readFileSync(join(scratched.root, "list.json"), "utf8"), "theirs")
      assert.strictEqual(TakenFile.read(directories, scratched.root)?.text, "mine")
      TakenFile.write(directories, scratched.root, null)
      linkSync(join(scratched.root, "list.json"), file)
      TakenFile.write(directories, scratched.root, "mine again")
      assert.strictEqual(readFileSync(join(scratched.root, "list.json"), "utf8"), "theirs")
      TakenFile.write(directories, scratched.root, null)
      assert.isNull(TakenFile.read(directories, scratched.root))
    })
  )
})
