/**
 * A file of lines that only grows, which several processes may share. What was added is acknowledged once it will outlast
 * a power cut; fibers that add at the same time share one write and one synchronisation (group commit). Lines that a
 * crash tore are put aside, and nothing else is ever taken out but by `rewrite`.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as CommitJournal from "./commitJournal.ts"
import * as LogLines from "./lines.ts"
import { joined, mendTail, onlyInJournal, settle } from "./restore.ts"
import * as OwnFolder from "./ownFolder.ts"
import { type Disk, LogDisk, LogDiskError, type LogFile } from "./LogDisk.ts"
import * as TornLine from "./TornLine.ts"

/**
 * What keeps up with the log, in memory. `line` is given every whole line once, in order, as a part of `chunk`, which is
 * the log's own and changes after the call; `at` is the line's offset in the file, and `view` shows the same bytes, and maybe
 * some behind them.
 *
 * @category models
 */
export interface Follower {
  /** Forgets everything: the file is another one. `resume` may say how far it knows that one already. */
  readonly reset: (file: LogFile | null) => number
  readonly line: (chunk: Uint8Array, from: number, to: number, at: number) => void
  /** Does what it put off while lines came, a few milliseconds of it. False where there is more. */
  readonly settle?: () => boolean
}

export interface Options {
  readonly path: string
  readonly follower: Follower
}

/**
 * Whether a line stays: its bytes without the line break, and its offset in the file.
 *
 * @category models
 */
export type Keeps = (line: Uint8Array, at: number) => boolean

export interface AppendLog {
  /** Adds whole lines, each with its line break. Interrupting the caller does not take them back. */
  readonly append: (lines: string) => Effect.Effect<void, LogDiskError>
  /**
   * Adds what `lines` makes under the lock, when the follower has kept up: so it may go by all that others added. Nothing
   * for an empty text.
   */
  readonly appendAfter: (lines: () => string) => Effect.Effect<void, LogDiskError>
  /**
   * Has the follower keep up with what other processes added or rewrote, a few milliseconds long. False where there is
   * more: then `disk.pause`, and again.
   */
  readonly refresh: () => boolean
  /** The open file, for reading; null where there is none yet. */
  readonly file: () => LogFile | null
  /** How much of the file the follower knows. */
  readonly known: () => number
  /**
   * Leaves out the lines that `plan` does not want, without ever losing what another process adds; says how many. The plan
   * is made under the lock, when the follower has kept up; null changes nothing.
   */
  readonly rewrite: (plan: () => Keeps | null) => Effect.Effect<number, LogDiskError>
}

const lineBreak = 10

export {
  /**
   * Where a torn line's bytes are kept.
   *
   * @category constants
   */
  tornOf
} from "./TornLine.ts"

const errorOf = (path: string, operation: string, cause: unknown): LogDiskError =>
  cause instanceof LogDiskError
    ? cause
    : new LogDiskError({ path, operation, code: null, detail: cause instanceof Error ? cause.message : "unknown" })

const attempt = <A>(path: string, operation: string, work: () => A): Effect.Effect<A, LogDiskError> =>
  Effect.try({ try: work, catch: (cause) => errorOf(path, operation, cause) })

interface Waiting {
  readonly lines: string
  /** With how many bytes of a torn line were moved: one of a batch says it. */
  readonly resume: (result: Exit.Exit<number, LogDiskError>) => void
}

interface State {
  file: LogFile | null
  /** Where the file ended after the last append: what ends there ends in a line break. */
  end: number
  known: number
  /** Up to where it is read ahead; -1 for another file. */
  ahead: number
  /** What the next of the follower's lines are read into, where there are more. */
  room: LogLines.Room | null
  waiting: Array<Waiting>
  flushing: boolean
  closed: boolean
}

const closed = (path: string, operation: string): LogDiskError =>
  new LogDiskError({
    path,
    operation,
    code: null,
    detail: "it is closed already, with the scope that it was opened in"
  })

