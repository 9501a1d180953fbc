/**
 * What was asked: the human's messages, what they request and forbid, and whether anything was to be changed at all.
 */
import { asksOf } from "./requestedGates.ts"
import { hasFailureReport, isContinuation, readIntent, wantsAll, wantsFailure } from "./Intent.ts"
import { clip, oneLine, proseLines } from "../../ground/text/Text.ts"
import { isHalt } from "./TakenBack.ts"
import * as Redaction from "../../ground/redaction/Redaction.ts"
import * as StandingOrders from "./StandingOrders.ts"
import type { TranscriptEvent, UserMessage } from "../transcript/Transcript.ts"
import type { TaskContext } from "./model.ts"

export { Intent, Ask, TaskContext } from "./model.ts"

export const initial: TaskContext = {
  version: 1,
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
  wantsAll: false,
  continued: false,
  standing: []
}

/**
 * Whether an event is a message that a person wrote. It begins a turn, unless the host's records put it in the running
 * one (`beginsTurn`).
 *
 * @category predicates
 */
export const isGenuine = (event: TranscriptEvent): event is UserMessage =>
  event.type === "user_message" && !event.synthetic && event.text.trim() !== ""

/**
 * Whether an event begins a new turn after the turn numbered `current` (-1 before the first).
 *
 * @category predicates
 */
export const beginsTurn = (current: number, event: TranscriptEvent): boolean =>
  isGenuine(event) && (event.turn === undefined || event.turn > current)

const newTask = (state: TaskContext, text: string): TaskContext => {
  const intent = readIntent(text)
  const asked = asksOf(text)
  return {
    ...state,
    since: state.turn,
    text: clip(text, 4000),
    message: clip(text, 4000),
    intent: intent.intent,
    about: intent.about,
    asks: asked.asks,
    forbids: asked.forbids,
    reportsFailure: hasFailureReport(text),
    wantsFailure: wantsFailure(text),
    wantsAll: wantsAll(text),
    continued: false
  }
}

/**
 * What the user typed while the agent worked adds to the task, its own requests first, or takes back what was asked; a
 * bare "stop" ends it.
 */
const addToTask = (state: TaskContext, text: string): TaskContext => {
  if (isHalt(text)) return { ...newTask(state, text), since: state.since, text: state.text, about: state.about }
  const before = isHalt(state.message) ? "" : `${state.message}\n\n`
  return { ...continueTask(state, text), intent: state.intent, message: clip(`${before}${text}`, 4000) }
}

const continueTask = (state: TaskContext, text: string): TaskContext => {
  const asked = asksOf(text)
  const isAsked = (gate: string): boolean => asked.asks.some((ask) => ask.gate === gate)
  return {
    ...state,
    message: clip(text, 4000),
    intent: "act",
    continued: true,
    wantsAll: state.wantsAll || wantsAll(text),
    asks: [...state.asks.filter((old) => !isAsked(old.gate)), ...asked.asks].filter(
      (ask) => !asked.forbids.includes(ask.gate)
    ),
    forbids: [...new Set([...state.forbids.filter((gate) => !isAsked(gate)), ...asked.forbids])]
  }
}

/** A heading under which such a text says what is to be done. */
const task = /^#{2,6} (?:(?:your |the )?(?:tasks?|job)|steps?|instructions?|workflow|process|procedure|what to do)\b/i

const heading = /^\s{0,3}#{1,6} /

/** What such a text says is to be done: before its first section, and in those that have such a heading. */
const bodyOf = (text: string): string => {
  const kept: Array<string> = []
  let isTask = true
  for (const line of proseLines(text.replace(/^\s*#{1,6} .*/, ""))) {
    if (heading.test(line)) isTask = task.test(line)
    else if (isTask) kept.push(line)
  }
  return kept.join("\n")
}

/**
 * What the text of a slash command orders counts as if the user had said it, where his own words say nothing else; it is
 * never taken for his words. Whoever brought the command's file wrote it, so it only adds to what is required: it forbids
 * no check, wants no failing test, and makes no order a question or an errand.
 */
const addExpansion = (state: TaskContext, text: string): TaskContext => {
  const body = bodyOf(text)
  const { about, intent } = readIntent(body)
  const isSaid = (gate: string): boolean => state.forbids.includes(gate) || state.asks.some((ask) => ask.gate === gate)
  return {
    ...state,
    intent: state.intent === "unknown" && intent === "act" ? intent : state.intent,
    about: state.about === "unknown" && about === "code" ? about : state.about,
    asks: [
      ...state.asks,
      ...asksOf(body)
        .asks.filter(({ gate }) => !isSaid(gate))
        .map((ask) => ({ ...ask, expanded: true as const }))
    ],
    wantsAll: state.wantsAll || wantsAll(body)
  }
}

/**
 * Whether the user stopped the agent in the middle of its work: nothing is left to go on with.
 *
 * @category predicates
 */
export const isHalted = (state: TaskContext): boolean => state.message !== state.text && isHalt(state.message)

/**
 * Folds one event into the task.
 *
 * @category folds
 */
export const step = (state: TaskContext, event: TranscriptEvent): TaskContext => {
  if (event.type === "mode_change") return { ...state, mode: event.mode }
  if (event.type === "user_message" && event.expansion === true && state.turn >= 0)
    return addExpansion(state, Redaction.redact(event.text))
  if (!isGenuine(event)) return state
  // What is kept of a message, down to the quote of a request, is cut out of it: secrets go before.
  const text = Redaction.redact(event.text)
  const standing = StandingOrders.after(state.standing, text)
  if (!beginsTurn(state.turn, event)) return { ...addToTask(state, text), standing }
  const turn = {
    ...state,
    standing,
    turn: event.turn ?? state.turn + 1,
    userMessageId: event.id,
    userMessageAt: event.at
  }
  return state.turn >= 0 && isContinuation(text) ? continueTask(turn, text) : newTask(turn, text)
}

/**
 * The task in one line of at most 200 characters.
 *
 * @category accessors
 */
export const summary = (state: TaskContext): string => {
  const more =
    state.message !== state.text && !state.text.includes(state.message.trim()) && state.message.trim().length > 3
  const whole = state.text === "" ? state.message : more ? `${state.text} … ${state.message}` : state.text
  return oneLine(Redaction.redact(whole.slice(0, 1000)), 200)
}
