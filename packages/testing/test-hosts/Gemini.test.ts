import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as World from "../src/contract/HostContractWorld.ts"
import { task } from "../src/contract/HostContractTask.ts"
import * as Gemini from "../src/hosts/GeminiScreen.ts"
import type { Sandbox } from "../src/sandbox/Sandbox.ts"

const installed = Effect.gen(function* () {
  const sandbox = yield* Gemini.sandbox
  yield* World.reflexion({ sandbox }, "install", "gemini", "--yes")
  return sandbox
})

const stateOf = ({ home }: Sandbox) => ({ state: `${home}/.local/state/reflexion` })

/** Waits for a decision, and returns all. */
const decisions = (sandbox: Sandbox) =>
  Effect.zipRight(
    World.decided(stateOf(sandbox), "any", () => true),
    Effect.map(World.decisions(stateOf(sandbox)), (all) => World.kinds({ decisions: all }))
  )

const claim = Gemini.say("`discounted` takes a percentage now, and all 3 tests pass.")

describe.concurrent("Gemini CLI", () => {
  it.scopedLive("tells the user about a claim that nothing proves, and the agent nothing", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const sandbox = yield* installed
      const screen = yield* Gemini.open(sandbox, [Gemini.fix(sandbox), claim], task)
      yield* screen.shows(/reflexion let the agent stop.*tests were not run/)
      assert.deepStrictEqual(yield* decisions(sandbox), ["notice"])
      assert.strictEqual((yield* screen.requests).length, 2)
      assert.match(yield* Gemini.record(sandbox), /"type":"info","content":"[^"]*reflexion let the agent stop/)
      assert.match(yield* World.reflexion({ sandbox }, "judge"), /NOT COMPLETE/)
      yield* World.reflexion({ sandbox }, "uninstall", "gemini")
      assert.strictEqual(yield* fs.readFileString(Gemini.settingsFile(sandbox)), Gemini.settings)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("tells the user that a turn whose tests passed is done", () =>
    Effect.gen(function* () {
      const sandbox = yield* installed
      const screen = yield* Gemini.open(sandbox, [Gemini.fix(sandbox), Gemini.shell("npm test"), claim], task)
      yield* screen.shows(/reflexion: done: the tests pass/)
      assert.deepStrictEqual(yield* decisions(sandbox), ["notice"])
      assert.match(yield* World.reflexion({ sandbox }, "judge"), /✓ COMPLETE/)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("answers a command of the user, without the model", () =>
    Effect.gen(function* () {
      const screen = yield* Gemini.open(yield* installed, [], "reflection status")
      yield* screen.shows(/reflexion is on/)
      assert.deepStrictEqual(yield* screen.requests, [])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("does not review a turn that the user interrupts", () =>
    Effect.gen(function* () {
      const sandbox = yield* installed
      const half = { content: [{ text: "All tests pass" }, { hangs: true }] } as const
      const screen = yield* Gemini.open(sandbox, [Gemini.fix(sandbox), half], task)
      yield* screen.shows(/All tests pass/)
      yield* screen.escape
      assert.deepStrictEqual([...new Set(yield* decisions(sandbox))], ["abstain"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("does not review a turn whose request fails", () =>
    Effect.gen(function* () {
      const sandbox = yield* installed
      const failed = { status: 400, error: "Not now." }
      const screen = yield* Gemini.open(sandbox, [Gemini.fix(sandbox), failed], task)
      yield* screen.shows(/API Error/)
      assert.deepStrictEqual([...new Set(yield* decisions(sandbox))], ["abstain"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("says nothing about an answer, and goes on without a hook whose Node is gone", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const sandbox = yield* installed
      assert.match(yield* Gemini.ask(sandbox, [Gemini.say("I am here.")], "Are you there?"), /^I am here.$/m)
      assert.deepStrictEqual(yield* decisions(sandbox), ["none"])
      const file = Gemini.settingsFile(sandbox)
      const text = yield* fs.readFileString(file)
      yield* fs.writeFileString(file, text.replaceAll(process.execPath, "/absent/node"))
      assert.match(yield* Gemini.ask(sandbox, [Gemini.say("And now?")], "Still there?"), /^And now\?$/m)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
