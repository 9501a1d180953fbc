/** How the reflection cycle is set, what it reports, tells and offers. */
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

/**
 * What the cycle tells: that a rule found something, that a model looked at what they found, that a skill is loaded by attempts
 * that fail.
 */
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

/** How an analysis says what it recommends, behind what it observed: one change a line. */
export const recommended = "\n\nRecommended:\n"

/** What is told of a finding, now or after a restart. */
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

/** By the names of the configuration's section `cycle`. */
export type Settings = ReflexionConfig["cycle"]

/**
 * What came of one run: how many outcomes of the window the rules had, what is new of what they found, what a model said of
 * it (null where none was asked or none answered), and what was left behind for a person.
 */
export interface Report {
  readonly outcomes: number
  readonly findings: ReadonlyArray<ReflectionFinding>
  readonly analysis: Analysis | null
  readonly mutations: ReadonlyArray<Mutation>
}

export interface Service {
  /**
   * Looks at the outcomes, now. `analyse`: whether a model may be asked about what is found, and what it recommends be handed
   * on; true unless said otherwise.
   */
  readonly run: (options?: { readonly analyse?: boolean }) => Effect.Effect<Report, StorageError>
  /** What is told from now on; one who takes it so slowly that more than 1,024 wait misses the oldest of them. */
  readonly events: Stream.Stream<CycleEvent>
  /**
   * What is told from now on as a queue of the newest 1,024: one who takes from it before there are more has missed nothing
   * since. What was found is in the `FindingLog` in any case.
   */
  readonly subscribe: Effect.Effect<Queue.Dequeue<CycleEvent>, never, Scope.Scope>
  /**
   * The newest 200 of what was told, oldest first, also before a restart: as the `FindingLog` has it. Empty where that
   * cannot be read, which is logged.
   */
  readonly history: () => Effect.Effect<ReadonlyArray<CycleEvent>>
}

/**
 * `settings` are those of the configuration, for what is left out the defaults. `debounce`: for so long the cycle waits
 * after an outcome that calls for it, so that others come along; half a second.
 */
export interface Options {
  readonly settings?: Partial<Settings>
  readonly debounce?: Duration.DurationInput
}
