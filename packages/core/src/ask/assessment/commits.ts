/** What the record shows of commits: where the last one was, and what was edited after it. */
import { shellCommand, toolKind } from "../../session/transcript/ToolKinds.ts"
import { hasFailed, type Turn } from "./TurnRecord.ts"

const commits = /\bgit\b(?: -\S{1,40}(?: [^\s-]\S{0,200})?){0,4} commit\b(?!.{0,200}--dry-run)/

/** Where the last commit stands in the transcript; -1 where the record has none. */
export const last = ({ entries }: Turn): number =>
  entries.findLast(
    ({ event }) =>
      event.type === "tool_call" &&
      toolKind(event.tool) === "shell" &&
      !hasFailed(event) &&
      commits.test((shellCommand(event) ?? "").slice(0, 4000))
  )?.at ?? -1

/** Where a call stands. */
export const placeOf = ({ entries }: Turn, callId: string | null): number =>
  callId === null ? -1 : (entries.find(({ event }) => event.id === callId)?.at ?? -1)

/** The files of the project that were edited in this turn after the last commit. */
export const uncommitted = (turn: Turn): ReadonlySet<string> => {
  const at = last(turn)
  const open = turn.known.evidence.edits.filter(
    ({ callId, kind }) => kind !== "outside" && (at < 0 || callId === null || placeOf(turn, callId) > at)
  )
  return new Set(open.map(({ path }) => path))
}
