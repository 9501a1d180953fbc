/** Sessions that fell silent, in the neutral form. Each ends at 10:10 on the day. */

const day = "2026-01-31T10:"

export const end = `${day}10:00.000Z`

/** So many seconds after the end. */
export const after = (seconds: number): string => new Date(Date.parse(end) + seconds * 1000).toISOString()

export type Step = Readonly<Record<string, unknown>>

export const user = (text: string): Step => ({ type: "user_message", text })

export const agent = (text: string, over: Step = {}): Step => ({
  type: "assistant_message",
  text,
  completed: true,
  outputTokens: 40,
  ...over
})

export const bash = (command: string, over: Step = {}): Step => ({
  type: "tool_call",
  tool: "bash",
  input: { command },
  exitCode: 0,
  output: "",
  ...over
})

export const session = (steps: ReadonlyArray<Step>, over: Step = {}): string => {
  const at = (index: number): string => after(index - steps.length + 1)
  const events = steps.map((step, index) => ({ id: `e${index}`, at: at(index), ...step }))
  return JSON.stringify({ version: 1, host: "other", sessionId: "s1", cwd: "/nowhere/at/all", events, ...over })
}

export const ask = user("Fix the rounding in src/cart.ts and run npm test until it passes.")

/** Silent in the middle of a command. */
export const working = session([
  ask,
  agent("I install the packages first."),
  bash("npm install", { status: "running", exitCode: null, output: null })
])

export const waiting = session([ask, agent("Which database should I use, Postgres or SQLite?")])

export const complete = session([
  ask,
  {
    type: "tool_call",
    tool: "edit",
    input: { file_path: "src/cart.ts", old_string: "a", new_string: "b" },
    output: "ok"
  },
  bash("npm test", { output: "Tests  5 passed (5)" }),
  agent("I fixed the rounding; `npm test` passes: 5 tests.")
])

/** Cut off in the middle of a sentence. */
export const stuck = session([
  ask,
  bash("npm test", { exitCode: 1, output: "Tests  1 failed | 4 passed (5)" }),
  agent("The test fails because the total is rounded before the discount is applied, so I will now", {
    completed: false,
    outputTokens: 23
  })
])

const same = bash("cat src/cart.ts", { output: "export const total = 1" })

export const looping = session([
  ask,
  ...Array.from({ length: 9 }, () => same),
  bash("npm test", { status: "running", exitCode: null, output: null })
])

export const alternating = session([
  ask,
  ...Array.from({ length: 6 }, () => [
    bash("npm test", { exitCode: 1, output: "Tests  1 failed | 4 passed (5)" }),
    bash("git status", { output: "nothing to commit" })
  ]).flat()
])

/** The same session in the record of a host that leaves the user's words out. */
export const promptless = (whole: string): string =>
  whole.replaceAll('"type":"user_message"', '"type":"user_message","synthetic":true')
