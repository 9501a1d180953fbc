/** Reads the input of a command: one failure as JSON, or records, one on each line. */
import * as JsonScan from "@reflexion/core/internal/base/json/JsonScan"
import { FailureContext } from "@reflexion/core/FailureContext"
import { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { buffer } from "node:stream/consumers"
import { CliFailure } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { explain } from "../process/FileProblem.ts"
import { oneLine } from "../terminal/Layout.ts"
import { refused } from "./MemoryStore.ts"

const refuse = (problem: string): CliFailure => new CliFailure({ problem })

export interface InputText {
  readonly name: string
  readonly text: string
}

export const input = Effect.fnUntraced(function* (file: string = "-") {
  const { cwd, stdin } = yield* CliProcess
  const name = file === "-" ? "standard input" : oneLine(file)
  const path = resolve(cwd, file)
  const bytes = yield* Effect.tryPromise({
    try: () => (file === "-" ? buffer(stdin()) : readFile(path)),
    catch: (cause) =>
      new CliFailure({ problem: file === "-" ? `${name}: ${explain(cause).problem}` : explain(cause, path).problem })
  })
  // Refuses any encoding other than UTF-8, because some characters would be lost.
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => refuse(`${name}: the text is not UTF-8. Save it as UTF-8, then run this again.`)
  })
  return { name, text } satisfies InputText
})

/** If a value matches no choice, there is one message for each choice. */
const told = (messages: ReadonlyArray<string>): string => {
  const choices = messages.map((message) => /^Expected (.{1,200}), actual (.{1,200})$/su.exec(message))
  const actual = choices[0]?.[2] ?? ""
  return choices.length > 1 && choices.every((choice) => choice?.[2] === actual)
    ? `${actual} is not one of ${choices.map((choice) => choice?.[1]).join(", ")}`
    : messages.join(", ")
}

const keysNamed = 3

const problemsOf = (error: ParseResult.ParseError): string => {
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error)
  const byKey = Arr.groupBy(issues, ({ path }) => path.join("."))
  const problems = Object.entries(byKey).map(
    ([key, all]) => `${key === "" ? "" : `${key}: `}${told(all.map(({ message }) => oneLine(message)))}`
  )
  const more = problems.length - keysNamed
  return `${problems.slice(0, keysNamed).join("; ")}${more > 0 ? `; and ${more} more` : ""}`
}

const jsonOf = (name: string, text: string): Either.Either<unknown, string> =>
  text.trim() === ""
    ? Either.left(`${name}: the input is empty`)
    : Either.try({
        try: () => JsonScan.strict(text),
        catch: (cause) => `${name}: the line is not JSON: ${cause instanceof Error ? oneLine(cause.message) : ""}`
      })

const isObject = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** File paths become relative to the project, because other copies have other roots. */
export const failureOf = Effect.fnUntraced(function* ({ name, text }: InputText) {
  const value = yield* Either.mapLeft(jsonOf(name, text), refuse)
  if (!isObject(value))
    return yield* refuse(`${name}: the line is not a JSON object; 'reflexion memory --help' lists its fields`)
  const { getRecent } = yield* ReflexionStore
  const [last] = yield* Effect.mapError(getRecent(String(value["subtaskId"] ?? ""), 1), refused)
  const blank = {
    id: `failure_${(yield* Random.nextIntBetween(0, 2 ** 31)).toString(36)}`,
    createdAt: new Date(yield* Clock.currentTimeMillis).toISOString(),
    attemptNumber: (last?.attemptNumber ?? 0) + 1,
    sessionId: "",
    subtaskDescription: "",
    filesModified: [],
    previousReflections: []
  }
  const decoded = Schema.decodeUnknownEither(FailureContext, { errors: "all" })({ ...blank, ...value })
  const failure = yield* Either.mapLeft(decoded, (error) => refuse(`${name}: ${problemsOf(error)}`))
  const root = Trust.rootOf((yield* CliProcess).cwd)
  const bare = (path: string): string => (root.length > 1 ? path.replaceAll(`${root}/`, "") : path)
  return { ...failure, errorOutput: bare(failure.errorOutput), filesModified: failure.filesModified.map(bare) }
})

const maxNamed = 5

export const linesOf = <A>(
  { name, text }: InputText,
  decode: (value: unknown, line: number) => Either.Either<A, ParseResult.ParseError>
): Either.Either<ReadonlyArray<A>, CliFailure> => {
  if (text.trimStart().startsWith("["))
    return Either.left(refuse(`${name}: the input is one JSON array; give one entry per line`))
  const found: Array<A> = []
  const problems: Array<string> = []
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue
    const at = `${name}:${index + 1}`
    const decoded = Either.flatMap(jsonOf(at, line), (value) =>
      Either.mapLeft(decode(value, index + 1), (error) => `${at}: ${problemsOf(error)}`)
    )
    if (Either.isRight(decoded)) found.push(decoded.right)
    else problems.push(decoded.left)
  }
  if (problems.length === 0) return Either.right(found)
  const more = problems.length - maxNamed
  const rest = more > 0 ? [`(and ${more} more)`] : []
  const what = "Nothing was added: correct these lines, then add them again."
  return Either.left(refuse([...problems.slice(0, maxNamed), ...rest, what].join("\n")))
}

/** A lesson without a valid time would never be old enough to delete. */
const Timed = Reflection.pipe(
  Schema.filter(({ createdAt }) =>
    Number.isNaN(Date.parse(createdAt))
      ? { path: ["createdAt"], message: `${JSON.stringify(createdAt)} is not a time such as 2026-01-02T03:04:05Z` }
      : undefined
  )
)

const decodeLesson = Schema.decodeUnknownEither(Timed, { errors: "all" })

export const lessonsOf = (given: InputText): Either.Either<ReadonlyArray<Reflection>, CliFailure> =>
  linesOf(given, (value) => decodeLesson(value))
