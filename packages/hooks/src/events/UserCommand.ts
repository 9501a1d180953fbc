/** The user's commands to reflexion in a prompt. reflexion answers each command without the agent's model. */
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import { withMore } from "@reflexion/core/internal/session/config/DoneWhenGates"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as Hooks from "../session/Hook.ts"
import type { PendingAnswer, HookAnswer, HookEvent } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as Consulting from "../stop/Consulting.ts"
import * as ModelWord from "./ModelWord.ts"
import * as SessionFile from "../session/SessionFile.ts"
import * as WrongNudge from "./WrongNudge.ts"

const verbs = ["stop", "start", "status", "away", "here", "wrong", "checks", "done-when", "model"] as const

const pairs = ["model-on", "model-off", "checks-run", "checks-on", "checks-off"] as const

export type Command = (typeof verbs)[number] | (typeof pairs)[number]

const typed = /^\/(?:reflexion:)?(?:reflection|reflexion)(?=\s|$)\s*([a-z]*(?:-when)?)(.*)$/is

/** A prompt without a slash is a command only if it has no other text. After `done-when`, any text may follow. */
const bare =
  /^(?:reflection|reflexion)(?:[ \t]+(?:stop|start|status|away|here|wrong|checks(?:[ \t]+(?:run|on|off))?|model(?:[ \t]+(?:on|off))?))?[ \t]*[.!]?$/i
const bareConditions = /^(?:reflection|reflexion)[ \t]+done-when(?=\s|$)/i

const withSecond = (first: "model" | "checks", rest: string): Command | "unknown" => {
  const word = /^[ \t:]*([a-z]*)/i.exec(rest)?.[1]?.toLowerCase() ?? ""
  return pairs.find((pair) => pair === `${first}-${word}`) ?? (rest.trim() === "" ? first : "unknown")
}

/** A slash with an unknown word gives "unknown". A longer prompt without a slash gives null, and goes to the model. */
export const parse = (prompt: string, { command }: Pick<Hooks.Hook<never>, "command">): Command | "unknown" | null => {
  const text = prompt.trim()
  const isBare = !command.startsWith("/") && (bareConditions.test(text) || (text.length <= 100 && bare.test(text)))
  const found = typed.exec(isBare ? `/${text.replace(/[.!]$/, "")}` : text)
  if (found === null) return null
  const [, given = "", rest = ""] = found
  const word = given.toLowerCase()
  if (word === "") return rest === "" ? "status" : "unknown"
  return word === "model" || word === "checks"
    ? withSecond(word, rest)
    : (verbs.find((one) => one === word) ?? "unknown")
}

export const conditions = (prompt: string): string => prompt.trim().replace(/^.{0,40}?\bdone-when\b[ \t:]*/is, "")

const usage = ({ command }: Pick<Hooks.Hook<never>, "command">): string =>
  `reflexion knows \`${command} stop\`, \`${command} start\`, \`${command} status\`, \`${command} away\`, \`${command} here\`, \`${command} wrong\`, \`${command} checks run|on|off\`, \`${command} model on|off\` and \`${command} done-when CONDITIONS\`.`

/** The command has its own file, so that a running review cannot overwrite it. */
const say = <S>(
  hook: Hooks.Hook<S>,
  event: HookEvent,
  word: SessionFile.Word,
  text: string | null,
  reason: string
): void => {
  SessionFile.say(Hooks.keyOf(hook, event), word, text)
  Hooks.log(hook, event, { decision: "none", reason })
}

const rootOf = ({ cwd }: HookEvent): string => ProjectRoot.of(cwd ?? "/")

const obey = <S>(hook: Hooks.Hook<S>, event: HookEvent, command: "stop" | "start"): void => {
  const key = Hooks.keyOf(hook, event)
  const at = hook.now()
  const update = () =>
    void Hooks.update(hook, event, (session) => {
      const said = { _tag: "Command", command, at } as const
      const [review] = ReviewState.decide(session.review, said, ReviewState.defaultOptions)
      return { ...session, review }
    })
  if (command === "stop") {
    SessionFile.say(key, "stopped", "")
    Hooks.orLogged(hook, event, {}, update, undefined)
  } else {
    update()
    SessionFile.say(key, "stopped", null)
  }
  Hooks.log(hook, event, { decision: command, reason: "by the user" }, at)
}

