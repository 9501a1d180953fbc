/** Keeps the review state of each session across restarts: sent nudges, told notices, and whether reflexion is off. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as FS from "node:fs"
import * as Path from "node:path"
import { doing } from "../../base/system/Doing.ts"
import { safeName } from "../../base/system/FileNames.ts"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import * as ReviewState from "./ReviewState.ts"

/**
 * A state could not be read or saved. The agent then gets no nudge.
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
    return `the review state of session ${this.sessionId} cannot be ${verb}, so no nudge is sent: ${detail}`
  }
}

const Saved = Schema.parseJson(
  Schema.Struct({ version: Schema.Literal(1), sessionId: Schema.String, state: ReviewState.ReviewState }),
  { space: 2 }
)

const encode = Schema.encode(Saved)
const decode = Schema.decode(Saved)

/**
 * Lets a test make the store fail and inspect its content.
 *
 * @category testing
 */
export class TestReviewStates extends Context.Tag("@reflexion/core/ReviewStates/TestReviewStates")<
  TestReviewStates,
  {
    readonly fail: (failing: boolean) => Effect.Effect<void>
    readonly saved: Effect.Effect<HashMap.HashMap<string, ReviewState.ReviewState>>
  }
>() {}

type State = ReviewState.ReviewState

/** Applies the user's last command, because another process may have saved the state without it. */
const switched = (state: State | null, isStopped: boolean): State | null => {
  if (isStopped) return { ...(state ?? ReviewState.initial), enabled: false }
  return state === null ? null : { ...state, enabled: true }
}

const failing =
  (reason: ReviewStatesError["reason"], sessionId: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, ReviewStatesError, R> =>
    Effect.mapError(work, (cause) => new ReviewStatesError({ reason, sessionId, cause }))

const isThere = (file: string): boolean => FS.statSync(file, { throwIfNoEntry: false }) !== undefined

/** The stop command has its own file, so that it survives a damaged state. */
const onDisk = (directory: string): Context.Tag.Service<ReviewStates> => {
  const at = (sessionId: string, ending: "json" | "stopped") => Path.join(directory, `${safeName(sessionId)}.${ending}`)
  // A file that cannot be decoded, or that belongs to another session, counts as missing.
  const read = Effect.fnUntraced(function* (sessionId: string) {
    const file = at(sessionId, "json")
    const text = yield* doing(() => (PlainFiles.moveFolder(file) ? null : PlainFiles.read(file)))
    if (text === null) return null
    const saved = yield* Effect.option(decode(text))
    if (Option.isSome(saved) && saved.value.sessionId === sessionId) return saved.value.state
    yield* Effect.logWarning(
      `the review state in ${file} is damaged or belongs to another session: a new one is started`
    )
    return null
  })
  const stopped = (sessionId: string) => doing(() => isThere(at(sessionId, "stopped")))
  return {
    load: (id) => failing("unreadable", id)(Effect.zipWith(read(id), stopped(id), switched)),
    save: (id, state) =>
      encode({ version: 1, sessionId: id, state }).pipe(
        Effect.flatMap((text) => doing(() => PlainFiles.write(at(id, "json"), text))),
        failing("unwritable", id)
      ),
    isStopped: (id) => Effect.orElseSucceed(stopped(id), () => null),
    setStopped: (id, isStopped) => {
      const file = at(id, "stopped")
      const change = () => (isStopped ? PlainFiles.write(file, "") : FS.rmSync(file, { force: true }))
      return failing("unwritable", id)(doing(change))
    }
  }
}

const inMemory = Effect.sync(() => {
  const states = new Map<string, State>()
  const stopped = new Set<string>()
  let isFailing = false
  const writing = (id: string, work: () => unknown) =>
    Effect.suspend(() =>
      isFailing ? Effect.fail(new Error("the disk is full")) : Effect.asVoid(Effect.sync(work))
    ).pipe(failing("unwritable", id))
  const service: Context.Tag.Service<ReviewStates> = {
    load: (id) => Effect.sync(() => switched(states.get(id) ?? null, stopped.has(id))),
    save: (id, state) => writing(id, () => states.set(id, state)),
    isStopped: (id) => Effect.sync(() => stopped.has(id)),
    setStopped: (id, isStopped) => writing(id, () => (isStopped ? stopped.add(id) : stopped.delete(id)))
  }
  return Context.make(ReviewStates, service).pipe(
    Context.add(TestReviewStates, {
      fail: (failing) => Effect.sync(() => void (isFailing = failing)),
      saved: Effect.sync(() => HashMap.fromIterable(states))
    })
  )
})

/**
 * Stores the review states of a host's sessions.
 *
 * @category services
 */
export class ReviewStates extends Context.Tag("@reflexion/core/ReviewStates")<
  ReviewStates,
  {
    /** Null if nothing is saved or the state is damaged. `enabled` always comes from the user's last command. */
    readonly load: (sessionId: string) => Effect.Effect<ReviewState.ReviewState | null, ReviewStatesError>
    /** In one step. Does not change the user's stop command. */
    readonly save: (sessionId: string, state: ReviewState.ReviewState) => Effect.Effect<void, ReviewStatesError>
    /** True if the user's last command, given to any process, was to stop. Null if it cannot be read. */
    readonly isStopped: (sessionId: string) => Effect.Effect<boolean | null>
    readonly setStopped: (sessionId: string, isStopped: boolean) => Effect.Effect<void, ReviewStatesError>
  }
>() {
  /** One file per session. Each host has its own folder. */
  static readonly Live = ({ directory }: { readonly directory: string }): Layer.Layer<ReviewStates> =>
    Layer.sync(ReviewStates, () => onDisk(directory))

  static readonly Test: Layer.Layer<ReviewStates | TestReviewStates> = Layer.effectContext(inMemory)

  static readonly Memory: Layer.Layer<ReviewStates> = ReviewStates.Test
}
