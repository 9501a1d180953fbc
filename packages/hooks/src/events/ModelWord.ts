/** Answers the user's command `model`: is a model asked at the session's stops, and why? Loaded only if needed. */
import * as AskLines from "@reflexion/core/internal/model/calls/AskLines"
import * as AskedLine from "@reflexion/core/internal/review/tiers/AskedLine"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import * as Path from "node:path"
import * as OwnModels from "../config/OwnModels.ts"
import * as AskFiles from "@reflexion/core/internal/model/calls/AskFiles"
import * as Billing from "../models/Billing.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import * as UserDirectories from "../places/UserDirectories.ts"
import type { HookEvent } from "../input/HookEvent.ts"
import * as Hooks from "../session/Hook.ts"
import * as SessionFile from "../session/SessionFile.ts"

const at = "when the agent stops work, about two times in three"

const fileOf = ({ directories }: Known): string => Path.join(directories.config, "config.json")

const withOwn = (known: Known): string => {
  const { command, directories, env, host, said } = known
  const own = OwnModels.nameOf(host)
  if (said !== "on" && !OwnModels.agreed(directories, host))
    return `reflexion asks no model, because nobody agreed to it. \`${command} model on\` lets it ask ${own} in this session, with your own login; \`reflexion install ${host}\` can allow that for all sessions.`
  const paid = Billing.of(host, env)
  return paid === Billing.login
    ? `reflexion asks ${own} ${at}, with your own login. \`${command} model off\` turns that off in this session.`
    : `reflexion asks no model: ${paid}. To ask the model anyway, name it in ${fileOf(known)}: \`"model": "${own}"\`.`
}

const standing = (known: Known): string => {
  const { command, configured, forbidden, said } = known
  if (said === "off")
    return `reflexion asks no model in this session: you turned it off. \`${command} model on\` turns it on.`
  if (configured !== "off") {
    const who =
      configured === "auto"
        ? "a model that it chooses, by your configuration,"
        : `${configured}, by your configuration,`
    return `reflexion asks ${who} ${at}. \`${command} model off\` turns that off in this session.`
  }
  return forbidden
    ? `reflexion asks no model here: \`"model": "off"\` in ${fileOf(known)}, in a project that you trust or in the environment overrides what you say in a session.`
    : withOwn(known)
}

const counted = ({ command, directories, now, sessionId }: Known): string => {
  const lines = AskFiles.read(UserDirectories.modelsFolder(directories), now)
  const off = AskLines.isOff(lines, sessionId)
    ? ` Three questions in a row had no answer, so no model is asked in this session any more; \`${command} model on\` asks again.`
    : ""
  return `${off} ${AskedLine.today(AskLines.summary(AskLines.today(lines, now)))}`
}

/** `configured` is "off" if no source names a model. `forbidden` is true if a source explicitly says "off". */
const knownOf = <S>(hook: Hooks.Hook<S>, { cwd, sessionId }: HookEvent) => {
  const root = ProjectRoot.of(cwd ?? "/")
  const { config, problem } = Hooks.settingsOf(hook, root)
  const forbidden = Hooks.settingsOf(hook, root, OwnModels.nameOf(hook.host)).config.model === "off"
  const { command, directories, env, host } = hook
  return { command, directories, env, host, sessionId, configured: config.model, forbidden, problem }
}

interface Known extends ReturnType<typeof knownOf> {
  readonly said: "on" | "off" | null
  readonly now: number
}

/** "off" always wins. "on" counts as consent in this session. */
export const run = <S>(hook: Hooks.Hook<S>, event: HookEvent, word: "on" | "off" | null): string => {
  const key = Hooks.keyOf(hook, event)
  const now = hook.now()
  const keep = (): void => {
    SessionFile.say(key, "model", word)
    const reason = `the user turned ${word} the model's questions in this session`
    Hooks.log(hook, event, { decision: "none", reason })
  }
  // Saves "off" first, because files that are read later may be damaged.
  if (word === "off") keep()
  const known: Known = { ...knownOf(hook, event), said: word ?? SessionFile.modelWordOf(key), now }
  const { configured, directories, env, forbidden, host, problem, sessionId } = known
  if (problem !== null) return Notice.problem(problem)
  if (word === "on" && (configured !== "off" || (!forbidden && Billing.isLogin(host, env)))) {
    keep()
    // With this line, earlier unanswered questions no longer count.
    const line = AskLines.printAgain({ at: new Date(now).toISOString(), host, session: sessionId })
    AskFiles.append(UserDirectories.modelsFolder(directories), AskLines.fileOf(now), line, now)
  }
  return `${standing(known)}${counted(known)}`
}
