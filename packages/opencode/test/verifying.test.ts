import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { DecisionRecord } from "@reflexion/core/DecisionLog"
import { type ActiveCheck, CurrentConfig, defaults, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { type Context, Effect, Layer } from "effect"
import * as Commands from "../src/plugin/commands.ts"
import { SessionWords } from "../src/host/SessionWords.ts"
import * as Tiers from "../src/plugin/tiers.ts"
import { obeyingPlugin } from "./support/obeyingPlugin.ts"

const typed = (words: string) => Commands.answer({ command: "reflection", sessionID: "s1", arguments: words })

const check = (command: string) => ({ name: "tests", command, timeout: 60 })

const configured = (...commands: ReadonlyArray<string>): ReflexionConfig => ({
  ...defaults,
  checks: commands.map(check)
})

type Means = Omit<Context.Tag.Service<Commands.Commanding>, "mark">

const within = (means: Means, config: ReflexionConfig) => {
  const commanding = { mark: () => "", ...means }
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(Commands.Commanding, commanding),
      Effect.provideService(CurrentConfig, config),
      Effect.provide(NodeContext.layer)
    )
}

describe("/reflection checks", () => {
  it.scopedLive("runs the checks at the project's root, and shows how each ended and how long it took", () => {
    const { layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const root = yield* fs.makeTempDirectoryScoped()
      const state = yield* fs.makeTempDirectoryScoped()
      const service = {
        verify: (checks: ReadonlyArray<ActiveCheck>) =>
          Tiers.verify({ allowed: () => Effect.succeed(null), root, state }, { ...defaults, checks }),
        waits: true
      }
      yield* typed("checks run").pipe(within(service, configured("pwd > where; exit 3")))
      assert.strictEqual((yield* fs.readFileString(`${root}/where`)).trim(), yield* fs.realPath(root))
      const said = toasts.map(({ message }) => message).join("\n")
      assert.match(said, /reflexion runs `pwd > where; exit 3` …/)
      assert.match(said, /reflexion ran `pwd > where; exit 3`: failed, exit 3, \d+\.\d s/)
      assert.include(said, "The agent was told nothing.")
      const logged = yield* Effect.flatMap(DecisionRecord, ({ decisions }) => decisions)
      assert.match(logged.map(({ reason }) => reason).join(), /the user asked for the checks: reflexion ran/)
    }).pipe(Effect.provide(Layer.provideMerge(layer, NodeContext.layer)))
  })

  it.effect("says where there is nothing to run", () => {
    const { layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      yield* typed("checks run").pipe(Effect.provideService(CurrentConfig, defaults))
      assert.match(toasts.at(-1)?.message ?? "", /has no check .*reflexion allow checks/)
    }).pipe(Effect.provide(layer))
  })

  it.scopedLive("shows them, and turns them off and on in the session", () => {
    const { layer, toasts } = obeyingPlugin()
    return Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const words = SessionWords.Live({ directory: yield* fs.makeTempDirectoryScoped(), otherwise: null })
      const said = Effect.fnUntraced(function* (given: string) {
        const checks = [{ ...check("exit 3"), when: "ask" } as const]
        yield* typed(given).pipe(Effect.provideService(CurrentConfig, { ...defaults, checks }))
        return [toasts.at(-1)?.message ?? "", yield* (yield* SessionWords).unchecked("s1")] as const
      }, Effect.provide(words))
      const [shown, before] = yield* said("checks")
      assert.match(
        shown,
        /^reflexion runs these .*\n {2}tests: `exit 3`, by your configuration, only when you ask for it\n/
      )
      assert.isFalse(before)
      const [off, after] = yield* said("checks off")
      assert.match(off, /^You turned these checks off in this session/)
      assert.isTrue(after)
      assert.match((yield* said("checks now"))[0], /^`\/reflection checks` knows run, on and off/)
      assert.isFalse((yield* said("checks on"))[1])
    }).pipe(Effect.provide(Layer.provideMerge(layer, NodeContext.layer)))
  })

  it("is ours under another's command of that name", () => {
    assert.isTrue(Commands.isOurs({ command: "reflection", sessionID: "s1", arguments: "checks" }, false))
  })
})
