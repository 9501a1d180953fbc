/**
 * The commands that a user types to reflexion in the middle of a session, answered without asking the model.
 *
 * @since 0.1.0
 */
import * as Notice from "@reflexion/core/Notice"
import * as ReviewState from "@reflexion/core/ReviewState"
import type { Hook } from "./Hook.ts"
import * as Hooks from "./Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "./HookEvent.ts"
import * as ProjectRoot from "./internal/projectRoot.ts"
import * as SessionFile from "./SessionFile.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type UserCommand = "stop" | "start" | "status"

const typed = /^\/(?:reflexion:)?(?:reflection|reflexion)(?=\s|$)\s*([a-z]*)/i
const bare = /^(?:reflection|reflexion)(?:[ \t]+(stop|start|status))?[ \t]*[.!]?$/i

const isCommand = (word: string): word is UserCommand => word === "stop" || word === "start" || word === "status"

/**
 * What was typed: `/reflection stop`, `start` or `status`; the last is meant without a word, too. Nobody but us answers
 * to the slash, so whatever follows the first word changes nothing, and another word is `unknown`. Where the host's
 * `command` has no slash, it may be left out, but of such a prompt nothing else may be said: it is the model's then.
 *
 * @since 0.1.0
 * @category decoding
 */
export const parse = (prompt: string, { command }: Pick<Hook<never>, "command">): UserCommand | "unknown" | null => {
  const text = prompt.trim()
  const found = typed.exec(text) ?? (command.startsWith("/") || text.length > 100 ? null : bare.exec(text))
  if (found === null) return null
  const isAlone = found[0].length === text.length
  const word = (found[1] ?? "").toLowerCase()
  if (word === "") return isAlone ? "status" : "unknown"
  return isCommand(word) ? word : "unknown"
}

const usage = ({ command }: Pick<Hook<never>, "command">): string =>
  `reflexion knows \`${command} stop\`, \`${command} start\` and \`${command} status\`.`

const verbs = { stop: "turned off in this session", start: "turned on in this session", status: "asked" } as const

const failed = (command: UserCommand, cause: unknown): string =>
  `reflexion could not be ${verbs[command]}: ${Hooks.messageOf(cause)}`

/** The word is kept before anything else, for it must hold whatever a review that is under way will save. */
const obey = <S>(hook: Hook<S>, event: HookEvent, command: "stop" | "start", since: number): void => {
  const key = Hooks.keyOf(hook, event)
  if (command === "stop") SessionFile.setStopped(key, true)
  const change = (session: SessionFile.Session<S>): SessionFile.Session<S> => {
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

const standing = <S>(hook: Hook<S>, event: HookEvent): string => {
  const { config, problem } = Hooks.settingsOf(hook, ProjectRoot.of(event.cwd ?? "/"))
  const { attempts, enabled } = SessionFile.load<S>(Hooks.keyOf(hook, event)).session.review
  if (enabled && problem !== null) return Notice.problem(problem)
  if (enabled && config.profile === "advisory") {
    return `reflexion is on in this session and only tells you: the profile is advisory. \`${hook.command} stop\` turns it off.`
  }
  const { maxAttempts } = config
  return Notice.render({
    notice: enabled ? "on" : "off",
    verdict: null,
    attempts,
    maxAttempts,
    command: hook.command
  })
}

/** A command that fails is answered, too: the model has nothing to say to it. */
const perform = <S>(hook: Hook<S>, event: HookEvent, command: UserCommand, since: number): string => {
  try {
    if (command !== "status") obey(hook, event, command, since)
    return standing(hook, event)
  } catch (cause) {
    Hooks.log(hook, event, { decision: "failure", reason: failed(command, cause) }, since)
    return failed(command, cause)
  }
}

/**
 * Answers a prompt that is a command; every other prompt is the model's.
 *
 * @since 0.1.0
 * @category handlers
 */
export const run = <S>(hook: Hook<S>, event: HookEvent): HookAnswer => {
  const command = event.subagent || event.prompt === null ? null : parse(event.prompt, hook)
  if (command === null) return nothing
  return { _tag: "reply", text: command === "unknown" ? usage(hook) : perform(hook, event, command, hook.now()) }
}
