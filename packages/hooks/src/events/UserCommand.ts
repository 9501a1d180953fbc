/**
 * What becomes of a command that the user types in the middle of a session: it is answered without asking the model. Loaded
 * only for one.
 */
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import type { Answered, HookEvent } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as AskedChecks from "./AskedChecks.ts"
import * as ModelWord from "./ModelWord.ts"
import * as SessionFile from "../session/SessionFile.ts"
import * as TypedCommand from "./TypedCommand.ts"
import * as WrongPush from "./WrongPush.ts"

const usage = ({ command }: Pick<Hook<never>, "command">): string =>
  `reflexion knows \`${command} stop\`, \`${command} start\`, \`${command} status\`, \`${command} away\`, \`${command} here\`, \`${command} wrong\`, \`${command} verify\`, \`${command} model on|off\` and \`${command} done-when CONDITIONS\`.`

const verbs = {
  stop: "turned off in this session",
  start: "turned on in this session",
  status: "asked",
  away: "told that nobody is there",
  here: "told that you are there",
  wrong: "told that its last push was wrong",
  verify: "asked to run the checks",
  "done-when": "told when the task is done",
  model: "asked about its model",
  "model-on": "told to ask a model",
  "model-off": "told to ask no model"
} as const

const failed = (command: TypedCommand.TypedCommand, cause: unknown): string =>
  `reflexion could not be ${verbs[command]}: ${Hooks.messageOf(cause)}`

/** The word is kept before anything else, for it must hold whatever a review that is under way will save. */
const obey = <S>(hook: Hook<S>, event: HookEvent, command: "stop" | "start", since: number): void => {
  const key = Hooks.keyOf(hook, event)
  if (command === "stop") SessionFile.setStopped(key, true)
  const change = (session: SessionFile.Session): SessionFile.Session => {
    const said = { _tag: "Command", command, at: since } as const
    const [review] = ReviewState.decide(session.review, said, ReviewState.defaultOptions)
    return { ...session, review }
  }
  try {
    Hooks.update(hook, event, change)
  } catch (cause) {
    if (command === "start") throw cause
    Hooks.log(hook, event, { decision: "failure", reason: Hooks.messageOf(cause) }, since)
  }
  if (command === "start") SessionFile.setStopped(key, false)
  Hooks.log(hook, event, { decision: command, reason: "by the user" }, since)
}

/** Kept as a file of its own, for it must hold whatever a review that is under way will save. */
const present = <S>(hook: Hook<S>, event: HookEvent, isHere: boolean, since: number): string => {
  SessionFile.setAttended(Hooks.keyOf(hook, event), isHere)
  const reason = isHere ? "the user says that they are there" : "the user says that nobody is there"
  Hooks.log(hook, event, { decision: "none", reason }, since)
  const { config } = Hooks.settingsOf(hook, ProjectRoot.of(event.cwd ?? "/"))
  return Answers.presence(isHere, { command: hook.command, setting: config.attended })
}

const marked = <S>({ directories, host }: Hook<S>, event: HookEvent, now: number): string => {
  const { cwd, name, sessionId } = event
  return WrongPush.mark({ directories, host, sessionId, root: ProjectRoot.of(cwd ?? "/"), event: name, now }).text
}

/** Kept as a file of its own, as the other words of the user are; what cannot be understood takes nothing back. */
const conditioned = <S>(hook: Hook<S>, event: HookEvent, since: number): string => {
  const text = TypedCommand.conditions(event.prompt ?? "").slice(0, Answers.maxConditions)
  const said = DoneWhen.conditions(text)
  if (text === "" || said.length > 0) {
    SessionFile.setDoneWhen(Hooks.keyOf(hook, event), said)
    const reason = text === "" ? "the user took back when the task is done" : "the user said when the task is done"
    Hooks.log(hook, event, { decision: "none", reason }, since)
  }
  return Answers.conditions(text, hook)
}

const standing = <S>(hook: Hook<S>, event: HookEvent): string => {
  const { config, problem } = Hooks.settingsOf(hook, ProjectRoot.of(event.cwd ?? "/"))
  const { review } = SessionFile.load(Hooks.keyOf(hook, event)).session
  return Answers.standing(review, { config, problem, command: hook.command })
}

/** A command that fails is answered, too: the model has nothing to say to it. */
const perform = <S>(
  hook: Hook<S>,
  event: HookEvent,
  command: Exclude<TypedCommand.TypedCommand, "verify">,
  since: number
): string => {
  try {
    if (command === "away" || command === "here") return present(hook, event, command === "here", since)
    if (command === "done-when") return conditioned(hook, event, since)
    if (command === "wrong") return marked(hook, event, since)
    if (command === "model") return ModelWord.run(hook, event, null)
    if (command === "model-on" || command === "model-off")
      return ModelWord.run(hook, event, command === "model-on" ? "on" : "off")
    if (command !== "status") obey(hook, event, command, since)
    return standing(hook, event)
  } catch (cause) {
    Hooks.log(hook, event, { decision: "failure", reason: failed(command, cause) }, since)
    return failed(command, cause)
  }
}

/**
 * Answers a command.
 *
 * @category handlers
 */
export const run = <S>(hook: Hook<S>, event: HookEvent, command: TypedCommand.TypedCommand | "unknown"): Answered => {
  if (command === "verify") return verified(hook, event)
  return { _tag: "reply", text: command === "unknown" ? usage(hook) : perform(hook, event, command, hook.now()) }
}

const verified = <S>(hook: Hook<S>, event: HookEvent): Answered => {
  const since = hook.now()
  try {
    return AskedChecks.verify(hook, event)
  } catch (cause) {
    Hooks.log(hook, event, { decision: "failure", reason: failed("verify", cause) }, since)
    return { _tag: "reply", text: failed("verify", cause) }
  }
}
