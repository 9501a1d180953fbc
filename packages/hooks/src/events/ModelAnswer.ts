/** What is said of the model that is asked at the stops of a session, or is not. Loaded only where somebody wants to know. */
import * as AskLines from "@reflexion/core/internal/model/calls/AskLines"
import * as AskedLine from "@reflexion/core/internal/review/tiers/AskedLine"
import * as Path from "node:path"
import * as OwnModels from "../config/OwnModels.ts"
import * as AskFiles from "@reflexion/core/internal/model/calls/AskFiles"
import * as Billing from "../models/Billing.ts"
import * as UserDirectories from "../places/UserDirectories.ts"
import type { Hook } from "../session/Hook.ts"

/** `configured` is "off" where no source names a model, and `forbidden` where one says so. */
export interface Known extends Pick<Hook<never>, "command" | "directories" | "env" | "host" | "now"> {
  readonly sessionId: string
  readonly said: "on" | "off" | null
  readonly configured: string
  readonly forbidden: boolean
}

const at = "at stops of work, about two in three"

const fileOf = ({ directories }: Known): string => Path.join(directories.config, "config.json")

const withOwn = (known: Known): string => {
  const { command, directories, env, host, said } = known
  const own = OwnModels.nameOf(host)
  if (said !== "on" && !OwnModels.agreed(directories, host))
    return `reflexion asks no model, for nobody agreed to it. \`${command} model on\` has ${own} asked in this session, by your login there; \`reflexion install ${host}\` asks whether to do so always.`
  const paid = Billing.of(host, env)
  return paid === Billing.login
    ? `reflexion asks ${own} ${at}, by your login there. \`${command} model off\` turns that off in this session.`
    : `reflexion asks no model: ${paid}. To have it asked all the same, name it in ${fileOf(known)}: \`"model": "${own}"\`.`
}

const standing = (known: Known): string => {
  const { command, configured, forbidden, said } = known
  if (said === "off")
    return `reflexion asks no model in this session: you turned it off. \`${command} model on\` turns it on.`
  if (configured !== "off") {
    const who =
      configured === "auto" ? "the model that your configuration leaves to it" : `${configured}, by your configuration,`
    return `reflexion asks ${who} ${at}. \`${command} model off\` turns that off in this session.`
  }
  return forbidden
    ? `reflexion asks no model: ${fileOf(known)}, a project that you trust or the environment says \`"model": "off"\`, and that holds before what is said here.`
    : withOwn(known)
}

/** What was asked today, and whether that is all of it. */
const counted = ({ command, directories, now, sessionId }: Known): string => {
  const time = now()
  const lines = AskFiles.read(UserDirectories.modelsFolder(directories), time)
  const off = AskLines.isOff(lines, sessionId)
    ? ` Three questions in a row had no answer, so none is asked in this session any more; \`${command} model on\` asks again.`
    : ""
  return `${off} ${AskedLine.today(AskLines.summary(AskLines.today(lines, time)))}`
}

export const mayTurnOn = ({ configured, env, forbidden, host }: Known): boolean =>
  configured !== "off" || (!forbidden && Billing.isLogin(host, env))

/** How it stands, and what was asked today. Throws where what was asked cannot be read. */
export const answer = (known: Known): string => `${standing(known)}${counted(known)}`
