/** How far from its value an assertion lets the result be. */
import { literalsOf, plainValue } from "./statements.ts"

/** The number says how many places count: fewer are laxer. */
const places = /(?:\bplaces|\bdecimals?|\bprecision|\bdigits|\bsig(?:nificant)?\w{0,8}|\bdp)\W{0,6}$/i
const byPlaces = /\b(?:toBeCloseTo|assert_?(?:Not)?AlmostEquals?|assert_(?:array_)?almost_equal)\(|\bAssert\.Equal\(/i

/** The number says how far off is still right. */
const bound =
  /(?:\babs|\brel|atol|rtol|tol(?:erance)?\w{0,12}|eps(?:ilon)?\w{0,6}|delta\w{0,6}|margin|accuracy|\bwithin|offset|percent\w{0,6}|ulps?|slack|fuzz|max_?diff\w{0,12}|maxDiff\w{0,12}|threshold)\W{0,8}$/i
const byBound =
  /\w{0,20}_NEAR\(|\bInDelta\w{0,10}\(|\bInEpsilon\w{0,10}\(|WithDelta\(|in_(?:delta|epsilon)\b|\bcloseTo\(|CloseTo\(|\bBeApproximately\(|\bWithin(?:Abs|Rel)\(|allclose\(|\bassert_relative_eq|\bassert_abs_diff_eq|\bassert_float_eq|\bassertEquals\((?:[^,]{1,120},){2}/

const less = /(?:<=?|[lL]ess\w{0,20}\(|\b(?:atMost|at_most|below|most)\W|_L[TE]\((?:[^,]{1,120},)?|be ?<=? ?)$/
const more = /(?:>=?|[gG]reater\w{0,20}\(|\b(?:atLeast|at_least|above|least)\W|_G[TE]\((?:[^,]{1,120},)?)$/

/** 1 where a higher number is laxer, -1 where a lower one is, 0 where it is a value that is wanted. */
const sense = (statement: string, literal: string, isLast: boolean): number => {
  const at = statement.lastIndexOf(literal)
  const head = statement.slice(Math.max(0, at - 120), at)
  if (places.test(head)) return -1
  if (bound.test(head)) return 1
  if (byPlaces.test(statement) && isLast && literalsOf(statement).length > 1) return -1
  if (byBound.test(statement) && isLast) return 1
  // `if math.Abs(got-want) > 0.1` fails above it, `assert diff < 0.1` passes below it.
  const fails = /^(?:\} else )?if\b/.test(statement) ? -1 : 1
  if (/=>$|->$/.test(head)) return 0
  if (less.test(head)) return fails
  if (more.test(head)) return -fails
  return 0
}

/** 1 where a statement lets through more than before, -1 where it does less, 0 where neither is so. */
export const widened = (was: string, now: string): number => {
  const [old, fresh] = [literalsOf(was), literalsOf(now)]
  for (const [index, value] of old.entries()) {
    const [one, other] = [Number(plainValue(value)), Number(plainValue(fresh[index] ?? ""))]
    if (one === other || Number.isNaN(one) || Number.isNaN(other)) continue
    const by = sense(was, value, index === old.length - 1)
    if (by !== 0) return other > one ? by : -by
  }
  return 0
}
