import { Command, FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { type Answer, delegate, say } from "../src/contract/HostContract.ts"
import { fix, runTests, task } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { host } from "../src/hosts/CodexContract.ts"
import { copilotBinary } from "../src/sandbox/HostBinaries.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"

/** The part of the contract's world that every host has: a home, a project and the command line. */
const arrive = Effect.map(World.bare(host), (world): World.World => ({ ...world, host: { ...host, name: "copilot" } }))

const installed = Effect.tap(arrive, (world) => World.reflexion(world, "install", "copilot"))

const block = (workspace: string, move: Answer[number]): ScriptedChat.Block => {
  switch (move._tag) {
    case "Shell":
      return { tool: "bash", input: { command: move.command, description: "Run it" } }
    case "Edit": {
      const input = { path: `${workspace}/${move.file}`, old_str: move.before, new_str: move.after }
      return { tool: "edit", input }
    }
    case "Delegate": {
      const input = { description: "Look", prompt: move.task, agent_type: "general-purpose", name: "a", mode: "sync" }
      return { tool: "task", input }
    }
    default:
      return { text: move._tag === "Say" ? move.text : "I can't do that." }
  }
}

const all = Stream.runFold("", (before: string, bytes: Uint8Array) => before + new TextDecoder().decode(bytes))

type Rules = NonNullable<ScriptedChat.Script["rules"]>

const isAsked: Rules[number]["when"] = ({ firstUser }) => firstUser.includes("EXPORTS")

/** Runs the real program with one prompt. Returns what it shows, its exit status and the number of questions to the model. */
const print = ({ sandbox }: World.World, prompt: string, answers: ReadonlyArray<Answer>, rules: Rules = []) =>
  Effect.gen(function* () {
    const turns = answers.map((answer) => ({ content: answer.map((move) => block(sandbox.workspace, move)) }))
    const { requests, url } = yield* ScriptedChat.make({ turns, rules })
    const binary = yield* copilotBinary
    const env = {
      // The program unpacks 190 MB, once for all homes.
      COPILOT_PKG_CACHE_HOME: `${binary}-unpacked`,
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_MODEL: "m",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "scripted-key-0000"
    }
    const argv = [binary, "-p", prompt, "--allow-all-tools", "--trust-folder"]
    const running = yield* Command.start(Command.stdin(Sandbox.command(sandbox, env, argv), Stream.empty))
    const [out, err, exit] = yield* Effect.all([all(running.stdout), all(running.stderr), running.exitCode], {
      concurrency: "unbounded"
    })
    return { out, err, exit, asked: (yield* requests).length }
  }).pipe(Effect.scoped)

const claims: ReadonlyArray<Answer> = [[runTests], [fix], [say("Fixed, and all tests pass.")]]

const toldOf =
  /^! .*reflexion let the agent stop; still open in the record: the tests were not run after the last\s+edit\./mu

describe.concurrent("Copilot CLI", () => {
  it.scopedLive("shows a notice about a false claim, and `reflexion judge` says the same", () =>
    Effect.gen(function* () {
      const world = yield* installed
      const { asked, err, exit } = yield* print(world, task, claims)
      assert.match(err, toldOf)
      assert.deepStrictEqual([exit, asked], [0, 3])
      const [decision, ...rest] = yield* World.decisions(world)
      assert.deepInclude(decision, { host: "copilot", event: "Stop", decision: "notice" })
      assert.lengthOf(rest, 0)
      const judged = yield* World.reflexion(world, "judge")
      assert.match(judged, /copilot · session .*NOT COMPLETE .*the tests failed before the last edit/su)
      assert.include(judged, String(decision?.sessionId).slice(0, 8))
      assert.match(yield* World.reflexion(world, "doctor", "copilot"), /hooks .*reflexion\.json .*: 3 events/u)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("says nothing about an answer, and nothing at the stop of a subagent", () =>
    Effect.gen(function* () {
      const world = yield* installed
      const agent = { name: "agent", when: isAsked, replies: [{ content: [{ text: "It exports two functions." }] }] }
      const answers = [
        [delegate("EXPORTS: what does src/cart.js export?")],
        [say("It exports `total` and `discounted`.")]
      ]
      const { err } = yield* print(world, "What does src/cart.js export?", answers, [agent])
      assert.notInclude(err, "reflexion")
      const decisions = yield* World.decisions(world)
      assert.deepStrictEqual(World.kinds({ decisions }), ["abstain", "none"])
      assert.strictEqual(decisions[0]?.reason, "it is a subagent's stop")
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("answers a command without asking the model", () =>
    Effect.gen(function* () {
      const { asked, err } = yield* print(yield* installed, "reflection status", [])
      assert.match(err, /^! reflexion is on in this session and only tells you\. `?reflection stop`? turns it off\./mu)
      assert.strictEqual(asked, 0)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("runs the user's own hooks as well, and nothing of reflexion's once it is uninstalled", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const world = yield* arrive
      const folder = `${world.sandbox.home}/.copilot/hooks`
      const own = `{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"touch $HOME/own"}]}}`
      yield* fs.makeDirectory(folder, { recursive: true })
      yield* fs.writeFileString(`${folder}/mine.json`, own)
      yield* World.reflexion(world, "install", "copilot")
      assert.match((yield* print(world, task, claims)).err, toldOf)
      assert.isTrue(yield* fs.exists(`${world.sandbox.home}/own`))
      yield* World.reflexion(world, "uninstall", "copilot")
      assert.deepStrictEqual(yield* fs.readDirectory(folder), ["mine.json"])
      assert.strictEqual(yield* fs.readFileString(`${folder}/mine.json`), own)
      const before = yield* World.decisions(world)
      assert.notInclude((yield* print(world, "Say hello.", [[say("Hello.")]])).err, "reflexion")
      assert.deepStrictEqual(yield* World.decisions(world), before)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
