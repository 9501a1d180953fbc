/** The host contract's cases of a user who steps in: nothing is revived, and the next task is judged again. */
import * as Effect from "effect/Effect"
import * as Assert from "node:assert/strict"
import { type Case, eventually, fill, hang, type Live, say, shell } from "./HostContract.ts"
import { green, fix, otherTask, rework, runTests, task, untested } from "./HostContractTask.ts"
import * as Files from "./files.ts"
import * as Hook from "./hook.ts"
import * as World from "./HostContractWorld.ts"

/** A command that says that it runs, and then does so until it is killed or the sandbox is gone. */
const held = ({ sandbox }: World.World, name: string) =>
  shell(`touch ${sandbox.root}/${name}; while [ -e ${sandbox.root}/${name} ]; do sleep 0.05; done`)

/** What must come of the next task: it is nudged once, as its first. */
const judgedAgain = (world: World.World, outcome: World.Outcome) => {
  const nudges = outcome.decisions.filter(({ decision }) => decision === "nudge")
  Assert.equal(nudges.at(-1)?.attempt, 1, JSON.stringify(outcome.decisions))
  Assert.match(outcome.notices.at(-1) ?? "", /done, after nudging the agent once/, world.host.title)
}

const nudgesOf = (decisions: ReadonlyArray<World.Decision>) => decisions.filter(({ decision }) => decision === "nudge")

/** Waits until the model was asked for so many of the agent's answers. */
const asked = (live: Live, times: number) =>
  eventually(
    `request ${times}`,
    Effect.map(live.requests, (requests) => {
      const turns = requests.filter(({ answeredBy }) => answeredBy.startsWith("turn "))
      return turns.length >= times ? true : null
    })
  )

const reworked = [[rework(2)], [say("`discounted` is reworked.")], [runTests], [green]]

const duringTool: Case = {
  name: "an agent that the user interrupts in the middle of a tool is not revived; a new task is judged again",
  night: "plugin",
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const live = yield* World.start(world, { model: [[fix], [held(world, "tool")], ...reworked] })
      yield* live.send(task)
      yield* Files.appears(`${world.sandbox.root}/tool`)
      yield* live.interrupt
      yield* live.ended
      Assert.equal((yield* live.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn")).length, 2)
      yield* World.prompt(live, otherTask)
      const outcome = yield* World.finish(world, live)
      Assert.equal(outcome.requests, 6)
      Assert.equal(outcome.decisions.filter(({ decision }) => decision === "nudge").length, 1)
      judgedAgain(world, outcome)
    })
}

const whileAnswering: Case = {
  name: "an agent that the user interrupts while the model answers is not revived; a new task is judged again",
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const live = yield* World.start(world, { model: [[fix], [hang], ...reworked] })
      yield* live.send(task)
      yield* asked(live, 2)
      yield* live.interrupt
      yield* live.ended
      Assert.deepEqual(yield* World.decisions(world).pipe(Effect.map(nudgesOf)), [])
      yield* World.prompt(live, otherTask)
      const outcome = yield* World.finish(world, live)
      Assert.equal(outcome.requests, 6)
      Assert.equal(nudgesOf(outcome.decisions).length, 1)
      judgedAgain(world, outcome)
    })
}

// OpenCode has no hook of the user's that ends with its compaction: `OpenCodeReview.test.ts` has the model hang in one.
const duringCompaction: Case = {
  name: "an agent that the user interrupts while its context is compacted is not revived; a new task is judged again",
  night: true,
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const compactions = yield* Hook.holdCompactions(world)
      const live = yield* World.start(world, { model: [[fix, fill], ...reworked] })
      yield* live.send(task)
      yield* compactions.began
      yield* live.interrupt
      yield* live.ended
      yield* compactions.release
      Assert.deepEqual(yield* World.decisions(world).pipe(Effect.map(nudgesOf)), [])
      yield* World.prompt(live, otherTask)
      const outcome = yield* World.finish(world, live)
      Assert.equal(nudgesOf(outcome.decisions).length, 1)
      judgedAgain(world, outcome)
    })
}

// What follows holds a stop's hook. In OpenCode a stop is judged while the session is at rest: `OpenCodeJudging.test.ts`
// holds its check instead, and `OpenCodeReview.test.ts` steps in before the review begins.

const duringStop: Case = {
  name: "an agent that the user interrupts while its stop is judged is not revived; a new task is judged again",
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const stops = yield* Hook.holdStops(world)
      const live = yield* World.start(world, { model: [...untested, ...reworked] })
      yield* live.send(task)
      yield* stops.began
      yield* live.interrupt
      yield* live.ended
      yield* stops.release
      Assert.equal((yield* live.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn")).length, 2)
      yield* World.prompt(live, otherTask)
      const outcome = yield* World.finish(world, live)
      Assert.equal(outcome.requests, 6)
      Assert.deepEqual(outcome.nudges, ["1/3"])
      judgedAgain(world, outcome)
    })
}

const afterNudge: Case = {
  name: "an agent that the user interrupts after a nudge is not revived; a new task is judged again",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const live = yield* World.start(world, { model: [...untested, [held(world, "tool")], ...reworked] })
      yield* live.send(task)
      yield* Files.appears(`${world.sandbox.root}/tool`)
      yield* live.interrupt
      yield* live.ended
      Assert.equal((yield* live.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn")).length, 3)
      Assert.deepEqual((yield* World.decisions(world)).map(({ attempt }) => attempt).filter(Boolean), [1])
      yield* World.prompt(live, otherTask)
      const outcome = yield* World.finish(world, live)
      Assert.equal(outcome.requests, 7)
      judgedAgain(world, outcome)
    })
}

const typedOn: Case = {
  name: "a user who writes on while the stop is judged is not spoken over by a nudge",
  needs: ["hooks", "queues"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const stops = yield* Hook.holdStops(world)
      const live = yield* World.start(world, { model: [...untested, [runTests], [green]] })
      const next = "Thanks. Now run the tests, too."
      yield* live.send(task)
      yield* stops.began
      yield* live.send(next)
      yield* World.recorded(live, next)
      yield* stops.release
      yield* live.ended
      yield* live.ended
      const outcome = yield* World.finish(world, live)
      Assert.deepEqual(outcome.nudges, [])
      Assert.equal(outcome.requests, 4)
      Assert.equal(outcome.decisions[0]?.decision, "abstain")
    })
}

const steered: Case = {
  name: "a message that the user writes while the stop is judged is a task of its own",
  night: true,
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const stops = yield* Hook.holdStops(world)
      const live = yield* World.start(world, { model: [...untested, ...reworked] })
      yield* live.send(task)
      yield* stops.began
      yield* live.send(otherTask)
      // Claude Code takes it a tenth of a second later, and writes that down; Codex answers once it has it.
      yield* Effect.timeoutOption(World.recorded(live, otherTask), "2 seconds")
      yield* stops.release
      yield* World.noticed(live, /: done/)
      const outcome = yield* World.finish(world, live)
      judgedAgain(world, outcome)
    })
}

export const cases: ReadonlyArray<Case> = [
  duringTool,
  whileAnswering,
  duringCompaction,
  duringStop,
  afterNudge,
  typedOn,
  steered
]
