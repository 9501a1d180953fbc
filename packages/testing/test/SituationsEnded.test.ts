/** Stops whose hook does not live to answer: killed at any moment, interrupted by the user, or without room on the disk. */
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as FS from "node:fs"
import { edit, eventually, say, shell } from "../src/contract/HostContract.ts"
import * as Doors from "../src/situations/Doors.ts"
import * as Ecosystems from "../src/situations/Ecosystems.ts"
import * as Played from "../src/situations/Played.ts"
import * as Situation from "../src/situations/Situation.ts"

const isNight = process.env["REFLEXION_TESTS"] === "night"

/** A red check, which is run three times; the user has something staged, something stashed and something only changed. */
const red: Situation.Situation = {
  ...Ecosystems.node,
  name: "a red check",
  dirty: { "notes.txt": "mine\n" },
  stops: []
}

const begin = Effect.fnUntraced(function* (situation: Situation.Situation) {
  let world = yield* Situation.make(situation)
  yield* Situation.perform(world, shell("git stash push --quiet --include-untracked && git stash apply --quiet"))
  yield* Situation.perform(world, shell("echo 1 > staged.txt && git add staged.txt"))
  for (const deed of [Situation.user("Reorder b."), edit("src/b.js", "one + other", "one * other * 2"), say("Done.")])
    world = yield* Situation.perform(world, deed)
  return { world, before: Situation.filesOf(world.sandbox.workspace) }
})

type Begun = Effect.Effect.Success<ReturnType<typeof begin>>

/** What is kept for the next stop is another machine's. */
const forget = ({ sandbox: { home } }: Situation.World): void =>
  FS.rmSync(`${home}/.local`, { recursive: true, force: true })

const answered = ({ world }: Begun, door: Doors.Door) =>
  Effect.scoped(Effect.flatMap(door.stop(world), ({ said }) => said))

/** Kills the stop's process alone, and waits until nothing of it is left. */
const killed = ({ before, world }: Begun, door: Doors.Door, delay: number) =>
  Effect.gen(function* () {
    const { process: hook, said } = yield* door.stop(world)
    yield* Effect.sync(() => process.kill(hook.pid, "SIGKILL")).pipe(Effect.ignore, Effect.delay(delay), Effect.fork)
    yield* Effect.exit(said)
    yield* Played.untraced(world, before)
  }).pipe(Effect.scoped)

const kills = isNight ? 200 : 3

describe.concurrent("a stop whose process is killed", () => {
  for (const door of Doors.doors)
    it.live(
      `leaves nothing behind, at whatever moment: ${Math.ceil(kills / Doors.doors.length)} kills (${door.name})`,
      () =>
        Effect.gen(function* () {
          const begun = yield* begin(red)
          const [time, { nudge }] = yield* Effect.timed(answered(begun, door))
          assert.include(nudge, "b adds")
          for (let at = 0; at < kills / Doors.doors.length; at++) {
            forget(begun.world)
            yield* killed(begun, door, Math.random() * Duration.toMillis(time))
          }
        }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
    )
})

/** Begins a server, says so, and goes on for ever. */
const endless: Situation.Situation = {
  ...red,
  name: "an endless check",
  project: {
    ...red.project,
    "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node server.mjs & exec sleep 600" } }',
    "server.mjs": `import { writeFileSync } from "node:fs"
import { createServer } from "node:http"

createServer().listen(0, () => writeFileSync(process.env.RUNS + ".begun", ""))
`
  }
}

const begins = ({ sandbox: { env } }: Situation.World) =>
  eventually(
    "the check to begin",
    Effect.sync(() => (FS.existsSync(`${env["RUNS"]}.begun`) ? true : null))
  )

describe.concurrent("a stop that the user interrupts", () => {
  for (const door of Doors.doors)
    it.live(`ends its check with all that this began, and says nothing (${door.name})`, () =>
      Effect.gen(function* () {
        const { before, world } = yield* begin(endless)
        const { interrupt, said } = yield* door.stop(world)
        yield* begins(world)
        yield* interrupt
        // A hook that its host has ended has no answer at all.
        const { notice, nudge } = yield* Effect.orElseSucceed(said, () => ({ nudge: null, notice: "" }))
        assert.deepStrictEqual(
          { nudge, notice: notice.replace(/^reflexion runs .* …$/, "") },
          { nudge: null, notice: "" }
        )
        yield* Played.untraced(world, before)
        assert.notInclude(Situation.log(world), '"decision":"nudge"')
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
    )
})
