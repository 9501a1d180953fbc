/**
 * Keeps the review state of each session across restarts, so that what was promised for a user's message is not
 * forgotten: how many pushes it had, what the user was told, whether the user said stop.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { safeName } from "../../base/system/FileNames.ts"
import { inFolder, isAbsent, isFolder, moveAside, refuseLink, writeWhole } from "../../base/system/PlainFiles.ts"
import * as ReviewState from "./ReviewState.ts"

/**
 * A state that could not be read, or saved: then nothing may be pushed.
 *
 * @category errors
 */
export class ReviewStatesError extends Schema.TaggedError<ReviewStatesError>("@reflexion/core/ReviewStatesError")(
  "ReviewStatesError",
  {
    reason: Schema.Literal("unreadable", "unwritable"),
    sessionId: Schema.String,
    cause: Schema.Defect
  }
) {
  override get message() {
    const detail = this.cause instanceof Error ? this.cause.message : String(this.cause)
    const verb = this.reason === "unreadable" ? "read" : "saved"
    return `the review state of session ${this.sessionId} cannot be ${verb}, so nothing is pushed: ${detail}`
  }
}

const Saved = Schema.parseJson(
  Schema.Struct({ version: Schema.Literal(1), sessionId: Schema.String, state: ReviewState.ReviewState }),
  { space: 2 }
)

const encode = Schema.encode(Saved)
const decode = Schema.decode(Saved)

/**
 * Lets a test make the store fail, and see what is in it.
 *
 * @category testing
 */
export class TestReviewStates extends Context.Tag("@reflexion/core/ReviewStates/TestReviewStates")<
  TestReviewStates,
  {
    /** From now on saving fails, or succeeds again. */
    readonly fail: (failing: boolean) => Effect.Effect<void>
    readonly saved: Effect.Effect<HashMap.HashMap<string, ReviewState.ReviewState>>
  }
>() {}

/** What cannot be understood is as good as absent; another session's state even more so. */
const understand = Effect.fnUntraced(function* (sessionId: string, file: string, text: string) {
  const read = yield* Effect.option(decode(text))
  if (Option.isSome(read) && read.value.sessionId === sessionId) return read.value.state
  yield* Effect.logWarning(`the review state in ${file} is damaged or another session's: it is begun anew`)
  return null
})

/** Whether a session is on is the user's word, not the state's: another process may have saved that and not heard it. */
const switched = (state: ReviewState.ReviewState | null, stopped: boolean): ReviewState.ReviewState | null => {
  if (stopped) return { ...(state ?? ReviewState.initial), enabled: false }
  return state === null ? null : { ...state, enabled: true }
}

const failed = (reason: "unreadable" | "unwritable", sessionId: string) => (cause: unknown) =>
  new ReviewStatesError({ reason, sessionId, cause })

const makeLive = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const fileOf = (sessionId: string): string => path.join(directory, `${safeName(sessionId)}.json`)
  const stopFileOf = (sessionId: string): string => path.join(directory, `${safeName(sessionId)}.stopped`)
  const read = (file: string) =>
    Effect.zipRight(refuseLink(file), fs.readFileString(file)).pipe(
      Effect.catchIf(isAbsent, () => Effect.succeed(null)),
      Effect.catchIf(isFolder, () => Effect.as(moveAside(file), null))
    )
  const write = (file: string, text: string) => inFolder(directory, writeWhole(file, text))
  const load = Effect.fn("ReviewStates.load")(function* (sessionId: string) {
    const file = fileOf(sessionId)
    const text: string | null = yield* Effect.mapError(read(file), failed("unreadable", sessionId))
    const state = text === null ? null : yield* understand(sessionId, file, text)
    const stopped = yield* Effect.mapError(fs.exists(stopFileOf(sessionId)), failed("unreadable", sessionId))
    return switched(state, stopped)
  })
  const save = Effect.fn("ReviewStates.save")(
    function* (sessionId: string, state: ReviewState.ReviewState) {
      const text = yield* encode({ version: 1, sessionId, state })
      yield* write(fileOf(sessionId), text)
    },
    (effect, sessionId) => Effect.mapError(effect, failed("unwritable", sessionId))
  )
  const isStopped = Effect.fn("ReviewStates.isStopped")((sessionId: string) =>
    Effect.orElseSucceed(fs.exists(stopFileOf(sessionId)), () => null)
  )
  // The user's word outlasts a state that is damaged, and what other processes save, so it is a file of its own.
  const stop = Effect.fn("ReviewStates.stop")((sessionId: string) =>
    Effect.mapError(write(stopFileOf(sessionId), ""), failed("unwritable", sessionId))
  )
  const restart = Effect.fn("ReviewStates.restart")((sessionId: string) =>
    Effect.mapError(fs.remove(stopFileOf(sessionId), { force: true }), failed("unwritable", sessionId))
  )
  return {
    load: (sessionId: string) => Effect.provide(load(sessionId), context),
    save: (sessionId: string, state: ReviewState.ReviewState) => Effect.provide(save(sessionId, state), context),
    isStopped,
    stop: (sessionId: string) => Effect.provide(stop(sessionId), context),
    restart
  }
})

