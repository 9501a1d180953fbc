/** A program that replaces a host's and answers the questions to its small model. The user is logged in. */
import * as OwnModels from "../../src/config/OwnModels.ts"
import * as SampleAssessment from "@reflexion/testing/samples/SampleAssessment"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Scratch } from "./session.ts"

/** The rules read no German. */
export const asked = "Behebe den Parser und schreibe Tests dazu."
export const claim = "Der Parser ist jetzt behoben. Als Nächstes schreibe ich die Tests für die Randfälle."

const answer = JSON.stringify(SampleAssessment.announced("Als Nächstes schreibe ich die Tests", "e3"))

const printed = {
  claude: [
    {
      type: "result",
      subtype: "success",
      is_error: false,
      result: answer,
      usage: { input_tokens: 3000, cache_read_input_tokens: 600, output_tokens: 12 },
      modelUsage: { "claude-haiku-4-5": { outputTokens: 12 } }
    }
  ],
  codex: [
    { type: "thread.started", thread_id: "t" },
    { type: "item.completed", item: { type: "agent_message", text: answer } },
    { type: "turn.completed", usage: { input_tokens: 3600, output_tokens: 12 } }
  ]
}

export const install = (made: Scratch, name: "claude" | "codex", isFailing: boolean): Scratch => {
  const put = (path: string, text: string): void => writeFileSync(join(made.home, path), text, { mode: 0o755 })
  for (const folder of ["bin", ".codex", ".claude"]) mkdirSync(join(made.home, folder))
  put("printed", isFailing ? "no such model" : printed[name].map((event) => JSON.stringify(event)).join("\n"))
  const words = `cat >/dev/null\necho "$@" >>'${made.home}/words'\ncat '${made.home}/printed'\nexit ${Number(isFailing)}`
  put(join("bin", name), `#!/bin/sh\n${words}\n`)
  put(".claude/.credentials.json", '{ "claudeAiOauth": {} }')
  put(".codex/auth.json", '{ "tokens": { "access_token": "t" } }')
  const env = { HOME: made.home, PATH: `${made.home}/bin:/usr/bin:/bin` }
  const host = name === "claude" ? "claude-code" : "codex"
  return { ...made, hook: { ...made.hook, host, env, command: name === "claude" ? "/reflection" : "reflection" } }
}

/** The words of each question. */
export const questions = ({ home }: Scratch): ReadonlyArray<string> =>
  existsSync(join(home, "words")) ? readFileSync(join(home, "words"), "utf8").trim().split("\n") : []

export const agree = ({ hook }: Scratch): void =>
  OwnModels.keep(hook.directories, hook.host, { asked: true, at: "2026-11-27T10:00:00.000Z" })
