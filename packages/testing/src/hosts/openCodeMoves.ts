/** A scripted model's actions with OpenCode's tools. */
import { type Answer, type Move, say, shell } from "../contract/HostContract.ts"
import type { Rule } from "../servers/ModelScript.ts"
import type { Block, Reply, Script } from "../servers/ScriptedChat.ts"

const bash = (command: string): Block => ({ tool: "bash", input: { command, description: "Run a command" } })

const task = (prompt: string, options: object = {}): Block => ({
  tool: "task",
  input: { description: "A part of the work", prompt, subagent_type: "general", ...options }
})

/** Agents work in the background only with this variable. */
export const backgroundOn = { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "1" }

const asides: ReadonlyArray<Rule<Block>> = [
  {
    name: "title",
    when: ({ system }) => system.startsWith("You are a title generator"),
    replies: [{ content: [{ text: "Work on the shop" }] }]
  },
  {
    name: "summary",
    when: ({ lastUser, tools }) => tools.length === 0 && lastUser.includes("<conversation>"),
    replies: [{ content: [{ text: "The user's task is under way; see the files." }] }]
  }
]

/** The host asks again five times before it gives up. */
const outage = (status: number, error: string): ReadonlyArray<Reply> =>
  Array.from({ length: status === 429 || status >= 500 ? 6 : 1 }, () => ({ status, error, retryAfterMillis: 1 }))

/** The host cannot run a command in the background, so an agent runs it. */
const errand = ({ command }: Extract<Move, { readonly _tag: "Background" }>) =>
  `Run \`${command}\` and wait for its end.`

const blocks = (workspace: string, move: Move): ReadonlyArray<Block> => {
  switch (move._tag) {
    case "Say":
      return [{ text: move.text }]
    case "Shell":
      return [bash(move.command)]
    case "Background":
      return [task(errand(move), { background: true })]
    case "Edit": {
      const input = { filePath: `${workspace}/${move.file}`, oldString: move.before, newString: move.after }
      return [{ tool: "edit", input }]
    }
    case "Todos": {
      const todos = Object.entries(move.todos)
      const entries = todos.map(([content, status]) => ({ content, status, priority: "medium" }))
      return [{ tool: "todowrite", input: { todos: entries } }]
    }
    case "Delegate":
      return [task(move.task)]
    case "Call":
      return [{ tool: move.tool, input: move.input }]
    case "Hang":
      return [{ hangs: true }]
    case "Fail":
    case "Fill":
      return []
  }
}

const reply = (workspace: string, answer: Answer): Reply => {
  const full = answer.some((move) => move._tag === "Fill") ? { usage: { input_tokens: 97_000 } } : {}
  return { content: answer.flatMap((move) => blocks(workspace, move)), ...full }
}

const turns = (workspace: string, answer: Answer): ReadonlyArray<Reply> => {
  const failure = answer.find((move) => move._tag === "Fail")
  return failure === undefined ? [reply(workspace, answer)] : outage(failure.status, failure.error)
}

const errands = (move: Move): ReadonlyArray<{ readonly prompt: string; readonly answers: ReadonlyArray<Answer> }> => {
  switch (move._tag) {
    case "Delegate":
      return [{ prompt: move.task, answers: move.answers }]
    case "Background":
      return [{ prompt: errand(move), answers: [[shell(move.command)], [say("It is through.")]] }]
    default:
      return []
  }
}

const subagents = (workspace: string, answers: ReadonlyArray<Answer>): ReadonlyArray<Rule<Block>> =>
  answers
    .flat()
    .flatMap(errands)
    .map(({ answers: given, prompt }) => {
      const [first = { content: [] }, ...rest] = given.map((answer) => reply(workspace, answer))
      return { name: "subagent", when: ({ firstUser }) => firstUser.includes(prompt), replies: [first, ...rest] }
    })

export const script = (workspace: string, answers: ReadonlyArray<Answer>): Script => ({
  turns: answers.flatMap((answer) => turns(workspace, answer)),
  rules: [...subagents(workspace, answers), ...asides]
})
