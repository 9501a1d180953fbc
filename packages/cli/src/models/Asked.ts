/** The questions to models at stops, across all sessions of the user. They are kept for 30 days. */
import * as AskLog from "@reflexion/core/internal/model/calls/AskLog"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { CliFailure } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { counted, grouped, lasting } from "../terminal/Layout.ts"

const using = <A, E, R>(use: (log: AskLog.Service) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CliProcess, ({ env }) =>
    Effect.provide(
      Effect.flatMap(AskLog.AskLog, use),
      AskLog.AskLog.Files({ directory: UserDirectories.modelsFolder(UserDirectories.make(env)) })
    )
  )

export const lines = using(({ read }) => read)

/** Starts questions again in sessions that stopped asking because the model did not answer. */
export const again = (host: string) =>
  Effect.flatMap(DateTime.now, (now) =>
    using((log) => log.again({ at: DateTime.formatIso(now), host, session: null }))
  ).pipe(Effect.mapError(({ message }) => new CliFailure({ problem: message })))

/** The questions since midnight UTC. None if they cannot be read. */
export const today = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  return AskLog.today(yield* lines, now)
}).pipe(Effect.option)

export const summed = (questions: ReadonlyArray<AskLog.AskLine>): string => {
  const { answered, calls, inputTokens, medianMs, outputTokens } = AskLog.summary(questions)
  if (calls === 0) return "no question"
  return [
    counted(calls, "question"),
    `${answered} answered`,
    ...(medianMs === null ? [] : [`median wait ${lasting(medianMs)}`]),
    `${grouped(inputTokens + outputTokens)} tokens`
  ].join(", ")
}

/** Counts only questions that were asked while the user was present. */
export const ofTheDay = (questions: ReadonlyArray<AskLog.AskLine>, callsPerDay: number): string =>
  `${questions.filter(({ attended }) => attended).length} of ${callsPerDay} a day while you are there`
