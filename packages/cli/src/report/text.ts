/** The report to read on a terminal: the twin of the page. Pure: the terminal is a parameter. */
import * as Hosts from "../host/Hosts.ts"
import { clip, counted, grouped, lasting, oneLine, pad, width, wrap } from "../terminal/Layout.ts"
import { blocks, moment } from "../terminal/Sheet.ts"
import { type Paint, paint, symbols, type TerminalStyle } from "../terminal/TerminalStyle.ts"
import type { Push, ReportData, Session, Stop, Tally } from "./model.ts"
import * as Words from "./words.ts"

const paints: Readonly<Record<Words.Outcome, Paint>> = {
  complete: "green",
  pushed: "yellow",
  waiting: "cyan",
  abstained: "dim",
  left: "magenta"
}

const shown = { candidates: 10, sessions: 10, findings: 10, lessons: 10 }

const percent = (part: number, whole: number): string => (whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`)

/** Epoch ms as the reports have it. */
export const timeOf = (at: number | null): string => (at === null ? "unknown time" : moment(new Date(at).toISOString()))

const title = (style: TerminalStyle, text: string): string =>
  wrap(text, style.width)
    .map((line) => paint(style, ["bold"], line))
    .join("\n")

/** The sign for nothing, as this terminal has it. */
const plain = (style: TerminalStyle, text: string): string => text.replaceAll("–", symbols(style).none)

const table = (style: TerminalStyle, rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ""))))
  return rows.map((row, index) => {
    const cells = row.map((cell, column) => {
      const to = widths[column] ?? 0
      return column === 0 ? pad(cell, to) : " ".repeat(Math.max(0, to - width(cell))) + cell
    })
    const line = plain(style, `  ${cells.join("  ")}`)
    return index === 0 ? paint(style, ["dim"], line) : line
  })
}

const indented = (style: TerminalStyle, text: string, indent: number): ReadonlyArray<string> =>
  wrap(oneLine(text), style.width - indent).map((line) => " ".repeat(indent) + line)

const bulleted = (style: TerminalStyle, text: string, indent: number): ReadonlyArray<string> =>
  wrap(oneLine(text), style.width - indent - 2).map(
    (line, index) => `${" ".repeat(indent)}${index === 0 ? symbols(style).bullet : " "} ${line}`
  )

const tallied = (style: TerminalStyle, tally: Tally, pushed: string): ReadonlyArray<string> => {
  const bar = Math.max(4, Math.min(30, style.width - 36))
  return Words.outcomes.map((outcome) => {
    const count = tally.outcomes[outcome]
    const name = outcome === "pushed" ? pushed : Words.outcomeNames[outcome]
    const full = tally.stops === 0 ? 0 : Math.round((bar * count) / tally.stops)
    const line = `  ${pad(name, 17)}${String(count).padStart(6)}  ${percent(count, tally.stops).padStart(5)}  `
    return `${plain(style, line)}${paint(style, [paints[outcome]], (style.unicode ? "█" : "#").repeat(full))}`.trimEnd()
  })
}

const whys = (style: TerminalStyle, head: string, counts: Tally["abstained"]): ReadonlyArray<string> =>
  counts.length === 0
    ? []
    : [head, ...counts.flatMap(({ count, key }) => bulleted(style, `${count} ${symbols(style).dot} ${key}`, 2))]

const stopsPart = (style: TerminalStyle, { past, tally }: ReportData): ReadonlyArray<ReadonlyArray<string>> => [
  [title(style, `Stops: ${tally.stops} reviewed`), ...tallied(style, tally, Words.outcomeNames.pushed)],
  whys(style, title(style, "Why not judged"), tally.abstained),
  whys(style, title(style, "Why open and not pushed"), tally.left),
  past === null
    ? []
    : past.stops === 0
      ? [title(style, "Past sessions: no others were found")]
      : [
          title(style, `Past sessions: ${counted(past.stops, "stop")} judged now`),
          ...tallied(style, past, "would be pushed")
        ]
]

const identified = (style: TerminalStyle, host: string, id: string): string =>
  `${oneLine(host)}  ${clip(oneLine(id), 13, symbols(style).ellipsis)}`

const candidate = (style: TerminalStyle, stop: Stop, push: Push): ReadonlyArray<string> => [
  ...wrap(`${timeOf(stop.at)}  ${identified(style, stop.host, stop.sessionId)}`, style.width - 4).map(
    (line, index) => `  ${index === 0 ? paint(style, ["yellow"], symbols(style).unknown) : " "} ${line}`
  ),
  ...indented(style, stop.reason, 4),
  ...push.doubts.flatMap((doubt) => bulleted(style, doubt, 4))
]

const pushesPart = (style: TerminalStyle, data: ReportData): ReadonlyArray<ReadonlyArray<string>> => {
  const total = Object.values(data.effects).reduce((sum, count) => sum + count, 0)
  const stops = new Map(data.stops.map((stop) => [stop.id, stop]))
  const doubted = data.pushes.filter(({ doubts }) => doubts.length > 0)
  const listed = doubted.slice(0, shown.candidates).flatMap((push) => {
    const stop = stops.get(push.stop)
    return stop === undefined ? [] : candidate(style, stop, push)
  })
  const marked = data.marked === 0 ? [] : indented(style, `${data.marked} marked as wrong by you: reflexion marks`, 2)
  if (total === 0 && doubted.length === 0) return [[title(style, "Pushes: none"), ...marked]]
  const effects = Object.entries(Words.effectNames).map(([effect, name]) => {
    const count = Object.entries(data.effects).find(([one]) => one === effect)?.[1] ?? 0
    return plain(style, `  ${pad(name, 17)}${String(count).padStart(6)}  ${percent(count, total).padStart(5)}`)
  })
  const gates = data.byGate.map(({ gate, green, open, unknown }) => [
    gate,
    String(green),
    String(open),
    String(unknown)
  ])
  return [
    [title(style, `Pushes: ${total}, by what the next stop shows`), ...effects, ...marked],
    gates.length === 0 ? [] : table(style, [["gate", "green after", "still open", "not known"], ...gates]),
    doubted.length === 0
      ? []
      : [
          title(
            style,
            `To review: ${counted(doubted.length, "push").replace(/pushs$/u, "pushes")} that may have been wrong`
          ),
          ...listed,
          ...left(style, doubted.length - shown.candidates)
        ]
  ]
}

const left = (style: TerminalStyle, count: number): ReadonlyArray<string> =>
  count > 0 ? [paint(style, ["dim"], `  ${count} more: the page has them`)] : []

const costPart = (style: TerminalStyle, { models, tiers }: ReportData): ReadonlyArray<string> => {
  const used = tiers.filter(({ reviews }) => reviews > 0)
  if (used.length === 0) return []
  const rows = used.map((tier) => [
    Words.tierNames[tier.tier],
    String(tier.reviews),
    String(tier.modelCalls),
    grouped(tier.inputTokens),
    grouped(tier.outputTokens),
    lasting(tier.durationMs)
  ])
  const asked = models.map(({ count, key }) => `${oneLine(key)} (${count})`).join(", ")
  return [
    title(style, "What reviews took"),
    ...table(style, [["", "reviews", "model calls", "tokens in", "tokens out", "time"], ...rows]),
    ...(asked === "" ? [] : indented(style, `Models that answered: ${asked}`, 2))
  ]
}

const questionsPart = (style: TerminalStyle, { questions: { all, hosts } }: ReportData): ReadonlyArray<string> => {
  if (all.calls === 0) return []
  const rows = [...hosts, ...(hosts.length > 1 ? [all] : [])].map((one) => [
    oneLine(one.host),
    String(one.calls),
    String(one.answered),
    one.medianMs === null ? "none" : lasting(one.medianMs),
    grouped(one.inputTokens),
    grouped(one.outputTokens)
  ])
  return [
    title(style, "What a model was asked at stops, of the last 30 days at most"),
    ...table(style, [["", "questions", "answered", "median wait", "tokens in", "tokens out"], ...rows])
  ]
}

const sessionLine = (style: TerminalStyle, session: Session): ReadonlyArray<string> => {
  const pushes = session.pushes === 0 ? "" : `, ${session.pushes} pushed`
  const counts = ` (${counted(session.stops, "stop")}${pushes})`
  return [
    ...wrap(
      `${timeOf(session.to)}  ${identified(style, session.host, session.id)}  ${Words.outcomeNames[session.ended]}`,
      style.width - 2
    ).map((line) => `  ${paint(style, [paints[session.ended]], line)}`),
    ...wrap(
      clip(oneLine(session.task), Math.max(20, style.width - 4 - counts.length), symbols(style).ellipsis) + counts,
      style.width - 4
    ).map((line) => `    ${line}`)
  ]
}

const sessionsPart = (style: TerminalStyle, { sessions, sessionsLeftOut }: ReportData): ReadonlyArray<string> =>
  sessions.length === 0
    ? []
    : [
        title(style, "Sessions, the newest first"),
        ...sessions.slice(0, shown.sessions).flatMap((session) => sessionLine(style, session)),
        ...left(style, sessions.length - shown.sessions),
        ...(sessionsLeftOut > 0
          ? [paint(style, ["dim"], `  ${counted(sessionsLeftOut, "older session")} left out`)]
          : [])
      ]

const rateOf = ({ failed, rate, succeeded }: ReportData["memory"]["without"]): string =>
  rate === null
    ? "no attempt recorded"
    : `${succeeded} of ${succeeded + failed} succeeded (${Math.round(rate * 100)} %)`

type Lesson = ReportData["memory"]["lessons"][number]

/** What to do instead, and whether that is over. */
const sayingOf = ({ isResolved, suggestion }: Lesson): string => (isResolved ? `${suggestion} (resolved)` : suggestion)

/** Each as often as it was learned: several attempts may teach the same. */
const distinct = (lessons: ReadonlyArray<Lesson>): ReadonlyArray<{ readonly suggestion: string }> => {
  const times = new Map<string, number>()
  for (const lesson of lessons) times.set(sayingOf(lesson), (times.get(sayingOf(lesson)) ?? 0) + 1)
  return Array.from(times, ([suggestion, count]) => ({
    suggestion: count === 1 ? suggestion : `${suggestion} (${count} times)`
  }))
}

const memoryPart = (style: TerminalStyle, { memory }: ReportData): ReadonlyArray<ReadonlyArray<string>> => {
  if (memory.reflections === 0) return [[title(style, "Memory: nothing is remembered yet")]]
  const prune = memory.lessons.filter(({ prune }) => prune !== null)
  const helped = memory.lessons.filter(({ helpfulness, succeeded }) => succeeded > 0 && helpfulness > 0.5)
  const fresh = memory.lessons.filter(({ isNew }) => isNew)
  const list = <A>(head: string, lessons: ReadonlyArray<A>, tell: (lesson: A) => string) =>
    lessons.length === 0
      ? []
      : [
          title(style, head),
          ...lessons.slice(0, shown.lessons).flatMap((lesson) => bulleted(style, tell(lesson), 2)),
          ...left(style, lessons.length - shown.lessons)
        ]
  return [
    [
      title(
        style,
        `Memory: ${counted(memory.reflections, "reflection")} of ${counted(memory.tasks, "task")}, ${memory.learned} learned in this time`
      ),
      ...indented(style, `With reflections: ${rateOf(memory.withLessons)}. Without: ${rateOf(memory.without)}.`, 2),
      ...(memory.without.rate === null ? [] : indented(style, Words.notAlike, 2))
    ],
    list("Learned", distinct(fresh), ({ suggestion }) => suggestion),
    list(
      "Helped",
      helped,
      (lesson) => `${lesson.succeeded} of ${lesson.succeeded + lesson.failed}: ${sayingOf(lesson)}`
    ),
    list("To prune", prune, ({ prune, suggestion }) => `${suggestion} (${prune ?? ""})`)
  ]
}

const findingsPart = (style: TerminalStyle, { findings, findingsLeftOut }: ReportData): ReadonlyArray<string> =>
  findings.length === 0
    ? []
    : [
        title(style, "Findings of the cycle"),
        ...findings
          .slice(0, shown.findings)
          .flatMap(({ detail, rule, subjectId, subjectType }) =>
            bulleted(
              style,
              `${rule.replaceAll("_", " ")}, ${subjectType.replaceAll("_", " ")} ${subjectId}: ${detail}`,
              2
            )
          ),
        ...left(style, findings.length - shown.findings + findingsLeftOut)
      ]

const cyclePart = (style: TerminalStyle, { cycle }: ReportData): ReadonlyArray<string> =>
  cycle.changes.length + cycle.analyses.length === 0
    ? []
    : [
        title(
          style,
          `Changes that the cycle left, of ${counted(cycle.analyses.length, "analysis", "analyses")} in this time`
        ),
        ...cycle.changes
          .slice(0, shown.findings)
          .flatMap(({ reference, text, title }) =>
            bulleted(style, `${reference}: ${title}${text === "" ? "" : `: ${oneLine(text)}`}`, 2)
          ),
        ...left(style, Math.max(0, cycle.changes.length - shown.findings) + cycle.changesLeftOut)
      ]

const othersPart = (style: TerminalStyle, data: ReportData): ReadonlyArray<ReadonlyArray<string>> => {
  const { completed, failed, timeout } = data.attempts
  const attempts = completed + failed + timeout
  return [
    attempts === 0
      ? []
      : [
          title(style, `Attempts logged: ${attempts}`),
          `  ${completed} completed, ${failed} failed, ${timeout} timed out`
        ],
    data.failures.length === 0
      ? []
      : [
          title(style, "Faults of reflexion's own or of its surroundings"),
          ...data.failures.flatMap(({ at, reason }) => bulleted(style, `${moment(at)} ${reason}`, 2)),
          ...left(style, data.failuresLeftOut)
        ]
  ]
}

/**
 * What to do where there is nothing to report.
 *
 * @category rendering
 */
export const nothingYet = (data: ReportData): string | null =>
  data.stops.length > 0 ||
  data.memory.reflections > 0 ||
  data.findings.length > 0 ||
  attemptsOf(data) > 0 ||
  data.cycle.changes.length + data.cycle.analyses.length > 0
    ? null
    : data.since === null
      ? `Nothing is recorded yet. The hooks leave a record of every stop in .reflection/ once they are installed: ${Hosts.installing.replaceAll("`", "")}. reflexion doctor says whether they run${data.past === null ? ", and reflexion report --sessions judges past sessions now." : ". The hosts have no session of this directory either."}`
      : "Nothing is recorded in this time. Take a longer one (--since 30d), or leave --since out to see all that is kept."

const attemptsOf = ({ attempts }: ReportData): number => attempts.completed + attempts.failed + attempts.timeout

export const render = (style: TerminalStyle, data: ReportData): string => {
  const span = data.since === null ? "all that is kept" : `since ${moment(data.since)}`
  const head = wrap(
    `${oneLine(data.project)} ${symbols(style).dot} ${span} ${symbols(style).dot} made ${moment(data.madeAt)}`,
    style.width
  )
  const nothing = nothingYet(data)
  return blocks([
    [title(style, "reflexion report"), ...head.map((line) => paint(style, ["dim"], line))],
    data.problems.flatMap((problem) => bulleted(style, `could not be read: ${problem}`, 0)),
    ...(nothing === null
      ? [
          ...stopsPart(style, data),
          ...pushesPart(style, data),
          costPart(style, data),
          questionsPart(style, data),
          sessionsPart(style, data),
          ...memoryPart(style, data),
          findingsPart(style, data),
          cyclePart(style, data)
        ]
      : [wrap(nothing, style.width)]),
    ...othersPart(style, data)
  ])
}
