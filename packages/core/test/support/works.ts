/** Tests that are written as generators: in a scope, by the test's clock or the real one, with or without a layer. */
import { it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { YieldWrap } from "effect/Utils"

export type Work<R = never, Given extends ReadonlyArray<unknown> = []> = (
  ...given: Given
) => Generator<YieldWrap<Effect.Effect<unknown, unknown, R | Scope.Scope>>, void>

export const works = (name: string, work: Work): void => it.scoped(name, () => Effect.gen(work))

/** `patience` is only for a test that needs more time than the others before it counts as hanging. In milliseconds. */
export const live = (name: string, work: Work, patience?: number): void =>
  it.scopedLive(name, () => Effect.gen(work), patience)

/** The same for tests that need the services of a layer. */
export const worksWith =
  <R, E>(layer: Layer.Layer<R, E>, by: typeof it.scopedLive = it.scoped) =>
  (name: string, work: Work<R>): void =>
    by(name, () =>
      Effect.flatMap(Layer.build(layer), (given) =>
        Effect.mapInputContext(Effect.gen(work), (scope: Context.Context<Scope.Scope>) => Context.merge(scope, given))
      )
    )
