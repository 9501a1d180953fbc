/**
 * The commands that a user types to reflexion in the middle of a session, answered without asking the model.
 *
 * @since 0.1.0
 */
import * as Notice from "@reflexion/core/Notice"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as ReviewState from "@reflexion/core/ReviewState"
import type { Hook } from "./Hook.ts"
import * as Hooks from "./Hook.ts"
import { type HookAnswer, type HookEvent, nothing } from "./HookEvent.ts"
import * as ProjectRoot from "./internal/projectRoot.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type UserCommand = "stop" | "start" | "status"

const typed = /^\/(?:reflexion:)?(?:reflection|reflexion)(?:[ \t]+([a-z]{1,12}))?$/i
const bare = /^reflection[ \t]+(stop|start|status)$/i

const isCommand = (word: string): word is UserCommand => word === "stop" || word === "start" || word === "status"

/**
 * What was typed: `/reflection stop`, `start` or `status`; the last is meant without a word, too. `unknown` for another
 * word, null for what is no command of ours. With `bareCommands` the slash may be left out.
 *
 * @since 0.1.0
 * @category decoding
 */
export const parse = (prompt: string, options: { readonly bareCommands: boolean }): UserCommand | "unknown" | null => {
  if (prompt.length > 100) return null
  const found = typed.exec(prompt.trim()) ?? (options.bareCommands ? bare.exec(prompt.trim()) : null)
  if (found === null) return null
  const word = (found[1] ?? "status").toLowerCase()
  return isCommand(word) ? word : "unknown"
}

const usage = "reflexion knows `/reflection stop`, `/reflection start` and `/reflection status`."

const perform = <S>(hook: Hook<S>, event: HookEvent, command: UserCommand, since: number): HookAnswer => {
  const { config, problem } = Hooks.settingsOf(hook, ProjectRoot.of(event.cwd ?? "/"))
  const options = { ...ReviewState.defaultOptions, maxAttempts: config.maxAttempts }
  const { review } = Hooks.update(hook, event, (session) => {
    const [next, actions] = ReviewState.decide(session.review, { _tag: "Command", command, at: since }, options)
    for (const record of Hooks.records(actions)) Hooks.log(hook, event, record, since)
    return command === "status" ? session : { ...session, review: next }
  })
  return { _tag: "reply", text: standing(review, config, problem) }
}

const advisory =
  "reflexion is on in this session and only tells you: the profile is advisory. `/reflection stop` turns it off."

const standing = (
  { attempts, enabled }: ReviewState.ReviewState,
  { maxAttempts, profile }: ReflexionConfig,
  problem: string | null
): string => {
  if (enabled && problem !== null) return Notice.problem(problem)
  if (enabled && profile === "advisory") return advisory
  return Notice.render({ notice: enabled ? "on" : "off", verdict: null, attempts, maxAttempts })
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
  return command === "unknown" ? { _tag: "reply", text: usage } : perform(hook, event, command, hook.now())
}
