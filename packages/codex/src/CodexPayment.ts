/** Finds out how a question to Codex's own model is paid. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Payment from "@reflexion/core/internal/session/host/Payment"
import { join } from "node:path"

const variables: Payment.Variables = [
  ["OPENAI_API_KEY", Payment.byKey],
  ["CODEX_API_KEY", Payment.byKey],
  ["OPENAI_BASE_URL", Payment.elsewhere]
]

/** Lines of a profile also count. A false match does no harm. */
const providerLine =
  /^[^#\n]*?["']?\b(model_provider|oss_provider|openai_base_url|chatgpt_base_url)["']?[ \t]*=[ \t]*(.*)$/gm

const apiLine = /^[ \t]*["']?(forced_login_method|preferred_auth_method)["']?[ \t]*=[ \t]*["'](api|apikey)["']/m

const byConfig = (file: string): string | null => {
  const text = Payment.textOf(file) ?? ""
  const other = Array.from(text.matchAll(providerLine)).find(([, , value = ""]) => !/^["']openai["']/.test(value))
  if (other !== undefined) return `${other[1] ?? ""} in ${file} names a service other than the login's`
  return apiLine.test(text) ? `${file} requires a key, so each question is charged by the token` : null
}

const byLogin = (file: string): string | null => {
  const auth = Payment.objectIn(file)
  if (auth === null) return `${file} does not exist, so it is unknown how Codex is logged in`
  const mode = Json.string(auth["auth_mode"]) ?? (Payment.isSet(auth["OPENAI_API_KEY"]) ? "apikey" : "chatgpt")
  return mode.startsWith("chatgpt") && Json.isObject(auth["tokens"])
    ? null
    : `${file} has a key and no ChatGPT login, so each question is charged by the token`
}

export const payment: Payment.Payment = {
  variables,
  byFiles: (env) => {
    const folder = Payment.folderOf(env, "CODEX_HOME", ".codex")
    return byConfig(join(folder, "config.toml")) ?? byLogin(join(folder, "auth.json"))
  }
}
