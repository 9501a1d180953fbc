/** The host contract's cases of what the user does with reflexion itself: commands, installing twice, uninstalling. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Assert from "node:assert/strict"
import { type Case, orFault, say } from "./HostContract.ts"
import { green, otherTask, rework, runTests, task, untested } from "./HostContractTask.ts"
import * as Files from "./files.ts"
import * as World from "./HostContractWorld.ts"

const { kinds } = World

const commands: Case = {
  name: "the user turns reflexion off and on in a session and asks for its state, and no model hears of it",
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const reworked = [[rework(2)], [say("Reworked.")], [runTests], [green]]
      const live = yield* World.start(world, { model: [...untested, ...reworked] })
      const type = (word: "stop" | "start" | "status") =>
        Effect.forEach(host.commands(word), (text) => World.prompt(live, text), { discard: true })
      yield* type("stop")
      yield* type("status")
      Assert.deepEqual(yield* live.requests, [])
      yield* World.prompt(live, task)
      Assert.deepEqual(
        (yield* World.decisions(world)).filter(({ decision }) => decision === "nudge"),
        []
      )
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

const stillOff: Case = {
  name: "what the user turned off stays off when the host is started again",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const [stop = ""] = host.commands("stop")
      const greeting = [[say("Hello! What is to be done?")]]
      const first = yield* World.play(world, { model: greeting, prompts: ["Hello", stop] })
      const second = yield* World.play(world, { model: untested, resume: first.sessionId, prompts: [task] })
      Assert.deepEqual(second.nudges, [])
      Assert.equal(second.requests, 2)
      Assert.equal(second.decisions.at(-1)?.decision, "abstain")
    })
}

const damagedOff: Case = {
  name: "what the user turned off stays off when the saved state is damaged, until they turn it on",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const [stop = ""] = host.commands("stop")
      const [start = ""] = host.commands("start")
      const reworked = [[rework(2)], [say("Reworked.")], [runTests], [green]]
      const model = [[say("Hello! What is to be done?")], ...untested, ...reworked]
      const live = yield* World.start(world, { model })
      yield* World.prompt(live, "Hello")
      yield* World.prompt(live, stop)
      yield* Files.write({ [World.stateFile(world, live.sessionId)]: "damaged\n" })
      yield* World.prompt(live, task)
      const [last] = (yield* World.decisions(world, live.sessionId)).slice(-1)
      Assert.match(`${last?.decision}: ${last?.reason}`, /^abstain: the user stopped reflexion/)
      yield* World.prompt(live, start)
      yield* World.prompt(live, otherTask)
      const outcome = yield* World.finish(world, live)
      Assert.deepEqual(outcome.nudges, ["1/3"])
    })
}

const twice: Case = {
  name: "installed twice, by its command and as a plugin, it nudges once",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      yield* host.plugin(world.sandbox, World.marketplace)
      const model = [...untested, [runTests], [green]]
      const outcome = yield* World.play(world, { model, prompts: [task] })
      Assert.deepEqual(outcome.nudges, ["1/3"])
      Assert.equal(outcome.notices.length, 2, outcome.notices.join("\n"))
    })
}

const asPlugin: Case = {
  name: "installed as a plugin alone, it reviews as well",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      yield* host.plugin(world.sandbox, World.marketplace)
      const model = [...untested, [runTests], [green]]
      const outcome = yield* World.play(world, { model, prompts: [task] })
      Assert.deepEqual(outcome.nudges, ["1/3"])
      Assert.deepEqual(kinds(outcome), ["nudge", "notice"])
      Assert.equal(outcome.notices.length, 2, outcome.notices.join("\n"))
    })
}

const snapshot = (world: World.World) =>
  Effect.gen(function* () {
    const folders = Object.keys(world.host.settings).map((name) => name.split("/")[0] ?? "")
    const files = yield* Effect.forEach([...new Set(folders)], (name) =>
      Files.filesBelow(`${world.sandbox.home}/${name}`)
    )
    return yield* Effect.forEach(files.flat(), (file) =>
      Effect.map(Files.textOf(file), (text) => [file, text] as const)
    )
  })

const uninstall: Case = {
  name: "uninstalling leaves the user's files byte for byte as they were",
  run: (host) =>
    Effect.gen(function* () {
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

const besideOthers: Case = {
  name: "with hooks of the user's own, one nudge is one nudge",
  night: "plugin",
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.bare(host)
      const files = Object.entries(host.settings).map(([name, text]) => [`${world.sandbox.home}/${name}`, text])
      yield* Files.write(Object.fromEntries(files))
      yield* World.reflexion(world, "install", host.name)
      const outcome = yield* World.play(world, { model: [...untested, [runTests], [green]], prompts: [task] })
      Assert.deepEqual(outcome.nudges, ["1/3"])
      Assert.deepEqual(kinds(outcome), ["nudge", "notice"])
    })
}

const inProject: Case = {
  name: "installed for one project, it reviews there and nowhere else",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
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

export const cases: ReadonlyArray<Case> = [
  commands,
  stillOff,
  damagedOff,
  twice,
  asPlugin,
  uninstall,
  besideOthers,
  inProject
]
