/** What a result says of the state of things: that something is under way, has ended, or is wrong. */
const underWay =
  /(?<![a-z])(?:pending|queued|enqueued|in[ _-]?progress|still running|not (?:yet |been )?(?:ready|finished|done|completed?|available|started))(?![a-z])/i
const moving =
  /(?<![a-z])(?:running|waiting|starting|provisioning|building|creating|deploying|updating|processing|initiali[sz]ing|scheduled|submitted|uploading|syncing|progressing)(?![a-z])/i
const over =
  /(?<!not )(?<!not yet )\b(?:errors?|fail(?:ed|ures?|s)?|exception|traceback|passed|refused|denied|not found|no such|cannot|invalid|done|finished|succe(?:eded|ss))\b(?!["']?\s{0,2}[:=]\s{0,2}0\b)/i

const maxState = 300
const maxReport = 2000

/** Whether a result is the state of something that is not through; what is read out of a file is no state. */
export const saysUnderWay = (output: string, isLook: boolean): boolean => {
  const most = isLook ? maxState : maxReport
  if (output.length === 0 || output.length > most || over.test(output)) return false
  return underWay.test(output) || (output.length <= maxState && moving.test(output))
}

/** Whether a result that is no more than a state says of it that it is not through. */
export const isPending = (output: string): boolean => output.length <= maxState && underWay.test(output)

const ended =
  /(?<!not )(?<!not yet )(?<![a-z])(?:errors?|errored|fail(?:ed|ures?|ing|s)?|pass(?:ed|ing)?|success(?:ful|fully)?|succeeded|completed?|cancell?ed|timed[ _]out|startup_failure|neutral)(?![a-z])|[✓✔✗✘]|^ {0,4}X /im
/** What some part of a pipeline is before its end, and the star before a job that goes on. */
const unended =
  /(?<![a-z])(?:pending|queued|enqueued|in[ _-]?progress|running|waiting|starting|requested|expected|scheduled|created|preparing|manual|blocked|action_required|not (?:yet |been )?(?:ready|finished|done|completed?|available|started|reported))(?![a-z])|^ {0,4}[*●○] /im

const maxEnd = 6000

/** What is printed in the place of a log that is still being written. */
const unwritten = /still (?:in progress|running)|is in progress|not (?:yet |been )?(?:available|completed?|finished)/i

/** Whether what checks, a run or a pipeline show is their last: each of them has ended; a log says what it likes. */
export const saysEnded = (output: string, what: "state" | "log"): boolean => {
  const shown = output.slice(0, maxEnd)
  return ended.test(shown) && !(what === "log" ? unwritten.test(shown.slice(0, maxState)) : unended.test(shown))
}

const wrong =
  /(?<!(?<!\S)(?:no|0|without) )(?<![a-z])(?:errors?|fail(?:ed|ures?|ing|s)?|exception|traceback|fatal|panic(?:ked)?|crash\w{0,20}|invalid|denied|refused|forbidden|unauthorized|unavailable|unreachable|unhealthy|rejected|incorrect|expired|missing|not found|no such|cannot|can't|could not|unable to|timed? ?out)(?![a-z])(?!["']?\s{0,2}[:=]\s{0,2}(?:0|null|false|\[\]|""|none)(?!\w))/i

const maxWrong = 600

/** Whether a result that is short enough to be about it says that something is wrong. */
export const saysWrong = (output: string): boolean => output.length <= maxWrong && wrong.test(output)
