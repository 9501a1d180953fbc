/**
 * One look at what many runs show, for whoever does not last as long as a `ReflectionCycle`: `reflexion cycle`, and a
 * host's adapter when an attempt has failed. Pure, without a schema and without a service, so that a hook can afford it.
 */
import type { AttemptOutcome } from "../outcomes/AttemptOutcome.ts"
import { isFailure } from "../outcomes/AttemptOutcome.ts"
import * as Text from "../rules/FindingText.ts"
import * as OutcomeLine from "../outcomes/OutcomeLine.ts"
import { idOf } from "../rules/RuleFinding.ts"
import { keyOf, taskAt, type TaskRule } from "../rules/RulesState.ts"
import { clip, oneLine } from "../../base/text/Text.ts"
import type { ReflectionFinding } from "../rules/ReflectionFinding.ts"
import * as ReflectionRules from "../rules/ReflectionRules.ts"

/**
 * The file of findings below a project's folder for reviews.
 *
 * @category constants
 */
export const fileName = "findings.jsonl"

/**
 * The id by which a look keeps a finding, apart from that of a program's cycle, which is to tell and to do what it would
 * have done.
 *
 * @category accessors
 */
export const ownId = (id: string): string => `${Text.byHand}${id}`

/**
 * A finding, and whether it stands: what it found goes on, and something of it ended in the window.
 *
 * @category models
 */
export interface Seen {
  readonly finding: ReflectionFinding
  readonly stands: boolean
}

/**
 * A fold over the outcomes of a log, in their order and each once. `found` is what ended in the window shows, and of
 * tasks whose last run did what earlier ones had shown already, as of a nightly task that fails each time.
 *
 * @category models
 */
export interface Look {
  readonly take: (outcome: AttemptOutcome) => void
  readonly found: () => ReadonlyArray<Seen>
}

/**
 * `now` in ms since the epoch: the latest that an outcome's time is believed to be; the window is the time of
 * `lookback_seconds` before it. `known`: what was found before, of which no episode is found again before it is over, even
 * where the outcomes do not reach back to its beginning.
 *
 * @category models
 */
export interface Given {
  readonly now: number
  readonly known?: ReadonlyArray<ReflectionFinding>
}

interface Kept {
  readonly finding: ReflectionFinding
  /** The task's; null for what is about a skill. */
  readonly key: string | null
  readonly rule: TaskRule | null
}

const ofTasks: ReadonlyArray<TaskRule> = ["consecutive_failures", "timeout_pattern", "stale_task", "regression"]

const withoutPrefix = (id: string): string => (id.startsWith(Text.byHand) ? id.slice(Text.byHand.length) : id)

/**
 * What a finding is of by its id, whichever of the attempts showed it, and whoever found it.
 *
 * @category accessors
 */
export const ofId = (id: string): string => withoutPrefix(id).slice(0, id.lastIndexOf("-") - id.length)

/** What nobody gave an id is known by the attempt that showed it: a finding names its session alone. */
const episodes = (known: ReadonlyArray<ReflectionFinding>) => {
  const ids = new Map<string, Set<string>>()
  for (const { id, subjectId, subjectType } of known)
    if (subjectType === "sub_session") ids.set(subjectId, (ids.get(subjectId) ?? new Set()).add(withoutPrefix(id)))
  return (state: ReflectionRules.State, outcome: AttemptOutcome): void => {
    const shown = outcome.taskId === null ? ids.get(outcome.sessionId) : undefined
    const key = shown === undefined ? null : keyOf(outcome)
    const task = key === null ? undefined : state.tasks.get(key)
    if (shown === undefined || key === null || task === undefined) return
    // Not the outcome's own time, which may lie in the future: what it found would never be over.
    const at = task.runs.at(-1)?.at
    if (at !== undefined)
      for (const rule of ofTasks) if (shown.has(idOf(rule, key, outcome.id))) task.flags[rule] ??= at
  }
}

