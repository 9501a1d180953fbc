/** Cases in which the user interrupts: the agent gets no nudge, and the next task is judged again. */
import * as Effect from "effect/Effect"
import * as Assert from "node:assert/strict"
import { type Case, eventually, hang, type Host, type Live, say } from "./HostContract.ts"
import { green, fix, otherTask, rework, runTests, task, untested } from "./HostContractTask.ts"
import * as Hook from "./hook.ts"
import * as World from "./HostContractWorld.ts"

/** The next task must get exactly one nudge, with the number 1. */
const judgedAgain = (world: World.World, outcome: World.Outcome) => {
  const nudges = outcome.decisions.filter(({ decision }) => decision === "nudge")
  Assert.equal(nudges.at(-1)?.attempt, 1, JSON.stringify(outcome.decisions))
  Assert.match(outcome.notices.at(-1) ?? "", /done, after nudging the agent once/, world.host.title)
}

const turnsOf = (live: Live) =>
  Effect.map(live.requests, (all) => all.filter(({ answeredBy }) => answeredBy.startsWith("turn ")).length)

const reworked = [[rework(2)], [say("`discounted` is reworked.")], [runTests], [green]]

const whileAnswering: Case = {
  name: "an agent that the user interrupts while the model answers is not revived; a new task is judged again",
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const live = yield* World.start(world, { model: [[fix], [hang], ...reworked] })
    yield* live.send(task)
    yield* eventually(
      "the second request",
      Effect.map(turnsOf(live), (count) => (count >= 2 ? true : null))
    )
    yield* live.interrupt
    yield* live.ended
    Assert.ok(!World.kinds({ decisions: yield* World.decisions(world) }).includes("nudge"))
    yield* World.prompt(live, otherTask)
    const outcome = yield* World.finish(world, live)
    Assert.equal(outcome.requests, 6)
    Assert.deepEqual(outcome.nudges, ["1/3"])
    judgedAgain(world, outcome)
  })
}

// The next cases make a stop's hook wait. For OpenCode, see `OpenCodeReview.test.ts` and `beyond.ts`.

const duringStop: Case = {
  name: "an agent that the user interrupts while its stop is judged is not revived; a new task is judged again",
  byDay: ["claude-code"],
  needs: ["hooks"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const stops = yield* Hook.holdStops(world)
    const live = yield* World.start(world, { model: [...untested, ...reworked] })
    yield* live.send(task)
    yield* stops.began
    yield* live.interrupt
    yield* live.ended
    yield* stops.release
    Assert.equal(yield* turnsOf(live), 2)
    yield* World.prompt(live, otherTask)
    const outcome = yield* World.finish(world, live)
    Assert.equal(outcome.requests, 6)
    Assert.deepEqual(outcome.nudges, ["1/3"])
    judgedAgain(world, outcome)
  })
}

const typedOn: Case = {
  name: "a user who writes on while the stop is judged is not spoken over by a nudge",
  byDay: ["claude-code"],
  needs: ["hooks", "queues"],
  run: Effect.fnUntraced(function* (host: Host) {
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
  byDay: [],
  needs: ["hooks"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const stops = yield* Hook.holdStops(world)
    const live = yield* World.start(world, { model: [...untested, ...reworked] })
    yield* live.send(task)
    yield* stops.began
    yield* live.send(otherTask)
    // Claude Code records the prompt a tenth of a second after `send`. In Codex, `send` ends when Codex has the prompt.
    yield* Effect.timeoutOption(World.recorded(live, otherTask), "2 seconds")
    yield* stops.release
    yield* World.noticed(live, /: done/)
    judgedAgain(world, yield* World.finish(world, live))
  })
}

export const cases: ReadonlyArray<Case> = [whileAnswering, duringStop, typedOn, steered]
