import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as CodexContract from "../src/hosts/CodexContract.ts"
import * as ClaudeCodeContract from "../src/hosts/ClaudeCodeContract.ts"
import { type Answer, call, type Live, plan, say, type Todos } from "../src/contract/HostContract.ts"
import * as Files from "../src/contract/files.ts"
import * as World from "../src/contract/HostContractWorld.ts"
import * as OpenCodeContract from "../src/hosts/OpenCodeContract.ts"
import { live } from "./support/live.ts"

const env = ClaudeCodeContract.olderTodos

/** Codex has its todo list only with this setting. */
const args = ["-c", "tools.update_plan.enabled=true"]

const all = (status: "pending" | "completed", ...contents: ReadonlyArray<string>): Todos =>
  Object.fromEntries(contents.map((content) => [content, status]))

const errands = ["Look up the flight", "Ask about the hotel"]

const terrible = ["Implement the login", "Fix the parser", "Add a cache"]

const said = {
  completed: "every todo is done or cancelled",
  implementation: "but plan to write code yourself",
  "no-delegation": "no todo is given to another agent"
}

type Pattern = keyof typeof said

const times = (text: string, part: string): number => text.split(part).length - 1

/** How often the conversation contains a pattern, at each of the agent's requests. */
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
  [ClaudeCodeContract.host, "main", { env }],
  [CodexContract.host, "main", { args }],
  [OpenCodeContract.host, "build", { env }]
] as const)("a todo list in $title", (host, agent, options) => {
  live("has one checkpoint when all is done, with the tool's result, without an extra turn", function* () {
    const world = yield* World.make(host)
    const done = all("completed", ...errands)
    const live = yield* World.start(world, { ...options, model: answers(all("pending", ...errands), done, done) })
    yield* World.prompt(live, "Prepare the journey.")
    assert.deepStrictEqual(yield* counts(live, "completed"), [0, 0, 1, 1])
    const outcome = yield* World.finish(world, live)
    assert.deepStrictEqual([outcome.requests, outcome.nudges], [4, []])
    assert.deepStrictEqual(yield* reminders(world), ["todo list 1: completed"])
  })

  live("a coordinator is reminded of each pattern once, even after a restart", function* () {
    const world = yield* World.make(host)
    yield* Files.write({ [`${world.config}/config.json`]: JSON.stringify({ todos: { agents: [agent] } }) })
    const list = all("pending", ...terrible)
    const first = yield* World.start(world, { ...options, model: answers(list) })
    yield* World.prompt(first, "Plan the release.")
    assert.deepStrictEqual(yield* counts(first, "implementation"), [0, 1])
    yield* first.close
    const again = yield* World.start(world, { ...options, resume: first.sessionId, model: answers(list, list, list) })
    yield* World.prompt(again, "Go on planning.")
    assert.deepStrictEqual((yield* counts(again, "implementation")).at(-1), 1)
    assert.deepStrictEqual((yield* counts(again, "no-delegation")).slice(-4), [0, 1, 1, 1])
    yield* again.close
    assert.deepStrictEqual(yield* reminders(world), ["todo list 1: implementation", "todo list 1: no-delegation"])
  })
})

const create = (subject: string) => call("TaskCreate", { subject, description: subject, activeForm: subject })

const complete = (taskId: string) => call("TaskUpdate", { taskId, status: "completed" })

describe("a list that Claude Code makes task by task", () => {
  live("is read whole, even with parallel creations; a second list has its own checkpoint", function* () {
    const world = yield* World.make(ClaudeCodeContract.host)
    yield* Files.write({ [`${world.config}/config.json`]: JSON.stringify({ todos: { agents: ["main"] } }) })
    const live = yield* World.start(world, {
      model: [
        terrible.map(create),
        [complete("1"), complete("2")],
        [complete("3")],
        [say("All three are done.")],
        [create("Look up the flight")],
        [complete("4")],
        [say("That is done, too.")]
      ]
    })
    yield* World.prompt(live, "Plan the release, and do it.")
    yield* World.prompt(live, "Look up the flight.")
    assert.deepStrictEqual(yield* counts(live, "completed"), [0, 0, 0, 1, 1, 1, 2])
    for (const pattern of ["implementation", "no-delegation"] as const)
      assert.deepStrictEqual(yield* counts(live, pattern), [0, 1, 1, 1, 1, 1, 1])
    yield* live.close
  })
})
