/** What the user allowed to be done to checks, in the words of the task and of orders that stand. */
import { type Row, takes } from "../../ground/text/Rows.ts"
import { spoken } from "../../ground/text/UserSentences.ts"
import { basename } from "./files.ts"
import type { CheckChange } from "./model.ts"
import {
  bears,
  changes,
  edits,
  gathers,
  included,
  leaves,
  mocking,
  newRules,
  notOrdered,
  preserves,
  removing,
  splits,
  tests,
  that,
  wrong
} from "./orderRows.ts"
import { demands, relaxes, saysAll } from "./relaxRows.ts"
import { literalsOf, plainValue } from "./statements.ts"

const negated =
  /(?:\b(?:not|never|without|cannot|avoid|no|than)|n't|\binstead of) (?:\w+ )??(?:skip|delet|remov|drop|disabl|ignor|chang|edit|modif|updat|touch|weaken|mock|suppress|silenc|lower|exclud|bypass)\w{0,5}\b/gi

/** "fails since I set it to 1.31", "red after yesterday's merge": what was done before, and is no order. */
const isTold =
  /\b(?:fail|red\b|broke|break|crash|error|wrong|falls? over|rot\b|fehl|kaputt|échou|erreur|falla|rojo|falha|vermelh)/i
const since =
  /\b(?:since|after|because of|due to|following|now that|nach|seit|depuis|après|desde|tras|após)\b.{0,400}$/i

const withoutTold = (sentence: string): string => (isTold.test(sentence) ? sentence.replace(since, " ") : sentence)

/** The same words as nouns: "the last update", "yesterday's merge". */
const nouns =
  /(?:'s|\b(?:the|a|an|my|our|your|last|latest|recent|this|that|since|after)) (?:\w+ )?(?:merge|change|update|move|edit|split|bump|upgrade|migration|refactor|port|removal|switch)\w{0,3}\b/gi

/** Parts of a sentence that say one thing each, without what is forbidden in them or only told. */
const partsOf = (text: string): ReadonlyArray<string> =>
  spoken(text).flatMap((sentence) =>
    withoutTold(sentence.slice(0, 600).replaceAll(negated, " "))
      .replaceAll(nouns, " ")
      .split(/[,;:.!?()]+\s|\s[-–—]\s|\b(?:and|then|but|so that|because)\b/)
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .slice(0, 12)
  )

const turns = /\b(?:to|becomes?|now)\b|→|->|=>/
const contrasts = /\b(?:instead of|rather than|not|was|were|used to|replaces?|from)\b/
const wants = /\b(?:should|must|make|set|want|use|change|shall|needs?|expect)\b/i

/** "from 45 to 49.9", "49.9 instead of 45" */
const isOrdered = (text: string, change: CheckChange): boolean => {
  const pool = literalsOf(text.replaceAll(/["`]/g, "'")).map(plainValue)
  const values = new Set([
    ...pool,
    ...(text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((one) => plainValue(one.replaceAll(",", "")))
  ])
  const was = literalsOf(change.was).map(plainValue)
  const fresh = literalsOf(change.now).map(plainValue)
  const pairs = fresh.flatMap((now, index) => (now === was[index] ? [] : [[was[index] ?? "", now] as const]))
  return pairs.some(([old, now]) => {
    const isSaid = values.has(now) || (now.length > 3 && text.includes(now))
    if (!isSaid || now === "") return false
    const knowsOld = values.has(old) || (old.length > 3 && text.includes(old))
    if (!knowsOld) return true
    const from = text.indexOf(old)
    const to = text.indexOf(now)
    if (from < 0 || to < 0) return false
    if (from < to) return turns.test(text.slice(from + old.length, to).slice(-60))
    // "It is 49.9 instead of 45" complains, "make it 49.9 instead of 45" orders.
    return contrasts.test(text.slice(to + now.length, from).slice(-60)) && wants.test(text.slice(0, to).slice(-60))
  })
}

const takesBoth = (verbs: ReadonlyArray<Row>, nouns: ReadonlyArray<Row>, part: string): boolean =>
  takes(verbs, part) && takes(nouns, part)

/** "Fix the test", not "fix the failing test", which is to pass. */
const fixesTest = (part: string): boolean =>
  /\b(?:fix|repair|mend) (?:up )?(?:the |this |that |these |those |my |our |both |all )?(?:unit |e2e )?(?:tests?|specs?|assertions?|expectations?)\b(?! (?:failures?|errors?|suite|run))/i.test(
    part
  )

const letsGo = (part: string): boolean => takesBoth(leaves, [...tests, that], part)

const letsChange = (part: string): boolean =>
  takesBoth([...changes, ...wrong], tests, part) || fixesTest(part) || takes(newRules, part)

const removes = (part: string): boolean => takes(removing, part) && !takes([notOrdered], part)

const looksAway = (part: string): boolean => takesBoth(relaxes, demands, part) || takes(saysAll, part)

/** "fix the configuration", with what is to be done about it */
const letsEdit = (part: string): boolean => takes([...edits, ...changes, ...relaxes, ...leaves], part)

/** What allows a change, by its kind, in one part of a sentence. */
const allows: Readonly<Record<CheckChange["kind"], (part: string) => boolean>> = {
  test: (part) => letsGo(part) || takesBoth(changes, tests, part) || removes(part) || takes(gathers, part),
  skip: letsGo,
  assert: (part) => letsGo(part) || letsChange(part) || removes(part),
  expected: letsChange,
  snapshot: (part) => letsChange(part) || takesBoth([included], tests, part),
  mock: (part) => takes([mocking], part) || takesBoth(changes, tests, part),
  mark: looksAway,
  silence: (part) => looksAway(part) || letsGo(part) || takesBoth([splits], [...tests, that, ...demands], part),
  special: () => false,
  swallow: (part) => takes(bears, part)
}

/** Where the verb stands at the end, or what it is about in the sentence before: "Der Test ist rot. Bitte deaktivieren." */
const letsGoElsewhere = (kind: CheckChange["kind"], text: string): boolean => {
  const said = spoken(text).join(" ").slice(0, 2000)
  if (kind === "skip" || kind === "test") return takes(leaves.filter(isForeign), said) && takes(tests, said)
  if (kind === "silence") return takes([...leaves, ...relaxes].filter(isForeign), said) && takes(demands, said)
  return false
}

const isForeign = ({ language }: Row): boolean => language !== "en"

const wordsOf = (line: string): ReadonlyArray<string> => line.match(/[\w@/.*-]{4,80}/g) ?? []

/** What is left out or turned off, by its own name: "SC1091 is noise, you may switch it off". */
const isNamed = ({ now, path, was }: CheckChange, text: string): boolean => {
  if (path === "") return false
  const old = new Set(wordsOf(was))
  const names = [basename(path), ...wordsOf(now).filter((word) => !old.has(word) && /\d|[/.*_-]/.test(word))]
  return spoken(text).some(
    (sentence) =>
      names.some((name) => name.length > 3 && sentence.includes(name)) && letsEdit(sentence.replaceAll(negated, " "))
  )
}

/** The user gave the numbers: what is written down is what was ordered. */
const isGiven = ({ id, now }: CheckChange, text: string): boolean => {
  if (!id.startsWith("table:")) return false
  const lines = text.split(/\n|\. /).filter((line) => !/\b(?:fail|expected|instead|got|want)/i.test(line))
  const numbers = lines.join("\n").match(/\d[\d,]*(?:\.\d+)?/g) ?? []
  const values = new Set(numbers.map((one) => plainValue(one.replaceAll(",", ""))))
  const own = literalsOf(now.replaceAll(/["`]/g, "'")).map(plainValue)
  return own.some((value) => /\d\.\d|\d{2}/.test(value) && values.has(value))
}

/** Whether the user wants this change, or what brings it about. */
export const isAllowed = (change: CheckChange, texts: ReadonlyArray<string>): boolean => {
  const { kind } = change
  return texts.some((text) => {
    if (partsOf(text).some(allows[kind])) return true
    if (letsGoElsewhere(kind, text)) return true
    if ((kind === "silence" || kind === "mark") && isNamed(change, text)) return true
    if (kind === "special" && isGiven(change, text)) return true
    return (
      (kind === "expected" || kind === "silence" || kind === "assert") &&
      isOrdered(spoken(text).join(" ").slice(0, 4000), change)
    )
  })
}

/** Whether the task is to leave what the product does as it was. */
export const isToPreserve = (texts: ReadonlyArray<string>): boolean =>
  texts.some((text) => takes(preserves, text.slice(0, 2000)))
