import { assert, describe } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { inScratch, type Scratch, session, type Session } from "./support/session.ts"

const built = fileURLToPath(new URL("../../cli/dist/hooks/claude-code/hook.cjs", import.meta.url))

/** What the built hook answers to an event of Claude Code. */
const answered = ({ home, root }: Scratch, agent: Session, name: string, over: object = {}): string => {
  const { sessionId } = agent.event()
  const payload = { session_id: sessionId, transcript_path: agent.file, cwd: root, hook_event_name: name, ...over }
  const ran = spawnSync(process.execPath, [built, name], {
    cwd: root,
    env: { HOME: home, PATH: process.env["PATH"] },
    input: JSON.stringify(payload),
    encoding: "utf8"
  })
  assert.strictEqual(ran.status, 0, ran.stderr)
  return ran.stdout
}

const stops = (scratched: Scratch, agent: Session, said: string): string =>
  answered(scratched, agent.says(said), "Stop", {
    stop_hook_active: false,
    last_assistant_message: said,
    background_tasks: [],
    session_crons: []
  })

/** What a later session is told as it begins. */
const begins = (scratched: Scratch, id: string): string =>
  answered(scratched, session(scratched, id), "SessionStart", { source: "startup" })

const says = (scratched: Scratch, agent: Session, prompt: string): string =>
  answered(scratched, agent, "UserPromptSubmit", { prompt })

const begun = (scratched: Scratch, id: string): Session => {
  scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
  return session(scratched, id).user(SampleFailure.task).edits("src/total.ts")
}

const red = SampleFailure.output("adds the tax", "8", "7")
const isPush = (answer: string): boolean => /\[reflexion \d\/3\]/.test(answer)
const learned = ({ root }: Scratch): string => {
  const file = join(root, ".reflection", "reflections.jsonl")
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}

describe("a nudge that was wrong, or may have been", () => {
  inScratch("is no lesson where no check failed: nothing was run, or only words were called wrong", (scratched) => {
    assert.isTrue(isPush(stops(scratched, begun(scratched, "s1"), "Done, the rounding is fixed.")))
    const claims = begun(scratched, "s2")
    assert.isTrue(isPush(stops(scratched, claims, "I ran npm test, and all 3 tests pass.")))
    assert.strictEqual(learned(scratched), "")
    assert.strictEqual(begins(scratched, "s3"), "")
  })

  inScratch("is told to no later session once the user has marked it, and is not learned once more", (scratched) => {
    const agent = begun(scratched, "s1").runs("npm test", red, true)
    assert.isTrue(isPush(stops(scratched, agent, "I changed how the total is rounded.")))
    assert.include(learned(scratched), "adds the tax")
    assert.include(begins(scratched, "s2"), "adds the tax")
    assert.include(says(scratched, agent, "/reflection wrong"), "What it taught is taken back.")
    assert.strictEqual(begins(scratched, "s3"), "")
    const again = begun(scratched, "s4").runs("npm test", red, true)
    assert.isTrue(isPush(stops(scratched, again, "I changed how the total is rounded.")))
    assert.strictEqual(begins(scratched, "s5"), "")
    // Another failure is learned all the same.
    const other = begun(scratched, "s6").runs(
      "npm test",
      SampleFailure.output("keeps the currency", "EUR", "USD"),
      true
    )
    assert.isTrue(isPush(stops(scratched, other, "I changed how the total is rounded.")))
    const told = begins(scratched, "s7")
    assert.include(told, "keeps the currency")
    assert.notInclude(told, "adds the tax")
  })

  inScratch(
    "takes back with it what its session learned of the same failure before, and nothing of another session's",
    (scratched) => {
      const agent = begun(scratched, "s1").runs("npm test", red, true)
      stops(scratched, agent, "I changed how the total is rounded.")
      agent.edits("src/total.ts").runs("npm test", red, true)
      assert.isTrue(isPush(stops(scratched, agent, "I changed it once more.")))
      const other = begun(scratched, "s2").runs(
        "npm test",
        SampleFailure.output("keeps the currency", "EUR", "USD"),
        true
      )
      stops(scratched, other, "I changed how the total is rounded.")
      says(scratched, agent, "/reflection wrong")
      const told = begins(scratched, "s3")
      assert.notInclude(told, "adds the tax")
      assert.include(told, "keeps the currency")
    }
  )
})
