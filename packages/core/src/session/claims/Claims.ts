/**
 * What an agent says was done or is so, sentence by sentence, and how that stands against the record. A sentence that only
 * hopes, plans, denies or quotes claims nothing.
 */
import { type Prose, readProse } from "../../ground/text/AgentSentences.ts"
import { type Language, takes } from "../../ground/text/Rows.ts"
import type { Writing } from "../evidence/Evidence.ts"
import { checksIn, listed, subjects } from "./checkRows.ts"
import { type DeedRow, deedRows } from "./deedRows.ts"
import { madeRows } from "./madeRows.ts"
import { onPlatforms, ranChecks, wereRun } from "./ranRows.ts"
import { inFull, platformsIn } from "../shell/CommandSigns.ts"
import { worded } from "./commandWords.ts"
import { foreignChecks } from "./foreignChecks.ts"
import { isUnsure, ownWords, partsOf, undone, withoutCode } from "./hedges.ts"
import type { Claim } from "./model.ts"
import { foreignConditions, foreignHedges, foreignJoints, foreignRows } from "./otherLanguages.ts"
import { spoken } from "./spoken.ts"

export type { Claim, ClaimKind } from "./model.ts"

export { changeClaimed } from "./changeClaimed.ts"

type Found = Pick<Claim, "kind" | "gate" | "outcome">

const whole =
  /\b(?:all|every|full|entire|whole|complete|alle|gesamte?n?|todos|todas|tous|toutes)\b|全部|所有|すべて|全て/i

const narrowed =
  /\b(?:new|related|relevant|affected|focused|targeted|these|those|both|two|for|in|of) (?!(?:the )?(?:whole|entire|full|project|repo|code ?base|suite|total|\d))|\b(?:tests?|specs?) (?:i|we) \w/i

const scopeOf = (part: string): Claim["scope"] => (narrowed.test(part) ? "part" : whole.test(part) ? "whole" : "unsaid")

const numbers: ReadonlyArray<RegExp> = [
  /\b(\d{1,6})\s?\/\s?\1\b/,
  /\b(\d{1,6})(?: [a-z-]{2,14}){0,2} (?:tests?|specs?|passed|passing|pass|test cases|pruebas|testes)\b/i,
  /(\d{1,6})\s?(?:个|件の?|項目の?)[^。，,]{0,6}(?:测试|テスト)/
]

const countOf = (part: string): number | null => {
  for (const pattern of numbers) {
    const match = pattern.exec(part)
    if (match?.[1] !== undefined) return Number(match[1])
  }
  return null
}

/** The checks in a part of a sentence that tells of a run, without saying what came of it. */
const ranIn = (part: string): ReadonlyArray<Found> => {
  for (const { pattern } of ranChecks) {
    const match = pattern.exec(part)
    if (match === null || takes(undone, part.slice(0, match.index))) continue
    const behind = part.slice(match.index + match[0].length).slice(0, 100)
    if (nothing.test(match[0]) || /^\W{0,3}(?:no|none|neither|nothing)\b/i.test(behind)) continue
    const found = subjects.filter((subject) => subject.pattern.test(behind))
    if (found.length > 0) return found.map(({ gate }) => ({ kind: "check", gate, outcome: "ran" }))
  }
  if (!wereRun.pattern.admits(part) || noneAt.test(part)) return []
  return subjects.flatMap(({ gate, pattern }) => {
    const match = pattern.exec(part)
    if (match === null || takes(undone, part)) return []
    return wereRun.pattern.test(part.slice(match.index + match[0].length))
      ? [{ kind: "check", gate, outcome: "ran" } as const]
      : []
  })
}

/** "No automated tests were run" */
const noneAt = /\b(?:no|none|neither|zero)\b/i

/** "No tests were added" */
const none = /\b(?:no|zero|without|any|kein\w{0,2}|aucun\w?|ning\w{1,3}|sin|sans|nenhum\w?)\s$/i

/** "I added no tests", "Nichts wurde gepusht" */
const nothing =
  /\b(?:no|zero|nothing|none|neither|nor|kein\w{0,2}|nichts|aucun\w?|rien|ning\w{1,3}|nada|nenhum\w?)\b|没有|なし|ません/i

const isDenied = (part: string, match: RegExpExecArray): boolean => {
  const [before, behind] = [part.slice(0, match.index), part.slice(match.index + match[0].length)]
  return (
    none.test(before) ||
    nothing.test(match[0]) ||
    /^\W{0,3}(?:no|zero|nothing|none|neither)\b/i.test(behind) ||
    /\b(?:nothing|none|nichts|rien|nada)\b.{0,30}$/i.test(before)
  )
}

const isDeed = (part: string, { kind, pattern, unless }: DeedRow): boolean => {
  const match = pattern.exec(part)
  // What is so already was found, and not done.
  if (match === null || unless?.test(part) === true || /\balready\b/i.test(part)) return false
  const own = /\b(?:i|we)\b/i.test(match[0])
  // "Nothing else uses it" is what a search shows.
  if (kind !== "search" && isDenied(part, match)) return false
  return !takes(own ? undone.slice(0, 3) : undone, part.slice(0, match.index))
}

const deedsIn = (part: string): ReadonlyArray<Found> => {
  const kinds = new Set(
    [...deedRows, ...(/[:：]\s*$/.test(part) ? [] : madeRows)]
      .filter((one) => isDeed(part, one) || isDeed(closed(part), one))
      .map(({ kind }) => kind)
  )
  if (onPlatforms.pattern.test(part) && !isUnsure(part) && platformsIn(inFull(part)).length > 1) kinds.add("platform")
  return [...kinds].map((kind) => ({ kind, gate: kind, outcome: "passed" }))
}