/**
 * Begins a look.
 *
 * @category constructors
 */
export const make = (options: ReflectionRules.Options, { known = [], now }: Given): Look => {
  const window = options.lookback_seconds * 1000
  const since = now - window
  const state = ReflectionRules.initial()
  // Nothing was found in the future: what says so would hide what is found until then.
  const past = known.filter(({ at }) => Date.parse(at) <= now)
  ReflectionRules.recall(
    state,
    past.map((finding) => ({ ...finding, id: withoutPrefix(finding.id) }))
  )
  const recall = episodes(known)
  const kept = new Map<string, Kept>()

  /** Of what was shown before the window the last of each rule and task is enough. */
  const keep = (finding: ReflectionFinding, outcome: AttemptOutcome): void => {
    const rule = ofTasks.find((one) => one === finding.rule) ?? null
    const key = rule === null ? null : keyOf(outcome)
    const isOld = Date.parse(finding.at) < since
    if (isOld && key === null) return
    kept.set(isOld ? `${rule} ${key}` : finding.id, { finding, key, rule })
  }

  const stands = ({ finding, key, rule }: Kept): boolean => {
    const at = Date.parse(finding.at)
    if (key === null || rule === null) return at >= since
    const task = state.tasks.get(key)
    const last = task?.runs.at(-1)
    if (task?.flags[rule] !== at || last === undefined || last.at < since) return false
    return rule === "stale_task" || isFailure(last)
  }

  return {
    take: (given) => {
      // No finding of the window compares what was loaded so long ago.
      const outcome = Date.parse(given.at) < since - window ? { ...given, loaded: [] } : given
      for (const { finding } of ReflectionRules.step(options, state, { outcome, now })) keep(finding, outcome)
      recall(state, outcome)
    },
    found: () =>
      [...kept.values()]
        .map((one) => ({ finding: one.finding, stands: stands(one) }))
        .filter(({ finding, stands }) => stands || Date.parse(finding.at) >= since)
  }
}

/**
 * Tells a new state of the rules what was found before, so that what goes on is not found again: a task without an id is
 * told of before each of its attempts, by what this gives.
 *
 * @category constructors
 */
export const remembering = (
  state: ReflectionRules.State,
  { known = [], now }: Given
): ((outcome: AttemptOutcome) => void) => {
  const at = new Map<string, number>()
  for (const finding of known) {
    const found = Date.parse(finding.at)
    if (found > now) continue
    // Whether its task was paused for it is nothing that a look goes by.
    ReflectionRules.recall(state, [{ ...finding, id: withoutPrefix(finding.id), severity: "warning" }])
    const of = ofId(finding.id)
    if (finding.subjectType === "sub_session") at.set(of, Math.max(found, at.get(of) ?? found))
  }
  return (outcome) => {
    const key = outcome.taskId === null && at.size > 0 ? keyOf(outcome) : null
    if (key === null || state.tasks.has(key)) return
    const { flags } = taskAt(state, key)
    for (const rule of ofTasks) {
      const found = at.get(ofId(idOf(rule, key, outcome.id)))
      if (found !== undefined) flags[rule] = found
    }
  }
}

/** Whoever put it there. */
const idsOf = (known: ReadonlyArray<ReflectionFinding>): ReadonlySet<string> =>
  new Set(known.map(({ id }) => withoutPrefix(id)))

const decoded = <A>(lines: ReadonlyArray<string>, read: (line: string) => A | null): ReadonlyArray<A> =>
  lines.flatMap((line) => read(line) ?? [])

/**
 * Whether an attempt counts, asked of all in their order: of those that a session fails at one task without an id with in
 * a row, as it does until its reminders are used up, the first does. Who is in the session has seen them.
 *
 * @category predicates
 */
