/** Compares the lines that an edit removed from a check with the lines that it added. */
import { redactedHead } from "../../base/redaction/RedactedHead.ts"
import { isAssertion, isMark, isSilencer, isSkipped, isTest, isThreshold, scriptOf } from "./marks.ts"
import type { CheckEdit } from "./model.ts"

export type Change = Pick<CheckEdit, "kind" | "was" | "now">

type Lines = ReadonlyArray<string>

export interface Differences {
  readonly gone: Lines
  readonly come: Lines
}

const maxText = 20_000
const maxShown = 400

const linesOf = (text: string): Lines =>
  redactedHead(text, maxText)
    .split("\n")
    .map((line) => line.trim().slice(0, maxShown))
    .filter((line) => line !== "")

/** Returns the lines that the other text does not have. A line that is missing twice is returned twice. */
const without = (lines: Lines, others: Lines): Lines => {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const squeezed = (lines: Lines): string => lines.join("").replaceAll(/[\s;,]/g, "")

/** Returns the differences of two texts. Both lists are empty if only the layout differs. */
export const differences = (before: string, after: string): Differences => {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  return squeezed(old) === squeezed(fresh)
    ? { gone: [], come: [] }
    : { gone: without(old, fresh), come: without(fresh, old) }
}

const joined = (lines: Lines): string =>
  lines.reduce((all, line) => (all.length + line.length < maxShown ? `${all}${all && "\n"}${line}` : all), "")

export const change = (kind: Change["kind"], old: Lines, fresh: Lines = []): Change => {
  const [was, now] = [joined(old), joined(fresh)]
  return { kind, was, now }
}

const linesIn = (text: string): Lines => text.split("\n").filter((line) => line !== "")

const literal =
  /"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`|-?\b\d[\w.]*|\b(?:true|false|null|nil|None|True|False|undefined)\b/g

const masked = (line: string): string => line.replaceAll(literal, "§")

const isCode = (line: string): boolean => !/^(?:\/\/|#(?!!?\[|if 0)|\*|\/\*|<!--|--\s|;)/.test(line)

const isValue = (line: string): boolean =>
  masked(line) !== line && !isTest(line) && !/^(?:import|from|export|use|require|package)\b|timeout/i.test(line)

const valuesIn = (gone: Lines, come: Lines): readonly [was: Lines, now: Lines] => {
  const left = [...come]
  const pairs = gone.filter(isValue).flatMap((line) => {
    const at = left.findIndex((other) => masked(other) === masked(line))
    return at < 0 ? [] : [{ line, other: left.splice(at, 1).join("") }]
  })
  return [pairs.map(({ line }) => line), pairs.map(({ other }) => other)]
}

/** Returns all other added lines as `other`, because these lines may have fixed the tests. */
export const ofTests = (all: Differences): ReadonlyArray<Change> => {
  const [gone, come] = [all.gone.filter(isCode), all.come.filter(isCode)]
  const [tests, skips] = [gone.filter(isTest), come.filter(isSkipped)]
  const [was, now] = valuesIn(gone, come)
  const [left, fresh] = [without(gone, was).filter(isAssertion), without(come, now).filter(isAssertion)]
  const found =
    skips.length > gone.filter(isSkipped).length
      ? [change("skip", tests, skips)]
      : tests.length > come.filter(isTest).length
        ? [change("test", gone)]
        : [
            ...(was.length === 0 ? [] : [change("literal", was, now)]),
            ...(left.length === 0 ? [] : [change("assertion", left, fresh)])
          ]
  const told = found.flatMap((one) => linesIn(one.now))
  const others = without(come, told).filter((line) => /\w/.test(line))
  return others.length === 0 ? found : [...found, change("other", [], others)]
}

/** Measures how much these lines tell a check to ignore. A line with a longer list counts more. */
const weight = (lines: Lines): number => lines.reduce((sum, line) => sum + 1 + (line.match(literal)?.length ?? 0), 0)

export const silenced = ({ come, gone }: Differences, is: (line: string) => boolean): ReadonlyArray<Change> => {
  const [old, fresh] = [gone.filter(is), come.filter(is)]
  return weight(fresh) > weight(old) ? [change("silenced", old.length > 0 ? old : gone.slice(0, 1), fresh)] : []
}

export const isOnlyMarks = ({ come, gone }: Differences): boolean =>
  come.length > 0 &&
  come.every((line) => isMark(line) && (gone.length === 0 || gone.some((old) => line.startsWith(old))))

/** If the edit shows only a part of a line, the script of that line is unknown. */
export const ofScripts = ({ come, gone }: Differences): ReadonlyArray<Change> =>
  gone.flatMap((old) => {
    const name = scriptOf(old)
    const fresh = come.find((line) => scriptOf(line) === name && (name !== null || !/^"|": /.test(`${old}${line}`)))
    return fresh === undefined || isSilencer(fresh) ? [] : [change("script", [old], [fresh])]
  })

export const ofSettings = (all: Differences): ReadonlyArray<Change> => {
  const [was, now] = valuesIn(all.gone.filter(isThreshold), all.come)
  return [...silenced(all, isSilencer), ...(was.length === 0 ? [] : [change("threshold", was, now)])]
}

/** Updates a change. If a line comes back in any file, it no longer counts as removed. Null if nothing is left. */
export const settled = (old: CheckEdit, { come, gone }: Differences, isSame: boolean): CheckEdit | null => {
  const was = linesIn(old.was).filter((line) => !come.includes(line))
  const now = linesIn(old.now).flatMap((line) =>
    isSame && gone.includes(line) ? come.filter((other) => masked(other) === masked(line)).slice(0, 1) : [line]
  )
  const isOver = old.kind === "skip" || old.kind === "silenced" ? now.length === 0 : was.length === 0 && old.was !== ""
  return isOver ? null : { ...old, ...change(old.kind, was, now) }
}

/** Returns a later edit without the lines that earlier changes already explain. */
export const withoutKnown = (all: Differences, before: ReadonlyArray<CheckEdit>, now: ReadonlyArray<CheckEdit>) => {
  const back = [...before.map(({ was }) => was), ...now.map((one) => one.now)]
  return {
    gone: without(all.gone, before.map((one) => one.now).flatMap(linesIn)),
    come: without(all.come, back.flatMap(linesIn))
  }
}
