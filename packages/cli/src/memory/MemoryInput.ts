/** What a command of the memory is given to read: one failure as JSON, or reflections, one a line. */
import * as JsonScan from "@reflexion/core/internal/base/json/JsonScan"
import { FailureContext } from "@reflexion/core/FailureContext"
import type { FailureContext as Failure } from "@reflexion/core/FailureContext"
import { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as Trust from "@reflexion/hooks/config/Trust"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { MemoryError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { explain } from "../process/FileProblem.ts"
import { oneLine } from "../terminal/Layout.ts"
import { refused } from "./MemoryStore.ts"

const maxBytes = 1024 * 1024 * 1024

const standardInput = Effect.flatMap(CliProcess, ({ stdin }) =>
  Effect.tryPromise({
    try: async () => {
      const pieces: Array<Uint8Array> = []
      let length = 0
      for await (const piece of stdin()) {
        length += piece.length
        if (length > maxBytes) throw new Error("it is longer than 1 GB")
        pieces.push(piece)
      }
      return Buffer.concat(pieces)
    },
    catch: (cause) => new MemoryError({ problem: `standard input: ${explain(cause).problem}` })
  })
)

/** Of the two orders of bytes in which a text of UTF-16 may begin, as a shell of Windows writes it. */
const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** The number of the first line that is no UTF-8, counted from 1. */
const badLine = (bytes: Uint8Array): number => {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let line = 1
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(10, from)
    const to = end < 0 ? bytes.length : end
    if (Either.isLeft(Either.try(() => decoder.decode(bytes.subarray(from, to))))) break
    from = to + 1
  }
  return line
}

/** What is kept is what was meant: a text in another encoding would be kept with holes in it. */
const textOf = (name: string, bytes: Uint8Array): Either.Either<string, MemoryError> =>
  Either.mapLeft(
    Either.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    () =>
      new MemoryError({
        problem: isUtf16(bytes)
          ? `${name}: it is UTF-16; save it as UTF-8`
          : `${name}:${badLine(bytes)}: it is no UTF-8; save it as UTF-8`
      })
  )

/**
 * A text, and what it is called.
 *
 * @category models
 */
export interface Input {
  readonly name: string
  readonly text: string
}

/**
 * The text that a command is given: of its one FILE, or standard input.
 *
 * @category reading
 */
export const input = Effect.fnUntraced(function* (file: string | undefined) {
  if (file === undefined || file === "-") {
    const name = "standard input"
    return { name, text: yield* textOf(name, yield* standardInput) }
  }
  const { cwd } = yield* CliProcess
  const path = resolve(cwd, file)
  const bytes = yield* Effect.tryPromise({
    try: () => readFile(path),
    catch: (cause) => new MemoryError({ problem: explain(cause, path).problem })
  })
  const name = oneLine(file)
  return { name, text: yield* textOf(name, bytes) }
})

const oneOf = /^Expected ("[a-z_]{1,40}"), actual (.{1,200})$/su

/** The messages of one key: of a choice that was not made there is one for each that could have been. */
const told = (messages: ReadonlyArray<string>): string => {
  const choices = messages.map((message) => oneOf.exec(message))
  const [, , actual = ""] = choices[0] ?? []
  return choices.length > 1 && choices.every((choice) => choice?.[2] === actual)
    ? `${actual} is none of ${choices.map((choice) => choice?.[1]).join(", ")}`
    : messages.join(", ")
}

const keysNamed = 3

/** What is wrong in a value, by its keys. */
const problemsOf = (error: ParseResult.ParseError): string => {
  const byKey = new Map<string, ReadonlyArray<string>>()
  for (const { message, path } of ParseResult.ArrayFormatter.formatErrorSync(error))
    byKey.set(path.join("."), [...(byKey.get(path.join(".")) ?? []), oneLine(message)])
  const problems = [...byKey].map(([key, messages]) => `${key === "" ? "" : `${key}: `}${told(messages)}`)
  const more = problems.length - keysNamed
  return `${problems.slice(0, keysNamed).join("; ")}${more > 0 ? `; and ${more} more` : ""}`
}

const blank = {
  id: "",
  sessionId: "",
  createdAt: "",
  subtaskDescription: "",
  filesModified: [],
  previousReflections: []
}

const jsonOf = (name: string, text: string): Either.Either<unknown, string> =>
  text.trim() === ""
    ? Either.left(`${name}: there is nothing in it`)
    : Either.try({
        try: () => JsonScan.strict(text),
        catch: (cause) => `${name}: it is no JSON: ${cause instanceof Error ? oneLine(cause.message) : ""}`
      })

/** Files as the project names them: what was learned holds in another copy of it, too. */
const inProject = (failure: Failure, root: string): Failure => {
  const bare = (text: string): string => (root.length > 1 ? text.replaceAll(`${root}/`, "") : text)
  return { ...failure, errorOutput: bare(failure.errorOutput), filesModified: failure.filesModified.map(bare) }
}

/**
 * The failure of a text, with what may be left out; `name` is what the text is called.
 *
 * @category reading
 */
export const failureOf = Effect.fnUntraced(function* ({ name, text }: Input) {
  const value = yield* Either.mapLeft(jsonOf(name, text), (problem) => new MemoryError({ problem }))
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return yield* new MemoryError({
      problem: `${name}: it is no JSON object; 'reflexion reflect --help' says what it has`
    })
  const { cwd } = yield* CliProcess
  const { subtaskId } = { subtaskId: "", ...value }
  const last = yield* Effect.mapError(
    Effect.flatMap(ReflexionStore, (store) => store.getRecent(String(subtaskId), 1)),
    refused
  )
  const attemptNumber = (last[0]?.attemptNumber ?? 0) + 1
  const now = new Date(yield* Clock.currentTimeMillis).toISOString()
  const id = `failure_${(yield* Random.nextIntBetween(0, 2 ** 31)).toString(36)}`
  const decoded = Schema.decodeUnknownEither(FailureContext, { errors: "all" })({
    ...blank,
    id,
    createdAt: now,
    attemptNumber,
    ...value
  })
  return yield* Either.match(decoded, {
    onRight: (failure): Effect.Effect<Failure, MemoryError> => Effect.succeed(inProject(failure, Trust.rootOf(cwd))),
    onLeft: (error) => Effect.fail(new MemoryError({ problem: `${name}: ${problemsOf(error)}` }))
  })
})

/** What has no time is never forgotten by its age. */
const Timed = Reflection.pipe(
  Schema.filter(({ createdAt }) =>
    Number.isNaN(Date.parse(createdAt))
      ? { path: ["createdAt"], message: `${JSON.stringify(createdAt)} is no time, such as 2026-01-02T03:04:05Z` }
      : undefined
  )
)

const decodeReflection = Schema.decodeUnknownEither(Timed, { errors: "all" })

const maxNamed = 5

const linesAtOnce = 1000

/** Lets a clock run off meanwhile, by which it is said what takes so long. */
const pause = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/**
 * The values of a text, one a line, or what is wrong with the first few of its lines that are; `decode` is given each
 * line's number, from 1.
 *
 * @category reading
 */
export const linesOf = Effect.fnUntraced(function* <A>(
  { name, text }: Input,
  decode: (value: unknown, line: number) => Either.Either<A, ParseResult.ParseError>
) {
  if (text.trimStart().startsWith("["))
    return yield* new MemoryError({ problem: `${name}: it is one JSON array; give its entries, one a line` })
  const found: Array<A> = []
  const problems: Array<string> = []
  for (const [index, line] of text.split("\n").entries()) {
    if (index % linesAtOnce === linesAtOnce - 1) yield* pause
    if (line.trim() === "") continue
    const at = `${name}:${index + 1}`
    const decoded = Either.flatMap(jsonOf(at, line), (value) =>
      Either.mapLeft(decode(value, index + 1), (error) => `${at}: ${problemsOf(error)}`)
    )
    if (Either.isRight(decoded)) found.push(decoded.right)
    else problems.push(decoded.left)
  }
  if (problems.length === 0) return found
  const more = problems.length - maxNamed
  const rest = more > 0 ? [`(and ${more} more)`] : []
  return yield* new MemoryError({
    problem: [
      ...problems.slice(0, maxNamed),
      ...rest,
      "Nothing was added: mend these lines, then add them again."
    ].join("\n")
  })
})

/**
 * The reflections of a text, or what is wrong with it.
 *
 * @category reading
 */
export const reflectionsOf = (input: Input): Effect.Effect<ReadonlyArray<Reflection>, MemoryError> =>
  linesOf(input, (value) => decodeReflection(value))
