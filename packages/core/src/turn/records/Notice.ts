/** What the user is told, in one line: a person at work reads it in passing and must know what it means for them. */
import { type Said, standing } from "./noticeWords.ts"
import { oneLineOfWords } from "../../base/text/Text.ts"
import { clean } from "../../base/text/PlainText.ts"
import type { Progress } from "../../ask/tiers/Progress.ts"
import { redact } from "../../base/redaction/Redaction.ts"
import type { NoticeKind } from "../machine/ReviewState.ts"
import { isRuleName } from "../../judge/rules/Rules.ts"
import type { Finding, Verdict } from "../../judge/verdict/Verdict.ts"

/**
 * Most characters a notice has.
 *
 * @category limits
 */
export const maxLength = 300

/**
 * What a notice is made of. `attempts` is the number of pushes since the user's message; `verdict` is null for `on` and
 * `off`, which answer the user's own command: `command` is how that is typed in this host, `/reflection` unless it is said.
 * `progress` is what came of the last reminder.
 *
 * @category models
 */
export interface Input {
  readonly notice: NoticeKind
  readonly verdict: Verdict | null
  readonly attempts: number
  readonly maxAttempts: number
  readonly command?: string
  readonly progress?: Pick<Progress, "followed" | "summary"> | undefined
}

/** Secrets go before anything is cut: half a secret is not known as one, nor is one with an unseen character in it. */
const short = (text: string, limit: number): string => oneLineOfWords(redact(clean(text)), limit)

const line = (text: string): string => short(text, maxLength)

const times = (count: number): string => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`)

const sentence = (text: string): string => (/[.?!…"]$/.test(text) ? text : `${text}.`)

/** The first two, each short enough that both can be read. */
const both = (items: ReadonlyArray<string>, limit: number): string => {
  const shown = items.slice(0, 2)
  return shown.map((item) => short(item, Math.floor(limit / shown.length))).join("; ")
}

const maxSaid = 200

const listed = (start: string, items: ReadonlyArray<string>): string =>
  items.length === 0 ? sentence(start) : sentence(`${start}: ${both(items, maxSaid - start.length - 6)}`)

/** Who has found it, and what in the configuration turns a rule off. */
const ofRule = ({ findings }: Verdict, level: Finding["level"]): string => {
  const found = findings.find((finding) => finding.level === level)
  if (found === undefined) return ""
  return isRuleName(found.rule)
    ? ` [${found.rule}; "rules": {"${found.rule}": "off"} turns it off]`
    : ` [${found.rule}]`
}

const complete = ({ attempts, verdict }: Input, said: Said): string => {
  const start = attempts > 0 ? `reflexion: done, after reminding the agent ${times(attempts)}` : "reflexion: done"
  if (said.proved.length > 0) return sentence(`${start}: ${said.proved.join(", ")}`)
  if (said.unproved.length > 0) return sentence(`${start}, says the agent; ${both(said.unproved, 100)}`)
  return verdict === null || said.open.length === 0 ? sentence(start) : listed(`${start}, and reported`, said.open)
}

const exhausted = ({ maxAttempts, progress }: Input, said: Said): string => {
  const since = progress === undefined ? "" : `${progress.summary}. `
  return listed(`reflexion: Max attempts (${maxAttempts}) reached, it is yours now. ${since}Still open`, said.open)
}

const spelling = ({ command = "/reflection" }: Input, word: string): string => `\`${command} ${word}\``

const on = (input: Input): string => {
  const { attempts, maxAttempts } = input
  const most = `at most ${maxAttempts} ${maxAttempts === 1 ? "reminder" : "reminders"} per task`
  const used =
    attempts === 0 ? most : `${Math.min(attempts, maxAttempts)} of ${maxAttempts} reminders used for this task`
  return `reflexion is on in this session: ${used}. ${spelling(input, "stop")} turns it off.`
}

const off = (input: Input): string =>
  `reflexion is off in this session: the agent gets no reminders. ${spelling(input, "start")} turns it on.`

/** Whoever went on is not told of as one that did nothing. */
const afterLast = ({ progress }: Input): string =>
  progress === undefined || progress.followed === "none"
    ? "what the last reminder named is as it was"
    : lowered(progress.summary)

const lowered = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

const text = (input: Input, said: Said): string => {
  switch (input.notice) {
    case "complete":
      return complete(input, said)
    case "needs_human":
      return listed("reflexion: this needs you", said.human)
    case "waiting_for_user":
      return listed("reflexion: the agent waits for your answer", said.asks)
    case "incomplete":
      return (
        (said.open.length === 0
          ? "reflexion let the agent stop."
          : listed("reflexion let the agent stop; still open by the record", said.open)) +
        (input.verdict === null ? "" : ofRule(input.verdict, "tell"))
      )
    case "unmoved":
      return listed(`reflexion: ${afterLast(input)}, and the agent gets no other reminder. Still open`, said.open)
    case "exhausted":
      return exhausted(input, said)
    case "on":
      return on(input)
    case "off":
      return off(input)
  }
}

/**
 * The line for a notice.
 *
 * @category rendering
 */
export const render = (input: Input): string => line(text(input, standing(input.verdict)))

/**
 * The line that says what is wrong with the configuration; nothing is pushed under it.
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
 * The line that says that the agent was asked to go on, and why. `attempt` is counted from 1.
 *
 * @category rendering
 */
export const push = (input: {
  readonly verdict: Verdict
  readonly attempt: number
  readonly maxAttempts: number
}): string =>
  line(
    listed(
      `reflexion asked the agent to go on (${input.attempt} of ${input.maxAttempts})`,
      standing(input.verdict).open
    ) + ofRule(input.verdict, "push")
  )
