/** Reads the record of a review in `.reflection/` as a stop of a report. */
import * as ArtifactFiles from "@reflexion/core/internal/review/records/ArtifactFiles"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { CheckResult } from "@reflexion/core/internal/checks/CheckResult"
import * as AskedLine from "@reflexion/core/internal/review/tiers/AskedLine"
import { Verdict } from "@reflexion/core/Verdict"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"

const { cost, feedback, missing, reason, source, status, task, turn } = Verdict.fields

const gate = Schema.Struct({ gate: Schema.String, required: Schema.Boolean, result: Schema.String })

const orNull = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { default: () => null })

const Question = Schema.Struct({
  model: Schema.NullOr(Schema.String),
  ms: Schema.Number,
  inputTokens: Schema.Number,
  outputTokens: Schema.Number
})

const Record = Schema.Struct({
  version: Schema.Literal(1),
  sessionId: Schema.String,
  host: Schema.String,
  timestamp: Schema.Finite.pipe(Schema.between(0, 8.64e15)),
  task: task.pick("summary"),
  evidence: Schema.Struct({
    gates: Schema.Array(gate),
    checks: orNull(Schema.Array(CheckResult.pick("command", "result", "detail", "cached")))
  }),
  selfAssessment: orNull(
    Schema.Struct({
      model: Schema.NullOr(Schema.String),
      problem: Schema.NullOr(Schema.String),
      end: orNull(Schema.Literal("answered", "late", "failed", "unreadable", "overtaken")),
      question: orNull(Question)
    })
  ),
  verdict: Schema.Struct({ turn: turn.pick("index"), status, reason, feedback, missing, source }),
  progress: orNull(Schema.Struct({ followed: Schema.String, summary: Schema.String })),
  decision: Schema.Struct({
    kind: Schema.String,
    reason: Schema.String,
    attempt: Schema.NullOr(Schema.Number),
    maxAttempts: Schema.Number
  }),
  cost
})

const askedOf = (asked: (typeof Record.Type)["selfAssessment"]): string | null =>
  asked === null
    ? null
    : [AskedLine.describe(asked) ?? `asked ${asked.model ?? "a model"}`, asked.problem].filter(Boolean).join(": ")

const stopOf = ({ evidence, task, verdict, ...record }: typeof Record.Type) => ({
  ...verdict,
  session: record.sessionId,
  host: record.host,
  at: record.timestamp,
  task: task.summary,
  turn: verdict.turn.index,
  gates: evidence.gates,
  checks: evidence.checks ?? [],
  asked: askedOf(record.selfAssessment),
  progress: record.progress?.followed ?? null,
  decision: record.decision,
  cost: record.cost
})

export type Stop = ReturnType<typeof stopOf>

const decode = Schema.decodeUnknownOption(Schema.parseJson(Record))

const textOf = Option.liftThrowable((file: string) =>
  PlainFiles.read(file, { maxBytes: ArtifactFiles.maxBytes, ofWorkspace: true })
)

/** Empty if the folder does not exist. Throws if it is a link or not a folder. */
export const namesIn = (folder: string): ReadonlyArray<string> => {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() === false)
    throw new Error(`${folder} is not a folder, or it is a symbolic link, which reflexion does not follow`)
  return found === undefined ? [] : readdirSync(folder).slice(0, 20_000)
}

const timeIn = (name: string): number => Number(/_(\d{13,15})\.json$/u.exec(name)?.[1] ?? 0)

/** Reflexion keeps fewer files than this. Additional files come from another program. */
const most = 500

export const stopsOf = (root: string) => {
  const folder = join(root, ArtifactFiles.directory)
  const names = namesIn(folder).filter((name) => timeIn(name) > 0 && !/^verdict_/iu.test(name))
  const newest = names.toSorted((one, other) => timeIn(other) - timeIn(one)).slice(0, most)
  const stops = newest.flatMap((name) => Option.toArray(Option.flatMap(textOf(join(folder, name)), decode)))
  return { stops: stops.map(stopOf), damaged: newest.length - stops.length }
}
