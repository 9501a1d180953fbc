/** The types of the check for stuck sessions. */
import * as Schema from "effect/Schema"
import type { JudgmentContext, JudgmentState } from "../../session/facts/Facts.ts"
import { Loop } from "../../session/facts/Loop.ts"
import type { Loops } from "../loops/Loops.ts"
import { Finding as VerdictFinding } from "../verdict/Verdict.ts"
import type { SessionInfo } from "../../session/transcript/Transcript.ts"
import type { Pulse } from "./LastSigns.ts"

/** If only the silence shows that the agent is stuck, the reason begins with these words. */
export const noWord = "no word from the agent for"

/**
 * Why a session is quiet. A message to the agent helps only if the reason is `genuinely_stuck`.
 *
 * @category models
 */
export const Reason = Schema.Literal("genuinely_stuck", "waiting_for_user", "working", "complete")

export type Reason = typeof Reason.Type

/**
 * What a session is doing. Its encoded form is the JSON contract of `judge --show stuck`, without the field `file`.
 *
 * @category models
 */
export const Assessment = Schema.Struct({
  version: Schema.Literal(1),
  host: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  stuck: Schema.Boolean,
  reason: Reason,
  shouldNudge: Schema.Boolean,
  confidence: Schema.Number.pipe(Schema.between(0, 1)),
  /** Short facts without secrets. */
  evidence: Schema.Array(Schema.String),
  loops: Schema.Array(Loop),
  /** Null if no text should be sent to the agent. */
  nudge: Schema.NullOr(Schema.String),
  /** The loop that the session is stuck in. */
  finding: Schema.optionalWith(VerdictFinding, { exact: true }),
  /** Seconds since the last sign of life. Null if the record has no times. */
  silence: Schema.NullOr(Schema.Number),
  source: Schema.Literal("evidence", "model")
})

export type Assessment = typeof Assessment.Type

/**
 * The state that the check keeps between events. Its size is bounded.
 *
 * @category models
 */
export interface StuckState {
  readonly judgment: JudgmentState
  readonly loops: Loops
  readonly pulse: Pulse
}

/** @category models */
export interface AssessOptions {
  readonly session: SessionInfo
  readonly context: JudgmentContext
  /** In ISO 8601. Null for the time of the last event. */
  readonly now: string | null
  /** The number that a nudge would have, counted from 1. */
  readonly attempt?: number
  /** The last sign of life that is not an event, in ISO 8601, if the host knows one. */
  readonly heardAt?: string | null
}

/** A message to the agent that does not come from the verdict. */
export interface Say {
  readonly fact: string
  readonly action: string
}
