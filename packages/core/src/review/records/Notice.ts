/** Writes what the user is told, in one line that a busy person understands at a glance. */
import { safeText } from "../../base/redaction/SafeText.ts"
import type { Progress } from "../tiers/Progress.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import { oneLine, oneLineOfWords } from "../../base/text/Text.ts"
import * as Missing from "../../judge/verdict/Missing.ts"
import type { Finding, Gate, Verdict } from "../../judge/verdict/Verdict.ts"
import { isRuleName } from "../../judge/rules/Rules.ts"
import * as GateTable from "../../session/vocabulary/GateTable.ts"
import type { NoticeKind } from "../machine/ReviewState.ts"

/**
 * The maximum number of characters in a notice.
 *
 * @category limits
 */
export const maxLength = 300

/**
 * The input of a notice.
 *
 * @category models
 */
export interface Input {
  readonly notice: NoticeKind
  /** Null for `on` and `off`, which answer the user's own command. */
  readonly verdict: Verdict | null
  readonly attempts: number
  readonly maxAttempts: number
  readonly command?: string
  readonly progress?: Pick<Progress, "followed" | "summary"> | undefined
  /** In milliseconds. Only for `limit`. */
  readonly until?: number | undefined
}

/** Removes secrets before it shortens: half a secret would not be recognized. */
const short = (text: string, limit: number): string => oneLineOfWords(safeText(text), limit)

const times = (count: number): string => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`)

const sentence = (text: string): string => (/[.?!…"]$/.test(text) ? text : `${text}.`)

const both = (items: ReadonlyArray<string>, limit: number): string => {
  const shown = items.slice(0, 2)
  return shown.map((item) => short(item, Math.floor(limit / shown.length))).join("; ")
}

const maxSaid = 200

const listed = (start: string, items: ReadonlyArray<string>): string =>
  items.length === 0 ? sentence(start) : sentence(`${start}: ${both(items, maxSaid - start.length - 6)}`)

const openItem = (
  { comment, failing = [], gate: name, message, rule }: Finding,
  gates: ReadonlyArray<Gate>
): string => {
  // Shows the comment's file but not its line, so that there is room for the agent's answer.
  if (comment !== undefined) {
    const open = `a review comment is open (${comment.file}): `
    return comment.answer === null
      ? `${open}"${comment.said}"`
      : `${open}"${oneLine(comment.said, 50)}"; the agent answered "${comment.answer}"`
  }
  const gate = rule.startsWith("gates/") ? gates.find((candidate) => candidate.gate === name) : undefined
  if (gate === undefined || gate.result === "unknown") return message
  const named = gate.result === "failed" ? failing.join("; ") : ""
  return named === "" || named.length > 90 ? GateTable.said(gate) : `${GateTable.said(gate)}: ${named}`
}

const itemsOf = ({ findings, gates }: Verdict): ReadonlyArray<string> =>
  Missing.distinct(findings).map((found) => openItem(found, gates))

/** The agent's question, or the action that needs a person. */
const quoted = ({ reason }: Verdict): ReadonlyArray<string> => {
  const at = reason.indexOf(": ")
  return at < 0 ? [] : [`"${oneLine(redact(reason.slice(at + 2)), 120)}"`]
}

const gatesOf = ({ gates }: Verdict, result: Gate["result"], isRequired = true): ReadonlyArray<string> =>
  gates.filter((gate) => (gate.required || !isRequired) && gate.result === result).map(GateTable.said)

const openOf = (verdict: Verdict): ReadonlyArray<string> => {
  if (verdict.findings.length > 0) return itemsOf(verdict)
  // If an incomplete verdict has nothing to tell, its findings come from rules that the user has turned off.
  if (verdict.status === "incomplete") return []
  const gates = (["failed", "stale", "missing"] as const).flatMap((result) => gatesOf(verdict, result))
  return gates.length > 0 || verdict.complete ? gates : [verdict.reason]
}

const ofRule = ({ findings }: Verdict, level: Finding["level"]): string => {
  const found = findings.find((finding) => finding.level === level)
  if (found === undefined) return ""
  const off = isRuleName(found.rule) ? `; "rules": {"${found.rule}": "off"} turns it off` : ""
  return ` [${found.rule}${off}]`
}

const complete = (verdict: Verdict, attempts: number): string => {
  const start = attempts > 0 ? `reflexion: done, after nudging the agent ${times(attempts)}` : "reflexion: done"
  const required = gatesOf(verdict, "passed")
  const proved = required.length > 0 ? required : gatesOf(verdict, "passed", false)
  if (proved.length > 0) return sentence(`${start}: ${proved.join(", ")}`)
  const unproved = gatesOf(verdict, "unknown")
  if (unproved.length > 0) return sentence(`${start}, says the agent; ${both(unproved, 100)}`)
  const open = openOf(verdict)
  return open.length === 0 ? sentence(start) : listed(`${start}; the agent reported`, open)
}

const afterLast = ({ progress }: Input): string =>
  progress === undefined || progress.followed === "none"
    ? "nothing that the last nudge named has changed"
    : progress.summary.slice(0, 1).toLowerCase() + progress.summary.slice(1)

const turned = ({ attempts, command = "/reflection", maxAttempts, notice }: Input): string => {
  if (notice === "off")
    return `reflexion is off in this session: the agent gets no nudges. \`${command} start\` turns it on.`
  const used =
    attempts === 0
      ? `at most ${maxAttempts} ${maxAttempts === 1 ? "nudge" : "nudges"} per task`
      : `${Math.min(attempts, maxAttempts)} of ${maxAttempts} nudges used for this task`
  return `reflexion is on in this session: ${used}. \`${command} stop\` turns it off.`
}

