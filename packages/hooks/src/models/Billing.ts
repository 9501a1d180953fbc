/**
 * How a question to a host's own model would be paid: by the user's login there, or else by a key that is charged by the
 * token, or to somebody else's service. Files of the user alone are read; what cannot be read or understood is no login.
 */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as UserDirectories from "../places/UserDirectories.ts"

type Env = Readonly<Record<string, string | undefined>>

/** What is said where the user's login pays. */
export const login = "login"

const byKey = (name: string): string => `${name} is set, so that a question is charged by the token`

const elsewhere = (name: string): string =>
  `${name} is set, so that a question goes to another service than the login's`

/** By what Claude Code asks where they are set. */
const claudeNames: ReadonlyArray<readonly [name: string, why: (name: string) => string]> = [
  ["ANTHROPIC_API_KEY", byKey],
  ["ANTHROPIC_AUTH_TOKEN", byKey],
  ["ANTHROPIC_BASE_URL", elsewhere],
  ["CLAUDE_CODE_USE_BEDROCK", elsewhere],
  ["CLAUDE_CODE_USE_VERTEX", elsewhere],
  ["CLAUDE_CODE_USE_FOUNDRY", elsewhere],
  ["CLAUDE_CODE_USE_MANTLE", elsewhere],
  ["CLAUDE_CODE_USE_GATEWAY", elsewhere],
  ["CLAUDE_CODE_USE_ANTHROPIC_AWS", elsewhere],
  ["CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD", elsewhere]
]

const codexNames: typeof claudeNames = [
  ["OPENAI_API_KEY", byKey],
  ["CODEX_API_KEY", byKey],
  ["OPENAI_BASE_URL", elsewhere]
]

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

const named = (names: typeof claudeNames, env: Json.Json): string | null => {
  const found = names.find(([name]) => isSet(env[name]))
  return found === undefined ? null : found[1](found[0])
}

const homeOf = (env: Env): string => UserDirectories.homes(env)[0] ?? ""

/** The folder that a variable names, else one in the user's home. */
const folderOf = (env: Env, variable: string, name: string): string => env[variable] || Path.join(homeOf(env), name)

/** A file that the user may have linked from elsewhere. Null where there is none. */
const read = (file: string): string | null => PlainFiles.read(file, { follow: true })

const objectIn = (file: string): Json.Json | null => {
  const text = read(file)
  if (text === null) return null
  const value: unknown = JSON.parse(text)
  if (!Json.isObject(value)) throw new Error(`${file} is no object`)
  return value
}

const settingsReason = (file: string): string | null => {
  const settings = objectIn(file)
  if (settings === null) return null
  if (isSet(settings["apiKeyHelper"]))
    return `apiKeyHelper is set in ${file}, so that a question is charged by the token`
  if (isSet(settings["forceLoginMethod"]) && settings["forceLoginMethod"] !== "claudeai")
    return `forceLoginMethod in ${file} names no plan of claude.ai`
  const why = named(claudeNames, Json.object(settings["env"]))
  return why === null ? null : `${why} (env in ${file})`
}

/** Where an administrator's settings lie, which hold before the user's. */
const managed: Readonly<Record<string, string>> = {
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
  linux: "/etc/claude-code/managed-settings.json",
  win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json"
}

/** As a key of the file: in a text that it quotes, the quotation marks are escaped. */
const ownKey = /(?<!\\)"primaryApiKey"\s*:\s*"/

/** A login at the Console, not at claude.ai, leaves a key there. The file may have megabytes, so it is not parsed. */
const consoleReason = (env: Env): string | null => {
  const file = Path.join(env["CLAUDE_CONFIG_DIR"] || homeOf(env), ".claude.json")
  if (!FS.existsSync(file)) return null
  return ownKey.test(FS.readFileSync(file, "utf8"))
    ? `${file} has a key of the Console, by which a question is charged by the token`
    : null
}

