/** The prompt for a model that judges a turn: earlier turns, the task, the agent's actions and words. */
import { fenced } from "../../base/text/Fence.ts"
import * as Instruction from "./instruction.ts"
import * as StepText from "./stepText.ts"
import * as Steps from "./steps.ts"
import * as Surroundings from "./surroundings.ts"
import { clean, lastResponse, type Turn } from "./TurnRecord.ts"
import * as TaskContext from "../../session/task/TaskContext.ts"
import { clip, oneLine, tail } from "../../base/text/Text.ts"

/** Stored with each review. */
export const version = 4

export interface Telling {
  /** A random word that marks the record's end. The record's authors cannot know it, so they cannot fake the end. */
  readonly nonce: string
  readonly attempt: number
  readonly maxAttempts: number
  /** The user's guidance for reviews. Null if the user does not trust the file. */
  readonly guidance: string | null
  /** The project's rules for its agents. They do not apply to this model. */
  readonly instructions: string | null
}

export interface Prompt {
  readonly system: string
  readonly prompt: string
}

const maxTask = 4000
const maxResponse = 3500
const maxInstructions = 1800
const maxGuidance = 2000
const maxOrders = 600
const maxOlder = 900

/** In characters. With the instruction, this is about 6,000 tokens. */
const maxPrompt = 17_400

const leastSteps = 3300

const quoted = (text: string): string => `"${text.replaceAll('"', "'")}"`

const deeds = ({ calls, commits, edits, interrupted }: Turn["before"][number]): string =>
  `${calls} calls, ${edits} edits, ${commits} commits${interrupted ? ", interrupted by the user" : ""}`

const before = ({ before: turns }: Turn): ReadonlyArray<string> => {
  if (turns.length === 0) return []
  const older = turns
    .slice(0, -2)
    .map(
      (one) =>
        `- turn ${one.turn}: user: ${quoted(one.asked)} → ${deeds(one)}; agent: ${quoted(oneLine(one.said, 160))}`
    )
  const last = turns
    .slice(-2)
    .map(
      (one) =>
        `- turn ${one.turn}\n  user: ${clip(one.asked, 750)}\n  (${deeds(one)})\n  agent's last words then: ${tail(one.said, 850)}`
    )
  return [
    `Earlier turns, whose orders may still be open (do not judge what was settled in them):\n${[...(older.length === 0 ? [] : [tail(older.join("\n"), maxOlder)]), ...last].join("\n")}`
  ]
}

/** Orders from a slash command's file. The heading says so, because the file may claim anything. */
const expanded = ({ known: { task } }: Turn): ReadonlyArray<string> => {
  const orders = task.asks.flatMap(({ expanded, quote }) =>
    expanded !== true || task.text.includes(quote) || task.message.includes(quote)
      ? []
      : [`- ${quoted(oneLine(clean(quote), 160))}`]
  )
  const heading = "In the words of a slash command's file, not in the user's, who typed the command"
  return orders.length === 0 ? [] : [`${heading}:\n${clip(orders.join("\n"), maxOrders)}`]
}

const taskOf = ({ known }: Turn): string =>
  StepText.ends(TaskContext.whole(known.task, "\n…\n"), (maxTask * 2) / 3, maxTask / 3)

const conditions = ({ known }: Turn): ReadonlyArray<string> => {
  const items = known.doneWhen
    .filter(({ command }) => command === null)
    .map(
      ({ id, text, untrusted }) =>
        `[${id}] ${oneLine(clean(text), 300)}${untrusted === true ? " (says the project)" : ""}`
    )
  return items.length === 0
    ? []
    : [`The user calls it done when all of this holds; cite one that does not hold by its label:\n${items.join("\n")}`]
}

const responseOf = (turn: Turn): string => {
  const label = lastResponse(turn)?.label
  return `The agent's last words${label === undefined ? "" : ` [${label}]`}:\n${StepText.ends(turn.known.stop.text, 800, maxResponse - 800)}`
}

const attempts = ({ attempt, maxAttempts }: Telling): ReadonlyArray<string> =>
  attempt > 1 ? [`The agent was reminded before: this would be reminder ${attempt} of ${maxAttempts}.`] : []

const inside = ({ known: { cwd } }: Turn, text: string): string =>
  cwd === null || cwd.length < 2 ? text : text.replaceAll(`${cwd}/`, "")

const sizeOf = (parts: ReadonlyArray<string>): number => parts.reduce((sum, part) => sum + part.length + 2, 0)

const recordOf = (turn: Turn, telling: Telling): ReadonlyArray<string> => {
  const { instructions } = telling
  const above = [
    ...(instructions === null
      ? []
      : [`The project's standing rules for its agents:\n${clip(clean(instructions), maxInstructions)}`]),
    ...before(turn),
    ...expanded(turn),
    `What the user ordered:\n${taskOf(turn)}`,
    ...conditions(turn),
    ...attempts(telling)
  ]
  const below = [`What the record shows:\n${inside(turn, Surroundings.lines(turn).join("\n"))}`, responseOf(turn)]
  const room = Math.max(leastSteps, maxPrompt - sizeOf([...above, ...below]))
  const steps = `What the agent did, oldest first:\n${inside(turn, Steps.lines(turn, room).join("\n")) || "nothing"}`
  return [...above, steps, ...below]
}

const guided = ({ guidance }: Telling): string | null => (guidance === null ? null : clip(clean(guidance), maxGuidance))

export const selfAssessment = (turn: Turn, telling: Telling): Prompt => ({
  system: Instruction.system([Instruction.assessing, Instruction.answer], telling.nonce, guided(telling)),
  prompt: fenced(recordOf(turn, telling).join("\n\n"), telling.nonce)
})
