/** What an edit has a linter, a compiler, a runner or CI look away from. */
import { hasRunner, isCheckConfig, isPipeline, sortOf } from "./files.ts"
import { delta, shown } from "./deltas.ts"
import { leftOut } from "./leftOut.ts"
import type { Delta } from "./model.ts"
import { demands, harmless, type Hush, isMost, marks, repeats, silencers, teeth, threshold } from "./silencers.ts"
import { literalsOf, masked, more, plainValue } from "./statements.ts"

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .slice(0, 60_000)
    .split("\n")
    .map((line) => line.slice(0, 1000).trim())
    .filter((line) => line !== "")

const count = (lines: ReadonlyArray<string>, { on }: Hush): number => lines.filter((line) => on.test(line)).length

const commented = /^\s{0,40}(?:#(?!\[)|\/\/|--\s|;|<!--)/

const change = (kind: "mark" | "silence", id: string, by: number, was: string, now: string): Delta =>
  delta(kind, by, id, { was: shown(was), now: shown(now) })

const rowsOf = (
  kind: "mark" | "silence",
  rows: ReadonlyArray<Hush>,
  gone: ReadonlyArray<string>,
  come: ReadonlyArray<string>
): ReadonlyArray<Delta> =>
  rows.flatMap((row) => {
    const by = count(come, row) - count(gone, row)
    if (by === 0) return []
    const [one, other] = by > 0 ? [come, gone] : [gone, come]
    const first = one.find((line) => row.on.test(line)) ?? ""
    const before = other.find((line) => masked(line).slice(0, 12) === masked(first).slice(0, 12)) ?? ""
    return [by > 0 ? change(kind, row.id, by, before, first) : change(kind, row.id, by, first, before)]
  })

/** "// nolint:gosec // only in tests", "eslint-disable-next-line x -- why": what a reviewer asks of a mark. */
const reasoned =
  /(?:nolint|noqa|ignore|expect-error|disable|allow|Suppress|NOLINT|nosec)[\w:@/,=() "'[\]-]{0,120}?(?:\s--\s|\s(?:\/\/|#)\s|\s[-–—]\s|:\s)\s{0,4}(?!.{0,40}\b(?:todo|fixme|xxx|hack|for now|temporar\w{1,4}|later)\b)[\w-]{2,40}\s\w{2}/i

/** Marks that an edit of a source adds or takes away. */
export const ofMarks = (before: string, after: string): ReadonlyArray<Delta> => {
  const gone = more(linesOf(before), linesOf(after)).filter((line) => !reasoned.test(line))
  const come = more(linesOf(after), linesOf(before)).filter((line) => !reasoned.test(line))
  return rowsOf("mark", marks(), gone, come)
}

/** Repeats that an edit of a file of tests adds or takes away. */
export const ofRepeats = (before: string, after: string): ReadonlyArray<Delta> =>
  rowsOf("silence", [repeats()], more(linesOf(before), linesOf(after)), more(linesOf(after), linesOf(before)))

/** The text without its marks and its spaces: what an edit has left to change if it is more than a mark. */
export const withoutMarks = (text: string): string =>
  linesOf(text)
    .flatMap((line) => {
      const row = marks().find(({ on }) => on.test(line))
      if (row === undefined) return [line]
      const rest = line.replace(/\s{0,40}(?:\/\/|\/\*|#(?!!?\[)|<!--|\{\/\*).{0,400}$/, "")
      const bare = /^(?:#!?\[|@Suppress|\[(?:Suppress|Exclude)|#pragma)/.test(rest) ? "" : rest
      return bare.trim() === "" ? [] : [bare.replaceAll(/ as (?:any|unknown)\b/g, "")]
    })
    .join("")
    .replaceAll(/\s/g, "")

/** A number that a check demands, and may be less than it was. */
const ofThresholds = (gone: ReadonlyArray<string>, come: ReadonlyArray<string>): ReadonlyArray<Delta> => {
  const left = [...come]
  return gone.flatMap((was): ReadonlyArray<Delta> => {
    if (!threshold.test(was)) return []
    const at = left.findIndex((now) => masked(now) === masked(was))
    if (at < 0) return []
    const [now = ""] = left.splice(at, 1)
    const pairs = literalsOf(was).map((value, index) => [
      Number(plainValue(value)),
      Number(plainValue(literalsOf(now)[index] ?? ""))
    ])
    const lower = pairs.filter(([old = 0, fresh = 0]) => (isMost.test(was) ? fresh > old : fresh < old)).length
    const higher = pairs.filter(([old = 0, fresh = 0]) => (isMost.test(was) ? fresh < old : fresh > old)).length
    if (lower === higher) return []
    return [change("silence", `threshold:${masked(was)}`, Math.sign(lower - higher), was, now)]
  })
}

const keyOf = (line: string): string => /^["']?([\w:.-]{1,60})["']?\s{0,4}[:=]/.exec(line)?.[1] ?? ""

const isNamed = (line: string, lines: ReadonlyArray<string>): boolean =>
  keyOf(line) !== "" && lines.some((other) => keyOf(other) === keyOf(line))

/** It only says what is run. */
const says = /^\W{0,6}(?:echo|printf|Write-(?:Output|Host)|puts|print)\b(?!.{0,400}(?:&&|;))/

/** A script, recipe or step that ran a check, and does not any more. */
const ofScripts = (path: string, gone: ReadonlyArray<string>, come: ReadonlyArray<string>): ReadonlyArray<Delta> => {
  const isRun = (line: string): boolean => hasRunner(path, line) && !commented.test(line) && !says.test(line)
  const [ran, runs] = [gone.filter(isRun), come.filter(isRun)]
  const by = ran.length - runs.length
  if (by === 0) return []
  const first = (by > 0 ? ran : runs)[0] ?? ""
  const other =
    (by > 0 ? come : gone).find((line) => keyOf(line) !== "" && keyOf(line) === keyOf(first)) ??
    (by > 0 ? come[0] : gone[0]) ??
    ""
  return [by > 0 ? change("silence", "script", by, first, other) : change("silence", "script", by, other, first)]
}

const isYaml = (path: string): boolean => /\.ya?ml$/.test(path)

/**
 * Lines that come with a step, a job or a script of their own: what is new may be as lax as one likes, where nothing that
 * checked went for it.
 */
const withoutNewSteps = (
  path: string,
  after: string,
  gone: ReadonlyArray<string>,
  come: ReadonlyArray<string>
): ReadonlyArray<string> => {
  if (gone.some((line) => hasRunner(path, line))) return come
  const fresh = new Set(come)
  if (path.endsWith(".json"))
    return come.filter((line) => keyOf(line) === "" || isNamed(line, gone) || !hasRunner(path, line))
  if (!isYaml(path) || !isPipeline(path)) return come
  const added = new Set<string>()
  let isNew = false
  let opened = -1
  for (const raw of after.slice(0, 60_000).split("\n")) {
    const line = raw.slice(0, 1000).trim()
    const indent = raw.length - raw.trimStart().length
    if (line === "") continue
    if (line.startsWith("- ") || (indent <= opened && /^[\w.-]{1,60}:$/.test(line)) || indent < opened) {
      isNew = fresh.has(line) && (line.startsWith("- ") || /^[\w.-]{1,60}:$/.test(line))
      opened = indent
    }
    if (isNew) added.add(line)
  }
  return come.filter((line) => !added.has(line))
}

/** What stands before `|| true`: "- run: kill x || true" runs `kill`. */
const guardedCommand = (line: string): string =>
  line
    .replace(/\s{0,4}(?:\|\||;).{0,400}$/, "")
    .replace(/^-?\s{0,4}(?:run|script|command|entry)?:?\s{0,4}["']?/, "")
    .replace(/^["']?[\w:.-]{1,60}["']?\s{0,4}:\s{1,4}["']/, "")
    .replace(/^[@+-]{1,2}/, "")
    .trim()

const checksNothing = (path: string, line: string): boolean => {
  const command = guardedCommand(line)
  return harmless.test(command) && !hasRunner(path, command)
}

/** What an edit of a script or a configuration silences. */
export const ofConfig = (path: string, before: string, after: string): ReadonlyArray<Delta> => {
  const gone = more(linesOf(before), linesOf(after)).filter((line) => !commented.test(line))
  const come = more(linesOf(after), linesOf(before)).filter((line) => !commented.test(line))
  const lax = withoutNewSteps(path, after, gone, come)
  const rows = silencers().flatMap((row) =>
    rowsOf(
      "silence",
      [row],
      row.id === "or-true" ? gone.filter((line) => !checksNothing(path, line)) : gone,
      row.id === "or-true" ? lax.filter((line) => !checksNothing(path, line)) : lax
    )
  )
  return [
    ...rows,
    ...ofThresholds(gone, come),
    ...ofScripts(path, gone, come),
    ...ofLeftOut(before, after, lax),
    ...ofDemands(gone, come)
  ]
}

const ofLeftOut = (before: string, after: string, lax: ReadonlyArray<string>): ReadonlyArray<Delta> => {
  const [one, other] = [leftOut(before), leftOut(after)]
  const come = more(other, one)
  const gone = more(one, other)
  const by = come.length - gone.length
  if (by === 0) return []
  const line = lax.find((text) => come.some((entry) => text.includes(entry)))
  if (by > 0 && line === undefined) return []
  return [change("silence", "left-out", by, gone[0] ?? "", by > 0 ? (line ?? "") : (come[0] ?? ""))]
}

const ofDemands = (gone: ReadonlyArray<string>, come: ReadonlyArray<string>): ReadonlyArray<Delta> => {
  const row = { id: "less-strict", on: demands }
  const by = count(gone, row) - count(come, row)
  if (by === 0) return []
  const first = (by > 0 ? gone : come).find((line) => demands.test(line)) ?? ""
  const other = (by > 0 ? come : gone).find((line) => isNamed(line, [first])) ?? ""
  return [by > 0 ? change("silence", row.id, by, first, other) : change("silence", row.id, by, other, first)]
}

/** What a script can fail by is gone, or there again. */
export const ofTeeth = (path: string, before: string, after: string): ReadonlyArray<Delta> => {
  if (path.endsWith(".json") || isYaml(path)) return []
  const gone = more(linesOf(before), linesOf(after)).filter((line) => !commented.test(line) && teeth.test(line))
  const come = more(linesOf(after), linesOf(before)).filter((line) => !commented.test(line) && teeth.test(line))
  if (gone.length > 0 === come.length > 0) return []
  return gone.length > 0
    ? [change("silence", "teeth", 1, gone[0] ?? "", "")]
    : [change("silence", "teeth", -1, "", come[0] ?? "")]
}

/** How often each row's marks or silencers are in a whole file. */
export const hushedIn = (
  path: string,
  text: string,
  isConfig = isCheckConfig(path)
): Readonly<Record<string, number>> => {
  const rows = (isConfig ? silencers() : marks()).filter(({ on }) => isConfig || on.test(text))
  if (rows.length === 0) return {}
  const lines = linesOf(text).filter((line) => !isConfig || !commented.test(line))
  const counts = rows.map(
    (row) =>
      [row.id, count(row.id === "or-true" ? lines.filter((line) => !checksNothing(path, line)) : lines, row)] as const
  )
  const own = isConfig
    ? ([
        ["script", -lines.filter((line) => hasRunner(path, line)).length],
        ["left-out", leftOut(text).length],
        ["teeth", teeth.test(lines.join("\n")) ? -1 : 0],
        ["less-strict", -count(lines, { id: "", on: demands })]
      ] as const)
    : []
  return Object.fromEntries([...counts, ...own].filter(([, many]) => many !== 0))
}

/** Of a file that is written anew what is silenced in it, and was not. */
export const ofHushed = (
  kind: "mark" | "silence",
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>
): ReadonlyArray<Delta> =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((id) => {
    const by = (after[id] ?? 0) - (before[id] ?? 0)
    return by === 0 ? [] : [change(kind, id, by, "", "")]
  })

/** Of a configuration that was not there before: only what configures one check, so that nothing else was set up with it. */
export const ofNewConfig = (path: string, text: string): ReadonlyArray<Delta> =>
  sortOf(path) === null
    ? []
    : ofConfig(path, "", text).filter(
        ({ by, id }) => by > 0 && (id === "left-out" || id === "rule-off" || id === "laxer")
      )
