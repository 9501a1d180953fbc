/** The questions that were put to models at stops, over all sessions of the user, as they are kept for 30 days. */
import * as AskLog from "@reflexion/core/internal/model/calls/AskLog"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { InstallError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { counted, grouped, lasting } from "../terminal/Layout.ts"

const using = <A, E, R>(use: (log: AskLog.Service) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CliProcess, ({ env }) =>
    Effect.provide(
      Effect.flatMap(AskLog.AskLog, use),
      AskLog.AskLog.Files({ directory: UserDirectories.modelsFolder(UserDirectories.make(env)) })
    )
  )

/** Oldest first. Fails where they cannot be read. */
export const lines = using(({ read }) => read)

/** Has a host's model asked in every session again in which it did not answer. */
export const again = (host: string) =>
  Effect.flatMap(DateTime.now, (now) =>
    using((log) => log.again({ at: DateTime.formatIso(now), host, session: null }))
  ).pipe(Effect.mapError(({ message }) => new InstallError({ problem: message })))

/** Those since midnight UTC; none where they cannot be read. */
export const today = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  return AskLog.today(yield* lines, now)
}).pipe(Effect.option)

/** What many questions came to, in a few words. */
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

/** How much of the day's questions is spent: those count that were asked while somebody was there. */
export const ofTheDay = (questions: ReadonlyArray<AskLog.AskLine>, callsPerDay: number): string =>
  `${questions.filter(({ attended }) => attended).length} of ${callsPerDay} a day with you there`
