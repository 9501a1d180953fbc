/** The lines of a rollout, as short as the decoder needs them. */

type Fields = Readonly<Record<string, unknown>>

export const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

let clock = 0

/** A line of an old rollout; each is a second later than the line before it. */
export const line = (type: string, payload: Fields): Fields => ({ timestamp: at(clock++ % 3600), type, payload })

/** The same line as newer versions number it. */
export const numbered = (value: Fields): Fields => ({ ...value, ordinal: clock })

export const meta = (over: Fields = {}): Fields =>
  line("session_meta", { id: "s1", cwd: "/repo", cli_version: "0.130.0", source: "cli", ...over })

export const item = (payload: Fields): Fields => line("response_item", payload)

export const event = (payload: Fields): Fields => line("event_msg", payload)

export const started = (over: Fields = {}): Fields => event({ type: "task_started", turn_id: "t", ...over })

export const completed = (over: Fields = {}): Fields => event({ type: "task_complete", turn_id: "t", ...over })

/** A message that the model gets in the user's role. In newer versions, `kinds` says who wrote it. */
export const told = (text: string, kinds?: ReadonlyArray<string>): Fields =>
  item({
    type: "message",
    role: "user",
    content: [{ type: "input_text", text }],
    ...(kinds === undefined ? {} : { internal_chat_message_metadata_passthrough: { content_item_kinds: kinds } })
  })

export const said = (text: string, over: Fields = {}): Fields =>
  item({ type: "message", role: "assistant", content: [{ type: "output_text", text }], ...over })

/** A prompt as old versions record it: for the model and for the user. */
export const asked = (text: string): ReadonlyArray<Fields> => [
  told(text),
  event({ type: "user_message", message: text })
]

export const call = (id: string, name: string, args: Fields, over: Fields = {}): Fields =>
  item({ type: "function_call", call_id: id, name, arguments: JSON.stringify(args), ...over })

export const custom = (id: string, name: string, input: string): Fields =>
  item({ type: "custom_tool_call", call_id: id, name, input, status: "completed" })

export const output = (id: string, text: unknown): Fields =>
  item({ type: "function_call_output", call_id: id, output: text })

/** What `exec_command` answers. */
export const exited = (code: number, text: string): string =>
  `Chunk ID: 1a2b3c\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOriginal token count: 3\nOutput:\n${text}`

/** An item of the host's own. */
export const done = (fields: Fields): Fields =>
  event({ type: "item_completed", turn_id: "t", item: fields, started_at_ms: 1_767_225_600_000 })

/** What `codex exec --json` prints if the agent says these texts. */
const printed = (texts: ReadonlyArray<string>, ...end: ReadonlyArray<Fields>): string =>
  [
    { type: "thread.started", thread_id: "t" },
    { type: "turn.started" },
    ...texts.map((text) => ({ type: "item.completed", item: { id: "item_0", type: "agent_message", text } })),
    ...end
  ]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join("")

export const succeeded = (...texts: ReadonlyArray<string>): string => {
  const usage = { input_tokens: 1200, cached_input_tokens: 1000, output_tokens: 70, reasoning_output_tokens: 60 }
  return printed(texts, { type: "turn.completed", usage })
}

export const failed = (message: string, ...texts: ReadonlyArray<string>): string =>
  printed(texts, { type: "error", message }, { type: "turn.failed", error: { message } })
