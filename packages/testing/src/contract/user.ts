/** Cases of the host contract with the user's commands to reflexion, and with lessons of a failed attempt. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Assert from "node:assert/strict"
import { type Answer, type Case, edit, type Host, orFault, say } from "./HostContract.ts"
import { green, otherTask, rework, runTests, task, untested } from "./HostContractTask.ts"
import * as Files from "./files.ts"
import * as World from "./HostContractWorld.ts"
import { defect } from "../sandbox/ShopProject.ts"

const { kinds } = World

const commands: Case = {
  name: "the user turns reflexion off and on in a session and asks for its state, and no model hears of it",
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const reworked = [[rework(2)], [say("Reworked.")], [runTests], [green]]
    const live = yield* World.start(world, { model: [...untested, ...reworked] })
    const type = (word: "stop" | "start" | "status") =>
      Effect.forEach(host.commands(word), (text) => World.prompt(live, text), { discard: true })
    yield* type("stop")
    yield* type("status")
    Assert.deepEqual(yield* live.requests, [])
    yield* World.prompt(live, task)
    Assert.ok(!kinds({ decisions: yield* World.decisions(world) }).includes("nudge"))
    yield* type("start")
    yield* type("status")
    yield* World.prompt(live, otherTask)
    const outcome = yield* World.finish(world, live)
    Assert.deepEqual(outcome.nudges, ["1/3"])
    Assert.equal(outcome.requests, 6)
    const replies = yield* live.replies
    const [off, on] = [/is off in this session/, /is on in this session/]
    const expected = [off, off, on, on].flatMap((reply) => host.commands("status").map(() => reply))
    Assert.equal(replies.length, expected.length, replies.join("\n"))
    for (const [index, reply] of expected.entries()) Assert.match(replies[index] ?? "", reply)
    Assert.doesNotMatch((yield* live.requests).at(-1)?.conversation ?? "", /reflection (?:stop|start|status)/)
  })
}

const asPlugin: Case = {
  name: "installed as a plugin alone it reviews as well, and with its command's hooks it still nudges once",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.bare(host)
    yield* host.plugin(world.sandbox, World.marketplace)
    const tested = [[runTests], [green]]
    const alone = yield* World.play(world, { model: [...untested, ...tested], prompts: [task] })
    yield* World.reflexion(world, "install", host.name)
    const twice = yield* World.play(world, {
      model: [[rework(2)], [say("Reworked.")], ...tested],
      prompts: [otherTask]
    })
    for (const outcome of [alone, twice]) {
      Assert.deepEqual(outcome.nudges, ["1/3"])
      Assert.equal(outcome.notices.length, 2, outcome.notices.join("\n"))
    }
  })
}

const snapshot = (world: World.World) =>
  Effect.gen(function* () {
    const folders = new Set(Object.keys(world.host.settings).map((name) => name.split("/")[0] ?? ""))
    const files = yield* Effect.forEach(folders, (name) => Files.filesBelow(`${world.sandbox.home}/${name}`))
    return yield* Effect.forEach(files.flat(), (file) =>
      Effect.map(Files.textOf(file), (text) => [file, text] as const)
    )
  })

const uninstall: Case = {
  name: "uninstalling leaves the user's files byte for byte as they were",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.bare(host)
    const files = Object.entries(host.settings).map(([name, text]) => [`${world.sandbox.home}/${name}`, text])
    yield* Files.write(Object.fromEntries(files))
    const before = yield* snapshot(world)
    yield* World.reflexion(world, "install", host.name)
    Assert.notDeepEqual(yield* snapshot(world), before)
    yield* World.reflexion(world, "install", host.name)
    yield* World.reflexion(world, "uninstall", host.name)
    Assert.deepEqual(yield* snapshot(world), before)
    const outcome = yield* World.play(world, { model: untested, prompts: [task], silent: true })
    Assert.deepEqual(outcome.nudges, [])
    Assert.deepEqual(outcome.decisions, [])
  })
}

const inProject: Case = {
  name: "installed for one project, it reviews there and nowhere else",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.bare(host)
    const fs = yield* FileSystem.FileSystem
    yield* World.reflexion(world, "install", host.name, "--project")
    yield* host.trustProject(world.sandbox)
    const outcome = yield* World.play(world, { model: [...untested, [runTests], [green]], prompts: [task] })
    Assert.deepEqual(outcome.nudges, ["1/3"])
    const other = `${world.sandbox.home}/other`
    yield* orFault("the project could not be copied")(fs.copy(`${world.sandbox.workspace}/src`, `${other}/src`))
    const elsewhere = { ...world, sandbox: { ...world.sandbox, workspace: other } }
    const silent = yield* World.play(elsewhere, { model: [[rework(2)], [say("Reworked.")]], prompts: [otherTask] })
    Assert.deepEqual(silent.decisions, [])
  })
}

/** Versions 0 and 1 fail the discount's test. Version 2 fails the empty cart's test. Version 3 passes all tests. */
const versions = [
  defect.before,
  "Math.round(total(items) - percent * 2)",
  "Math.round(total(items) * 0.9) || 1",
  defect.after
].map((computed) => `export const discounted = (items, percent) => ${computed}`)

const round = (from: number, to: number, last = say("`discounted` in `src/cart.js` is changed.")) => [
  [edit("src/cart.js", versions[from] ?? "", versions[to] ?? "")],
  [runTests],
  [last]
]

/** `sections`: the lessons that the model got, one text for each request. */
const taught = Effect.fnUntraced(function* (world: World.World, model: ReadonlyArray<Answer>, prompt: string) {
  const live = yield* World.start(world, { model })
  yield* World.prompt(live, prompt)
  const outcome = yield* World.finish(world, live)
  const sections = (yield* live.requests)
    .filter(({ answeredBy }) => answeredBy.startsWith("turn "))
    .flatMap(({ payload }) => payload.split("## Learning from Previous Failures").slice(1, 2))
  return { ...outcome, sections }
}, Effect.scoped)

const nextAttempt: Case = {
  name: "an agent that fails otherwise is told with the next reminder what the failure before taught",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const outcome = yield* taught(world, [...round(0, 1), ...round(1, 2), ...round(2, 3, green)], task)
    Assert.deepEqual(outcome.nudges, ["1/3", "2/3"])
    Assert.deepEqual(kinds(outcome), ["nudge", "nudge", "notice"])
    // The first section is in the second nudge and describes the first failure.
    Assert.equal(outcome.sections.length, 3)
    Assert.match(outcome.sections[0] ?? "", /takes ten percent off/)
    for (const notice of outcome.notices) Assert.doesNotMatch(notice, /Learning/)
  })
}

const nextSession: Case = {
  name: "a session that begins is told what an earlier one failed at, and no longer once that is done",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const failed = yield* taught(world, [...round(0, 1), [say("I leave it at that.")]], task)
    Assert.deepEqual(kinds(failed), ["nudge", "notice"])
    const asking = [[[say("`src/orders.js` keeps them, in a map.")]], "Which file keeps the orders?"] as const
    const told = yield* taught(world, ...asking)
    Assert.match(told.sections[0] ?? "", /takes ten percent off/)
    Assert.deepEqual(told.notices, [])
    yield* taught(world, round(1, 3, green), task)
    Assert.deepEqual((yield* taught(world, ...asking)).sections, [])
  })
}

export const cases: ReadonlyArray<Case> = [commands, asPlugin, uninstall, inProject, nextAttempt, nextSession]
