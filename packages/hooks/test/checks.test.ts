/** Checks that the user allowed in a project, in cases that no row of stops.rows.txt can express. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { live } from "../../core/test/support/works.ts"
import * as TakenFile from "../src/config/TakenFile.ts"
import * as Handlers from "../src/process/handlers.ts"
import { project, take, textOf } from "./support/checkedProject.ts"
import * as Support from "./support/session.ts"
import { feedbackOf, noticeOf, reasons, replyOf, scratch, type Scratch, type Session } from "./support/session.ts"

const claim = "The rounding is fixed and all tests pass."
const plain = "The rounding is fixed."

/** A project with a check that the user allowed there, where nobody is there. */
const allowed = Effect.gen(function* () {
  const made = yield* scratch
  const scratched: Scratch = { ...made, hook: { ...made.hook, env: { CI: "1" } } }
  const { command, ...rest } = project(scratched)
  yield* take(scratched, command)
  return { scratched, ...rest }
})

const said = (scratched: Scratch, words = claim, asked = "Fix the rounding in src/total.ts."): Session =>
  Support.session(scratched, "s1").user(asked).edits("src/total.ts").says(words)

const stop = (agent: Session, words: string) => Effect.promise(() => agent.consulted(words))

const checksRun = ({ hook, root }: Scratch, agent: Session, cwd = root) => {
  const event = agent.event({ kind: "prompt", name: "UserPromptSubmit", prompt: "/reflection checks run", cwd })
  return Effect.promise(async () => replyOf(await Handlers.handle(hook, event)))
}

const ran = /reflexion ran `echo .*`: failed(?:; it is unknown whether it failed before the task)?, exit 1, \d+\.\d s/

describe("a stop under checks that the user allowed in the project", () => {
  live("runs no check whose script changed; tells the user once, and the agent never", function* () {
    const { npm, runs, scratched } = yield* allowed
    yield* take(scratched, npm)
    const bad = join(scratched.home, "bad")
    scratched.put("package.json", JSON.stringify({ scripts: { test: `touch ${bad}` } }))
    const agent = said(scratched)
    const first = yield* stop(agent, claim)
    assert.match(noticeOf(first), /the script behind it has changed since you agreed.* `reflexion allow checks`/)
    assert.notInclude(feedbackOf(first), "agreed")
    assert.notInclude(noticeOf(yield* stop(agent.runs("ls", "src").says(plain), plain)), "agreed")
    const asked = yield* checksRun(scratched, agent)
    assert.match(asked, /did not run the check now: .* the script behind the check has changed/)
    assert.deepStrictEqual([existsSync(bad), runs()], [false, 0])
  })

  live("runs no check that the workspace itself adds, changes or allows", function* () {
    const { runs, scratched } = yield* allowed
    const { hook, put, root } = scratched
    const bad = join(scratched.home, "bad")
    const check = { name: "tests", command: `touch ${bad}` }
    put(".reflection/config.json", JSON.stringify({ checks: [check, { ...check, name: "lint" }] }))
    put(".reflection/taken.json", textOf(root, `touch ${bad}`))
    const first = yield* stop(said(scratched, `${claim} The linter is clean.`), claim)
    assert.include(feedbackOf(first), "rounds half up")
    assert.match(noticeOf(first), ran)
    assert.strictEqual(runs(), 2, "a failure is seen twice")
    // It also runs none from another project's list, or from a list behind a link.
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

  Support.inScratch("the list of allowed checks replaces a link", ({ hook: { directories }, put, root }) => {
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
  live("run: runs the checks at the project's root, and shows only the user the results", function* () {
    const scratched = yield* scratch
    const agent = said(scratched)
    assert.match(yield* checksRun(scratched, agent), /has no check .*reflexion allow checks/)
    const { command } = project(scratched)
    yield* take(scratched, `pwd > ${scratched.home}/where; ${command}`)
    scratched.put("src/deep/.keep", "")
    const text = yield* checksRun(scratched, agent, join(scratched.root, "src/deep"))
    assert.strictEqual(readFileSync(`${scratched.home}/where`, "utf8").trim(), scratched.root)
    assert.match(text, /failed, exit 1, \d+\.\d s[^]*failing: rounds half up[^]*The agent does not see these results\./)
    assert.match(reasons(scratched), /^(?![^]*nudge)[^]*none: the user asked for the checks: reflexion ran/)
  })
})
