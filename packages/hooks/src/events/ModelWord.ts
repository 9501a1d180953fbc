/**
 * `/reflection model`, `model on` and `model off`: whether a model is asked at the stops of a session. The user's word to turn
 * it off wins over everything; to turn it on takes the place of their consent, for this session.
 */
import * as AskLines from "@reflexion/core/internal/ask/models/AskLines"
import * as AskedLine from "@reflexion/core/internal/ask/tiers/AskedLine"
import * as Notice from "@reflexion/core/internal/turn/records/Notice"
import * as Path from "node:path"
import * as OwnModels from "../config/OwnModels.ts"
import type { HookEvent } from "../input/HookEvent.ts"
import * as AskFiles from "../models/AskFiles.ts"
import * as Billing from "../models/Billing.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import type { Hook } from "../session/Hook.ts"
import * as Hooks from "../session/Hook.ts"
import * as SessionFile from "../session/SessionFile.ts"

/** What there is to know. `configured` is "off" where no source names a model, or one says so. */
interface Known {
  readonly host: string
  readonly own: string
  readonly said: "on" | "off" | null
  readonly configured: string
  readonly forbidden: boolean
  readonly agreed: boolean
  readonly billing: string
  readonly command: string
  readonly config: string
}

const at = "at stops that evidence leaves open"

const named = ({ config, own }: Known): string =>
  `To have it asked all the same, name it in ${config}: \`"model": "${own}"\`.`

const refusal = (known: Known): string => `reflexion asks no model: ${known.billing}. ${named(known)}`

const withOwn = (known: Known): string => {
  const { agreed, billing, command, host, own, said } = known
  if (!agreed && said !== "on")
    return `reflexion asks no model, for nobody agreed to it. \`${command} model on\` has ${own} asked in this session, by your login there; \`reflexion install ${host}\` asks whether to do so always.`
  if (billing !== Billing.login) return refusal(known)
  return `reflexion asks ${own} ${at}, by your login there. \`${command} model off\` turns that off in this session.`
}

const standing = (known: Known): string => {
  const { command, config, configured, forbidden, said } = known
  if (said === "off")
    return `reflexion asks no model in this session: you turned it off. \`${command} model on\` turns it on.`
  if (configured !== "off") {
    const who =
      configured === "auto" ? "the model that your configuration leaves to it" : `${configured}, by your configuration,`
    return `reflexion asks ${who} ${at}. \`${command} model off\` turns that off in this session.`
  }
  return forbidden
    ? `reflexion asks no model: ${config} or the environment says \`"model": "off"\`, and that holds before what is said here.`
    : withOwn(known)
}

const knownOf = <S>(hook: Hook<S>, event: HookEvent): Known | { readonly problem: string } => {
  const root = ProjectRoot.of(event.cwd ?? "/")
  const own = OwnModels.nameOf(hook.host)
  const { config, problem } = Hooks.settingsOf(hook, root)
  if (problem !== null) return { problem }
  return {
    host: hook.host,
    own,
    said: SessionFile.modelWordOf(Hooks.keyOf(hook, event)),
    configured: config.model,
    forbidden: Hooks.settingsOf(hook, root, own).config.model === "off",
    agreed: OwnModels.agreed(hook.directories, hook.host),
    billing: Billing.of(hook.host, hook.env),
    command: hook.command,
    config: Path.join(hook.directories.config, "config.json")
  }
}

/** What was asked today, and whether that is all of it. */
const counted = <S>(hook: Hook<S>, { sessionId }: HookEvent): string => {
  const now = hook.now()
  const lines = AskFiles.read(hook.directories, now)
  const off = AskLines.isOff(lines, sessionId)
    ? " Three questions in a row had no answer, so none is asked in this session any more."
    : ""
  return `${off} ${AskedLine.today(AskLines.summary(AskLines.today(lines, now)))}`
}

const keep = <S>(hook: Hook<S>, event: HookEvent, word: "on" | "off"): void => {
  SessionFile.setModelWord(Hooks.keyOf(hook, event), word)
  const reason = `the user turned the questions to a model ${word} in this session`
  Hooks.log(hook, event, { decision: "none", reason }, hook.now())
}

/** Turned on only where there is one to ask. */
const mayTurnOn = ({ billing, configured, forbidden }: Known): boolean =>
  configured !== "off" || (!forbidden && billing === Billing.login)

/**
 * Does what was typed, and says how it stands. Throws what the file system throws.
 *
 * @category handlers
 */
export const run = <S>(hook: Hook<S>, event: HookEvent, word: "on" | "off" | null): string => {
  // Kept before anything is read that might be broken.
  if (word === "off") keep(hook, event, word)
  const known = knownOf(hook, event)
  if ("problem" in known) return Notice.problem(known.problem)
  if (word === "on" && mayTurnOn(known)) keep(hook, event, word)
  return `${standing({ ...known, said: word ?? known.said })}${counted(hook, event)}`
}
