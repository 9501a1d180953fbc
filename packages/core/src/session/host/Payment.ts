/**
 * How a question to a host's own model would be paid: by the user's login there, or else by a key that is charged by the
 * token, or to somebody else's service. Files of the user alone are read.
 */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import * as Json from "../../base/json/Json.ts"
import * as PlainFiles from "../../base/system/PlainFiles.ts"
import type { Env } from "./Host.ts"

/**
 * `variables`: where one of them is set the login does not pay, and so it is in words. `byFiles`: why it does not by the user's
 * files, null where it does; throws for what cannot be read or understood.
 */
export interface Payment {
  readonly variables: Variables
  readonly byFiles: (env: Env) => string | null
}

export type Variables = ReadonlyArray<readonly [name: string, why: (name: string) => string]>

export const byKey = (name: string): string => `${name} is set, so that a question is charged by the token`

export const elsewhere = (name: string): string =>
  `${name} is set, so that a question goes to another service than the login's`

export const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** Why the login does not pay by the variables that are set, null where none is. */
export const byVariables = (variables: Variables, env: Json.Json): string | null => {
  const found = variables.find(([name]) => isSet(env[name]))
  return found === undefined ? null : found[1](found[0])
}

/** The folder that a variable names, else one in the user's home. */
export const folderOf = (env: Env, variable: string, name: string): string => env[variable] || join(homeOf(env), name)

export const homeOf = (env: Env): string =>
  [env["HOME"], env["USERPROFILE"]].find((path) => path !== undefined && isAbsolute(path)) ?? homedir()

/** Of a file that the user may have linked from elsewhere; null where there is none. */
export const textOf = (file: string): string | null => PlainFiles.read(file, { follow: true })

export const objectIn = (file: string): Json.Json | null => {
  const text = textOf(file)
  if (text === null) return null
  // Some editors begin a file with the mark of its encoding, which is no JSON.
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/u, ""))
  if (!Json.isObject(value)) throw new Error(`${file} is no object`)
  return value
}
