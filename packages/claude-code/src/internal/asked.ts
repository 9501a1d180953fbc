/** Runs `claude -p` for reflexion, and reads an answer or an error from its output. */
import * as HostModel from "@reflexion/core/internal/model/calls/HostModel"
import {
  brokenOff,
  cutOff,
  declined,
  failure,
  type ModelFailure,
  ofOthers,
  ofStatus,
  unreachable,
  type Usage
} from "@reflexion/core/internal/model/calls/ModelFailures"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export type Account = "key" | "login"

export const program = {
  name: "Claude Code",
  install: "install it (npm install -g @anthropic-ai/claude-code)",
  program: "claude"
}

export const words = (
  account: Account,
  { rounds, tools }: { readonly rounds: number; readonly tools: ReadonlyArray<string> }
): ReadonlyArray<string> => [
  "-p",
  // With either option, no hook, plugin or MCP server runs, and no project instructions are read. Only `--safe-mode`
  // uses the user's login.
  account === "login" ? "--safe-mode" : "--bare",
  "--tools",
  ...tools,
  "--strict-mcp-config",
  "--no-session-persistence",
  "--max-turns",
  String(rounds),
  "--output-format",
  "json"
]

const decode = Schema.decodeUnknownOption(Schema.parseJson(Schema.Unknown))

/** With the user's setting `verbose`, the output is a list with the result at its end. */
const resultIn = (out: string): Json.Json | null => {
  const printed = Option.getOrNull(decode(out))
  const found = (Array.isArray(printed) ? Json.list(printed) : [printed])
    .map(Json.object)
    .findLast(({ type }) => type === "result")
  return found ?? null
}

const tokens = (usage: Json.Json, key: string): number => Json.number(usage[key]) ?? 0

const usageIn = (result: Json.Json): Usage => {
  const usage = Json.object(result["usage"])
  const input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]
  return {
    inputTokens: input.reduce((sum, key) => sum + tokens(usage, key), 0),
    outputTokens: tokens(usage, "output_tokens")
  }
}

const said = ([, usage]: readonly [model: string, usage: unknown]): number => tokens(Json.object(usage), "outputTokens")

/** The model with the most output tokens. A second model may have done small work. */
const modelIn = (result: Json.Json): string | null => {
  const models = Object.entries(Json.object(result["modelUsage"]))
  return models.toSorted((left, right) => said(right) - said(left))[0]?.[0] ?? null
}

const advice: Readonly<Record<Account, string>> = {
  key: 'Claude Code has no API key: set ANTHROPIC_API_KEY in the environment, because `claude --bare` uses no login, or use the login (account: "login")',
  login:
    "Claude Code is not logged in: run `claude` and log in with /login, or set CLAUDE_CODE_OAUTH_TOKEN (from `claude setup-token`) or ANTHROPIC_API_KEY in the environment"
}

const keyed: Readonly<Record<Account, string>> = {
  key: "check ANTHROPIC_API_KEY in the environment",
  login: "log in again: run `claude` and /login"
}

const failureOf = (result: Json.Json, account: Account): ModelFailure => {
  const said = Json.text(result["result"])
  const status = Json.number(result["api_error_status"])
  if (/^Not logged in|please run \/login/i.test(said)) return failure("unavailable", advice[account])
  if (status !== null) {
    const turnedAway = status === 401 || status === 403
    return ofStatus(status, turnedAway ? `${said} (${keyed[account]})` : said)
  }
  if (/connection (?:dropped|reset|closed)|ECONNRESET/i.test(said)) return brokenOff()
  if (result["api_error"] === "connection_failed") return unreachable(said)
  return failure(
    "unavailable",
    ofOthers(said) || `Claude Code ended with the result ${Json.text(result["subtype"]) || "unknown"}`
  )
}

const toolsInstead = "The model called tools instead of answering, but it has no tools"

const neverBegan = (printed: HostModel.Printed): ModelFailure =>
  failure(
    "unavailable",
    `Claude Code could not be asked: ${HostModel.complaint(printed)} (check that \`claude -p\` works, and that Claude Code is 2.1.330 or later)`
  )

export const read =
  (account: Account) =>
  (printed: HostModel.Printed): HostModel.Reading => {
    const result = resultIn(printed.out)
    if (result === null) return Either.left(neverBegan(printed))
    const text = Json.text(result["result"])
    const known = { model: modelIn(result), usage: usageIn(result) }
    if (result["is_error"] !== true && result["subtype"] === "success") return Either.right({ ...known, text })
    if (result["stop_reason"] === "refusal") return Either.left(declined(text, known))
    if (result["api_error"] === "max_output_tokens") return Either.left(cutOff(known))
    return Either.left(
      result["subtype"] === "error_max_turns" ? failure("malformed", toolsInstead) : failureOf(result, account)
    )
  }
