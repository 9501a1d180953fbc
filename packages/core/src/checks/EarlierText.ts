/** Computes the earlier text of a file by undoing the agent's edits one after the other. */
import { hasFailed } from "../session/evidence/Calls.ts"
import type { ToolCall } from "../session/transcript/Transcript.ts"
import { fileEdits } from "../session/transcript/ToolKinds.ts"

const takenBack = (text: string, after: string, before: string): string | null => {
  const at = text.indexOf(after)
  const isOnce = after !== "" && at >= 0 && text.indexOf(after, at + 1) < 0
  return isOnce ? text.slice(0, at) + before + text.slice(at + after.length) : null
}

/** Null if no edit of the file is known, or if an edit cannot be undone. `isOf` is true for paths of this file. */
export const of = (calls: ReadonlyArray<ToolCall>, isOf: (path: string) => boolean, text: string): string | null => {
  // A host reports the same call twice: at its beginning and at its end.
  const once = [...new Map(calls.map((call, at) => [call.id ?? at, call])).values()]
  const edits = once.flatMap((call) => (hasFailed(call) ? [] : fileEdits(call))).filter(({ path }) => isOf(path))
  return edits.reduceRight<string | null>(
    (now, { after, before }) =>
      now === null || after === null || before === null ? null : takenBack(now, after, before),
    edits.length === 0 ? null : text
  )
}
