import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as UserCommand from "../src/events/UserCommand.ts"
import {
  begun,
  claim,
  feedbackOf,
  handle,
  inScratch,
  lastDecision,
  replyOf,
  scratch,
  type Scratch,
  session,
  stateFile,
  type
} from "./support/session.ts"

const asCodex = (scratched: Scratch): Scratch => ({ ...scratched, hook: { ...scratched.hook, command: "reflection" } })

describe("UserCommand.parse", () => {
  const hosts = { slash: { command: "/reflection" }, bare: { command: "reflection" } } as const
  const { bare, slash } = hosts
  const names = ["/reflection", "/reflexion", "/reflexion:reflection", "/Reflection"]

  it.each<readonly [words: string, expected: string]>([
    ["", "status"],
    ...["", ".", "!", " now, please", "\n", `\n${"long ".repeat(100)}`].map((end) => [` stop${end}`, "stop"] as const),
    ["\tSTART", "start"],
    [" checks", "checks"],
    ["  Checks run", "checks-run"],
    [" checks off", "checks-off"],
    [" checks please", "unknown"],
    [" model", "model"],
    [" model on.", "model-on"],
    ["  MODEL\tOff", "model-off"],
    [" done-when `npm test` passes", "done-when"],
    ...["pause", "stopp", "5", "don't stop", "- stop", "?", "model maybe", "model-on", "modelon", "done"].map(
      (word) => [` ${word}`, "unknown"] as const
    )
  ])("with the slash and our name: %j is %s in every host", (words, expected) => {
    for (const host of [slash, bare])
      for (const name of names) assert.strictEqual(UserCommand.parse(`  ${name}${words}`, host), expected)
  })

  it.each(["/reflections", "/reflection-stop", "Say /reflection stop", "/compact", "/ reflection", ""])(
    "hears nothing in %j",
    (other) =>
      assert.deepStrictEqual(
        [slash, bare].map((host) => UserCommand.parse(other, host)),
        [null, null]
      )
  )

  it.each<readonly [words: string, expected: string | null]>([
    ["", "status"],
    [".", "status"],
    ...["stop", "start", "status", "away", "here", "wrong"].map((word) => [`  ${word} .`, word] as const),
    [" checks off.", "checks-off"],
    ["  model  on.", "model-on"],
    [`\u0020done-when\n- ${"the page loads ".repeat(20)}\n- $ make`, "done-when"],
    ...["stop please", "on the design", "stop\nand go on", "stops", "stop?", `${" ".repeat(95)}foo`].map(
      (more) => [` ${more}`, null] as const
    ),
    ...["checks the tests", "model of the domain", "model-on", "models", "done-whenever"].map(
      (more) => [` ${more}`, null] as const
    )
  ])("without a slash: %j is %s, and only where the host refuses one", (words, expected) => {
    for (const name of ["reflection", "reflexion", "Reflexion"]) {
      assert.strictEqual(UserCommand.parse(`${name}${words}`, bare), expected)
      assert.isNull(UserCommand.parse(`${name}${words}`, slash))
    }
  })

  it("gives what follows done-when", () => {
    assert.strictEqual(UserCommand.conditions("/reflection done-when `npm test` passes"), "`npm test` passes")
    assert.match(UserCommand.conditions("reflection done-when\n- the page\n- $ make"), /^\n?- the page/)
  })
})

describe("the user's word", () => {
  inScratch("to stop holds although a review is under way", (scratched) => {
    const agent = begun(scratched)
    const lock = `${stateFile(scratched)}.lock`
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, "")
    let at = Date.now()
    const hook = { ...scratched.hook, now: () => (at += 500) }
    assert.match(replyOf(type({ ...scratched, hook }, agent, "/reflection stop")), /off in this session/)
    rmSync(lock)
    assert.strictEqual(agent.stop(claim)._tag, "nothing")
  })

  inScratch("said while a stop is judged keeps its nudge back", (scratched) => {
    const agent = begun(scratched)
    const { settle } = scratched.hook
    scratched.put(".reflection/config.json", '{ "maxAttempts": 2 }')
    const hook: Scratch["hook"] = {
      ...scratched.hook,
      settle: (sources) => {
        type(scratched, agent, "/reflection stop")
        return settle(sources)
      }
    }
    assert.strictEqual(handle(hook, agent.event({ message: claim }))._tag, "nothing")
    assert.include(lastDecision(scratched), "the user stopped reflexion")
  })

  inScratch("that cannot be kept is answered, too", (scratched) => {
    const agent = begun(scratched)
    const { state } = scratched.hook.directories
    mkdirSync(dirname(state), { recursive: true })
    writeFileSync(state, "in the way")
    assert.match(replyOf(type(scratched, agent, "/reflection stop")), /^reflexion could not do what `stop` asks for: E/)
    assert.match(
      replyOf(type(scratched, agent, "/reflection start")),
      /^reflexion could not do what `start` asks for: E/
    )
    assert.match(replyOf(type(scratched, agent, "/reflection status")), /is on in this session/)
  })

  inScratch("is spelled in every answer as the host takes it", (scratched) => {
    const agent = session(scratched, "s1")
    const answers = (): ReadonlyArray<string> =>
      ["stop", "status", "start"].map((word) => replyOf(type(asCodex(scratched), agent, `reflexion ${word}`)))
    const first = answers()
    scratched.put(".reflection/config.json", '{ "profile": "advisory" }')
    for (const text of [...first, ...answers()]) assert.match(text, /`reflection (?:start|stop)` turns it o/)
  })
})

describe("when the task is done, as the user types it", () => {
  it.scopedLive("is shown as it was understood, holds for the session, and is taken back by an empty one", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = session(scratched, "s1")
      const say = (words: string): string => replyOf(type(scratched, agent, `/reflection done-when${words}`))
      const isKept = () => existsSync(stateFile(scratched).replace(/json$/, "donewhen"))
      const stop = Effect.promise(() => agent.edits("src/total.ts").says(claim).consulted(claim))
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      assert.match(say(` $ curl -H ${token} localhost`), /curl -H (?!ghp_)/)
      const answer = say(" `npm run e2e` passes; the docs name the flag")
      assert.include(answer, "d1: `npm run e2e` passes (proved by `npm run e2e`)")
      assert.include(answer, "d2: the docs name the flag; a model tells")
      assert.include(say(" ---"), "understood no condition")
      assert.isTrue(isKept())
      agent.user("Fix the rounding in src/total.ts.")
      const nudged = yield* stop
      assert.include(feedbackOf(nudged), "Run `npm run e2e` now")
      assert.include(JSON.stringify(nudged), "`npm run e2e`: gave no result")
      assert.include(say(""), "no longer has conditions")
      assert.isFalse(isKept())
      agent.user("Fix the rounding in src/tax.ts.")
      assert.notStrictEqual((yield* stop)._tag, "nudge")
    })
  )
})
