/**
 * A model's answer as the record keeps it for the user: its own words, but without secrets, unseen characters and addresses
 * that the user did not write. A model that was talked round sends nobody anywhere there either.
 */
import { withoutUnnamed } from "../../base/text/Addresses.ts"
import type { JudgeAnswer, RemainingWork, SelfAssessment } from "./model.ts"
import * as Quotations from "./quotations.ts"
import { clean, type Turn } from "./TurnRecord.ts"

const maxWords = 2000

type Change = (text: string) => string

const changeOf = (turn: Turn): Change => {
  const own = Quotations.ownWords(turn)
  return (text) => withoutUnnamed(clean(text.slice(0, maxWords)), own)
}

const orNull = (change: Change, text: string | null): string | null => (text === null ? null : change(text))

const item =
  (change: Change) =>
  ({ event, kind, name, quote, what }: RemainingWork): RemainingWork => ({
    what: change(what),
    kind,
    event: change(event),
    quote: change(quote),
    name: orNull(change, name)
  })

type Claims = NonNullable<SelfAssessment["evidence"]>

const claims = (change: Change, { build, pr, tests }: Claims): Claims => ({
  tests: { ...tests, commands: tests.commands.map(change), skip_reason: orNull(change, tests.skip_reason) },
  build,
  pr: { ...pr, url: orNull(change, pr.url) }
})

export const assessment = (turn: Turn, answer: SelfAssessment): SelfAssessment => {
  const change = changeOf(turn)
  return {
    ...answer,
    evidence: answer.evidence === null ? null : claims(change, answer.evidence),
    claims: answer.claims.map((one) => ({ ...one, check: change(one.check), quote: change(one.quote) })),
    remaining_work: answer.remaining_work.map(item(change)),
    next_steps: answer.next_steps.map(change),
    needs_user_action: answer.needs_user_action.map(change),
    alternate_approach: orNull(change, answer.alternate_approach)
  }
}

export const judge = (turn: Turn, answer: JudgeAnswer): JudgeAnswer => {
  const change = changeOf(turn)
  return {
    ...answer,
    feedback: change(answer.feedback),
    missing: answer.missing.map(item(change)),
    next_actions: answer.next_actions.map(change)
  }
}
