import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as UserCommand from "../src/events/UserCommand.ts"
import * as Support from "./support/session.ts"
import { begun, claim, inScratch, replyOf, type Scratch, session, type } from "./support/session.ts"

const asCodex = (scratched: Scratch): Scratch => ({ ...scratched, hook: { ...scratched.hook, command: "reflection" } })

/** Each line has the command that is understood, and the words after our name that mean it. */
const table = (text: string): ReadonlyArray<readonly [string, ReadonlyArray<string>]> =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [expected = "", words = ""] = line.trim().replaceAll("\\n", "\n").replaceAll("\\t", "\t").split(" ←")
      return [expected, words.split(" /")]
    })

const long = "long ".repeat(100)

/** In every host. */
const withSlash = table(String.raw`
  status ←
  stop ← stop / stop. / stop! / stop now, please / stop\n / stop\n${long}
  start ←\tSTART
  checks ← checks
  checks-run ←  Checks run
  checks-off ← checks off
  model ← model
  model-on ← model on.
  model-off ←  MODEL\tOff
  done-when ← done-when npm test passes
  unknown ← checks please / pause / stopp / 5 / don't stop / - stop / ? / model maybe / model-on / modelon / done`)

/** Where the host refuses a slash. */
const without = table(String.raw`
  status ← / status /.
  stop ←  stop .
  start ← start
  away ← away
  here ← here
  wrong ← wrong
  checks-off ← checks off.
  model-on ←  model  on.
  done-when ← done-when\n- ${long}\n- $ make
  none ← stop please / on the design / stop\nand go on / stops / stop? / checks the tests / model of the domain / models
  none ← model-on / done-whenever / ${" ".repeat(95)}foo`)

describe("UserCommand.parse", () => {
  const [slash, bare] = [{ command: "/reflection" }, { command: "reflection" }] as const

  it.each(withSlash)("with the slash → %s", (expected, words) => {
    for (const host of [slash, bare])
      for (const name of ["/reflection", "/reflexion", "/reflexion:reflection", "/Reflection"])
        for (const one of words) assert.strictEqual(UserCommand.parse(`  ${name}${one}`, host), expected, one)
  })

  it.each(without)("without a slash, only if the host refuses slashes → %s", (expected, words) => {
    for (const name of ["reflection", "reflexion", "Reflexion"])
      for (const one of words) {
        assert.strictEqual(UserCommand.parse(`${name}${one}`, bare) ?? "none", expected, one)
        assert.isNull(UserCommand.parse(`${name}${one}`, slash))
      }
  })

  it("ignores any other text, and gives the conditions after done-when", () => {
    for (const other of ["/reflections", "/reflection-stop", "Say /reflection stop", "/compact", "/ reflection", ""])
      for (const host of [slash, bare]) assert.isNull(UserCommand.parse(other, host), other)
    assert.strictEqual(UserCommand.conditions("/reflection done-when `npm test` passes"), "`npm test` passes")
    assert.match(UserCommand.conditions("reflection done-when\n- the page\n- $ make"), /^\n?- the page/)
  })
})

describe("the user's word", () => {
  inScratch("to stop holds even while a review is running", (scratched) => {
    const agent = begun(scratched)
    const lock = `${Support.stateFile(scratched)}.lock`
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, "")
    let at = Date.now()
    const hook = { ...scratched.hook, now: () => (at += 500) }
    assert.match(replyOf(type({ ...scratched, hook }, agent, "/reflection stop")), /off in this session/)
    rmSync(lock)
    assert.strictEqual(agent.stop(claim)._tag, "nothing")
  })

  inScratch("to stop during a stop's review prevents its nudge", (scratched) => {
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
    assert.strictEqual(Support.handle(hook, agent.event({ message: claim }))._tag, "nothing")
    assert.include(Support.lastDecision(scratched), "the user stopped reflexion")
  })

  inScratch("that cannot be saved still gets an answer", (scratched) => {
    const agent = begun(scratched)
    const { state } = scratched.hook.directories
    mkdirSync(dirname(state), { recursive: true })
    writeFileSync(state, "in the way")
    const answers = ["stop", "start", "status"].map((word) => replyOf(type(scratched, agent, `/reflection ${word}`)))
    for (const answer of answers.slice(0, 2)) assert.match(answer, /^reflexion could not do what `st\w+` asks for: E/)
    assert.match(answers[2] ?? "", /is on in this session/)
  })

  inScratch("every answer spells the command as the host accepts it", (scratched) => {
    const agent = session(scratched, "s1")
    const answers = (): ReadonlyArray<string> =>
      ["stop", "status", "start"].map((word) => replyOf(type(asCodex(scratched), agent, `reflexion ${word}`)))
    const first = answers()
    scratched.put(".reflection/config.json", '{ "profile": "advisory" }')
    for (const text of [...first, ...answers()]) assert.match(text, /`reflection (?:start|stop)` turns it o/)
  })
})
