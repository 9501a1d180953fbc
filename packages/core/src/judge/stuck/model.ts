/** What is said of a quiet session. */
import * as Schema from "effect/Schema"
import type { JudgmentContext, JudgmentState } from "../../session/facts/Facts.ts"
import { Loop } from "../../session/facts/Loop.ts"
import type { Loops } from "../loops/Loops.ts"
import { Finding as VerdictFinding } from "../verdict/Verdict.ts"
import type { SessionInfo } from "../../session/transcript/Transcript.ts"
import type { Pulse } from "./LastSigns.ts"

/** How the reason of a verdict begins that a silence alone has led to. */
export const noWord = "no word of the agent for"

/**
 * Why a session is quiet. Only `genuinely_stuck` can be helped by a word to the agent.
 *
 * @category models
 */
export const Reason = Schema.Literal("genuinely_stuck", "waiting_for_user", "working", "complete")

export type Reason = typeof Reason.Type

/**
 * What a session is doing. Its encoded form is the JSON contract of `judge --show stuck`, save `file`. `evidence` are short
 * facts without secrets; `finding` is the loop that it is stuck in, by its rule's name; `nudge` is the text for the agent, there only if it is to be sent; `silence` is in seconds, null
 * where the record has no times.
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
  evidence: Schema.Array(Schema.String),
  loops: Schema.Array(Loop),
  nudge: Schema.NullOr(Schema.String),
  finding: Schema.optionalWith(VerdictFinding, { exact: true }),
  silence: Schema.NullOr(Schema.Number),
  source: Schema.Literal("evidence", "model")
})

export type Assessment = typeof Assessment.Type

/**
 * The state of the fold, bounded.
 *
 * @category models
 */
export interface StuckState {
  readonly judgment: JudgmentState
  readonly loops: Loops
  readonly pulse: Pulse
}

/**
 * What an assessment is given for. `now` is its moment in ISO 8601, null for that of the last event; `attempt` is the
 * number that a nudge would have, counted from 1; `heardAt` is the last sign of life, where the host knows of one that is no
 * event.
 *
 * @category models
 */
export interface AssessOptions {
  readonly session: SessionInfo
  readonly context: JudgmentContext
  readonly now: string | null
  readonly attempt?: number
  readonly heardAt?: string | null
}

/** What to tell the agent where it is no word of the verdict's. */
export interface Say {
  readonly fact: string
  readonly action: string
}
