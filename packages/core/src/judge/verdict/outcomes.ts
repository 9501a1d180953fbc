/** What a stop may come to, each with what is the same in all of its kind. */
import { type Found, isPushed } from "../rules/Rules.ts"
import type { Outcome } from "./model.ts"

const base = { pattern: null, push: false, human: [] }

export const done = (confidence: number, reason: string): Outcome => ({
  ...base,
  status: "complete",
  kind: "complete",
  reason,
  confidence
})

export const abstained = (reason: string): Outcome => ({ ...done(0.4, reason), status: "abstained" })

export const aborted = (reason: string): Outcome => ({
  ...base,
  status: "aborted",
  kind: "aborted",
  reason,
  confidence: 0.95
})

export const working = (reason: string): Outcome => ({
  ...base,
  status: "working",
  kind: "working",
  reason,
  confidence: 0.8
})

/** `found`: what is said to the agent, none where it would be of no use. */
export const stuck = (reason: string, found: ReadonlyArray<Found> = []): Outcome => ({
  ...base,
  status: "stuck",
  kind: "stuck",
  push: found.some(isPushed),
  reason,
  confidence: 0.85,
  stuck: found
})

export const waiting = (reason: string, confidence = 0.75): Outcome => ({
  ...base,
  status: "waiting_for_user",
  kind: "waiting_for_user",
  reason,
  confidence
})

export const onlyHuman = (human: ReadonlyArray<string>): Outcome => ({
  ...waiting(`Only a human can go on: ${human[0] ?? ""}`),
  status: "needs_human",
  human
})

export const unread = abstained("The final text cannot be read with certainty, and no evidence decides.")