const claudeCode = (env: Env): string | null => {
  const files = [Path.join(folderOf(env, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), managed[process.platform]]
  const reasons = files.flatMap((file) => (file === undefined ? [] : (settingsReason(file) ?? [])))
  return named(claudeNames, env) ?? reasons[0] ?? consoleReason(env) ?? (isPlan(env) ? null : unknownLogin)
}

const unknownLogin = "no login of a Claude plan was found, so that it is not known how a question is paid"

/** A login of claude.ai leaves its token in a file, on macOS in the keychain, where only the account tells of it. */
const isPlan = (env: Env): boolean => {
  if (isSet(env["CLAUDE_CODE_OAUTH_TOKEN"])) return true
  const credentials = objectIn(Path.join(folderOf(env, "CLAUDE_CONFIG_DIR", ".claude"), ".credentials.json"))
  if (credentials !== null) return Json.isObject(credentials["claudeAiOauth"])
  const file = Path.join(env["CLAUDE_CONFIG_DIR"] || homeOf(env), ".claude.json")
  return FS.existsSync(file) && /(?<!\\)"billingType"\s*:\s*"\w{0,30}subscription"/.test(FS.readFileSync(file, "utf8"))
}

const codexLogin = (file: string): string | null => {
  const auth = objectIn(file)
  if (auth === null) return `there is no ${file}, so that it is not known how Codex is logged in`
  const mode = Json.string(auth["auth_mode"]) ?? (isSet(auth["OPENAI_API_KEY"]) ? "apikey" : "chatgpt")
  return mode.startsWith("chatgpt") && Json.isObject(auth["tokens"])
    ? null
    : `${file} has a key and no login of ChatGPT, so that a question is charged by the token`
}

/** Told by their lines: a profile's count as well, and what only looks like one does no harm. */
const providerLine =
  /^[^#\n]*?["']?\b(model_provider|oss_provider|openai_base_url|chatgpt_base_url)["']?[ \t]*=[ \t]*(.*)$/gm

const apiLine = /^[ \t]*["']?(forced_login_method|preferred_auth_method)["']?[ \t]*=[ \t]*["'](api|apikey)["']/m

const codexConfig = (file: string): string | null => {
  const text = read(file) ?? ""
  const other = Array.from(text.matchAll(providerLine)).find(([, , value = ""]) => !/^["']openai["']/.test(value))
  if (other !== undefined) return `${other[1] ?? ""} in ${file} names another service than the login's`
  return apiLine.test(text) ? `${file} wants a key, so that a question is charged by the token` : null
}

const codex = (env: Env): string | null => {
  const folder = folderOf(env, "CODEX_HOME", ".codex")
  return (
    named(codexNames, env) ??
    codexConfig(Path.join(folder, "config.toml")) ??
    codexLogin(Path.join(folder, "auth.json"))
  )
}

/** OpenCode asks within the session, by what pays for that: the user agrees to this where they agree. */
const openCode = (): null => null

const hosts: Readonly<Record<string, (env: Env) => string | null>> = {
  "claude-code": claudeCode,
  codex,
  opencode: openCode
}

/** Whether the user's login there would pay. */
export const isLogin = (host: string, env: Env): boolean => of(host, env) === login

/** `login`, or in words why the login there would not pay. Never throws. */
export const of = (host: string, env: Env): string => {
  const reasonOf = Object.hasOwn(hosts, host) ? hosts[host] : undefined
  if (reasonOf === undefined) return `${host} has no login by which reflexion could ask`
  try {
    return reasonOf(env) ?? login
  } catch (cause) {
    return `it is not known how ${host} is paid: ${messageOf(cause)}`
  }
}

const against: ReadonlySet<string> = new Set([...claudeNames, ...codexNames].map(([name]) => name))

/** The same as far as the user's files tell: what a variable says against it holds for one shell alone. */
export const byFiles = (host: string, env: Env): string =>
  of(host, Object.fromEntries(Object.entries(env).filter(([name]) => !against.has(name))))
