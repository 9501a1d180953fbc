/** Tracks what was asked: the user's messages, what they order and forbid, and whether the user wants a change. */
import * as Redaction from "../../base/redaction/Redaction.ts"
import { clip, oneLine } from "../../base/text/Text.ts"
import * as RunnerOutput from "../output/RunnerOutput.ts"
import { isCheck } from "../vocabulary/GateTable.ts"
import type { TranscriptEvent, UserMessage } from "../transcript/Transcript.ts"
import { isContinuation, isHalt, readIntent, wantsAsking, wantsFailure } from "./Intent.ts"
import type { TaskContext } from "./model.ts"
import { asksOf, forbidsRun, lastingIn, spokenOf } from "./Orders.ts"

export { Intent, Ask, TaskContext } from "./model.ts"

export const initial: TaskContext = {
  turn: -1,
  since: 0,
  userMessageId: null,
  userMessageAt: null,
  text: "",
  message: "",
  mode: "unknown",
  intent: "unknown",
  about: "unknown",
  asks: [],
  forbids: [],
  reportsFailure: false,
  wantsFailure: false,
  continued: false,
  asksLeave: false,
  lasting: ""
}

export const isGenuine = (event: TranscriptEvent): event is UserMessage =>
  event.type === "user_message" && !event.synthetic && event.text.trim() !== ""

/** `current` is -1 before the first turn. A host may say that a message belongs to the current turn. */
export const beginsTurn = (current: number, event: TranscriptEvent): boolean =>
  isGenuine(event) && (event.turn === undefined || event.turn > current)

const kept = 4000
const mostLasting = 600

/** A new order cancels a ban that an earlier message set for the session. */
const ordersOf = (text: string, lasting: string): Pick<TaskContext, "asks" | "forbids"> => {
  const { asks, forbids } = asksOf(text)
  const before = asksOf(lasting).forbids.filter((gate) => isCheck(gate) && !asks.some((ask) => ask.gate === gate))
  return { asks, forbids: [...new Set([...forbids, ...before])] }
}

const withLasting = (lasting: string, text: string): string =>
  [...new Set([...lasting.split("\n"), ...lastingIn(text)])].join("\n").trim().slice(-mostLasting)

const newTask = (state: TaskContext, text: string): TaskContext => ({
  ...state,
  ...readIntent(text),
  ...ordersOf(text, state.lasting),
  lasting: withLasting(state.lasting, text),
  since: state.turn,
  text: clip(text, kept),
  message: clip(text, kept),
  reportsFailure: RunnerOutput.summarize(text, { kind: "tests", runner: null })?.outcome === "failed",
  wantsFailure: wantsFailure(text),
  continued: false
})

/**
 * New orders and bans replace earlier orders and bans. If a message only mentions a gate, it may cancel the order for
 * this gate in words that we cannot read. So the agent is not nudged for this gate.
 */
const continueTask = (state: TaskContext, text: string): TaskContext => {
  const { asks, forbids } = asksOf(text)
  const spoken = spokenOf(text)
  const isAsked = (gate: string): boolean => asks.some((ask) => ask.gate === gate)
  const before = state.asks
    .filter(({ gate }) => !isAsked(gate))
    .map((ask) => (spoken.includes(ask.gate) ? { ...ask, doubted: true as const } : ask))
  return {
    ...state,
    message: clip(text, kept),
    intent: "act",
    continued: true,
    lasting: withLasting(state.lasting, text),
    asks: [...before, ...asks].filter(({ gate }) => !forbids.includes(gate)),
    forbids: [...new Set([...state.forbids.filter((gate) => !isAsked(gate)), ...forbids])]
  }
}

/** For a message during the agent's work. It may add to the task or cancel orders. A bare "stop" ends the task. */
const addToTask = (state: TaskContext, text: string): TaskContext => {
  const { about, intent, message, since } = state
  if (isHalt(text)) return { ...newTask(state, text), since, text: state.text, about }
  const before = isHalt(message) ? "" : `${message}\n\n`
  return { ...continueTask(state, text), intent, message: clip(`${before}${text}`, kept) }
}

const ordering = /^#{1,6} (?:(?:your |the )?(?:tasks?|job)|steps?|instructions?|workflow|process|what to do)\b/i

/** The text before the first section, and the sections whose heading announces orders. */
const bodyOf = (text: string): string => {
  const [first = "", ...sections] = text.replace(/^\s*#{1,6} .*/, "").split(/^(?=\s{0,3}#{1,6} )/m)
  return [first, ...sections.filter((one) => ordering.test(one)).map((one) => one.replace(/.*/, ""))].join("\n")
}

/** The user did not write a slash command's text. It can add orders, but not forbid checks or change a known intent. */
const addExpansion = (state: TaskContext, text: string): TaskContext => {
  const body = bodyOf(text)
  const said = [...state.forbids, ...state.asks.map(({ gate }) => gate)]
  const added = asksOf(body).asks.filter(({ gate }) => !said.includes(gate))
  const isOrder = state.intent === "unknown" && readIntent(body).intent === "act"
  return {
    ...state,
    intent: isOrder ? "act" : state.intent,
    asks: [...state.asks, ...added.map((ask) => ({ ...ask, expanded: true as const }))]
  }
}

/** True if the user stopped the agent during its work, so that nothing is left to continue. */
export const isHalted = ({ message, text }: TaskContext): boolean => message !== text && isHalt(message)

interface Named {
  readonly name: string
  readonly command: string
}

/** True if the gate was forbidden, or if its order may have been cancelled. */
export const isSpared = ({ asks, forbids }: TaskContext, gate: string): boolean =>
  forbids.includes(gate) || asks.some((ask) => ask.gate === gate && ask.doubted === true)

export const isUnwanted = ({ asks, lasting, message, text }: TaskContext, { command, name }: Named): boolean =>
  !asks.some(({ gate }) => gate === name) && forbidsRun([lasting, text, message], command)

export const step = (state: TaskContext, event: TranscriptEvent): TaskContext => {
  if (event.type === "mode_change") return { ...state, mode: event.mode }
  const isExpansion = event.type === "user_message" && event.expansion === true && state.turn >= 0
  if (!isExpansion && !isGenuine(event)) return state
  // Secrets are removed first, because later texts and quotes are cut out of this text.
  const text = Redaction.redact(event.text)
  if (isExpansion) return addExpansion(state, text)
  const asked = { ...state, asksLeave: wantsAsking(text, state.asksLeave) }
  if (!beginsTurn(state.turn, event)) return addToTask(asked, text)
  const turn = { ...asked, turn: event.turn ?? state.turn + 1, userMessageId: event.id, userMessageAt: event.at }
  return state.turn >= 0 && isContinuation(text) ? continueTask(turn, text) : newTask(turn, text)
}

/** If the last message starts with the text that set the task, returns only the last message. */
export const whole = ({ message, text }: TaskContext, joint: string): string =>
  text === "" || message.startsWith(text) ? message : `${text}${joint}${message}`

export const summary = (task: TaskContext): string => {
  const message = task.message.trim()
  const isMore = message.length > 3 && (!task.text.includes(message) || task.text === "")
  const all = isMore ? whole(task, " … ") : task.text || task.message
  return oneLine(Redaction.redact(all.slice(0, 1000)), 200)
}
