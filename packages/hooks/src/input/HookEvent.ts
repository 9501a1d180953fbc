/** What a host tells its hook, and what the hook answers, in one form for all hosts. */

/** `name` is the host's own word for what happened; `turnId` names the run of the agent; `transcript` is the record's file. */
export interface HookEvent {
  readonly kind: "stop" | "subagent_stop" | "prompt" | "tool" | "compaction" | "session_start" | "interrupt" | "other"
  readonly name: string
  readonly sessionId: string
  readonly turnId: string | null
  /** Whether the host goes on by nothing but a stop that is blocked. */
  readonly blocks: boolean
  /** Whether a hook sent the agent on since the user spoke, as the host says; one that says nothing says no. */
  readonly continued: boolean
  readonly transcript: string | null
  readonly cwd: string | null
  /** Whether it happened inside a subagent. */
  readonly subagent: boolean
  /** What the host calls the agent; undefined where it gives it no name. */
  readonly agent?: string
  readonly plan: boolean
  readonly message: string | null
  /** Tasks that go on in the background, and wake-ups that the agent has scheduled. */
  readonly background: number
  readonly prompt: string | null
  /** Whether the session goes on from a compaction. */
  readonly compacted: boolean
  readonly tool: { readonly name: string; readonly input: unknown; readonly result: unknown } | null
}

/** `reply` answers the user's command without the model; `context` tells the agent without stopping or starting anything. */
export type HookAnswer =
  | { readonly _tag: "nothing" }
  | { readonly _tag: "push"; readonly feedback: string; readonly notice: string }
  | { readonly _tag: "notice"; readonly text: string }
  | { readonly _tag: "reply"; readonly text: string }
  | { readonly _tag: "context"; readonly text: string }

/** An answer, or one that is waited for: of a stop that is looked at by more than evidence. */
export type Answered = HookAnswer | Promise<HookAnswer>

export const nothing: HookAnswer = { _tag: "nothing" }

/** What a host reads that answers an event by fields of its own. */
export const specific = (event: HookEvent, fields: object): object => ({
  hookSpecificOutput: { hookEventName: event.name, ...fields }
})

export const rendered = (
  answer: HookAnswer,
  event: HookEvent,
  { push, reply }: { readonly push: (feedback: string) => object; readonly reply: object }
): object | null => {
  switch (answer._tag) {
    case "nothing":
      return null
    case "push":
      return { ...push(answer.feedback), systemMessage: answer.notice }
    case "notice":
      return { systemMessage: answer.text }
    case "reply":
      return { decision: "block", reason: answer.text, ...reply }
    case "context":
      return specific(event, { additionalContext: answer.text })
  }
}
