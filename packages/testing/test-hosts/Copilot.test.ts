import { Command, FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { task } from "../src/contract/HostContractTask.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import { host } from "../src/hosts/CodexContract.ts"
import { copilotBinary } from "../src/sandbox/HostBinaries.ts"
import * as Sandbox from "../src/sandbox/Sandbox.ts"
import { defect } from "../src/sandbox/ShopProject.ts"
import * as ScriptedChat from "../src/servers/ScriptedChat.ts"
import { live } from "./support/live.ts"

/** The part of the contract's world that every host has: a home, a project and the command line. */
const arrive = Effect.map(World.bare(host), (world): World.World => ({ ...world, host: { ...host, name: "copilot" } }))

const installed = Effect.tap(arrive, (world) => World.reflexion(world, "install", "copilot"))

const all = Stream.runFold("", (before: string, bytes: Uint8Array) => before + new TextDecoder().decode(bytes))

type Reply = ScriptedChat.Reply

type Rule = NonNullable<ScriptedChat.Script["rules"]>[number]

/** Runs the real program with one prompt. Returns what it shows, its exit status and the number of questions to the model. */
const print = Effect.fnUntraced(function* (
  { sandbox }: World.World,
  prompt: string,
  turns: ReadonlyArray<Reply>,
  rules: ReadonlyArray<Rule> = []
) {
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
}, Effect.scoped)

const say = (text: string): Reply => ({ content: [{ text }] })

const call = (tool: string, input: Readonly<Record<string, unknown>>): Reply => ({ content: [{ tool, input }] })

/** The tests fail, the agent edits the code, and then says that the tests pass. */
const claims = ({ sandbox }: World.World): ReadonlyArray<Reply> => [
  call("bash", { command: "npm test", description: "Run it" }),
  call("edit", { path: `${sandbox.workspace}/src/cart.js`, old_str: defect.before, new_str: defect.after }),
  say("Fixed, and all tests pass.")
]

const agent: Rule = {
  name: "agent",
  when: ({ firstUser }) => firstUser.includes("EXPORTS?"),
  replies: [say("It exports two functions.")]
}

const toldOf =
  /^! .*reflexion let the agent stop; still open in the record: the tests were not run after the last\s+edit\./mu

describe.concurrent("Copilot CLI", () => {
  live("shows a notice about a false claim, which `reflexion judge` finds too, and answers a command", function* () {
    const world = yield* installed
    const { asked, err, exit } = yield* print(world, task, claims(world))
    assert.match(err, toldOf)
    assert.deepStrictEqual([exit, asked], [0, 3])
    const [decision, ...rest] = yield* World.decisions(world)
    assert.deepInclude(decision, { host: "copilot", event: "Stop", decision: "notice" })
    assert.lengthOf(rest, 0)
    const judged = yield* World.reflexion(world, "judge")
    assert.match(judged, /copilot · session .*NOT COMPLETE .*the tests failed before the last edit/su)
    assert.include(judged, String(decision?.sessionId).slice(0, 8))
    assert.match(yield* World.reflexion(world, "doctor", "copilot"), /hooks .*reflexion\.json .*: 3 events/u)
    const answered = yield* print(world, "reflection status", [])
    assert.match(answered.err, /^! reflexion is on in this session and only tells you\./mu)
    assert.strictEqual(answered.asked, 0)
  })

  live("says nothing about a plain answer or at a subagent's stop", function* () {
    const world = yield* installed
    const input = { description: "Look", prompt: "EXPORTS?", agent_type: "general-purpose", name: "a", mode: "sync" }
    const answers = [call("task", input), say("It exports `total` and `discounted`.")]
    const { err } = yield* print(world, "What does src/cart.js export?", answers, [agent])
    assert.notInclude(err, "reflexion")
    const decisions = yield* World.decisions(world)
    assert.deepStrictEqual(World.kinds({ decisions }), ["abstain", "none"])
    assert.strictEqual(decisions[0]?.reason, "it is a subagent's stop")
  })

  live("runs the user's own hooks too, and none of reflexion's after uninstalling", function* () {
    const fs = yield* FileSystem.FileSystem
    const world = yield* arrive
    const folder = `${world.sandbox.home}/.copilot/hooks`
    const own = `{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"touch $HOME/own"}]}}`
    yield* fs.makeDirectory(folder, { recursive: true })
    yield* fs.writeFileString(`${folder}/mine.json`, own)
    yield* World.reflexion(world, "install", "copilot")
    assert.match((yield* print(world, task, claims(world))).err, toldOf)
    assert.isTrue(yield* fs.exists(`${world.sandbox.home}/own`))
    yield* World.reflexion(world, "uninstall", "copilot")
    assert.deepStrictEqual(yield* fs.readDirectory(folder), ["mine.json"])
    assert.strictEqual(yield* fs.readFileString(`${folder}/mine.json`), own)
    const before = yield* World.decisions(world)
    assert.notInclude((yield* print(world, "Say hello.", [say("Hello.")])).err, "reflexion")
    assert.deepStrictEqual(yield* World.decisions(world), before)
  })
})