const reopen = (disk: Disk, { follower, path }: Options, state: State, create: boolean): LogFile | null => {
  if (state.closed) throw closed(path, "open")
  if (create) OwnFolder.ignore(disk, path)
  state.file?.close()
  state.file = disk.open(path, { create })
  state.known = follower.reset(state.file)
  state.end = -1
  state.ahead = -1
  return state.file
}

/** The file that is at the path now. */
const current = (disk: Disk, options: Options, state: State, create = false): LogFile | null =>
  state.file !== null && disk.find(options.path)?.id === state.file.id
    ? state.file
    : reopen(disk, options, state, create)

/** So much is read in a few milliseconds. */
const atOnce = 4 * 1024 * 1024

/** Less than this is read before another thread has begun. */
const worthReadingAhead = 4 * atOnce

/** False where there are more lines. */
const readOn = (disk: Disk, options: Options, state: State): boolean => {
  if (state.known > 0 && state.end <= state.known && state.file?.isUnchanged(state.known) === true) return true
  const found = state.file === null ? null : disk.find(options.path)
  const isSame = state.file !== null && found?.id === state.file.id
  const file = isSame ? state.file : reopen(disk, options, state, false)
  if (file === null) return true
  const size = isSame && found !== null ? found.size : file.size()
  if (size < state.known) state.known = options.follower.reset(file)
  if (size <= state.known) return true
  const before = state.known
  if (state.ahead < before && size - before > worthReadingAhead) {
    state.ahead = size
    file.readAhead(before + atOnce, size)
  }
  const room = state.room ?? LogLines.room()
  state.room = null
  state.known = LogLines.scanLines(file, { from: before, to: size, upTo: atOnce, room }, options.follower.line)
  // Of a line that is being written there is nothing to know yet.
  if (state.known === before || state.known >= size) return true
  state.room = room
  return false
}

/** False where there is more to do. */
const keepUp = (disk: Disk, options: Options, state: State): boolean =>
  readOn(disk, options, state) && (options.follower.settle?.() ?? true)

const said = (path: string, bytes: number): Effect.Effect<void> =>
  bytes === 0
    ? Effect.void
    : Effect.logWarning(
        `${path} ended in the middle of a line: its ${bytes} bytes were moved to ${TornLine.tornOf(path)}`
      )

const saidBack = (path: string, bytes: number): Effect.Effect<void> =>
  bytes === 0
    ? Effect.void
    : Effect.logWarning(
        `${path} had lost ${bytes} bytes of whole lines, as in a power cut: they were put back from ${CommitJournal.journalOf(path)}`
      )

const encoder = new TextEncoder()

const finish = (batch: ReadonlyArray<Waiting>, result: Exit.Exit<number, LogDiskError>): void => {
  const others = Exit.map(result, () => 0)
  for (const [index, { resume }] of batch.entries()) resume(index === 0 ? result : others)
}

/** Without anything to say. */
const isDone = (result: Exit.Exit<number, LogDiskError>): boolean => Exit.isSuccess(result) && result.value === 0

interface Added {
  readonly torn: number
  readonly sync: () => void
}

