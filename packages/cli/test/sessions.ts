/** Small sessions for tests, in the neutral form and in those of the hosts. */

interface Run {
  readonly command: string
  readonly exitCode: number | null
  readonly output: string | null
}

export interface Turn {
  readonly ask: string
  readonly runs?: ReadonlyArray<Run>
  readonly answer: string
}

/** A turn in a line: what the user asks, commands with their exit status and output (`$?` has none), what the agent says. */
export const turn = (line: string): Turn => {
  const parts = line.split(" / ").map((part) => part.replaceAll(String.raw`\n`, "\n"))
  const runs = parts.slice(1, -1).map((part) => {
    const [, exit = "", command = "", output = ""] = /^\$(\?|\d*) (.*?)(?: => (.*))?$/s.exec(part) ?? []
    return exit === "?" ? { command, exitCode: null, output: null } : { command, exitCode: Number(exit), output }
  })
  return { ask: parts[0] ?? "", runs, answer: parts.at(-1) ?? "" }
}

export const passing = turn(
  String.raw`Please run npm test and tell me whether it passes. / $ npm test => Test Files  1 passed (1)\n     Tests  5 passed (5) / ` +
    "I ran `npm test`: all 5 tests pass."
)

export const failing = turn(
  "Fix the failing test and run npm test until it passes. / " +
    String.raw`$1 npm test => FAIL test/a.test.ts > adds\n     Tests  1 failed | 4 passed (5) / Done. All tests pass now.`
)

export const undecided = turn("Please run npm test. / $? npm test / The command was started.")

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 31, 10, 0, seconds)).toISOString()

const events = (turns: ReadonlyArray<Turn>): ReadonlyArray<unknown> => {
  let clock = 0
  return turns.flatMap(({ answer, ask, runs = [] }, turn) => [
    { type: "user_message", id: `u${turn}`, at: at(clock++), text: ask },
    ...runs.map(({ command, ...rest }, index) => ({
      type: "tool_call",
      id: `t${turn}-${index}`,
      at: at(clock++),
      tool: "bash",
      input: { command },
      ...rest
    })),
    { type: "assistant_message", id: `a${turn}`, at: at(clock++), text: answer, completed: true }
  ])
}

export const neutral = (turns: ReadonlyArray<Turn>, over: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ version: 1, host: "other", sessionId: "s1", cwd: "/nowhere/at/all", events: events(turns), ...over })

interface Over {
  readonly cwd?: string
  readonly sessionId?: string
}

/** One line a record, as Claude Code writes them. */
export const claudeCode = (turns: ReadonlyArray<Turn>, over: Over = {}): ReadonlyArray<string> => {
  const sessionId = over.sessionId ?? "5e55105e-0000-4000-8000-000000000001"
  const place = { sessionId, cwd: over.cwd ?? "/nowhere/at/all", version: "2.1.330", isSidechain: false }
  let clock = 0
  const line = (value: Readonly<Record<string, unknown>>): string =>
    JSON.stringify({ ...place, uuid: `l${clock}`, timestamp: at(clock++), ...value })
  const assistant = (block: unknown, stop: string): string =>
    line({ type: "assistant", message: { role: "assistant", content: [block], stop_reason: stop } })
  return turns.flatMap(({ answer, ask, runs = [] }, turn) => [
    line({ type: "user", message: { role: "user", content: ask } }),
    ...runs.flatMap(({ command, exitCode, output }, index) => {
      const id = `toolu_${turn}_${index}`
      const content = exitCode === 0 ? output : `Exit code ${exitCode}\n${output ?? ""}`
      return [
        assistant({ type: "tool_use", id, name: "Bash", input: { command } }, "tool_use"),
        line({
          type: "user",
          message: {
            role: "user",
            content: [{ type: "tool_result", tool_use_id: id, content, is_error: exitCode !== 0 }]
          }
        })
      ]
    }),
    assistant({ type: "text", text: answer }, "end_turn")
  ])
}

