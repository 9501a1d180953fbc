/**
 * The host contract's cases of things that break: the turn ends as if there were no reflexion, or reflexion goes on
 * without what it lost.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Assert from "node:assert/strict"
import { type Case, type Host, orFault, say, shell, type Start } from "./HostContract.ts"
import { green, fixed, otherTask, rework, runTests, task, untested } from "./HostContractTask.ts"
import * as Files from "./files.ts"
import * as Hook from "./hook.ts"
import * as World from "./HostContractWorld.ts"
import { broken } from "../sandbox/ShopProject.ts"

const { kinds } = World

/** A task that would be nudged, and is not; where no log can be kept, without a word of it. */
const silent = (world: World.World, options: Pick<Start, "silent"> = {}) =>
  Effect.gen(function* () {
    const outcome = yield* World.play(world, { ...options, model: untested, prompts: [task] })
    Assert.deepEqual(outcome.nudges, [])
    Assert.equal(outcome.requests, 2)
    Assert.deepEqual(outcome.notices, [])
    return outcome
  })

const failures = ({ decisions }: World.Outcome) =>
  decisions.flatMap(({ decision, event, reason }) => (decision === "failure" && event === "Stop" ? [reason] : []))

// OpenCode has no hook that could be wrapped, or killed alone: its plugin is a part of its own process. That one which cannot
// judge, is damaged or gone costs nothing else is shown in `OpenCodeFaults.test.ts`.

const judgeError: Case = {
  name: "a judge that fails lets the agent stop, which the log says, and the next task is judged",
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const stops = yield* Hook.failJudges(world)
      const reworked = [[rework(2)], [say("Reworked.")], [runTests], [green]]
      const live = yield* World.start(world, { model: [...untested, ...reworked] })
      yield* World.prompt(live, task)
      Assert.equal((yield* live.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn")).length, 2)
      Assert.deepEqual(yield* live.notices, [])
      yield* stops.repair
      yield* World.prompt(live, otherTask)
      const outcome = yield* World.finish(world, live)
      Assert.deepEqual(failures(outcome), ["abstained, because the judge failed: there is no time"])
      Assert.deepEqual(outcome.nudges, ["1/3"])
    })
}

const damagedHook: Case = {
  name: "a hook that is damaged or gone lets the agent stop, and the log says so",
  night: true,
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const fs = yield* FileSystem.FileSystem
      const main = `${yield* Hook.folder(world)}/hook-main.cjs`
      yield* Files.write({ [main]: "throw new Error('damaged')" })
      const damaged = failures(yield* silent(world))
      Assert.equal(damaged.length, 1, damaged.join("\n"))
      Assert.match(damaged[0] ?? "", /hook-main\.cjs does not run, install it again .*damaged/)
      yield* orFault("the hook could not be removed")(fs.remove(main))
      const gone = failures(
        yield* World.play(world, { model: [[rework(2)], [say("Reworked.")]], prompts: [otherTask] })
      )
      Assert.match(gone[0] ?? "", /hook-main\.cjs does not run, install it again .*ENOENT/)
    })
}

const killed: Case = {
  name: "a hook that is killed lets the agent stop",
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      yield* Hook.killStops(world)
      yield* silent(world)
    })
}

const cutOff: Case = {
  name: "a hook that was killed while it judged does not keep the next stop from being judged",
  night: true,
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const greeting = [say("Hello! What is to be done?")]
      const live = yield* World.start(world, { model: [greeting, ...untested, [runTests], [green]] })
      yield* World.prompt(live, "Hello")
      const pid = yield* Hook.deadProcess(world)
      yield* Files.write({ [`${World.stateFile(world, live.sessionId)}.lock`]: pid })
      yield* World.prompt(live, task)
      const outcome = yield* World.finish(world, live)
      Assert.deepEqual(outcome.nudges, ["1/3"])
    })
}

const corruptState: Case = {
  name: "a session whose saved state is damaged between two nudges keeps the count",
  night: "plugin",
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const damage = shell(`for state in ${world.state}/sessions/*/*.json; do echo damaged > "$state"; done`)
      const model = [...untested, [damage], [rework(2)], [say("Reworked.")], [runTests], [green]]
      const outcome = yield* World.play(world, { model, prompts: [task] })
      Assert.deepEqual(outcome.nudges, ["1/3", "2/3"])
      // Who lives in the host has its state in memory; a hook reads it at each stop, and says that it is damaged.
      const failure = host.can.includes("hooks") ? ["failure"] : []
      Assert.deepEqual(kinds(outcome), ["nudge", ...failure, "nudge", "notice"])
    })
}

