/** A scripted model's actions with Codex's tools. */
import type { Answer, Move } from "../contract/HostContract.ts"
import type { Rule, Turn } from "../servers/ModelScript.ts"
import type { Block } from "../servers/ScriptedResponses.ts"

const shell = (cmd: string, millis: number): Block => ({ tool: "exec_command", input: { cmd, yield_time_ms: millis } })

const patchOf = ({ after, before, file }: Extract<Move, { readonly _tag: "Edit" }>): string =>
  ["*** Begin Patch", `*** Update File: ${file}`, "@@", `-${before}`, `+${after}`, "*** End Patch"].join("\n")

/** How long Codex waits for a command in the foreground, in ms. */
const awaited = 20_000

const code = (source: string): Block => ({ tool: "exec", source })

const scripted = (move: Move): Block => {
  switch (move._tag) {
    case "Shell": {
      const input = JSON.stringify({ cmd: move.command, yield_time_ms: awaited })
      return code(`text((await tools.exec_command(${input})).output);`)
    }
    case "Edit":
      return code(`text(await tools.apply_patch(${JSON.stringify(patchOf(move))}));`)
    default:
      return { text: move._tag === "Say" ? move.text : "I can't do that." }
  }
}

const direct = (move: Move): Block => {
  switch (move._tag) {
    case "Say":
      return { text: move.text }
    case "Shell":
      return shell(move.command, awaited)
    case "Background":
      return shell(move.command, 300)
    case "Edit":
      return { tool: "apply_patch", source: patchOf(move) }
    case "Call":
      return { tool: move.tool, input: move.input }
    case "Todos": {
      const plan = Object.entries(move.todos).map(([step, status]) => ({ step, status }))
      return { tool: "update_plan", input: { plan } }
    }
    default:
      return { text: "I can't do that." }
  }
}

const agents = "multi_agent_v1"

const delegated = (task: string): ReadonlyArray<Turn<Block>> => [
  { content: [{ tool: "spawn_agent", namespace: agents, input: { agent_type: "default", message: task } }] },
  ({ lastOutput }) => {
    const targets = [/[0-9a-f-]{36}/.exec(lastOutput)?.[0] ?? ""]
    return { content: [{ tool: "wait_agent", namespace: agents, input: { targets, timeout_ms: 20_000 } }] }
  }
]

const turns = (answer: Answer, scripts: boolean): ReadonlyArray<Turn<Block>> => {
  const failure = answer.find((move) => move._tag === "Fail")
  if (failure !== undefined) return [{ status: failure.status, error: failure.error }]
  const handed = answer.find((move) => move._tag === "Delegate")
  if (handed !== undefined) return delegated(handed.task)
  if (answer.some((move) => move._tag === "Hang")) return [{ delay: "1 minute" }]
  const full = answer.some((move) => move._tag === "Fill") ? { usage: { input_tokens: 90_000 } } : {}
  const moves = answer.filter((move) => move._tag !== "Fill")
  return [{ content: moves.map(scripts ? scripted : direct), ...full }]
}

/** With `scripts`, the model calls its tools from code. */
export const script = (answers: ReadonlyArray<Answer>, options?: { readonly scripts: boolean }) => ({
  turns: answers.flatMap((answer) => turns(answer, options?.scripts === true)),
  rules: [summary, ...subagents(answers)]
})

const summary: Rule<Block> = {
  name: "summary",
  when: ({ lastUser }) => lastUser.includes("CONTEXT CHECKPOINT"),
  replies: [{ content: [{ text: "The user's task is under way; see the files." }] }]
}

const subagents = (answers: ReadonlyArray<Answer>): ReadonlyArray<Rule<Block>> =>
  answers.flat().flatMap((move) => {
    if (move._tag !== "Delegate") return []
    const [first = { content: [] }, ...rest] = move.answers.map((answer) => ({ content: answer.map(direct) }))
    const when: Rule<Block>["when"] = ({ firstUser, lastUser }) => `${firstUser}${lastUser}`.includes(move.task)
    return [{ name: "subagent", when, replies: [first, ...rest] }]
  })
