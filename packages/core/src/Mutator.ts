/**
 * PORT: hands a recommended change to whoever may carry it out. What comes of it is for a person to look at: nothing that
 * is in use is changed.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { RecommendedAction } from "./RecommendedAction.ts"

/**
 * What a mutator's agent may use, in no host's own names. `shell` runs commands.
 *
 * @since 0.1.0
 * @category models
 */
export const Tool = Schema.Literal("read", "search", "edit", "write", "shell")

/**
 * @since 0.1.0
 * @category models
 */
export type Tool = typeof Tool.Type

/**
 * `maxRounds` is how often the agent may ask its model.
 *
 * @since 0.1.0
 * @category models
 */
export interface Constraints {
  readonly tools: ReadonlyArray<Tool>
  readonly maxRounds: number
}

/**
 * What was left behind for a person: a file with a proposal, or a branch with a change; `reference` is the file's path or
 * the branch's name.
 *
 * @since 0.1.0
 * @category models
 */
export const Mutation = Schema.Struct({
  actionId: Schema.String,
  kind: Schema.Literal("proposal", "branch"),
  reference: Schema.String,
  detail: Schema.String
}).annotations({ identifier: "Mutation" })

/**
 * @since 0.1.0
 * @category models
 */
export type Mutation = typeof Mutation.Type

/**
 * Why there is none. `unchanged`: the agent ended and changed nothing.
 *
 * @since 0.1.0
 * @category errors
 */
export class MutatorError extends Schema.TaggedError<MutatorError>("@reflexion/core/MutatorError")("MutatorError", {
  actionId: Schema.String,
  reason: Schema.Literal("unavailable", "unchanged", "timed_out", "failed"),
  detail: Schema.String
}) {
  override get message() {
    return `the recommended change ${this.actionId} was not made (${this.reason.replaceAll("_", " ")}): ${this.detail}`
  }
}

/**
 * At most so many changes in one cycle, each by an agent of at most so many rounds.
 *
 * @since 0.1.0
 * @category limits
 */
export const limits = { perCycle: 3, rounds: 5 } as const

/**
 * Reads and edits files, and runs nothing.
 *
 * @since 0.1.0
 * @category constants
 */
export const constraints: Constraints = { tools: ["read", "search", "edit", "write"], maxRounds: limits.rounds }

/**
 * @since 0.1.0
 * @category services
 */
export class Mutator extends Context.Tag("@reflexion/core/Mutator")<
  Mutator,
  {
    readonly propose: (action: RecommendedAction, constraints: Constraints) => Effect.Effect<Mutation, MutatorError>
  }
>() {}