// OpenCode keeps a record of every session, in a database of its own. The plugin asks the host for it, and nobody else writes
// it. That the count outlasts what the plugin saved is shown in `OpenCodeUser.test.ts`.

const corruptRecord: Case = {
  name: "lines of the record that make no sense are passed over",
  night: true,
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const fs = yield* FileSystem.FileSystem
      const greeting = [say("Hello! What is to be done?")]
      const live = yield* World.start(world, { model: [greeting, ...untested, [runTests], [green]] })
      yield* World.prompt(live, "Hello")
      const record = (yield* live.record) ?? ""
      const lines = `{"type":"user","mess\n\u0000\u0001{]\nnull\n{"type":{},"message":7,"payload":[]}\n"text"\n`
      yield* orFault("the record could not be damaged")(fs.writeFileString(record, lines, { flag: "a" }))
      yield* World.prompt(live, task)
      const outcome = yield* World.finish(world, live)
      Assert.deepEqual(outcome.nudges, ["1/3"])
      Assert.deepEqual(kinds(outcome).slice(-2), ["nudge", "notice"])
    })
}

const isAttempt = ({ decision }: World.Decision): boolean => decision === "nudge"

/**
 * Two turns, the second of them a task that is nudged once and then waits in the middle of a tool, so that its record can
 * be changed between two stops by `change`; what comes of it is the outcome.
 */
const changedBetween = (host: Host, change: (lines: ReadonlyArray<string>) => string) =>
  Effect.gen(function* () {
    const world = yield* World.make(host)
    const fs = yield* FileSystem.FileSystem
    const { root } = world.sandbox
    const wait = shell(`touch ${root}/changing; while [ ! -e ${root}/changed ]; do sleep 0.05; done`)
    const rest = [[rework(2)], [say("Version 2 is in.")], [runTests], [green]]
    const greeting = [say("Hello! What is to be done?")]
    const live = yield* World.start(world, { model: [greeting, ...untested, [wait], ...rest] })
    yield* World.prompt(live, "Hello")
    yield* live.send(task)
    yield* Files.appears(`${root}/changing`)
    yield* World.recorded(live, `${root}/changing`)
    const record = (yield* live.record) ?? ""
    const text = (yield* Files.textOf(record)) ?? ""
    yield* orFault("the record could not be changed")(fs.writeFileString(record, change(text.trimEnd().split("\n"))))
    yield* Files.touch(world, "changed")
    yield* live.ended
    return yield* World.finish(world, live)
  })

const truncatedRecord: Case = {
  name: "a record that is cut in the middle of a line between two stops does not reset the count",
  night: true,
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const outcome = yield* changedBetween(host, (lines) => {
        // The first stop's last words are kept, and the feedback after them is not.
        const end = lines.findIndex((line) => line.includes("takes a percentage of the total now"))
        return [...lines.slice(0, end + 1), lines[end + 1]?.slice(0, 40)].join("\n")
      })
      Assert.deepEqual(
        outcome.decisions.filter(isAttempt).map(({ attempt }) => attempt),
        [1, 2]
      )
    })
}

const rewrittenRecord: Case = {
  name: "a record that is written again without our feedback and with an old message more does not reset the count",
  night: true,
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const outcome = yield* changedBetween(host, (lines) => {
        const [head = "", ...rest] = lines
        const old = rest.filter((line) => line.includes('"Hello"'))
        const renamed = rest.map((line) => line.replaceAll(/"uuid":"[^"]{8}/g, '"uuid":"00000000'))
        return `${[head, ...old, ...renamed.filter((line) => !line.includes("[reflexion "))].join("\n")}\n`
      })
      Assert.deepEqual(
        outcome.decisions.filter(isAttempt).map(({ attempt }) => attempt),
        [1, 2]
      )
    })
}

