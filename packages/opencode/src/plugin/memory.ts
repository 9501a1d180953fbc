/** What reviews teach, as far as the rest of the plugin has to know: nothing, unless the memory is on. */
import { AgentHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import type { Reflection } from "@reflexion/core/Reflection"
import * as ReviewLesson from "@reflexion/core/internal/memory/outcomes/ReviewLesson"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type * as Remembering from "./remembering.ts"
import type { Decided, Prepared } from "./remembering.ts"

interface Service {
  /** Null where nothing is learned; never fails, and keeps nothing before it is told to. */
  readonly prepare: (decided: Decided) => Effect.Effect<Prepared | null>
  /** What a session that begins is told, empty for nothing. */
  readonly atStart: (sessionId: string) => Effect.Effect<string>
}

export class Memory extends Context.Reference<Memory>()("@reflexion/opencode/Memory", {
  defaultValue: (): Service => ({ prepare: () => Effect.succeed(null), atStart: () => Effect.succeed("") })
}) {}

/** The same program, in which whatever is decided is learned from, and what was learned goes out with the feedback. */
export const around = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | AgentHost | Artifacts> =>
  Effect.gen(function* () {
    const [artifacts, host, memory] = yield* Effect.all([Artifacts, AgentHost, Memory])
    const due = new Map<string, ReadonlyArray<Reflection>>()
    const write: typeof artifacts.write = (root, review) =>
      Effect.gen(function* () {
        yield* artifacts.write(root, review)
        due.delete(review.sessionId)
        const prepared = yield* memory.prepare({ root, review, transcript: host.transcript(review.sessionId) })
        if (prepared === null) return
        due.set(review.sessionId, prepared.lessons)
        yield* prepared.save
      })
    const inject: typeof host.inject = (sessionId, injection) =>
      Effect.suspend(() => {
        const text = ReviewLesson.withLessons(injection.text, due.get(sessionId) ?? [])
        due.delete(sessionId)
        return host.inject(sessionId, { ...injection, text })
      })
    return yield* program.pipe(
      Effect.provideService(AgentHost, { ...host, inject }),
      Effect.provideService(Artifacts, { write })
    )
  })

interface Options extends Remembering.Options {
  readonly isOn: boolean
}

/** A completion ends what is open, and where there is no memory nothing is. */
const isIdle = (
  meaning: ReturnType<typeof ReviewLesson.meaningOf>,
  { exists, root }: Pick<Remembering.Options, "exists" | "root">
): boolean => meaning === null || (meaning === "success" && !exists(root))

/** What is never used is never loaded: the memory is opened at the first failure, or at the first start after one. */
export const layer = ({ isOn, ...options }: Options): Layer.Layer<never, never, Remembering.Needs> =>
  isOn
    ? Layer.scoped(
        Memory,
        Effect.gen(function* () {
          const context = yield* Effect.context<Remembering.Needs>()
          const scope = yield* Effect.scope
          const loaded = yield* Effect.cached(
            Effect.flatMap(
              Effect.promise(() => import("./remembering.ts")),
              ({ make }) => make(options).pipe(Effect.provide(context), Effect.provideService(Scope.Scope, scope))
            )
          )
          const service: Service = {
            prepare: (decided) =>
              isIdle(ReviewLesson.meaningOf(decided.review), options)
                ? Effect.succeed(null)
                : Effect.flatMap(loaded, ({ prepare }) => prepare(decided)),
            atStart: (sessionId) =>
              options.exists(options.root)
                ? Effect.flatMap(loaded, ({ atStart }) => atStart(sessionId))
                : Effect.succeed("")
          }
          return service
        })
      )
    : Layer.empty
