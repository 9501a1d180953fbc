/** Failing tasks whose output was really printed, each with what a careful reader says that the next attempt has to know. */
import type { FailureType } from "@reflexion/core/FailureContext"

/**
 * One way of saying what failed. `test` is the title of the failing test; `places` are the places `file:line` that lead to
 * the fault, from the project's root, of which one is enough; `expected` and `received` are the two values that differ;
 * `message` is the part of the error's own words that says what is wrong.
 */
export interface Failure {
  readonly test?: string
  readonly places?: ReadonlyArray<string>
  readonly expected?: string
  readonly received?: string
  readonly message?: string
}

export interface RetryTask {
  /** The task's name, unique among all tasks, and the folder of its recorded outputs. */
  readonly id: string
  /** The reason for the label, in one or two sentences. */
  readonly why: string
  /** What ran, as the table names it. */
  readonly runner: string
  readonly failureType: FailureType
  /** Packages of npm that the recording needs, with their exact versions. */
  readonly needs?: ReadonlyArray<string>
  /** The project, by the paths of its files. */
  readonly files: Readonly<Record<string, string>>
  readonly command: string
  /** What the second attempt changed. Where nothing is said it changed nothing, and the same command ran again. */
  readonly second?: Readonly<Record<string, string>>
  /** Whether the second attempt failed for the same cause. */
  readonly repeats: boolean
  /** What failed first. Where several tests failed for themselves, to be told of one of them is enough. */
  readonly failures: ReadonlyArray<Failure>
}
