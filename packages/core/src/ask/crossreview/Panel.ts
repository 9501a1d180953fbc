/**
 * Who may review a change: nobody who wrote it, and nobody who has judged it already. Pure: which model a name stands for
 * is a parameter.
 */
import * as ModelRouting from "../models/ModelRouting.ts"
import type { Consensus, Role } from "./model.ts"

/** `real`: the name of the model that the name stands for. */
export interface Member {
  readonly role: Exclude<Role, "author">
  readonly modelId: string
  readonly real?: string
}

/**
 * `judgedBy`: the names of the models that gave the verdict, none where evidence did. `writtenBy`: those of the models that
 * worked on the task, as its record has them.
 */
export interface Biased {
  readonly judgedBy?: ReadonlyArray<string>
  readonly writtenBy?: ReadonlyArray<string>
}

type LeftOut = Consensus["leftOut"][number]

/** Who is asked in which role, and who was named for one and is not asked in it. */
export interface Panel<A extends Member> {
  readonly asked: ReadonlyArray<A>
  readonly leftOut: ReadonlyArray<LeftOut>
}

const wroteItself = "it wrote this turn itself"

const judgedItself = "it judged the turn itself"

/** Nobody is to ask again for the same change whoever was left out for this. */
export const isForGood = ({ reason }: LeftOut): boolean =>
  [wroteItself, judgedItself].some((words) => reason.startsWith(words))

const namesOf = ({ modelId, real }: Member): ReadonlyArray<string> => [modelId, real ?? modelId]

const wrote = (one: Member, { writtenBy = [] }: Biased): boolean =>
  writtenBy.some((author) => namesOf(one).some((name) => ModelRouting.isRecordedAs(name, author)))

const judged = (one: Member, { judgedBy = [] }: Biased): boolean =>
  judgedBy.some((judge) => namesOf(one).some((name) => ModelRouting.isSame(judge, name)))

/** Why a model's opinion of a change is not its second one, null where it is. */
export const bias = (one: Member, biased: Biased): string | null => {
  if (wrote(one, biased)) return wroteItself
  return judged(one, biased) ? judgedItself : null
}

const another = ({ role }: Member): string => `name another in crossReview.${role}`

/** The same of who answered under a name, which only its provider may know: `claude-code/default` is some model. */
export const biasOf = (
  { answering, ...one }: Member & { readonly answering: string | null },
  biased: Biased
): string | null => {
  const place = ModelRouting.parse(one.modelId)
  if (answering === null || place === null) return null
  const why = bias({ ...one, real: ModelRouting.show({ ...place, model: answering }) }, biased)
  return why === null ? null : `${why}, as ${answering}; ${another(one)}`
}

/** Why nobody else need be named: the others stay where they are, for a model has one opinion, in whatever role it is asked. */
const rest = (one: Member, why: string, others: ReadonlyArray<Member>): string => {
  if (why !== wroteItself || others.length === 0) return another(one)
  const left = others.length === 1 ? "one reviewer is" : `${others.length} reviewers are`
  return `${left} left, ${others.map(({ modelId }) => modelId).join(", ")}`
}

/** Each of those that may be asked, once and in its own role. */
export const of = <A extends Member>(named: ReadonlyArray<A>, biased: Biased): Panel<A> => {
  const asked = named.filter((one) => bias(one, biased) === null)
  const leftOut = named.flatMap((one): ReadonlyArray<LeftOut> => {
    const { modelId, role } = one
    const why = bias(one, biased)
    return why === null ? [] : [{ role, modelId, reason: `${why}; ${rest(one, why, asked)}` }]
  })
  return { asked, leftOut }
}
