/** What a scripted model says, whatever protocol a host speaks with it. */
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"

/**
 * One answer of the model. With `status` it is an HTTP error whose message is `error`, and `retryAfterMillis` says when
 * the host may ask again, as `retryAfter` does in the standard's header; `delay` comes before either. `raw` is sent as it
 * is, and after `brokenAfter` characters the connection breaks.
 */
export interface Reply<Block> {
  readonly content?: ReadonlyArray<Block>
  readonly stopReason?: "end_turn" | "tool_use" | "max_tokens" | "refusal"
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number }
  readonly delay?: Duration.DurationInput
  readonly status?: number
  readonly error?: string
  readonly retryAfterMillis?: number
  readonly retryAfter?: string
  readonly raw?: string
  readonly brokenAfter?: number
}

export const say = (text: string): Reply<{ readonly text: string }> => ({ content: [{ text }] })

/** An answer that calls tools, after a sentence if it is not empty. */
export const act = <Block>(text: string, ...calls: ReadonlyArray<Block>): Reply<Block | { readonly text: string }> => ({
  content: text === "" ? calls : [{ text }, ...calls]
})

/**
 * Answers for the requests that `when` accepts, in order; the last is repeated. Rules come before the turns: they
 * catch subagents, summaries and titles, which a host asks for at times of its own.
 */
export interface Rule<Block> {
  readonly name: string
  readonly when: (request: ModelRequest) => boolean
  readonly replies: readonly [Reply<Block>, ...ReadonlyArray<Reply<Block>>]
}

/** An answer, or one that needs what a tool answered: the number of a process, the id of an agent. */
export type Turn<Block> = Reply<Block> | ((request: ModelRequest) => Reply<Block>)

/**
 * What the model says: `turns` answer the requests of the main conversation one after the other. `first`: the number of the
 * first answer, for a session that goes on must not repeat its ids. `before`: what each answer waits for.
 */
export interface Script<Block> {
  readonly turns: ReadonlyArray<Turn<Block>>
  readonly rules?: ReadonlyArray<Rule<Block>>
  readonly first?: number
  readonly before?: (request: ModelRequest) => Effect.Effect<void>
}

/**
 * A request as the script sees it. `lastOutput`: what the tool answered that was called last. `conversation`: all messages,
 * and `payload` all that was sent, as JSON. `answeredBy` is the rule's name, `turn <n>`, `auxiliary` for a request without
 * tools that no rule caught, or `unscripted` once the turns ran out.
 */
export interface ModelRequest {
  readonly model: string
  readonly system: string
  readonly tools: ReadonlyArray<string>
  readonly firstUser: string
  readonly lastUser: string
  readonly lastOutput: string
  readonly conversation: string
  readonly messages: number
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
  readonly answeredBy: string
}

/** What a protocol's request says of itself. */
export type RequestFacts = Omit<ModelRequest, "answeredBy" | "headers" | "payload">

/** A running server: its base URL, and every request it was asked so far. */
export interface Server {
  readonly url: string
  readonly requests: Effect.Effect<ReadonlyArray<ModelRequest>>
}

export class ServerStartError extends Data.TaggedError("ServerStartError")<{ readonly cause: unknown }> {
  override get message() {
    return `The scripted model server could not listen on the loopback interface: ${String(this.cause)}`
  }
}
