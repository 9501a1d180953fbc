import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ClaudeCodeContract from "../src/hosts/ClaudeCodeContract.ts"
import * as ClaudeCodeHost from "../src/hosts/ClaudeCodeHost.ts"
import * as Scenario from "../src/scenarios/ClaudeCodeScenario.ts"
import { type Answer, type Live, plan, say, type Todos } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import * as OpenCodeContract from "../src/hosts/OpenCodeContract.ts"
import * as ScriptedAnthropic from "../src/servers/ScriptedAnthropic.ts"

/** Claude Code has its older tool, which writes a whole list, only where it is asked to. */
const env = { CLAUDE_CODE_ENABLE_TASKS: "0", CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" }

const all = (status: "pending" | "completed", ...contents: ReadonlyArray<string>): Todos =>
  Object.fromEntries(contents.map((content) => [content, status]))

const errands = ["Look up the flight", "Ask about the hotel"]

const terrible = ["Implement the login", "Fix the parser", "Add a cache"]

const said = {
  completed: "all of it is done or cancelled",
  implementation: "plan to write code yourself",
  "no-delegation": "nothing of this is given to another agent"
}

type Pattern = keyof typeof said

const times = (text: string, part: string): number => text.split(part).length - 1

/** How often each pattern stands in the conversation at each of the agent's requests. */
const counts = (live: Live, pattern: Pattern) =>
  Effect.map(live.requests, (requests) =>
    requests
      .filter(({ answeredBy }) => answeredBy.startsWith("turn "))
      .map(({ conversation }) => times(conversation, said[pattern]))
  )

const reminders = (world: World.World) =>
  Effect.map(World.decisions(world), (decisions) =>
    decisions.filter(({ decision }) => decision === "reminder").map(({ reason }) => reason)
  )

const answers = (...lists: ReadonlyArray<Todos>): ReadonlyArray<Answer> => [
  ...lists.map((list) => [plan(list)]),
  [say("That is the plan.")]
]

describe.concurrent.each([
  [ClaudeCodeContract.host, "main"],
  [OpenCodeContract.host, "build"]
] as const)("a todo list in $title", (host, agent) => {
  it.scopedLive("has one checkpoint when all of it is done, with the tool's own result and no turn more", () =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const done = all("completed", ...errands)
      const live = yield* World.start(world, { env, model: answers(all("pending", ...errands), done, done) })
      yield* World.prompt(live, "Prepare the journey.")
      assert.deepStrictEqual(yield* counts(live, "completed"), [0, 0, 1, 1])
      const outcome = yield* World.finish(world, live)
      assert.deepStrictEqual([outcome.requests, outcome.nudges], [4, []])
      assert.deepStrictEqual(yield* reminders(world), ["todo list 1: completed"])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("of a coordinator is told of each pattern once, over a restart", () =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      yield* Files.write({ [`${world.config}/config.json`]: JSON.stringify({ todos: { agents: [agent] } }) })
      const list = all("pending", ...terrible)
      const first = yield* World.start(world, { env, model: answers(list) })
      yield* World.prompt(first, "Plan the release.")
      assert.deepStrictEqual(yield* counts(first, "implementation"), [0, 1])
      yield* first.close
      const again = yield* World.start(world, { env, resume: first.sessionId, model: answers(list, list, list) })
      yield* World.prompt(again, "Go on planning.")
      assert.deepStrictEqual((yield* counts(again, "implementation")).at(-1), 1)
      assert.deepStrictEqual((yield* counts(again, "no-delegation")).slice(-4), [0, 1, 1, 1])
      yield* again.close
      assert.deepStrictEqual(yield* reminders(world), ["todo list 1: implementation", "todo list 1: no-delegation"])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("a list that Claude Code makes task by task", () => {
  it.scopedLive("is the whole of it, also where several are made at once, and a second one has a checkpoint too", () =>
    Effect.gen(function* () {
      const world = yield* World.make(ClaudeCodeContract.host)
      yield* Files.write({ [`${world.config}/config.json`]: JSON.stringify({ todos: { agents: ["main"] } }) })
      const { act, task, taskStatus } = Scenario
      const turns = [
        act("", ...terrible.map((subject) => task(subject, subject))),
        act("", taskStatus("1", "completed"), taskStatus("2", "completed")),
        act("", taskStatus("3", "completed")),
        Scenario.say("All three are done."),
        act("", task("Look up the flight", "Looking")),
        act("", taskStatus("4", "completed")),
        Scenario.say("That is done, too.")
      ]
      const server = yield* ScriptedAnthropic.make({ turns })
      yield* ClaudeCodeHost.run({
        sandbox: world.sandbox,
        sessionId: "00000000-0000-4000-9000-00000000c0de",
        steps: [{ prompt: "Plan the release, and do it." }, { prompt: "Look up the flight." }],
        tools: Scenario.tools,
        permissions: { allow: [], ask: false }
      }).pipe(Effect.provideService(ScriptedAnthropic.ScriptedAnthropic, server))
      const requests = (yield* server.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
      const counted = (pattern: Pattern) => requests.map(({ conversation }) => times(conversation, said[pattern]))
      assert.deepStrictEqual(counted("completed"), [0, 0, 0, 1, 1, 1, 2])
      assert.deepStrictEqual(counted("implementation"), [0, 1, 1, 1, 1, 1, 1])
      assert.deepStrictEqual(counted("no-delegation"), [0, 1, 1, 1, 1, 1, 1])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

describe("an agent of Claude Code that the user chose", () => {
  it.scopedLive("is known by its name, and another one has no patterns", () =>
    Effect.gen(function* () {
      const world = yield* World.make(ClaudeCodeContract.host)
      const { config, sandbox } = world
      yield* Files.write({
        [`${config}/config.json`]: JSON.stringify({ todos: { agents: ["planner"] } }),
        [`${sandbox.workspace}/.claude/agents/planner.md`]: "---\nname: planner\ndescription: Plans.\n---\nYou plan.\n"
      })
      const named = yield* World.start(world, {
        env,
        args: ["--agent", "planner"],
        model: answers(all("pending", ...terrible))
      })
      yield* World.prompt(named, "Plan the release.")
      assert.deepStrictEqual(yield* counts(named, "implementation"), [0, 1])
      yield* named.close
      const other = yield* World.start(world, { env, model: answers(all("pending", ...terrible)) })
      yield* World.prompt(other, "Plan the release.")
      assert.deepStrictEqual(yield* counts(other, "implementation"), [0, 0])
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
