/**
 * PORT: hands a recommended change to one who may carry it out. What comes of it is for a person to look at: nothing that
 * is in use is changed.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as FS from "node:fs"
import * as Path from "node:path"
import { safeName } from "../../base/system/FileNames.ts"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import { messageOf, oneLine } from "../../base/text/Text.ts"
import * as ReviewFolder from "../../review/records/ReviewFolder.ts"
import type { RecommendedAction } from "./RecommendedAction.ts"

/**
 * What was left behind for a person: a file with a proposal, or a branch with a change; `reference` is the file's path or
 * the branch's name.
 *
 * @category models
 */
export const Mutation = Schema.Struct({
  actionId: Schema.String,
  kind: Schema.Literal("proposal", "branch"),
  reference: Schema.String,
  detail: Schema.String
}).annotations({ identifier: "Mutation" })

export type Mutation = typeof Mutation.Type

/**
 * Why there is none. `unchanged`: the agent ended and changed nothing.
 *
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
 * At most so many changes in one cycle, each by an agent that asks its model so often.
 *
 * @category limits
 */
export const limits = { perCycle: 3, rounds: 5 } as const

/**
 * What a test mutator was handed, oldest first.
 *
 * @category testing
 */
export class MutatorRecord extends Context.Tag("@reflexion/core/Mutator/MutatorRecord")<
  MutatorRecord,
  { readonly proposed: Effect.Effect<ReadonlyArray<RecommendedAction>> }
>() {}

/**
 * The folder of proposals, below the one of a workspace's records.
 *
 * @category constants
 */
export const proposals = "proposals"

const failed = (actionId: string, detail: string) => new MutatorError({ actionId, reason: "failed", detail })

/** More than anybody reads. */
const maxProposals = 500

const textOf = ({ change, id, reason, target }: RecommendedAction): string =>
  [
    `# A change${target === null ? "" : ` of ${oneLine(target, 200)}`}`,
    `Proposal ${id}, by a model that looked at how the runs of many tasks ended. Nothing was changed.`,
    `## What to change\n\n${change}`,
    ...(reason === "" ? [] : [`## Why\n\n${reason}`]),
    "Make the change, or delete this file.\n"
  ].join("\n\n")

const write = (directory: string, action: RecommendedAction): Mutation => {
  const folder = ReviewFolder.plain(Path.join(ReviewFolder.make(directory), proposals))
  const name = `${safeName(action.id)}.md`
  const reference = Path.join(folder, name)
  const made = (detail: string): Mutation => ({ actionId: action.id, kind: "proposal", reference, detail })
  const names = FS.readdirSync(folder)
  if (names.includes(name)) return made("the same was proposed before")
  if (names.length >= maxProposals)
    throw new MutatorError({
      actionId: action.id,
      reason: "unavailable",
      detail: ".reflection/proposals is full: make the changes that stand there, or delete the files"
    })
  PlainFiles.write(reference, textOf(action))
  return made("written for a person to read")
}

const proposal = (directory: string, action: RecommendedAction) =>
  Effect.try({
    try: () => write(directory, action),
    catch: (cause) => (cause instanceof MutatorError ? cause : failed(action.id, messageOf(cause)))
  })

/**
 * @example
 * ```ts
 * import { Mutator } from "@reflexion/core/Mutator"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { propose } = yield* Mutator
 *   const action = {
 *     id: "prices-moved",
 *     target: "skills/prices.md",
 *     change: "Read the prices from api/v2.",
 *     reason: "What it reads was moved."
 *   }
 *   const { kind, reference } = yield* propose(action)
 *   console.log(kind, reference) // => proposal .reflection/proposals/prices-moved.md
 * })
 *
 * await Effect.runPromise(Effect.provide(program, Mutator.Proposal({ directory: "." })))
 * ```
 *
 * @category services
 */
export class Mutator extends Context.Tag("@reflexion/core/Mutator")<
  Mutator,
  {
    /** The agent reads and edits files, in at most `limits.rounds` rounds, and runs nothing. */
    readonly propose: (action: RecommendedAction) => Effect.Effect<Mutation, MutatorError>
  }
>() {
  /**
   * Runs no agent: writes `.reflection/proposals/<id>.md` below a workspace. What was proposed before stays as it is; a
   * symbolic link in a folder's place is refused.
   */
  static readonly Proposal = ({ directory }: { readonly directory: string }): Layer.Layer<Mutator> =>
    Layer.succeed(Mutator, {
      propose: Effect.fn("Mutator.propose")((action: RecommendedAction) => proposal(directory, action))
    })

  /** Changes nothing, and records what it was handed in `MutatorRecord`; fails for the actions of these ids. */
  static readonly Test = (
    options: { readonly failing?: ReadonlyArray<string> } = {}
  ): Layer.Layer<Mutator | MutatorRecord> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const proposed = yield* Ref.make<ReadonlyArray<RecommendedAction>>([])
        const propose = Effect.fn("Mutator.propose")(function* (action: RecommendedAction) {
          yield* Ref.update(proposed, (all) => [...all, action])
          if (options.failing?.includes(action.id) === true) return yield* failed(action.id, "the test's mutator fails")
          const mutation: Mutation = { actionId: action.id, kind: "proposal", reference: action.id, detail: "a test" }
          return mutation
        })
        return Context.make(Mutator, { propose }).pipe(Context.add(MutatorRecord, { proposed: Ref.get(proposed) }))
      })
    )
}
