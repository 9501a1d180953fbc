/** Cases of the host contract with plain turns: when and how often the agent is nudged, and when it may stop. */
import * as Effect from "effect/Effect"
import * as Assert from "node:assert/strict"
import { background, type Case, delegate, eventually, fail, type Host, say, shell } from "./HostContract.ts"
import { green, fix, fixed, rework, runTests, task, untested } from "./HostContractTask.ts"
import * as Files from "./files.ts"
import * as World from "./HostContractWorld.ts"
import { sound } from "../sandbox/ShopProject.ts"

const { kinds } = World

const nudged: Case = {
  name: "an agent that ran no tests is nudged until it did, then let go with one notice",
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const outcome = yield* World.play(world, { model: [...untested, [runTests], [green]], prompts: [task] })
    Assert.deepEqual(outcome.nudges, ["1/3"])
    Assert.deepEqual(kinds(outcome), ["nudge", "notice"])
    Assert.equal(outcome.notices.length, 2, outcome.notices.join("\n"))
    Assert.match(outcome.notices[0] ?? "", /nudged the agent to continue \(1 of 3\)/)
    Assert.match(outcome.notices[1] ?? "", /done, after nudging the agent once/)
  })
}

const moving: Case = {
  name: "an agent that moves and never finishes gets three nudges, the last one saying so, and the user a notice",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const model = [1, 2, 3, 4].flatMap((number) => [[rework(number)], [say(`Version ${number} is in.`)]])
    const live = yield* World.start(world, { model })
    yield* World.prompt(live, task)
    const outcome = yield* World.finish(world, live)
    Assert.deepEqual(outcome.nudges, ["1/3", "2/3", "3/3"])
    Assert.deepEqual(kinds(outcome), ["nudge", "nudge", "nudge", "notice"])
    const last = (yield* live.requests).findLast(({ answeredBy }) => answeredBy === "turn 7")
    Assert.match(last?.conversation ?? "", /\[reflexion 3\/3\] Last nudge/)
    Assert.match(outcome.notices[3] ?? "", /Max attempts \(3\) reached/)
  })
}

const unmoving: Case = {
  name: "an agent that does nothing about a nudge gets no other, and the user a notice",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const model = [...untested, [say("As I said: the discount is a percentage now.")]]
    const outcome = yield* World.play(world, { model, prompts: [task] })
    Assert.deepEqual(outcome.nudges, ["1/3"])
    Assert.deepEqual(kinds(outcome), ["nudge", "notice"])
    Assert.match(outcome.notices[1] ?? "", /nothing that the last nudge named has changed/)
  })
}

const complete: Case = {
  name: "a task that needed no proof ends in silence: no request more, nothing in the context, nothing shown",
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host, sound)
    const answer = "Prices are whole cents; `discounted` rounds with `Math.round`, so half a cent goes up."
    const live = yield* World.start(world, { model: [[shell("cat src/cart.js")], [say(answer)], [say("Gladly.")]] })
    yield* World.prompt(live, "How are prices rounded? Just explain, change nothing.")
    yield* World.prompt(live, "Thanks, that helps.")
    const outcome = yield* World.finish(world, live)
    Assert.equal(outcome.requests, 3)
    Assert.deepEqual(outcome.notices, [])
    Assert.deepEqual(kinds(outcome), ["none", "rearm", "none"])
    const last = (yield* live.requests).findLast(({ answeredBy }) => answeredBy === "turn 3")
    Assert.doesNotMatch(last?.conversation ?? "", /\[reflexion|stop hook|hook feedback/i)
  })
}

const question: Case = {
  name: "a question in plain text is not answered by a nudge where somebody is there",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    yield* Files.write({ [`${world.config}/config.json`]: `{ "attended": true }` })
    const asked = say("Half a cent can go up or down. Which do you prefer: the nearest cent, or always down?")
    const live = yield* World.start(world, { model: [[fix], [asked], [runTests], [green]] })
    yield* World.prompt(live, task)
    Assert.deepEqual(kinds({ decisions: yield* World.decisions(world) }), ["notice"])
    yield* World.prompt(live, "To the nearest cent.")
    const outcome = yield* World.finish(world, live)
    Assert.deepEqual(outcome.nudges, [])
    Assert.equal(outcome.requests, 4)
    Assert.match(outcome.notices[0] ?? "", /waits for your answer/)
  })
}

