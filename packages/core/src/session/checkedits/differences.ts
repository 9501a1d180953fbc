/** What an edit of a file of tests changes in its checks. */
import * as KeyHash from "../../ground/system/KeyHash.ts"
import { delta, shown } from "./deltas.ts"
import { type Delta, type KnownFile, type TextEdit } from "./model.ts"
import { literalsOf, masked, more, plainValue } from "./statements.ts"
import { isAboutSame, strength, widened } from "./strength.ts"
import { readTests, type TestText } from "./testFile.ts"
import { ofMocks, ofStandIns } from "./mocks.ts"

const none: TestText = { tests: [], skipped: [], only: [], skips: [], asserts: [], others: [], mocks: [] }

const named = (kind: "skip" | "test", by: number, name: string, id: string): Delta =>
  delta(kind, by, id, { name: shown(name) })

const ofTests = (before: TestText, after: TestText): ReadonlyArray<Delta> => [
  ...more(before.tests, after.tests).map((name) => named("test", 1, name, name)),
  ...more(after.tests, before.tests).map((name) => named("test", -1, name, name))
]

/** The only test that a statement can be about is the one that it is written at. */
const soleName = ({ tests }: TestText): string | null => (tests.length === 1 ? (tests[0] ?? null) : null)

const leaves = /^(?:return|exit)\b/

const ofSkips = (before: TestText, after: TestText): ReadonlyArray<Delta> => {
  const name = soleName(after)
  const statement = (by: number) => (text: string) =>
    delta("skip", by, `statement:${text}`, {
      name: name === null ? null : shown(name),
      ...(by > 0 ? { now: shown(text) } : { was: shown(text) })
    })
  const wasThere = new Set(before.tests)
  // Who writes a test that is left out has taken nothing away.
  const isOld = (test: string): boolean => wasThere.has(test) || after.tests.every((other) => other !== test)
  // A handler or helper within a test may return as well.
  const isSole = after.asserts.length + after.others.length <= before.asserts.length + before.others.length + 1
  const isNewTest = after.tests.length > before.tests.length && before.asserts.length === 0
  return [
    ...more(after.skipped, before.skipped)
      .filter(isOld)
      .map((test) => named("skip", 1, test, test)),
    ...more(before.skipped, after.skipped).map((test) => named("skip", -1, test, test)),
    ...more(after.only, before.only).map((test) => delta("skip", 1, `only:${test}`, { now: shown(`only: ${test}`) })),
    ...more(before.only, after.only).map((test) => delta("skip", -1, `only:${test}`)),
    ...(isNewTest
      ? []
      : more(after.skips, before.skips)
          .filter((one) => isSole || !leaves.test(one))
          .map(statement(1))),
    ...more(before.skips, after.skips).map(statement(-1))
  ]
}

interface Pair {
  readonly was: string
  readonly now: string
}

