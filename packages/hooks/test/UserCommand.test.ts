import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { HookAnswer } from "../src/input/HookEvent.ts"
import * as UserCommand from "../src/events/UserCommand.ts"
import { decisions, lastDecision, handle, type Scratch, scratch, session, type Session } from "./support/session.ts"

const task = "Fix the rounding in src/total.ts and make sure that the tests pass."
const claim = "Done, the rounding is fixed."

const begun = (scratched: Scratch, id = "s1"): Session => {
  scratched.put("package.json", '{"scripts":{"test":"vitest run"}}')
  return session(scratched, id).user(task).edits("src/total.ts").says(claim)
}

const type = ({ hook }: Scratch, agent: Session, prompt: string): HookAnswer =>
  handle(hook, agent.event({ kind: "prompt", name: "UserPromptSubmit", prompt }))

const replyOf = (answer: HookAnswer): string => (answer._tag === "reply" ? answer.text : `(${answer._tag})`)

const stateFile = ({ hook }: Scratch): string => join(hook.directories.state, "sessions", "claude-code", "s1.json")

const asCodex = (scratched: Scratch): Scratch => ({ ...scratched, hook: { ...scratched.hook, command: "reflection" } })

const slash = (prompt: string) => UserCommand.parse(prompt, { command: "/reflection" })
const bare = (prompt: string) => UserCommand.parse(prompt, { command: "reflection" })

describe("UserCommand.parse", () => {
  it("answers to everything that begins with the slash and our name, by the first word", () => {
    for (const parse of [slash, bare]) {
      for (const name of ["/reflection", "/reflexion", "/reflexion:reflection", "/Reflection"]) {
        assert.strictEqual(parse(name), "status")
        for (const end of ["", ".", "!", " now", " now, please", "\n", `\n${"long ".repeat(100)}`]) {
          assert.strictEqual(parse(`  ${name} stop${end}`), "stop", end)
        }
        assert.strictEqual(parse(`${name}\tSTART`), "start")
        for (const word of ["pause", "stopp", "5", "don't stop", "- stop", "?"]) {
          assert.strictEqual(parse(`${name} ${word}`), "unknown", word)
        }
      }
      for (const other of [
        "/reflections",
        "/reflection-stop",
        "Say /reflection stop",
        "/compact",
        "/ reflection",
        ""
      ]) {
        assert.isNull(parse(other), other)
      }
    }
  })

  it("knows what follows the word for the checks", () => {
    for (const parse of [slash, bare]) {
      assert.strictEqual(parse("/reflection checks"), "checks")
      for (const word of ["run", "on", "off"] as const)
        assert.strictEqual(parse(`/reflection  Checks ${word}`), `checks-${word}`)
      assert.strictEqual(parse("/reflection checks please"), "unknown")
    }
    assert.strictEqual(bare("reflection checks off."), "checks-off")
    assert.isNull(bare("reflection checks the tests"))
  })

  it("knows what follows the word for the model", () => {
    for (const parse of [slash, bare]) {
      for (const end of ["", ".", "  "]) {
        assert.strictEqual(parse(`/reflection model${end === "." ? "" : end}`), "model")
        assert.strictEqual(parse(`/reflection model on${end}`), "model-on")
        assert.strictEqual(parse(`/reflexion:reflection  MODEL\tOff${end}`), "model-off")
      }
      for (const more of ["model maybe", "model 5", "model-on", "models", "modelon"])
        assert.strictEqual(parse(`/reflection ${more}`), "unknown", more)
    }
    assert.strictEqual(bare("reflection model"), "model")
    assert.strictEqual(bare("reflexion  model  on."), "model-on")
    assert.strictEqual(bare("Reflection model off"), "model-off")
    for (const more of ["model of the domain", "model on the left", "model-on", "models"])
      assert.isNull(bare(`reflection ${more}`), more)
  })

  it("without a slash answers only where the host refuses one, and only to a command and nothing else", () => {
    for (const name of ["reflection", "reflexion", "Reflexion"]) {
      assert.strictEqual(bare(name), "status")
      assert.strictEqual(bare(`${name}.`), "status")
      for (const word of ["stop", "start", "status", "away", "here", "wrong"] as const) {
        for (const end of ["", ".", "!", " ."]) assert.strictEqual(bare(`${name}  ${word}${end}`), word)
        assert.isNull(slash(`${name} ${word}`))
      }
      for (const more of [
        "stop please",
        "on the design",
        "stop\nand go on",
        "stops",
        "stop?",
        `${" ".repeat(95)}foo`
      ]) {
        assert.isNull(bare(`${name} ${more}`), more)
      }
    }
  })
})

