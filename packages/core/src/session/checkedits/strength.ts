/** How much an assertion demands: nothing, something, nearly a value or one value, and how far off is still right. */
import { literalsOf, plainValue } from "./statements.ts"

/** `expect(true).toBe(true)`, `assert 1 == 1`, `self.assertTrue(True)` */
const empty =
  /\bexpect\((true|false|1|null)\)\.?(?:to)?\.?(?:be|equal|eql?|toBe|toEqual|toStrictEqual|toBeTruthy|toBeFalsy|toBeDefined|to be)\w{0,10}[( ]?(?:\1)?\)?|\bassert\w{0,20}!?[.(: ]{1,2}\(?(?:true|True|1|1==1|true,true|1,1|True==True)(?:[),]|$)|\bAssert\.(?:True|IsTrue|Pass|That)\((?:true\b|\))|\bt\.pass\(|\bassertTrue\((?:true|True)\b|\bXCTAssert(?:True)?\(true\)|\b(?:EXPECT|ASSERT)_TRUE\(true\)|\b(?:CHECK|REQUIRE)\(true\)|#expect\(true\)/

const near =
  /\b(?:approx|closeTo|toBeCloseTo|almost\w{0,10}|InDelta|InEpsilon|within|be_within|be_close_to|delta|isclose|allclose|BeApproximately|closeTo|\w{0,10}_NEAR|accuracy|WithinAbs|margin)\b|[aA]lmostEqual|\b(?:abs|rel|atol|rtol|tolerance|epsilon)=/

const weak =
  /\.(?:toBeDefined|toBeTruthy|toBeFalsy|toBeInstanceOf|toBeTypeOf|toBeGreaterThan\w{0,10}|toBeLessThan\w{0,10}|toContain\w{0,10}|toMatch\b|toMatchObject|toHaveProperty)|\bnot\.(?:to|be)|\.not\b|\bexpect\.(?:any|anything|objectContaining|stringContaining|stringMatching)|\b\w{0,20}Not(?:Null|Nil|None|Empty|Equal|Throw\w{0,10}|Be\w{0,10})\b|assert(?:Not|Is)\w{1,30}|\bis not None|\bisinstance\(|!= ?(?:null|nil|None|undefined)|\bbe_(?:truthy|present|a|kind_of|an_instance_of)|not_to\b|to_not\b|\bis_(?:ok|some|err)\(|InstanceOf|IsType|typeof|\bGreater\w{0,10}|\bLess\w{0,10}|\bContains?\b|assert(?:In|Contains|Match\w{0,20}|Greater\w{0,10}|Less\w{0,10}|True|False|IsInstance)\b|\bin\b|!=|[^=-]>|<(?![\w,<> ]{1,60}>\()|_(?:NE|GT|GE|LT|LE|TRUE|FALSE)\b|\b(?:True|False|IsTrue|IsFalse|NotNull|NotNil|NoError|OK)\(|\bassert_match|\bassert_nothing_raised|toBeOneOf|anyOf|any_of|\bassert!\(|\bor\b|\|\|/

/** 0 to 3, the more the stricter. */
export const strength = (statement: string): number => {
  if (empty.test(statement)) return 0
  if (near.test(statement)) return 2
  return weak.test(statement) ? 1 : 3
}

const words = /[A-Za-z_]\w{2,60}/g

const matchers =
  /^(?:expect|assert\w*|self|to|not|be|toBe\w*|toEqual|toStrictEqual|should\w*|equal\w*|is|that|await|const|true|false|True|False|None|null|nil|Assert|Equal|Equals|eq|the)$/i

/** What an assertion is about: the names in it that no assertion has by itself. */
const subjects = (statement: string): ReadonlySet<string> =>
  new Set((statement.replaceAll(/'[^']{0,200}'/g, "").match(words) ?? []).filter((word) => !matchers.test(word)))

/** Whether two assertions have a name in common, or one of them is about nothing that has a name. */
export const isAboutSame = (one: string, other: string): boolean => {
  const left = subjects(one)
  const right = subjects(other)
  return left.size === 0 || right.size === 0 || [...right].some((word) => left.has(word))
}

/** The number says how many places count: fewer are laxer. */
const places = /(?:\bplaces|\bdecimals?|\bprecision|\bdigits|\bsig(?:nificant)?\w{0,8}|\bdp)\W{0,6}$/i
const byPlaces = /\b(?:toBeCloseTo|assert_?(?:Not)?AlmostEquals?|assert_(?:array_)?almost_equal)\(/i
/** With a third argument; `assert.equal` of JavaScript has none. */
const byThird = /\bAssert\.Equal\((?:[^,]{1,120},){2}/

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
  if ((byPlaces.test(statement) || byThird.test(statement)) && isLast && literalsOf(statement).length > 1) return -1
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