const bearsValue =
  /\bto(?:Be|Equal|StrictEqual|HaveLength)\(|\b(?:be|equal|eql?|eq|is)\(|\b(?:want|expect\w*|exp|should|result|output|answer|golden|\w*(?:tol|eps|delta|margin|limit|max|threshold)\w*)\b|^[\d'[({§-]|^\(?§/i

/** A value in place of another in the same statement, and which it was. */
const ofValues = ({ now, was }: Pair, given: ReadonlySet<string>): Delta | null => {
  const old = literalsOf(was)
  const fresh = literalsOf(now)
  const at = old.findIndex((value, index) => plainValue(value) !== plainValue(fresh[index] ?? ""))
  if (at < 0) return null
  const wider = widened(was, now)
  if (wider !== 0) return delta("assert", wider, `tolerance:${masked(was)}`, { was: shown(was), now: shown(now) })
  const fits = fresh.some((value, index) => value !== old[index] && given.has(plainValue(value)))
  return delta("expected", 1, masked(was), { was: shown(was), now: shown(now), fits })
}

/** Statements that differ in their values alone. */
const valuePairs = (gone: ReadonlyArray<string>, come: ReadonlyArray<string>): ReadonlyArray<Pair> => {
  const left = [...come]
  return gone.slice(0, 200).flatMap((was) => {
    const blank = masked(was)
    const at = left.findIndex((now) => masked(now) === blank)
    if (at < 0) return []
    const [now = ""] = left.splice(at, 1)
    return [{ was, now }]
  })
}

const isCondition = (statement: string): boolean => /^(?:\} else )?if\b/.test(statement)

const strictest = (all: ReadonlyArray<string>): number => Math.max(0, ...all.map(strength))

const compares = /^if (?<what>[\w.()'[\]]{1,60})(?<by>!=|<=?|>=?)/

/** `if got != 45` fails a test of Go for all values but one, `if got < 0` for few. */
const ofConditions = (gone: ReadonlyArray<string>, come: ReadonlyArray<string>): ReadonlyArray<Delta> => {
  const [was = "", now = ""] = [gone[0], come[0]]
  const [one, other] = [compares.exec(was)?.groups, compares.exec(now)?.groups]
  if (gone.length !== 1 || come.length !== 1 || one === undefined || one["what"] !== other?.["what"]) return []
  const by = Number(one["by"] === "!=") - Number(other?.["by"] === "!=")
  return by === 0 ? [] : [delta("assert", by, `weak:${by > 0 ? was : now}`, { was: shown(was), now: shown(now) })]
}

/** Assertions that are gone and nothing is in their place, or only what demands less of the same. */
const ofLost = (gone: ReadonlyArray<string>, come: ReadonlyArray<string>): ReadonlyArray<Delta> => {
  if (come.length === 0) return gone.map((was) => delta("assert", 1, `gone:${was}`, { was: shown(was) }))
  if (gone.length === 0) return come.map((now) => delta("assert", -1, `gone:${now}`, { now: shown(now) }))
  if (gone.some(isCondition) || come.some(isCondition)) return ofConditions(gone, come)
  const by = strictest(gone) - strictest(come)
  const pair = gone.flatMap((was) => come.filter((now) => isAboutSame(was, now)).map((now) => ({ was, now })))[0]
  if (by === 0 || pair === undefined || come.length > gone.length) return []
  const strict = by > 0 ? pair.was : pair.now
  return [delta("assert", Math.sign(by), `weak:${strict}`, { was: shown(pair.was), now: shown(pair.now) })]
}

const ofAsserts = (before: TestText, after: TestText, given: ReadonlySet<string>): ReadonlyArray<Delta> => {
  const gone = more(before.asserts, after.asserts)
  const come = more(after.asserts, before.asserts)
  const alike = valuePairs(gone, come)
  const rows = valuePairs(more(before.others, after.others), more(after.others, before.others))
  const values = [...alike, ...rows.filter(({ was }) => bearsValue.test(was))]
  const lost = more(
    gone,
    alike.map(({ was }) => was)
  )
  const left = more(
    come,
    alike.map(({ now }) => now)
  )
  return [...values.flatMap((pair) => ofValues(pair, given) ?? []), ...ofLost(lost, left), ...ofLogged(before, after)]
}

const failsGo = /\b[tb]\.(?:Error|Fatal)f?\(/
const logsGo = /\b[tb]\.Logf?\(/

/** What failed a test only says so. */
const ofLogged = (before: TestText, after: TestText): ReadonlyArray<Delta> => {
  const gone = more(before.others, after.others)
  const come = more(after.others, before.others)
  const [failed, logged] = [gone.filter((one) => failsGo.test(one)), come.filter((one) => logsGo.test(one))]
  const [fails, logs] = [come.filter((one) => failsGo.test(one)), gone.filter((one) => logsGo.test(one))]
  const by = Math.min(failed.length, logged.length) - Math.min(fails.length, logs.length)
  if (by === 0 || gone.length > 4 || come.length > 4) return []
  const [was = "", now = ""] = by > 0 ? [failed[0], logged[0]] : [logs[0], fails[0]]
  return [delta("assert", Math.sign(by), "logged", { was: shown(was), now: shown(now) })]
}

/** `try { … } catch {}`, `except Exception: pass`, `rescue` with nothing behind it, around what a test asserts. */
const swallows =
  /(?:^|[\n;}]\s{0,60})catch\s{0,4}(?:\([^)\n]{0,80}\))?\s{0,4}\{\s{0,60}(?:\/\/[^\n]{0,100}\s{0,60})?(?:return;?\s{0,60})?\}|\bexcept\b[^:\n]{0,80}:\s{1,60}(?:pass|return|\.\.\.)|\brescue\b[^\n]{0,60}\n\s{0,60}(?:nil\s{0,60})?end\b|\.catch\(\s{0,4}\(\w{0,20}\)\s{0,4}=>\s{0,4}\{?\s{0,20}(?:undefined|null)?\s{0,4}\}?\s{0,4}\)/g

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const ofSwallowed = (before: string, after: string): ReadonlyArray<Delta> => {
  const by = countOf(after, swallows) - countOf(before, swallows)
  if (by === 0) return []
  const first = (by > 0 ? after : before).match(swallows)?.[0].trim().replaceAll(/\s+/g, " ") ?? ""
  return [delta("assert", Math.sign(by), "swallows", { now: shown(`failures are caught and passed over: ${first}`) })]
}

/** What an edit of a test's text changes. `given` are the values that the last failing run printed. */
export const ofTestText = (
  path: string,
  before: string,
  after: string,
  given: ReadonlySet<string>,
  isSource = false
): ReadonlyArray<Delta> => {
  const one = readTests(path, before, isSource)
  const other = readTests(path, after, isSource)
  if (one === null || other === null) return []
  const tests = ofTests(one, other)
  // Of a test that is gone its assertions are as well, and nobody needs to be told of both.
  const isGone = tests.some(({ by }) => by > 0) && !tests.some(({ by }) => by < 0)
  const rest = isSource
    ? []
    : [...ofMocks(path, one, other), ...ofStandIns(before, after), ...ofSwallowed(before, after)]
  return [...tests, ...ofSkips(one, other), ...(isGone ? [] : ofAsserts(one, other, given)), ...rest]
}

const maxNames = 60

/** What is worth keeping of a whole file of tests. */
export const knownOf = (path: string, text: string, hushed: Readonly<Record<string, number>>): KnownFile => {
  const found = readTests(path, text) ?? none
  return {
    path,
    tests: found.tests.slice(0, maxNames).map((name) => name.slice(0, 80)),
    skipped: [...found.skipped, ...found.skips].slice(0, maxNames).map((name) => name.slice(0, 80)),
    asserts: found.asserts.length,
    values: found.asserts.slice(0, maxNames).map((one) => [KeyHash.ofText(masked(one)), KeyHash.ofText(one)] as const),
    hushed
  }
}

/** Assertions that a file had with other values. */
const ofKnownValues = (
  { values }: KnownFile,
  asserts: ReadonlyArray<string>,
  given: ReadonlySet<string>
): ReadonlyArray<Delta> => {
  const full = new Set(values.map(([, one]) => one))
  const gone = new Set(values.map(([blank]) => blank))
  const fresh = new Set(asserts.map(KeyHash.ofText))
  return asserts.flatMap((now) => {
    if (full.has(KeyHash.ofText(now)) || !gone.has(KeyHash.ofText(masked(now)))) return []
    if (values.every(([blank, one]) => blank !== KeyHash.ofText(masked(now)) || fresh.has(one))) return []
    const fits = literalsOf(now).some((value) => given.has(plainValue(value)))
    return [delta("expected", 1, masked(now), { now: shown(now), fits })]
  })
}

/** What a file that is written anew has less than it had. */
export const ofWhole = (
  before: KnownFile,
  after: KnownFile,
  text: string,
  given: ReadonlySet<string>
): ReadonlyArray<Delta> => {
  if (before.tests.length === 0 || before.tests.length >= maxNames) return []
  const fewer = before.asserts - after.asserts
  const tests = [
    ...more(before.tests, after.tests).map((name) => named("test", 1, name, name)),
    ...more(after.tests, before.tests).map((name) => named("test", -1, name, name))
  ]
  return [
    ...tests,
    ...more(after.skipped, before.skipped)
      .filter((name) => before.tests.includes(name) || !after.tests.includes(name))
      .map((name) => named("skip", 1, name, before.tests.includes(name) ? name : `statement:${name}`)),
    ...more(before.skipped, after.skipped).map((name) => named("skip", -1, name, name)),
    ...ofKnownValues(before, readTests(after.path, text)?.asserts ?? [], given),
    ...(tests.length === 0 && fewer !== 0
      ? [delta("assert", Math.sign(fewer), "count", { was: `${before.asserts} assertions`, now: `${after.asserts}` })]
      : [])
  ]
}

/** A file of tests that is there no more, or again. */
export const ofFile = ({ file, path }: Pick<TextEdit, "file" | "path">): Delta =>
  delta("test", file === "deleted" ? 1 : -1, `file:${path.split(/[/\\]/).pop() ?? path}`, { was: shown(path) })
