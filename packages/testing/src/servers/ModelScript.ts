/** The answers of a scripted model, for any protocol. */
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"

/**
 * With `status`, the reply is an HTTP error with the message `error`. `retryAfter` (the standard header) or
 * `retryAfterMillis`: when the host may ask again. `raw` is sent unchanged. After `brokenAfter` characters the
 * connection breaks.
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

/** The text comes before the calls. An empty text is left out. */
export const act = <Block>(text: string, ...calls: ReadonlyArray<Block>): Reply<Block | { readonly text: string }> => ({
  content: text === "" ? calls : [{ text }, ...calls]
})

/** The last reply is repeated. Rules come before `turns`: a host can ask for summaries and titles at any time. */
export interface Rule<Block> {
  readonly name: string
  readonly when: (request: ModelRequest) => boolean
  readonly replies: readonly [Reply<Block>, ...ReadonlyArray<Reply<Block>>]
}

/** A function makes the answer from the request, for example from a tool's result. */
export type Turn<Block> = Reply<Block> | ((request: ModelRequest) => Reply<Block>)

/** `first` is the number of the first answer: a continued session must not repeat ids. */
export interface Script<Block> {
  readonly turns: ReadonlyArray<Turn<Block>>
  readonly rules?: ReadonlyArray<Rule<Block>>
  readonly first?: number
  readonly before?: (request: ModelRequest) => Effect.Effect<void>
}

/**
 * `lastOutput`: the result of the last tool call. `conversation` has all messages and `payload` the whole request, as
 * JSON. `answeredBy`: a rule's name, `turn <n>`, `auxiliary` for a request without tools, or `unscripted` if no turn is
 * left.
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

export type RequestFacts = Omit<ModelRequest, "answeredBy" | "headers" | "payload">

export interface Server {
  readonly url: string
  readonly requests: Effect.Effect<ReadonlyArray<ModelRequest>>
}

export class ServerStartError extends Data.TaggedError("ServerStartError")<{ readonly cause: unknown }> {
  override get message() {
    return `The scripted model server could not listen on the loopback interface: ${String(this.cause)}`
  }
}
