/**
 * PORT: how many tokens models have cost today, over all processes of a user.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"

/**
 * @since 0.1.0
 * @category errors
 */
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

const sum = (text: string): number =>
  text.split("\n").reduce((total, line) => (/^\d{1,12}$/u.test(line) ? total + Number(line) : total), 0)

const line = (tokens: number): string => `${Math.max(0, Math.ceil(tokens))}\n`

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

  const spent = Effect.flatMap(today, (day) => {
    const file = fileOf(day)
    const read = Effect.if(fs.exists(file), {
      onTrue: () => fs.readFileString(file),
      onFalse: () => Effect.succeed("")
    })
    return Effect.mapBoth(read, { onFailure: refused(file), onSuccess: sum })
  })

  /** One write at the end of the file: processes that write at once lose nothing of each other. */
  const add = Effect.fnUntraced(function* (tokens: number) {
    const day = yield* today
    const file = fileOf(day)
    const write = Effect.gen(function* () {
      yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
      if (!(yield* fs.exists(file))) yield* prune(day)
      yield* fs.writeFileString(file, line(tokens), { flag: "a", mode: 0o600 })
    })
    yield* Effect.mapError(write, refused(file))
  })
  return { spent, add }
})

/**
 * @since 0.1.0
 * @category services
 */
export class TokenLedger extends Context.Tag("@reflexion/core/TokenLedger")<
  TokenLedger,
  {
    /** What was added since midnight UTC. */
    readonly spent: Effect.Effect<number, LedgerError>
    readonly add: (tokens: number) => Effect.Effect<void, LedgerError>
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
    Effect.map(Ref.make(0), (total) => ({
      spent: Ref.get(total),
      add: (tokens: number) => Ref.update(total, (before) => before + Math.max(0, Math.ceil(tokens)))
    }))
  )
}
