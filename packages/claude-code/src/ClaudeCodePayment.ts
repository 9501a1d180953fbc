/** Finds out how a question to Claude Code's own model is paid. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Payment from "@reflexion/core/internal/session/host/Payment"
import * as FS from "node:fs"
import { join } from "node:path"

type Env = Readonly<Record<string, string | undefined>>

const variables: Payment.Variables = [
  ["ANTHROPIC_API_KEY", Payment.byKey],
  ["ANTHROPIC_AUTH_TOKEN", Payment.byKey],
  ["ANTHROPIC_BASE_URL", Payment.elsewhere],
  ["CLAUDE_CODE_USE_BEDROCK", Payment.elsewhere],
  ["CLAUDE_CODE_USE_VERTEX", Payment.elsewhere],
  ["CLAUDE_CODE_USE_FOUNDRY", Payment.elsewhere],
  ["CLAUDE_CODE_USE_MANTLE", Payment.elsewhere],
  ["CLAUDE_CODE_USE_GATEWAY", Payment.elsewhere],
  ["CLAUDE_CODE_USE_ANTHROPIC_AWS", Payment.elsewhere],
  ["CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD", Payment.elsewhere]
]

const bySettings = (file: string): string | null => {
  const settings = Payment.objectIn(file)
  if (settings === null) return null
  if (Payment.isSet(settings["apiKeyHelper"]))
    return `apiKeyHelper is set in ${file}, so each question is charged by the token`
  if (Payment.isSet(settings["forceLoginMethod"]) && settings["forceLoginMethod"] !== "claudeai")
    return `forceLoginMethod in ${file} does not name a claude.ai plan`
  const why = Payment.byVariables(variables, Json.object(settings["env"]))
  return why === null ? null : `${why} (env in ${file})`
}

/** An administrator's file, which overrides all other settings files, as Claude Code documents. */
export const managed =
  process.platform === "darwin"
    ? "/Library/Application Support/ClaudeCode/managed-settings.json"
    : process.platform === "win32"
      ? "C:\\Program Files\\ClaudeCode\\managed-settings.json"
      : "/etc/claude-code/managed-settings.json"

/** The user's state file can be megabytes long, so it is not parsed. An escaped quotation mark begins no key. */
const ownKey = /(?<!\\)"primaryApiKey"\s*:\s*"/
const subscription = /(?<!\\)"billingType"\s*:\s*"\w{0,30}subscription"/

/** A claude.ai login has its token in a file. On macOS the keychain has it, and only the state shows the login. */
const isPlan = (env: Env, folder: string, state: string): boolean => {
  if (Payment.isSet(env["CLAUDE_CODE_OAUTH_TOKEN"])) return true
  const credentials = Payment.objectIn(join(folder, ".credentials.json"))
  return credentials === null ? subscription.test(state) : Json.isObject(credentials["claudeAiOauth"])
}

const byFiles = (env: Env): string | null => {
  const folder = Payment.folderOf(env, "CLAUDE_CONFIG_DIR", ".claude")
  const why = bySettings(join(folder, "settings.json")) ?? bySettings(managed)
  if (why !== null) return why
  const file = join(env["CLAUDE_CONFIG_DIR"] || Payment.homeOf(env), ".claude.json")
  const state = FS.existsSync(file) ? FS.readFileSync(file, "utf8") : ""
  // A login at the Console leaves a key in this file. A login at claude.ai leaves none.
  if (ownKey.test(state)) return `${file} has a Console API key, so each question is charged by the token`
  return isPlan(env, folder, state) ? null : "no Claude plan login was found, so it is unknown how a question is paid"
}

export const payment: Payment.Payment = { variables, byFiles }