export const oncePerSession = (): ((outcome: AttemptOutcome) => boolean) => {
  const failing = new Map<string, string>()
  return (outcome) => {
    const key = outcome.taskId === null ? keyOf(outcome) : null
    if (key === null) return true
    const { sessionId } = outcome
    // Where nobody said which session it was, each is another.
    const isRepeated = isFailure(outcome) && sessionId !== "" && failing.get(key) === sessionId
    failing.set(key, isFailure(outcome) ? sessionId : "")
    return !isRepeated
  }
}

/**
 * Lines of a project's files: `outcomes` has the end of its outcome log, `known` that of its findings.
 *
 * @category models
 */
export interface Lines {
  readonly outcomes: ReadonlyArray<string>
  readonly known: ReadonlyArray<string>
}

/**
 * Where the lines do not reach back to the attempt that showed what goes on, a later one shows it again: it was told if it is
 * older than the window and the same was found before the lines begin.
 */
const wasTold = (known: ReadonlyArray<ReflectionFinding>, [begin]: ReadonlyArray<AttemptOutcome>, since: number) => {
  const before = begin === undefined ? 0 : Date.parse(begin.at)
  const told = new Set(known.flatMap(({ at, id }) => (Date.parse(at) < before ? [ofId(id)] : [])))
  return ({ at, id }: ReflectionFinding): boolean => Date.parse(at) < since && told.has(ofId(id))
}

/**
 * What stands and is not among the findings yet, as it is to be kept there. What a session failed at one task without an
 * id before anything else came of that is one attempt.
 *
 * @category queries
 */
export const fresh = (
  options: ReflectionRules.Options,
  lines: Lines,
  now: number
): ReadonlyArray<ReflectionFinding> => {
  const known = decoded(lines.known, Text.read)
  const look = make(options, { now, known })
  const seen = new Set<string>()
  const counts = oncePerSession()
  const outcomes = decoded(lines.outcomes, OutcomeLine.read)
  for (const outcome of outcomes) {
    // Of an id the first counts.
    if (!seen.has(outcome.id) && counts(outcome)) look.take(outcome)
    seen.add(outcome.id)
  }
  const ids = idsOf(known)
  const isTold = wasTold(known, outcomes, now - options.lookback_seconds * 1000)
  return look
    .found()
    .filter(({ finding, stands }) => stands && !ids.has(finding.id))
    .map(({ finding }) => Text.clean({ ...finding, id: ownId(finding.id) }))
    .filter((finding) => !isTold(finding))
}

/**
 * What the lines of a log do not have by now: asked again by whoever holds its lock.
 *
 * @category queries
 */
export const without = (
  findings: ReadonlyArray<ReflectionFinding>,
  lines: ReadonlyArray<string>
): ReadonlyArray<ReflectionFinding> => {
  const ids = idsOf(decoded(lines, Text.read))
  return findings.filter(({ id }) => !ids.has(withoutPrefix(id)))
}

/**
 * A line of the log for each, with its break.
 *
 * @category encoding
 */
export const encode = (findings: ReadonlyArray<ReflectionFinding>): string => findings.map(Text.encode).join("")

/** As long as any other notice. */
const most = 200

/** What was to be done is cut before what became of it. */
const shortened = (detail: string, limit: number): string => {
  const text = oneLine(detail, Math.max(limit, detail.length))
  const at = Math.max(text.lastIndexOf('" '), text.lastIndexOf(") "))
  const rest = at < 0 ? "" : text.slice(at)
  return text.length <= limit || rest.length > limit / 2
    ? clip(text, limit)
    : `${clip(text.slice(0, at), limit - rest.length)}${rest}`
}

/**
 * What the user is told of findings, in one line: the first, and how many more there are. Empty for none.
 *
 * @category rendering
 */
export const notice = ([first, ...rest]: ReadonlyArray<ReflectionFinding>): string => {
  if (first === undefined) return ""
  const end = ` See \`reflexion cycle\`${rest.length === 0 ? "" : ` (${rest.length} more)`}.`
  const begin = "reflexion: "
  return `${begin}${shortened(first.detail, most - begin.length - end.length)}${end}`
}
