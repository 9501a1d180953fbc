/** Cases with faults: the turn ends as it would without reflexion, or reflexion continues without the lost data. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Assert from "node:assert/strict"
import { type Case, type Host, orFault, say, shell, type Start } from "./HostContract.ts"
import { green, fixed, rework, runTests, task, untested } from "./HostContractTask.ts"
import * as Files from "./files.ts"
import * as Hook from "./hook.ts"
import * as World from "./HostContractWorld.ts"
import { broken } from "../sandbox/ShopProject.ts"

const { kinds } = World

/** Without the fault, the stop would get a nudge. With `silent`, no log can be written. */
const silent = (world: World.World, options: Pick<Start, "silent"> = {}) =>
  Effect.gen(function* () {
    const outcome = yield* World.play(world, { ...options, model: untested, prompts: [task] })
    Assert.deepEqual(outcome.nudges, [])
    Assert.equal(outcome.requests, 2)
    Assert.deepEqual(outcome.notices, [])
  })

// OpenCode's plugin runs in the host's process, so it cannot be killed alone: see `OpenCodeReview.test.ts`.

const killed: Case = {
  name: "a hook that is killed lets the agent stop",
  byDay: ["claude-code"],
  needs: ["hooks"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    yield* Hook.killStops(world)
    yield* silent(world)
  })
}

const missingRecord: Case = {
  name: "a session that the host keeps no record of is let go",
  byDay: [],
  needs: ["hooks"],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const outcome = yield* World.play(world, { model: untested, ephemeral: true, prompts: [task] })
    Assert.equal(outcome.requests, 2)
    Assert.deepEqual(kinds(outcome), ["abstain"])
    Assert.match(outcome.decisions[0]?.reason ?? "", /record/)
    Assert.deepEqual(outcome.notices, [])
  })
}

const unwritableState: Case = {
  name: "where no count can be kept, nothing is nudged",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const fs = yield* FileSystem.FileSystem
    yield* orFault("the state could not be put away")(fs.rename(world.state, `${world.sandbox.root}/state`))
    yield* Files.write({ [world.state]: "not a folder\n" })
    yield* silent(world, { silent: true })
  })
}

const wandering: Case = {
  name: "the reviews of an agent that goes elsewhere stay where its session began",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const world = yield* World.make(host)
    const { home, workspace } = world.sandbox
    const away = shell(`mkdir -p lib ../other && cd ../other && git init --quiet && pwd && cd ${workspace}/lib && pwd`)
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

const leaks = (world: World.World) =>
  Effect.gen(function* () {
    const folders = [world.state, world.cache, world.config, World.reviews(world)]
    const files = (yield* Effect.forEach(folders, (folder) => Files.filesBelow(folder))).flat()
    Assert.ok(files.length > 3, files.join("\n"))
    const texts = yield* Effect.forEach(files, (file) => Effect.map(Files.textOf(file), (text) => ({ file, text })))
    return texts.flatMap(({ file, text }) =>
      Object.entries(secrets).flatMap(([name, secret]) => (text?.includes(secret) === true ? [`${name}: ${file}`] : []))
    )
  })

const secret: Case = {
  name: "a secret that a tool printed, or the agent, is in no file of reflexion's",
  byDay: [],
  run: Effect.fnUntraced(function* (host: Host) {
    const env = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`)
    const world = yield* World.make(host, { ...broken, ".env": env.join("") })
    const told = say(`The deploy needs ${env[0]?.trim()} and ${env[2]?.trim()}; it fails.`)
    const shown = shell(`cat .env; GITHUB_TOKEN=${secrets.GITHUB_TOKEN} npm test`)
    const model = [[shown], [told], [rework(1)], [shown], [fixed]]
    const prompts = [`${task} The token is ${secrets.GITHUB_TOKEN}.`]
    Assert.deepEqual((yield* World.play(world, { model, prompts })).nudges, ["1/3"])
    Assert.deepEqual(yield* leaks(world), [])
  })
}

export const cases: ReadonlyArray<Case> = [killed, missingRecord, unwritableState, wandering, secret]
