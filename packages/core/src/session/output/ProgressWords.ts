/** Finds out from a result whether something is still in progress. */

const notYet = "not (?:yet |been )?(?:ready|finished|done|completed?|available|started"
const waiting = "pending|queued|enqueued|in[ _-]?progress"

const anyOf = (words: string): RegExp => new RegExp(`(?<![a-z])(?:${words})(?![a-z])`, "im")

const underWay = anyOf(`${waiting}|still running|${notYet})`)
const moving = anyOf(
  "running|waiting|starting|provisioning|building|creating|deploying|updating|processing|initiali[sz]ing|scheduled|submitted|uploading|syncing|progressing"
)
const over = new RegExp(
  `(?<!not )(?<!not yet )\\b(?:errors?|fail(?:ed|ures?|s)?|exception|traceback|passed|refused|denied|not found|no such|cannot|invalid|done|finished|succe(?:eded|ss))\\b(?!["']?\\s{0,2}[:=]\\s{0,2}0\\b)`,
  "i"
)

const max = { state: 300, report: 2000 } as const

/** `isLook`: the call only reads something. Then only a short result counts as a state. */
export const saysUnderWay = (output: string, isLook: boolean): boolean => {
  if (output.length === 0 || output.length > (isLook ? max.state : max.report) || over.test(output)) return false
  return underWay.test(output) || (output.length <= max.state && moving.test(output))
}

export const isPending = (output: string): boolean => output.length <= max.state && underWay.test(output)
