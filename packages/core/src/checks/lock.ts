/** Allows only one check at a time per workspace, across processes. The holder updates the time of a lock file. */
import * as FileSystem from "@effect/platform/FileSystem"
import type { PlatformError } from "@effect/platform/Error"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"

/** The holder's process may be killed at any time. A lock that is older than this is taken over. */
const stale = Duration.seconds(10)
const beat = Duration.seconds(2)
const poll = Duration.millis(200)

const isPresent = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "AlreadyExists"

/** Returns true if the lock was acquired within the time. It is released with the scope. */
export const acquire = Effect.fnUntraced(function* (lock: string, wait: Duration.DurationInput) {
  const fs = yield* FileSystem.FileSystem
  const mine = (yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)
  const ownerOf = (file: string) => Effect.orElseSucceed(fs.readFileString(file), () => null)
  const create = fs.writeFileString(lock, mine, { flag: "wx", mode: 0o600 }).pipe(
    Effect.as(true),
    Effect.catchIf(isPresent, () => Effect.succeed(false))
  )
  const isAbandoned = Effect.gen(function* () {
    const touched = Option.flatMap(yield* Effect.option(fs.stat(lock)), ({ mtime }) => mtime)
    const age =
      (yield* Clock.currentTimeMillis) - Option.getOrElse(touched, () => new Date(Number.MAX_SAFE_INTEGER)).getTime()
    return age > Duration.toMillis(stale)
  })
  /**
   * Moves an abandoned lock away. If several processes try, only one succeeds. If the moved lock turns out to be in
   * use, it is put back.
   */
  const clear = Effect.gen(function* () {
    const owner = yield* ownerOf(lock)
    if (owner === null || !(yield* isAbandoned)) return
    const aside = `${lock}.${mine}`
    yield* Effect.ignore(fs.rename(lock, aside))
    if ((yield* ownerOf(aside)) !== owner) yield* Effect.ignore(fs.link(aside, lock))
    yield* Effect.ignore(fs.remove(aside, { force: true }))
  })
  const release = Effect.flatMap(ownerOf(lock), (owner) =>
    owner === mine ? Effect.ignore(fs.remove(lock, { force: true })) : Effect.void
  )
  const got = yield* Effect.acquireRelease(Effect.zipRight(clear, create), (held) =>
    held ? release : Effect.void
  ).pipe(Effect.repeat({ until: (held) => held, schedule: Schedule.spaced(poll) }), Effect.timeoutOption(wait))
  const touch = Effect.flatMap(Clock.currentTimeMillis, (now) => fs.utimes(lock, new Date(now), new Date(now)))
  if (Option.isSome(got)) yield* Effect.forkScoped(Effect.repeat(Effect.ignore(touch), Schedule.spaced(beat)))
  return Option.isSome(got)
})
