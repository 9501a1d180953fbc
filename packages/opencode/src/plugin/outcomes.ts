/**
 * The outcome log, as far as the rest of the plugin has to know: beside the record of a review stands what came of it, and
 * what many of them show is a line for the user.
 */
import { AgentHost } from "@reflexion/core/AgentHost"
import { Artifacts } from "@reflexion/core/Artifacts"
import { type AttemptOutcome, isFailure } from "@reflexion/core/AttemptOutcome"
import type { DecisionLog } from "@reflexion/core/DecisionLog"
import { CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as TurnOutcome from "@reflexion/core/internal/memory/outcomes/TurnOutcome"
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

export type Needs = AgentHost | CurrentConfig | DecisionLog

type Host = Context.Tag.Service<AgentHost>

type Review = Parameters<Context.Tag.Service<Artifacts>["write"]>[1]

/** In one line, as a toast is read. */
const together = (text: string, line: string): string =>
  text === "" || line === "" ? `${text}${line}` : `${text} ${line.replace(/^reflexion: /, "")}`

/** The host, whose next word to the user on a session ends with the line that is due. */
const saying = (host: Host, due: Map<string, string>): Host => {
  const withLine = (sessionId: string, text: string): string => {
    const line = due.get(sessionId) ?? ""
    due.delete(sessionId)
    return together(text, line)
  }
  return {
    ...host,
    inject: (sessionId, injection) =>
      Effect.suspend(() => host.inject(sessionId, { ...injection, notice: withLine(sessionId, injection.notice) })),
    notify: (sessionId, notice) =>
      Effect.suspend(() => host.notify(sessionId, { ...notice, text: withLine(sessionId, notice.text) }))
  }
}

/** Adds the outcome of the attempt that a review ends, and says whether there was one that failed. */
const kept = Effect.fnUntraced(function* (options: Options, review: Review) {
  const { root } = options
  const host = yield* AgentHost
  const { retentionDays } = (yield* CurrentConfig).memory
  const transcript = yield* host.transcript(review.sessionId)
  const told = TurnOutcome.read(transcript.events, root)
  const outcome = TurnOutcome.of(review, { backend: host.name, stop: String(review.timestamp), told })
  if (outcome === null) return false
  yield* options.keep({ root, outcome, retentionDays, now: yield* Clock.currentTimeMillis })
  return isFailure(outcome)
})

const looked = Effect.fnUntraced(function* ({ look, root }: Options) {
  const { cycle: settings } = yield* CurrentConfig
  return yield* look({ root, settings, now: yield* Clock.currentTimeMillis })
})

/** What the user is to be told of the attempt that a review ends, empty for nothing; never fails. */
const lineOf = Effect.fnUntraced(function* (options: Options, review: Review) {
  const orSaid = <B>(what: string, otherwise: B) => orLogged(review.sessionId, { event: "outcome", what }, otherwise)
  const hasFailed = yield* orSaid("the outcome log is left alone", false)(kept(options, review))
  return hasFailed ? yield* orSaid("the rules look at no outcome", "")(looked(options)) : ""
})

/**
 * The same records, and each attempt's outcome behind its own; neither where there is no project. Where an attempt has
 * failed the rules look, and the host tells the user what they found along with what it tells of the stop.
 */
export const layer = (options: Options): Layer.Layer<AgentHost | Artifacts, never, Artifacts | Needs> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const artifacts = yield* Artifacts
      const context = yield* Effect.context<Needs>()
      const due = new Map<string, string>()
      const follow = (review: Review) =>
        Effect.gen(function* () {
          due.delete(review.sessionId)
          const line = yield* lineOf(options, review)
          if (line !== "") due.set(review.sessionId, line)
        })
      const write: typeof artifacts.write = (root, review) => {
        if (!options.isWorkspace(root)) return Effect.void
        const isDue = options.isOn && root === options.root && TurnOutcome.statusOf(review) !== null
        const writing = artifacts.write(root, review)
        return isDue ? Effect.zipRight(writing, Effect.provide(follow(review), context)) : writing
      }
      return Context.make(Artifacts, { write }).pipe(
        Context.add(AgentHost, saying(Context.get(context, AgentHost), due))
      )
    })
  )
