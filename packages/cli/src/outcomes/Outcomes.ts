/** The program behind `reflexion outcomes`. */
import { AttemptOutcome, limits } from "@reflexion/core/AttemptOutcome"
import type { AttemptOutcome as Outcome } from "@reflexion/core/AttemptOutcome"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import type { Given } from "../memory/model.ts"
import * as MemoryInput from "../memory/MemoryInput.ts"
import * as MemoryReport from "../memory/MemoryReport.ts"
import { slowly } from "../memory/MemoryStore.ts"
import * as OutcomesReport from "./OutcomesReport.ts"
import { ageOf, type Outcomes, placeOf, readable, refused, within } from "./OutcomesStore.ts"
import { escaped } from "../session/Report.ts"
import * as Terminal from "../terminal/Terminal.ts"

const command = "reflexion outcomes"

const usage = (problem: string) => new UsageError({ command, problem })

/** A shortened id is nobody's task. */
const Added = AttemptOutcome.pipe(
  Schema.filter(({ taskId }) =>
    taskId === null || taskId.length <= limits.id
      ? undefined
      : { path: ["taskId"], message: `has ${taskId.length} characters, of which at most ${limits.id} are kept` }
  )
)

const decode = Schema.decodeUnknownEither(Added, { errors: "all" })

const actions = ["add", "list", "prune", "verify"] as const

type Action = (typeof actions)[number]

const optionsOf: Readonly<Record<Action, ReadonlyArray<string>>> = {
  add: [],
  list: ["since", "status", "task", "limit", "format"],
  prune: ["older-than", "dry-run"],
  verify: ["format"]
}

/** An option that says nothing to what is done is a mistake. */
const fitting = (action: Action, { option }: Given) => {
  const others = Object.values(optionsOf)
    .flat()
    .filter((name) => !optionsOf[action].includes(name) && option(name) !== null)
  return others.length === 0 ? Effect.void : Effect.fail(usage(`${action} takes no --${others[0]}`))
}

/** What is in a log is looked for by its path. */
const noFile = (action: Action, operands: ReadonlyArray<string>) =>
  operands.length === 0 ? Effect.void : Effect.fail(usage(`${action} takes no file: name the log with --outcomes`))

const add = (given: Given, operands: ReadonlyArray<string>): Outcomes =>
  Effect.gen(function* () {
    if (operands.length > 1) return yield* usage(`add takes one file, and was given ${operands.length}`)
    const text = yield* MemoryInput.input(operands[0])
    const at = new Date(yield* Clock.currentTimeMillis).toISOString()
    const run = (yield* Random.nextIntBetween(0, 2 ** 31)).toString(36)
    const filled = (value: unknown, line: number): unknown =>
      Predicate.isRecord(value)
        ? { id: `added-${run}-${line}`, sessionId: "", backend: "unknown", resultLength: null, at, ...value }
        : value
    const outcomes = yield* slowly(`reading ${text.name}`)(
      MemoryInput.linesOf<Outcome>(text, (value, line) => decode(filled(value, line)))
    )
    const place = yield* placeOf(given)
    const shown = Terminal.tilde((yield* CliProcess).env, place.path)
    if (outcomes.length > 0)
      yield* Effect.flatMap(OutcomeLog, ({ append }) => Effect.mapError(append(outcomes), refused)).pipe(
        within(place, { access: "add", doing: `adding to ${shown}` })
      )
    yield* Console.log(`${counted(outcomes.length, "outcome")} added to ${shown}`)
  })

const limitOf = (given: Given) => {
  const limit = given.option("limit") ?? "20"
  return /^[1-9]\d{0,6}$/u.test(limit)
    ? Effect.succeed(Number(limit))
    : Effect.fail(usage(`--limit: "${oneLine(limit.slice(0, 100))}" is no count`))
}

const statuses = ["completed", "failed", "timeout"] as const

