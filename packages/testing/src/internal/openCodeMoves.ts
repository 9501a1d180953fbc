/** A scripted model's moves in the words of OpenCode. */
import type { Answer, Move } from "../HostContract.ts"
import type { Rule } from "../ModelScript.ts"
import { asides, bash, edit, outage, task } from "../OpenCodeScenario.ts"
import type { Block, Reply, Script } from "../ScriptedChat.ts"

const blocks = (workspace: string, move: Move): ReadonlyArray<Block> => {
  switch (move._tag) {
    case "Say":
      return [{ text: move.text }]
    case "Shell":
      return [bash(move.command)]
    case "Background":
      return [bash(`{ ${move.command}; } > /dev/null 2>&1 &`)]
    case "Edit":
      return [edit(`${workspace}/${move.file}`, move.before, move.after)]
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

const subagents = (workspace: string, answers: ReadonlyArray<Answer>): ReadonlyArray<Rule<Block>> =>
  answers.flat().flatMap((move) => {
    if (move._tag !== "Delegate") return []
    const [first = { content: [] }, ...rest] = move.answers.map((answer) => reply(workspace, answer))
    const when: Rule<Block>["when"] = ({ firstUser }) => firstUser.includes(move.task)
    return [{ name: "subagent", when, replies: [first, ...rest] }]
  })

/** A model's answers as a script. */
export const script = (workspace: string, answers: ReadonlyArray<Answer>): Script => ({
  turns: answers.flatMap((answer) => turns(workspace, answer)),
  rules: [
    ...subagents(workspace, answers),
    ...asides({ title: "Work on the shop", summary: "The user's task is under way; see the files." })
  ]
})
