/**
 * The commands to reflexion among a user's prompts, and what becomes of one that is typed in the middle of a session: it is
 * answered without asking the model.
 */
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as AskFiles from "@reflexion/core/internal/model/calls/AskFiles"
import * as AskLines from "@reflexion/core/internal/model/calls/AskLines"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as OwnModels from "../config/OwnModels.ts"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import type { Answered, HookEvent } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as UserDirectories from "../places/UserDirectories.ts"
import * as AskedChecks from "./AskedChecks.ts"
import * as ModelAnswer from "./ModelAnswer.ts"
import * as SessionFile from "../session/SessionFile.ts"
import * as WrongPush from "./WrongPush.ts"

/** The commands, and what each could not be where it fails. */
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

export type Command = keyof typeof verbs

const isCommand = (word: string): word is Command => Object.hasOwn(verbs, word)

const typed = /^\/(?:reflexion:)?(?:reflection|reflexion)(?=\s|$)\s*([a-z]*(?:-when)?)/i
const bare =
  /^(?:reflection|reflexion)(?:[ \t]+(stop|start|status|away|here|wrong|verify|model|model[ \t]+on|model[ \t]+off))?[ \t]*[.!]?$/i

/** What follows it says when the task is done. */
const bareConditions = /^(?:reflection|reflexion)[ \t]+(done-when)(?=\s|$)/i

/** What may follow `model`. */
const modelWords: Readonly<Record<string, Command>> = { "": "model", on: "model-on", off: "model-off" }

const modelCommand = (rest: string): Command | "unknown" => {
  const word = /^[ \t:]*([a-z]*)/i.exec(rest)?.[1]?.toLowerCase() ?? ""
  return rest.trim() !== "" && word === "" ? "unknown" : (modelWords[word] ?? "unknown")
}

const bareIn = (text: string): RegExpExecArray | null =>
  bareConditions.exec(text) ?? (text.length > 100 ? null : bare.exec(text))

/**
 * What was typed: `/reflection stop`, `start`, `status`, `away`, `here`, `wrong`, `verify`, `model`, with `on` or `off` behind it, or
 * `done-when` with a text; `status` is meant without
 * a word, too. Nobody but us answers to the slash, so whatever follows those words changes nothing, and another word is `unknown`. Where the host's
 * `command` has no slash, it may be left out, but of such a prompt nothing else may be said: it is the model's then.
 */
export const parse = (prompt: string, { command }: Pick<Hook<never>, "command">): Command | "unknown" | null => {
  const text = prompt.trim()
  const found = typed.exec(text) ?? (command.startsWith("/") ? null : bareIn(text))
  if (found === null) return null
  const isAlone = found[0].length === text.length
  const word = (found[1] ?? "").toLowerCase()
  if (word === "") return isAlone ? "status" : "unknown"
  if (/^model\b/.test(word)) return modelCommand(word.slice("model".length) + text.slice(found[0].length))
  return isCommand(word) ? word : "unknown"
}

/** What was typed behind `done-when`. */
export const conditions = (prompt: string): string => prompt.trim().replace(/^.{0,40}?\bdone-when\b[ \t:]*/is, "")

const usage = ({ command }: Pick<Hook<never>, "command">): string =>
  `reflexion knows \`${command} stop\`, \`${command} start\`, \`${command} status\`, \`${command} away\`, \`${command} here\`, \`${command} wrong\`, \`${command} verify\`, \`${command} model on|off\` and \`${command} done-when CONDITIONS\`.`

const failed = (command: Command, cause: unknown): string =>
  `reflexion could not be ${verbs[command]}: ${Hooks.messageOf(cause)}`

/** The word is kept before anything else, for it must hold whatever a review that is under way will save. */
const obey = <S>(hook: Hook<S>, event: HookEvent, command: "stop" | "start", since: number): void => {
  const key = Hooks.keyOf(hook, event)
  if (command === "stop") SessionFile.setStopped(key, true)
  try {
    Hooks.update(hook, event, (session) => {
      const said = { _tag: "Command", command, at: since } as const
      const [review] = ReviewState.decide(session.review, said, ReviewState.defaultOptions)
      return { ...session, review }
    })
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
  const text = conditions(event.prompt ?? "").slice(0, Answers.maxConditions)
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

const knownOf = <S>(hook: Hook<S>, event: HookEvent): ModelAnswer.Known | { readonly problem: string } => {
  const root = ProjectRoot.of(event.cwd ?? "/")
  const { config, problem } = Hooks.settingsOf(hook, root)
  if (problem !== null) return { problem }
  const { command, directories, env, host } = hook
  return {
    host,
    sessionId: event.sessionId,
    directories,
    env,
    command,
    said: SessionFile.modelWordOf(Hooks.keyOf(hook, event)),
    configured: config.model,
    forbidden: Hooks.settingsOf(hook, root, OwnModels.nameOf(host)).config.model === "off",
    now: hook.now()
  }
}

const keepModel = <S>(hook: Hook<S>, event: HookEvent, word: "on" | "off"): void => {
  SessionFile.setModelWord(Hooks.keyOf(hook, event), word)
  const reason = `the user turned the questions to a model ${word} in this session`
  Hooks.log(hook, event, { decision: "none", reason }, hook.now())
}

/** What was not answered before is over. */
const askAgain = <S>({ directories, host, now }: Hook<S>, { sessionId }: HookEvent): void => {
  const time = now()
  const line = AskLines.printAgain({ at: new Date(time).toISOString(), host, session: sessionId })
  AskFiles.append(UserDirectories.modelsFolder(directories), AskLines.fileOf(time), line, time)
}

/**
 * Whether a model is asked at the session's stops. The user's word to turn it off wins over everything; to turn it on takes the
 * place of their consent, for this session, and is newer than the questions there that nobody answered.
 */
const modelWord = <S>(hook: Hook<S>, event: HookEvent, word: "on" | "off" | null): string => {
  // Kept before anything is read that might be broken.
  if (word === "off") keepModel(hook, event, word)
  const known = knownOf(hook, event)
  if ("problem" in known) return Notice.problem(known.problem)
  if (word === "on" && ModelAnswer.mayTurnOn(known)) {
    keepModel(hook, event, word)
    askAgain(hook, event)
  }
  return ModelAnswer.answer({ ...known, said: word ?? known.said })
}

/** A command that fails is answered, too: the model has nothing to say to it. */
const perform = <S>(hook: Hook<S>, event: HookEvent, command: Exclude<Command, "verify">, since: number): string => {
  try {
    if (command === "away" || command === "here") return present(hook, event, command === "here", since)
    if (command === "done-when") return conditioned(hook, event, since)
    if (command === "wrong") return marked(hook, event, since)
    if (command === "model") return modelWord(hook, event, null)
    if (command === "model-on" || command === "model-off")
      return modelWord(hook, event, command === "model-on" ? "on" : "off")
    if (command !== "status") obey(hook, event, command, since)
    return standing(hook, event)
  } catch (cause) {
    Hooks.log(hook, event, { decision: "failure", reason: failed(command, cause) }, since)
    return failed(command, cause)
  }
}

/** Answers a command. */
export const run = <S>(hook: Hook<S>, event: HookEvent, command: Command | "unknown"): Answered => {
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