const text = (input: Input): string => {
  const { attempts, maxAttempts, notice, progress, verdict } = input
  const open = verdict === null ? [] : openOf(verdict)
  const asked = verdict === null ? [] : quoted(verdict)
  switch (notice) {
    case "complete":
      return verdict === null ? "reflexion: done." : complete(verdict, attempts)
    case "needs_human":
      return listed("reflexion: this needs you", verdict === null ? [] : [...asked, ...itemsOf(verdict)])
    case "waiting_for_user":
      return listed("reflexion: the agent waits for your answer", asked)
    case "incomplete": {
      const still = open.length === 0 ? "" : "; still open in the record"
      return `${listed(`reflexion let the agent stop${still}`, open)}${verdict === null ? "" : ofRule(verdict, "tell")}`
    }
    case "unmoved":
      return listed(`reflexion: ${afterLast(input)}, so the agent gets no further nudge. Still open`, open)
    case "exhausted": {
      const since = progress === undefined ? "" : `${progress.summary}. `
      return listed(`reflexion: Max attempts (${maxAttempts}) reached, please take over. ${since}Still open`, open)
    }
    case "limit": {
      const end = new Date(input.until ?? 0).toISOString().replace("T", " ").slice(0, 16)
      return `reflexion: a usage limit stopped the agent. The agent goes on when the limit ends, at ${end} UTC, unless you write first.`
    }
    case "on":
    case "off":
      return turned(input)
  }
}

/**
 * Returns the line for a notice.
 *
 * @category rendering
 */
export const render = (input: Input): string => short(text(input), maxLength)

/**
 * Returns the line about an error in the configuration. No nudge is sent until the error is fixed.
 *
 * @category rendering
 */
export const problem = (text: string): string => {
  const [first = "", ...rest] = text.split("\n", 1000)
  const untold = /^\(and (\d{1,9}) more\)$/.exec(rest.at(-1) ?? "")
  const more = rest.length + (untold === null ? 0 : Number(untold[1]) - 1)
  const end = more === 0 ? "" : ` (and ${more} more)`
  return short(`reflexion is paused until this is fixed: ${first}`, maxSaid - end.length) + end
}

/**
 * Returns the line about a nudge that a host refused. `why` is what the host or its service said.
 *
 * @category rendering
 */
export const unanswered = (why: string): string =>
  short(listed("reflexion: the agent could not answer", [why]), maxLength)

/**
 * Returns the line about a nudge: the agent was asked to go on, and why. `attempt` is counted from 1.
 *
 * @category rendering
 */
export const nudge = (input: {
  readonly verdict: Verdict
  readonly attempt: number
  readonly maxAttempts: number
}): string => {
  const start = `reflexion nudged the agent to continue (${input.attempt} of ${input.maxAttempts})`
  return short(listed(start, openOf(input.verdict)) + ofRule(input.verdict, "nudge"), maxLength)
}
