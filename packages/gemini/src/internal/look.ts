/** Checks whether Gemini CLI runs hooks. It runs none in an untrusted folder or if they are turned off. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonText from "@reflexion/core/internal/base/json/JsonText"
import type { DoctorFacts, Look, LookFinding } from "@reflexion/core/internal/session/host/Host"
import * as Payment from "@reflexion/core/internal/session/host/Payment"
import * as Option from "effect/Option"
import { realpathSync } from "node:fs"
import { dirname, isAbsolute, join, relative } from "node:path"

const textOf = Option.liftThrowable((file: string) => Payment.textOf(file) ?? "{}")

const read = (file: string): Json.Json =>
  Json.object(Option.getOrNull(Option.map(textOf(file), JsonText.parseWithComments)))

const real = Option.liftThrowable((path: string) => realpathSync(path))

const realOf = (path: string): string => Option.getOrElse(real(path), () => path)

const holds = (folder: string, path: string): boolean => {
  const rest = relative(realOf(folder), realOf(path))
  return !isAbsolute(rest) && rest.split(/[/\\]/)[0] !== ".."
}

/** Of several rules, the one with the longest path counts, as in version 0.61.0. Null if the user has not decided. */
export const ruleFor = (rules: Json.Json, cwd: string): unknown => {
  const held = Object.keys(rules).filter((path) => holds(rules[path] === "TRUST_PARENT" ? dirname(path) : path, cwd))
  const [first] = held.toSorted((left, right) => right.length - left.length)
  return first === undefined ? null : rules[first]
}

const trust = ({ where: { cwd, env }, shown }: DoctorFacts, folder: string): ReadonlyArray<LookFinding> => {
  const file = env["GEMINI_CLI_TRUSTED_FOLDERS_PATH"] || join(folder, "trustedFolders.json")
  const rule = ruleFor(read(file), cwd)
  const refused = `${shown(file)} says ${shown(cwd)} is untrusted, so no hook runs here: /permissions in Gemini CLI changes it`
  const open = `${shown(cwd)} is not trusted yet: Gemini CLI asks at its next start there, and runs no hook without trust`
  if (rule === "DO_NOT_TRUST") return [{ level: "needed", term: "trust", text: refused }]
  return rule === null
    ? [{ level: "plain", term: "trust", text: open }]
    : [{ level: "good", term: "trust", text: `you trust ${shown(cwd)}` }]
}

/** `folder` is the user's folder `.gemini`. */
export const look = (looked: DoctorFacts, folder: string): Look => {
  const settings = read(join(folder, "settings.json"))
  const isOff = Json.object(settings["hooksConfig"])["enabled"] === false
  const isTrusting = Json.object(Json.object(settings["security"])["folderTrust"])["enabled"] === false
  const text = `${looked.shown(join(folder, "settings.json"))} says "hooksConfig": { "enabled": false }`
  return {
    itself: [],
    more: [
      ...(isOff ? [{ level: "needed", term: "turned off", text } as const] : []),
      ...(isTrusting ? [] : trust(looked, folder))
    ]
  }
}
