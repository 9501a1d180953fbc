/** PORT: how many tokens models have cost today, over all processes of a user. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Ledger from "./ledgerLines.ts"

export class LedgerError extends Schema.TaggedError<LedgerError>("@reflexion/core/LedgerError")("LedgerError", {
  file: Schema.String,
  cause: Schema.Defect
}) {
  override get message() {
    return `${this.file}: the day's tokens cannot be counted there; check that it can be read and written`
  }
}

/** Days are those of UTC, so that a journey makes none longer. */
const today = Effect.map(DateTime.now, DateTime.formatIsoDateUtc)

/** Longer than any question lasts; a process that was killed holds its tokens no longer. */
const held = Duration.minutes(15)

const nonce = Effect.map(Effect.replicateEffect(Random.nextIntBetween(0, 0x1_0000_0000), 3), (parts) =>
  parts.map((part) => part.toString(36)).join("")
)

const nameOf = (day: string): string => `tokens-${day}.log`

const isLedger = (name: string): boolean => /^tokens-\d{4}-\d{2}-\d{2}\.log$/u.test(name)

const refused = (file: string) => (cause: unknown) => new LedgerError({ file, cause })

const inFiles = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const fileOf = (day: string) => path.join(directory, nameOf(day))

  const prune = Effect.fnUntraced(function* (day: string) {
    const names = yield* fs.readDirectory(directory)
    const old = names.filter((name) => isLedger(name) && name < nameOf(day))
    yield* Effect.forEach(old, (name) => fs.remove(path.join(directory, name)), { discard: true })
  }, Effect.ignore)

  const read = (file: string) =>
    Effect.if(fs.exists(file), {
      onTrue: () => fs.readFileString(file),
      onFalse: () => Effect.succeed("")
    }).pipe(Effect.mapError(refused(file)))

  const spent = Effect.flatMap(today, (day) => Effect.map(read(fileOf(day)), Ledger.spent))

  const append = (file: string, line: string) => fs.writeFileString(file, line, { flag: "a", mode: 0o600 })

  /** One write at the end of the file: processes that write at once lose nothing of each other. */
  const write = Effect.fnUntraced(function* (line: string) {
    const day = yield* today
    const file = fileOf(day)
    const writing = Effect.gen(function* () {
      yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
      if (!(yield* fs.exists(file))) yield* prune(day)
      yield* append(file, line)
    })
    yield* Effect.mapError(writing, refused(file))
    return file
  })

  const release = Effect.fnUntraced(function* (file: string, id: string) {
    if (yield* fs.exists(file)) yield* append(file, Ledger.release(id))
  }, Effect.ignore)

  /** No lock is needed: of those who ask at the same moment, whoever wrote first comes first. */
  const reserve = Effect.fnUntraced(function* (tokens: number, limit: number) {
    const id = yield* nonce
    const now = yield* Clock.currentTimeMillis
    const line = Ledger.hold({ id, tokens, until: now + Duration.toMillis(held) })
    const file = yield* Effect.acquireRelease(write(line), (where) => release(where, id))
    const before = Ledger.before(yield* read(file), { id, now })
    return { before, admitted: before + tokens <= limit } satisfies Reservation
  })

  return { reserve, spent, add: (tokens: number) => Effect.asVoid(write(Ledger.count(tokens))) }
})

interface Tokens {
  readonly spent: number
  readonly held: number
}

const inMemory = Effect.gen(function* () {
  const state = yield* Ref.make<Tokens>({ spent: 0, held: 0 })
  const hold = (tokens: number) => Ref.update(state, (was) => ({ ...was, held: was.held + tokens }))
  const take = (tokens: number, limit: number) =>
    Ref.modify(state, (was): readonly [Reservation, Tokens] => {
      const before = was.spent + was.held
      const admitted = before + tokens <= limit
      return [{ before, admitted }, admitted ? { ...was, held: was.held + tokens } : was]
    })
  return {
    spent: Effect.map(Ref.get(state), ({ spent }) => spent),
    add: (tokens: number) => Ref.update(state, (was) => ({ ...was, spent: was.spent + Ledger.whole(tokens) })),
    reserve: (tokens: number, limit: number) =>
      Effect.acquireRelease(take(tokens, limit), ({ admitted }) => (admitted ? hold(-tokens) : Effect.void))
  }
})

/**
 * Whether so many tokens are left. `before` is what was spent, and what others had reserved.
 *
 * @category models
 */
export interface Reservation {
  readonly admitted: boolean
  readonly before: number
}

export class TokenLedger extends Context.Tag("@reflexion/core/TokenLedger")<
  TokenLedger,
  {
    /** What was added since midnight UTC. */
    readonly spent: Effect.Effect<number, LedgerError>
    readonly add: (tokens: number) => Effect.Effect<void, LedgerError>
    /**
     * Holds so many tokens against everybody else's until its scope closes, where that keeps the day below a limit. What
     * a process held that is gone is free again after 15 minutes.
     */
    readonly reserve: (tokens: number, limit: number) => Effect.Effect<Reservation, LedgerError, Scope.Scope>
  }
>() {
  /** A file for each day in a folder of the user's own state; files of earlier days go. */
  static readonly Files = (options: {
    readonly directory: string
  }): Layer.Layer<TokenLedger, never, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(TokenLedger, inFiles(options.directory))

  /** Of this process alone, and of one day. */
  static readonly Memory: Layer.Layer<TokenLedger> = Layer.effect(
    TokenLedger,
    Effect.suspend(() => inMemory)
  )
}
