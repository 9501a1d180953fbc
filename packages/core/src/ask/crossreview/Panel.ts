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

/** Where the author was named, whoever is named for the other role takes its place. */
export const of = <A extends Member>(named: ReadonlyArray<A>, biased: Biased): Panel<A> => {
  const other = named.find((one) => bias(one, biased) === null)
  const seats = named.map((one): Panel<A> => {
    const { modelId, role } = one
    const why = bias(one, biased)
    if (why === null) return { asked: [one], leftOut: [] }
    const standIn = why === wroteItself ? other : undefined
    const rest = standIn === undefined ? another(one) : `${standIn.modelId} takes its place`
    return {
      asked: standIn === undefined ? [] : [{ ...standIn, role }],
      leftOut: [{ role, modelId, reason: `${why}; ${rest}` }]
    }
  })
  return { asked: seats.flatMap(({ asked }) => asked), leftOut: seats.flatMap(({ leftOut }) => leftOut) }
}
