/** What users complain about in tools of this kind, each tried on the very handlers that their hosts run. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { HookAnswer } from "../src/input/HookEvent.ts"
import { lastDecision, handle, type Scratch, scratch, session, type Session } from "./support/session.ts"

const task = "Fix the rounding in src/total.ts and make sure that the tests pass."
const claim = "Done, the rounding is fixed."

const asked = (scratched: Scratch, id = "s1"): Session => {
  scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
  return session(scratched, id).user(task)
}

/** An agent that was asked for passing tests, edited, and ran none. */
const begun = (scratched: Scratch, id = "s1"): Session => asked(scratched, id).edits("src/total.ts").says(claim)

const command = (scratched: Scratch, agent: Session, prompt: string): HookAnswer =>
  handle(scratched.hook, agent.event({ kind: "prompt", name: "UserPromptSubmit", prompt }))

/** What so many stops come to, of an agent that does something about each push, or nothing. */
const stops = (agent: Session, count: number, moves: boolean): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, round) => {
    const said = `${claim} (${round})`
    const answer = agent.stop(said)
    const after = agent.told(answer)
    ;(moves ? after.edits("src/total.ts") : after.runs("git status", "clean")).says(`${claim} (${round + 1})`)
    return answer._tag
  })

const compact = (agent: Session): Session =>
  agent.line({ type: "system", subtype: "compact_boundary", content: "Conversation compacted" }).line({
    type: "user",
    isCompactSummary: true,
    message: { content: "This session is being continued from a previous conversation that ran out of context." }
  })

