/** Finds out how a question to a host's own model is paid: by the login, by a key, or through another service. */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import * as Json from "../../base/json/Json.ts"
import * as JsonScan from "../../base/json/JsonScan.ts"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import type { Env } from "./Host.ts"

export interface Payment {
  /** If one of these variables is set, the login does not pay. The text says why. */
  readonly variables: Variables
  /** Null if the login pays. Throws if a file cannot be read or understood. */
  readonly byFiles: (env: Env) => string | null
}

export type Variables = ReadonlyArray<readonly [name: string, why: (name: string) => string]>

export const byKey = (name: string): string => `${name} is set, so each question is charged by the token`

export const elsewhere = (name: string): string =>
  `${name} is set, so a question goes to a service other than the login's`

export const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

export const byVariables = (variables: Variables, env: Json.Json): string | null => {
  const found = variables.find(([name]) => isSet(env[name]))
  return found === undefined ? null : found[1](found[0])
}

export const folderOf = (env: Env, variable: string, name: string): string => env[variable] || join(homeOf(env), name)

export const homeOf = (env: Env): string =>
  [env["HOME"], env["USERPROFILE"]].find((path) => path !== undefined && isAbsolute(path)) ?? homedir()

/** Returns the text of a file. The file may be a link that the user made. Null if the file does not exist. */
export const textOf = (file: string): string | null => PlainFiles.read(file, { follow: true })

export const objectIn = (file: string): Json.Json | null => {
  const text = textOf(file)
  if (text === null) return null
  // Some editors start a file with a byte order mark, which is not JSON.
  const value = JsonScan.parse(text.replace(/^\uFEFF/u, ""))
  if (!Json.isObject(value)) throw new Error(`${file} is not a plain JSON object`)
  return value
}
