/**
 * PORT: what was asked of models, over all processes of a user: the questions at stops, and the tokens of all. Without a
 * layer nothing is kept.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Lines from "./AskLines.ts"

export { isOff, summary, today } from "./AskLines.ts"
export type { AgainLine, AskEnd, AskLine, AskSummary } from "./AskLines.ts"

export class AskLogError extends Schema.TaggedError<AskLogError>("@reflexion/core/AskLogError")("AskLogError", {
  file: Schema.String,
  cause: Schema.Defect
}) {
  override get message() {
    return `${this.file}: the questions to models cannot be counted there; check that it can be read and written`
  }
}

/**
 * `add` keeps a question, and `again` the user's word to ask in spite of those that were not answered; `read` gives the questions of the
 * last 30 days, oldest first. `spend` keeps the tokens of any question, and `spent` is their sum since midnight UTC.
 *
 * @category models
 */
export interface Service {
  readonly add: (line: Lines.AskLine) => Effect.Effect<void, AskLogError>
  readonly again: (line: Lines.AgainLine) => Effect.Effect<void, AskLogError>
  readonly read: Effect.Effect<ReadonlyArray<Lines.AskLine>, AskLogError>
  readonly spend: (tokens: number) => Effect.Effect<void, AskLogError>
  readonly spent: Effect.Effect<number, AskLogError>
}

/** What a store of days' texts has to know: the names that it has, the text of one, and how to write at its end. */
interface Days {
  readonly names: Effect.Effect<ReadonlyArray<string>, AskLogError>
  readonly text: (name: string) => Effect.Effect<string, AskLogError>
  readonly append: (name: string, line: string) => Effect.Effect<void, AskLogError>
}

const of = ({ append, names, text }: Days): Service => ({
  add: (line) => append(Lines.fileOf(line.at.slice(0, 10)), Lines.print(line)),
  again: (line) => append(Lines.fileOf(line.at.slice(0, 10)), Lines.printAgain(line)),
  read: Effect.gen(function* () {
    const recent = Lines.recent(yield* names, yield* Clock.currentTimeMillis)
    return Lines.parse(...(yield* Effect.forEach(recent, text)))
  }),
  spend: (tokens) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      append(Lines.fileOf(Lines.dayOf(now)), Lines.printTokens(new Date(now).toISOString(), tokens))
    ),
  spent: Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const today = Lines.fileOf(Lines.dayOf(now))
    return Effect.map(
      Effect.if(
        Effect.map(names, (all) => all.includes(today)),
        { onTrue: () => text(today), onFalse: () => Effect.succeed("") }
      ),
      Lines.tokensIn
    )
  })
})

/** Ten thousand questions of a day take less. */
const maxBytes = 4 * 1024 * 1024

const inFiles = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const placeOf = (name: string) => path.join(directory, name)
  const refused = (name: string) => (cause: unknown) =>
    cause instanceof AskLogError ? cause : new AskLogError({ file: placeOf(name), cause })
  const unfit = (name: string, why: string) => new AskLogError({ file: placeOf(name), cause: new Error(why) })

  const names = Effect.if(fs.exists(directory), {
    onTrue: () => fs.readDirectory(directory),
    onFalse: () => Effect.succeed([])
  }).pipe(Effect.mapError((cause) => new AskLogError({ file: directory, cause })))

  /** A pipe or a device in a file's place would be waited for, and a link written through. False where nothing is. */
  const plain = Effect.fnUntraced(function* (name: string) {
    const target = yield* Effect.option(fs.readLink(placeOf(name)))
    if (Option.isSome(target)) return yield* unfit(name, "it is a link")
    if (!(yield* fs.exists(placeOf(name)))) return false
    const { size, type } = yield* fs.stat(placeOf(name))
    if (type !== "File") return yield* unfit(name, "it is no plain file")
    return size > maxBytes ? yield* unfit(name, `it is larger than ${maxBytes} bytes`) : true
  })

  const prune = Effect.gen(function* () {
    const old = Lines.outdated(yield* names, yield* Clock.currentTimeMillis)
    yield* Effect.forEach(old, (name) => fs.remove(placeOf(name)), { discard: true })
  }).pipe(Effect.ignore)

  /** One write at the end of the file: processes that write at once lose nothing of each other. */
  const append = Effect.fnUntraced(function* (name: string, line: string) {
    yield* Effect.gen(function* () {
      yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
      if (!(yield* plain(name))) yield* prune
      yield* fs.writeFileString(placeOf(name), line, { flag: "a", mode: 0o600 })
    }).pipe(Effect.mapError(refused(name)))
  })

  const text = (name: string) =>
    Effect.mapError(Effect.zipRight(plain(name), fs.readFileString(placeOf(name))), refused(name))

  return of({ names, text, append })
})

const inMemory = Effect.map(Ref.make(new Map<string, string>()), (kept) =>
  of({
    names: Effect.map(Ref.get(kept), (days) => [...days.keys()]),
    text: (name) => Effect.map(Ref.get(kept), (days) => days.get(name) ?? ""),
    append: (name, line) => Ref.update(kept, (days) => new Map([...days, [name, `${days.get(name) ?? ""}${line}`]]))
  })
)

/**
 * The log in force. By itself it forgets.
 *
 * @category references
 */
export class AskLog extends Context.Reference<AskLog>()("@reflexion/core/AskLog", {
  defaultValue: (): Service => ({
    add: () => Effect.void,
    again: () => Effect.void,
    read: Effect.succeed([]),
    spend: () => Effect.void,
    spent: Effect.succeed(0)
  })
}) {
  /** A file for each day of UTC in a folder of the user's own state; files older than 30 days go. */
  static readonly Files = (options: {
    readonly directory: string
  }): Layer.Layer<AskLog, never, FileSystem.FileSystem | Path.Path> => Layer.effect(AskLog, inFiles(options.directory))

  /** Of this process alone. */
  static readonly Memory: Layer.Layer<AskLog> = Layer.effect(AskLog, inMemory)
}
