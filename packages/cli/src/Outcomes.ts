/**
 * The program behind `reflexion outcomes`.
 *
 * @since 0.1.0
 */
import { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import type { AttemptOutcome as Outcome } from "@reflexion/core/AttemptOutcome"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { UsageError } from "./CliError.ts"
import { CliProcess } from "./CliProcess.ts"
import { oneLine } from "./Layout.ts"
import type { Given } from "./MemoryCommand.ts"
import * as MemoryInput from "./MemoryInput.ts"
import { slowly } from "./MemoryStore.ts"
import * as OutcomesReport from "./OutcomesReport.ts"
import { ageOf, type Outcomes, placeOf, refused, within } from "./OutcomesStore.ts"
import { escaped } from "./Report.ts"
import * as Terminal from "./Terminal.ts"

const command = "reflexion outcomes"

const usage = (problem: string) => new UsageError({ command, problem })

const decode = Schema.decodeUnknownEither(AttemptOutcome, { errors: "all" })

const onlyFor: Readonly<Record<"add" | "list", ReadonlyArray<string>>> = {
  add: [],
  list: ["since", "status", "task", "limit", "format"]
}

/** An option that says nothing to what is done is a mistake. */
const fitting = (action: "add" | "list", { option }: Given) => {
  const others = onlyFor.list.filter((name) => !onlyFor[action].includes(name) && option(name) !== null)
  return others.length === 0 ? Effect.void : Effect.fail(usage(`add takes no --${others[0]}`))
}

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
        within(place, { writes: true, doing: `adding to ${shown}` })
      )
    yield* Console.log(`${OutcomesReport.counted(outcomes.length, "outcome")} added to ${shown}`)
  })

const limitOf = (given: Given) => {
  const limit = given.option("limit") ?? "20"
  return /^[1-9]\d{0,6}$/u.test(limit)
    ? Effect.succeed(Number(limit))
    : Effect.fail(usage(`--limit: "${oneLine(limit.slice(0, 100))}" is no count`))
}

const statuses = ["completed", "failed", "timeout"] as const

const most = 1_000_000

const list = (given: Given, operands: ReadonlyArray<string>): Outcomes =>
  Effect.gen(function* () {
    if (operands.length > 0) return yield* usage("list takes no file: name the log with --outcomes")
    const limit = yield* limitOf(given)
    const age = (yield* ageOf(command, given.option("since"))) ?? Duration.hours(24)
    const since = (yield* Clock.currentTimeMillis) - Duration.toMillis(age)
    const status = statuses.find((one) => one === given.option("status"))
    const task = given.option("task")
    const place = yield* placeOf(given)
    const wanted = { limit: task === null ? limit : most, ...(status !== undefined && { status }) }
    const found = yield* Effect.flatMap(OutcomeLog, (log) =>
      Effect.mapError(log.outcomesSince(since, wanted), refused)
    ).pipe(within(place, { writes: false, doing: `reading ${oneLine(place.path)}` }))
    const shown = found.filter(({ taskId }) => task === null || taskId === task).slice(-limit)
    if (given.option("format") === "json") return yield* Console.log(escaped(JSON.stringify(shown, null, 2)))
    const path = Terminal.tilde((yield* CliProcess).env, place.path)
    yield* Console.log(OutcomesReport.list(yield* Terminal.style, shown, path))
  })

/**
 * @since 0.1.0
 * @category programs
 */
export const outcomes = (given: Given): Outcomes =>
  Effect.gen(function* () {
    const [action, ...operands] = given.operands
    if (action !== "add" && action !== "list")
      return yield* usage(
        action === undefined ? "needs add or list" : `"${oneLine(action.slice(0, 100))}" is neither add nor list`
      )
    yield* fitting(action, given)
    yield* action === "add" ? add(given, operands) : list(given, operands)
  })
