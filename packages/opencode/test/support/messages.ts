/** OpenCode's messages and parts, as short as the decoder needs them. */

export type Fields = Readonly<Record<string, unknown>>

export interface Message {
  readonly info: Fields
  readonly parts: ReadonlyArray<Fields>
}

const start = Date.UTC(2026, 0, 1)

/** So many seconds after the start, in milliseconds since the epoch. */
export const ms = (second: number): number => start + second * 1000

export const info = (over: Fields = {}): Fields => ({
  id: "ses_1",
  projectID: "p",
  directory: "/repo",
  title: "t",
  version: "1.18.33",
  ...over
})

export const exported = (messages: ReadonlyArray<Message>, over: Fields = {}): Fields => ({
  info: info(over),
  messages
})

export const text = (value: string, over: Fields = {}): Fields => ({
  id: `prt_${value}`,
  type: "text",
  text: value,
  ...over
})

export const tool = (id: string, name: string, state: Fields): Fields => ({
  id,
  type: "tool",
  callID: "call_0",
  tool: name,
  state: { time: { start: ms(1), end: ms(2) }, ...state }
})

export const bash = (id: string, command: string, exit: unknown, output = ""): Fields =>
  tool(id, "bash", { status: "completed", input: { command }, output, metadata: { output, exit } })

/** A message in the user's place, created so many seconds after the start. */
export const user = (
  id: string,
  second: number,
  parts: ReadonlyArray<Fields> | string,
  over: Fields = {}
): Message => ({
  info: {
    id,
    sessionID: "ses_1",
    role: "user",
    time: { created: ms(second) },
    agent: "build",
    model: { providerID: "p", modelID: "m" },
    ...over
  },
  parts: typeof parts === "string" ? [text(parts)] : parts
})

/** A message of the agent's that took a second and ended normally. */
export const agent = (
  id: string,
  second: number,
  parts: ReadonlyArray<Fields> | string,
  over: Fields = {}
): Message => ({
  info: {
    id,
    sessionID: "ses_1",
    role: "assistant",
    time: { created: ms(second), completed: ms(second + 1) },
    agent: "build",
    modelID: "m",
    path: { cwd: "/repo", root: "/repo" },
    tokens: { output: 7 },
    finish: "stop",
    ...over
  },
  parts: typeof parts === "string" ? [text(parts)] : parts
})

/** A message that the agent still writes. */
export const open = (id: string, second: number, parts: ReadonlyArray<Fields>): Message => {
  const { info: whole } = agent(id, second, parts)
  const { finish: _finish, ...rest } = whole
  return { info: { ...rest, time: { created: ms(second) } }, parts }
}
