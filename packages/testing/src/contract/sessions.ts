/** Cases with several sessions, continued sessions and project settings. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Assert from "node:assert/strict"
import { type Case, fill, hang, type Host, orFault, say, shell } from "./HostContract.ts"
import { green, fixed, rework, runTests, task, untested } from "./HostContractTask.ts"
import * as Files from "./files.ts"
import * as World from "./HostContractWorld.ts"
import { broken } from "../sandbox/ShopProject.ts"

const { kinds } = World

const attempts = (decisions: ReadonlyArray<World.Decision>) =>
  decisions.flatMap(({ attempt, decision }) => (decision === "nudge" ? [attempt] : []))

const twoAtOnce: Case = {
  name: "two sessions at once in one workspace know nothing of each other",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    yield* Files.write({ [`${world.config}/config.json`]: `{ "attended": true }` })
    const edits = [1, 2].flatMap((number) => [[rework(number)], [say(`Version ${number} is in.`)]])
    const asking = "Rounding is open. Which do you prefer: the nearest cent, or always down?"
    const both = [
      World.play(world, { model: [...edits, [runTests], [green]], prompts: [task] }),
      World.play(world, { model: [[shell("cat src/cart.js")], [say(asking)]], prompts: [task] })
    ] as const
    const [working, waiting] = yield* Effect.all(both, { concurrency: 2 })
    Assert.deepEqual(working.nudges, ["1/3", "2/3"])
    Assert.deepEqual(kinds(working), ["nudge", "nudge", "notice"])
    Assert.deepEqual(waiting.nudges, [])
    Assert.deepEqual(kinds(waiting), ["notice"])
    for (const { sessionId } of [working, waiting]) {
      const verdict = yield* Files.textOf(`${World.reviews(world)}/verdict_${sessionId}.json`)
      Assert.match(verdict ?? "", new RegExp(sessionId))
    }
  })
}

/** The session is killed after its first nudge, while the agent works. */
const cutOff = (world: World.World) =>
  Effect.scoped(
    Effect.gen(function* () {
      const live = yield* World.start(world, { model: [...untested, [shell("printf 'half''way'")], [hang]] })
      yield* live.send(task)
      yield* World.recorded(live, "halfway")
      yield* live.crash
      return live.sessionId
    })
  )

/**
 * Some hosts continue the turn by themselves, so further nudges show the count. In other hosts, the turn ends when the
 * process ends. Then a turn without a message of the user gets no nudge, and a message begins a new task. Only `status`
 * shows the count.
 */
const restart: Case = {
  name: "a host that is started again between two attempts does not reset the count",
  byDay: ["claude-code"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const sessionId = yield* cutOff(world)
    const model = [2, 3, 4].flatMap((number) => [[rework(number)], [say(`Version ${number} is in.`)]])
    const live = yield* World.start(world, { model, resume: sessionId, continues: true })
    yield* live.ended
    if (host.can.includes("continues")) {
      const outcome = yield* World.finish(world, live)
      Assert.deepEqual(attempts(outcome.decisions), [1, 2, 3])
      return Assert.match(outcome.notices.at(-1) ?? "", /Max attempts \(3\) reached/)
    }
    const [status = ""] = host.commands("status")
    yield* World.prompt(live, status)
    Assert.match((yield* live.replies).at(-1) ?? "", /1 of 3 nudges used for this task/)
    const outcome = yield* World.finish(world, live)
    Assert.deepEqual(attempts(outcome.decisions), [1])
    // A turn that began without a message of the user gets no nudge.
    for (const { reason } of outcome.decisions.slice(1)) Assert.match(reason, /no message of the user/)
  })
}

const compaction: Case = {
  name: "a compaction between two attempts neither resets the count nor loses the task",
  byDay: ["claude-code", "codex"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const model = [...untested, [rework(2), fill], [say("Version 2 is in.")], [runTests], [green]]
    const live = yield* World.start(world, { model })
    yield* World.prompt(live, task)
    const outcome = yield* World.finish(world, live)
    const requests = yield* live.requests
    const summary = requests.findIndex(({ answeredBy }) => answeredBy === "summary")
    Assert.ok(summary >= 0)
    const after = requests.slice(summary + 1).map(({ conversation, system }) => `${system}\n${conversation}`)
    Assert.ok(after.some((text) => /in their words:(?:\n|\\n)> A 10 % discount on a cart/.test(text)))
    Assert.deepEqual(attempts(outcome.decisions), [1, 2])
    Assert.deepEqual(kinds(outcome), ["nudge", "nudge", "notice"])
    Assert.match(outcome.notices.at(-1) ?? "", /done, after nudging the agent twice/)
  })
}

const linkedConfig: Case = {
  name: "a configuration that is a symbolic link is not followed: nothing is nudged, and the user is told once",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const fs = yield* FileSystem.FileSystem
    const elsewhere = `${world.sandbox.home}/config.json`
    yield* Files.write({ [elsewhere]: `{ "profile": "advisory" }`, [`${World.reviews(world)}/.gitignore`]: "*\n" })
    yield* orFault("the link could not be made")(fs.symlink(elsewhere, `${World.reviews(world)}/config.json`))
    const prompts = [task, "Now round down instead, and run the tests."]
    const model = [...untested, [rework(2)], [say("Reworked.")]]
    const outcome = yield* World.play(world, { model, prompts, silent: true })
    Assert.deepEqual(outcome.nudges, [])
    Assert.equal(outcome.requests, 4)
    Assert.equal(outcome.notices.filter((notice) => notice.includes("until this is fixed")).length, 1)
  })
}

const maximum: Case = {
  name: "a workspace cannot have the agent nudged more often than the user wants",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host, { ...broken, ".reflection/config.json": `{ "maxAttempts": 3 }` })
    yield* Files.write({ [`${world.config}/config.json`]: `{ "maxAttempts": 1 }` })
    const outcome = yield* World.play(world, { model: [...untested, [rework(2)], [fixed]], prompts: [task] })
    Assert.deepEqual(outcome.nudges, ["1/1"])
    Assert.deepEqual(kinds(outcome), ["nudge", "notice"])
    Assert.match(outcome.notices[1] ?? "", /Max attempts \(1\) reached/)
  })
}

export const cases: ReadonlyArray<Case> = [twoAtOnce, restart, compaction, linkedConfig, maximum]