describe("what users complain about, in their hooks", () => {
  it.scoped(
    "1. unbounded loops and burnt quota: a moving agent gets three pushes, one that stands still gets one",
    () =>
      Effect.gen(function* () {
        const scratched = yield* scratch
        const [moving, still] = [begun(scratched, "moving"), begun(scratched, "still")]
        assert.deepStrictEqual(stops(moving, 6, true), ["push", "push", "push", "notice", "nothing", "nothing"])
        assert.deepStrictEqual(stops(still, 6, false), ["push", "notice", "nothing", "nothing", "nothing", "nothing"])
      })
  )

  it.scoped("2. nudged while the agent waits for an answer: no push on a question", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const question = "I changed it. Should I round half up, or half to even as the invoices do?"
      const agent = asked(scratched).edits("src/total.ts").says(question)
      assert.strictEqual(agent.stop(question)._tag, "notice")
      assert.match(lastDecision(scratched), /^notice: /)
    })
  )

  it.scoped("3. nudged while background work runs: no push until it has ended", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = begun(scratched)
      assert.strictEqual(agent.stop(claim, { background: 1 })._tag, "nothing")
      assert.match(lastDecision(scratched), /background/)
      assert.strictEqual(agent.says("Still done.").stop("Still done.")._tag, "push")
    })
  )

  it.scoped("4. Esc revives the agent, or disables reflexion for ever: neither", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = begun(scratched).user("[Request interrupted by user]")
      assert.strictEqual(agent.stop(claim)._tag, "nothing")
      assert.match(lastDecision(scratched), /interrupted/)
      agent.user("Go on with the rounding, and run the tests.").edits("src/total.ts").says(claim)
      assert.strictEqual(agent.stop(claim)._tag, "push")
    })
  )

  it.scoped("5. nudged while blocked on something external: the user is told, the agent is not pushed", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const blocked = "I cannot go on: the database password is missing. Please set DB_PASSWORD in your .env file."
      const agent = asked(scratched).runs("npm test", "missing DB_PASSWORD", true).says(blocked)
      assert.notStrictEqual(agent.stop(blocked)._tag, "push")
      assert.match(lastDecision(scratched), /^notice: /)
    })
  )

  it.scoped(
    "6. a verifier that dies, hangs or answers badly wedges the turn: whatever the record holds, the agent goes",
    () =>
      Effect.gen(function* () {
        const scratched = yield* scratch
        const agent = begun(scratched)
        const late = { ...scratched.hook, deadline: 0 }
        assert.strictEqual(handle(late, agent.event({ message: claim }))._tag, "nothing")
        writeFileSync(agent.file, '{"type":"user","mess\n\u0000{]\n')
        assert.strictEqual(agent.stop(claim)._tag, "nothing")
        rmSync(agent.file)
        assert.strictEqual(agent.stop(claim)._tag, "nothing")
      })
  )

  it.scoped("7. one session's state bleeds into another: a used up, a stopped and a fresh one side by side", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const [used, stopped, fresh] = ["used", "stopped", "fresh"].map((id) => begun(scratched, id))
      assert.isDefined(used && stopped && fresh)
      if (used === undefined || stopped === undefined || fresh === undefined) return
      assert.strictEqual(stops(used, 4, true).at(-1), "notice")
      assert.strictEqual(command(scratched, stopped, "/reflection stop")._tag, "reply")
      assert.strictEqual(stopped.stop(claim)._tag, "nothing")
      assert.deepStrictEqual(stops(fresh, 2, true), ["push", "push"])
    })
  )

  it.scoped(
    "8. trusting the host's own loop guard: our count outlasts the loss of our state, and of the record's end",
    () =>
      Effect.gen(function* () {
        const scratched = yield* scratch
        const agent = begun(scratched)
        assert.deepStrictEqual(stops(agent, 3, true), ["push", "push", "push"])
        const record = readFileSync(agent.file, "utf8")
        rmSync(join(scratched.hook.directories.state, "sessions"), { recursive: true })
        assert.notStrictEqual(agent.stop(`${claim} (3)`)._tag, "push")
        writeFileSync(
          agent.file,
          record
            .split("\n")
            .filter((line) => !line.includes("hook_additional_context"))
            .join("\n")
        )
        appendFileSync(agent.file, "\n")
        assert.notStrictEqual(agent.edits("src/total.ts").says("Again.").stop("Again.")._tag, "push")
      })
  )

  it.scoped("9. compaction mistaken for a stop, or for a new task: neither, and the count goes on", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = begun(scratched)
      assert.deepStrictEqual(stops(agent, 2, true), ["push", "push"])
      compact(agent).edits("src/total.ts").says(claim)
      assert.deepStrictEqual(stops(agent, 2, true), ["push", "notice"])
    })
  )

  it.scoped("10. context and screen pollution: silent where nothing is wrong, short and once where something is", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const answer = "Prices are whole cents; half a cent goes up."
      const agent = session(scratched, "quiet")
        .user("How are prices rounded?")
        .runs("cat src/total.ts", "code")
        .says(answer)
      assert.strictEqual(agent.stop(answer)._tag, "nothing")
      const pushed = begun(scratched).stop(claim)
      assert.strictEqual(pushed._tag, "push")
      if (pushed._tag !== "push") return
      assert.isBelow(pushed.feedback.length, 2000)
      assert.isAtMost(pushed.notice.length, 200)
      assert.notInclude(pushed.notice, "\n")
    })
  )

  it.scoped("11. stop commands ignored: stop holds over stops, tasks and the loss of the state, until start", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = begun(scratched)
      assert.strictEqual(command(scratched, agent, "/reflection stop")._tag, "reply")
      assert.strictEqual(agent.stop(claim)._tag, "nothing")
      agent.user(`${task} Really.`).edits("src/total.ts").says(claim)
      writeFileSync(join(scratched.hook.directories.state, "sessions", "claude-code", "s1.json"), "damaged")
      assert.strictEqual(agent.stop(claim)._tag, "nothing")
      assert.strictEqual(command(scratched, agent, "/reflection start")._tag, "reply")
      agent.user(`${task} Now.`).edits("src/total.ts").says(claim)
      assert.strictEqual(agent.stop(claim)._tag, "push")
    })
  )
})
