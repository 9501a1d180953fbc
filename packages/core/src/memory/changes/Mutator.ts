/** PORT: passes on a recommended change, so that a person can review it. Files in use do not change. */
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
 * What the mutator left for a person: a file with a proposal, or a branch with the change.
 *
 * @category models
 */
export const Mutation = Schema.Struct({
  actionId: Schema.String,
  kind: Schema.Literal("proposal", "branch"),
  /** The path of the file, or the name of the branch. */
  reference: Schema.String,
  detail: Schema.String
}).annotations({ identifier: "Mutation" })

export type Mutation = typeof Mutation.Type

/**
 * Why a recommended change was not made. `unchanged` means that the agent ended without changing a file.
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
 * Maximum numbers: `perCycle` for the changes in one cycle, `rounds` for an agent's model calls for one change.
 *
 * @category limits
 */
export const limits = { perCycle: 3, rounds: 5 } as const

/** The folder for proposals, below the record folder of a workspace. */
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
  if (FS.existsSync(reference)) return made("the same change was proposed before")
  PlainFiles.write(reference, textOf(action))
  return made("written for a person to read")
}

export class Mutator extends Context.Tag("@reflexion/core/Mutator")<
  Mutator,
  {
    /** If an agent makes the change, it may only read and edit files, in at most `limits.rounds` rounds. */
    readonly propose: (action: RecommendedAction) => Effect.Effect<Mutation, MutatorError>
  }
>() {
  /**
   * Runs no agent. Writes the change to `.reflection/proposals/<id>.md`, unless this file exists. Fails if a folder is
   * a symbolic link.
   */
  static readonly Proposal = ({ directory }: { readonly directory: string }): Layer.Layer<Mutator> =>
    Layer.succeed(Mutator, {
      propose: Effect.fn("Mutator.propose")((action: RecommendedAction) =>
        Effect.try({ try: () => write(directory, action), catch: (cause) => failed(action.id, messageOf(cause)) })
      )
    })
}
