/** The host contract's cases of the memory: what a failed attempt teaches the next one, and a later session. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Assert from "node:assert/strict"
import { type Answer, type Case, edit, orFault, say } from "./HostContract.ts"
import * as Files from "./files.ts"
import { green, runTests, task } from "./HostContractTask.ts"
import * as World from "./HostContractWorld.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import { broken, defect } from "../sandbox/ShopProject.ts"

const heading = "## Learning from Previous Failures"

const fileOf = (world: World.World): string => `${World.reviews(world)}/reflections.jsonl`

const Line = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const decodeLine = Schema.decodeUnknown(Line)

/** Every line of the project's memory, none where there is none. */
const remembered = (world: World.World) =>
  Effect.gen(function* () {
    const text = yield* Files.textOf(fileOf(world))
    const lines = yield* Effect.forEach((text ?? "").split("\n").slice(0, -1), (line) => decodeLine(line))
    return {
      reflections: lines.filter((line) => "analysis" in line),
      outcomes: lines.flatMap(({ event, success }) => (event === "outcome" ? [success] : []))
    }
  }).pipe(orFault("the memory could not be read"))

/** The first leaves the test of a discount red, the second that of an empty cart, the third none. */
const versions = [
  defect.before,
  "Math.round(total(items) - percent * 2)",
  "Math.round(total(items) * 0.9) || 1",
  defect.after
]

const signature = "export const discounted = (items, percent) => "

const version = (number: number): string => `${signature}${versions[number] ?? ""}`

const changed = say("`discounted` in `src/cart.js` is changed.")

/** Brings a version in, runs the tests and stops. */
const round = (number: number, last = changed): ReadonlyArray<Answer> => [
  [edit("src/cart.js", version(number - 1), version(number))],
  [runTests],
  [last]
]

/** What the model was shown of failures before, a text for each request. */
const sections = (requests: ReadonlyArray<{ readonly answeredBy: string; readonly payload: string }>) =>
  requests
    .filter(({ answeredBy }) => answeredBy.startsWith("turn "))
    .flatMap(({ payload }) => {
      const at = payload.indexOf(heading)
      return at < 0 ? [] : [payload.slice(at)]
    })

const play = (world: World.World, model: ReadonlyArray<Answer>, prompt: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const live = yield* World.start(world, { model })
      yield* World.prompt(live, prompt)
      const outcome = yield* World.finish(world, live)
      return { ...outcome, sections: sections(yield* live.requests) }
    })
  )

const nextAttempt: Case = {
  name: "an agent that fails otherwise is told with the next reminder what the failure before taught",
  night: "plugin",
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const outcome = yield* play(world, [...round(1), ...round(2), ...round(3, green)], task)
      Assert.deepEqual(outcome.nudges, ["1/3", "2/3"])
      Assert.deepEqual(World.kinds(outcome), ["nudge", "nudge", "notice"])
      // With the second reminder for the first time, and of the first failure.
      Assert.equal(outcome.sections.length, 3)
      Assert.match(outcome.sections[0] ?? "", /takes ten percent off/)
      for (const notice of outcome.notices) Assert.doesNotMatch(notice, /Learning/)
      const { outcomes, reflections } = yield* remembered(world)
      Assert.deepEqual(
        reflections.map(({ attemptNumber }) => attemptNumber),
        [1, 2]
      )
      Assert.match(String(reflections[1]?.["analysis"]), /leaves an empty cart alone/)
      Assert.deepEqual(outcomes, [false, false, true])
    })
}

const question = "Which file keeps the orders?"

const answer: ReadonlyArray<Answer> = [[say("`src/orders.js` keeps them, in a map.")]]

/** A session whose task stays open: reminded once, and then nothing moves. */
const fails = (world: World.World) => play(world, [...round(1), [say("I leave it at that.")]], task)

const nextSession: Case = {
  name: "a session that begins is told what an earlier one failed at, and no longer once that is done",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      Assert.deepEqual(World.kinds(yield* fails(world)), ["nudge", "notice"])
      const told = yield* play(world, answer, question)
      Assert.match(told.sections[0] ?? "", /takes ten percent off/)
      Assert.deepEqual(told.notices, [])
      yield* play(world, [[edit("src/cart.js", version(1), version(3))], [runTests], [green]], task)
      Assert.deepEqual((yield* play(world, answer, question)).sections, [])
    })
}

const off: Case = {
  name: "a workspace can switch the memory off: nothing is kept, and nobody is told anything",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host, {
        ...broken,
        ".reflection/config.json": `{ "memory": { "enabled": false } }`
      })
      Assert.deepEqual(World.kinds(yield* fails(world)), ["nudge", "notice"])
      Assert.equal(yield* Files.textOf(fileOf(world)), null)
      Assert.deepEqual((yield* play(world, answer, question)).sections, [])
    })
}

const tracked: Case = {
  name: "a memory that git tracks tells nobody anything until it is trusted",
  night: "plugin",
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      yield* fails(world)
      yield* orFault("it could not be added")(
        Sandbox.execute(world.sandbox, "git", "add", "--force", ".reflection/reflections.jsonl")
      )
      Assert.deepEqual((yield* play(world, answer, question)).sections, [])
      yield* World.reflexion(world, "allow", "workspace", "--yes")
      Assert.ok((yield* play(world, answer, question)).sections.length > 0)
    })
}

const foreign: Case = {
  name: "a memory that others wrote tells nobody anything until it is trusted as it is",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      yield* fails(world)
      // Nobody has learned that here.
      const text = (yield* Files.textOf(fileOf(world))) ?? ""
      yield* Files.write({ [fileOf(world)]: text.replaceAll("takes ten percent off", "takes a tenth off") })
      Assert.deepEqual((yield* play(world, answer, question)).sections, [])
      yield* World.reflexion(world, "allow", "workspace", "--yes")
      Assert.match((yield* play(world, answer, question)).sections[0] ?? "", /takes a tenth off/)
    })
}

/** The same world, in a work tree of its own. */
const inWorktree = (world: World.World, name: string) =>
  Effect.gen(function* () {
    const workspace = `${world.sandbox.home}/${name}`
    yield* Sandbox.execute(world.sandbox, "git", "worktree", "add", "--quiet", workspace)
    const tree: World.World = { ...world, sandbox: { ...world.sandbox, workspace } }
    return tree
  }).pipe(orFault("the work tree could not be made"))

const worktrees: Case = {
  name: "what a session in a work tree of the clone learned the main one is told, when the work tree is gone",
  night: true,
  run: (host) =>
    Effect.gen(function* () {
      const world = yield* World.make(host)
      const tree = yield* inWorktree(world, "feat")
      Assert.deepEqual(World.kinds(yield* fails(tree)), ["nudge", "notice"])
      Assert.equal(yield* Files.textOf(fileOf(tree)), null)
      yield* orFault("the work tree could not be removed")(
        Sandbox.execute(world.sandbox, "git", "worktree", "remove", "--force", tree.sandbox.workspace)
      )
      const told = yield* play(world, answer, question)
      Assert.match(told.sections[0] ?? "", /takes ten percent off/)
    })
}

export const cases: ReadonlyArray<Case> = [nextAttempt, nextSession, off, tracked, foreign, worktrees]
