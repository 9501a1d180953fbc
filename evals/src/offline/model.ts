/** What is asked of a model without a network, and what it answered. */
import type { Suite } from "./OfflineOptions.ts"

/** A question as it is written down. `id` gives nothing away of the label. */
export interface Asked {
  readonly suite: Suite
  readonly id: string
  readonly system: string
  readonly prompt: string
}

/** The answers by the ids of their questions, word for word. */
export type Answers = ReadonlyMap<string, string>

/** A record of an answer, without a word of anybody's. */
export interface Kept {
  readonly id: string
  readonly status: string | null
  readonly probability: number | null
  readonly kinds: ReadonlyArray<string>
  readonly pushed: boolean
  readonly inputTokens: number
  readonly outputTokens: number
}
