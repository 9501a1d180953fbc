/** What the user types behind `/reflection`, where no row of words.rows.txt can say it. */
import { FileSystem } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import { type ActiveCheck, CurrentConfig, defaults } from "@reflexion/core/ReflexionConfig"
import { Effect } from "effect"
import * as Commands from "../src/plugin/commands.ts"
import * as Tiers from "../src/plugin/tiers.ts"
import { folder, inWorld, world } from "./support/world.ts"

const typed = (words: string) => Commands.answer({ command: "reflection", sessionID: "s1", arguments: words })

const isOurs = (words: string | null, alone: boolean): boolean =>
  Commands.isOurs({ command: "reflection", sessionID: "s1", ...(words !== null && { arguments: words }) }, alone)

const marks = (mark: () => string) =>
  Effect.provideService(typed(" Wrong "), Commands.Commanding, {
    mark,
    verify: () => Effect.succeed(""),
    waits: true
  })

const inPlugin = inWorld(world)

describe("a command of the user's", () => {
  it("is ours where no other has its name, or by our own words", () => {
    assert.isTrue(isOurs(null, true))
    for (const words of ["wrong", "checks"]) assert.isTrue(isOurs(words, false), words)
    for (const words of [null, "set the table", "clear"]) assert.isFalse(isOurs(words, false), String(words))
  })

  inPlugin(
    "that calls a nudge wrong is answered on the screen, and its rule lowered at once",
    {},
    function* ({ heard, toasts }) {
      const limits: Commands.Limits = { "loops/planning": "off", "host/cut-off": "tell" }
      const lowered = ["loops/planning", "gates/not-run"] as const
      yield* marks(() => Commands.lowering({ text: "s1 in /shop", lowered }, limits))
      assert.deepStrictEqual(limits, { "loops/planning": "off", "host/cut-off": "tell", "gates/not-run": "tell" })
      yield* marks(() => {
        throw new Error("the disk is full")
      })
      assert.deepStrictEqual(toasts, [
        { message: "s1 in /shop", variant: "info" },
        { message: "reflexion could not mark the nudge: the disk is full", variant: "warning" }
      ])
      assert.deepStrictEqual(heard, [])
    }
  )

  inPlugin(
    "that asks for the checks runs them at the project's root, and shows how each ended",
    { stored: { s1: [] } },
    function* ({ root, toasts }) {
      yield* typed("checks run")
      assert.match(toasts.at(-1)?.message ?? "", /has no check .*reflexion allow checks/)
      const state = yield* folder()
      const checks: ReadonlyArray<ActiveCheck> = [{ name: "tests", command: "pwd > where; exit 3", timeout: 60 }]
      const verify = (all: ReadonlyArray<ActiveCheck>) =>
        Tiers.verify({ allowed: () => Effect.succeed(null), root, state }, { ...defaults, checks: all })
      yield* typed("checks run").pipe(
        Effect.provideService(Commands.Commanding, { verify, mark: () => "", waits: true }),
        Effect.provideService(CurrentConfig, { ...defaults, checks })
      )
      const fs = yield* FileSystem.FileSystem
      assert.strictEqual((yield* fs.readFileString(`${root}/where`)).trim(), root)
      const said = toasts.map(({ message }) => message).join("\n")
      assert.match(said, /reflexion runs `pwd > where; exit 3` …/)
      assert.match(said, /reflexion ran `pwd > where; exit 3`: failed, exit 3, \d+\.\d s/)
      assert.include(said, "The agent does not see these results.")
      const logged = yield* Effect.flatMap(DecisionRecord, ({ decisions }) => decisions)
      assert.match(logged.map(({ reason }) => reason).join(), /the user asked for the checks: reflexion ran/)
    },
    it.scopedLive
  )
})
