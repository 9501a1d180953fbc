import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FS from "node:fs"
import { edit, eventually, say, shell } from "../src/contract/HostContract.ts"
import * as Played from "../src/situations/Played.ts"
import * as Situation from "../src/situations/Situation.ts"
import * as Situations from "../src/situations/Situations.ts"

const isNight = process.env["REFLEXION_TESTS"] === "night"

/** At night all situations, by day every eighth and those with a known fault. */
const cases = Situations.all
  .filter(({ fault }, at) => isNight || at % 8 === 0 || fault !== undefined)
  .map((situation) => {
    const { fault, name, runner } = situation
    const where = runner.isThere ? runner.name : `${runner.name}, which is not on this machine`
    return { situation, title: `${name} (${where})${fault === undefined ? "" : `: ${fault}`}` }
  })

const played = (situation: Situation.Situation) =>
  Effect.map(Effect.provide(Played.play(situation), NodeContext.layer), (problems) =>
    assert.isTrue(problems === "", problems)
  )

describe.concurrent("a stop with a check", () => {
  for (const { situation, title } of cases.filter((one) => one.situation.fault === undefined))
    it.live.runIf(situation.runner.isThere)(title, () => played(situation))

  for (const { situation, title } of cases.filter((one) => one.situation.fault !== undefined))
    it.live.fails(title, () => played(situation))
})

const template = Situations.all.find(({ name }) => name.startsWith("what was committed")) ?? assert.fail("no situation")

/** The check starts a server, says so, and never ends. The user has staged, stashed and unstaged changes. */
const endless: Situation.Situation = {
  ...template,
  dirty: { "notes.txt": "mine\n" },
  project: {
    ...template.project,
    "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node server.mjs & exec sleep 600" } }',
    "server.mjs": `import { writeFileSync } from "node:fs"
import { createServer } from "node:http"

createServer().listen(0, () => writeFileSync(process.env.RUNS + ".begun", ""))
`
  }
}

/** The next stop takes over a lock whose holder was killed. */
const lasting = (world: Situation.World, before: ReturnType<typeof Situation.filesOf>): ReadonlyArray<string> =>
  Situation.traces(world, before).filter((trace) => !trace.endsWith(".lock is left"))

describe.concurrent("a stop whose hook is ended in the middle of a check", () => {
  it.live.each(["SIGTERM", "SIGKILL"] as const)("leaves nothing behind, and says nothing (%s)", (signal) =>
    Effect.gen(function* () {
      let world = yield* Situation.make(endless)
      yield* Situation.perform(world, shell("git stash push --quiet --include-untracked && git stash apply --quiet"))
      yield* Situation.perform(world, shell("echo 1 > staged.txt && git add staged.txt"))
      for (const deed of [
        Situation.user("Reorder b."),
        edit("src/b.js", "one + other", "one * other * 2"),
        say("Done.")
      ])
        world = yield* Situation.perform(world, deed)
      const before = Situation.filesOf(world.sandbox.workspace)
      const { answer, process: hook } = yield* Played.stop(world)
      yield* eventually(
        "the check to begin",
        Effect.sync(() => (FS.existsSync(`${world.sandbox.env["RUNS"]}.begun`) ? true : null))
      )
      process.kill(hook.pid, signal)
      const said = yield* Effect.orElseSucceed(answer, () => ({ nudge: null, notice: "" }))
      assert.deepStrictEqual(said, { nudge: null, notice: "" })
      yield* eventually(
        "nothing to be left",
        Effect.sync(() => (lasting(world, before).length === 0 ? true : null))
      )
      assert.notInclude(Situation.log(world), '"decision":"nudge"')
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )
})
