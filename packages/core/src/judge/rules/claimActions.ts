/** What an agent is told to do about claims that the record does not bear out: what to run, or to take them back. */
import type { Claim } from "../../session/claims/Claims.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { commandOf } from "./gateFindings.ts"
import { orCorrect } from "./ReportWords.ts"

/** Others see these: nobody is to do them only because they were reported. */
const outward: Readonly<Record<string, string>> = {
  commit: "commit",
  push: "push",
  pr: "open the pull request"
}

const each = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

const withAnd = (texts: ReadonlyArray<string>): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1) ?? ""}`

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A check by its command; of all there are, by no name. */
const toRun = (gate: string, { gates }: Pick<Facts, "gates">): string => {
  const found = gates.find((one) => one.gate === gate)
  return found === undefined ? "the checks" : commandOf(found)
}

/**
 * What to do about the claims of one sentence.
 *
 * @category constructors
 */
export const actionFor = (claims: ReadonlyArray<Claim>, facts: Pick<Facts, "gates">): string => {
  const gates = each(claims.map(({ gate }) => gate))
  const checks = each(
    gates.filter((gate) => gate !== "ci" && !Object.hasOwn(outward, gate)).map((gate) => toRun(gate, facts))
  )
  const trial = [
    ...(checks.length === 0 ? [] : [`run ${withAnd(checks)}`]),
    ...(gates.includes("ci") ? ["look at CI"] : [])
  ]
  const deeds = gates.flatMap((gate) => (Object.hasOwn(outward, gate) ? (outward[gate] ?? []) : []))
  const parts = [
    ...(trial.length === 0 ? [] : [`${withAnd(trial)} and report what that shows`]),
    ...(deeds.length === 0 ? [] : [`${withAnd(deeds)} if that was asked for`])
  ]
  return `${capital(parts.join(", "))}, ${orCorrect}`
}
