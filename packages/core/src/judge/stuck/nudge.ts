/** Whether an agent may be nudged now, and in what words. */
import * as Feedback from "../verdict/Feedback.ts"
import * as Judgment from "../verdict/Judgment.ts"
import { isSubagent } from "../../session/transcript/NeutralTranscript.ts"
import * as Loops from "../loops/Loops.ts"
import type { Finding, Known, Say } from "./StuckFinding.ts"
import type { AssessOptions } from "./model.ts"

export interface Nudging {
  readonly known: Known
  readonly options: AssessOptions
  /** The number that a nudge would have. */
  readonly attempt: number
}

const hasMoved = ({ known, options }: Nudging): boolean => {
  const { count, mark } = known.judgment.pushes
  return count === 0 || (mark !== null && mark !== Judgment.mark(known.judgment, options.context))
}

/** Why nobody may say a word to this agent now, null where one may. */
export const refusal = (nudging: Nudging): string | null => {
  const { attempt, known, options } = nudging
  const { config } = options.context
  const { interrupted, stop, task } = known.judgment
  const floor = options.silence ?? config.stuck.silence
  if (known.silence === null) return "the record has no times, so that nobody knows how long it is silent"
  if (known.silence < floor) return `silent for less than ${floor} s`
  if (config.profile === "advisory") return "the profile is advisory"
  if (task.mode === "plan" || options.session.mode === "plan") return "plan mode"
  if (isSubagent(options.session)) return "a subagent answers to its parent"
  if (interrupted || stop.queued) return "the user has the next word"
  if (attempt > config.maxAttempts) return `reminded ${attempt - 1} times already`
  return hasMoved(nudging)
    ? null
    : "reminded before, and since then no required check ran and nothing was edited that counts"
}

const rendered = ({ attempt, options }: Nudging, say: Say): string =>
  Feedback.render({
    facts: [say.fact],
    actions: [say.action],
    human: [],
    attempt,
    maxAttempts: options.context.config.maxAttempts
  })

/** The loop's own words open the text; our mark stands within reach of whoever looks for it. */
const looped = (nudging: Nudging, loop: Loops.Loop): string => {
  const [head = "", ...body] = Loops.feedback(loop).split("\n")
  const marker = rendered(nudging, { fact: "", action: "" }).split("\n", 1)[0] ?? ""
  return `${head}\n\n${marker}\n\n${body.join("\n").trim()}`.slice(0, Feedback.maxLength)
}

/** Why there is nothing to say to an agent that is stuck. */
export const silence = ({ loop, say }: Finding): string => {
  if (loop !== undefined) return `${loop.found.rule.id} goes no further here than to ${loop.found.level}`
  return say === "verdict" ? "nothing that is missing is the agent's to do now" : "no word to the agent would help"
}

/** The text for the agent, null where there is nothing to say. */
export const textOf = (nudging: Nudging, { loop, say }: Finding): string | null => {
  const { known } = nudging
  if (say === null) return null
  if (say === "loop") return loop === undefined ? null : looped(nudging, loop.seen)
  return say === "verdict" ? known.verdict().feedback : rendered(nudging, say)
}