const present = <S>(hook: Hooks.Hook<S>, event: HookEvent, word: "here" | "away"): string => {
  const isHere = word === "here"
  say(hook, event, "attended", word, `the user says that ${isHere ? "they are there" : "nobody is there"}`)
  const { config } = Hooks.settingsOf(hook, rootOf(event))
  return Answers.presence(isHere, { command: hook.command, setting: config.attended })
}

const marked = <S>({ directories, host, now }: Hooks.Hook<S>, event: HookEvent): string => {
  const { name, sessionId } = event
  return WrongNudge.mark({ directories, host, sessionId, root: rootOf(event), event: name, now: now() }).text
}

/** Replaces the earlier conditions only if the text can be understood. */
const conditioned = <S>(hook: Hooks.Hook<S>, event: HookEvent): string => {
  const text = conditions(event.prompt ?? "").slice(0, Answers.maxConditions)
  const said = DoneWhen.conditions(text)
  if (text === "") say(hook, event, "donewhen", null, "the user removed the conditions for the task")
  else if (said.length > 0)
    say(hook, event, "donewhen", JSON.stringify(said), "the user set the conditions for the task")
  return Answers.conditions(text, hook)
}

const checksOf = <S>(hook: Hooks.Hook<S>, event: HookEvent): string => {
  const { config, problem } = Hooks.settingsOf(hook, rootOf(event))
  const key = Hooks.keyOf(hook, event)
  if (problem !== null) return Notice.problem(problem)
  const isOff = SessionFile.isUnchecked(key)
  return Answers.checks(withMore(config, SessionFile.doneWhenOf(key)), { command: hook.command, isOff })
}

const standing = <S>(hook: Hooks.Hook<S>, event: HookEvent): string => {
  const { config, problem } = Hooks.settingsOf(hook, rootOf(event))
  const { review } = SessionFile.load(Hooks.keyOf(hook, event)).session
  return Answers.standing(review, { config, problem, command: hook.command, tellsOnly: hook.tellsOnly })
}

const perform = <S>(hook: Hooks.Hook<S>, event: HookEvent, command: Command): string | Promise<string> => {
  switch (command) {
    case "stop":
    case "start":
      obey(hook, event, command)
      return standing(hook, event)
    case "status":
      return standing(hook, event)
    case "away":
    case "here":
      return present(hook, event, command)
    case "done-when":
      return conditioned(hook, event)
    case "wrong":
      return marked(hook, event)
    case "checks":
      return checksOf(hook, event)
    case "checks-run":
      return Consulting.verify(hook, event)
    case "checks-on":
    case "checks-off":
      say(
        hook,
        event,
        "nochecks",
        command === "checks-off" ? "" : null,
        `the user turned the ${command.replace("-", " ")}`
      )
      return checksOf(hook, event)
    case "model":
      return ModelWord.run(hook, event, null)
    case "model-on":
      return ModelWord.run(hook, event, "on")
    case "model-off":
      return ModelWord.run(hook, event, "off")
  }
}

const replied = (text: string): HookAnswer => ({ _tag: "reply", text })

/** A failed command also gets an answer, because the agent's model could not help with it. */
export const run = <S>(hook: Hooks.Hook<S>, event: HookEvent, command: Command | "unknown"): PendingAnswer => {
  if (command === "unknown") {
    const isOfChecks = typed.exec(event.prompt?.trim() ?? "")?.[1]?.toLowerCase() === "checks"
    return replied(isOfChecks ? Answers.checksWords(hook) : usage(hook))
  }
  try {
    const said = perform(hook, event, command)
    return typeof said === "string" ? replied(said) : said.then(replied)
  } catch (cause) {
    const reason = `reflexion could not do what \`${command.replace(/-(?!when)/, " ")}\` asks for: ${Hooks.messageOf(cause)}`
    Hooks.log(hook, event, { decision: "failure", reason })
    return replied(reason)
  }
}
