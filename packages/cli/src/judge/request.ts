/** Turns the arguments of `reflexion judge` into a request. */
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import * as Either from "effect/Either"
import * as Record from "effect/Record"
import { UsageError } from "../process/CliError.ts"
import type { ReadingRequest } from "../session/SessionReading.ts"
import { clean } from "../terminal/Layout.ts"
import type { JudgeArguments } from "./options.ts"
import type { Turn } from "./SessionFold.ts"

const views = ["verdict", "stuck", "compaction", "score"] as const

/** For each option, the views that use it. */
const optionViews = {
  show: views,
  host: views,
  cwd: views,
  task: views,
  profile: views,
  format: views,
  turn: ["verdict"],
  attended: ["verdict"],
  now: ["verdict", "stuck"],
  model: ["verdict", "score"],
  checks: ["verdict"],
  "done-when": ["verdict"],
  "cross-review": ["verdict"]
} as const satisfies Record<string, ReadonlyArray<(typeof views)[number]>>

export type Format = "text" | "json" | "jsonl"

export interface JudgeRequest extends ReadingRequest {
  /** If empty, the newest session of the directory is used. */
  readonly files: ReadonlyArray<string>
  readonly format: Format
  readonly show: (typeof views)[number]
  /** Null uses the session's prompt. */
  readonly task: string | null
  readonly turn: Turn
  /** Null means the time of the session's last event, or the present in the view `stuck`. */
  readonly now: string | null
  /** "off", "auto" or the name of a model. */
  readonly model: string
  readonly checks: boolean
  readonly crossReview: boolean
  readonly doneWhen: string | null
}

const quote = (value: string): string => `"${clean(value.slice(0, 100)).replaceAll("\n", " ")}"`

const iso = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/u

/** Null for an invalid time, for example the 30th of February. */
const timeOf = (value: string): string | null => {
  const [, day = ""] = iso.exec(value) ?? []
  const [date, time] = [Date.parse(day), Date.parse(value)]
  if (Number.isNaN(date) || Number.isNaN(time) || new Date(date).toISOString().slice(0, 10) !== day) return null
  return new Date(time).toISOString()
}

const turnOf = (value: string): Turn | null => {
  if (value === "last" || value === "all") return value
  return /^\d{1,9}$/u.test(value) ? Number(value) : null
}

const isModel = (value: string): boolean =>
  value === "off" || value === "auto" || (ModelRouting.parse(value) !== null && !/\s/u.test(value))

const refuse = (problem: string) => Either.left(new UsageError({ command: "reflexion judge", problem }))

const valued = <A>(name: string, value: string, found: A | null, what: string): Either.Either<A, UsageError> =>
  found === null ? refuse(`--${name}: ${quote(value)} is not ${what}`) : Either.right(found)

export const requestOf = (given: JudgeArguments): Either.Either<JudgeRequest, UsageError> =>
  Either.gen(function* () {
    const { attended, cwd, files, model, now, task, turn } = given
    const show = given.show ?? "verdict"
    const stray = Record.keys(optionViews).find(
      (name) => given[name] !== null && !optionViews[name].some((view) => view === show)
    )
    if (stray !== undefined) yield* refuse(`--show ${show} takes no --${stray}`)
    if (files.filter((file) => file === "-").length > 1) yield* refuse("-: standard input can be read only once")
    if (files.includes("")) yield* refuse('"" is not a file')
    if (task?.trim() === "") yield* refuse("--task needs a text")
    if (cwd === "") yield* refuse("--cwd needs a directory")
    if (given["done-when"] === "") yield* refuse("--done-when needs a file")
    return {
      show,
      format: given.format ?? "text",
      profile: given.profile,
      attended: attended === null || attended === "auto" ? attended : attended === "true",
      files,
      host: given.host === "auto" ? null : given.host,
      cwd,
      task,
      turn: turn === null ? "last" : yield* valued("turn", turn, turnOf(turn), "last, all or the number of a turn"),
      now:
        now === null
          ? null
          : yield* valued("now", now, timeOf(now), "an ISO 8601 time with its zone, such as 2026-01-31T12:00:00Z"),
      model:
        model === null
          ? "off"
          : yield* valued("model", model, isModel(model) ? model : null, "off, auto or a name such as openai/gpt-5"),
      checks: given.checks !== null,
      crossReview: given["cross-review"] !== null,
      doneWhen: given["done-when"]
    }
  })
