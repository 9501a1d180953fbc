/** What an agent is told to do about claims that the record does not bear out: what to run, or to take them back. */
import type { Claim } from "../../session/claims/Claims.ts"
import type { Facts } from "../../session/facts/Facts.ts"
import { commandOf } from "./gateFindings.ts"
import { orCorrect } from "./ReportWords.ts"

/** Others see these: nobody is to do them only because they were reported. */
const outward: Readonly<Record<string, string>> = {
  commit: "commit",
  push: "push",
  pr: "open the pull request",
  deploy: "deploy"
}

const trials: Readonly<Record<string, string>> = {
  benchmark: "measure it",
  coverage: "measure the coverage",
  look: "try it",
  browser: "look at it in a browser",
  platform: "try it there",
  audit: "run the scan",
  search: "search for it",
  tests_added: "write the tests",
  docs: "write the documentation"
}

const each = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]

const withAnd = (texts: ReadonlyArray<string>): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1) ?? ""}`

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const named = (words: Readonly<Record<string, string>>, claims: ReadonlyArray<Claim>): ReadonlyArray<string> =>
  each(claims.flatMap(({ kind }) => (Object.hasOwn(words, kind) ? (words[kind] ?? []) : [])))

/** The checks by their commands; of all there are, by no name. */
const checksIn = (claims: ReadonlyArray<Claim>, { gates }: Pick<Facts, "gates">): ReadonlyArray<string> =>
  each(
    claims.flatMap(({ gate, kind }) => {
      const found = gates.find((one) => one.gate === gate)
      if (kind === "checks" || (kind === "check" && found === undefined)) return ["the checks"]
      return kind === "check" && gate !== "ci" && found !== undefined ? [commandOf(found)] : []
    })
  )

/**
 * What to do about the claims of one sentence.
 *
 * @category constructors
 */
export const actionFor = (claims: ReadonlyArray<Claim>, facts: Pick<Facts, "gates">): string => {
  const checks = checksIn(claims, facts)
  const trial = [
    ...(checks.length === 0 ? [] : [`run ${withAnd(checks)}`]),
    ...(claims.some(({ gate }) => gate === "ci") ? ["look at CI"] : []),
    ...named(trials, claims)
  ]
  const deeds = named(outward, claims)
  const parts = [
    ...(trial.length === 0 ? [] : [`${withAnd(trial)} and report what that shows`]),
    ...(deeds.length === 0 ? [] : [`${withAnd(deeds)} if that was asked for`])
  ]
  return `${capital(parts.join(", "))}, ${orCorrect}`
}
