/**
 * PORT: hands a recommended change to one who may carry it out. What comes of it is for a person to look at: nothing that
 * is in use is changed.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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

/** The folder of proposals, below the one of a workspace's records. */
export const proposals = "proposals"

const failed = (actionId: string, detail: string) => new MutatorError({ actionId, reason: "failed", detail })

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
  if (FS.existsSync(reference)) return made("the same was proposed before")
  PlainFiles.write(reference, textOf(action))
  return made("written for a person to read")
}

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
      propose: Effect.fn("Mutator.propose")((action: RecommendedAction) =>
        Effect.try({ try: () => write(directory, action), catch: (cause) => failed(action.id, messageOf(cause)) })
      )
    })

  /** Changes nothing: a branch by the change's own name, which is not there. */
  static readonly Test: Layer.Layer<Mutator> = Layer.succeed(Mutator, {
    propose: ({ id }) => Effect.succeed({ actionId: id, kind: "branch", reference: id, detail: "" })
  })
}
