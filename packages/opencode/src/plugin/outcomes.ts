/** Logs the outcome of each recorded review. If many outcomes show a pattern, the user gets a line about it. */
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

interface Place {
  readonly root: string
  /** In ms since the epoch. */
  readonly now: number
}

/** `keep` and `look` may die. */
export interface Options {
  readonly root: string
  readonly isOn: boolean
  readonly isWorkspace: (root: string) => boolean
  readonly keep: (
    given: Place & { readonly outcome: AttemptOutcome; readonly retentionDays: number }
  ) => Effect.Effect<void>
  /** Empty if the rules found nothing new. */
  readonly look: (asked: Place & { readonly settings: ReflexionConfig["cycle"] }) => Effect.Effect<string>
}

type Review = Parameters<Context.Tag.Service<Artifacts>["write"]>[1]

/** A toast shows one line. */
const together = (text: string, line: string): string =>
  text === "" || line === "" ? `${text}${line}` : `${text} ${line.replace(/^reflexion: /, "")}`

/** Saves the outcome. After a failure, returns what the rules found, or an empty text. */
const follow = Effect.fnUntraced(function* ({ keep, look, root }: Options, review: Review) {
  const { cycle: settings, memory } = yield* CurrentConfig
  const host = yield* AgentHost
  const now = yield* Clock.currentTimeMillis
  const told = TurnOutcome.read((yield* host.transcript(review.sessionId)).events)
  const outcome = TurnOutcome.of(review, { backend: host.name, stop: String(review.timestamp), told })
  if (outcome === null) return ""
  yield* keep({ root, outcome, retentionDays: memory.retentionDays, now })
  return isFailure(outcome) ? yield* look({ root, settings, now }) : ""
})

/** Writes nothing outside a project. A toast shows one line, so findings join the session's next message. */
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
      const write: typeof artifacts.write = (root, review) => {
        if (!options.isWorkspace(root)) return Effect.void
        const isDue = options.isOn && root === options.root && TurnOutcome.statusOf(review) !== null
        const writing = artifacts.write(root, review)
        if (!isDue) return writing
        const what = "nothing was added to the outcome log"
        const following = orLogged(review.sessionId, { event: "outcome", what }, "")(follow(options, review))
        const found = Effect.map(following, (line) => void due.set(review.sessionId, line))
        return Effect.zipRight(writing, Effect.provide(found, context))
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
