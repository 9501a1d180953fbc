/**
 * `/reflection model`, `model on` and `model off`: whether a model is asked at the stops of a session. The user's word to turn
 * it off wins over everything; to turn it on takes the place of their consent, for this session, and is newer than the questions
 * there that nobody answered.
 */
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import * as AskFiles from "@reflexion/core/internal/model/calls/AskFiles"
import * as AskLines from "@reflexion/core/internal/model/calls/AskLines"
import * as UserDirectories from "../places/UserDirectories.ts"
import * as OwnModels from "../config/OwnModels.ts"
import type { HookEvent } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import * as SessionFile from "../session/SessionFile.ts"
import * as ModelAnswer from "./ModelAnswer.ts"

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

const keep = <S>(hook: Hook<S>, event: HookEvent, word: "on" | "off"): void => {
  SessionFile.setModelWord(Hooks.keyOf(hook, event), word)
  const reason = `the user turned the questions to a model ${word} in this session`
  Hooks.log(hook, event, { decision: "none", reason }, hook.now())
}

/** What was not answered before is over. */
const again = <S>({ directories, host, now }: Hook<S>, { sessionId }: HookEvent): void => {
  const time = now()
  const line = AskLines.printAgain({ at: new Date(time).toISOString(), host, session: sessionId })
  AskFiles.append(UserDirectories.modelsFolder(directories), AskLines.fileOf(time), line, time)
}

/** Does what was typed, and says how it stands. Throws what the file system throws. */
export const run = <S>(hook: Hook<S>, event: HookEvent, word: "on" | "off" | null): string => {
  // Kept before anything is read that might be broken.
  if (word === "off") keep(hook, event, word)
  const known = knownOf(hook, event)
  if ("problem" in known) return Notice.problem(known.problem)
  if (word === "on" && ModelAnswer.mayTurnOn(known)) {
    keep(hook, event, word)
    again(hook, event)
  }
  return ModelAnswer.answer({ ...known, said: word ?? known.said })
}
