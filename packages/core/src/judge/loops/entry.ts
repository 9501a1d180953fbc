/** What the fold takes in of a call: an entry for the rounds, and whether it counts as an error. */
import type { Entry, Loops, Streak } from "./model.ts"
import type { ToolCall } from "../../session/transcript/Transcript.ts"
import * as Poll from "./poll.ts"
import { askedOf, hasFailed, nameOf, nearOf, resultOf, summaryOf } from "./Fingerprint.ts"
import type { Nature } from "./command.ts"
import { saysWrong } from "../../session/output/ProgressWords.ts"
import * as Words from "./repeatedWords.ts"
import { toolKind } from "../../session/transcript/ToolKinds.ts"

export const clipped = (id: string | null): string | null => (id === null ? null : id.slice(0, 100))

/** How many errors in a row come before the first that may be shown: a summary costs as much as all else. */
const soonShown = 5
const nearlyShown = 2

/** Whether a loop could show this call: one made twice before, or an error among many. */
const mayShow = ({ errors, near, recent }: Loops, { key }: Pick<Entry, "key">): boolean =>
  errors.count >= soonShown || near.count >= nearlyShown || recent.filter((other) => other.key === key).length > 1

export const entryOf = (state: Loops, call: ToolCall, nature: Nature): Entry => {
  const asked = askedOf(call)
  const failed = hasFailed(call)
  const idle = Poll.idleBefore(call, state.ended)
  const result = resultOf(call)
  const { recent, waits } = state
  return {
    ...asked,
    result,
    failed,
    wrong: failed || (!nature.local && Poll.isKnown(recent, asked, result) && saysWrong(call.output ?? "")),
    edits: nature.edits && !failed,
    kind: Poll.kindWithin({ recent, waits, asked: { ...asked, result }, nature, failed, idle }, call.output ?? ""),
    idle,
    id: clipped(call.id),
    tool: nameOf(call),
    summary: mayShow(state, asked) ? summaryOf(call) : ""
  }
}

export const isSettled = ({ status }: ToolCall): boolean =>
  status !== "pending" && status !== "running" && status !== "interrupted"

/** A host may report the end of a call more than once. */
export const isKnown = ({ recent }: Loops, entry: Entry): boolean =>
  entry.id !== null && recent.some((other) => other.id === entry.id && other.key === entry.key)

/** A search without a hit fails without an error, and a poller until what it waits for is there. */
export const erred = (call: ToolCall, { failed, kind }: Entry): boolean =>
  failed &&
  (call.output ?? "").trim() !== "" &&
  kind !== "watch" &&
  kind !== "wait" &&
  !(kind === "look" && toolKind(call.tool) === "shell")

export const oneMore = ({ errors }: Loops, { result, tool }: Entry): Streak =>
  Words.extend(errors.text === tool ? errors : Words.none, result ?? 0, () => tool)

const hasText = ({ output }: ToolCall): boolean => output !== null && output.trim() !== ""

/** One more call that comes to the same and differs in made-up names alone; what waits for something is none. */
export const oneNear = ({ near }: Loops, call: ToolCall, entry: Entry, nature: Nature): Streak => {
  const { failed, kind, result } = entry
  const counts = kind !== "watch" && kind !== "wait" && (failed || kind === "look") && hasText(call)
  const print = counts ? nearOf(call, nature) : null
  return print === null ? Words.none : Words.extend(near, print + (result ?? 0), () => "")
}
