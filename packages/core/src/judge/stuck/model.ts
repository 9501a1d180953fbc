/** What is known of a quiet session, and what is said of it. */
import * as Schema from "effect/Schema"
import { JudgmentState, type JudgmentContext } from "../../session/facts/Facts.ts"
import { Loop, Loops } from "../loops/model.ts"
import { Finding as VerdictFinding } from "../verdict/Verdict.ts"
import type { SessionInfo } from "../../session/transcript/Transcript.ts"

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
 * What a session is doing. Its encoded form is the JSON contract of `reflexion stuck`, save `file`. `evidence` are short
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

const nullableText = Schema.NullOr(Schema.String)

const Call = Schema.Struct({ id: Schema.String, tool: Schema.String, summary: Schema.String, at: nullableText })

export const Pulse = Schema.Struct({
  version: Schema.Literal(1),
  /** Who was heard last: nobody, the user, our feedback, the harness, the agent, or a tool of the agent's. */
  last: Schema.Literal("nobody", "user", "feedback", "harness", "agent", "call", "unknown_call", "interrupted_call"),
  /** Whether the agent has been given something since its last word, so that the next word is its own. */
  owes: Schema.Boolean,
  /** Whether a call that was still out at the agent's last word has ended since. */
  late: Schema.Boolean,
  since: nullableText,
  messageId: nullableText,
  outputTokens: Schema.NullOr(Schema.Number),
  /** Whether the host began an answer of which nothing has come. */
  begun: Schema.Boolean,
  open: Schema.Array(Call),
  /** The calls of subagents that are still out. */
  delegated: Schema.Array(Call),
  failed: Schema.NullOr(Call),
  /** Whether the call that failed was to change something, so that its failure is no answer. */
  failedToAct: Schema.Boolean,
  /** Whether the host reports a failed request as it happens, rather than how the turn ended. */
  retrying: Schema.Boolean
})

/**
 * The state of the fold: bounded, and plain JSON in its encoded form.
 *
 * @category models
 */
export const StuckState = Schema.Struct({
  version: Schema.Literal(1),
  judgment: JudgmentState,
  loops: Loops,
  pulse: Pulse
})

export type StuckState = typeof StuckState.Type

/**
 * What an assessment is given for. `now` is its moment in ISO 8601, null for that of the last event. `silence` are the
 * seconds under which nobody is nudged, the configuration's if left out; `attempt` is the number that a nudge would have,
 * counted from 1; `heardAt` is the last sign of life, where the host knows of one that is no event.
 *
 * @category models
 */
export interface AssessOptions {
  readonly session: SessionInfo
  readonly context: JudgmentContext
  readonly now: string | null
  readonly silence?: number
  readonly attempt?: number
  readonly heardAt?: string | null
}
