/** What a result says of the state of things: that something is under way, has ended, or is wrong. */

const notYet = "not (?:yet |been )?(?:ready|finished|done|completed?|available|started"
const waiting = "pending|queued|enqueued|in[ _-]?progress"

const anyOf = (words: string, before = "", after = ""): RegExp =>
  new RegExp(`${before}(?<![a-z])(?:${words})(?![a-z])${after}`, "im")

const underWay = anyOf(`${waiting}|still running|${notYet})`)
const moving = anyOf(
  "running|waiting|starting|provisioning|building|creating|deploying|updating|processing|initiali[sz]ing|scheduled|submitted|uploading|syncing|progressing"
)
const over = new RegExp(
  `(?<!not )(?<!not yet )\\b(?:errors?|fail(?:ed|ures?|s)?|exception|traceback|passed|refused|denied|not found|no such|cannot|invalid|done|finished|succe(?:eded|ss))\\b(?!["']?\\s{0,2}[:=]\\s{0,2}0\\b)`,
  "i"
)
const ended = anyOf(
  "errors?|errored|fail(?:ed|ures?|ing|s)?|pass(?:ed|ing)?|success(?:ful|fully)?|succeeded|completed?|cancell?ed|timed[ _]out|startup_failure|neutral",
  "(?<!not )(?<!not yet )"
)
const endMark = /[✓✔✗✘]|^ {0,4}X /im
/** What some part of a pipeline is before its end, and the star before a job that goes on. */
const unended = anyOf(
  `${waiting}|running|waiting|starting|requested|expected|scheduled|created|preparing|manual|blocked|action_required|${notYet}|reported)`
)
const goingOn = /^ {0,4}[*●○] /m
/** What is printed instead of a log that is still being written. */
const unwritten = /still (?:in progress|running)|is in progress|not (?:yet |been )?(?:available|completed?|finished)/i
const wrong = anyOf(
  "errors?|fail(?:ed|ures?|ing|s)?|exception|traceback|fatal|panic(?:ked)?|crash\\w{0,20}|invalid|denied|refused|forbidden|unauthorized|unavailable|unreachable|unhealthy|rejected|incorrect|expired|missing|not found|no such|cannot|can't|could not|unable to|timed? ?out",
  "(?<!(?<!\\S)(?:no|0|without) )",
  `(?!["']?\\s{0,2}[:=]\\s{0,2}(?:0|null|false|\\[\\]|""|none)(?!\\w))`
)

const max = { state: 300, report: 2000, end: 6000, wrong: 600 } as const

/** Whether a result is the state of something that is not through; what is read out of a file is no state. */
export const saysUnderWay = (output: string, isLook: boolean): boolean => {
  if (output.length === 0 || output.length > (isLook ? max.state : max.report) || over.test(output)) return false
  return underWay.test(output) || (output.length <= max.state && moving.test(output))
}

/** Whether a result that is no more than a state says of it that it is not through. */
export const isPending = (output: string): boolean => output.length <= max.state && underWay.test(output)

/** Whether what checks, a run or a pipeline show is their last: each of them has ended; a log says what it likes. */
export const saysEnded = (output: string, what: "state" | "log"): boolean => {
  const shown = output.slice(0, max.end)
  if (!ended.test(shown) && !endMark.test(shown)) return false
  return what === "log" ? !unwritten.test(shown.slice(0, max.state)) : !unended.test(shown) && !goingOn.test(shown)
}

/** Whether a result that is short enough to be about it says that something is wrong. */
export const saysWrong = (output: string): boolean => output.length <= max.wrong && wrong.test(output)
