/** Arranges a report in sections of rows. Both the text and the page are made from them. Pure. */
import { counted, grouped, lasting } from "../terminal/Layout.ts"
import { type Ending, endings, type Report, type Task, timesIn } from "./model.ts"
import { shortIds } from "./LogFile.ts"

export interface Line {
  /** "words" is the text for the agent. "doubt" says why the nudge may have been wrong. */
  readonly as: "stop" | "note" | "words" | "after" | "doubt"
  readonly tone: Ending
  readonly time: string
  readonly head: string
  readonly text: string
}

export interface Row {
  readonly tone: Ending
  readonly badge: string
  readonly title: string
  readonly about: string
  readonly lines: ReadonlyArray<Line>
  readonly isOpen: boolean
}

export interface Section {
  readonly title: string
  readonly rows: ReadonlyArray<Row>
  /** The maximum number of rows in the text. */
  readonly most: number
  /** The maximum size on the page, in bytes. */
  readonly room: number
  /** Where the user finds the rows that are left out. */
  readonly rest: string
  readonly has: "rows" | "days" | "decisions"
}

export interface Sheet {
  readonly about: string
  readonly headline: string
  readonly lead: string
  readonly sections: ReadonlyArray<Section>
  readonly foot: ReadonlyArray<string>
}

export const endingNames: Readonly<Record<Ending, string>> = {
  done: "done",
  nudged: "nudged",
  yours: "waits for you",
  open: "left open",
  other: "not judged"
}

const row = (title: string, given: Partial<Row> = {}): Row => {
  const bare: Row = { title, tone: "other", badge: "", about: "", lines: [], isOpen: false }
  return { ...bare, ...given }
}

const line = (as: Line["as"], text: string, given: Partial<Line> = {}): Line => {
  const bare: Line = { as, text, tone: "other", time: "", head: "" }
  return { ...bare, ...given }
}

const json = "reflexion report --format json has all"

const section = (title: string, rows: ReadonlyArray<Row> = [], given: Partial<Section> = {}): Section => {
  const small: Section = { title, rows, most: 10, room: 1500, rest: json, has: "rows" }
  return { ...small, ...given }
}

const spaced = (text: string): string => text.replaceAll("_", " ")

const joined = (...parts: ReadonlyArray<string | null>): string => parts.filter(Boolean).join(" · ")

type Stop = Task["stops"][number]

const nameOf = ({ decision: { attempt, maxAttempts }, ending, status }: Stop): string => {
  if (ending === "nudged") return attempt === null ? "nudge" : `nudge ${attempt} of ${maxAttempts}`
  if (status === "needs_human") return "needs you"
  return status === "stuck" || (ending === "other" && status !== "abstained") ? status : endingNames[ending]
}

const effects = {
  green: ["done", "done at its next stop"],
  some: ["nudged", "it got further"],
  nothing: ["open", "nothing moved"],
  unknown: ["other", "no stop since"]
} as const

const followed = ({ effect, moved }: NonNullable<Stop["nudge"]>): Line => {
  const [tone, name] = effects[effect]
  const gates = moved.map(({ after, before, gate }) =>
    after === before ? `${gate}: still ${after}` : `${gate}: ${before}, then ${after ?? "not known"}`
  )
  return line("after", effect === "unknown" || gates.length === 0 ? name : joined(...gates), { tone })
}

const linesOf = ({ asked, checks, decision, nudge, reason, ...stop }: Stop, time: string): ReadonlyArray<Line> => {
  const also = decision.reason === "" || decision.reason === reason ? "" : ` (${decision.reason})`
  const name = nameOf({ asked, checks, decision, nudge, reason, ...stop })
  const doubt = "This nudge may have been wrong: the next review had no objection, although no gate had changed."
  return [
    line("stop", reason + also, { tone: stop.ending, time: time.slice(11), head: name }),
    ...checks.map((one) =>
      line(
        "note",
        `${one.cached ? "known from an earlier run on the same files:" : "ran"} ${one.command}: ${joined(spaced(one.result), one.detail)}`
      )
    ),
    ...(asked === null ? [] : [line("note", asked)]),
    ...(nudge === null || stop.feedback === null ? [] : [line("words", stop.feedback.trim())]),
    ...(nudge === null ? [] : [followed(nudge)]),
    ...(nudge?.marked === true || nudge?.doubted === true
      ? [line("doubt", nudge.marked ? "You marked it as wrong." : doubt)]
      : [])
  ]
}

const lesson = (one: Report["lessons"][number]): Row => {
  const { analysis, category, failed, given, isNew, isResolved, prune, source, succeeded, suggestion } = one
  const ended = succeeded + failed === 0 ? null : `${succeeded} succeeded, ${failed} failed`
  const state = joined(isNew ? "new" : null, isResolved ? "resolved" : null, prune && `may go: ${prune}`)
  return row(suggestion, {
    tone: prune !== null ? "nudged" : succeeded > failed ? "done" : "other",
    about: joined(spaced(category), source ?? null, `given ${counted(given, "time")}`, ended, state),
    lines: [line("note", analysis)]
  })
}

