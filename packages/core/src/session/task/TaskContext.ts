/** What was asked: the human's messages, what they order and forbid, and whether anything was to be changed at all. */
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

/** Whether an event is a message that a person wrote. */
export const isGenuine = (event: TranscriptEvent): event is UserMessage =>
  event.type === "user_message" && !event.synthetic && event.text.trim() !== ""

/** Whether it begins a turn after the turn numbered `current`, -1 before the first: a host may put it in the running one. */
export const beginsTurn = (current: number, event: TranscriptEvent): boolean =>
  isGenuine(event) && (event.turn === undefined || event.turn > current)

const kept = 4000
const mostLasting = 600

/** The checks that an earlier message forbade for the session, but for those that are ordered now. */
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
 * What a later message orders and forbids stands before what an earlier one did. What it only speaks of may be taken back, in
 * words that cannot be read: nobody is sent on for it.
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

/** What the user typed while the agent worked adds to the task, or takes back what was asked; a bare "stop" ends it. */
const addToTask = (state: TaskContext, text: string): TaskContext => {
  const { about, intent, message, since } = state
  if (isHalt(text)) return { ...newTask(state, text), since, text: state.text, about }
  const before = isHalt(message) ? "" : `${message}\n\n`
  return { ...continueTask(state, text), intent, message: clip(`${before}${text}`, kept) }
}

const ordering = /^#{1,6} (?:(?:your |the )?(?:tasks?|job)|steps?|instructions?|workflow|process|what to do)\b/i

/** What the text of a slash command says is to be done: before its first section, and in those that have such a heading. */
const bodyOf = (text: string): string => {
  const [first = "", ...sections] = text.replace(/^\s*#{1,6} .*/, "").split(/^(?=\s{0,3}#{1,6} )/m)
  return [first, ...sections.filter((one) => ordering.test(one)).map((one) => one.replace(/.*/, ""))].join("\n")
}

/**
 * What the text of a slash command orders counts where the user's own words say nothing else. Somebody else wrote it, so it
 * only adds to what is required: it forbids no check, and makes no order a question or an errand.
 */
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

/** Whether the user stopped the agent in the middle of its work: nothing is left to go on with. */
export const isHalted = ({ message, text }: TaskContext): boolean => message !== text && isHalt(message)

interface Named {
  readonly name: string
  readonly command: string
}

/** Whether nobody is sent on for a gate's own sake: it was forbidden, or its order may have been taken back. */
export const isSpared = ({ asks, forbids }: TaskContext, gate: string): boolean =>
  forbids.includes(gate) || asks.some((ask) => ask.gate === gate && ask.doubted === true)

/** Whether the user said that a check's command is not to be run, and did not order the check since. */
export const isUnwanted = ({ asks, lasting, message, text }: TaskContext, { command, name }: Named): boolean =>
  !asks.some(({ gate }) => gate === name) && forbidsRun([lasting, text, message], command)

/** Folds one event into the task. */
export const step = (state: TaskContext, event: TranscriptEvent): TaskContext => {
  if (event.type === "mode_change") return { ...state, mode: event.mode }
  const isExpansion = event.type === "user_message" && event.expansion === true && state.turn >= 0
  if (!isExpansion && !isGenuine(event)) return state
  // What is kept of a message, down to the quote of an order, is cut out of it: secrets go before.
  const text = Redaction.redact(event.text)
  if (isExpansion) return addExpansion(state, text)
  const asked = { ...state, asksLeave: wantsAsking(text, state.asksLeave) }
  if (!beginsTurn(state.turn, event)) return addToTask(asked, text)
  const turn = { ...asked, turn: event.turn ?? state.turn + 1, userMessageId: event.id, userMessageAt: event.at }
  return state.turn >= 0 && isContinuation(text) ? continueTask(turn, text) : newTask(turn, text)
}

/** What set the task, and the last message behind it, which begins with it where the user typed more into the running turn. */
export const whole = ({ message, text }: TaskContext, joint: string): string =>
  text === "" || message.startsWith(text) ? message : `${text}${joint}${message}`

/** The task in one line of at most 200 characters. */
export const summary = (task: TaskContext): string => {
  const message = task.message.trim()
  const isMore = message.length > 3 && (!task.text.includes(message) || task.text === "")
  const all = isMore ? whole(task, " … ") : task.text || task.message
  return oneLine(Redaction.redact(all.slice(0, 1000)), 200)
}