const missingRecord: Case = {
  name: "a session that the host keeps no record of is let go",
  night: true,
  needs: ["hooks"],
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const outcome = yield* World.play(world, { model: untested, ephemeral: true, prompts: [task] })
      Assert.equal(outcome.requests, 2)
      Assert.deepEqual(kinds(outcome), ["abstain"])
      Assert.match(outcome.decisions[0]?.reason ?? "", /record/)
      Assert.deepEqual(outcome.notices, [])
    })
}

const unwritableWorkspace: Case = {
  name: "a workspace that takes no files costs the review's files and nothing else",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host, { ...broken, ".reflection": "not a folder\n" })
      const outcome = yield* World.play(world, { model: [...untested, [runTests], [green]], prompts: [task] })
      Assert.deepEqual(outcome.nudges, ["1/3"])
      Assert.deepEqual(
        kinds(outcome).filter((kind) => kind !== "failure"),
        ["nudge", "notice"]
      )
      Assert.equal(yield* Files.textOf(World.reviews(world)), "not a folder\n")
    })
}

const unwritableState: Case = {
  name: "where no count can be kept, nothing is nudged",
  night: "plugin",
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const fs = yield* FileSystem.FileSystem
      yield* orFault("the state could not be put away")(fs.rename(world.state, `${world.sandbox.root}/state`))
      yield* Files.write({ [world.state]: "not a folder\n" })
      yield* silent(world, { silent: true })
    })
}

const wandering: Case = {
  name: "the reviews of an agent that goes elsewhere stay where its session began",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const { home, workspace } = world.sandbox
      const away = shell(
        `mkdir -p lib ../other && cd ../other && git init --quiet && pwd && cd ${workspace}/lib && pwd`
      )
      const outcome = yield* World.play(world, { model: [[away], ...untested, [runTests], [green]], prompts: [task] })
      Assert.deepEqual(outcome.nudges, ["1/3"])
      const found = yield* Files.textOf(`${World.reviews(world)}/verdict_${outcome.sessionId}.json`)
      Assert.match(found ?? "", /"complete":\s{0,1}true/)
      Assert.deepEqual(yield* Files.filesBelow(`${home}/other/.reflection`), [])
      Assert.deepEqual(yield* Files.filesBelow(`${workspace}/lib/.reflection`), [])
    })
}

const secrets = {
  GITHUB_TOKEN: "ghp_9sK2mQ7vXa4LpR8tYw1ZcB5nDf3GhJ6kE0uM",
  AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI7MDENGbPxRfiCYzq3Vt8Kd2Lm5P",
  DATABASE_PASSWORD: "kT7-vQz9_wPx42LmR"
}

const everyFile = (world: World.World) =>
  Effect.map(
    Effect.forEach([world.state, world.cache, world.config, World.reviews(world)], Files.filesBelow),
    (files) => files.flat()
  )

const leaks = (world: World.World) =>
  Effect.gen(function* () {
    const files = yield* everyFile(world)
    Assert.ok(files.length > 3, files.join("\n"))
    const texts = yield* Effect.forEach(files, (file) => Effect.map(Files.textOf(file), (text) => ({ file, text })))
    return texts.flatMap(({ file, text }) =>
      Object.entries(secrets).flatMap(([name, secret]) => (text?.includes(secret) === true ? [`${name}: ${file}`] : []))
    )
  })

const secret: Case = {
  name: "a secret that a tool printed, or the agent, is in no file of reflexion's",
  run: (host: Host) =>
    Effect.gen(function* () {
      const env = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`)
      const world = yield* World.make(host, { ...broken, ".env": env.join("") })
      const told = say(`The deploy needs ${env[0]?.trim()} and ${env[2]?.trim()}; it fails.`)
      const shown = shell(`cat .env; GITHUB_TOKEN=${secrets.GITHUB_TOKEN} npm test`)
      const model = [[shown], [told], [rework(1)], [shown], [fixed]]
      const prompts = [`${task} The token is ${secrets.GITHUB_TOKEN}.`]
      const outcome = yield* World.play(world, { model, prompts })
      Assert.deepEqual(outcome.nudges, ["1/3"])
      Assert.deepEqual(yield* leaks(world), [])
    })
}

export const cases: ReadonlyArray<Case> = [
  judgeError,
  damagedHook,
  killed,
  cutOff,
  corruptState,
  corruptRecord,
  truncatedRecord,
  rewrittenRecord,
  missingRecord,
  unwritableWorkspace,
  unwritableState,
  wandering,
  secret
]