describe("the user's word", () => {
  it.scoped("stops and starts the reviews of a session without a model", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = begun(scratched)
      assert.match(replyOf(type(scratched, agent, "/reflection stop")), /off in this session/)
      assert.strictEqual(agent.stop(claim)._tag, "nothing")
      agent.user(task).edits("src/total.ts").says("Done.")
      assert.strictEqual(agent.stop("Done.")._tag, "nothing")
      assert.strictEqual(begun(scratched, "other").stop(claim)._tag, "push")
      assert.match(replyOf(type(scratched, agent, "/reflection start")), /on in this session/)
      assert.strictEqual(agent.stop("Done.")._tag, "push")
      assert.match(replyOf(type(scratched, agent, "/reflexion:reflection")), /1 of 3/)
      const said = decisions(scratched).map(({ decision }) => decision)
      assert.deepStrictEqual(
        said.filter((decision) => decision === "stop" || decision === "start"),
        ["stop", "start"]
      )
    })
  )

  it.scoped("to stop holds until they say start, whatever becomes of the saved state", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = begun(scratched)
      const damages = [
        () => writeFileSync(stateFile(scratched), "damaged"),
        () => truncateSync(stateFile(scratched), 40),
        () => rmSync(stateFile(scratched))
      ]
      for (const [index, damage] of damages.entries()) {
        assert.match(replyOf(type(scratched, agent, "/reflection stop")), /off in this session/)
        damage()
        assert.strictEqual(agent.stop(claim)._tag, "nothing", lastDecision(scratched))
        assert.include(lastDecision(scratched), "the user stopped reflexion")
        assert.match(replyOf(type(scratched, agent, "/reflection status")), /off in this session/)
        agent.user(task).edits("src/total.ts").says(claim)
        assert.strictEqual(agent.stop(claim)._tag, "nothing", lastDecision(scratched))
        type(scratched, agent, "/reflection start")
        agent.user(task).edits("src/total.ts").says(`Done ${index}.`)
        assert.strictEqual(agent.stop(`Done ${index}.`)._tag, "push", lastDecision(scratched))
      }
    })
  )

  it.scoped("to stop holds although a review is under way", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
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
  )

  it.scoped("said while a stop is judged keeps its push back", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
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
  )

  it.scoped("that cannot be kept is answered, too", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = begun(scratched)
      const { state } = scratched.hook.directories
      mkdirSync(dirname(state), { recursive: true })
      writeFileSync(state, "in the way")
      assert.match(
        replyOf(type(scratched, agent, "/reflection stop")),
        /^reflexion could not do what `stop` asks for: E/
      )
      assert.match(
        replyOf(type(scratched, agent, "/reflection start")),
        /^reflexion could not do what `start` asks for: E/
      )
      assert.match(replyOf(type(scratched, agent, "/reflection status")), /is on in this session/)
    })
  )

  it.scoped("is the model's where it is no command of ours, and answered with the usage where it is another", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = session(scratched, "s1")
      for (const prompt of ["reflection stop", "Explain what /reflection stop does", "<task-notification>", ""]) {
        assert.strictEqual(type(scratched, agent, prompt)._tag, "nothing", prompt)
      }
      assert.match(replyOf(type(scratched, agent, "/reflection pause")), /`\/reflection stop`.*start.*status/)
      assert.strictEqual(
        replyOf(type(scratched, agent, "/reflection checks twice")),
        "`/reflection checks` knows run, on and off."
      )
      assert.match(replyOf(type(asCodex(scratched), agent, "/reflection pause")), /`reflection stop`.*start.*status/)
    })
  )

  it.scoped("is spelled in every answer as the host takes it", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = session(scratched, "s1")
      const answers = (): ReadonlyArray<string> =>
        ["stop", "status", "start"].map((word) => replyOf(type(asCodex(scratched), agent, `reflexion ${word}`)))
      const first = answers()
      scratched.put(".reflection/config.json", '{ "profile": "advisory" }')
      for (const text of [...first, ...answers()]) assert.match(text, /`reflection (?:start|stop)` turns it o/)
    })
  )
})

describe("the user's word whether they are there", () => {
  const request = "Add a function that rounds the invoice total."
  const asks = "The total is a float. Should I round half up or half even?"
  const asked = (scratched: Scratch, entrypoint?: string, id = "s1"): Session => {
    const agent = session(scratched, id)
    if (entrypoint !== undefined) agent.line({ type: "user", isMeta: true, entrypoint, message: { content: "Begin." } })
    return agent.user(request).calls("Read", { file_path: "src/total.ts" }, "…").says(asks)
  }

  it.scoped("holds for the session, over what its record says and over restarts", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const agent = asked(scratched, "cli")
      assert.match(replyOf(type(scratched, agent, "/reflection away")), /nobody to be there.*`\/reflection here`/)
      rmSync(stateFile(scratched), { force: true })
      assert.strictEqual(agent.stop(asks)._tag, "push", lastDecision(scratched))
      assert.match(replyOf(type(scratched, agent, "/reflection here")), /you to be there/)
      agent.user(request).calls("Read", { file_path: "src/total.ts" }, "…").says(asks)
      assert.notStrictEqual(agent.stop(asks)._tag, "push", lastDecision(scratched))
      assert.notStrictEqual(asked(scratched, "cli", "other").stop(asks)._tag, "push", "of another session")
    })
  )

  it.scoped("is not needed where the record says it, nor in CI", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      assert.notStrictEqual(asked(scratched).stop(asks)._tag, "push")
      assert.strictEqual(asked(scratched, "sdk-cli", "print").stop(asks)._tag, "push", lastDecision(scratched))
      const ci = (value: string): Scratch => ({ ...scratched, hook: { ...scratched.hook, env: { CI: value } } })
      assert.strictEqual(asked(ci("true"), undefined, "ci").stop(asks)._tag, "push", lastDecision(scratched))
      assert.notStrictEqual(asked(ci("true"), "cli", "screen").stop(asks)._tag, "push", "the record says otherwise")
      assert.notStrictEqual(asked(ci("false"), undefined, "no").stop(asks)._tag, "push")
    })
  )

  it.scoped("is told that the configuration holds before it", () =>
    Effect.gen(function* () {
      const scratched = yield* scratch
      const { config } = scratched.hook.directories
      mkdirSync(config, { recursive: true })
      writeFileSync(join(config, "config.json"), '{ "attended": true }')
      const agent = asked(scratched, "sdk-cli")
      assert.match(replyOf(type(scratched, agent, "/reflection away")), /your configuration says `"attended": true`/)
      assert.notStrictEqual(agent.stop(asks)._tag, "push")
    })
  )
})
