/** A scripted model's moves in the words of OpenCode. */
import { type Answer, type Move, say, shell } from "../contract/HostContract.ts"
import type { Rule } from "../servers/ModelScript.ts"
import { asides, bash, edit, outage, task, todos } from "../scenarios/OpenCodeScenario.ts"
import type { Block, Reply, Script } from "../servers/ScriptedChat.ts"

/** The host has no command in the background, only an agent that runs one. */
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
    case "Edit":
      return [edit(`${workspace}/${move.file}`, move.before, move.after)]
    case "Todos":
      return [todos(move.todos)]
    case "Delegate":
      return [task(move.task)]
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

/** What the agents are given to do, and what they do about it. */
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

/** A model's answers as a script. */
export const script = (workspace: string, answers: ReadonlyArray<Answer>): Script => ({
  turns: answers.flatMap((answer) => turns(workspace, answer)),
  rules: [
    ...subagents(workspace, answers),
    ...asides({ title: "Work on the shop", summary: "The user's task is under way; see the files." })
  ]
})