const list = (given: Given, operands: ReadonlyArray<string>): Outcomes =>
  Effect.gen(function* () {
    yield* noFile("list", operands)
    const limit = yield* limitOf(given)
    const age = (yield* ageOf(command, given.option("since"))) ?? Duration.hours(24)
    const since = (yield* Clock.currentTimeMillis) - Duration.toMillis(age)
    const status = statuses.find((one) => one === given.option("status"))
    const task = given.option("task")
    const place = yield* placeOf(given)
    const wanted = { limit: Number.MAX_SAFE_INTEGER, ...(status !== undefined && { status }) }
    const found = Effect.flatMap(OutcomeLog, (log) => log.outcomesSince(since, wanted))
    const isOf = ({ taskId }: Outcome): boolean => task === null || taskId === task
    const shown = yield* Effect.mapBoth(found, {
      onFailure: refused,
      onSuccess: (all) => all.filter(isOf).slice(-limit)
    }).pipe(Effect.zipLeft(readable(place)), within(place, { access: "read", doing: `reading ${oneLine(place.path)}` }))
    if (given.option("format") === "json") return yield* Console.log(escaped(JSON.stringify(shown, null, 2)))
    const path = Terminal.tilde((yield* CliProcess).env, place.path)
    yield* Console.log(OutcomesReport.list(yield* Terminal.style, shown, path))
  })

/** What a prune would forget: the newest of all stays. */
const doomed = (age: Duration.Duration) =>
  Effect.gen(function* () {
    const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(age)
    const { outcomesSince } = yield* OutcomeLog
    const all = yield* outcomesSince(Number.NEGATIVE_INFINITY, { limit: Number.MAX_SAFE_INTEGER })
    return all.slice(0, -1).filter(({ at }) => Date.parse(at) < before).length
  })

const prune = (given: Given, operands: ReadonlyArray<string>): Outcomes =>
  Effect.gen(function* () {
    yield* noFile("prune", operands)
    const maxAge = yield* ageOf(command, given.option("older-than"), "older-than")
    if (maxAge === null) return yield* usage("prune needs --older-than, such as --older-than 30d")
    const isDry = given.option("dry-run") !== null
    const work = isDry ? doomed(maxAge) : Effect.flatMap(OutcomeLog, (log) => log.prune({ maxAge }))
    const place = yield* placeOf(given)
    const count = yield* Effect.mapError(work, refused).pipe(
      within(place, { access: isDry ? "read" : "change", doing: `reading ${oneLine(place.path)}` })
    )
    yield* Console.log(`${counted(count, "outcome")} ${isDry ? "would be forgotten" : "forgotten"}`)
  })

const verify = (given: Given, operands: ReadonlyArray<string>): Outcomes =>
  Effect.gen(function* () {
    yield* noFile("verify", operands)
    const place = yield* placeOf(given)
    const count = yield* Effect.flatMap(OutcomeLog, (log) => Effect.mapError(log.unreadable, refused)).pipe(
      within(place, { access: "read", doing: `reading ${oneLine(place.path)}` })
    )
    if (count > 0) yield* Effect.flatMap(ExitStatus, (status) => Ref.set(status, 1))
    if (given.option("format") === "json") return yield* Console.log(JSON.stringify({ unreadable: count }, null, 2))
    const path = Terminal.tilde((yield* CliProcess).env, place.path)
    yield* Console.log(MemoryReport.unreadable(yield* Terminal.style, path, count))
  })

const programs: Readonly<Record<Action, (given: Given, operands: ReadonlyArray<string>) => Outcomes>> = {
  add,
  list,
  prune,
  verify
}

export const outcomes = (given: Given): Outcomes =>
  Effect.gen(function* () {
    const [word, ...operands] = given.operands
    const action = actions.find((one) => one === word)
    if (action === undefined)
      return yield* usage(
        word === undefined
          ? "needs add, list, prune or verify"
          : `"${oneLine(word.slice(0, 100))}" is none of add, list, prune and verify`
      )
    yield* fitting(action, given)
    yield* programs[action](given, operands)
  })
