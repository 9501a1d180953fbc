/**
 * Finds out how a question to a host's own model is paid. Either the user's login pays, or a key is charged by the
 * token, or another service is used. Only files of this user are read.
 */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import * as Option from "effect/Option"
import * as Json from "../../base/json/Json.ts"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import type { Env } from "./Host.ts"

/** How a host pays for a question to its model. */
export interface Payment {
  /** If one of these variables is set, the login does not pay. The text says why. */
  readonly variables: Variables
  /**
   * Returns why the login does not pay according to the user's files. Null if the login pays. Throws if a file cannot
   * be read or understood.
   */
  readonly byFiles: (env: Env) => string | null
}

export type Variables = ReadonlyArray<readonly [name: string, why: (name: string) => string]>

export const byKey = (name: string): string => `${name} is set, so each question is charged by the token`

export const elsewhere = (name: string): string =>
  `${name} is set, so a question goes to a service other than the login's`

export const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** Returns why the login does not pay, according to the environment variables. Null if no such variable is set. */
export const byVariables = (variables: Variables, env: Json.Json): string | null => {
  const found = variables.find(([name]) => isSet(env[name]))
  return found === undefined ? null : found[1](found[0])
}

/** Returns the folder that a variable names. Without the variable, returns a folder in the user's home directory. */
export const folderOf = (env: Env, variable: string, name: string): string => env[variable] || join(homeOf(env), name)

export const homeOf = (env: Env): string =>
  [env["HOME"], env["USERPROFILE"]].find((path) => path !== undefined && isAbsolute(path)) ?? homedir()

/** Returns the text of a file, which may be a link of the user. Null if the file does not exist. */
export const textOf = (file: string): string | null => PlainFiles.read(file, { follow: true })

const parsed = Option.liftThrowable((text: string): unknown => JSON.parse(text))

export const objectIn = (file: string): Json.Json | null => {
  const text = textOf(file)
  if (text === null) return null
  // Some editors start a file with a byte order mark, which is not JSON.
  const value = parsed(text.replace(/^\uFEFF/u, ""))
  if (Option.isNone(value) || !Json.isObject(value.value)) throw new Error(`${file} is not a plain JSON object`)
  return value.value
}