const plan: Case = {
  name: "an agent in plan mode is not nudged",
  byDay: ["claude-code", "codex"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const answer = say("Plan\n\n1. Take a percentage of the total in `discounted`.\n2. Run the tests.")
    const outcome = yield* World.play(world, {
      model: [[shell("cat src/cart.js")], [answer]],
      plan: true,
      prompts: [task]
    })
    Assert.equal(outcome.requests, 2)
    Assert.deepEqual(kinds(outcome), ["abstain"])
    Assert.match(outcome.decisions[0]?.reason ?? "", /plan mode/)
    Assert.deepEqual(outcome.notices, [])
  })
}

const inBackground: Case = {
  name: "an agent that waits for work in the background is not nudged",
  byDay: ["claude-code"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const { root } = world.sandbox
    const wait = background(`while [ ! -e ${root}/go ]; do sleep 0.05; done; npm run build`)
    const model = [[fix], [wait], [say("The build is under way; I'll run the tests when it is through.")]]
    const live = yield* World.start(world, { model: [...model, [runTests], [green]] })
    yield* World.prompt(live, task)
    const [first] = yield* World.decisions(world)
    Assert.equal(first?.decision, "abstain", first?.reason ?? "nothing was decided of the stop")
    Assert.match(first?.reason ?? "", /background/)
    yield* Files.touch(world, "go")
    if (host.can.includes("wakes")) {
      // A busy host may report a turn's end before it wakes the agent.
      const requests = Effect.map(live.requests, (all) => all.map(({ answeredBy }) => answeredBy))
      yield* eventually(
        "the turn after the background work",
        Effect.map(requests, (all) => (all.includes("turn 5") ? true : null))
      )
      yield* live.ended
    }
    const outcome = yield* World.finish(world, live)
    Assert.deepEqual(outcome.nudges, [])
    Assert.ok(!kinds(outcome).includes("rearm"))
    Assert.equal(outcome.requests, host.can.includes("wakes") ? 5 : 3)
  })
}

const apiError: Case = {
  name: "a failure of the model's service is no stop of the agent, and the next task is judged again",
  byDay: ["claude-code"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const live = yield* World.start(world, { model: [[fix], [fail(529, "Overloaded")], [fixed], [runTests], [green]] })
    yield* World.prompt(live, task)
    Assert.ok(!kinds({ decisions: yield* World.decisions(world) }).includes("nudge"))
    yield* World.prompt(live, "Please go on.")
    Assert.deepEqual((yield* World.finish(world, live)).nudges, ["1/3"])
  })
}

const subagent: Case = {
  name: "a subagent's stop is not nudged, and the tests that it ran count",
  byDay: ["claude-code", "codex"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const checks = delegate("Run the test suite and report what it prints.", [runTests], [say("3 tests, all green.")])
    const model = [[fix], [checks], [say("The suite is green: all 3 tests pass.")]]
    const outcome = yield* World.play(world, { model, prompts: [task] })
    Assert.deepEqual(outcome.nudges, [])
    Assert.deepEqual(kinds(outcome), ["notice"], JSON.stringify(outcome.decisions))
  })
}

const goal: Case = {
  name: "a turn that a goal of the user's began is not nudged",
  byDay: [],
  needs: ["goals"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    // The host continues by itself as long as the goal exists.
    const again = Array.from({ length: 30 }, () => [say("There is nothing more that I would do.")])
    const live = yield* World.start(world, { model: [...untested, ...again] })
    yield* live.goal(task)
    yield* live.ended
    const outcome = yield* World.finish(world, live)
    Assert.deepEqual(outcome.nudges, [])
    Assert.deepEqual(outcome.notices, [])
    Assert.deepEqual([...new Set(kinds(outcome))], ["abstain"])
  })
}

export const cases: ReadonlyArray<Case> = [
  nudged,
  moving,
  unmoving,
  complete,
  question,
  plan,
  inBackground,
  apiError,
  subagent,
  goal
]
