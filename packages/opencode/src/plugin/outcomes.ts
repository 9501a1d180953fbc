/** The outcome log: next to the record of a review stands what came of it, and what many of them show is a line for the user. */
import { AgentHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { type AttemptOutcome, isFailure } from "@reflexion/core/AttemptOutcome"
import type { DecisionLog } from "@reflexion/core/DecisionLog"
import * as TurnOutcome from "@reflexion/core/internal/memory/outcomes/TurnOutcome"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { orLogged } from "./decided.ts"

/** A project, and the time, in ms since the epoch. */
interface Place {
  readonly root: string
  readonly now: number
}

/**
 * `isWorkspace`: whether a folder is a project at all. `keep`: adds an outcome to its log. `look`: has the rules look at
 * that, and says what they found, empty where it is nothing new. Both may die of what the file system throws.
 */
export interface Options {
  readonly root: string
  readonly isOn: boolean
  readonly isWorkspace: (root: string) => boolean
  readonly keep: (
    given: Place & { readonly outcome: AttemptOutcome; readonly retentionDays: number }
  ) => Effect.Effect<void>
  readonly look: (asked: Place & { readonly settings: ReflexionConfig["cycle"] }) => Effect.Effect<string>
}

type Review = Parameters<Context.Tag.Service<Artifacts>["write"]>[1]

/** In one line, as a toast is read. */
const together = (text: string, line: string): string =>
  text === "" || line === "" ? `${text}${line}` : `${text} ${line.replace(/^reflexion: /, "")}`

/** Keeps the outcome of the attempt that a review ends, and gives what the user is to be told of it, empty for nothing; never fails. */
const lineOf = Effect.fnUntraced(function* ({ keep, look, root }: Options, review: Review) {
  const { cycle: settings, memory } = yield* CurrentConfig
  const host = yield* AgentHost
  const now = yield* Clock.currentTimeMillis
  const logged = (what: string) => orLogged(review.sessionId, { event: "outcome", what }, null)
  const keeping = Effect.gen(function* () {
    const told = TurnOutcome.read((yield* host.transcript(review.sessionId)).events)
    const outcome = TurnOutcome.of(review, { backend: host.name, stop: String(review.timestamp), told })
    if (outcome !== null) yield* keep({ root, outcome, retentionDays: memory.retentionDays, now })
    return outcome
  })
  const outcome = yield* logged("the outcome log is left alone")(keeping)
  if (outcome === null || !isFailure(outcome)) return ""
  return (yield* logged("the rules look at no outcome")(look({ root, settings, now }))) ?? ""
})

/**
 * The same records, and each attempt's outcome behind its own; neither where there is no project. Where an attempt has
 * failed the rules look, and the host's next word to the user on the session ends with what they found.
 */
export const layer = (
  options: Options
): Layer.Layer<AgentHost | Artifacts, never, AgentHost | Artifacts | CurrentConfig | DecisionLog> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const artifacts = yield* Artifacts
      const host = yield* AgentHost
      const context = yield* Effect.context<AgentHost | CurrentConfig | DecisionLog>()
      const due = new Map<string, string>()
      const withLine = (sessionId: string, text: string): string => {
        const line = due.get(sessionId) ?? ""
        due.delete(sessionId)
        return together(text, line)
      }
      const follow = Effect.fnUntraced(function* (review: Review) {
        due.delete(review.sessionId)
        const line = yield* lineOf(options, review)
        if (line !== "") due.set(review.sessionId, line)
      }, Effect.provide(context))
      const write: typeof artifacts.write = (root, review) => {
        if (!options.isWorkspace(root)) return Effect.void
        const isDue = options.isOn && root === options.root && TurnOutcome.statusOf(review) !== null
        const writing = artifacts.write(root, review)
        return isDue ? Effect.zipRight(writing, follow(review)) : writing
      }
      const saying: typeof host = {
        ...host,
        inject: (sessionId, injection) =>
          Effect.suspend(() => host.inject(sessionId, { ...injection, notice: withLine(sessionId, injection.notice) })),
        notify: (sessionId, notice) =>
          Effect.suspend(() => host.notify(sessionId, { ...notice, text: withLine(sessionId, notice.text) }))
      }
      return Context.make(Artifacts, { write }).pipe(Context.add(AgentHost, saying))
    })
  )
