/** One at a time per workspace, across processes: a lock file that its holder keeps young. */
import * as FileSystem from "@effect/platform/FileSystem"
import type { PlatformError } from "@effect/platform/Error"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"

/** The holder's process may be killed at any time; its lock is then taken over when it is this old. */
const stale = Duration.seconds(10)
const beat = Duration.seconds(2)
const poll = Duration.millis(200)

const isPresent = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "AlreadyExists"

const create = Effect.fnUntraced(function* (lock: string, owner: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.writeFileString(lock, owner, { flag: "wx", mode: 0o600 }).pipe(
    Effect.as(true),
    Effect.catchIf(isPresent, () => Effect.succeed(false))
  )
})

const ownerOf = Effect.fnUntraced(function* (lock: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.orElseSucceed(fs.readFileString(lock), () => null)
})

const isAbandoned = Effect.fnUntraced(function* (lock: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.option(fs.stat(lock))
  const touched = Option.flatMap(info, ({ mtime }) => mtime)
  if (Option.isNone(touched)) return false
  return (yield* Clock.currentTimeMillis) - touched.value.getTime() > Duration.toMillis(stale)
})

/** Of several who move an abandoned lock out of the way one succeeds; one that was a living one's after all goes back. */
const clear = Effect.fnUntraced(function* (lock: string, mine: string) {
  const fs = yield* FileSystem.FileSystem
  const owner = yield* ownerOf(lock)
  if (owner === null || !(yield* isAbandoned(lock))) return
  const aside = `${lock}.${mine}`
  yield* Effect.ignore(fs.rename(lock, aside))
  if ((yield* ownerOf(aside)) !== owner) yield* Effect.ignore(fs.link(aside, lock))
  yield* Effect.ignore(fs.remove(aside, { force: true }))
})

const keepYoung = Effect.fnUntraced(function* (lock: string) {
  const fs = yield* FileSystem.FileSystem
  const touch = Effect.flatMap(Clock.currentTimeMillis, (now) => fs.utimes(lock, new Date(now), new Date(now)))
  yield* Effect.repeat(Effect.ignore(touch), Schedule.spaced(beat))
})

const release = Effect.fnUntraced(function* (lock: string, owner: string) {
  const fs = yield* FileSystem.FileSystem
  if ((yield* ownerOf(lock)) === owner) yield* Effect.ignore(fs.remove(lock, { force: true }))
})

/** Says whether the lock was got within the time; it is given back with the scope. */
export const acquire = Effect.fnUntraced(function* (lock: string, wait: Duration.DurationInput) {
  const owner = (yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)
  const attempt = Effect.acquireRelease(Effect.zipRight(clear(lock, owner), create(lock, owner)), (got) =>
    got ? release(lock, owner) : Effect.void
  )
  const got = yield* attempt.pipe(
    Effect.repeat({ until: (done) => done, schedule: Schedule.spaced(poll) }),
    Effect.timeoutOption(wait)
  )
  if (Option.isSome(got)) yield* Effect.forkScoped(keepYoung(lock))
  return Option.isSome(got)
})
