/** What a text of tests holds: its tests, what leaves some out, its assertions and what it replaces. */
import { languageOf, leavesOthersOut, leavesOut, type Language } from "./languages.ts"
import { liveLines, statements } from "./statements.ts"

export interface TestText {
  /** Names, each as often as it is declared. */
  readonly tests: ReadonlyArray<string>
  /** Names of those that are left out, "" where the statement names none. */
  readonly skipped: ReadonlyArray<string>
  readonly only: ReadonlyArray<string>
  /** Statements that leave a test out. */
  readonly skips: ReadonlyArray<string>
  readonly asserts: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
  readonly mocks: ReadonlyArray<string>
}

const maxTests = 500

const nameOf = (groups: Readonly<Record<string, string | undefined>>): string =>
  (groups["name"] ?? groups["other"] ?? groups["third"] ?? groups["fourth"] ?? "")
    .replaceAll(/^["'`]|["'`]$/g, "")
    .trim()

interface Declared {
  readonly tests: Array<string>
  readonly skipped: Array<string>
  readonly only: Array<string>
}

const declared = (text: string, { blocks, tests }: Language): Declared => {
  const found: Declared = { tests: [], skipped: [], only: [] }
  for (const match of text.matchAll(tests)) {
    const groups = match.groups ?? {}
    const name = nameOf(groups)
    if (name === "" || found.tests.length >= maxTests) continue
    const head = `${groups["mods"] ?? ""}${groups["more"] ?? ""}`
    if (blocks === null || !blocks.test(match[0])) found.tests.push(name.replace(/^DISABLED_/, ""))
    if (leavesOut.test(head) || name.startsWith("DISABLED_")) found.skipped.push(name.replace(/^DISABLED_/, ""))
    else if (leavesOthersOut.test(head)) found.only.push(name)
  }
  return found
}

const leavesEarly = /^(?:return|exit)\b/

/** A test that returns before all else; within a branch a `return` is nothing. */
const leavesAtOnce = (live: string): boolean => {
  const lines = live
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
  return lines.some((line, at) => {
    const before = lines[at - 1] ?? ""
    return (
      /^(?:return|exit)\b(?: 0|;|$)/.test(line) && /(?:[{:]|\bdo|\|.{0,40}\|)$/.test(before) && !branches.test(before)
    )
  })
}

const branches =
  /^(?:\} ?)?(?:if|else|elif|elsif|unless|for|while|case|switch|catch|try|except|rescue|guard|default|match|select|with|when)\b/

const mocksOf = (text: string, { mocks }: Language): ReadonlyArray<string> =>
  mocks === null ? [] : [...text.matchAll(mocks)].slice(0, 100).map((match) => match[0].replaceAll(/\s+/g, " "))

/** Declarations name a test by a text, which is no value that it compares with. */
const isDeclaration = (statement: string, { tests }: Language): boolean =>
  statement.slice(0, 300).search(new RegExp(tests.source, tests.flags.replace("g", ""))) === 0

const isImport =
  /^(?:import|from|use|using|require|include|#include|export \*|package|const \{?[\w, ]{1,200}\}?=require|mod|alias)\b/

/** Of a Rust source, which has its tests in it, only what nothing but a test says. */
const onlyInTests = /\bassert_(?:eq|ne|matches)!/

export const readTests = (path: string, text: string, isSource = false): TestText | null => {
  const language = languageOf(path)
  if (language === null) return null
  const live = liveLines(text).join("\n")
  const { only, skipped, tests } = declared(live, language)
  const all = statements(text)
  const isFirst = leavesAtOnce(live)
  const skips = all.filter(
    (statement) =>
      language.skips.test(statement) &&
      (!isSource || statement.includes("#[")) &&
      (!leavesEarly.test(statement) || isFirst)
  )
  const can = isSource ? onlyInTests : language.asserts
  const asserts = all.filter((statement) => can.test(statement) && !isDeclaration(statement, language))
  const others = isSource
    ? []
    : all.filter((one) => !can.test(one) && !isImport.test(one) && !isDeclaration(one, language))
  return { tests, skipped, only, skips, asserts, others, mocks: isSource ? [] : mocksOf(live, language) }
}