/** One line a record, as Codex writes them. */
export const codex = (turns: ReadonlyArray<Turn>, over: Over = {}): ReadonlyArray<string> => {
  const id = over.sessionId ?? "5e55105e-0000-4000-8000-000000000001"
  let clock = 0
  const line = (type: string, payload: Readonly<Record<string, unknown>>): string =>
    JSON.stringify({ timestamp: at(clock), ordinal: clock++, type, payload })
  const item = (payload: Readonly<Record<string, unknown>>): string => line("response_item", payload)
  const message = (role: string, words: string, kinds: ReadonlyArray<string>): string =>
    item({
      type: "message",
      role,
      content: [{ type: role === "user" ? "input_text" : "output_text", text: words }],
      internal_chat_message_metadata_passthrough: { content_item_kinds: kinds }
    })
  return [
    line("session_meta", { id, cwd: over.cwd ?? "/nowhere/at/all", cli_version: "0.169.0", source: "exec" }),
    ...turns.flatMap(({ answer, ask, runs = [] }, turn) => [
      line("event_msg", { type: "task_started", turn_id: `t${turn}` }),
      message("user", ask, ["user.text"]),
      ...runs.flatMap(({ command, exitCode, output }, index) => {
        const call_id = `call_${turn}_${index}`
        const header = `Wall time: 0.1 seconds\nProcess exited with code ${exitCode}\nOutput:\n`
        return [
          item({ type: "function_call", call_id, name: "exec_command", arguments: JSON.stringify({ cmd: command }) }),
          item({ type: "function_call_output", call_id, output: `${header}${output ?? ""}` })
        ]
      }),
      message("assistant", answer, ["unknown"]),
      line("event_msg", { type: "task_complete", turn_id: `t${turn}`, last_agent_message: answer })
    ])
  ]
}

export const text = (lines: ReadonlyArray<string>): string => `${lines.join("\n")}\n`

type Fields = Readonly<Record<string, unknown>>

const millis = (seconds: number): number => Date.parse(at(seconds))

/** An export of OpenCode's. */
export const openCode = (turns: ReadonlyArray<Turn>, over: Over & { readonly agent?: string } = {}) => {
  const directory = over.cwd ?? "/nowhere/at/all"
  const sessionID = over.sessionId ?? "ses_1"
  let clock = 0
  const message = (info: Fields, parts: ReadonlyArray<Fields>) => ({
    info: { sessionID, agent: "build", ...info },
    parts
  })
  const called = (id: string, tool: string, state: Fields): Fields => {
    const time = { start: millis(clock++), end: millis(clock) }
    return { id, type: "tool", callID: id, tool, state: { status: "completed", time, ...state } }
  }
  const messages = turns.flatMap(({ answer, ask, runs = [] }, turn) => {
    const asked = message({ id: `msg_u${turn}`, role: "user", time: { created: millis(clock++) } }, [
      { id: `prt_u${turn}`, type: "text", text: ask }
    ])
    const created = millis(clock++)
    const tasks =
      over.agent === undefined
        ? []
        : [called(`prt_k${turn}`, "task", { input: {}, metadata: { sessionId: over.agent }, output: "done" })]
    const ran = runs.map(({ command, exitCode, output }, index) =>
      called(`prt_t${turn}-${index}`, "bash", { input: { command }, output, metadata: { exit: exitCode } })
    )
    const said = { id: `prt_a${turn}`, type: "text", text: answer, time: { start: millis(clock++) } }
    const time = { created, completed: millis(clock++) }
    const info = { id: `msg_v${turn}`, role: "assistant", time, path: { cwd: directory }, finish: "stop", modelID: "m" }
    return [asked, message(info, [...tasks, ...ran, said])]
  })
  return { info: { id: sessionID, projectID: "p", directory, title: "t", time: { updated: millis(clock) } }, messages }
}