const makeTest = Effect.gen(function* () {
  const states = yield* Ref.make(HashMap.empty<string, ReviewState.ReviewState>())
  const failing = yield* Ref.make(false)
  const off = yield* Ref.make(HashSet.empty<string>())
  const writes = Effect.fnUntraced(function* (sessionId: string) {
    if (!(yield* Ref.get(failing))) return
    yield* new ReviewStatesError({ reason: "unwritable", sessionId, cause: new Error("the test's disk is full") })
  })
  const isStopped = (sessionId: string) => Effect.map(Ref.get(off), HashSet.has(sessionId))
  const load = Effect.fn("ReviewStates.load")(function* (sessionId: string) {
    const all = yield* Ref.get(states)
    return switched(Option.getOrNull(HashMap.get(all, sessionId)), yield* isStopped(sessionId))
  })
  const save = Effect.fn("ReviewStates.save")((sessionId: string, state: ReviewState.ReviewState) =>
    Effect.zipRight(writes(sessionId), Ref.update(states, HashMap.set(sessionId, state)))
  )
  const stop = Effect.fn("ReviewStates.stop")((sessionId: string) =>
    Effect.zipRight(writes(sessionId), Ref.update(off, HashSet.add(sessionId)))
  )
  const restart = (sessionId: string) => Ref.update(off, HashSet.remove(sessionId))
  return Context.make(ReviewStates, { load, save, isStopped, stop, restart }).pipe(
    Context.add(TestReviewStates, { fail: (value) => Ref.set(failing, value), saved: Ref.get(states) })
  )
})

/**
 * The review states of a host's sessions.
 *
 * @category services
 */
export class ReviewStates extends Context.Tag("@reflexion/core/ReviewStates")<
  ReviewStates,
  {
    /**
     * The state as it was saved, null where none was, or where what was saved is damaged. Whether it is on is the user's
     * last word, which is kept apart and outlasts the damage.
     */
    readonly load: (sessionId: string) => Effect.Effect<ReviewState.ReviewState | null, ReviewStatesError>
    /** Replaces the saved state in one step; of the user's word to stop or to start it takes back nothing. */
    readonly save: (sessionId: string, state: ReviewState.ReviewState) => Effect.Effect<void, ReviewStatesError>
    /** Whether the user's last word, said to whichever process, was to stop; null where that cannot be read. */
    readonly isStopped: (sessionId: string) => Effect.Effect<boolean | null>
    /** Keeps the user's word to stop. */
    readonly stop: (sessionId: string) => Effect.Effect<void, ReviewStatesError>
    /** The user's word to start. */
    readonly restart: (sessionId: string) => Effect.Effect<void, ReviewStatesError>
  }
>() {
  /** One file per session in a folder of the user's own state directory, one folder per host. */
  static readonly Live = (options: {
    readonly directory: string
  }): Layer.Layer<ReviewStates, never, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(ReviewStates, makeLive(options.directory))

  /** States in memory that a test can look into and make fail through `TestReviewStates`. */
  static readonly Test: Layer.Layer<ReviewStates | TestReviewStates> = Layer.effectContext(makeTest)

  /** States that last as long as the process. */
  static readonly Memory: Layer.Layer<ReviewStates> = ReviewStates.Test
}
