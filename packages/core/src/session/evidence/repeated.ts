/** How often in a row the same call failed. */
import { redactedHead } from "../../ground/redaction/RedactedHead.ts"
import { oneLine } from "../../ground/text/Text.ts"
import type { Evidence } from "./model.ts"
import type { ToolCall } from "../transcript/Transcript.ts"
import { isPending } from "../output/ProgressWords.ts"
import { shellCommand } from "../transcript/ToolKinds.ts"

/** Calls are only told apart by it: their text could end within a secret. */
const checksum = (text: string): number => {
  let sum = text.length
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return sum
}

/** What looks at something that moves by itself, and exits as it pleases until that has come to an end. */
const polls =
  /(?:^|[;&(]\s{0,3}|\b(?:do|until|while)\s)(?:sleep|watch|wait|tail|ping|curl|wget|pgrep|test -|\[ |gh (?:pr (?:checks|status|view)|run)|glab ci|kubectl (?:get|rollout|wait))/

export const noRepeat: Evidence["repeats"] = { fingerprint: "", count: 0, failed: false, what: "" }

/** What failed, in a line without secrets. */
const nameOf = (call: ToolCall): string =>
  oneLine(redactedHead(shellCommand(call) ?? `a call of ${call.tool.slice(0, 60)}`, 1000), 100)

/**
 * Anything that succeeds or edits ends the row, and so does a look at what is not through; a look at something else is counted
 * beside it.
 */
export const countRepeat = (
  before: Evidence["repeats"],
  call: ToolCall,
  { edited, looks }: { readonly edited: boolean; readonly looks: boolean }
): Evidence["repeats"] => {
  const failed = call.status === "error" || (call.exitCode !== null && call.exitCode !== 0)
  const asked = (shellCommand(call) ?? JSON.stringify(call.input ?? null)).slice(0, 400)
  if (!failed && looks && before.count > 0) return { ...before, looks: (before.looks ?? 0) + 1 }
  if (!failed || edited || polls.test(asked) || isPending(call.output ?? "")) return noRepeat
  const fingerprint = `${call.tool.slice(0, 200)}:${checksum(asked)}`
  return fingerprint === before.fingerprint
    ? { ...before, count: before.count + 1, what: before.what === "" ? nameOf(call) : before.what }
    : { fingerprint, count: 1, failed, what: "" }
}
