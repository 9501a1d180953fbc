import { assert, describe } from "@effect/vitest"
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { handle, inScratch, lastDecision, type Scratch, session, type Session } from "./support/session.ts"

const task = "Fix the rounding in src/total.ts and make sure that the tests pass."
const claim = "Done, the rounding is fixed."

const begun = (scratched: Scratch): Session => {
  scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
  return session(scratched, "s1").user(task).edits("src/total.ts").says(claim)
}

const interrupt = ({ hook }: Scratch, agent: Session, turnId: string) =>
  handle(hook, agent.event({ kind: "interrupt", name: "Interrupt", turnId }))

describe("an interruption that the host alone tells of", () => {
  inScratch("holds for what a push began, and until the user asks for something", (scratched) => {
    const agent = begun(scratched)
    agent
      .told(agent.stop(claim, { turnId: "turn-1" }))
      .edits("src/total.ts")
      .says("Going on.")
    interrupt(scratched, agent, "turn-1")
    assert.strictEqual(agent.stop("Going on.", { turnId: "turn-1" })._tag, "nothing", lastDecision(scratched))
    assert.include(lastDecision(scratched), "interrupted")
    agent.edits("src/total.ts").says("Going on again.")
    assert.strictEqual(agent.stop("Going on again.", { turnId: "turn-1" })._tag, "nothing", lastDecision(scratched))
    agent.user(task).edits("src/total.ts").says("Done.")
    assert.strictEqual(agent.stop("Done.", { turnId: "turn-2" })._tag, "push", lastDecision(scratched))
  })

  inScratch(
    "holds for its turn although the record did not have the message yet, and for no other turn",
    (scratched) => {
      const agent = begun(scratched)
      const late = readFileSync(agent.file, "utf8")
      for (const early of ["", `${JSON.stringify({ type: "summary", summary: "An older session" })}\n`]) {
        writeFileSync(agent.file, early)
        interrupt(scratched, agent, "turn-1")
        appendFileSync(agent.file, late)
        assert.strictEqual(agent.stop(claim, { turnId: "turn-1" })._tag, "nothing", lastDecision(scratched))
      }
      agent.user(task).edits("src/total.ts").says("Done.")
      assert.strictEqual(agent.stop("Done.", { turnId: "turn-2" })._tag, "push", lastDecision(scratched))
    }
  )

  inScratch("is known without a record", (scratched) => {
    const agent = begun(scratched)
    const { hook } = scratched
    for (const transcript of [null, `${agent.file}.gone`]) {
      handle(hook, agent.event({ kind: "interrupt", name: "Interrupt", turnId: "turn-1", transcript }))
    }
    assert.strictEqual(agent.stop(claim, { turnId: "turn-1" })._tag, "nothing", lastDecision(scratched))
  })
})