/** What a part of a sentence in another language says; conditions hold for the whole of it. */
const foreignPart = (part: string, sentence: string): ReadonlyArray<Found> => {
  const checks = foreignChecks(part).map(
    ({ gate, isAll, language }) => ({ kind: isAll ? "checks" : "check", gate, outcome: "passed", language }) as const
  )
  const rows = /^\W{0,4}(?:nichts|kein\w{0,2}|rien|aucun\w?|nada|ning\w{1,3}|nenhum\w?)\b|没有|未/i.test(part)
    ? []
    : foreignRows.filter(({ pattern }) => pattern.test(part))
  if (checks.length + rows.length === 0) return []
  const isHedged = (language: Language): boolean =>
    foreignHedges.some((row) => row.language === language && row.pattern.test(withoutCode(part))) ||
    foreignConditions.some((row) => row.language === language && row.pattern.test(withoutCode(sentence)))
  return [...checks, ...rows]
    .filter(({ language }) => !isHedged(language))
    .map(({ gate, kind, outcome }) => ({ kind, gate, outcome }))
}

const foreignIn = (sentence: string): ReadonlyArray<Found> =>
  sentence
    .split(foreignJoints)
    .slice(0, 24)
    .flatMap((part) => foreignPart(part, sentence))

/** Dots within a word are no end: `go test ./...`, `total.test.ts`. */
const closed = (part: string): string => part.replaceAll(/\.\/\.{3}|\.(?=\w)/g, "_")

/** "All checks pass" may speak of those that ran here. */
const namesCi = /\b(?:ci|pipelines?|workflows?|actions)\b/i

const foundIn = (part: string, sentence: string): ReadonlyArray<Found> => {
  const checks = isUnsure(part)
    ? []
    : checksIn(closed(part), sentence).map(({ everything, gate, outcome }): Found => {
        const unnamed = everything || (gate === "ci" && !namesCi.test(part))
        const kind = unnamed ? "checks" : gate === "pr" || gate === "push" ? gate : "check"
        return { kind, gate, outcome }
      })
  return [...checks, ...ranIn(part), ...deedsIn(part)]
}

/** "Lint – clean" */
const labelled = /^(\W{0,6}[\w ./`*-]{2,30}?) (?:—|–|-) (?=\S)/

const most = 24

const readSentences = (all: ReadonlyArray<string>, where: Claim["where"]): ReadonlyArray<Claim> => {
  const found = new Map<string, Claim>()
  for (const sentence of all) {
    const said = ownWords(sentence)
    if (said === null) continue
    const { part: ofPart, text: own, whole: ofWhole } = worded(said.replace(labelled, "$1: "))
    const add = (part: string, one: Found): void => {
      const key = `${one.kind}:${one.gate}:${one.outcome}`
      const passed = `check:${one.gate}:passed`
      if (found.size >= most || found.has(key) || (one.outcome === "ran" && found.has(passed))) return
      if (one.kind === "checks" && found.has(`check:${one.gate}:passed`)) return
      found.set(key, {
        ...one,
        scope: ofPart ? "part" : ofWhole && !narrowed.test(part) ? "whole" : scopeOf(part),
        count: one.gate === "tests" ? countOf(part) : null,
        where,
        text: sentence.slice(0, 200)
      })
      if (one.outcome === "passed") found.delete(`check:${one.gate}:ran`)
    }
    for (const part of partsOf(own)) for (const one of foundIn(part, own)) add(part, one)
    if (!isUnsure(own)) for (const { gate, outcome } of listed(own)) add(own, { kind: "check", gate, outcome })
    for (const one of foreignIn(own)) add(own, one)
  }
  return [...found.values()]
}

/** What the closing prose claims: each sentence alone, nothing hypothetical, nothing past. */
export const readClaims = (prose: Prose): ReadonlyArray<Claim> => {
  const sentences = spoken(prose)
  const found = readSentences(sentences, "final")
  return sentences.some((sentence) => ranNothing.test(sentence))
    ? found.filter(({ kind, outcome }) => outcome === "failed" || (kind !== "check" && kind !== "checks"))
    : found
}

/** What is said of the checks besides is what they are to come to. */
const ranNothing =
  /\b(?:haven't|have not|didn't|did not) (?:yet )?(?:run|ran|executed?|tested) anything\b|\bnothing (?:was|has been|is) (?:run|executed)\b/i

/** Titles and bodies of commits say what the change does as an order. */
const asDone = (text: string): string =>
  text.replaceAll(
    /^(\W{0,6}(?:[a-z]{2,10}(?:\([^)\n]{1,40}\))?!?: )?)(add|document|update|extend)\b(?=s? )/gim,
    (_all, before: string, verb: string) => `${before}${verb}${/e$/i.test(verb) ? "d" : "ed"}`
  )

/** What was claimed in commits and pull requests; that they were made their own calls show. */
export const writtenClaims = (writings: ReadonlyArray<Writing>): ReadonlyArray<Claim> =>
  writings.flatMap(({ text, where }) =>
    readSentences(spoken(readProse(asDone(text))), where).filter(
      ({ kind, outcome }) => outcome !== "failed" && !["commit", "push", "pr", "deploy", "search"].includes(kind)
    )
  )