const make = Effect.fnUntraced(function* (options: Options) {
  const disk = yield* LogDisk
  const { path } = options
  const state: State = {
    file: null,
    end: -1,
    known: 0,
    ahead: -1,
    room: null,
    waiting: [],
    flushing: false,
    closed: false
  }
  const journal = CommitJournal.make(disk, path)
  const scope = yield* Effect.scope
  const run = Runtime.runFork(yield* Effect.runtime<never>())

  /** Under the lock. */
  const settled = attempt(path, "repair", () => settle(disk, path, current(disk, options, state)))

  const close = Effect.sync(() => {
    state.closed = true
    journal.close()
    disk.leave(path)
    state.file?.close()
    state.file = null
  })

  // Without this the next to open the log does it.
  const leave = Effect.suspend(() =>
    journal.isHeld() ? Effect.scoped(Effect.zipRight(disk.lock(path), settled)) : Effect.succeed(0)
  ).pipe(
    Effect.flatMap((bytes) => saidBack(path, bytes)),
    Effect.catchAll((error) => Effect.logDebug(`${CommitJournal.journalOf(path)} stays: ${error.message}`))
  )
  yield* Effect.addFinalizer(() => Effect.zipRight(leave, close))

  const add = (bytes: Uint8Array): Added => {
    const isSame = state.file?.isThere() === true
    const file = isSame ? state.file : reopen(disk, options, state, true)
    if (file === null) throw new LogDiskError({ path, operation: "append", code: null, detail: "it cannot be made" })
    const isMended = isSame && state.end > 0 && file.endsAt(state.end)
    const torn = isMended ? 0 : mendTail(disk, path, file)
    const at = isMended ? state.end : file.size()
    file.append(bytes, at)
    state.end = at + bytes.length
    return { torn, sync: journal.note(file, at, bytes) }
  }

  /** The lock is no more needed when the disk is waited for: what a rewrite copied meanwhile it has synchronised itself. */
  const addAlone = (bytes: Uint8Array): number | null => {
    const release = disk.tryLock(path)
    if (release === null) return null
    let added: Added
    try {
      added = add(bytes)
    } finally {
      release()
    }
    added.sync()
    return added.torn
  }

  const addInTurn = (bytes: Uint8Array): Effect.Effect<number, LogDiskError> =>
    Effect.scoped(
      Effect.zipRight(
        disk.lock(path),
        attempt(path, "append", () => add(bytes))
      )
    ).pipe(Effect.flatMap(({ sync, torn }) => Effect.as(attempt(path, "sync", sync), torn)))

  const inTurn = (batch: ReadonlyArray<Waiting>, bytes: Uint8Array): Effect.Effect<void> =>
    Effect.map(Effect.exit(addInTurn(bytes)), (result) => {
      finish(batch, result)
      flush()
    })

  /** Without a fiber where the lock is free: one for each append would take as long as all that is done before the disk. */
  const flush = (): void => {
    const batch = state.waiting
    state.waiting = []
    state.flushing = batch.length > 0
    if (!state.flushing) return
    const bytes = encoder.encode(batch.map(({ lines }) => lines).join(""))
    try {
      const torn = addAlone(bytes)
      if (torn === null) return void run(Effect.uninterruptible(inTurn(batch, bytes)), { scope })
      finish(batch, Exit.succeed(torn))
    } catch (cause) {
      finish(batch, Exit.fail(errorOf(path, "append", cause)))
    }
    flush()
  }

  const append = (lines: string): Effect.Effect<void, LogDiskError> =>
    Effect.async((resume) => {
      if (state.closed) return resume(closed(path, "append"))
      state.waiting.push({
        lines,
        resume: (result) => resume(isDone(result) ? Exit.void : Effect.flatMap(result, (torn) => said(path, torn)))
      })
      // What joins a batch has begun before it: the first of them waits until the others have had their turn.
      if (!state.flushing) queueMicrotask(flush)
      state.flushing = true
    })

  const refresh = () => keepUp(disk, options, state)

  const refreshed = Effect.repeat(
    Effect.tap(attempt(path, "read", refresh), (isDone) => (isDone ? Effect.void : disk.pause)),
    { until: (isDone) => isDone }
  )

  const addAfter = (lines: () => string) =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* disk.lock(path)
        yield* refreshed
        const text = yield* attempt(path, "read", lines)
        return text === "" ? null : yield* attempt(path, "append", () => add(encoder.encode(text)))
      })
    )

  const appendAfter = (lines: () => string): Effect.Effect<void, LogDiskError> =>
    Effect.uninterruptible(
      Effect.flatMap(addAfter(lines), (added) =>
        added === null ? Effect.void : Effect.zipRight(attempt(path, "sync", added.sync), said(path, added.torn))
      )
    )

  const rewrite = (plan: () => Keeps | null) =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* disk.lock(path)
        // What is in the journal is of the file that goes.
        yield* saidBack(path, yield* settled)
        const file = yield* attempt(path, "open", () => current(disk, options, state))
        if (file === null) return 0
        yield* said(path, yield* attempt(path, "repair", () => mendTail(disk, path, file)))
        yield* refreshed
        const keeps = yield* attempt(path, "read", plan)
        return keeps === null ? 0 : yield* replaced(disk, path, { file, keeps })
      })
    )

  const isTorn = Effect.map(
    attempt(path, "open", () => current(disk, options, state)),
    (file) => {
      const size = file?.size() ?? 0
      return file !== null && size > 0 && file.read(size - 1, 1)[0] !== lineBreak
    }
  )

  const mended = Effect.scoped(
    Effect.gen(function* () {
      const hasJournal = yield* attempt(path, "open", () => disk.find(CommitJournal.journalOf(path)) !== null)
      if (!hasJournal && !(yield* isTorn)) return
      yield* disk.lock(path)
      yield* saidBack(path, yield* settled)
      const file = yield* attempt(path, "open", () => current(disk, options, state))
      if (file !== null) yield* said(path, yield* attempt(path, "repair", () => mendTail(disk, path, file)))
    })
  )
  yield* Effect.catchAll(mended, (error) => {
    journal.giveUp()
    return Effect.logWarning(`not repaired: ${error.message}`)
  })

  return { append, appendAfter, refresh, rewrite, file: () => state.file, known: () => state.known } satisfies AppendLog
})

