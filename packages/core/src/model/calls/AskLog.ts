/** PORT: the log of questions to models, shared by all processes of a user. Without a layer, nothing is stored. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Path from "node:path"
import * as AskFiles from "./AskFiles.ts"
import * as Lines from "./AskLines.ts"

export { isOff, summary, today } from "./AskLines.ts"
export type { AgainLine, AskEnd, AskLine, AskSummary } from "./AskLines.ts"

export class AskLogError extends Schema.TaggedError<AskLogError>("@reflexion/core/AskLogError")("AskLogError", {
  file: Schema.String,
  cause: Schema.Defect
}) {
  override get message() {
    return `${this.file}: the questions to models cannot be counted there; check that the file can be read and written`
  }
}

/**
 * The functions of the log.
 *
 * @category models
 */
export interface Service {
  readonly add: (line: Lines.AskLine) => Effect.Effect<void, AskLogError>
  /** Another call for a question that is already in the log. */
  readonly again: (line: Lines.AgainLine) => Effect.Effect<void, AskLogError>
  /** The questions of the last 30 days, oldest first. */
  readonly read: Effect.Effect<ReadonlyArray<Lines.AskLine>, AskLogError>
  readonly spend: (tokens: number) => Effect.Effect<void, AskLogError>
  /** The tokens since midnight UTC. */
  readonly spent: Effect.Effect<number, AskLogError>
}

interface Days {
  readonly names: Effect.Effect<ReadonlyArray<string>, AskLogError>
  readonly text: (name: string) => Effect.Effect<string, AskLogError>
  readonly append: (name: string, line: string) => Effect.Effect<void, AskLogError>
}

const of = ({ append, names, text }: Days): Service => ({
  add: (line) => append(Lines.fileOf(line.at), Lines.print(line)),
  again: (line) => append(Lines.fileOf(line.at), Lines.printAgain(line)),
  read: Effect.gen(function* () {
    const { recent } = Lines.filesIn(yield* names, yield* Clock.currentTimeMillis)
    return Lines.parse(...(yield* Effect.forEach(recent, text)))
  }),
  spend: (tokens) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      append(Lines.fileOf(now), Lines.printTokens(new Date(now).toISOString(), tokens))
    ),
  spent: Effect.gen(function* () {
    const today = Lines.fileOf(yield* Clock.currentTimeMillis)
    return (yield* names).includes(today) ? Lines.tokensIn(yield* text(today)) : 0
  })
})

const trying = <A>(file: string, work: () => A) =>
  Effect.try({ try: work, catch: (cause) => new AskLogError({ file, cause }) })

const inFiles = (directory: string): Service => {
  const at = (name: string) => Path.join(directory, name)
  return of({
    names: trying(directory, () => AskFiles.names(directory)),
    text: (name) => trying(at(name), () => AskFiles.text(directory, name)),
    append: (name, line) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        trying(at(name), () => AskFiles.append(directory, name, line, now))
      )
  })
}

const inMemory = Effect.map(Ref.make(new Map<string, string>()), (kept) =>
  of({
    names: Effect.map(Ref.get(kept), (days) => [...days.keys()]),
    text: (name) => Effect.map(Ref.get(kept), (days) => days.get(name) ?? ""),
    append: (name, line) => Ref.update(kept, (days) => new Map([...days, [name, `${days.get(name) ?? ""}${line}\n`]]))
  })
)

/**
 * The current log. By default it stores nothing.
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
  /** Deletes files that are older than 30 days. */
  static readonly Files = ({ directory }: { readonly directory: string }): Layer.Layer<AskLog> =>
    Layer.succeed(AskLog, inFiles(directory))

  static readonly Memory: Layer.Layer<AskLog> = Layer.effect(AskLog, inMemory)
}
