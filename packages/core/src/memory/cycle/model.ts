/** The settings, reports, events and functions of the reflection cycle. */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { ReflexionConfig } from "../../session/config/ReflexionConfig.ts"
import type { Mutation } from "../changes/Mutator.ts"
import type { Analysis } from "../changes/ReflectionAnalysis.ts"
import type { StorageError } from "../log/StorageError.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"

/** A rule found something, a model completed an analysis, or many failed attempts loaded the same skill. */
export type CycleEvent =
  | {
      readonly type: "reflection.finding"
      readonly rule: ReflectionFinding["rule"]
      readonly severity: ReflectionFinding["severity"]
      readonly subject_id: string
      readonly action_taken: string | null
    }
  | {
      readonly type: "reflection.analysis_completed"
      readonly findings_count: number
      readonly actions_recommended: number
    }
  | { readonly type: "reflection.skill_flagged"; readonly skill_name: string; readonly failure_count: number }

/** The text between the observations of an analysis and the recommended changes. Each change has its own line. */
export const recommended = "\n\nRecommended:\n"

/** The same finding gives the same events after a restart. */
export const eventsOf = (finding: ReflectionFinding): ReadonlyArray<CycleEvent> => {
  const { actionTaken, count = 0, detail, rule, severity, subjectId } = finding
  if (rule === "analysis") {
    const [, list = ""] = detail.split(recommended)
    const actions = list.split("\n").filter((line) => line.startsWith("- ")).length
    return [{ type: "reflection.analysis_completed", findings_count: count, actions_recommended: actions }]
  }
  const found = { rule, severity, subject_id: subjectId, action_taken: actionTaken }
  const isOfSkill = rule === "skill_failure_correlation"
  return [
    { type: "reflection.finding", ...found },
    ...(isOfSkill ? [{ type: "reflection.skill_flagged", skill_name: subjectId, failure_count: count } as const] : [])
  ]
}

/** The fields have the same names as in the configuration's section `cycle`. */
export type Settings = ReflexionConfig["cycle"]

export interface Report {
  /** How many outcomes the time window has. */
  readonly outcomes: number
  /** The findings that are new. */
  readonly findings: ReadonlyArray<ReflectionFinding>
  /** Null if no model was asked or no model answered. */
  readonly analysis: Analysis | null
  /** The proposals and branches that wait for a person's review. */
  readonly mutations: ReadonlyArray<Mutation>
}

export interface Service {
  /** Looks at the outcomes. Unless `analyse` is false, a model may be asked, and its recommendations are passed on. */
  readonly run: (options?: { readonly analyse?: boolean }) => Effect.Effect<Report, StorageError>
  /** The events from now on. A slow reader loses the oldest events when more than 1,024 are waiting. */
  readonly events: Stream.Stream<CycleEvent>
  /** Like `events`, as a queue of the newest 1,024. All findings are also in the `FindingLog`. */
  readonly subscribe: Effect.Effect<Queue.Dequeue<CycleEvent>, never, Scope.Scope>
  /** The newest 200 events of the `FindingLog`, oldest first. Empty if the log cannot be read; this is logged. */
  readonly history: () => Effect.Effect<ReadonlyArray<CycleEvent>>
}

export interface Options {
  /** A setting that is left out has the default of the configuration. */
  readonly settings?: Partial<Settings>
  /** How long the cycle waits after an outcome for others to arrive. The default is half a second. */
  readonly debounce?: Duration.DurationInput
}