const mark = ({ count, lowered, rule }: Report["markedRules"][number]): Row => {
  const follows = lowered
    ? `, so this rule only tells you here; \`reflexion report --clear ${rule}\` removes the marks`
    : ""
  return row(rule, { about: `${counted(count, "nudge")} marked${follows}` })
}

const headlineOf = ({ tasks }: Report): string => {
  const open = tasks.filter((one) => one.open).length
  return open === 0 ? "No task is open" : `${counted(open, "task")} ${open === 1 ? "is" : "are"} still open`
}

const leadOf = ({ tasks }: Report): string => {
  const undone = tasks.filter((one) => one.undone)
  if (undone.length === 0) return "No task would have ended undone."
  const nudges = undone.reduce((sum, one) => sum + one.nudges, 0)
  const done = undone.filter(({ ending }) => ending === "done").length
  const came = nudges === 0 ? "No nudge was sent" : `${counted(nudges, "nudge")} got ${done || "none"} of them done`
  return `${undone.length} of ${counted(tasks.length, "task")} would have ended undone. ${came}.`
}

const dayOf = ({ day, ...counts }: Report["days"][number]): Row =>
  row(day, {
    about: endings.flatMap((one) => (counts[one] > 0 ? [`${counts[one]} ${endingNames[one]}`] : [])).join(", ")
  })

export const make = (report: Report): Sheet => {
  const { attempts, cost, decisions, session, since, tasks } = report
  const isWhole = session === null
  const time = timesIn(report.zone)
  const ids = shortIds([...tasks.map((one) => one.session), ...decisions.flatMap((one) => one.sessionId ?? [])])
  const where = (at: string, host: string | null, id: string | null) =>
    joined(time(at), host, id && (ids.get(id) ?? id))
  const task = (one: Task): Row =>
    row(one.task || "a task without text", {
      tone: one.ending,
      badge: one.ending === "nudged" ? "nudged, no stop since" : one.stops.slice(-1).map(nameOf).join(""),
      about: joined(where(one.at, one.host, one.session), one.nudges > 0 ? counted(one.nudges, "nudge") : null),
      lines: one.stops.flatMap((stop) => linesOf(stop, time(stop.at))),
      isOpen: one.open
    })
  const decided = (one: (typeof decisions)[number]): Row =>
    row(joined(one.status && spaced(one.status), one.reason), {
      tone: one.decision === "nudge" ? "nudged" : one.decision === "failure" ? "open" : "other",
      badge: one.decision === "nudge" ? `nudge ${one.attempt ?? "?"}/${one.maxAttempts ?? "?"}` : one.decision,
      about: where(one.at, one.sessionId === null ? one.host : null, one.sessionId)
    })
  const finding = (one: Report["findings"][number]): Row =>
    row(`${spaced(one.rule)}: ${one.subjectId}`, {
      tone: one.severity === "warning" ? "nudged" : "done",
      about: joined(time(one.at), one.actionTaken),
      lines: [line("note", one.detail)]
    })
  const shown = tasks.filter((one) => one.undone || one.open || !isWhole)
  const [open, settled] = [true, false].map((isOpen) => shown.filter((one) => one.open === isOpen).map(task))
  const lessons = [...report.lessons.map(lesson), ...(attempts === null ? [] : [row(attempts)])]
  const problems = report.problems.map((one) => row(one))
  const days = report.days.map(dayOf).filter((one) => one.about !== "")
  const proposals = report.proposals.map(({ file, title }) => row(title, { about: file }))
  const rest = "reflexion report --session ID shows a session in full"
  const newest = { has: "decisions", most: isWhole ? 15 : decisions.length, room: 8000, rest } as const
  const from = since === null ? "everything that is recorded" : `since ${time(since)}`
  return {
    about: joined(report.project, session && `session ${session}`, from),
    headline: headlineOf(report),
    lead: leadOf(report),
    sections: [
      section("Missing in this report", problems),
      section("Still open", open, { room: 12_000, rest }),
      section(isWhole ? "Nudged, or left open earlier" : "Other tasks", settled, { room: 14_000, most: 5, rest }),
      section("Stops by day", days, { has: "days", most: 31, room: 4000 }),
      section("Marked as wrong by you", report.markedRules.map(mark)),
      section("Changes that wait for you", proposals),
      section("Lessons", lessons, { room: 5500, rest: "reflexion memory recall finds more" }),
      section("Findings over many runs", report.findings.map(finding), { room: 4000 }),
      section("What was decided", decisions.toReversed().map(decided), newest)
    ].filter(({ rows }) => rows.length > 0),
    foot: [
      `${counted(cost.reviews, "review")} took ${lasting(cost.durationMs)}, ${counted(cost.modelCalls, "model call")} and ${grouped(cost.tokens)} tokens.`,
      `Made ${time(report.madeAt)}, in the time of ${report.zone}.`
    ]
  }
}
