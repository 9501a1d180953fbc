/** The outcome log, as far as the rest of the plugin has to know: beside the record of a review stands what came of it. */
import type * as FileSystem from "@effect/platform/FileSystem"
import { AgentHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import type { DecisionLog } from "@reflexion/core/DecisionLog"
import type { LogDiskError } from "@reflexion/core/LogDisk"
import type { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import * as TurnOutcome from "@reflexion/core/TurnOutcome"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { orLogged } from "./orLogged.ts"

/** `log`: the outcome log that lies at a path; `isWorkspace`: whether a folder is a project at all. */
export interface Options {
  readonly root: string
  readonly isOn: boolean
  readonly isWorkspace: (root: string) => boolean
  readonly log: (path: string) => Layer.Layer<OutcomeLog, LogDiskError>
}

export type Needs = AgentHost | CurrentConfig | DecisionLog | FileSystem.FileSystem

/**
 * The same records, and each attempt's outcome behind its own; neither where there is no project. The log is opened when
 * the first attempt has ended.
 */
export const layer = (options: Options): Layer.Layer<Artifacts, never, Artifacts | Needs> =>
  Layer.scoped(
    Artifacts,
    Effect.gen(function* () {
      const { write } = yield* Artifacts
      const host = yield* AgentHost
      const context = yield* Effect.context<Needs>()
      const scope = yield* Effect.scope
      const loaded = yield* Effect.cached(
        Effect.flatMap(
          Effect.promise(() => import("./outcomeKeeping.ts")),
          ({ make }) => Effect.provideService(make(options), Scope.Scope, scope)
        )
      )
      const keep = (review: Parameters<typeof write>[1]) =>
        Effect.gen(function* () {
          const { keep } = yield* loaded
          const transcript = yield* host.transcript(review.sessionId)
          const told = TurnOutcome.read(transcript.events, options.root)
          const stop = String(review.timestamp)
          const outcome = TurnOutcome.of(review, { backend: host.name, stop, told })
          if (outcome !== null) yield* keep(outcome)
        }).pipe(orLogged(review.sessionId, { event: "outcome", what: "the outcome log is left alone" }, undefined))
      const isDue = (root: string, review: Parameters<typeof write>[1]): boolean =>
        options.isOn && root === options.root && TurnOutcome.statusOf(review) !== null
      return {
        write: (root, review) =>
          options.isWorkspace(root)
            ? Effect.zipRight(
                write(root, review),
                isDue(root, review) ? Effect.provide(keep(review), context) : Effect.void
              )
            : Effect.void
      }
    })
  )
