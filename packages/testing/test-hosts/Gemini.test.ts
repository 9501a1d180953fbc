import { FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { isNight } from "../src/contract/HostContractCases.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { task } from "../src/contract/HostContractTask.ts"
import * as Gemini from "../src/hosts/GeminiScreen.ts"
import type { Sandbox } from "../src/sandbox/Sandbox.ts"
import { live } from "./support/live.ts"

const installed = Effect.tap(Gemini.sandbox, (sandbox) => World.reflexion({ sandbox }, "install", "gemini", "--yes"))

/** Waits for a decision, and returns each kind once. */
const decisions = ({ home }: Sandbox) => {
  const state = `${home}/.local/state/reflexion`
  const kinds = Effect.map(World.decisions({ state }), (all) => [...new Set(World.kinds({ decisions: all }))].join())
  return Effect.zipRight(
    World.decided({ state }, "any", () => true),
    kinds
  )
}

const { claim, fix, half, refused, say, shell } = Gemini

describe.concurrent("Gemini CLI", () => {
  const rows = [
    {
      is: "tells only the user, not the agent, about an unproven claim",
      turns: [fix, claim],
      shown: /reflexion let the agent stop.*tests were not run/,
      kind: "notice",
      judged: /NOT COMPLETE/
    },
    {
      is: "tells the user that a turn whose tests passed is done",
      turns: [fix, shell("npm test"), claim],
      shown: /reflexion: done: the tests pass/,
      kind: "notice",
      judged: /✓ COMPLETE/
    },
    { is: "does not review a turn whose request fails", turns: [fix, refused], shown: /API Error/, kind: "abstain" },
    { is: "does not review an interrupted turn", turns: [fix, half], shown: /Half/, kind: "abstain", escapes: true }
  ]
  // Turns that are not reviewed are played only at night, because other tests try the hook with them without the host.
  for (const { escapes = false, is, judged = /./, kind, turns, shown } of rows.filter(
    (row) => isNight || row.kind === "notice"
  ))
    live(is, function* () {
      const fs = yield* FileSystem.FileSystem
      const sandbox = yield* installed
      const screen = yield* Gemini.open(sandbox, turns, task)
      yield* screen.shows(shown)
      if (escapes) yield* screen.escape
      assert.strictEqual(yield* decisions(sandbox), kind)
      if (kind === "notice") assert.strictEqual((yield* screen.requests).length, turns.length)
      assert.match(yield* World.reflexion({ sandbox }, "judge"), judged)
      yield* World.reflexion({ sandbox }, "uninstall", "gemini")
      assert.strictEqual(yield* fs.readFileString(Gemini.settingsFile(sandbox)), Gemini.settings)
    })

  live("answers a command of the user, without the model", function* () {
    const screen = yield* Gemini.open(yield* installed, [], "reflection status")
    yield* screen.shows(/reflexion is on/)
    assert.deepStrictEqual(yield* screen.requests, [])
  })

  live("says nothing about a plain answer, and still works if the hook's Node is gone", function* () {
    const fs = yield* FileSystem.FileSystem
    const sandbox = yield* installed
    assert.match(yield* Gemini.ask(sandbox, [say("I am here.")], "Are you there?"), /^I am here.$/m)
    assert.strictEqual(yield* decisions(sandbox), "none")
    const file = Gemini.settingsFile(sandbox)
    const text = yield* fs.readFileString(file)
    yield* fs.writeFileString(file, text.replaceAll(process.execPath, "/absent/node"))
    assert.match(yield* Gemini.ask(sandbox, [say("And now?")], "Still there?"), /^And now\?$/m)
  })
})
