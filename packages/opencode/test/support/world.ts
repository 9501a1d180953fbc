import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { it } from "@effect/vitest"
import { AgentHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { AskLog } from "@reflexion/core/AskLog"
import { DecisionLog } from "@reflexion/core/DecisionLog"
import { JudgeService } from "@reflexion/core/JudgeService"
import { CurrentConfig, defaults, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import { Context, Effect, Layer, type Scope } from "effect"
import type { Work } from "../../../core/test/support/works.ts"
import { Guidance } from "../../src/host/Guidance.ts"
import { EventInbox } from "../../src/host/OpenCodeHost.ts"
import { type Behaviour, fakeHost } from "./host.ts"

/** A folder of files that goes away with the test. */
export const folder = Effect.fnUntraced(function* (files: Readonly<Record<string, string>> = {}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "reflexion-opencode-" }))
  for (const [name, content] of Object.entries(files)) {
    yield* fs.makeDirectory(path.dirname(path.join(root, name)), { recursive: true })
    yield* fs.writeFileString(path.join(root, name), content)
  }
  return root
})

/** What the plugin works with, in memory and in an empty folder; `heard` is what its program was told. */
export const world = Effect.fnUntraced(function* (behaviour: Behaviour = {}, config: ReflexionConfig = defaults) {
  const host = fakeHost(behaviour)
  host.infos.set("child", { parentID: "s1" })
  const heard: Array<string> = []
  const inbox = Layer.succeed(EventInbox, {
    offer: () => undefined,
    tell: ({ event, sessionId }) =>
      void heard.push(event._tag === "Command" ? `${sessionId} ${event.command} by ${event.by}` : event._tag)
  })
  const root = yield* folder()
  const layer = Layer.mergeAll(
    ...([AgentHost.Test({ raceWindow: 0 }), JudgeService.Evidence, Artifacts.Test, ReviewStates.Test] as const),
    ...([DecisionLog.Memory, AskLog.Memory, Guidance.Live({ directory: yield* folder() }), inbox] as const)
  ).pipe(
    Layer.provideMerge(Layer.succeed(CurrentConfig, config)),
    Layer.provideMerge(host.layer),
    Layer.provideMerge(NodeContext.layer)
  )
  return { ...host, root, heard, layer }
})

type Given<M, R> = M & { readonly layer: Layer.Layer<R, unknown> }

/** A test in a world that is made for it. */
export const inWorld =
  <A, M, R>(make: (given: A) => Effect.Effect<Given<M, R>, unknown, NodeContext.NodeContext | Scope.Scope>) =>
  (title: string, given: A, work: Work<R, [made: Given<M, R>]>, by: typeof it.scopedLive = it.scoped): void =>
    by(title, () =>
      Effect.gen(function* () {
        const made = yield* make(given)
        const context = yield* Layer.build(made.layer)
        yield* Effect.mapInputContext(
          Effect.gen(() => work(made)),
          (scope: Context.Context<Scope.Scope>) => Context.merge(scope, context)
        )
      }).pipe(Effect.provide(NodeContext.layer))
    )