const batchBytes = 4 * 1024 * 1024

/** Copies what is kept in steps, so that nothing else waits for all of it. */
const replaced = Effect.fnUntraced(function* (
  disk: Disk,
  path: string,
  { file, keeps }: { readonly file: LogFile; readonly keeps: Keeps }
) {
  const size = file.size()
  const next = yield* attempt(path, "rewrite", () => disk.replace(path))
  let dropped = 0
  let at = 0
  const step = attempt(path, "rewrite", () => {
    const kept: Array<Uint8Array> = []
    const before = at
    at = LogLines.scanLines(file, { from: at, to: size, upTo: batchBytes }, (chunk, from, to, offset) => {
      if (keeps(chunk.subarray(from, to), offset)) kept.push(chunk.slice(from, to + 1))
      else dropped += 1
    })
    // Half a line behind whole ones, though the lock is held: somebody knows of no lock.
    if (at === before && at < size) throw new Error("another program is writing to it; it is left as it is, try again")
    next.write(joined(kept))
  })
  const all = Effect.repeat(Effect.zipRight(step, Effect.yieldNow()), { until: () => at >= size })
  return yield* all.pipe(
    Effect.zipRight(attempt(path, "rewrite", () => (dropped === 0 ? next.abandon() : next.commit()))),
    Effect.map(() => dropped),
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.sync(next.abandon)))
  )
})

/**
 * Opens the log at a path, mending what a crash left; the file itself is made when something is added to it. A file that
 * cannot be mended is read as far as it is whole.
 *
 * @category constructors
 */
export const open: (options: Options) => Effect.Effect<AppendLog, LogDiskError, LogDisk | Scope.Scope> = make

/**
 * How many bytes of whole lines only the journal beside the log at a path has, as after a power cut until the log is opened
 * and can be written. Changes nothing.
 *
 * @category reading
 */
export const unsettled = (path: string): Effect.Effect<number, LogDiskError, LogDisk> =>
  Effect.flatMap(LogDisk, (disk) => attempt(path, "read", () => onlyInJournal(disk, path)))

export {
  /**
   * Where the journal of a log is.
   *
   * @category constants
   */
  journalOf
} from "./commitJournal.ts"
